// Delivery inside a worker: the paths with their sites, and each claim from start to outcome.
import type { AttemptResult, Outcome } from '../outcome/attempt.rules.js';
import type {
  PathPlan,
  PathSignal,
  PlannedHost,
  PlannedRoute,
  SessionLimits,
} from './delivery-plan.rules.js';
import { quotedPolicy } from '../../lib/tls-policy/index.js';
import type { TlsResult } from '../outcome/tls-results.store.js';
import type { Clock } from '../../lib/runtime/index.js';
import type { Connector, TlsTry } from './connector.js';
import { PathPool } from './path-pool.js';
import type { Preparer, ReadyMail } from './prepare.js';
import { resultOfFault, type AttemptRecord } from './attempt.js';
import { PrepareSlots } from './prepare-slots.js';
import { Site } from './site.js';
import type { DeliverBatch, OpenedSession, WorkerClaim } from './worker-messages.js';

export interface Reporter {
  started(messageId: number, at: number): void;
  /** Resolves when the intent is recorded. Returns false if the message must not be sent. */
  intend(messageId: number): Promise<boolean>;
  finished(outcome: Outcome): void;
  signal(signal: PathSignal): void;
  /** Asks for the limits of a path after a report. `resume` answers. */
  ask(pathId: number): void;
  session(session: OpenedSession): void;
  tls(result: TlsResult): void;
}

interface DeliveryOptions {
  preparer: Pick<Preparer, 'prepare'>;
  reporter: Reporter;
  clock: Clock;
  /** Longest wait for a session (ms) before a message returns to its queue. */
  waitMs: number;
  connectorOf: (path: PathPlan, onTlsResult: (host: PlannedHost, tried: TlsTry) => void) => Connector;
  onFault: (error: unknown) => void;
}

/** A path with its sites, which exists until the main thread forgets it. */
interface Path {
  plan: PathPlan;
  pool: PathPool;
  sites: Map<string, OpenSite>;
}

interface OpenSite {
  site: Site;
  /** Recipient's domain of the latest message. TLS results of new sessions count for it, though other domains may share them. */
  domain: string;
}

/** Progress of a claim. */
interface Worked {
  mail: ReadyMail | null;
  handedAt: number | null;
  record: AttemptRecord | null;
}

const NOTHING: Worked = { mail: null, handedAt: null, record: null };

type Routed = Extract<PlannedRoute, { kind: 'route' }>;

