// Wires the outbound path: queue -> transports -> settle, and the sweep that returns stale leases.
import { readShipped } from './runtime/config/shipped.js';
import type { Config } from './runtime/config/schema.js';
import type { Clock } from './runtime/clock.js';
import type { Keys } from './runtime/key-files.js';
import type { Log } from './runtime/log.js';
import { compileBounceRules } from './rules/bounce-class.js';
import { compileSimulator } from './rules/simulator.js';
import type { Committed } from './store/plan.js';
import type { Claim } from './store/queue.js';
import type { Store } from './store/store.js';
import { recoverLeases, type RecoverDeps } from './work/mta/recover.js';
import type { SettleSettings } from './work/mta/settle.js';
import { createSimulatorTransport } from './work/mta/simulator.js';
import { createMtaTransport } from './work/mta/transport.js';
import { createDispatch } from './work/queue/dispatch.js';

const LEASE_SWEEP_MS = 30_000;

export interface OutboundDeps {
  store: Store;
  config: Config;
  keys: Keys;
  databaseFile: string;
  busyTimeoutMs: number;
  clock: Clock;
  log: Log;
  /** Rung when something was appended to the event chains. */
  ringEvents: () => void;
}

export interface Outbound {
  /** Settles what a former process left, then delivers. */
  start(): Promise<void>;
  /** Lanes that have just received mail. */
  ring(laneIds: readonly number[]): void;
  stop(): Promise<void>;
}

export function createOutbound(deps: OutboundDeps): Outbound {
  const { store, config, keys, clock, log } = deps;
  const owner = `${config.hostname}/${process.pid}/${clock()}`;
  const bounceRules = readShipped('bounce-rules');
  const settings: SettleSettings = {
    retryScheduleMs: config.retryScheduleMs,
    ambiguousHoldMs: config.ambiguousHoldMs,
    ambiguousTransactional: config.ambiguousTransactional,
    ambiguousMarketing: config.ambiguousMarketing,
    ambiguousRetryLimit: config.ambiguousRetryLimit,
    holdMs: config.holdMs,
    rules: compileBounceRules(bounceRules),
  };
  const onCommitted = (committed: Committed): void => {
    if (committed.laneIds.length > 0) dispatch.ring(committed.laneIds);
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
      tokenKey: keys.tokenKeys.active,
      config,
      bounceRules,
    },
    settings,
    onSettled: (claim) => dispatch.release(claim),
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
      maxPerDomain: config.destinationInFlight,
      leaseMs: config.queueLeaseMs,
      lookMs: config.queuePollMs,
    },
    live: (claims) => transport.deliver(claims),
    sandbox: createSimulatorTransport({
      store,
      simulator: compileSimulator(readShipped('simulator')),
      clock,
      log,
      onSettled: (claim) => dispatch.release(claim),
      onLost,
      onCommitted,
    }),
  });
  const recover: RecoverDeps = {
    store,
    clock,
    log,
    settings,
    via: config.smarthost === null ? 'mta' : 'smarthost',
    onCommitted,
  };
  let sweep: NodeJS.Timeout | null = null;
  let isSweeping = false;

  /** One at a time: two that read the same stale lease would both give it back. */
  async function sweepLeases(): Promise<void> {
    if (isSweeping) return;
    isSweeping = true;
    try {
      await dispatch.keepLeases();
      await recoverLeases(recover, clock());
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
      sweep = setInterval(
        () => {
          sweepLeases().catch((error: unknown) => log.error({ err: error }, 'lease sweep fault'));
        },
        Math.min(LEASE_SWEEP_MS, config.queueLeaseMs / 3),
      );
    },
    ring: (laneIds) => dispatch.ring(laneIds),
    async stop() {
      if (sweep) clearInterval(sweep);
      await dispatch.stop();
      await transport.stop();
    },
  };
}
