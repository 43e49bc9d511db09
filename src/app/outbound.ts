// Wires the outbound path: queue -> transports -> settle, and the sweep that returns stale leases.
import { readShipped } from '../settings/shipped.js';
import type { Config } from '../settings/settings.js';
import type { Clock } from '../lib/runtime/clock.js';
import type { Keys } from '../lib/runtime/key-files.js';
import type { Log } from '../lib/runtime/log.js';
import type { DnsResolver } from '../lib/dns/resolver.js';
import type { OutboundRules } from '../outbound/route/outbound-rules.js';
import type { TrafficView } from '../outbound/schedule/queue.routes.js';
import { createOutboundTraffic } from './outbound-traffic.js';
import { compileBounceRules } from '../outbound/outcome/bounce-class.rules.js';
import { compileSimulator } from '../outbound/simulator/simulator.rules.js';
import type { Committed } from '../store/plan.js';
import type { Claim } from '../outbound/schedule/queue.store.js';
import type { Store } from '../store/store.js';
import type { KeyGeneration } from '../outbound/deliver/key-generation.js';
import { expireOverdue, type ExpireDeps } from '../outbound/schedule/expire.js';
import { recoverLeases, type RecoverDeps } from '../outbound/schedule/recover.js';
import type { OutcomeSettings } from '../outbound/outcome/outcome-rows.js';
import { createSimulatedReplies } from '../outbound/simulator/simulated-replies.js';
import { createSimulatorTransport } from '../outbound/simulator/simulator.js';
import { createMtaTransport } from '../outbound/deliver/transport.js';
import { createDispatch } from '../outbound/schedule/dispatch.js';
import type { Dane } from '../outbound/route/dane.js';
import type { StsPolicies } from '../outbound/route/sts-policies.js';
import { createSourceView } from '../outbound/route/source-view.js';
import { createTlsCounts } from '../outbound/outcome/tls-counts.js';
import type { TenantControls } from '../outbound/shape/traffic-shaper.js';

const LEASE_SWEEP_MS = 30_000;
/** How often limits that have expired are looked for. */
const TICK_MS = 1_000;

export interface OutboundDeps {
  store: Store;
  config: Config;
  keys: Keys;
  rules: OutboundRules;
  resolver: DnsResolver;
  sts: Pick<StsPolicies, 'policyFor'>;
  /** Null: DANE is off. */
  dane: Dane | null;
  /** Raised when DKIM keys have moved. */
  keyGeneration: KeyGeneration;
  databaseFile: string;
  busyTimeoutMs: number;
  clock: Clock;
  log: Log;
  /** Rung when something was appended to the event chains. */
  ringEvents: () => void;
  /** Rung when the sandbox has spooled an answer. */
  ringInbound: () => void;
}

export interface Outbound {
  /** Settles what a former process left, then delivers. */
  start(): Promise<void>;
  /** Lanes that have just received mail. */
  ring(queueIds: readonly number[]): void;
  /** For the API: what is in force, and how to change it. */
  traffic: TrafficView;
  /** What holds sub-tenants back: told when their rows have changed. */
  tenants: TenantControls;
  /** The operator's own id of a sub-tenant, which routes may name; null: none. */
  nameTenant(tenantId: string, externalId: string | null): void;
  stop(): Promise<void>;
}

