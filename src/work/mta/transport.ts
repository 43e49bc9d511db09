// The main thread's side of delivery: hands claims to worker threads, makes their intents durable and settles their
// outcomes, many in one commit. No outcome is ever dropped: a store that can't write is asked again.
import { Worker } from 'node:worker_threads';
import { randomInt } from 'node:crypto';
import type { Clock } from '../../runtime/clock.js';
import type { Log } from '../../runtime/log.js';
import { workerUrl } from '../../runtime/worker-url.js';
import { Refusal } from '../../contract/refusal.js';
import type { Change, Committed } from '../../store/plan.js';
import type { Claim } from '../../store/queue.js';
import type { Store } from '../../store/store.js';
import type { FromWorker, Outcome, ToWorker } from './outcome.js';
import { sendingStarted, settle, type SettleSettings } from './settle.js';
import type { WorkerSettings } from './worker.js';

const RETRY_COMMIT_MS = 500;
/** What a worker makes lives for milliseconds; a third of this holds a few hundred messages. */
const YOUNG_GENERATION_MB = 12;
const RESTART_WORKER_MS = 1_000;
const HISTORY_MS = 14 * 86_400_000;
const JITTER_STEPS = 1_000_000;

export interface TransportDeps {
  store: Pick<Store, 'commit' | 'messages'>;
  clock: Clock;
  log: Log;
  owner: string;
  workers: number;
  workerSettings: WorkerSettings;
  settings: SettleSettings;
  /** Called once for each claim when its outcome is durable. */
  onSettled: (claim: Claim) => void;
  /** Claims whose worker died: nothing is known of them but what their rows say. */
  onLost: (claims: Claim[]) => void;
  /** Lanes that got mail back, and the news that there are events. */
  onCommitted: (committed: Committed) => void;
}

export interface MtaTransport {
  start(): void;
  deliver(claims: readonly Claim[]): void;
  /** Lets sessions past DATA end and takes back the rest, then ends the workers. */
  stop(): Promise<void>;
}

interface WorkerSlot {
  worker: Worker;
  claims: Map<number, Claim>;
  drained: (() => void) | null;
}

