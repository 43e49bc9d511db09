// Live trace of one destination: attempts as they are committed, with their SMTP conversations. It stays in memory while a client
// polls and costs nothing otherwise. A slow client misses attempts instead of delaying them.
import { type Clock, createLruCache } from '../lib/runtime/index.js';
import type { AttemptDetail } from '../messages/attempt.schema.js';
import { plansCommitted } from '../database/committed.js';
import type { Plan } from '../database/change.js';
import { insertedRow } from '../database/rows.js';
import { smtpSessions } from '../messages/messages.tables.js';
import { recordAttempt, type RecordAttempt } from '../messages/message-changes.store.js';

/** Attempts kept for the next poll. The oldest are dropped first. */
const MOST_KEPT = 200;
const MOST_DESTINATIONS = 20;
/** Time (ms) after the last poll at which a trace ends. */
const KEPT_MS = 30_000;
const SESSIONS = 500;
/** Characters kept of one conversation. */
const MOST_CHARACTERS = 16_384;

export interface TracedAttempt {
  /** Increases by one with each attempt. */
  position: number;
  at: number;
  messageId: string;
  email: string;
  mode: 'live' | 'test';
  number: number;
  detail: AttemptDetail;
  /** Start of the session. `null` if it began before the trace, or if there was no session. */
  opening: readonly string[] | null;
  conversation: string[];
}

interface Trace {
  attempts: TracedAttempt[];
  last: number;
  askedAt: number;
}

export class Traces {
  readonly #clock: Clock;
  readonly #commits: typeof plansCommitted;
  readonly #traces = new Map<string, Trace>();
  readonly #openings = createLruCache<string, readonly string[]>(SESSIONS);
  #stop: (() => void) | null = null;

  /** `commits` defaults to the commits of this process. */
  constructor(clock: Clock, commits = plansCommitted) {
    this.#clock = clock;
    this.#commits = commits;
  }

  /**
   * Returns the attempts after `position`, the position of the newest, and the number of attempts that were dropped unread
   * (`missed`). The first call starts the trace. Returns `null` if too many destinations are traced.
   */
  read(domain: string, position: number): { attempts: TracedAttempt[]; last: number; missed: number } | null {
    this.#forgetOld();
    let trace = this.#traces.get(domain);
    if (!trace) {
      if (this.#traces.size >= MOST_DESTINATIONS) return null;
      trace = { attempts: [], last: 0, askedAt: 0 };
      this.#traces.set(domain, trace);
      this.#stop ??= this.#commits.subscribe((plans) => this.#take(plans));
    }
    trace.askedAt = this.#clock();
    const attempts = trace.attempts.filter((attempt) => attempt.position > position);
    const first = attempts[0]?.position ?? trace.last + 1;
    // A position that this trace has not reached belongs to an earlier trace.
    const missed = position > trace.last ? 0 : first - position - 1;
    return { attempts: position > trace.last ? [...trace.attempts] : attempts, last: trace.last, missed };
  }

  #forgetOld(): void {
    const before = this.#clock() - KEPT_MS;
    for (const [domain, { askedAt }] of this.#traces) if (askedAt < before) this.#traces.delete(domain);
  }

  #take(plans: readonly Plan[]): void {
    this.#forgetOld();
    if (this.#traces.size === 0) {
      this.#stop?.();
      this.#stop = null;
      this.#openings.clear();
      return;
    }
    for (const change of plans.flat()) {
      const session = insertedRow(change, smtpSessions);
      if (session !== null) {
        const { opening = [] } = JSON.parse(session.detail) as { opening?: readonly string[] };
        this.#openings.set(session.id, opening);
      } else if (recordAttempt.is(change)) this.#add(change);
    }
  }

  #add({ about, at, number, sessionId, detail, conversation }: RecordAttempt): void {
    const trace = about && this.#traces.get(about.domain);
    if (!about || !trace) return;
    trace.last += 1;
    trace.attempts.push({
      position: trace.last,
      at,
      messageId: about.publicId,
      email: about.toEmail,
      mode: about.mode,
      number,
      detail: JSON.parse(detail) as AttemptDetail,
      opening: sessionId === null ? null : (this.#openings.get(sessionId) ?? null),
      conversation: conversation === null ? [] : conversation.slice(0, MOST_CHARACTERS).split('\n'),
    });
    if (trace.attempts.length > MOST_KEPT) trace.attempts.shift();
  }
}
