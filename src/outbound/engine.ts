// One run of the outbound engine, from one set of rules: schedule -> shape -> route -> deliver -> outcome, and the sweep that
// returns stale leases.
import type { Committed } from '../database/change.js';
import { insert } from '../database/rows.js';
import { type Log, newId } from '../lib/runtime/index.js';
import { createProbe } from '../lib/smtp/index.js';
import type { DeliveryContext, EngineContext } from './context.js';
import { MtaTransport } from './deliver/transport.js';
import { DeliveryWorkers } from './deliver/workers.js';
import type { LimitReason } from './explain/explain-facts.rules.js';
import { TlsCounts } from './outcome/tls-counts.js';
import { EgressControl } from './route/egress-control.js';
import { lookUpHost, lookUpRoute } from './route/mx-look-up.js';
import type { OutboundRules } from './route/outbound-rules.js';
import type { Egress } from './route/egress.rules.js';
import { firstShare } from './route/share.rules.js';
import { routeShares } from './outbound.tables.js';
import { routePolicy } from './route/route-policy.js';
import type { RouteAnswers } from './route/router.js';
import { viewSources } from './route/source-view.js';
import { Dispatch } from './schedule/dispatch.js';
import { expireOverdue } from './schedule/expire.js';
import { OWNER_SEPARATOR } from './schedule/queue.store.js';
import { recoverLeases } from './schedule/recover.js';
import { WakeUp } from './schedule/wake-up.js';
import { createShaper, type Shaper, type StoredTraffic } from './shape/create-shaper.js';
import { PathWork } from './shape/path-work.js';
import { STALE_MS } from './shape/persisted-counters.js';
import { tryHostsBy } from './shape/port-check.js';
import type { TenantLimits } from './shape/tenant-limits.js';
import { SimulatorTransport } from './simulator/simulator.js';
import type { OutboundStores } from './stores.js';
import type { TrafficView } from './traffic-view.js';

const LEASE_SWEEP_MS = 30_000;
/** Interval (ms) at which expired limits are lifted. */
const TICK_MS = 1_000;
/** Time (ms) within which a node sees changes of other nodes. A younger limit may be missing from the rows that it reads. */
const READ_WITHIN_MS = 60_000;

export async function createEngine(
  given: DeliveryContext,
  rules: OutboundRules,
  notifyQueues: (queueIds: readonly number[]) => void,
): Promise<Engine> {
  const { store, config, node, clock, log } = given;
  const tlsCounts = new TlsCounts(store.tlsResults, log);
  const context = {
    ...given,
    rules,
    outcomes: { ...config, rules: rules.bounces, skipRecipient: given.skipRecipient },
    owner: `${node?.id ?? `${config.hostname}/${process.pid}`}${OWNER_SEPARATOR}${newId('ses', clock())}`,
    wakeUp: new WakeUp(),
    tlsCounts,
    onCommitted(committed: Committed): void {
      if (committed.queueIds.length > 0) notifyQueues(committed.queueIds);
      given.wakeUps.events();
    },
    onMoved: ({ queueIds }: Committed) => given.wakeUps.queue(queueIds),
  };
  await storeNewShares(context, rules.egress);
  const workers = new DeliveryWorkers(context);
  const shaping = await createShaper({
    ...context,
    settings: config,
    stored: await readStoredTraffic(store, clock()),
    restrictions: () => store.tenants.restrictions(),
    routing: routeAnswers(context),
    tryHosts: tryHostsBy(context, createProbe({ resolver: given.resolver, clock })),
    commit: store.commit,
    sessions: workers,
    random: Math.random,
    owners: node,
  });
  return new Engine(context, shaping, workers);
}

export class Engine {
  readonly traffic: TrafficView;
  readonly control: EgressControl;
  readonly tenants: TenantLimits;
  readonly pathWork: PathWork;
  readonly #context: EngineContext & { tlsCounts: TlsCounts };
  readonly #shaping: Shaper;
  readonly #dispatch: Dispatch;
  readonly #transport: MtaTransport;
  readonly #sandbox: SimulatorTransport;
  readonly #sweep: Sweep;
  #tick: NodeJS.Timeout | null = null;

