// One run of the outbound engine, from one set of rules: schedule -> shape -> route -> deliver -> outcome, and the sweep that returns stale leases. Its parts
// know each other by the order of construction; `start` closes the two circles, to the transports and to the workers' reports.
import { compileShipped } from '../settings/shipped.js';
import type { Config } from '../settings/settings.js';
import type { Clock } from '../lib/runtime/clock.js';
import { newId } from '../lib/runtime/ids.js';
import type { Keys } from '../lib/runtime/key-files.js';
import type { Log } from '../lib/runtime/log.js';
import type { DnsResolver } from '../lib/dns/resolver.js';
import { createProbe } from '../lib/smtp/probe.js';
import type { DatabasePlace } from '../database/engine/place.js';
import type { OutboundStores } from './stores.js';
import type { KeyGeneration } from '../domains/keys/key-generation.js';
import { MtaTransport } from './deliver/transport.js';
import type { CopyStops } from './deliver/stops.rules.js';
import { DeliveryWorkers } from './deliver/workers.js';
import type { WorkerSettings } from './deliver/worker.js';
import type { SkipRecipient } from './outcome/outcome-plan.js';
import { createTlsCounts } from './outcome/tls-counts.js';
import type { Dane } from './route/dane.js';
import { createEgressControl, type EgressControl } from './route/egress-control.js';
import { lookUpHost, lookUpRoute } from './route/mx-look-up.js';
import type { OutboundRules } from './route/outbound-rules.js';
import { routePolicy } from './route/route-policy.js';
import { createSourceView } from './route/source-view.js';
import type { StsPolicies } from './route/sts-policies.js';
import { Dispatch } from './schedule/dispatch.js';
import { expireOverdue, type ExpireDeps } from './schedule/expire.js';
import { OWNER_SEPARATOR } from './schedule/queue.store.js';
import { recoverLeases, type RecoverDeps } from './schedule/recover.js';
import { WakeUp } from './schedule/wake-up.js';
import { createShaper, type Shaper, type ShaperDeps, type StoredTraffic } from './shape/create-shaper.js';
import type { PathOwners } from './shape/path-leases.js';
import type { LimitReason } from './explain/explain-facts.rules.js';
import { createPathWork } from './shape/path-work.js';
import { STALE_MS } from './shape/persisted-counters.js';
import { tryHostsBy } from './shape/port-check.js';
import type { TenantLimits } from './shape/tenant-limits.js';
import { createSimulatorTransport, type SimulatedReplies } from './simulator/simulator.js';
import { compileSimulator } from './simulator/simulator.rules.js';
import type { TrafficView } from './traffic-view.js';
import type { Committed } from '../database/change.js';

const LEASE_SWEEP_MS = 30_000;
/** Interval (ms) at which expired limits are lifted. */
const TICK_MS = 1_000;
/** Time (ms) within which a node reads what others have changed: a limit that is younger may be missing in it. */
const READ_WITHIN_MS = 60_000;

export interface EngineDeps {
  store: OutboundStores;
  config: Config;
  keys: Keys;
  rules: OutboundRules;
  resolver: DnsResolver;
  sts: Pick<StsPolicies, 'policyFor'>;
  /** Null: DANE is off. */
  dane: Dane | null;
  /** Bumped when DKIM keys have moved. */
  keyGeneration: KeyGeneration;
  place: DatabasePlace;
  busyTimeoutMs: number;
  clock: Clock;
  log: Log;
  /** This node, where several work on the database; null: all work is this program's. */
  node: EngineNode | null;
  /** Called when entries were appended to the event chains. */
  notifyEvents: () => void;
  /** Called with queues that got mail back. */
  notifyQueues: (queueIds: readonly number[]) => void;
  /** Module of the delivery threads, which calls `runDeliveryWorker`. */
  workerUrl: URL;
  copyStops: CopyStops;
  skipRecipient: SkipRecipient;
  /** The sandbox's answers to messages. */
  simulatedReplies: SimulatedReplies;
  /** Called when the sandbox has spooled an answer. */
  notifyInbound: () => void;
}

