// The real path of a message from the lane board to the session, in simulated time and without a store: traffic desk,
// dispatch, path pools and sites. Lanes never run dry.
import { compileShaping } from '../../src/outbound/shape/shaping.rules.js';
import { compileEgress } from '../../src/outbound/route/egress-data.rules.js';
import { IN_FLIGHT_DEFAULTS } from '../../src/outbound/shape/in-flight-window.rules.js';
import { compileProviders } from '../../src/outbound/route/provider.rules.js';
import type { Outcome } from '../../src/outbound/outcome/attempt.rules.js';
import { readShipped } from '../../src/settings/shipped.js';
import { createLog } from '../../src/lib/runtime/log.js';
import type { Claim, QueueState } from '../../src/outbound/schedule/queue.store.js';
import type { Restriction } from '../../src/tenants/reputation/reputation.store.js';
import type { WorkerClaim } from '../../src/outbound/deliver/worker-messages.js';
import { createDelivery, type Delivery } from '../../src/outbound/deliver/delivery.js';
import { createDispatch, type DispatchDeps } from '../../src/outbound/schedule/dispatch.js';
import { createBlockedPorts } from '../../src/outbound/shape/blocked-ports.js';
import { createFeedback } from '../../src/outbound/shape/feedback.js';
import { createInFlight } from '../../src/outbound/shape/in-flight.js';
import { createThrottles } from '../../src/outbound/shape/throttles.js';
import { createLimitsInForce } from '../../src/outbound/shape/active-limits.js';
import { createPaths } from '../../src/outbound/shape/paths.js';
import { createPauses } from '../../src/outbound/shape/pauses.js';
import { createReachability } from '../../src/outbound/shape/circuit-breakers.js';
import { createRouter } from '../../src/outbound/route/router.js';
import { createStateKeeper } from '../../src/outbound/shape/persisted-counters.js';
import { createTraffic } from '../../src/outbound/shape/traffic-shaper.js';
import { createWaysOut } from '../../src/outbound/route/egress-pools.js';
import type { Route } from '../../src/outbound/route/mx.rules.js';
import type { HostAnswer } from '../../src/outbound/shape/port-block.rules.js';
import type { Connected, Connector } from '../../src/outbound/deliver/connector.js';
import { failureOf } from '../../src/outbound/outcome/failure.js';
import type { Prepared } from '../../src/outbound/deliver/prepare.js';
import { compileBounceRules } from '../../src/outbound/outcome/bounce-class.rules.js';
import { newClaim } from './new-claim.js';

export interface RigLane {
  domain: string;
  rank?: number;
  subTenantId?: string;
  /** Left in the lane. Default: without end. */
  depth?: number;
}

export interface TrafficRigOptions {
  /** By domain. */
  providers: Record<string, { connector: Connector }>;
  lanes: RigLane[];
  shaping?: unknown;
  outbound?: unknown;
  throttles?: Map<string, number>;
  /** Default: one host, `mx.` before the domain. */
  lookUpRoute?: (domain: string) => Promise<Route>;
  /** Sources that nothing answers; may be changed at any time. */
  cutOff?: ReadonlySet<string>;
  /** What known hosts do with a connection from the source. Default: there are none. */
  tryHosts?: (source: string) => readonly HostAnswer[];
  /** What keeps a message from being composed; default: nothing. */
  prepare?: () => Promise<Prepared>;
  /** How long a message that was refused stays away from its lane. Default: not at all. */
  retryMs?: number;
  /** Default: a fault ends the test. */
  onFault?: (error: unknown) => void;
}

/** One host, `mx.` before the domain. */
export function oneHost(domain: string): Route {
  const host = `mx.${domain}`;
  const hosts = [{ host, preference: 10, addresses: ['198.51.100.1'] }];
  return { kind: 'route', hosts, mxHosts: [host], notes: [] };
}

/** Longer than this nobody waits for a connection. */
const CONNECT_MS = 30_000;

/** A host that drops every packet. */
export async function silence(): Promise<Connected> {
  await new Promise((resolve) => setTimeout(resolve, CONNECT_MS));
  return {
    kind: 'unreachable',
    phase: 'connect',
    error: `no connection within ${CONNECT_MS} ms`,
    host: 'mx.silent.test',
    address: '192.0.2.7',
    tlsPolicy: 'opportunistic',
    conversation: [],
    times: null,
    isOurs: false,
    isSilent: true,
  };
}

/** Until the sweep has returned the leases of a dead worker. */
const LOST_MS = 30_000;

