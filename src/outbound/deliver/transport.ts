// The main thread's side of delivery: hands claims to worker threads, makes their intents durable and settles their
// outcomes, many in one commit. No outcome is ever dropped: a store that can't write is asked again.
import { Worker } from 'node:worker_threads';
import { randomInt } from 'node:crypto';
import type { Clock } from '../../lib/runtime/clock.js';
import type { Log } from '../../lib/runtime/log.js';
import { workerUrl } from '../../lib/runtime/worker-url.js';
import { Refusal } from '../../contract/refusal.js';
import type { Change, Committed } from '../../store/plan.js';
import type { Claim } from '../schedule/queue.store.js';
import type { Store } from '../../store/store.js';
import type { Outcome } from '../outcome/attempt.rules.js';
import type { PathPlan, PathSignal, PlannedRoute, SessionLimits } from './delivery-plan.rules.js';
import type { TlsResult } from '../../operations/tls-reports/tls-reports.store.js';
import { sessionRow } from '../outcome/attempt-record.js';
import { createOutbox, type Outbox } from './outbox.js';
import { failureOf, type Failure } from '../outcome/failure.js';
import { settle } from '../outcome/record-outcome.js';
import { sendingStarted, type OutcomeFacts, type OutcomeSettings } from '../outcome/outcome-rows.js';
import type { FromWorker, ToWorker, WorkerReport } from './worker-messages.js';
import type { WorkerSettings } from './worker.js';

const RETRY_COMMIT_MS = 500;
/** What a worker makes lives for milliseconds; a third of this holds a few hundred messages. */
const YOUNG_GENERATION_MB = 12;
const RESTART_WORKER_MS = 1_000;
const HISTORY_MS = 14 * 86_400_000;
const JITTER_STEPS = 1_000_000;

/** How a claimed message is to leave. */
export type Planned =
  | {
      kind: 'go';
      path: PathPlan;
      /** Paths of one group share a worker: their limits belong together. */
      group: string;
      route: PlannedRoute;
      /** Why it goes this way and not the usual one. */
      note: string | null;
    }
  /** Not now after all; its place in the lane stays its own. */
  | { kind: 'later' };

/** Who knows the ways out, and learns from what becomes of them. */
export interface TrafficDesk {
  plan(claim: Claim): Planned | Promise<Planned>;
  /** Heard before the outcomes of the same report are written down. */
  hear(signals: readonly PathSignal[]): void;
  /** Its attempt is over, whatever came of it. */
  ended(claim: Claim, outcome: Outcome, failure: Failure | null): void;
  tls(results: readonly TlsResult[]): void;
  /** A worker is gone, and the sessions of these paths with it. */
  workerEnded(pathIds: readonly number[]): void;
}

export interface TransportDeps {
  store: Pick<Store, 'commit' | 'messages'>;
  clock: Clock;
  log: Log;
  owner: string;
  workers: number;
  workerSettings: WorkerSettings;
  settings: OutcomeSettings;
  traffic: TrafficDesk;
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
  /** What the sessions of a path may do from now on. */
  change(group: string, pathId: number, limits: SessionLimits): void;
  /** What waits for the path comes back to the queue as it was. */
  recall(group: string, pathId: number): void;
  /** Nothing will come for the path any more. */
  forget(group: string, pathId: number): void;
  /** Lets sessions past DATA end and takes back the rest, then ends the workers. */
  stop(): Promise<void>;
}

interface WorkerSlot {
  /** Null from its end until another one is started; what is delivered meanwhile waits for that. */
  worker: Worker | null;
  /** By message. */
  claims: Map<number, Handed>;
  outbox: Outbox;
  drained: (() => void) | null;
}

/** A claim in a worker's hands. */
export interface Handed {
  claim: Claim;
  planned: Extract<Planned, { kind: 'go' }>;
  /** The worker has told what became of it, which is being written down. */
  isTold: boolean;
}

/** What belongs together of a report: it is written down whole, or not at all. */
interface Part {
  changes: Change[];
  /** The claim that it ends. */
  ends: Claim | null;
}

interface Ended {
  claim: Claim;
  note: string | null;
  outcome: Outcome;
  failure: Failure | null;
  startedAt: number | null;
}

const NOTHING: Committed = { messageIds: [], queueIds: [], intended: [] };