/** Delivers claims by their routes and reports the outcome of each. */
export class Delivery {
  readonly #preparer: Pick<Preparer, 'prepare'>;
  readonly #reporter: Reporter;
  readonly #clock: Clock;
  readonly #waitMs: number;
  readonly #connectorOf: (
    path: PathPlan,
    onTlsResult: (host: PlannedHost, tried: TlsTry) => void,
  ) => Connector;
  readonly #onFault: (error: unknown) => void;
  readonly #paths = new Map<number, Path>();
  readonly #slots: PrepareSlots;
  #open = 0;
  #isDraining = false;
  #whenEmpty: (() => void) | null = null;

  constructor({ preparer, reporter, clock, waitMs, connectorOf, onFault }: DeliveryOptions) {
    this.#preparer = preparer;
    this.#reporter = reporter;
    this.#clock = clock;
    this.#waitMs = waitMs;
    this.#connectorOf = connectorOf;
    this.#onFault = onFault;
    this.#slots = new PrepareSlots(clock);
  }

  deliver({ claims, routes, paths: fresh }: Pick<DeliverBatch, 'claims' | 'routes' | 'paths'>): void {
    for (const plan of fresh) {
      this.#paths.set(plan.id, {
        plan,
        pool: new PathPool(plan.limits, this.#clock, plan.openedTat),
        sites: new Map(),
      });
    }
    for (const claim of claims) {
      const path = this.#paths.get(claim.pathId);
      const route = routes[claim.route];
      if (!path || !route) throw new Error(`claim ${claim.messageId} came without its path or route`);
      this.#open += 1;
      this.#begin(claim, path, route);
    }
  }

  /** Returns the messages that wait for the path to their queues. */
  recall(pathId: number): void {
    for (const { site } of this.#paths.get(pathId)?.sites.values() ?? []) site.recall();
  }

  /** Resumes a path after `ask`, when the new limits apply. */
  resume(pathId: number): void {
    this.#paths.get(pathId)?.pool.free();
  }

  /** Removes a path that no more messages will use. */
  forget(pathId: number): void {
    const path = this.#paths.get(pathId);
    if (!path || path.sites.size > 0) return;
    path.pool.stop();
    this.#paths.delete(pathId);
  }

  change(pathId: number, limits: SessionLimits): void {
    this.#paths.get(pathId)?.pool.change(limits);
  }

  /** Resolves when every claim has its outcome. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    for (const { pool, sites } of this.#paths.values()) {
      pool.stop();
      for (const { site } of sites.values()) site.drain();
    }
    if (this.#open > 0) await new Promise<void>((resolve) => (this.#whenEmpty = resolve));
  }

  #finish(claim: WorkerClaim, path: Path, result: AttemptResult, { mail, handedAt, record }: Worked): void {
    const at = this.#clock();
    this.#reporter.finished({
      messageId: claim.messageId,
      at,
      datedAt: mail?.datedAt ?? at,
      handedAt,
      signedAt: mail?.signedAt ?? null,
      sizeBytes: mail?.bytes.length ?? null,
      via: path.plan.via,
      source: path.plan.source,
      pathId: claim.pathId,
      sessionId: record?.sessionId ?? null,
      conversation: record ? record.conversation.join('\n') : null,
      times: record?.times ?? null,
      result,
    });
    this.#open -= 1;
    if (this.#open === 0) this.#whenEmpty?.();
  }

  #findSite(path: Path, route: Routed): Site {
    const { site: key, domain } = route;
    const known = path.sites.get(key);
    if (known) {
      known.domain = domain;
      return known.site;
    }
    const opened: OpenSite = { domain, site: this.#openSite(path, key, () => opened.domain) };
    path.sites.set(key, opened);
    return opened.site;
  }

  #openSite(path: Path, key: string, domainNow: () => string): Site {
    return new Site({
      connector: this.#connectorOf(path.plan, (host, tried) =>
        this.#reporter.tls(this.#tlsResult(domainNow(), host, tried)),
      ),
      pool: path.pool,
      slots: this.#slots,
      provider: path.plan.provider,
      clock: this.#clock,
      waitMs: this.#waitMs,
      onSession: (session) => this.#reporter.session({ ...session, source: path.plan.source }),
      onSignal: (signal) =>
        this.#reporter.signal({ ...signal, pathId: path.plan.id, site: key, at: this.#clock() }),
      onAsk: () => this.#reporter.ask(path.plan.id),
      onEmpty: () => void path.sites.delete(key),
      onFault: this.#onFault,
    });
  }

  #tlsResult(domain: string, { host, policy }: PlannedHost, tried: TlsTry): TlsResult {
    return {
      at: this.#clock(),
      domain,
      policyType: policy.type,
      policy: quotedPolicy(policy),
      mxHost: host,
      sessions: 1,
      ...tried,
    };
  }

  #enqueue(claim: WorkerClaim, path: Path, route: Routed): void {
    let handedAt: number | null = null;
    /** Time of the first preparation, which is the Date of later ones too. */
    let startedAt: number | null = null;
    this.#findSite(path, route).enqueue(
      {
        messageId: claim.messageId,
        queueId: claim.queueId,
        dueAt: claim.dueAt,
        rank: claim.rank,
        since: this.#clock(),
        requireTls: claim.requireTls,
        returns: 0,
        prepare: async () => {
          startedAt ??= this.#clock();
          const { via, source } = path.plan;
          const mail = await this.#preparer.prepare(claim.messageId, { via, source, startedAt });
          if (mail.kind === 'ready') {
            if (claim.isFirst && handedAt === null) this.#reporter.started(claim.messageId, mail.datedAt);
            handedAt = this.#clock();
          }
          return mail;
        },
        beforeDot: () => this.#reporter.intend(claim.messageId),
        finish: (result, mail, record) => this.#finish(claim, path, result, { mail, handedAt, record }),
      },
      route.hosts,
    );
  }

  /** Ends a message without a route. It is checked, composed and signed first, because other reasons take precedence. */
  async #endUnroutable(claim: WorkerClaim, path: Path, route: Exclude<PlannedRoute, Routed>): Promise<void> {
    const slot = this.#slots.request(claim.rank);
    await slot.ready;
    const startedAt = this.#clock();
    const mail = await this.#preparer
      .prepare(claim.messageId, { ...path.plan, startedAt })
      .finally(() => this.#slots.release(slot));
    if (mail.kind === 'ended') {
      this.#finish(claim, path, mail.result, NOTHING);
      return;
    }
    const { category, enhanced, message } = route;
    const permanent = route.kind === 'permanent';
    const result = { kind: 'unroutable', permanent, category, enhanced, message } as const;
    this.#finish(claim, path, result, { mail, handedAt: this.#clock(), record: null });
  }

  #begin(claim: WorkerClaim, path: Path, route: PlannedRoute): void {
    if (this.#isDraining) {
      this.#finish(claim, path, { kind: 'unattempted', stalled: false }, NOTHING);
      return;
    }
    if (route.kind === 'route') {
      this.#enqueue(claim, path, route);
      return;
    }
    this.#endUnroutable(claim, path, route).catch(async (error: unknown) => {
      this.#finish(claim, path, await resultOfFault(error, this.#onFault), NOTHING);
    });
  }
}
