// Outgoing mail as the program sees it: one engine that is replaced by another when the rules are read again, the routes, and
// the jobs.
import { setTimeout as pause } from 'node:timers/promises';
import type { Routes } from '../http/api.js';
import { createDelegate } from '../lib/runtime/delegate.js';
import type { Job } from '../lib/runtime/cron.js';
import type { WakeUps } from '../events/wake-ups.js';
import { compileShipped } from '../settings/shipped.js';
import { composeSettings } from './deliver/compose.js';
import { createRawMessages } from './deliver/raw-message.js';
import { rawRoute } from './deliver/raw.routes.js';
import { createSigningKeys } from './deliver/signing-keys.js';
import { createEngine, readStoredTraffic, type Engine, type EngineDeps } from './engine.js';
import { createExplain, messageInsightRoutes } from './explain/insight.routes.js';
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
import { sandboxRoutes } from './simulator/sandbox.routes.js';
import type { SimulatedReplies } from './simulator/simulator.js';
import { compileSimulator } from './simulator/simulator.rules.js';
import { createTraces } from './trace.js';
import { traceRoute } from './trace.routes.js';
import type { TrafficView } from './traffic-view.js';

export { readStoredTraffic } from './engine.js';

/** Time (ms) that a new engine waits for the mail of the former one; slower peers are served beside it. */
const DRAIN_MS = 10_000;
const AGAIN_MS = 1_000;
/** Changes of other nodes are read together. */
const ALIGN_MS = 100;

export interface OutboundDeps extends Omit<EngineDeps, 'rules' | 'notifyQueues'> {
  rules: LiveRules;
  /** Of several nodes: this one has changed what the others remember. */
  onTrafficChanged: (change: TrafficChange) => void;
}

/** A change that this node has made, and that the others are to know. */
export type TrafficChange =
  | { kind: 'traffic' }
  | { kind: 'limit removed'; id: string }
  | { kind: 'probe'; domain: string }
  | { kind: 'queues'; ids: readonly number[] | null };

export interface Outbound extends Pick<Engine, 'notify' | 'traffic' | 'control' | 'tenants' | 'nameTenant'> {
  /** For the leases of paths. */
  pathWork: Engine['pathWork'];
  /** Other nodes have changed something. */
  changedElsewhere(change: TrafficChange): Promise<void>;
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
  const notifyQueues = (queueIds: readonly number[] | null): void => current.object.notify(queueIds);
  const current = createDelegate(await createEngine({ ...deps, rules: { ...live }, notifyQueues }), log);
  /** Changes that were made here. */
  let changes = 0;
  let aligning: Promise<void> | null = null;
  let isAlignAsked = false;
  const announce = (change: TrafficChange): void => {
    changes += 1;
    deps.onTrafficChanged(change);
  };
  const traffic = current.part('traffic', ['removeOverride', 'pause', 'resume', 'probe']);
  const control = current.part('control', ['suspend', 'resume', 'addRoute', 'removeRoute']);
  const tenants = current.part('tenants', ['limit', 'stop', 'forget', 'align']);
  const changed = (): TrafficChange => ({ kind: 'traffic' });

  /** Reads what others have changed. A change that is made here meanwhile is not undone by what was read before it. */
  async function align(): Promise<void> {
    while (isAlignAsked && !isStopped) {
      await pause(ALIGN_MS);
      isAlignAsked = false;
      const before = changes;
      const stored = await readStoredTraffic(deps.store, deps.clock());
      if (before === changes) await current.object.align(stored);
      else isAlignAsked = true;
    }
  }

  /** Former engines, until their last mail has ended. */
  const ending = new Set<Promise<void>>();
  let isStopped = false;
  /** Mail is delivered: a node whose roles leave that out delivers none. */
  let isStarted = false;
  let reloading: Promise<void> = Promise.resolve();