/** Start it under fake timers. */
export function startTrafficRig(options: TrafficRigOptions) {
  const clock = (): number => Date.now();
  const log = createLog('fatal');
  const providers = compileProviders(readShipped('providers'));
  const shaping = compileShaping(readShipped('shaping'), options.shaping ?? null, providers.names);
  const egress = compileEgress(options.outbound ?? null, {
    sourceAddresses: null,
    smarthost: null,
    ehloName: 'mta.sender.test',
    providerNames: providers.names,
  });
  const commit = (): Promise<unknown> => Promise.resolve();
  const keeper = createStateKeeper({ initial: new Map(), commit, clock, log });
  const limits = createLimitsInForce({ initial: [], commit, clock, log });
  const paths = createPaths({
    shaping,
    limits,
    keeper,
    clock,
    onLimits: ({ plan }) => delivery.change(plan.id, plan.limits),
    onForgotten: ({ plan }) => delivery.forget(plan.id),
  });
  const ports = createBlockedPorts({
    limits,
    keeper,
    pausesMs: [300_000],
    tryHosts: (source) => Promise.resolve(options.tryHosts?.(source) ?? []),
    clock,
    log,
    onOpened: () => dispatch.reconsider(),
  });
  const reachability = createReachability({
    limits,
    ports,
    pausesMs: [5_000, 15_000],
    sourcePausesMs: [300_000],
    clock,
    onProbed: () => dispatch.reconsider(),
  });
  const ways = createWaysOut({
    egress,
    paths,
    reachability,
    keeper,
    clock,
    random: () => 0.5,
    externalIdOf: () => null,
    blockedMs: 3 * 3_600_000,
  });
  const router = createRouter({
    lookUpRoute: options.lookUpRoute ?? ((domain) => Promise.resolve(oneHost(domain))),
    lookUpHost: (host) => Promise.resolve(oneHost(host)),
    stsPolicyFor: () => Promise.resolve({ kind: 'none' }),
    daneFor: () => Promise.resolve({ kind: 'insecure', isMxSecure: false }),
    configuredTls: () => 'opportunistic',
    onSkipped: () => undefined,
    providers,
    families: ways.families,
    clock,
  });
  const restrictions: Restriction[] = [...(options.throttles ?? [])].map(([tenantId, perHour]) => ({
    environmentId: 1,
    tenantId,
    perHour,
    isThrottled: false,
    isPaused: false,
    isSuspended: false,
  }));
  const throttles = createThrottles({ initial: restrictions, keeper, reputationPerHour: 60 });
  const inFlight = createInFlight({ ...IN_FLIGHT_DEFAULTS, max: 100 });
  const feedback = createFeedback({
    ...{ ways, paths, limits, reachability, inFlight, throttles, shaping, clock },
    onRecalled: ({ plan }) => delivery.recall(plan.id),
  });
  const traffic = createTraffic({
    router,
    ways,
    paths,
    limits,
    reachability,
    throttles,
    restrictions: () => Promise.resolve(restrictions),
    inFlight,
    feedback,
    pauses: createPauses([]),
    smarthostHosts: new Map([...egress.smarthosts].map(([name, { host }]) => [name, host])),
    sandboxRoom: 100,
    clock,
    onOpened: () => dispatch.reconsider(),
  });

  const lanes = options.lanes.map((lane, index) => ({
    ...lane,
    queueId: index + 1,
    left: lane.depth ?? Infinity,
  }));
  const claims = new Map<number, Claim>();
  const bounceRules = compileBounceRules(readShipped('bounce-rules'), providers);
  const accepted = new Map<number, number[]>();
  let lastId = 0;

  function stateOf(lane: (typeof lanes)[number]): QueueState {
    const { queueId, domain, rank = 1, subTenantId = '' } = lane;
    const dueAt = lane.left > 0 ? 0 : null;
    return { queueId, environmentId: 1, mode: 'live', subTenantKey: subTenantId, domain, rank, dueAt };
  }

  const queue: DispatchDeps['store']['queue'] = {
    lanes: () => Promise.resolve(lanes.map(stateOf)),
    claim: ({ picks }) => {
      const found: Claim[] = [];
      for (const { queueId, limit } of picks) {
        const lane = lanes[queueId - 1];
        for (let i = 0; lane && i < limit && lane.left > 0; i++) {
          lane.left -= 1;
          const { domain, rank = 1, subTenantId = null } = lane;
          found.push({ ...newClaim((lastId += 1)), queueId, domain, rank, subTenantId });
        }
      }
      const states = picks.map(({ queueId }) => ({
        queueId,
        dueAt: (lanes[queueId - 1]?.left ?? 0) > 0 ? 0 : null,
      }));
      return Promise.resolve({ claims: found, lanes: states });
    },
    moveLeases: () => Promise.resolve(),
  };

  function finished(outcome: Outcome): void {
    const claim = claims.get(outcome.messageId);
    if (!claim) return;
    claims.delete(outcome.messageId);
    traffic.ended(claim, outcome, failureOf(outcome.result, bounceRules));
    if (outcome.result.kind === 'accepted') {
      const times = accepted.get(claim.queueId) ?? [];
      accepted.set(claim.queueId, times);
      times.push(clock());
    } else comeBack(claim, outcome.result.kind === 'unattempted' ? 0 : (options.retryMs ?? 0));
    dispatch.release(claim);
    dispatch.ring([claim.queueId]);
    traffic.settled(claim);
  }

  function comeBack({ queueId }: Claim, afterMs: number): void {
    const back = (): void => {
      const lane = lanes[queueId - 1];
      if (lane) lane.left += 1;
      dispatch.ring([queueId]);
    };
    if (afterMs > 0) setTimeout(back, afterMs);
    else back();
  }

  /** Its messages are nobody's until their leases end. */
  function killWorker(): void {
    delivery = openDelivery();
    traffic.workerEnded(known);
    known.clear();
    const lost = [...claims.values()];
    claims.clear();
    for (const claim of lost) {
      dispatch.release(claim);
      comeBack(claim, LOST_MS);
    }
  }

  let workers = 0;
  let delivery = openDelivery();

  function openDelivery(): Delivery {
    const id = (workers += 1);
    const ifAlive = <T>(hear: (value: T) => void): ((value: T) => void) => {
      return (value) => {
        if (id === workers) hear(value);
      };
    };
    return createDelivery({
      preparer: {
        prepare:
          options.prepare ??
          (() =>
            Promise.resolve({
              kind: 'ready',
              mailFrom: 'b@sender.test',
              rcptTo: 'ann@there.test',
              bytes: Buffer.alloc(10),
              signedAt: 0,
              dsn: null,
              eightBit: null,
            })),
      },
      reporter: {
        started: () => undefined,
        intend: () => Promise.resolve(true),
        finished: ifAlive(finished),
        signal: ifAlive((signal) => traffic.hear([signal])),
        ask: (pathId) => delivery.judged(pathId),
        session: () => undefined,
        tls: () => undefined,
      },
      clock,
      waitMs: 10_000,
      connectorOf: ({ source }) => ({
        connect(hosts) {
          if (options.cutOff?.has(source) === true) return silence();
          const provider = options.providers[hosts[0]?.host.replace(/^mx\./, '') ?? ''];
          if (!provider) throw new Error('no such provider in the simulation');
          return provider.connector.connect(hosts);
        },
      }),
      onFault(error) {
        if (!options.onFault) throw error;
        options.onFault(error);
      },
    });
  }

  const known = new Set<number>();
  const dispatch = createDispatch({
    store: { queue },
    clock,
    log,
    owner: 'here',
    settings: { claimBatch: 200, maxInFlight: 1_000, leaseMs: 3_600_000, lookMs: 30_000 },
    gate: traffic,
    live(batch) {
      for (const claim of batch) void hand(claim);
    },
    sandbox: () => undefined,
  });

  async function hand(claim: Claim): Promise<void> {
    const planned = await traffic.plan(claim);
    if (planned.kind === 'later') {
      comeBack(claim, 0);
      dispatch.release(claim);
      traffic.settled(claim);
      return;
    }
    claims.set(claim.messageId, claim);
    const { path, route } = planned;
    const isNew = !known.has(path.id);
    known.add(path.id);
    const { messageId, rank } = claim;
    const given: WorkerClaim = {
      messageId,
      rank,
      isFirst: true,
      requireTls: false,
      pathId: path.id,
      route: 0,
    };
    delivery.deliver({ claims: [given], routes: [route], paths: isNew ? [path] : [] });
  }

  return {
    traffic,
    dispatch,
    limits,
    inFlight,
    paths,
    keeper,
    /** The sessions of a worker end with it, and what is in its hands comes again. */
    killWorker,
    /** In somebody's hands. */
    carried: () => claims.size,
    /** Times (epoch ms) at which messages of the lane were accepted. */
    acceptedIn: (lane: number): readonly number[] => accepted.get(lane + 1) ?? [],
    start: () => dispatch.start(),
    async stop() {
      const stopping = Promise.all([dispatch.stop(), delivery.drain()]);
      return stopping;
    },
  };
}
