// A destination site: the mail that waits for one set of MX hosts and the sessions that carry it, each for many messages.
import type { AttemptResult, Peer } from '../outcome/attempt.rules.js';
import { isDestinationWide, mayConcernOthers } from '../outcome/attempt.rules.js';
import type { PathSignal, PlannedHost } from './delivery-plan.rules.js';
import type { SmtpCapabilities } from '../../lib/smtp/capabilities.js';
import type { MailJob } from '../../lib/smtp/client-session.js';
import type { DeliveryOutcome } from '../../lib/smtp/transaction.js';
import type { Clock } from '../../lib/runtime/clock.js';
import { newId } from '../../lib/runtime/ids.js';
import type { Connected, Connector, ReadySession } from './connector.js';
import type { PathPool, PoolMember } from './path-pool.js';
import type { Prepared, ReadyMail } from './prepare.js';
import { resultOf, peerOf } from './session-result.js';
import { createWaitingJobs } from './waiting-jobs.js';
import type { OpenedSession } from './worker-messages.js';

/** One more session is opened for each so many waiting messages, as far as the path allows. */
const MESSAGES_PER_NEW_SESSION = 8;
/** A message may meet a kept session just as its peer ends it, and again; more often is the message's own misfortune. */
const MAX_RETURNS = 3;

/** What an attempt leaves for its record. */
export interface AttemptRecord {
  sessionId: string | null;
  conversation: readonly string[];
  times: Readonly<Record<string, number>> | null;
}

export interface SiteJob {
  /** 0 goes first. */
  rank: number;
  /** Epoch ms since when it waits here. */
  since: number;
  requireTls: boolean;
  prepare(): Promise<Prepared>;
  /** Makes the coming dot durable; false forbids it. */
  beforeDot: () => Promise<boolean>;
  finish(result: AttemptResult, mail: ReadyMail | null, record: AttemptRecord | null): void;
  /** Times that it was put back because a kept connection turned out to be dead. */
  returns: number;
}

/** What happened, without what the caller knows anyway. */
export type SiteSignal = PathSignal extends infer S
  ? S extends PathSignal
    ? Omit<S, 'pathId' | 'site' | 'at'>
    : never
  : never;

export interface SiteDeps {
  connector: Connector;
  pool: PathPool;
  provider: string | null;
  clock: Clock;
  /** A message that no session takes for so long goes back to the queue: it keeps its place there and uses no memory here. */
  waitMs: number;
  onSession: (session: Omit<OpenedSession, 'source'>) => void;
  onSignal: (signal: SiteSignal) => void;
  /** A refusal was reported that may change what holds for the path; the pool is held until the answer. */
  onAsk: () => void;
  /** Called when nothing waits and no session is open. */
  onEmpty: () => void;
  onFault: (error: unknown) => void;
}

export interface Site {
  /** `hosts` is the freshest route; the next session uses it. */
  enqueue(job: SiteJob, hosts: readonly PlannedHost[]): void;
  /** Gives back what has not begun: no transaction of it is open. */
  recall(): void;
  /** The same, and closes idle sessions. */
  drain(): void;
}

interface OpenSession extends ReadySession {
  id: string;
}