export async function createOutbound(deps: OutboundDeps): Promise<Outbound> {
  const { store, config, keys, rules, clock, log } = deps;
  const owner = `${config.hostname}/${process.pid}/${clock()}`;
  const { smarthosts } = rules.egress;
  const settings: OutcomeSettings = {
    retryScheduleMs: config.retryScheduleMs,
    ambiguousHoldMs: config.ambiguousHoldMs,
    ambiguousTransactional: config.ambiguousTransactional,
    ambiguousMarketing: config.ambiguousMarketing,
    ambiguousRetryLimit: config.ambiguousRetryLimit,
    holdMs: config.holdMs,
    greylistMs: [config.greylistRetryMs, 2 * config.greylistRetryMs],
    blockedRetryMs: config.blockedRetryMs,
    blockedRetries: config.blockedRetries,
    delayWarningMs: config.delayWarningMs,
    deadDomainRecheckMs: config.deadDomainRecheckMs,
    rules: compileBounceRules(readShipped('bounce-rules'), rules.providers),
  };
  const tlsCounts = createTlsCounts({ add: (results) => store.tlsReports.add(results), clock, log });
  const { traffic, pauses, limits, keeper, externalIds } = await createOutboundTraffic({
    store,
    config,
    resolver: deps.resolver,
    rules,
    sts: deps.sts,
    dane: deps.dane,
    clock,
    log,
    onLimits: ({ group, plan }) => transport.change(group, plan.id, plan.limits),
    onRecalled: ({ group, plan }) => transport.recall(group, plan.id),
    onForgotten: ({ group, plan }) => transport.forget(group, plan.id),
    onOpened: () => dispatch.reconsider(),
    onTls: (results) => tlsCounts.add(results),
  });
  const onCommitted = (committed: Committed): void => {
    if (committed.queueIds.length > 0) dispatch.ring(committed.queueIds);
    deps.ringEvents();
  };
  /** Their leases end now, so that the next sweep settles them as what their rows say: doubtful or untouched. */
  const onLost = (claims: Claim[]): void => {
    const ids = claims.map((claim) => claim.messageId);
    for (const claim of claims) dispatch.release(claim);
    store.queue
      .moveLeases(ids, owner, 0)
      .catch((error: unknown) => log.error({ err: error }, 'lost leases run out by themselves'));
  };
  const transport = createMtaTransport({
    store,
    clock,
    log,
    owner,
    workers: config.mtaWorkers,
    workerSettings: {
      databaseFile: deps.databaseFile,
      busyTimeoutMs: deps.busyTimeoutMs,
      masterKey: keys.masterKey,
      keyGeneration: deps.keyGeneration.shared,
      tokenKey: keys.tokenKeys.active,
      config,
      smarthosts: [...smarthosts].map(([name, smarthost]) => ({ ...smarthost, name })),
    },
    settings,
    traffic: {
      plan: (claim) => traffic.plan(claim),
      hear: (signals) => traffic.hear(signals),
      ended: (claim, outcome, failure) => traffic.ended(claim, outcome, failure),
      tls: (results) => tlsCounts.add(results),
      workerEnded: (pathIds) => traffic.workerEnded(pathIds),
    },
    onSettled(claim) {
      dispatch.release(claim);
      traffic.settled(claim);
    },
    onLost,
    onCommitted,
  });
  const dispatch = createDispatch({
    store,
    clock,
    log,
    owner,
    settings: {
      claimBatch: config.queueClaimBatch,
      maxInFlight: config.mtaInFlight,
      leaseMs: config.queueLeaseMs,
      lookMs: config.queuePollMs,
    },
    gate: traffic,
    live: (claims) => transport.deliver(claims),
    sandbox(claims) {
      traffic.played(claims);
      simulate(claims);
    },
  });
  const simulate = createSimulatorTransport({
    store,
    simulator: compileSimulator(readShipped('simulator')),
    replies: createSimulatedReplies({
      store,
      tokenKey: keys.tokenKeys.active,
      inboundDomain: config.inboundDomain,
    }),
    publicUrl: config.publicUrl,
    clock,
    log,
    onSettled: (claim) => dispatch.release(claim),
    onHeld: (claim) => traffic.heldBack(claim),
    onLost,
    onCommitted,
    onSpooled: deps.ringInbound,
  });
  const recover: RecoverDeps = {
    store,
    clock,
    log,
    settings,
    viaOf: (source) => (source !== null && smarthosts.has(source) ? 'smarthost' : 'mta'),
    onCommitted,
  };
  const expiry: ExpireDeps = {
    store,
    clock,
    log,
    owner,
    leaseMs: config.queueLeaseMs,
    graceMs: config.expiryGraceMs,
    lifetimes: config,
    why: (lane) => traffic.why(lane),
    onCommitted,
  };
  let tick: NodeJS.Timeout | null = null;
  let sweep: NodeJS.Timeout | null = null;
  let isSweeping = false;

  /** One at a time: two that read the same stale lease would both give it back. */
  async function sweepLeases(): Promise<void> {
    if (isSweeping) return;
    isSweeping = true;
    try {
      await dispatch.keepLeases();
      await recoverLeases(recover, clock());
      await expireOverdue(expiry);
      traffic.forgetIdle();
    } finally {
      isSweeping = false;
    }
  }

  return {
    async start() {
      // One server per data folder: whoever holds a lease now is dead.
      await recoverLeases(recover, Number.MAX_SAFE_INTEGER);
      transport.start();
      await dispatch.start();
      tick = setInterval(() => traffic.tick(), TICK_MS);
      sweep = setInterval(
        () => {
          sweepLeases().catch((error: unknown) => log.error({ err: error }, 'lease sweep fault'));
        },
        Math.min(LEASE_SWEEP_MS, config.queueLeaseMs / 3, config.expiryGraceMs),
      );
    },
    ring: (queueIds) => dispatch.ring(queueIds),
    traffic: {
      reasonFor: (lane) => traffic.why(lane),
      overrides: () => traffic.overrides(),
      sources: createSourceView({
        egress: rules.egress,
        keeper,
        overrides: () => traffic.overrides(),
        clock,
      }),
      removeOverride: (id) => traffic.removeOverride(id),
      pause: (row) => pauses.put(row),
      resume(key) {
        pauses.remove(key);
        dispatch.reconsider();
      },
      ring(queueIds) {
        dispatch.ring(queueIds);
        dispatch.reconsider();
      },
      probe: (domain) => traffic.probe(domain),
      providerOf: (domain) => traffic.destinationOf(domain)?.provider ?? null,
    },
    tenants: traffic.tenants,
    nameTenant(tenantId, externalId) {
      if (externalId === null) externalIds.delete(tenantId);
      else externalIds.set(tenantId, externalId);
      dispatch.reconsider();
    },
    async stop() {
      if (sweep) clearInterval(sweep);
      if (tick) clearInterval(tick);
      await dispatch.stop();
      await transport.stop();
      await keeper.stop();
      await limits.settled();
      await tlsCounts.stop();
    },
  };
}
