// Outgoing mail as the program sees it: one engine that is replaced by another when the rules are read again, the routes, and
// the jobs.
import { setTimeout as pause } from 'node:timers/promises';
import type { Routes } from '../api/api.js';
import { createDelegate } from '../lib/runtime/delegate.js';
import type { Job } from '../lib/runtime/cron.js';
import type { WakeUps } from '../messages/accept/accept.js';
import { compileShipped } from '../settings/shipped.js';
import { createEngine, type Engine, type EngineDeps } from './engine.js';
import { createDeadDomains } from './outcome/dead-domains.js';
import type { Reload } from './reload.js';
import { reloadRoute } from './reload.routes.js';
import type { EgressControl } from './route/egress-control.js';
import { egressRoutes } from './route/egress.routes.js';
import type { LiveRules, OutboundRules } from './route/outbound-rules.js';
import { routePolicy } from './route/route-policy.js';
import { sourceRoutes } from './route/sources.routes.js';
import type { StsPolicies } from './route/sts-policies.js';
import { queueRoutes } from './schedule/queue.routes.js';
import { createSimulateByHand } from './simulator/simulate-by-hand.js';
import { createSimulatedReplies } from './simulator/simulated-replies.js';
import { sandboxRoutes } from './simulator/sandbox.routes.js';
import { compileSimulator } from './simulator/simulator.rules.js';
import { createTraces } from './trace.js';
import { traceRoute } from './trace.routes.js';
import type { TrafficView } from './traffic-view.js';

export { readStoredTraffic } from './engine.js';

/** Time (ms) that a new engine waits for the mail of the former one; slower peers are served beside it. */
const DRAIN_MS = 10_000;
const AGAIN_MS = 1_000;

export interface OutboundDeps extends Omit<EngineDeps, 'rules' | 'notifyQueues'> {
  rules: LiveRules;
}

export interface Outbound extends Pick<Engine, 'notify' | 'traffic' | 'control' | 'tenants' | 'nameTenant'> {
  /** Recovers what a former process left, then delivers. */
  start(): Promise<void>;
  /**
   * Delivers by these rules from here on: what is past DATA ends by the former ones, the rest goes back to its queue first.
   * The rules are in `LiveRules` when it resolves.
   */
  reload(rules: OutboundRules): Promise<void>;
  stop(): Promise<void>;
}

export async function createOutbound(deps: OutboundDeps): Promise<Outbound> {
  const { rules: live, log } = deps;
  const notifyQueues = (queueIds: readonly number[]): void => current.object.notify(queueIds);
  const current = createDelegate(await createEngine({ ...deps, rules: { ...live }, notifyQueues }), log);
  /** Former engines, until their last mail has ended. */
  const ending = new Set<Promise<void>>();
  let isStopped = false;
  let reloading: Promise<void> = Promise.resolve();

  /** The former one ends by itself, however slow its peers are. */
  async function retire(engine: Engine): Promise<void> {
    const drained = engine
      .drain()
      .catch((error: unknown) => log.error({ err: error }, 'former engine fault'))
      .finally(() => ending.delete(drained));
    ending.add(drained);
    const waiting = new AbortController();
    await Promise.race([
      drained,
      pause(DRAIN_MS, undefined, { signal: waiting.signal }).catch(() => undefined),
    ]);
    waiting.abort();
    await engine.keepCounts();
  }

  async function exchange(rules: OutboundRules): Promise<void> {
    if (isStopped) return;
    const former = { ...live };
    await retire(current.object);
    live.replace(rules);
    try {
      await begin(rules);
    } catch (error) {
      // The store could not be read, for one. Mail must go on, by the rules of before.
      live.replace(former);
      await beginSurely(former);
      throw error;
    }
  }

  async function begin(rules: OutboundRules): Promise<void> {
    await current.replace(() => createEngine({ ...deps, rules, notifyQueues }));
    const { object: engine } = current;
    await engine.start({ isAlone: false }).catch(async (error: unknown) => {
      await engine.drain();
      throw error;
    });
  }

  async function beginSurely(rules: OutboundRules): Promise<void> {
    while (!isStopped) {
      try {
        await begin(rules);
        return;
      } catch (error) {
        log.error({ err: error }, 'outbound engine does not start, and is tried again');
        await pause(AGAIN_MS);
      }
    }
  }

  return {
    start: () => current.object.start({ isAlone: true }),
    notify: notifyQueues,
    traffic: current.part('traffic', ['removeOverride', 'pause', 'resume', 'probe']),
    control: current.part('control', ['suspend', 'resume', 'addRoute', 'removeRoute']),
    tenants: current.part('tenants', ['limit', 'stop', 'forget', 'align']),
    nameTenant: (tenantId, externalId) => current.change((engine) => engine.nameTenant(tenantId, externalId)),
    reload(rules) {
      const done = reloading.then(() => exchange(rules));
      reloading = done.catch(() => undefined);
      return done;
    },
    async stop() {
      isStopped = true;
      await reloading;
      await current.object.drain();
      await Promise.all(ending);
      await current.object.keepCounts();
    },
  };
}

export interface OutboundRoutesDeps extends Pick<EngineDeps, 'store' | 'config' | 'keys' | 'clock'> {
  reload: () => Reload;
  traffic: TrafficView;
  control: EgressControl;
  wakeUps: WakeUps;
  /** Mail was spooled as if it had come in. */
  notifyInbound: () => void;
}

/** Routes of the queue, of the sources and of the sandbox. */
export function outboundRoutes(deps: OutboundRoutesDeps): Routes[] {
  const { store, config, keys, traffic, control, clock, wakeUps } = deps;
  const { attempts, queueView } = store;
  const { inboundDomain, publicUrl } = config;
  const simulator = compileShipped('simulator', compileSimulator);
  const replies = createSimulatedReplies({ store, tokenKey: keys.tokenKeys.active, inboundDomain });
  const simulate = createSimulateByHand({
    ...{ store, simulator, replies, publicUrl, clock, wakeUps },
    onSpooled: deps.notifyInbound,
  });
  return [
    (api) => queueRoutes(api, { store, attempts, queueView, traffic, wakeUps, clock, settings: config }),
    (api) => sourceRoutes(api, { store, traffic, control, clock }),
    (api) => reloadRoute(api, deps),
    (api) => traceRoute(api, { traces: createTraces({ clock }) }),
    (api) => egressRoutes(api, { store, control, clock }),
    (api) => sandboxRoutes(api, { store, simulator, simulate }),
  ];
}

export interface OutboundJobsDeps extends Pick<EngineDeps, 'store' | 'config' | 'resolver' | 'clock'> {
  sts: Pick<StsPolicies, 'refresh'>;
  notifyEvents: () => void;
}

/** Jobs of the timetable: rechecks of domains that took no mail, and the renewal of MTA-STS policies. */
export function outboundJobs(deps: OutboundJobsDeps): Job[] {
  const { store, config, resolver, clock, sts, notifyEvents } = deps;
  const deadDomains = createDeadDomains({
    store,
    rechecks: store.addressRechecks,
    resolver,
    policy: routePolicy(config, [4, 6]),
    clock,
    notifyEvents,
  });
  return [
    { name: 'dead domains', at: 'minute', run: () => deadDomains.run() },
    { name: 'MTA-STS policies', at: 'hour', run: () => sts.refresh() },
  ];
}
