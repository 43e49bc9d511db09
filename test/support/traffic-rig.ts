// The real path of a message from the scheduler to the session, in simulated time and without a store: traffic shaper, dispatch,
// path pools and sites. Queues never run dry.
import { compileShaping } from '../../src/outbound/shape/shaping.rules.js';
import { compileEgress } from '../../src/outbound/route/egress-data.rules.js';
import { compileProviders } from '../../src/outbound/route/provider.rules.js';
import { wasAttempted, type Outcome } from '../../src/outbound/outcome/attempt.rules.js';
import { readShipped } from '../../src/settings/shipped.js';
import { createLog } from '../../src/lib/runtime/index.js';
import type { Claim, QueueState } from '../../src/outbound/schedule/queue.store.js';
import type { Restriction } from '../../src/tenants/restrictions.store.js';
import type { WorkerClaim } from '../../src/outbound/deliver/worker-messages.js';
import { Delivery } from '../../src/outbound/deliver/delivery.js';
import type { InFlight } from '../../src/outbound/schedule/admission.js';
import { Dispatch, type DispatchContext } from '../../src/outbound/schedule/dispatch.js';
import { WakeUp } from '../../src/outbound/schedule/wake-up.js';
import { createShaper } from '../../src/outbound/shape/create-shaper.js';
import type { PathSessions } from '../../src/outbound/shape/paths.js';
import type { Route } from '../../src/outbound/route/mx.rules.js';
import type { HostAnswer } from '../../src/outbound/shape/port-block.rules.js';
import type { Connected, Connector } from '../../src/outbound/deliver/connector.js';
import { classifyFailure } from '../../src/outbound/outcome/failure.js';
import type { Prepared } from '../../src/outbound/deliver/prepare.js';
import { compileBounceRules } from '../../src/outbound/outcome/bounce-class.rules.js';
import { noEngagement } from './no-engagement.js';
import { newClaim } from './new-claim.js';

interface RigQueue {
  domain: string;
  rank?: number;
  subTenantId?: string;
  /** Messages in the queue; unlimited by default. */
  depth?: number;
}

export interface TrafficRigOptions {
  /** By domain. */
  providers: Record<string, { connector: Connector }>;
  queues: RigQueue[];
  shaping?: unknown;
  outbound?: unknown;
  throttles?: Map<string, number>;
  /** One host by default, `mx.` before the domain. */
  lookUpRoute?: (domain: string) => Promise<Route>;
  /** Sources that get no responses; can be changed at any time. */
  cutOff?: ReadonlySet<string>;
  /** Reactions of known hosts to a connection from the source. By default there are no hosts. */
  tryHosts?: (source: string) => readonly HostAnswer[];
  /** Delays or prevents composing a message; nothing by default. */
  prepare?: () => Promise<Prepared>;
  /** How long a refused message stays away from its queue. Not at all by default. */
  retryMs?: number;
  /** By default, a fault ends the test. */
  onFault?: (error: unknown) => void;
}

/** One host, `mx.` before the domain. */
export function oneHost(domain: string): Route {
  const host = `mx.${domain}`;
  const hosts = [{ host, preference: 10, addresses: ['198.51.100.1'] }];
  return { kind: 'route', hosts, mxHosts: [host], notes: [] };
}

