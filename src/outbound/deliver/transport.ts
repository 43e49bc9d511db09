// The main thread's side of delivery. It plans claims, hands them to worker threads, commits their intents and records their
// outcomes, many in one transaction. It never drops an outcome, and retries while the store is unavailable.
import type { EngineContext } from '../context.js';
import { randomInt } from 'node:crypto';
import type { Clock, Log } from '../../lib/runtime/index.js';
import type { RouteSide } from '../../contract/names.js';
import { isUnavailable, Refusal } from '../../contract/refusal.js';
import type { OutboundStores } from '../stores.js';
import { wasAttempted, type Outcome } from '../outcome/attempt.rules.js';
import { classifyFailure, type Failure } from '../outcome/failure.js';
import {
  backToQueue,
  outcomePlan,
  sendingStarted,
  sessionRow,
  toQueueOfSide,
  type OutcomeFacts,
  type OutcomeSettings,
} from '../outcome/outcome-plan.js';
import { isAboutSource, isWornOut, LATEST_ATTEMPTS } from '../outcome/source-refusal.js';
import type { TlsCounts } from '../outcome/tls-counts.js';
import type { InFlight } from '../schedule/admission.js';
import type { Dispatch, Transport } from '../schedule/dispatch.js';
import type { TrafficShaper } from '../shape/traffic-shaper.js';
import type { DeliveryPlan } from './delivery-plan.rules.js';
import type { WorkerReport } from './worker-messages.js';
import type { DeliveryWorker, DeliveryWorkers, Handed, WorkerListener } from './workers.js';
import type { Change, Committed } from '../../database/change.js';
import { intendDots } from '../../messages/message-changes.store.js';

const RETRY_COMMIT_MS = 500;
const HISTORY_MS = 14 * 86_400_000;
const JITTER_STEPS = 1_000_000;

type TransportContext = Pick<
  EngineContext,
  'outcomes' | 'owner' | 'tlsCounts' | 'onCommitted' | 'onMoved' | 'clock' | 'log'
> & { store: Pick<OutboundStores, 'commit' | 'messages' | 'attempts'> };

interface Neighbours {
  workers: DeliveryWorkers;
  shaper: Pick<TrafficShaper, 'plan' | 'observe' | 'ended' | 'otherSource' | 'workerEnded'>;
  dispatch: Pick<Dispatch, 'end' | 'lose'>;
}

/** Changes of a report that are committed together or not at all. */
interface Part {
  changes: Change[];
  /** The message whose delivery ends with these changes. */
  ends: { handed: Handed; isSent: boolean } | null;
}

interface Ended {
  handed: Handed;
  outcome: Outcome;
  failure: Failure | null;
  startedAt: number | null;
}

/** Facts of a refusal that are read from the store. */
type History = Pick<OutcomeFacts, 'earlierBounces' | 'otherSource'>;

const NOTHING: Committed = { messageIds: [], queueIds: [], intended: [] };

export class MtaTransport implements Transport, WorkerListener {
  readonly #store: TransportContext['store'];
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #owner: string;
  readonly #workers: DeliveryWorkers;
  readonly #outcomes: OutcomeSettings;
  readonly #shaper: Neighbours['shaper'];
  readonly #dispatch: Neighbours['dispatch'];
  readonly #tlsCounts: Pick<TlsCounts, 'add'>;
  readonly #onCommitted: (committed: Committed) => void;
  readonly #onMoved: (committed: Committed) => void;
  /** An outage is logged once, not on every retry. */
  #isStoreDown = false;
  readonly #recording = new Set<Promise<void>>();

  constructor(
    { store, outcomes, owner, tlsCounts, onCommitted, onMoved, clock, log }: TransportContext,
    { workers, shaper, dispatch }: Neighbours,
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
    this.#owner = owner;
    this.#workers = workers;
    this.#outcomes = outcomes;
    this.#shaper = shaper;
    this.#dispatch = dispatch;
    this.#tlsCounts = tlsCounts;
    this.#onCommitted = onCommitted;
    this.#onMoved = onMoved;
  }

  start(): void {
    this.#workers.start(this);
  }