/** A node of several, for the engine. */
export interface EngineNode extends PathOwners {
  /** Its leases of messages begin with it. */
  id: string;
  /** Roles that no living node has; null: not known yet. */
  missingRoles(): readonly string[] | null;
  /** Takes over the leases of messages that no living node has. */
  adopt(): Promise<void>;
}

export interface Engine {
  /** Delivers. `isAlone`: nothing of this process has a lease, so what a former process left is recovered first. */
  start(options: { isAlone: boolean }): Promise<void>;
  /** Queues that have just received mail; null: any may have, and paths may have opened. */
  notify(queueIds: readonly number[] | null): void;
  /** For the API: what is held and why, and how to change it. */
  traffic: TrafficView;
  /** For the API: which sources and ways mail takes. */
  control: EgressControl;
  /** The limits of sub-tenants: to be changed with their rows. */
  tenants: TenantLimits;
  /** The operator's own id of a sub-tenant, which routes may name; null: none. */
  nameTenant(tenantId: string, externalId: string | null): void;
  /** For the leases of paths. */
  pathWork: {
    /** Reads what other nodes have counted for these paths, and the limits that they have set. */
    gained(leases: ReadonlySet<string>): Promise<void>;
    /** Ends the work on these paths; resolves when no session is open and all that was counted is stored. */
    lost(lease: string): Promise<void>;
  };
  /** Reads again what the operator, or another node, has changed. */
  align(stored: StoredTraffic): Promise<void>;
  /** Another node has removed the limit. */
  overrideRemoved(id: string): void;
  /** Takes nothing more from the queue; ends when what was past DATA has ended, and the rest is in its queue again. */
  drain(): Promise<void>;
  /** Stores what the limits have counted; what they count later is lost. */
  keepCounts(): Promise<void>;
}