/** The longest wait for a connection. */
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
export async function startTrafficRig(options: TrafficRigOptions) {
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
  const bounceRules = compileBounceRules(readShipped('bounce-rules'), providers);
  const restrictions: Restriction[] = [...(options.throttles ?? [])].map(([tenantId, perHour]) => ({
    environmentId: 1,
    tenantId,
    perHour,
    isThrottled: false,
    isPaused: false,
    isSuspended: false,
  }));
  const wakeUp = new WakeUp();
  const sessions: PathSessions = {
    change: ({ plan }) => delivery.change(plan.id, plan.limits),
    recall: ({ plan }) => delivery.recall(plan.id),
    forget: ({ plan }) => delivery.forget(plan.id),
  };
  const { shaper, tenants, limits, window, paths, counters } = await createShaper({
    rules: { providers, bounces: bounceRules, shaping, egress },
    settings: {
      destinationInFlight: 100,
      mtaInFlight: 400,
      breakerPausesMs: [5_000, 15_000],
      sourcePausesMs: [300_000],
      reputationThrottlePerHour: 60,
      blockedRetryMs: 2 * 3_600_000,
    },
    stored: {
      ...{ overrides: [], counters: new Map(), pauses: [], externalIds: new Map(), isHeld: false },
      ...{ suspendedSources: [], operatorRoutes: [], routeShares: [] },
    },
    restrictions: () => Promise.resolve(restrictions),
    routing: {
      lookUpRoute: options.lookUpRoute ?? ((domain) => Promise.resolve(oneHost(domain))),
      lookUpHost: (host) => Promise.resolve(oneHost(host)),
      stsPolicyFor: () => Promise.resolve({ kind: 'none' }),
      daneFor: () => Promise.resolve({ kind: 'insecure', isMxSecure: false }),
    },
    tryHosts: (source) => Promise.resolve(options.tryHosts?.(source) ?? []),
    engagement: noEngagement,
    commit: () => Promise.resolve(),
    tlsCounts: { add: () => undefined },
    random: () => 0.5,
    ...{ sessions, wakeUp, clock, log },
  });

  const waiting = options.queues.map((queue, index) => ({
    ...queue,
    queueId: index + 1,
    left: queue.depth ?? Infinity,
  }));
  const handed = new Map<number, InFlight>();
  const accepted = new Map<number, number[]>();
  let lastId = 0;

  function stateOf(queue: (typeof waiting)[number]): QueueState {
    const { queueId, domain, rank = 1, subTenantId = '' } = queue;
    const dueAt = queue.left > 0 ? 0 : null;
    const key = { environmentId: 1, subTenantKey: subTenantId, domain, rank };
    return { ...key, queueId, mode: 'live', side: null, dueAt };
  }

  const queueStore: DispatchContext['store']['queue'] = {
    queues: () => Promise.resolve(waiting.map(stateOf)),
    waitingQueues: ({ after, limit }) => Promise.resolve(waiting.slice(after, after + limit).map(stateOf)),
    claim: ({ picks }) => {
      const found: Claim[] = [];
      for (const { queueId, limit } of picks) {
        const queue = waiting[queueId - 1];
        for (let i = 0; queue && i < limit && queue.left > 0; i++) {
          queue.left -= 1;
          const { domain, rank = 1, subTenantId = null } = queue;
          found.push({ ...newClaim((lastId += 1)), queueId, domain, rank, subTenantId });
        }
      }
      const states = picks.map(({ queueId }) => ({
        queueId,
        dueAt: (waiting[queueId - 1]?.left ?? 0) > 0 ? 0 : null,
      }));
      return Promise.resolve({ claims: found, queues: states, tats: new Map() });
    },
    moveLeases: () => Promise.resolve(),
    endClaim: () => Promise.resolve(),
    releaseThrottle: () => Promise.resolve(null),
  };

  function finished(outcome: Outcome): void {
    const entry = handed.get(outcome.messageId);
    if (!entry) return;
    const { claim } = entry;
    handed.delete(outcome.messageId);
    shaper.ended(entry, outcome, classifyFailure(outcome.result, bounceRules));
    if (outcome.result.kind === 'accepted') {
      const times = accepted.get(claim.queueId) ?? [];
      accepted.set(claim.queueId, times);
      times.push(clock());
    } else comeBack(claim, outcome.result.kind === 'unattempted' ? 0 : (options.retryMs ?? 0));
    dispatch.end(entry, wasAttempted(outcome.result));
    dispatch.notify([claim.queueId]);
  }

  function comeBack({ queueId }: Claim, afterMs: number): void {
    const back = (): void => {
      const queue = waiting[queueId - 1];
      if (queue) queue.left += 1;
      dispatch.notify([queueId]);
    };
    if (afterMs > 0) setTimeout(back, afterMs);
    else back();
  }

  /** No worker has its messages until their leases end. */
  function killWorker(): void {
    delivery = openDelivery();
    shaper.workerEnded(known);
    known.clear();
    const lost = [...handed.values()];
    handed.clear();
    dispatch.lose(lost, true);
    for (const { claim } of lost) comeBack(claim, LOST_MS);
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
    return new Delivery({
      preparer: {
        prepare:
          options.prepare ??
          (() =>
            Promise.resolve({
              kind: 'ready',
              mailFrom: 'b@sender.test',
              rcptTo: 'ann@there.test',
              bytes: Buffer.alloc(10),
              datedAt: 0,
              signedAt: 0,
              dsn: null,
              eightBit: null,
            })),
      },
      reporter: {
        started: () => undefined,
        intend: () => Promise.resolve(true),
        finished: ifAlive(finished),
        signal: ifAlive((signal) => shaper.observe([signal])),
        ask: (pathId) => delivery.resume(pathId),
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
  const dispatch = new Dispatch(
    {
      store: { queue: queueStore },
      config: { queueClaimBatch: 200, mtaInFlight: 1_000, queueLeaseMs: 3_600_000, queuePollMs: 30_000 },
      owner: 'here',
      ...{ wakeUp, clock, log },
    },
    shaper,
  );
  const live = {
    deliver(entries: readonly InFlight[]): void {
      for (const entry of entries) void hand(entry);
    },
  };

  async function hand(entry: InFlight): Promise<void> {
    const { claim } = entry;
    const planned = await shaper.plan(entry);
    if (planned.kind === 'replan') {
      comeBack(claim, 0);
      dispatch.end(entry, false);
      return;
    }
    handed.set(claim.messageId, entry);
    const { path, route } = planned;
    const isNew = !known.has(path.id);
    known.add(path.id);
    const { messageId, queueId, dueAt, rank } = claim;
    const given: WorkerClaim = {
      messageId,
      queueId,
      dueAt,
      rank,
      isFirst: true,
      requireTls: false,
      pathId: path.id,
      route: 0,
    };
    delivery.deliver({ claims: [given], routes: [route], paths: isNew ? [path] : [] });
  }

  return {
    shaper,
    tenants,
    dispatch,
    limits,
    window,
    paths,
    counters,
    /** The sessions of a worker end with it, and its messages return. */
    killWorker,
    /** Messages that a worker has. */
    carried: () => handed.size,
    /** Times (epoch ms) at which messages of the queue were accepted. */
    acceptedIn: (queue: number): readonly number[] => accepted.get(queue + 1) ?? [],
    start: () => dispatch.start({ live, sandbox: { deliver: () => undefined } }),
    async stop() {
      const stopping = Promise.all([dispatch.stop(), delivery.drain()]);
      return stopping;
    },
  };
}