  /** Waits for sessions that are past DATA, returns all other messages to their queues, and ends the workers. */
  async stop(): Promise<void> {
    await this.#workers.drain();
    // The commits of the last reports may still be running.
    await Promise.all(this.#recording);
    await this.#workers.terminate();
    this.#log.debug({ at: this.#clock() }, 'delivery workers stopped');
  }

  // ---- to the workers ----

  deliver(entries: readonly InFlight[]): void {
    for (const entry of entries) {
      try {
        const plan = this.#shaper.plan(entry);
        if (!(plan instanceof Promise)) this.#hand(entry, plan);
        else {
          plan
            .then((found) => this.#hand(entry, found))
            .catch((error: unknown) => this.#planningFault(entry, error));
        }
      } catch (error) {
        this.#planningFault(entry, error);
      }
    }
  }

  #hand(entry: InFlight, plan: DeliveryPlan): void {
    if (plan.kind === 'go') {
      this.#workers.hand(entry, plan);
      return;
    }
    this.#handBack(entry, plan.side).catch((error: unknown) => this.#planningFault(entry, error));
  }

  /** Handles an error that occurred before a worker had the message. Its row shows that it is unattempted. */
  #planningFault(entry: InFlight, error: unknown): void {
    if (isUnavailable(error)) {
      this.#handBack(entry).catch((fault: unknown) => this.#planningFault(entry, fault));
      return;
    }
    this.#log.error({ err: error }, 'planning delivery failed');
    this.#dispatch.lose([entry], false);
  }

  /** Returns an unattempted message to its queue, or to the queue of its side. */
  async #handBack(entry: InFlight, side: RouteSide | null = null): Promise<void> {
    const { claim } = entry;
    const committed = await this.#commitSurely([
      side === null ? backToQueue(claim) : toQueueOfSide(claim, side),
    ]);
    this.#dispatch.end(entry, false);
    if (side === null) this.#onCommitted(committed);
    else this.#onMoved(committed);
  }

  // ---- from the workers ----

  ended(pathIds: Iterable<number>, lost: readonly InFlight[]): void {
    this.#shaper.workerEnded(pathIds);
    if (lost.length > 0) this.#dispatch.lose(lost, true);
  }

  report(worker: DeliveryWorker, report: WorkerReport): void {
    for (const stack of report.faults) this.#log.error({ stack }, 'delivery failed with an internal error');
    this.#learn(() => {
      this.#shaper.observe(report.signals);
      this.#tlsCounts.add(report.tlsResults);
    });
    const work = this.#record(worker, report)
      .catch((error: unknown) => this.#log.error({ err: error }, 'recording outcome failed'))
      .finally(() => this.#recording.delete(work));
    this.#recording.add(work);
    // The shaper has observed the report and posted the new limits.
    if (report.asked.length > 0) worker.post({ kind: 'resume', pathIds: report.asked });
  }

  /** Runs an observer. Its errors must not prevent the report from being recorded. */
  #learn(how: () => void): void {
    try {
      how();
    } catch (error) {
      this.#log.error({ err: error }, 'traffic shaping failed');
    }
  }

  /**
   * Records a report. All changes except refusals join the store's queue synchronously, so that `sending` is written before an
   * outcome of the next report. Refusals read earlier attempts first.
   */
  async #record(worker: DeliveryWorker, report: WorkerReport): Promise<void> {
    const started = new Map(report.started.map(({ messageId, at }) => [messageId, at]));
    const parts: Part[] = report.sessions.map((session) => ({ changes: [sessionRow(session)], ends: null }));
    const delivered: Part[] = [];
    const refused: Ended[] = [];
    for (const outcome of report.outcomes) {
      const { messageId, result } = outcome;
      const startedAt = started.get(messageId) ?? null;
      // The outcome includes the start of a message that ended in the same report.
      started.delete(messageId);
      const handed = worker.find(messageId);
      if (!handed) continue;
      handed.isReported = true;
      const failure = classifyFailure(result, this.#outcomes.rules);
      this.#learn(() => this.#shaper.ended(handed.entry, outcome, failure));
      const ended = { handed, outcome, failure, startedAt };
      if (result.kind === 'refused') refused.push(ended);
      else delivered.push(this.#newPart(ended, { earlierBounces: [], otherSource: null }));
    }
    for (const [messageId, at] of started) {
      const handed = worker.find(messageId);
      if (handed) parts.push({ changes: sendingStarted(handed.entry.claim, at), ends: null });
    }
    if (report.intents.length > 0) {
      const messageIds = report.intents.map(({ messageId }) => messageId);
      const at = Math.max(...report.intents.map((intent) => intent.at));
      parts.push({ changes: [intendDots({ messageIds, owner: this.#owner, at })], ends: null });
    }
    parts.push(...delivered);
    await Promise.all([
      this.#write(worker, parts).then((committed) => answerIntents(worker, report.intents, committed)),
      this.#recordRefused(worker, refused),
    ]);
  }

  async #recordRefused(worker: DeliveryWorker, refused: readonly Ended[]): Promise<void> {
    if (refused.length === 0) return;
    const parts = await Promise.all(
      refused.map(async (item) => {
        const [earlierBounces, otherSource] = await Promise.all([
          this.#readEarlierBounces(item),
          this.#findOtherSource(item),
        ]);
        return this.#newPart(item, { earlierBounces, otherSource });
      }),
    );
    await this.#write(worker, parts);
  }

  async #readEarlierBounces({ handed, outcome }: Ended): Promise<OutcomeFacts['earlierBounces']> {
    try {
      const { environmentId, toKey } = handed.entry.claim;
      return await this.#store.messages.earlierBounces(environmentId, toKey, outcome.at - HISTORY_MS);
    } catch (error) {
      // Recording the outcome is more important than evaluating earlier bounces.
      this.#log.error({ err: error }, 'reading earlier bounces failed');
      return [];
    }
  }

  /** Finds another source for the next attempt if the reply, or several equal replies, reject this one. */
  async #findOtherSource({ handed, outcome, failure }: Ended): Promise<OutcomeFacts['otherSource']> {
    const { claim } = handed.entry;
    const name = failure === null ? null : this.#shaper.otherSource(handed.entry);
    if (failure === null || name === null) return null;
    if (isAboutSource(failure)) return { name, isOpen: true };
    if (failure.verdict.disposition !== 'retry' || claim.attempts === 0) return null;
    try {
      const { attempts } = await this.#store.attempts.attemptsOf({ id: claim.messageId }, LATEST_ATTEMPTS);
      const earlier = attempts.map(({ detail }) => detail);
      return isWornOut(failure, outcome.source, earlier) ? { name, isOpen: false } : null;
    } catch (error) {
      this.#log.error({ err: error }, 'reading earlier attempts failed');
      return null;
    }
  }

  #newPart({ handed, outcome, failure, startedAt }: Ended, known: History): Part {
    const { claim } = handed.entry;
    const { result } = outcome;
    if (result.kind === 'held') {
      this.#log.warn(
        { message_id: claim.publicId, reason: result.reason, why: result.message },
        'message on hold',
      );
    }
    const jitter = randomInt(JITTER_STEPS) / JITTER_STEPS;
    const { note, share } = handed.plan;
    const facts = { claim, note, share, outcome, failure, startedAt, jitter, ...known };
    return {
      changes: outcomePlan(facts, this.#outcomes),
      ends: { handed, isSent: wasAttempted(result) },
    };
  }

  /** Commits the parts and ends their messages. If the commit fails, each part is committed separately. */
  async #write(worker: DeliveryWorker, parts: readonly Part[]): Promise<Committed> {
    if (parts.length === 0) return NOTHING;
    let committed: Committed;
    try {
      committed = await this.#commitSurely(parts.flatMap(({ changes }) => changes));
    } catch (error) {
      if (parts.length > 1) return this.#writeEach(worker, parts);
      this.#log.error({ err: error }, 'recording outcome failed');
      // A sweep records an outcome from its row.
      for (const { ends } of parts) {
        if (!ends) continue;
        worker.remove(ends.handed);
        this.#dispatch.lose([ends.handed.entry], true);
      }
      return NOTHING;
    }
    for (const { ends } of parts) {
      if (!ends) continue;
      worker.remove(ends.handed);
      this.#dispatch.end(ends.handed.entry, ends.isSent);
    }
    this.#onCommitted(committed);
    return committed;
  }

  async #writeEach(worker: DeliveryWorker, parts: readonly Part[]): Promise<Committed> {
    const written = await Promise.all(parts.map((part) => this.#write(worker, [part])));
    return {
      messageIds: written.flatMap(({ messageIds }) => messageIds),
      queueIds: written.flatMap(({ queueIds }) => queueIds),
      intended: written.flatMap(({ intended }) => intended),
    };
  }

  /** Commits a plan, and retries while the store is unavailable, because the mail may have been sent already. */
  async #commitSurely(plan: Change[]): Promise<Committed> {
    for (;;) {
      try {
        const committed = await this.#store.commit(plan);
        this.#isStoreDown = false;
        return committed;
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        if (!this.#isStoreDown) {
          const why = error instanceof Refusal ? error.details?.['reason'] : undefined;
          this.#log.error({ why }, 'store not available: outcomes waiting to be recorded');
        }
        this.#isStoreDown = true;
        await new Promise((resolve) => setTimeout(resolve, RETRY_COMMIT_MS));
      }
    }
  }
}

function answerIntents(
  worker: DeliveryWorker,
  intents: readonly { messageId: number }[],
  committed: Committed,
): void {
  if (intents.length === 0) return;
  const allowed = new Set(committed.intended);
  const denied = intents.map(({ messageId }) => messageId).filter((messageId) => !allowed.has(messageId));
  worker.post({ kind: 'intended', allowed: committed.intended, denied });
}