export function createMtaTransport(deps: TransportDeps): MtaTransport {
  const { store, clock, log } = deps;
  const slots: WorkerSlot[] = [];
  let isStopping = false;
  /** Said once, not with every try. */
  let isStoreDown = false;
  const settling = new Set<Promise<void>>();

  function startWorker(index: number): void {
    const worker = new Worker(workerUrl(import.meta.url, './worker.js'), {
      workerData: deps.workerSettings,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    const slot: WorkerSlot = { worker, claims: new Map(), drained: null };
    slots[index] = slot;
    worker.on('message', (message: FromWorker) => hear(slot, message));
    worker.on('error', (error) => log.error({ err: error }, 'delivery worker fault'));
    worker.on('exit', () => {
      slot.drained?.();
      if (isStopping) return;
      const lost = [...slot.claims.values()];
      slot.claims.clear();
      deps.onLost(lost);
      setTimeout(() => {
        if (!isStopping) startWorker(index);
      }, RESTART_WORKER_MS);
    });
  }

  function hear(slot: WorkerSlot, message: FromWorker): void {
    if (message.kind === 'drained') {
      slot.drained?.();
      return;
    }
    for (const stack of message.faults) log.error({ stack }, 'delivery fault');
    const work = settleReport(slot, message)
      .catch((error: unknown) => log.error({ err: error }, 'settle fault'))
      .finally(() => settling.delete(work));
    settling.add(work);
  }

  async function settleReport(
    slot: WorkerSlot,
    report: Extract<FromWorker, { kind: 'report' }>,
  ): Promise<void> {
    const plan: Change[] = [];
    const started = new Map(report.started.map(({ messageId, at }) => [messageId, at]));
    // What ended in the same report is written down once, by its outcome.
    const ended = new Set(report.outcomes.map(({ messageId }) => messageId));
    for (const [messageId, at] of started) {
      const claim = slot.claims.get(messageId);
      if (claim && !ended.has(messageId)) plan.push(...sendingStarted(claim, at));
    }
    for (const { messageId, at } of report.intents) {
      plan.push({ kind: 'intend-dot', messageId, owner: deps.owner, at });
    }
    const settled: Claim[] = [];
    for (const outcome of report.outcomes) {
      const claim = slot.claims.get(outcome.messageId);
      if (!claim) continue;
      plan.push(...(await changesFor(claim, outcome, started.get(outcome.messageId) ?? null)));
      settled.push(claim);
    }
    const committed = await commitSurely(plan);
    answerIntents(slot, report.intents, committed);
    for (const claim of settled) {
      slot.claims.delete(claim.messageId);
      deps.onSettled(claim);
    }
    deps.onCommitted(committed);
  }

  function answerIntents(
    slot: WorkerSlot,
    intents: readonly { messageId: number }[],
    committed: Committed,
  ): void {
    if (intents.length === 0) return;
    const allowed = new Set(committed.intended);
    const denied = intents.map(({ messageId }) => messageId).filter((messageId) => !allowed.has(messageId));
    post(slot, { kind: 'intended', allowed: committed.intended, denied });
  }

  async function changesFor(claim: Claim, outcome: Outcome, startedAt: number | null): Promise<Change[]> {
    const { kind } = outcome.result;
    const mayBounce = kind === 'refused';
    const earlierBounces = mayBounce
      ? await store.messages.earlierBounces(claim.environmentId, claim.toKey, outcome.at - HISTORY_MS)
      : [];
    if (kind === 'held') {
      log.warn(
        { message_id: claim.publicId, reason: outcome.result.reason, why: outcome.result.message },
        'message held',
      );
    }
    const jitter = randomInt(JITTER_STEPS) / JITTER_STEPS;
    return settle({ claim, outcome, startedAt, jitter, earlierBounces }, deps.settings);
  }

  /** A full disk or a lock passes; the mail has left already, so its outcome must be written down. */
  async function commitSurely(plan: Change[]): Promise<Committed> {
    for (;;) {
      try {
        const committed = await store.commit(plan);
        isStoreDown = false;
        return committed;
      } catch (error) {
        if (!(error instanceof Refusal && error.type === 'unavailable')) throw error;
        if (!isStoreDown) log.error({ why: error.details?.['reason'] }, 'outcomes wait for the store');
        isStoreDown = true;
        await new Promise((resolve) => setTimeout(resolve, RETRY_COMMIT_MS));
      }
    }
  }

  function post(slot: WorkerSlot, message: ToWorker): void {
    slot.worker.postMessage(message);
  }

  /** A domain always goes to the same worker: its connections are there. */
  function slotFor(domain: string): WorkerSlot | undefined {
    let hash = 0;
    for (let i = 0; i < domain.length; i++) hash = (hash * 31 + domain.charCodeAt(i)) | 0;
    return slots[Math.abs(hash) % slots.length];
  }

  return {
    start() {
      for (let index = 0; index < deps.workers; index++) startWorker(index);
    },
    deliver(claims) {
      const batches = new Map<WorkerSlot, ToWorker & { kind: 'deliver' }>();
      for (const claim of claims) {
        const slot = slotFor(claim.domain);
        if (!slot) throw new Error('No delivery worker was started.');
        slot.claims.set(claim.messageId, claim);
        let batch = batches.get(slot);
        if (!batch) batches.set(slot, (batch = { kind: 'deliver', claims: [] }));
        batch.claims.push({
          messageId: claim.messageId,
          domain: claim.domain,
          isFirst: claim.status === 'queued',
        });
      }
      for (const [slot, batch] of batches) post(slot, batch);
    },
    async stop() {
      isStopping = true;
      await Promise.all(
        slots.map(async (slot) => {
          await new Promise<void>((resolve) => {
            slot.drained = resolve;
            post(slot, { kind: 'drain' });
          });
        }),
      );
      // The last reports came before `drained`; their commits may still run.
      await Promise.all(settling);
      await Promise.all(slots.map((slot) => slot.worker.terminate()));
      log.debug({ at: clock() }, 'delivery workers ended');
    },
  };
}