export async function createEngine(deps: EngineDeps): Promise<Engine> {
  const { store, config, rules, copyStops, skipRecipient, clock, log } = deps;
  const owner = `${deps.node?.id ?? `${config.hostname}/${process.pid}`}${OWNER_SEPARATOR}${newId('ses', clock())}`;
  const settings = { ...config, rules: rules.bounces, skipRecipient };
  const wakeUp = new WakeUp();
  const workers = new DeliveryWorkers();
  const tlsCounts = createTlsCounts({ add: (results) => store.tlsResults.add(results), clock, log });
  const made = await createShaper({
    settings: config,
    stored: await readStoredTraffic(store, clock()),
    restrictions: () => store.tenants.restrictions(),
    routing: routingOf(deps),
    tryHosts: tryHostsBy({
      ...{ config, resolver: deps.resolver, egress: rules.egress },
      probe: createProbe({ resolver: deps.resolver, clock }),
    }),
    commit: store.commit,
    sessions: workers,
    random: Math.random,
    owners: deps.node,
    ...{ rules, tlsCounts, wakeUp, clock, log },
  });
  const { shaper, tenants, pauses, hold, limits, counters, externalIds, operator, paths, breakers, leases } =
    made;
  const providerOf = (domain: string): string | null => shaper.destinationOf(domain)?.provider ?? null;
  const control = createEgressControl({
    commit: store.commit,
    ...{ operator, paths, externalIds, providerOf, wakeUp, clock, log },
  });
  const dispatch = new Dispatch({
    settings: config,
    admission: shaper,
    ...{ store, owner, wakeUp, clock, log },
  });
  const onCommitted = (committed: Committed): void => {
    if (committed.queueIds.length > 0) deps.notifyQueues(committed.queueIds);
    deps.notifyEvents();
  };
  const transport = new MtaTransport({
    workerCount: config.mtaWorkers,
    workerUrl: deps.workerUrl,
    workerSettings: workerSettings(deps),
    ...{ store, owner, settings, workers, shaper, dispatch, tlsCounts, clock, log, onCommitted },
  });
  const { publicUrl } = config;
  const sandbox = createSimulatorTransport({
    simulator: compileShipped('simulator', compileSimulator),
    replies: deps.simulatedReplies,
    onSpooled: deps.notifyInbound,
    ...{ store, copyStops, skipRecipient, publicUrl, dispatch, shaper, clock, log, onCommitted },
  });
  const { smarthosts } = rules.egress;
  const recover: RecoverDeps = {
    ownerPrefix: deps.node === null ? null : `${deps.node.id}${OWNER_SEPARATOR}`,
    viaOf: (source) => (source !== null && smarthosts.has(source) ? 'smarthost' : 'mta'),
    ...{ store, settings, clock, log, onCommitted },
  };
  const expiry: ExpireDeps = {
    settings: config,
    ...{ store, owner, shaper, clock, log, onCommitted },
  };
  const sweep = createSweep(
    async () => {
      await dispatch.extendLeases();
      await deps.node?.adopt();
      await recoverLeases(recover, clock());
      // Mail whose time ended while it was held may have left: the operator decides.
      if (!hold.isHeld) await expireOverdue(expiry);
      shaper.forgetIdle();
    },
    Math.min(LEASE_SWEEP_MS, config.queueLeaseMs / 3, config.expiryGraceMs),
    log,
  );
  let tick: NodeJS.Timeout | null = null;
  /** The release is written by another process: mailkeel admin restore --release. */
  async function lookAtHold(): Promise<void> {
    if (!hold.isHeld || (await store.backups.hold()) !== null) return;
    hold.release();
    log.warn('outgoing mail released');
    wakeUp.notify();
  }
  const pathWork = createPathWork({ store, leases, paths, limits, counters, breakers, clock, log });
  const sources = createSourceView({
    ...{ egress: rules.egress, operator, counters, clock },
    overrides: () => shaper.overrides(),
  });

  return {
    async start({ isAlone }) {
      // One server per data folder: the holder of any lease is dead, unless it is a run of this process that ends. Of several
      // nodes each has its own, and those that it has taken over.
      if (isAlone) await recoverLeases(recover, deps.node === null ? Number.MAX_SAFE_INTEGER : clock());
      transport.start();
      await dispatch.start({ live: transport, sandbox });
      if (hold.isHeld) log.warn('outgoing mail on hold after a restore: run mailkeel admin restore --review');
      tick = setInterval(() => {
        shaper.tick();
        control.tick();
        lookAtHold().catch((error: unknown) =>
          log.error({ err: error }, 'checking the hold on outgoing mail failed'),
        );
      }, TICK_MS);
      sweep.start();
    },
    notify(queueIds) {
      if (queueIds === null) {
        dispatch.lookAtAll();
        wakeUp.notify();
      } else dispatch.notify(queueIds);
    },
    traffic: trafficOf(made, { dispatch, node: deps.node, sources, providerOf, wakeUp }),
    control,
    tenants,
    pathWork,
    async align(found) {
      pauses.replace(found.pauses);
      if (operator.replace(found.suspendedSources, found.operatorRoutes)) paths.recall();
      externalIds.clear();
      for (const [id, name] of found.externalIds) externalIds.set(id, name);
      pathWork.align(found);
      for (const { id } of limits.removedElsewhere(found.overrides, clock() - READ_WITHIN_MS))
        shaper.overrideRemoved(id);
      await tenants.align();
      wakeUp.notify();
    },
    overrideRemoved: (id) => shaper.overrideRemoved(id),
    nameTenant(tenantId, externalId) {
      if (externalId === null) externalIds.delete(tenantId);
      else externalIds.set(tenantId, externalId);
      wakeUp.notify();
    },
    async drain() {
      if (tick) clearInterval(tick);
      await sweep.stop();
      await dispatch.stop();
      const extending = setInterval(() => {
        dispatch
          .extendLeases()
          .catch((error: unknown) => log.error({ err: error }, 'renewing leases failed'));
      }, config.queueLeaseMs / 3);
      await transport.stop();
      clearInterval(extending);
    },
    async keepCounts() {
      await counters.stop();
      await limits.settled();
      await tlsCounts.stop();
    },
  };
}

