// Claims due messages queue by queue, as far as the limits allow, and hands them to the transports. Each claim is returned once,
// through `end` or `lose`.
import type { EngineContext } from '../context.js';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { Refusal } from '../../contract/refusal.js';
import type { Config } from '../../settings/settings.js';
import { OutcomeUnknown } from '../../database/committer.js';
import type { Clock, Log } from '../../lib/runtime/index.js';
import {
  waitingPages,
  type Claim,
  type QueueState,
  type QueueStore,
  type ThrottleRow,
} from './queue.store.js';
import { BULK_RANK } from '../../messages/queue-rank.rules.js';
import type { Admission, InFlight } from './admission.js';
import { Scheduler, type FreeCapacity, type QueuePick } from './scheduler.js';
import type { WakeUp } from './wake-up.js';

/** With a smaller share of free capacity a claim waits a little, because a few large commits cost less than many small ones. */
const MIN_FREE_SHARE = 0.25;
/** Longest such wait (ms), because messages in flight may be stuck at slow destinations. */
const PATIENCE_MS = 20;
/** Maximum share of bulk mail among messages in flight, so that a password reset always finds a free slot. */
const BULK_SHARE = 0.8;
const MAX_PER_TURN = 20;
/** Time (ms) between attempts to write while the store is unavailable. */
const RETRY_MS = 1_000;
/** Queues kept for another reading. The next poll finds the others. */
const MOST_UNKNOWN = 10_000;
const MAX_SLEEP_MS = 60_000;
const FAULT_PAUSE_MS = 1_000;
/** Time (ms) between two pages of a poll, so that a hundred thousand queues take a few percent of a core. */
const BETWEEN_PAGES_MS = 50;

/** Takes claimed messages. It ends each when its outcome is durable, or loses it. */
export interface Transport {
  deliver(entries: readonly InFlight[]): void;
}

export type DispatchContext = Pick<EngineContext, 'owner' | 'wakeUp' | 'clock' | 'log'> & {
  config: Pick<Config, 'queueClaimBatch' | 'mtaInFlight' | 'queueLeaseMs' | 'queuePollMs'>;
  store: {
    queue: Pick<
      QueueStore,
      'queues' | 'waitingQueues' | 'claim' | 'endClaim' | 'moveLeases' | 'releaseThrottle'
    >;
  };
};

export class Dispatch {
  readonly #queue: DispatchContext['store']['queue'];
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #owner: string;
  readonly #config: DispatchContext['config'];
  readonly #admission: Admission;
  readonly #wakeUp: WakeUp;
  readonly #scheduler: Scheduler;
  readonly #maxBulk: number;
  // By claim, because a message may be claimed again before its former claim has ended.
  readonly #inFlight = new Set<InFlight>();
  #bulkInFlight = 0;
  /** Queues that received mail and are not known to the scheduler. */
  #unknown: number[] = [];
  #transports: { live: Transport; sandbox: Transport } | null = null;
  /** When a claim with little free capacity began to wait for more. */
  #waitingSince: number | null = null;
  #timer: NodeJS.Timeout | null = null;
  #pollTimer: NodeJS.Timeout | null = null;
  #polling: Promise<void> | null = null;
  #running: Promise<void> | null = null;
  #isWoken = false;
  #isStopped = true;

  constructor({ store, config, owner, wakeUp, clock, log }: DispatchContext, admission: Admission) {
    this.#queue = store.queue;
    this.#clock = clock;
    this.#log = log;
    this.#owner = owner;
    this.#config = config;
    this.#admission = admission;
    this.#wakeUp = wakeUp;
    this.#scheduler = new Scheduler({ admission, maxPerTurn: MAX_PER_TURN });
    this.#maxBulk = Math.max(1, Math.floor(config.mtaInFlight * BULK_SHARE));
    wakeUp.listen(() => this.recheck());
    wakeUp.listenToGroups((group) => {
      this.#scheduler.slotFreed(group);
      this.#wake();
    });
  }