  /** The former one ends by itself, however slow its peers are. */
  async function retire(engine: Engine): Promise<void> {
    const drained = engine
      .drain()
      .catch((error: unknown) => log.error({ err: error }, 'stopping the previous outbound engine failed'))
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
    if (isStarted)
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
        log.error({ err: error }, 'starting the outbound engine failed: retrying');
        await pause(AGAIN_MS);
      }
    }
  }

  return {
    start() {
      isStarted = true;
      return current.object.start({ isAlone: true });
    },
    notify: notifyQueues,
    traffic: announcing(traffic, announce, {
      pause: changed,
      resume: changed,
      removeOverride: (id: string) => ({ kind: 'limit removed', id }),
      probe: (domain: string) => ({ kind: 'probe', domain }),
      notify: (ids: readonly number[]) => ({ kind: 'queues', ids }),
    }),
    control: announcing(control, announce, {
      suspend: changed,
      resume: changed,
      addRoute: changed,
      removeRoute: changed,
    }),
    tenants: announcing(tenants, announce, { limit: changed, stop: changed, forget: changed }),
    nameTenant(tenantId, externalId) {
      current.change((engine) => engine.nameTenant(tenantId, externalId));
      announce({ kind: 'traffic' });
    },
    pathWork: {
      gained: (leases) => current.object.pathWork.gained(leases),
      lost: (lease) => current.object.pathWork.lost(lease),
    },
    async changedElsewhere(change) {
      if (change.kind === 'queues') notifyQueues(change.ids);
      if (change.kind === 'probe') current.object.traffic.probe(change.domain);
      if (change.kind === 'limit removed') current.change((engine) => engine.overrideRemoved(change.id));
      if (change.kind !== 'traffic') return;
      isAlignAsked = true;
      await (aligning ??= align().finally(() => (aligning = null)));
    },
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

type AnyMethod = (...args: never[]) => unknown;

/** The same part, whose calls of these methods are announced when they have succeeded. */
function announcing<P extends object>(
  part: P,
  announce: (change: TrafficChange) => void,
  changes: { [M in keyof P]?: P[M] extends AnyMethod ? (...args: Parameters<P[M]>) => TrafficChange : never },
): P {
  const announced: Record<string, unknown> = {};
  for (const [name, changeOf] of Object.entries(changes) as [keyof P & string, AnyMethod][]) {
    const method = part[name] as AnyMethod;
    announced[name] = (...args: never[]): unknown => {
      const result = method(...args);
      const change = changeOf(...args) as TrafficChange; // as `changes` is typed
      if (result instanceof Promise) void result.then(() => announce(change)).catch(() => undefined);
      else announce(change);
      return result;
    };
  }
  return { ...part, ...announced };
}

export interface OutboundApiDeps extends Pick<
  EngineDeps,
  'store' | 'config' | 'keys' | 'keyGeneration' | 'clock'
> {
  reload: () => Reload;
  traffic: TrafficView;
  control: EgressControl;
  wakeUps: WakeUps;
  simulatedReplies: SimulatedReplies;
  /** Mail was spooled as if it had come in. */
  notifyInbound: () => void;
}

/** Routes of the queue, of the sources and of the sandbox; `messageRoutes` show the delivery of one message. */
export function createOutboundApi(deps: OutboundApiDeps) {
  const { store, config, keys, traffic, control, clock, wakeUps } = deps;
  const { attempts, queueView } = store;
  const { publicUrl } = config;
  const simulator = compileShipped('simulator', compileSimulator);
  const simulate = createSimulateByHand({
    ...{ store, simulator, publicUrl, clock, wakeUps },
    replies: deps.simulatedReplies,
    onSpooled: deps.notifyInbound,
  });
  const rawMessage = createRawMessages({
    store,
    signingKeys: createSigningKeys(store, keys.masterKey, clock, deps.keyGeneration),
    settings: composeSettings(config, keys.tokenKeys.active),
  });
  const insight = { store, attempts, queueView, traffic, wakeUps, clock, settings: config };
  const messageRoutes: Routes[] = [
    (api) => rawRoute(api, { store, rawMessage }),
    (api) => messageInsightRoutes(api, insight),
  ];
  const routes: Routes[] = [
    (api) => queueRoutes(api, { store, attempts, queueView, traffic, wakeUps, clock, settings: config }),
    (api) => sourceRoutes(api, { store, traffic, control, clock }),
    (api) => reloadRoute(api, deps),
    (api) => traceRoute(api, { traces: createTraces({ clock }) }),
    (api) => egressRoutes(api, { store, control, clock }),
    (api) => sandboxRoutes(api, { store, simulator, simulate }),
  ];
  return { explain: createExplain(insight), rawMessage, messageRoutes, routes };
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
    { name: 'MTA-STS policies', at: 'hour', run: () => sts.refresh(), isOfEachNode: true },
  ];
}