const NO_NODE: LimitReason = {
  code: 'source_unreachable',
  until: null,
  detail: 'No running node has the role mta.',
};

/** The shaper as routes see it. */
function trafficOf(
  { shaper, paths, pauses }: Pick<Shaper, 'shaper' | 'paths' | 'pauses'>,
  {
    dispatch,
    node,
    sources,
    providerOf,
    wakeUp,
  }: { dispatch: Dispatch; node: EngineNode | null; wakeUp: WakeUp } & Pick<
    TrafficView,
    'sources' | 'providerOf'
  >,
): TrafficView {
  return {
    reasonFor: (queue) =>
      node?.missingRoles()?.includes('mta') === true ? NO_NODE : shaper.reasonFor(queue),
    overrides: () => shaper.overrides(),
    sessions: () =>
      paths
        .open()
        .map(({ provider, plan, openSessions }) => ({ provider, source: plan.source, open: openSessions })),
    sources,
    removeOverride: (id) => shaper.removeOverride(id),
    pause: (row) => pauses.put(row),
    resume(key) {
      pauses.remove(key);
      wakeUp.notify();
    },
    notify(queueIds) {
      dispatch.notify(queueIds);
      wakeUp.notify();
    },
    probe: (domain) => shaper.probe(domain),
    providerOf,
  };
}

export async function readStoredTraffic(
  { traffic, backups }: Pick<OutboundStores, 'traffic' | 'backups'>,
  now: number,
): Promise<StoredTraffic> {
  const named = await traffic.externalIds();
  return {
    overrides: await traffic.overrides(now),
    counters: await traffic.states(now - STALE_MS),
    pauses: await traffic.pauses(),
    isHeld: (await backups.hold()) !== null,
    suspendedSources: await traffic.suspendedSources(),
    operatorRoutes: await traffic.operatorRoutes(),
    externalIds: new Map(named.map(({ id, externalId }) => [id, externalId])),
  };
}

type RoutingDeps = Pick<EngineDeps, 'config' | 'resolver' | 'sts' | 'dane'>;

function routingOf({ config, resolver, sts, dane }: RoutingDeps): ShaperDeps['routing'] {
  return {
    lookUpRoute: (domain, families) => lookUpRoute(resolver, domain, routePolicy(config, families)),
    lookUpHost: (host) => lookUpHost(resolver, host, { ...routePolicy(config, [4]), allowPrivate: true }),
    stsPolicyFor: (domain) => sts.policyFor(domain),
    daneFor: (domain, host) =>
      dane?.daneFor(domain, host) ?? Promise.resolve({ kind: 'insecure', isMxSecure: false }),
  };
}

function workerSettings({ config, keys, rules, ...deps }: EngineDeps): WorkerSettings {
  return {
    place: deps.place,
    busyTimeoutMs: deps.busyTimeoutMs,
    masterKey: keys.masterKey,
    keyGeneration: deps.keyGeneration.shared,
    tokenKey: keys.tokenKeys.active,
    config,
    smarthosts: [...rules.egress.smarthosts].map(([name, smarthost]) => ({ ...smarthost, name })),
  };
}

/** Runs the work on an interval, one run at a time: two that read the same stale lease would both return it. */
function createSweep(work: () => Promise<void>, everyMs: number, log: Log) {
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> | null = null;

  function run(): void {
    running ??= work()
      .catch((error: unknown) => log.error({ err: error }, 'lease sweep failed'))
      .finally(() => {
        running = null;
      });
  }

  return {
    start() {
      timer = setInterval(run, everyMs);
    },
    /** Resolves when no run is under way. */
    async stop() {
      if (timer) clearInterval(timer);
      await running;
    },
  };
}