  /** Reads which queues have mail, then claims until stopped. */
  async start(transports: { live: Transport; sandbox: Transport }): Promise<void> {
    this.#transports = transports;
    this.#isStopped = false;
    await this.#poll(nextTurn);
    this.#pollTimer = setInterval(() => {
      // A domain's mail servers may have changed, so it may now belong to this node.
      this.#scheduler.forgetElsewhere();
      this.#look();
    }, this.#config.queuePollMs);
  }

  /** Reads again which queues have mail, after paths have come to this node or other nodes have queued mail. */
  lookAtAll(): void {
    this.#scheduler.forgetElsewhere();
    // The current poll has already passed some queues.
    if (this.#polling === null) this.#look();
    else void this.#polling.then(() => this.#look());
  }

  #look(): void {
    if (this.#isStopped) return;
    this.#polling ??= this.#poll(() => delay(BETWEEN_PAGES_MS))
      .catch((error: unknown) => this.#log.error({ err: error }, 'polling queue failed'))
      .finally(() => (this.#polling = null));
  }

  /** Stops claiming. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    if (this.#pollTimer) clearInterval(this.#pollTimer);
    await this.#running;
    await this.#polling;
  }

  /** Wakes queues that have just received mail. */
  notify(queueIds: readonly number[]): void {
    for (const queueId of queueIds) if (!this.#scheduler.notify(queueId)) this.#unknown.push(queueId);
    this.#wake();
  }

  /** Checks held queues again, because a limit may have opened. */
  recheck(): void {
    this.#scheduler.recheck();
    this.#wake();
  }

  /**
   * Releases a message whose outcome is durable. `isSent`: it was attempted. An earlier release would let its queue continue
   * before a message that has returned to it.
   */
  end(entry: InFlight, isSent: boolean): void {
    if (!this.#inFlight.delete(entry)) return;
    if (entry.claim.rank >= BULK_RANK) this.#bulkInFlight -= 1;
    const { reservation } = entry;
    if (reservation.release(isSent)) this.#wakeUp.notify();
    this.#scheduler.slotFreed(reservation.group);
    this.#wake();
  }

  /**
   * Gives up messages of which only their rows are known. Ends their leases, so that the next sweep records them as in doubt or
   * not begun. `isSent`: some may have been attempted.
   */
  lose(entries: readonly InFlight[], isSent: boolean): void {
    for (const entry of entries) this.end(entry, isSent);
    const messageIds = entries.map(({ claim }) => claim.messageId);
    void this.#endLeases(() => this.#queue.moveLeases(messageIds, this.#owner, 0));
  }

  /** Retries while the store cannot write, because the leases would otherwise last for half an hour. */
  async #endLeases(end: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        await end();
        return;
      } catch (error) {
        if (this.#isStopped || !(error instanceof Refusal && error.type === 'unavailable')) {
          this.#log.error({ err: error }, 'releasing leases failed: they will expire');
          return;
        }
        await delay(RETRY_MS);
      }
    }
  }

  /** Extends the leases of messages in flight. Call it well within the lease time. */
  extendLeases(): Promise<void> {
    const ids = [...this.#inFlight].map(({ claim }) => claim.messageId);
    return this.#queue.moveLeases(ids, this.#owner, this.#clock() + this.#config.queueLeaseMs);
  }

  #wake(): void {
    if (this.#isStopped) return;
    this.#isWoken = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
      this.#sleep();
    });
  }

  #sleep(): void {
    if (this.#isStopped) return;
    if (this.#isWoken) {
      this.#wake();
      return;
    }
    if (this.#timer) clearTimeout(this.#timer);
    const wake = (): void => this.#wake();
    if (this.#waitingSince !== null) {
      this.#timer = setTimeout(wake, PATIENCE_MS);
      return;
    }
    // At the limit the next end of a message wakes it, and a timer could claim nothing.
    if (this.#inFlight.size >= this.#config.mtaInFlight) return;
    const dueAt = this.#scheduler.nextDueAt();
    if (dueAt === null) return;
    this.#timer = setTimeout(wake, Math.min(Math.max(dueAt - this.#clock(), 1), MAX_SLEEP_MS));
  }

  async #run(): Promise<void> {
    while (this.#isWoken && !this.#isStopped) {
      this.#isWoken = false;
      try {
        await this.#claimSome();
      } catch (error) {
        this.#log.error({ err: error }, 'claiming messages failed');
        await new Promise((resolve) => setTimeout(resolve, FAULT_PAUSE_MS));
        this.#isWoken = true;
      }
    }
  }

  /** Number of messages to claim now; `null` while it waits for more to end. */
  #free(): FreeCapacity | null {
    const { queueClaimBatch, mtaInFlight } = this.#config;
    const all = Math.min(queueClaimBatch, mtaInFlight - this.#inFlight.size);
    if (all <= 0) return null;
    const isLittle = all < Math.min(queueClaimBatch, mtaInFlight * MIN_FREE_SHARE);
    if (isLittle && this.#inFlight.size > 0) {
      const now = this.#clock();
      this.#waitingSince ??= now;
      // If the clock was set back, the wait ends, too.
      if (now >= this.#waitingSince && now - this.#waitingSince < PATIENCE_MS) return null;
    }
    this.#waitingSince = null;
    return { all, bulk: Math.max(0, Math.min(all, this.#maxBulk - this.#bulkInFlight)) };
  }

  async #claimSome(): Promise<void> {
    if (this.#unknown.length > 0) await this.#readUnknown();
    const free = this.#free();
    if (!free) return;
    const now = this.#clock();
    const picks = this.#scheduler.pick(free, now);
    if (picks.length === 0) {
      if (!this.#scheduler.hasUnchecked) return;
      await nextTurn();
      this.#isWoken = true;
      return;
    }
    const { claims, queues } = await this.#claimFrom(picks, now);
    const byQueue = new Map(picks.map((pick) => [pick.queueId, pick]));
    const live: InFlight[] = [];
    const sandbox: InFlight[] = [];
    for (const claim of claims) {
      const pick = byQueue.get(claim.queueId);
      if (pick) (claim.mode === 'live' ? live : sandbox).push(this.#begin(claim, pick));
    }
    const dueAts = new Map(queues.map(({ queueId, dueAt }) => [queueId, dueAt]));
    for (const pick of picks) this.#scheduler.claimed(pick, dueAts.get(pick.queueId) ?? null, this.#clock());
    // Claimed messages are delivered even after a stop, because they have leases.
    if (live.length > 0) this.#transports?.live.deliver(live);
    if (sandbox.length > 0) this.#transports?.sandbox.deliver(sandbox);
    this.#isWoken = true;
  }

  #begin(claim: Claim, pick: QueuePick): InFlight {
    const entry: InFlight = { claim, reservation: pick.reservation.split(), track: null };
    const { throttle } = pick;
    if (throttle !== null) {
      entry.reservation.add([(count, isSent) => !isSent && this.#releaseThrottle(throttle, count)]);
    }
    this.#inFlight.add(entry);
    if (claim.rank >= BULK_RANK) this.#bulkInFlight += 1;
    return entry;
  }

  async #claimFrom(picks: readonly QueuePick[], now: number) {
    const leaseUntil = now + this.#config.queueLeaseMs;
    try {
      const claimed = await this.#queue.claim({ picks, now, leaseUntil, owner: this.#owner });
      for (const [key, tat] of claimed.tats) this.#admission.throttleCounted?.(key, tat);
      return claimed;
    } catch (error) {
      // The queues stay due and are claimed from after the pause.
      for (const pick of picks) this.#scheduler.claimed(pick, now, now);
      if (error instanceof OutcomeUnknown)
        void this.#endLeases(() => this.#queue.endClaim({ leaseUntil, owner: this.#owner }));
      throw error;
    }
  }

  /** Returns unsent messages to the rate, which opens when the store has counted them. */
  #releaseThrottle(throttle: ThrottleRow, count: number): boolean {
    this.#queue
      .releaseThrottle(throttle, count)
      .then((tat) => {
        if (tat === null) return;
        this.#admission.throttleCounted?.(throttle.key, tat);
        this.#wakeUp.notify();
      })
      .catch((error: unknown) =>
        this.#log.warn({ err: error }, 'releasing throttle capacity failed: unsent messages still count'),
      );
    return false;
  }

  async #readUnknown(): Promise<void> {
    const ids = [...new Set(this.#unknown)];
    this.#unknown = [];
    try {
      for (const queue of await this.#queue.queues(ids))
        this.#scheduler.put(queue, queue.dueAt, this.#clock());
    } catch (error) {
      // The next poll finds queues with mail.
      if (this.#unknown.length < MOST_UNKNOWN) this.#unknown.push(...ids);
      throw error;
    }
  }

  /** Reads page by page which queues have mail. Mail of the first pages is claimed meanwhile. */
  async #poll(between: () => Promise<unknown>): Promise<void> {
    for await (const queues of waitingPages(this.#queue, between)) {
      for (const queue of queues.sort(byDue)) this.#scheduler.put(queue, queue.dueAt, this.#clock());
      if (this.#isStopped) return;
      this.#wake();
    }
    // This bounds the delay if a limit opened without a notification.
    this.#scheduler.recheck();
    this.#wake();
  }
}

function byDue(a: QueueState, b: QueueState): number {
  return (a.dueAt ?? Number.MAX_VALUE) - (b.dueAt ?? Number.MAX_VALUE);
}
