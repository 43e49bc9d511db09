// A destination site: the mail that waits for one set of MX hosts and the sessions that carry it, each for many messages.
import type { MailJob, SmtpSession } from '../../net/smtp/client-session.js';
import type { DeliveryOutcome } from '../../net/smtp/transaction.js';
import type { RouteHost } from '../../rules/mx.js';
import type { Connected, Connector } from './connector.js';
import type { AttemptResult, Peer } from './outcome.js';
import type { Prepared, ReadyMail } from './prepare.js';

/** One more session is opened for each so many waiting messages, up to the site's limit. */
const MESSAGES_PER_NEW_SESSION = 8;
/** A site that let some sessions in and refused one more is asked for more again after this time. */
const CROWDED_MS = 15_000;

export interface SiteJob {
  prepare(): Promise<Prepared>;
  /** Makes the coming dot durable; false forbids it. */
  beforeDot: () => Promise<boolean>;
  finish(result: AttemptResult, mail: ReadyMail | null): void;
  /** Times that it was put back because a kept connection turned out to be dead. */
  returns: number;
}

export interface SiteLimits {
  maxConnections: number;
  messagesPerConnection: number;
  idleMs: number;
}

export interface SiteDeps {
  connector: Connector;
  limits: SiteLimits;
  provider: string | null;
  /** Called when nothing waits and no session is open. */
  onEmpty: () => void;
  onFault: (error: unknown) => void;
}

export interface Site {
  /** `hosts` is the freshest route; the next session uses it. */
  enqueue(job: SiteJob, hosts: readonly RouteHost[]): void;
  /** Gives back what has not begun and closes idle sessions. */
  drain(): void;
}

export function createSite(deps: SiteDeps): Site {
  const { connector, limits } = deps;
  const waiting: SiteJob[] = [];
  const idle: ((job: SiteJob | null) => void)[] = [];
  let route: readonly RouteHost[] = [];
  let sessions = 0;
  let opening = 0;
  let isDraining = false;
  let most = limits.maxConnections;
  let crowded: NodeJS.Timeout | null = null;

  function enqueue(job: SiteJob, hosts: readonly RouteHost[]): void {
    route = hosts;
    if (isDraining) {
      job.finish({ kind: 'unattempted' }, null);
      return;
    }
    const taker = idle.pop();
    if (taker) {
      taker(job);
      return;
    }
    waiting.push(job);
    openMore();
  }

  function openMore(): void {
    const wanted = Math.min(most - sessions, Math.ceil(waiting.length / MESSAGES_PER_NEW_SESSION));
    while (opening < wanted) {
      opening += 1;
      sessions += 1;
      runSession()
        .catch(deps.onFault)
        .finally(() => {
          sessions -= 1;
          if (waiting.length > 0 && !isDraining) openMore();
          if (sessions === 0 && waiting.length === 0) deps.onEmpty();
        });
    }
  }

  async function runSession(): Promise<void> {
    const connected = await connect();
    opening -= 1;
    if (connected.kind !== 'ready') return connectFailed(connected);
    const { session } = connected;
    let isKept = false;
    while (session.usable && session.accepted < limits.messagesPerConnection) {
      const next = nextJob();
      isKept ||= next instanceof Promise;
      const job = await next;
      if (!job) break;
      await carry(session, job, isKept);
      isKept = true;
    }
    await session.quit();
  }

  /** A fault on the way to a connection is no connection: what waits is deferred, not forgotten. */
  async function connect(): Promise<Connected> {
    try {
      return await connector.connect(route);
    } catch (error) {
      deps.onFault(error);
      return { kind: 'unreachable', phase: 'connect', error: messageOf(error), host: '', address: '' };
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
      }, limits.idleMs);
      idle.push(take);
    });
  }

  /** A fault of ours holds the message: it has not left, and its neighbours go on. */
  async function prepare(job: SiteJob): Promise<Prepared> {
    try {
      return await job.prepare();
    } catch (error) {
      deps.onFault(error);
      return { kind: 'ended', result: { kind: 'held', reason: 'fault', message: messageOf(error) } };
    }
  }

  /** `isKept`: the session was open before the job came, so the peer may have closed it meanwhile. */
  async function carry(session: SmtpSession, job: SiteJob, isKept: boolean): Promise<void> {
    const mail = await prepare(job);
    if (mail.kind === 'ended') {
      job.finish(mail.result, null);
      return;
    }
    const mailJob: MailJob = {
      mailFrom: mail.mailFrom,
      rcptTo: mail.rcptTo,
      size: mail.bytes.length,
      chunks: [mail.bytes],
      beforeDot: job.beforeDot,
    };
    let outcome: DeliveryOutcome;
    try {
      outcome = await session.deliver(mailJob);
    } catch (error) {
      // A fault of ours before or in the transaction: the message waits, the session is of unknown state.
      deps.onFault(error);
      session.destroy();
      job.finish({ kind: 'held', reason: 'fault', message: messageOf(error) }, null);
      return;
    }
    if (outcome.kind === 'lost' && isKept && job.returns === 0) {
      if (isDraining) {
        job.finish({ kind: 'unattempted' }, null);
        return;
      }
      job.returns += 1;
      waiting.unshift(job);
      openMore();
      return;
    }
    job.finish(resultOf(outcome, peerOf(session)), mail);
  }

  function peerOf(session: SmtpSession): Peer {
    const { host, address, tls } = session.facts;
    return {
      host,
      address,
      tls: tls && { version: tls.protocol, cipher: tls.cipher, verified: tls.authorized },
      provider: deps.provider,
    };
  }

  /** Nobody was reached. While another session works or opens only this one is missing; after the last all that waits fails. */
  async function connectFailed(failed: Exclude<Connected, { kind: 'ready' }>): Promise<void> {
    const others = sessions - 1;
    if (others > 0) {
      crowd(others);
      return;
    }
    const peer: Peer = { host: failed.host, address: failed.address, tls: null, provider: deps.provider };
    for (const job of waiting.splice(0)) {
      // What leaves for the first time must be able to leave: a message that can't be signed is held instead.
      const mail = await prepare(job);
      if (mail.kind === 'ended') job.finish(mail.result, null);
      else if (failed.kind === 'refused') {
        job.finish({ kind: 'refused', phase: failed.phase, reply: failed.reply, peer }, mail);
      } else job.finish({ kind: 'unreachable', phase: failed.phase, error: failed.error, peer }, mail);
    }
  }

  /** As many sessions as the site lets in, for a while: asking for one more at once would never end. */
  function crowd(others: number): void {
    most = others;
    crowded ??= setTimeout(() => {
      crowded = null;
      most = limits.maxConnections;
      if (waiting.length > 0 && !isDraining) openMore();
    }, CROWDED_MS).unref();
  }

  return {
    enqueue,
    drain() {
      isDraining = true;
      for (const job of waiting.splice(0)) job.finish({ kind: 'unattempted' }, null);
      for (const take of idle.splice(0)) take(null);
    },
  };
}

function resultOf(outcome: DeliveryOutcome, peer: Peer): AttemptResult {
  switch (outcome.kind) {
    case 'accepted':
      return { kind: 'accepted', reply: outcome.reply, peer };
    case 'refused':
      return { kind: 'refused', phase: outcome.phase, reply: outcome.reply, peer };
    case 'lost':
      return { kind: 'unreachable', phase: outcome.phase, error: outcome.error, peer };
    case 'ambiguous':
      return { kind: 'ambiguous', error: outcome.error, peer };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
