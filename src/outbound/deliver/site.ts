// A destination site: the messages that wait for one set of MX hosts, and the sessions that deliver them.
import { type AttemptResult, isDestinationWide, mayConcernOthers } from '../outcome/attempt.rules.js';
import type { PathSignal, PlannedHost } from './delivery-plan.rules.js';
import { type Clock, newId } from '../../lib/runtime/index.js';
import {
  interpretNoSession,
  interpretReplies,
  openSession,
  prepareMail,
  transferMail,
  type AttemptJob,
  type AttemptRecord,
} from './attempt.js';
import type { Connector, NoSession, ReadySession } from './connector.js';
import type { PathPool, PoolMember } from './path-pool.js';
import type { ReadyMail } from './prepare.js';
import type { PrepareSlot, PrepareSlots } from './prepare-slots.js';
import { WaitingJobs } from './waiting-jobs.js';
import type { OpenedSession } from './worker-messages.js';

/** Number of waiting messages per new session, within the limits of the path. */
const MESSAGES_PER_NEW_SESSION = 8;
/** Number of times that a message is put back because the peer closed a kept session. After that, its attempt fails. */
const MAX_RETURNS = 3;

export interface SiteJob extends AttemptJob {
  messageId: number;
  queueId: number;
  /** Epoch ms at which the message was due, which is its position in the queue. */
  dueAt: number;
  /** The lowest rank is sent first. */
  rank: number;
  /** Epoch ms at which the message began to wait for a session. */
  since: number;
  finish(result: AttemptResult, mail: ReadyMail | null, record: AttemptRecord | null): void;
  /** Number of times that it was put back because a kept connection was dead. */
  returns: number;
}

/** A signal without the fields that the caller adds. */
type SiteSignal = PathSignal extends infer S
  ? S extends PathSignal
    ? Omit<S, 'pathId' | 'site' | 'at'>
    : never
  : never;

interface SiteOptions {
  connector: Connector;
  pool: PathPool;
  /** Shared by the thread. A session chooses its message when it gets a slot, so no session holds bulk mail while it waits. */
  slots: PrepareSlots;
  provider: string | null;
  clock: Clock;
  /** Longest wait for a session (ms). After it, a message returns to its position in the queue. */
  waitMs: number;
  onSession: (session: Omit<OpenedSession, 'source'>) => void;
  onSignal: (signal: SiteSignal) => void;
  /** Called after a refusal that may change the limits of the path. The pool is held until the answer. */
  onAsk: () => void;
  /** Called when no message waits and no session is open. */
  onEmpty: () => void;
  onFault: (error: unknown) => void;
}

interface OpenSession extends ReadySession {
  id: string;
}

export class Site implements PoolMember {
  readonly #connector: Connector;
  readonly #pool: PathPool;
  readonly #slots: PrepareSlots;
  readonly #provider: string | null;
  readonly #clock: Clock;
  readonly #waitMs: number;
  readonly #onSession: (session: Omit<OpenedSession, 'source'>) => void;
  readonly #onSignal: (signal: SiteSignal) => void;
  readonly #onAsk: () => void;
  readonly #onEmpty: () => void;
  readonly #onFault: (error: unknown) => void;
  readonly #waiting = new WaitingJobs();
  /** Wakes idle sessions, with `false` to end them. */
  readonly #idle: ((hasWork: boolean) => void)[] = [];
  /** Slots that sessions wait for. A session takes the first waiting job when it gets its slot. */
  readonly #asked = new Set<PrepareSlot>();
  #hosts: readonly PlannedHost[] = [];
  /** Cancels the sessions that are being opened. */
  readonly #openings = new Set<AbortController>();
  #sessions = 0;
  /** Number of sessions that could not be opened and have not ended yet. */
  #failing = 0;
  #opening = 0;
  #recalls = 0;
  #isDraining = false;
  #overdueTimer: NodeJS.Timeout | null = null;

  constructor(options: SiteOptions) {
    this.#connector = options.connector;
    this.#pool = options.pool;
    this.#slots = options.slots;
    this.#provider = options.provider;
    this.#clock = options.clock;
    this.#waitMs = options.waitMs;
    this.#onSession = options.onSession;
    this.#onSignal = options.onSignal;
    this.#onAsk = options.onAsk;
    this.#onEmpty = options.onEmpty;
    this.#onFault = options.onFault;
    options.pool.join(this);
  }

  /** Adds a job. The next session uses `hosts`, which is the latest route. */
  enqueue(job: SiteJob, hosts: readonly PlannedHost[]): void {
    this.#hosts = hosts;
    if (this.#isDraining) {
      handBack(job, false);
      return;
    }
    this.#waiting.push(job);
    this.#watchOverdue(job.since);
    const wakeIdle = this.#idle.pop();
    if (wakeIdle) {
      wakeIdle(true);
      return;
    }
    this.#hurry(job.rank);
    if (this.wantsMore()) this.#pool.want(this);
  }

