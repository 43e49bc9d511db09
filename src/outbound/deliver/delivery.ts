// Delivery inside a worker: the paths with their sites, and each claim from its hand-over to its outcome.
import type { AttemptResult, Outcome } from '../outcome/attempt.rules.js';
import type {
  PathPlan,
  PathSignal,
  PlannedHost,
  PlannedRoute,
  SessionLimits,
} from './delivery-plan.rules.js';
import { quotedPolicy } from '../../lib/tls/tls-policy.rules.js';
import type { TlsResult } from '../../operations/tls-reports/tls-reports.store.js';
import type { Clock } from '../../lib/runtime/clock.js';
import type { Connector, TlsTry } from './connector.js';
import { createPathPool, type PathPool } from './path-pool.js';
import type { Preparer, ReadyMail } from './prepare.js';
import type { AttemptRecord } from './attempt.js';
import { Site } from './site.js';
import type { DeliverBatch, OpenedSession, WorkerClaim } from './worker-messages.js';

export interface Reporter {
  started(messageId: number, at: number): void;
  /** Resolves once the intent is durable; false forbids the dot. */
  intend(messageId: number): Promise<boolean>;
  finished(outcome: Outcome): void;
  signal(signal: PathSignal): void;
  /** Asks about the limits of a path after a report: `resume` is awaited. */
  ask(pathId: number): void;
  session(session: OpenedSession): void;
  tls(result: TlsResult): void;
}

export interface DeliveryDeps {
  preparer: Preparer;
  reporter: Reporter;
  clock: Clock;
  /** Longest wait for a session before a message goes back to the queue, in milliseconds. */
  waitMs: number;
  connectorOf: (path: PathPlan, onTlsResult: (host: PlannedHost, tried: TlsTry) => void) => Connector;
  onFault: (error: unknown) => void;
}

export interface Delivery {
  deliver(batch: Pick<DeliverBatch, 'claims' | 'routes' | 'paths'>): void;
  change(pathId: number, limits: SessionLimits): void;
  /** Hands back what waits for the path. */
  recall(pathId: number): void;
  /** Answers `ask`: the changes that follow from the report are active. */
  resume(pathId: number): void;
  /** Nothing will come for the path any more. */
  forget(pathId: number): void;
  /** Resolves when every claim has its outcome. */
  drain(): Promise<void>;
}

/** A path with its open sessions; it stays while the worker lives, since there are few. */
interface Path {
  plan: PathPlan;
  pool: PathPool;
  sites: Map<string, OpenSite>;
}

interface OpenSite {
  site: Site;
  /** The one that mail came for last: a new session is counted for it, though others may share it. */
  domain: string;
}

type Routed = Extract<PlannedRoute, { kind: 'route' }>;