  constructor(context: EngineContext & { tlsCounts: TlsCounts }, shaping: Shaper, workers: DeliveryWorkers) {
    const { store, config, log } = context;
    const { shaper } = shaping;
    const providerOf = (domain: string): string | null => shaper.destinationOf(domain)?.provider ?? null;
    this.#context = context;
    this.#shaping = shaping;
    this.#dispatch = new Dispatch(context, shaper);
    this.#transport = new MtaTransport(context, { workers, shaper, dispatch: this.#dispatch });
    this.#sandbox = new SimulatorTransport(context, shaper, this.#dispatch);
    this.#sweep = new Sweep(
      () => this.#cleanUp(),
      Math.min(LEASE_SWEEP_MS, config.queueLeaseMs / 3, config.expiryGraceMs),
      log,
    );
    this.tenants = shaping.tenants;
    this.control = new EgressControl(shaping, providerOf);
    this.pathWork = new PathWork(store.traffic, shaping);
    this.traffic = trafficView(context, shaping, { dispatch: this.#dispatch, providerOf });
  }

  /** Starts delivery. `isAlone`: no other engine of this process holds leases, so leases of a former process are recovered first. */
  async start({ isAlone }: { isAlone: boolean }): Promise<void> {
    const { node, clock, log } = this.#context;
    const { shaper, hold } = this.#shaping;
    // One server uses a data folder, so the holder of a lease no longer runs unless it is an engine of this process that is
    // being drained. In a cluster each node recovers its own leases and those that it has taken over.
    if (isAlone) await recoverLeases(this.#context, node === null ? Number.MAX_SAFE_INTEGER : clock());
    this.#transport.start();
    await this.#dispatch.start({ live: this.#transport, sandbox: this.#sandbox });
    if (hold.isHeld) log.warn('outgoing mail on hold after a restore: run mailkeel admin restore --review');
    this.#tick = setInterval(() => {
      shaper.tick();
      this.control.tick();
      this.#lookAtHold().catch((error: unknown) =>
        log.error({ err: error }, 'checking the hold on outgoing mail failed'),
      );
    }, TICK_MS);
    this.#sweep.start();
  }

  /** Wakes queues that have received mail. `null`: any queue may have received some, and paths may have opened. */
  notify(queueIds: readonly number[] | null): void {
    if (queueIds === null) {
      this.#dispatch.lookAtAll();
      this.#context.wakeUp.notify();
    } else this.#dispatch.notify(queueIds);
  }

  /** Sets the operator's own ID of a sub-tenant, which routes may name. */
  nameTenant(tenantId: string, externalId: string | null): void {
    const { externalIds } = this.#shaping;
    if (externalId === null) externalIds.delete(tenantId);
    else externalIds.set(tenantId, externalId);
    this.#context.wakeUp.notify();
  }

  /** Applies stored changes of the operator and of other nodes. */
  async align(found: StoredTraffic): Promise<void> {
    const { shaper, pauses, operator, shares, paths, externalIds, limits, tenants } = this.#shaping;
    pauses.replace(found.pauses);
    if (operator.replace(found.suspendedSources, found.operatorRoutes)) paths.recall();
    shares.replace(found.routeShares);
    externalIds.clear();
    for (const [id, name] of found.externalIds) externalIds.set(id, name);
    this.pathWork.align(found);
    for (const { id } of limits.removedElsewhere(found.overrides, this.#context.clock() - READ_WITHIN_MS))
      shaper.overrideRemoved(id);
    await tenants.align();
    this.#context.wakeUp.notify();
  }

  /** Called when another node has removed the limit. */
  overrideRemoved(id: string): void {
    this.#shaping.shaper.overrideRemoved(id);
  }

  /** Stops claiming messages. Resolves when messages past DATA have ended and the others are back in their queues. */
  async drain(): Promise<void> {
    const { config, log } = this.#context;
    if (this.#tick) clearInterval(this.#tick);
    await this.#sweep.stop();
    await this.#dispatch.stop();
    const extending = setInterval(() => {
      this.#dispatch
        .extendLeases()
        .catch((error: unknown) => log.error({ err: error }, 'renewing leases failed'));
    }, config.queueLeaseMs / 3);
    await this.#transport.stop();
    clearInterval(extending);
  }

  /** Stores the counts of the limits. Later counts are lost. */
  async keepCounts(): Promise<void> {
    await this.#shaping.counters.stop();
    await this.#shaping.limits.settled();
    await this.#context.tlsCounts.stop();
  }

  async #cleanUp(): Promise<void> {
    const { node, clock } = this.#context;
    const { shaper, hold } = this.#shaping;
    await this.#dispatch.extendLeases();
    await node?.adopt();
    await recoverLeases(this.#context, clock());
    // Held mail that has expired may have been sent before the restore, so the operator decides.
    if (!hold.isHeld) await expireOverdue(this.#context, shaper);
    shaper.forgetIdle();
  }

  /** Releases held mail after `mailkeel admin restore --release`, which runs in another process. */
  async #lookAtHold(): Promise<void> {
    const { store, wakeUp, log } = this.#context;
    const { hold } = this.#shaping;
    if (!hold.isHeld || (await store.backups.hold()) !== null) return;
    hold.release();
    log.warn('outgoing mail released');
    wakeUp.notify();
  }
}

const NO_NODE: LimitReason = {
  code: 'source_unreachable',
  until: null,
  detail: 'No running node has the role mta.',
};

/** The shaper as routes see it. */
function trafficView(
  { node, wakeUp }: EngineContext,
  shaping: Shaper,
  { dispatch, providerOf }: Pick<TrafficView, 'providerOf'> & { dispatch: Dispatch },
): TrafficView {
  const { shaper, paths, pauses } = shaping;
  return {
    reasonFor: (queue) =>
      node?.missingRoles()?.includes('mta') === true ? NO_NODE : shaper.reasonFor(queue),
    overrides: () => shaper.overrides(),
    sessions: () =>
      paths
        .open()
        .map(({ provider, plan, openSessions }) => ({ provider, source: plan.source, open: openSessions })),
    sources: () => viewSources(shaping, shaper.overrides()),
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

/** Stores the first share of the file's routes that have none. */
async function storeNewShares(
  { store, engagement, clock }: Pick<EngineContext, 'store' | 'engagement' | 'clock'>,
  { routes }: Egress,
): Promise<void> {
  const shared = routes.flatMap(({ name, share }) =>
    name === null || share === null ? [] : [{ name, share }],
  );
  if (shared.length === 0) return;
  const known = new Set((await store.traffic.routeShares()).map(({ route }) => route));
  const added = shared.filter(({ name }) => !known.has(name));
  if (added.length === 0) return;
  const engaged = await engagement.shareOfMail();
  await store.commit(
    added.map(({ name, share }) =>
      insert(routeShares, { row: firstShare(name, share.percent, engaged, clock()), conflict: 'ignore' }),
    ),
  );
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
    routeShares: await traffic.routeShares(),
    externalIds: new Map(named.map(({ id, externalId }) => [id, externalId])),
  };
}

function routeAnswers({
  config,
  resolver,
  sts,
  dane,
}: Pick<DeliveryContext, 'config' | 'resolver' | 'sts' | 'dane'>): RouteAnswers {
  return {
    lookUpRoute: (domain, families) => lookUpRoute(resolver, domain, routePolicy(config, families)),
    lookUpHost: (host) => lookUpHost(resolver, host, { ...routePolicy(config, [4]), allowPrivate: true }),
    stsPolicyFor: (domain) => sts.policyFor(domain),
    daneFor: (domain, host) =>
      dane?.daneFor(domain, host) ?? Promise.resolve({ kind: 'insecure', isMxSecure: false }),
  };
}

/** Runs the work on an interval, one run at a time, because two concurrent runs would return the same stale lease twice. */
class Sweep {
  readonly #work: () => Promise<void>;
  readonly #everyMs: number;
  readonly #log: Log;
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> | null = null;

  constructor(work: () => Promise<void>, everyMs: number, log: Log) {
    this.#work = work;
    this.#everyMs = everyMs;
    this.#log = log;
  }

  start(): void {
    this.#timer = setInterval(() => this.#run(), this.#everyMs);
  }

  /** Waits for the current run. */
  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    await this.#running;
  }

  #run(): void {
    this.#running ??= this.#work()
      .catch((error: unknown) => this.#log.error({ err: error }, 'lease sweep failed'))
      .finally(() => {
        this.#running = null;
      });
  }
}