  /** Returns the jobs whose SMTP transaction has not begun. */
  recall(): void {
    this.#recalls += 1;
    for (const job of this.#waiting.takeAll()) handBack(job, false);
  }

  /** Returns the waiting jobs and ends idle sessions. */
  drain(): void {
    this.#isDraining = true;
    if (this.#overdueTimer) clearTimeout(this.#overdueTimer);
    for (const job of this.#waiting.takeAll()) handBack(job, false);
    for (const wake of this.#idle.splice(0)) wake(false);
  }

  // ---- as a member of its path's pool ----

  wantsMore(): boolean {
    const untaken = this.#waiting.length - this.#asked.size;
    return !this.#isDraining && this.#opening < Math.ceil(untaken / MESSAGES_PER_NEW_SESSION);
  }

  begin(): void {
    this.#opening += 1;
    this.#sessions += 1;
    this.#onSignal({ kind: 'opening', tat: this.#pool.openedTat });
    let hasFailed = false;
    this.#runSession(() => {
      hasFailed = true;
      this.#failing += 1;
    })
      .catch(this.#onFault)
      .finally(() => {
        this.#sessions -= 1;
        this.#onSignal({ kind: 'ended' });
        if (hasFailed) this.#failing -= 1;
        if (this.wantsMore()) this.#pool.want(this);
        this.#pool.ended();
        if (this.#sessions > 0 || this.#waiting.length > 0) return;
        this.#pool.leave(this);
        if (this.#overdueTimer) clearTimeout(this.#overdueTimer);
        this.#onEmpty();
      });
  }

  endIdle(): boolean {
    const wake = this.#idle.shift();
    wake?.(false);
    return wake !== undefined;
  }

  giveUpOpening(): void {
    for (const opening of this.#openings) opening.abort();
  }

  // ---- a session ----

  async #runSession(onFailed: () => void): Promise<void> {
    const opening = new AbortController();
    this.#openings.add(opening);
    const connected = await openSession(this.#connector, this.#hosts, this.#onFault, opening.signal);
    this.#openings.delete(opening);
    this.#opening -= 1;
    if (connected.kind === 'given-up') return;
    if (connected.kind === 'fault') {
      for (const job of this.#waiting.takeAll()) job.finish(connected.result, null, null);
      return;
    }
    if (connected.kind !== 'ready') {
      onFailed();
      return this.#sessionFailed(connected);
    }
    const open = this.#announce(connected);
    try {
      await this.#work(open);
      // A message that arrived in the meantime does not wait for QUIT.
      if (this.wantsMore()) this.#pool.want(this);
      await open.session.quit();
    } finally {
      this.#onSignal({ kind: 'closed' });
    }
  }

  #announce(ready: ReadySession): OpenSession {
    const at = this.#clock();
    const id = newId('ssn', at);
    const { facts, opening } = ready.session;
    this.#onSession({ id, at, host: facts.host, address: facts.address, opening });
    this.#onSignal({ kind: 'opened', address: facts.address });
    return { ...ready, id };
  }

  async #work(open: OpenSession): Promise<void> {
    const { session } = open;
    let isKept = false;
    while (
      session.usable &&
      session.accepted < this.#pool.limits.messagesPerConnection &&
      !this.#pool.isOver
    ) {
      if (this.#pool.isHeld) {
        await this.#pool.untilFree();
        continue;
      }
      if (this.#waiting.length === 0) {
        isKept = true;
        if (!(await this.#untilWork())) return;
        continue;
      }
      const slot = this.#slot();
      isKept ||= slot instanceof Promise;
      await this.#attemptNext(open, await slot, isKept);
      isKept = true;
    }
  }

  /** Requests a slot to prepare the first waiting job. */
  #slot(): PrepareSlot | Promise<PrepareSlot> {
    const slot = this.#slots.request(this.#waiting.firstRank);
    if (slot.ready === null) return slot;
    this.#asked.add(slot);
    return slot.ready.then(() => {
      this.#asked.delete(slot);
      return slot;
    });
  }

  /** Gives a job of this rank the slot of a job with a higher rank. */
  #hurry(rank: number): void {
    for (const slot of this.#asked) {
      if (slot.rank <= rank) continue;
      this.#slots.hurry(slot, rank);
      return;
    }
  }

  async #attemptNext(open: OpenSession, slot: PrepareSlot, isKept: boolean): Promise<void> {
    const job = this.#waiting.shift();
    if (job) await this.#attempt(open, job, slot, isKept);
    else this.#slots.release(slot);
  }

  /** Waits for a job. Returns false after the idle time, or if the session is to end. */
  #untilWork(): Promise<boolean> {
    if (this.#isDraining) return Promise.resolve(false);
    return new Promise((resolve) => {
      const wake = (hasWork: boolean): void => {
        clearTimeout(timer);
        resolve(hasWork);
      };
      const timer = setTimeout(() => {
        this.#idle.splice(this.#idle.indexOf(wake), 1);
        resolve(false);
      }, this.#pool.limits.idleMs);
      this.#idle.push(wake);
      this.#pool.idled();
    });
  }

  /** Attempts a job. `isKept` means that the session was idle before, so the peer may have closed it. */
  async #attempt(open: OpenSession, job: SiteJob, slot: PrepareSlot, isKept: boolean): Promise<void> {
    const { session } = open;
    const before = this.#recalls;
    const mail = await prepareMail(job, session.facts.capabilities, this.#onFault);
    this.#slots.release(slot);
    if (this.#pool.isHeld) await this.#pool.untilFree();
    if (this.#recalls !== before) {
      handBack(job, false);
      return;
    }
    if (mail.kind === 'ended') {
      job.finish(mail.result, null, null);
      return;
    }
    const outcome = await transferMail(open, mail, job, this.#onFault);
    if (outcome.kind === 'fault') {
      job.finish(outcome.result, null, null);
      return;
    }
    if (outcome.kind === 'lost' && isKept && job.returns < MAX_RETURNS) {
      this.#putBack(job);
      return;
    }
    this.#finish(job, interpretReplies(outcome, mail, open, this.#provider), mail, {
      sessionId: open.id,
      conversation: session.conversation(),
      times: session.lastTimes(),
    });
  }

  /** Puts a job back for the next session, because its kept session was dead. */
  #putBack(job: SiteJob): void {
    if (this.#isDraining) {
      handBack(job, false);
      return;
    }
    job.returns += 1;
    this.#waiting.unshift(job);
    if (this.wantsMore()) this.#pool.want(this);
  }

  /** Finishes a job. After some refusals, the path is held until its new limits are known. */
  #finish(job: SiteJob, result: AttemptResult, mail: ReadyMail, record: AttemptRecord): void {
    const isAsking = result.kind === 'refused' && result.local !== true && mayConcernOthers(result.reply);
    if (isAsking) this.#pool.hold();
    job.finish(result, mail, record);
    if (isAsking) this.#onAsk();
  }

  // ---- without a session ----

  /**
   * Handles a session that could not be opened. While another session works, the jobs wait for that one. Otherwise a failure
   * that concerns the messages, such as the TLS policy of their domain, fails the attempt of each. A failure of the
   * destination fails the attempt of one message, and the others return to their queues unattempted.
   */
  async #sessionFailed(failed: NoSession): Promise<void> {
    // Two sessions that fail in the same turn of the event loop must not wait for each other.
    const others = this.#sessions - this.#failing;
    const open = this.#pool.open - 1;
    const { phase } = failed;
    this.#signalFailure(failed);
    const isAboutTerms = phase === 'starttls' || phase === 'tls' || phase === 'auth';
    // Failed TLS or authentication does not mean that the destination has too many connections.
    const isCrowded = open > 0 && (!isAboutTerms || (failed.kind === 'refused' && failed.reply.code === 421));
    if (isCrowded) this.#pool.crowded();
    // The destination has too many connections, so the jobs wait until a session of this or another site ends.
    if (others > 0 || (isCrowded && failed.kind === 'refused' && failed.reply.code < 500)) return;
    const result = interpretNoSession(failed, this.#provider);
    const record: AttemptRecord = { sessionId: null, conversation: failed.conversation, times: failed.times };
    const jobs = this.#waiting.takeAll();
    const most = isDestinationWide(result) ? 1 : jobs.length;
    let attempts = 0;
    const before = this.#recalls;
    for (const job of jobs) {
      if (this.#pool.isHeld) await this.#pool.untilFree();
      if (attempts === most || this.#recalls !== before) {
        handBack(job, this.#recalls === before);
        continue;
      }
      // A message that cannot be sent, for example because it cannot be signed, ends here for that reason.
      const mail = await prepareMail(job, null, this.#onFault);
      if (mail.kind === 'ended') job.finish(mail.result, null, null);
      else {
        attempts += 1;
        this.#finish(job, result, mail, record);
      }
    }
  }

  #signalFailure(failed: NoSession): void {
    const { phase } = failed;
    if (failed.kind === 'refused') {
      const { code, text } = failed.reply;
      this.#onSignal({ kind: 'refused', phase, code, text, beside: this.#pool.open - this.#failing });
    } else {
      const { error, isOurs, isSilent } = failed;
      this.#onSignal({ kind: 'unreachable', phase, error, isOurs, isSilent });
    }
  }

  #watchOverdue(since: number): void {
    this.#overdueTimer ??= setTimeout(
      () => {
        this.#overdueTimer = null;
        const before = this.#clock() - this.#waitMs + 1;
        for (const job of this.#waiting.takeQueuesOf(before)) handBack(job, job.since < before);
        if (this.#waiting.length > 0) this.#watchOverdue(this.#clock());
        else if (this.#sessions === 0) {
          this.#pool.leave(this);
          this.#onEmpty();
        }
      },
      Math.max(1, since + this.#waitMs - this.#clock()),
    ).unref();
  }
}

/** Returns a job unattempted. `stalled` means that it waited too long for a session. */
function handBack(job: SiteJob, stalled: boolean): void {
  job.finish({ kind: 'unattempted', stalled }, null, null);
}
