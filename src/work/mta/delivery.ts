// The steps of delivery inside a worker: route, wait for a session of the site, prepare, hand over, report.
import { LRUCache } from 'lru-cache';
import type { Route, RouteHost } from '../../rules/mx.js';
import type { Clock } from '../../runtime/clock.js';
import type { AttemptResult, Outcome, WorkerClaim } from './outcome.js';
import type { Preparer, ReadyMail } from './prepare.js';
import { createSite, type Site, type SiteDeps } from './site.js';

/** DNS answers are cached by the resolver; this spares planning a route for every message of a burst. */
const ROUTE_MS = 10_000;
const ROUTES = 5_000;

export interface Reporter {
  started(messageId: number, at: number): void;
  /** Resolves once the intent is durable; false forbids the dot. */
  intend(messageId: number): Promise<boolean>;
  finished(outcome: Outcome): void;
}

export interface DeliveryDeps {
  preparer: Preparer;
  reporter: Reporter;
  clock: Clock;
  via: 'mta' | 'smarthost';
  /** The way to a domain; with a smarthost the way to it. */
  findRoute: (domain: string) => Promise<Route>;
  providerOf: (mxHosts: readonly string[]) => string | null;
  site: Pick<SiteDeps, 'connector' | 'limits' | 'onFault'>;
}

export interface Delivery {
  deliver(claim: WorkerClaim): void;
  /** Resolves when every claim has its outcome. */
  drain(): Promise<void>;
}

export function createDelivery(deps: DeliveryDeps): Delivery {
  const { preparer, reporter, clock, via } = deps;
  const routes = new LRUCache<string, Promise<Route>>({ max: ROUTES, ttl: ROUTE_MS });
  const sites = new Map<string, Site>();
  let open = 0;
  let isDraining = false;
  let whenEmpty: (() => void) | null = null;

  function finish(
    claim: WorkerClaim,
    result: AttemptResult,
    mail: ReadyMail | null,
    handedAt: number | null,
  ): void {
    reporter.finished({
      messageId: claim.messageId,
      at: clock(),
      handedAt,
      signedAt: mail?.signedAt ?? null,
      via,
      result,
    });
    open -= 1;
    if (open === 0) whenEmpty?.();
  }

  function siteOf(route: Extract<Route, { kind: 'route' }>): Site {
    const key = route.mxHosts.join(' ');
    let site = sites.get(key);
    if (!site) {
      site = createSite({
        ...deps.site,
        provider: deps.providerOf(route.mxHosts),
        onEmpty: () => void sites.delete(key),
      });
      sites.set(key, site);
    }
    return site;
  }

  async function routeOf(domain: string): Promise<Route> {
    let route = routes.get(domain);
    if (!route) {
      route = deps.findRoute(domain);
      routes.set(domain, route);
    }
    try {
      const found = await route;
      // The resolver remembers what failed, for as long as it is configured to.
      if (found.kind === 'temporary') routes.delete(domain);
      return found;
    } catch (error) {
      routes.delete(domain);
      throw error;
    }
  }

  function enqueue(claim: WorkerClaim, site: Site, hosts: readonly RouteHost[]): void {
    let handedAt: number | null = null;
    site.enqueue(
      {
        returns: 0,
        async prepare() {
          const mail = await preparer.prepare(claim.messageId);
          if (mail.kind === 'ready') {
            if (claim.isFirst && handedAt === null) reporter.started(claim.messageId, clock());
            handedAt = clock();
          }
          return mail;
        },
        beforeDot: () => reporter.intend(claim.messageId),
        finish: (result, mail) => finish(claim, result, mail, handedAt),
      },
      hosts,
    );
  }

  async function run(claim: WorkerClaim): Promise<void> {
    const route = await routeOf(claim.domain);
    if (isDraining) {
      finish(claim, { kind: 'unattempted' }, null, null);
      return;
    }
    if (route.kind === 'route') {
      enqueue(claim, siteOf(route), route.hosts);
      return;
    }
    // Even without a route the message must be one that could leave: checked, composed and signed.
    const mail = await preparer.prepare(claim.messageId);
    if (mail.kind === 'ended') {
      finish(claim, mail.result, null, null);
      return;
    }
    const { category, enhanced, message } = route;
    const result = {
      kind: 'unroutable',
      permanent: route.kind === 'permanent',
      category,
      enhanced,
      message,
    } as const;
    finish(claim, result, mail, clock());
  }

  return {
    deliver(claim) {
      open += 1;
      run(claim).catch((error: unknown) => {
        deps.site.onFault(error);
        const message = error instanceof Error ? error.message : String(error);
        finish(claim, { kind: 'held', reason: 'fault', message }, null, null);
      });
    },
    async drain() {
      isDraining = true;
      for (const site of sites.values()) site.drain();
      if (open > 0) await new Promise<void>((resolve) => (whenEmpty = resolve));
    },
  };
}