export function createMtaTransport(deps: TransportDeps): MtaTransport {
  const { store, clock, log } = deps;
  const slots: WorkerSlot[] = [];
  let isStopping = false;
  /** Said once, not with every try. */
  let isStoreDown = false;
  const settling = new Set<Promise<void>>();

  function startWorker(slot: WorkerSlot): void {
    const worker = new Worker(workerUrl('outbound/deliver/worker.js'), {
      workerData: deps.workerSettings,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    slot.worker = worker;
    // To this one and no later one: what it is not told in its life is handed over anew.
    slot.outbox = createOutbox((message) => worker.postMessage(message));
    worker.on('message', (message: FromWorker) => hear(slot, message));
    worker.on('error', (error) => log.error({ err: error }, 'delivery worker fault'));
    worker.on('exit', () => {
      slot.worker = null;
      slot.drained?.();
      deps.traffic.workerEnded(slot.outbox.paths());
      if (isStopping) return;
      // What it has told is not lost with it; what is told is written down and released as ever.
      const lost = [...slot.claims.values()].flatMap(({ claim, isTold }) => (isTold ? [] : [claim]));
      slot.claims.clear();
      setTimeout(() => {
        if (!isStopping) startWorker(slot);
      }, RESTART_WORKER_MS);
      deps.onLost(lost);
    });
    for (const handed of slot.claims.values()) slot.outbox.add(handed);
  }

  function hear(slot: WorkerSlot, message: FromWorker): void {
    if (message.kind === 'drained') {
      slot.drained?.();
      return;
    }
    for (const stack of message.faults) log.error({ stack }, 'delivery fault');
    tell(() => {
      deps.traffic.hear(message.signals);
      deps.traffic.tls(message.tlsResults);
    });
    const work = settleReport(slot, message)
      .catch((error: unknown) => log.error({ err: error }, 'settle fault'))
      .finally(() => settling.delete(work));
    settling.add(work);
    // All of it was heard by now, and what it changes is on its way.
    if (message.asked.length > 0) post(slot, { kind: 'judged', pathIds: message.asked });
  }

  /** What others make of the news does not keep it from being written down. */
  function tell(how: () => void): void {
    try {
      how();
    } catch (error) {
      log.error({ err: error }, 'traffic fault');
    }
  }

  /**
   * Everything but bounces enters the store's line before this returns, so that a message's `sending` stands before
   * its outcome, which may be in the next report. Bounces look into the past first.
   */
  async function settleReport(slot: WorkerSlot, report: WorkerReport): Promise<void> {
    const started = new Map(report.started.map(({ messageId, at }) => [messageId, at]));
    const ended = report.outcomes.flatMap((outcome): Ended[] => {
      const handed = slot.claims.get(outcome.messageId);
      if (!handed) return [];
      handed.isTold = true;
      const failure = failureOf(outcome.result, deps.settings.rules);
      // The outcome counts for more than what might be learnt from it.
      tell(() => deps.traffic.ended(handed.claim, outcome, failure));
      const startedAt = started.get(outcome.messageId) ?? null;
      return [{ claim: handed.claim, note: handed.planned.note, outcome, failure, startedAt }];
    });
    // What ended in the same report is written down once, by its outcome.
    for (const { messageId } of report.outcomes) started.delete(messageId);
    const parts: Part[] = report.sessions.map((session) => ({ changes: [sessionRow(session)], ends: null }));
    for (const [messageId, at] of started) {
      const handed = slot.claims.get(messageId);
      if (handed) parts.push({ changes: sendingStarted(handed.claim, at), ends: null });
    }
    for (const { messageId, at } of report.intents) {
      parts.push({ changes: [{ kind: 'intend-dot', messageId, owner: deps.owner, at }], ends: null });
    }
    const refused: Ended[] = [];
    for (const item of ended) {
      if (item.outcome.result.kind === 'refused') refused.push(item);
      else parts.push(partOf(item, []));
    }
    await Promise.all([
      writeDown(slot, parts).then((committed) => answerIntents(slot, report.intents, committed)),
      settleRefused(slot, refused),
    ]);
  }

  async function settleRefused(slot: WorkerSlot, refused: readonly Ended[]): Promise<void> {
    const parts = await Promise.all(refused.map(async (item) => partOf(item, await earlierBounces(item))));
    await writeDown(slot, parts);
  }

  async function earlierBounces({ claim, outcome }: Ended): Promise<OutcomeFacts['earlierBounces']> {
    try {
      const { environmentId, toKey } = claim;
      return await store.messages.earlierBounces(environmentId, toKey, outcome.at - HISTORY_MS);
    } catch (error) {
      // The outcome counts for more than what it might add up to.
      log.error({ err: error }, 'earlier bounces could not be read');
      return [];
    }
  }

  /** Commits the parts and releases the claims that they end. A part that can't be written does not keep the others from it. */
  async function writeDown(slot: WorkerSlot, parts: readonly Part[]): Promise<Committed> {
    if (parts.length === 0) return NOTHING;
    let committed: Committed;
    try {
      committed = await commitSurely(parts.flatMap(({ changes }) => changes));
    } catch (error) {
      if (parts.length > 1) return writeEach(slot, parts);
      log.error({ err: error }, 'settle fault');
      // Its row says what is known; the sweep settles it by that.
      for (const { ends } of parts) if (ends) release(slot, ends, (claim) => deps.onLost([claim]));
      return NOTHING;
    }
    for (const { ends } of parts) if (ends) release(slot, ends, deps.onSettled);
    deps.onCommitted(committed);
    return committed;
  }

  async function writeEach(slot: WorkerSlot, parts: readonly Part[]): Promise<Committed> {
    const written = await Promise.all(parts.map((part) => writeDown(slot, [part])));
    return {
      messageIds: written.flatMap(({ messageIds }) => messageIds),
      queueIds: written.flatMap(({ queueIds }) => queueIds),
      intended: written.flatMap(({ intended }) => intended),
    };
  }

  function release(slot: WorkerSlot, claim: Claim, how: (claim: Claim) => void): void {
    // The message may have been claimed again since its outcome became durable.
    if (slot.claims.get(claim.messageId)?.claim === claim) slot.claims.delete(claim.messageId);
    how(claim);
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

  function partOf(ended: Ended, earlier: OutcomeFacts['earlierBounces']): Part {
    const { claim, outcome } = ended;
    if (outcome.result.kind === 'held') {
      log.warn(
        { message_id: claim.publicId, reason: outcome.result.reason, why: outcome.result.message },
        'message held',
      );
    }
    const jitter = randomInt(JITTER_STEPS) / JITTER_STEPS;
    return { changes: settle({ ...ended, jitter, earlierBounces: earlier }, deps.settings), ends: claim };
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
    slot.worker?.postMessage(message);
  }

  /** A group always goes to the same worker: its connections and their limits are there. */
  function slotFor(group: string): WorkerSlot {
    let hash = 0;
    for (let i = 0; i < group.length; i++) hash = (hash * 31 + group.charCodeAt(i)) | 0;
    const slot = slots[Math.abs(hash) % slots.length];
    if (!slot) throw new Error('No delivery worker was started.');
    return slot;
  }

  function hand(claim: Claim, planned: Planned): void {
    if (planned.kind === 'later') {
      giveBack(claim).catch((error: unknown) => lose(claim, error));
      return;
    }
    const slot = slotFor(planned.group);
    const handed = { claim, planned, isTold: false };
    slot.claims.set(claim.messageId, handed);
    slot.outbox.add(handed);
  }

  /** A fault before it was in a worker's hands: its row says that it is untouched. */
  function lose(claim: Claim, error: unknown): void {
    log.error({ err: error }, 'planning fault');
    deps.onLost([claim]);
  }

  /** Not begun: as if it had not been claimed. */
  async function giveBack(claim: Claim): Promise<void> {
    const { messageId, dueAt, attempts, ambiguousAttempts, blockedAttempts, retryStep, source } = claim;
    const counters = { attempts, ambiguousAttempts, blockedAttempts, retryStep, source };
    const committed = await commitSurely([
      { kind: 'requeue', messageId, dueAt, ...counters, holdReason: null },
    ]);
    deps.onSettled(claim);
    deps.onCommitted(committed);
  }

  return {
    start() {
      for (let i = 0; i < deps.workers; i++) {
        const slot: WorkerSlot = {
          worker: null,
          claims: new Map(),
          outbox: createOutbox(() => undefined),
          drained: null,
        };
        slots.push(slot);
        startWorker(slot);
      }
    },
    deliver(claims) {
      for (const claim of claims) {
        try {
          const planned = deps.traffic.plan(claim);
          if (!(planned instanceof Promise)) hand(claim, planned);
          else planned.then((found) => hand(claim, found)).catch((error: unknown) => lose(claim, error));
        } catch (error) {
          lose(claim, error);
        }
      }
    },
    change(group, pathId, limits) {
      slotFor(group).outbox.change(pathId, limits);
    },
    recall: (group, pathId) => slotFor(group).outbox.recall(pathId),
    forget: (group, pathId) => slotFor(group).outbox.forget(pathId),
    async stop() {
      isStopping = true;
      await Promise.all(
        slots.map(async (slot) => {
          if (slot.worker === null) return;
          await new Promise<void>((resolve) => {
            slot.drained = resolve;
            post(slot, { kind: 'drain' });
          });
        }),
      );
      // The last reports came before `drained`; their commits may still run.
      await Promise.all(settling);
      await Promise.all(slots.flatMap(({ worker }) => (worker ? [worker.terminate()] : [])));
      log.debug({ at: clock() }, 'delivery workers ended');
    },
  };
}