export function createSite(deps: SiteDeps): Site {
  const { connector, pool, clock } = deps;
  const waiting = createWaitingJobs();
  const idle: ((job: SiteJob | null) => void)[] = [];
  let route: readonly PlannedHost[] = [];
  let sessions = 0;
  /** Of the sessions, those that did not come about and have not ended yet. */
  let failing = 0;
  let opening = 0;
  let recalls = 0;
  let isDraining = false;
  let overdue: NodeJS.Timeout | null = null;

  const member: PoolMember = {
    wantsMore: () => !isDraining && opening < Math.ceil(waiting.length / MESSAGES_PER_NEW_SESSION),
    begin() {
      opening += 1;
      sessions += 1;
      let hasFailed = false;
      runSession(() => {
        hasFailed = true;
        failing += 1;
      })
        .catch(deps.onFault)
        .finally(() => {
          sessions -= 1;
          if (hasFailed) failing -= 1;
          if (member.wantsMore()) pool.want(member);
          pool.ended();
          if (sessions === 0 && waiting.length === 0) {
            pool.leave(member);
            if (overdue) clearTimeout(overdue);
            deps.onEmpty();
          }
        });
    },
    endIdle() {
      const take = idle.shift();
      take?.(null);
      return take !== undefined;
    },
  };
  pool.join(member);

  function enqueue(job: SiteJob, hosts: readonly PlannedHost[]): void {
    route = hosts;
    if (isDraining) {
      giveBack(job, false);
      return;
    }
    const taker = idle.pop();
    if (taker) {
      taker(job);
      return;
    }
    waiting.push(job);
    watch(job.since);
    if (member.wantsMore()) pool.want(member);
  }

  function giveBack(job: SiteJob, stalled: boolean): void {
    job.finish({ kind: 'unattempted', stalled }, null, null);
  }

  function watch(since: number): void {
    overdue ??= setTimeout(
      () => {
        overdue = null;
        for (const job of waiting.takeAll(clock() - deps.waitMs + 1)) giveBack(job, true);
        if (waiting.length > 0) watch(clock());
        else if (sessions === 0) {
          pool.leave(member);
          deps.onEmpty();
        }
      },
      Math.max(1, since + deps.waitMs - clock()),
    ).unref();
  }

  async function runSession(onFailed: () => void): Promise<void> {
    const connected = await connect();
    opening -= 1;
    if (connected.kind !== 'ready') {
      onFailed();
      return connectFailed(connected);
    }
    const open = announce(connected);
    try {
      await work(open);
      await open.session.quit();
    } finally {
      deps.onSignal({ kind: 'closed' });
    }
  }

  async function work(open: OpenSession): Promise<void> {
    const { session } = open;
    let isKept = false;
    while (session.usable && session.accepted < pool.limits.messagesPerConnection && !pool.isOver) {
      if (pool.isHeld) {
        await pool.untilFree();
        continue;
      }
      const next = nextJob();
      isKept ||= next instanceof Promise;
      const job = await next;
      if (!job) return;
      await carry(open, job, isKept);
      isKept = true;
    }
  }

  function announce(ready: ReadySession): OpenSession {
    const at = clock();
    const id = newId('ssn', at);
    const { facts, opening: said } = ready.session;
    deps.onSession({ id, at, host: facts.host, address: facts.address, opening: said });
    deps.onSignal({ kind: 'opened', address: facts.address });
    return { ...ready, id };
  }

  /** A fault on the way to a connection is no connection: what waits is deferred, not forgotten. */
  async function connect(): Promise<Connected> {
    try {
      return await connector.connect(route);
    } catch (error) {
      deps.onFault(error);
      return {
        kind: 'unreachable',
        phase: 'connect',
        error: messageOf(error),
        host: '',
        address: '',
        tlsPolicy: 'opportunistic',
        conversation: [],
        times: null,
        isOurs: false,
        isSilent: false,
      };
    }
  }

  /** The next waiting job, or one that comes within the idle time; null ends the session. */
  function nextJob(): Promise<SiteJob | null> | SiteJob {
    const job = waiting.shift();
    if (job) return job;
    if (isDraining) return Promise.resolve(null);
    return new Promise((resolve) => {
      const take = (given: SiteJob | null): void => {
        clearTimeout(timer);
        resolve(given);
      };
      const timer = setTimeout(() => {
        idle.splice(idle.indexOf(take), 1);
        resolve(null);
      }, pool.limits.idleMs);
      idle.push(take);
      pool.idled();
    });
  }

  /**
   * In the form that the peer takes, when there is one. A fault of ours holds the message: it has not left, and its neighbours
   * go on.
   */
  async function prepare(job: SiteJob, offered: SmtpCapabilities | null): Promise<Prepared> {
    try {
      const mail = await job.prepare();
      if (mail.kind === 'ended' || offered === null || mail.eightBit === null) return mail;
      const isTaken = offered.eightBitMime && (offered.smtpUtf8 || !mail.eightBit.hasUtf8Fields);
      // Without one the peer's own terms decide, which refuses it in words.
      return isTaken ? mail : ((await mail.eightBit.sevenBit()) ?? mail);
    } catch (error) {
      deps.onFault(error);
      return { kind: 'ended', result: { kind: 'held', reason: 'fault', message: messageOf(error) } };
    }
  }

  /** `isKept`: the session was open before the job came, so the peer may have closed it meanwhile. */
  async function carry(open: OpenSession, job: SiteJob, isKept: boolean): Promise<void> {
    const { session } = open;
    const before = recalls;
    const mail = await prepare(job, session.facts.capabilities);
    if (pool.isHeld) await pool.untilFree();
    if (recalls !== before) {
      giveBack(job, false);
      return;
    }
    if (mail.kind === 'ended') {
      job.finish(mail.result, null, null);
      return;
    }
    const mailJob: MailJob = {
      mailFrom: mail.mailFrom,
      rcptTo: mail.rcptTo,
      size: mail.bytes.length,
      chunks: [mail.bytes],
      beforeDot: job.beforeDot,
      requireTls: job.requireTls,
      utf8Fields: mail.eightBit?.hasUtf8Fields ?? false,
      ...(mail.dsn === null ? {} : { dsn: mail.dsn }),
    };
    let outcome: DeliveryOutcome;
    try {
      outcome = await session.deliver(mailJob);
    } catch (error) {
      // A fault of ours before or in the transaction: the message waits, the session is of unknown state.
      deps.onFault(error);
      session.destroy();
      job.finish({ kind: 'held', reason: 'fault', message: messageOf(error) }, null, null);
      return;
    }
    if (outcome.kind === 'lost' && isKept && job.returns < MAX_RETURNS) {
      if (isDraining) {
        giveBack(job, false);
        return;
      }
      job.returns += 1;
      waiting.unshift(job);
      if (member.wantsMore()) pool.want(member);
      return;
    }
    const tellsSuccess = mail.dsn?.notify?.includes('SUCCESS') === true && session.facts.capabilities.dsn;
    finish(job, resultOf(outcome, peerOf(open, deps.provider), tellsSuccess), mail, {
      sessionId: open.id,
      conversation: session.conversation(),
      times: session.lastTimes(),
    });
  }

  /** After a refusal nothing new begins on the path until it is known whether the peer may be asked again. */
  function finish(job: SiteJob, result: AttemptResult, mail: ReadyMail, record: AttemptRecord): void {
    const isAsking = result.kind === 'refused' && result.local !== true && mayConcernOthers(result.reply);
    if (isAsking) pool.hold();
    job.finish(result, mail, record);
    if (isAsking) deps.onAsk();
  }

  /**
   * No session. While another one works only this one is missing. After the last, what waits has a failed attempt when
   * the failure is about it (the TLS policy of its domain); when it is about the destination, one message tells, and
   * the others go back as they were: it is the path that has to wait, not their counters.
   */
  async function connectFailed(failed: Exclude<Connected, { kind: 'ready' }>): Promise<void> {
    // Two that fail in the same turn of the event loop must not wait for each other.
    const others = sessions - failing;
    const open = pool.open - 1;
    const { phase } = failed;
    if (failed.kind === 'refused') {
      const { code, text } = failed.reply;
      deps.onSignal({ kind: 'refused', phase, code, text, beside: pool.open - failing });
    } else {
      const { error, isOurs, isSilent } = failed;
      deps.onSignal({ kind: 'unreachable', phase, error, isOurs, isSilent });
    }
    const isAboutTerms = phase === 'starttls' || phase === 'tls' || phase === 'auth';
    // What TLS or the credentials lack says nothing about the room that there is for neighbours under other terms.
    const isCrowded = open > 0 && (!isAboutTerms || (failed.kind === 'refused' && failed.reply.code === 421));
    if (isCrowded) pool.crowded();
    // Too many at once, for this site's sessions or its neighbours': what waits waits for one of theirs to end.
    if (others > 0 || (isCrowded && failed.kind === 'refused' && failed.reply.code < 500)) return;
    const peer: Peer = {
      host: failed.host,
      address: failed.address,
      localAddress: null,
      tls: null,
      tlsPolicy: failed.tlsPolicy,
      provider: deps.provider,
    };
    const result: AttemptResult =
      failed.kind === 'refused'
        ? { kind: 'refused', phase, reply: failed.reply, peer }
        : { kind: 'unreachable', phase, error: failed.error, peer };
    const record: AttemptRecord = { sessionId: null, conversation: failed.conversation, times: failed.times };
    const jobs = waiting.takeAll();
    const tellers = isDestinationWide(result) ? 1 : jobs.length;
    let told = 0;
    const before = recalls;
    for (const job of jobs) {
      if (pool.isHeld) await pool.untilFree();
      if (told === tellers || recalls !== before) {
        giveBack(job, recalls === before);
        continue;
      }
      // What leaves for the first time must be able to leave: a message that can't be signed is held instead.
      const mail = await prepare(job, null);
      if (mail.kind === 'ended') job.finish(mail.result, null, null);
      else {
        told += 1;
        finish(job, result, mail, record);
      }
    }
  }

  function recall(): void {
    recalls += 1;
    for (const job of waiting.takeAll()) giveBack(job, false);
  }

  return {
    enqueue,
    recall,
    drain() {
      isDraining = true;
      if (overdue) clearTimeout(overdue);
      for (const job of waiting.takeAll()) giveBack(job, false);
      for (const take of idle.splice(0)) take(null);
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