export function createDelivery(deps: DeliveryDeps): Delivery {
  const { preparer, reporter, clock } = deps;
  const paths = new Map<number, Path>();
  let open = 0;
  let isDraining = false;
  let whenEmpty: (() => void) | null = null;

  function finish(
    claim: WorkerClaim,
    path: Path,
    result: AttemptResult,
    from: { mail: ReadyMail | null; handedAt: number | null; record: AttemptRecord | null },
  ): void {
    const { mail, handedAt, record } = from;
    reporter.finished({
      messageId: claim.messageId,
      at: clock(),
      handedAt,
      signedAt: mail?.signedAt ?? null,
      via: path.plan.via,
      source: path.plan.source,
      pathId: claim.pathId,
      sessionId: record?.sessionId ?? null,
      conversation: record ? record.conversation.join('\n') : null,
      times: record?.times ?? null,
      result,
    });
    open -= 1;
    if (open === 0) whenEmpty?.();
  }

  function siteOf(path: Path, route: Routed): Site {
    const { site: key, domain } = route;
    const known = path.sites.get(key);
    if (known) {
      known.domain = domain;
      return known.site;
    }
    const opened: OpenSite = { domain, site: openSite(path, key, () => opened.domain) };
    path.sites.set(key, opened);
    return opened.site;
  }

  function openSite(path: Path, key: string, domainNow: () => string): Site {
    return new Site({
      connector: deps.connectorOf(path.plan, (host, tried) =>
        reporter.tls(tlsResult(domainNow(), host, tried)),
      ),
      pool: path.pool,
      provider: path.plan.provider,
      clock,
      waitMs: deps.waitMs,
      onSession: (session) => reporter.session({ ...session, source: path.plan.source }),
      onSignal: (signal) => reporter.signal({ ...signal, pathId: path.plan.id, site: key, at: clock() }),
      onAsk: () => reporter.ask(path.plan.id),
      onEmpty: () => void path.sites.delete(key),
      onFault: deps.onFault,
    });
  }

  function tlsResult(domain: string, { host, policy }: PlannedHost, tried: TlsTry): TlsResult {
    return {
      at: clock(),
      domain,
      policyType: policy.type,
      policy: quotedPolicy(policy),
      mxHost: host,
      sessions: 1,
      ...tried,
    };
  }

  function enqueue(claim: WorkerClaim, path: Path, route: Routed): void {
    let handedAt: number | null = null;
    siteOf(path, route).enqueue(
      {
        messageId: claim.messageId,
        queueId: claim.queueId,
        dueAt: claim.dueAt,
        rank: claim.rank,
        since: clock(),
        requireTls: claim.requireTls,
        returns: 0,
        async prepare() {
          const mail = await preparer.prepare(claim.messageId, path.plan.via);
          if (mail.kind === 'ready') {
            if (claim.isFirst && handedAt === null) reporter.started(claim.messageId, clock());
            handedAt = clock();
          }
          return mail;
        },
        beforeDot: () => reporter.intend(claim.messageId),
        finish: (result, mail, record) => finish(claim, path, result, { mail, handedAt, record }),
      },
      route.hosts,
    );
  }

  /** Even without a route the message must be one that could leave: checked, composed and signed. */
  async function endUnroutable(
    claim: WorkerClaim,
    path: Path,
    route: Exclude<PlannedRoute, Routed>,
  ): Promise<void> {
    const mail = await preparer.prepare(claim.messageId, path.plan.via);
    if (mail.kind === 'ended') {
      finish(claim, path, mail.result, { mail: null, handedAt: null, record: null });
      return;
    }
    const { category, enhanced, message } = route;
    const permanent = route.kind === 'permanent';
    const result = { kind: 'unroutable', permanent, category, enhanced, message } as const;
    finish(claim, path, result, { mail, handedAt: clock(), record: null });
  }

  function begin(claim: WorkerClaim, path: Path, route: PlannedRoute): void {
    if (isDraining) {
      const nothing = { mail: null, handedAt: null, record: null };
      finish(claim, path, { kind: 'unattempted', stalled: false }, nothing);
      return;
    }
    if (route.kind === 'route') {
      enqueue(claim, path, route);
      return;
    }
    endUnroutable(claim, path, route).catch((error: unknown) => {
      deps.onFault(error);
      const message = error instanceof Error ? error.message : String(error);
      const nothing = { mail: null, handedAt: null, record: null };
      finish(claim, path, { kind: 'held', reason: 'fault', message }, nothing);
    });
  }

  return {
    deliver({ claims, routes, paths: fresh }) {
      for (const plan of fresh) {
        paths.set(plan.id, { plan, pool: createPathPool(plan.limits, clock), sites: new Map() });
      }
      for (const claim of claims) {
        const path = paths.get(claim.pathId);
        const route = routes[claim.route];
        if (!path || !route) throw new Error(`claim ${claim.messageId} came without its path or route`);
        open += 1;
        begin(claim, path, route);
      }
    },
    recall(pathId) {
      for (const { site } of paths.get(pathId)?.sites.values() ?? []) site.recall();
    },
    resume: (pathId) => paths.get(pathId)?.pool.free(),
    forget(pathId) {
      const path = paths.get(pathId);
      if (!path || path.sites.size > 0) return;
      path.pool.stop();
      paths.delete(pathId);
    },
    change: (pathId, limits) => paths.get(pathId)?.pool.change(limits),
    async drain() {
      isDraining = true;
      for (const { pool, sites } of paths.values()) {
        pool.stop();
        for (const { site } of sites.values()) site.drain();
      }
      if (open > 0) await new Promise<void>((resolve) => (whenEmpty = resolve));
    },
  };
}
