// Corrects due times, leases and locks that were written while the clock was ahead and would otherwise last for days. They are
// capped at startup and whenever the clock is set back. Attempts that began earlier still record the wrong time when they end, so
// capping continues for as long as an attempt may last.
import type { Job } from '../lib/concurrency/index.js';
import type { Config } from '../settings/settings.js';
import type { OperationContext } from './context.js';
import { webhookLeaseMs } from '../webhooks/deliveries/lease.rules.js';
import type { LongestWaits } from './due-times.store.js';

const HOUR_MS = 3_600_000;
/** Waits vary by up to 20 %. The rest is slack. */
const SPREAD = 1.5;
/** The longest wait that a peer's reply can cause (retry-schedule.rules.ts). */
const HINT_MS = 4 * HOUR_MS;
/** Usual NTP corrections are smaller (ms). */
const JUMP_MS = 60_000;
/** Interval (ms) of clock checks, because the clock may jump ahead and back between two runs of the job. */
const LOOK_MS = 1_000;

export type WaitSettings = Pick<
  Config,
  | 'retryScheduleMs'
  | 'webhookScheduleMs'
  | 'ambiguousHoldMs'
  | 'blockedRetryMs'
  | 'greylistRetryMs'
  | 'holdMs'
  | 'queueLeaseMs'
  | 'webhookTimeoutMs'
  | 'signInLockMs'
>;

/** Returns the longest waits that the settings allow. */
export function longestWaits(config: WaitSettings): LongestWaits {
  const { retryScheduleMs, webhookScheduleMs, ambiguousHoldMs, blockedRetryMs, greylistRetryMs, holdMs } =
    config;
  const retries = [...retryScheduleMs, HINT_MS, ambiguousHoldMs, blockedRetryMs, 2 * greylistRetryMs, holdMs];
  return {
    firstAttemptMs: SPREAD * Math.max(holdMs, JUMP_MS),
    retryMs: SPREAD * Math.max(...retries),
    webhookMs: SPREAD * Math.max(...webhookScheduleMs, HOUR_MS),
    // The waits of inbound mail grow from seconds to hours.
    inboundMs: 24 * HOUR_MS,
    // Another node may write leases at the same time, with a slightly faster clock.
    queueLeaseMs: config.queueLeaseMs + JUMP_MS,
    webhookLeaseMs: webhookLeaseMs(config.webhookTimeoutMs) + JUMP_MS,
    signInLockMs: config.signInLockMs + JUMP_MS,
    // A report is due some hours after its day ends, and retried for a day.
    tlsReportMs: 48 * HOUR_MS,
  };
}

/** `monotonic` returns the milliseconds of a clock that never jumps. */
export function createClockJumps(
  { store, config, clock, log }: Pick<OperationContext, 'store' | 'clock' | 'log'> & { config: WaitSettings },
  monotonic = () => performance.now(),
) {
  const waits = longestWaits(config);
  const offset = (): number => clock() - monotonic();
  /** Furthest that the clock was ahead since the last run. */
  let highestMs = offset();
  let capUntil = -Infinity;

  function look(): void {
    highestMs = Math.max(highestMs, offset());
  }
  let looking: NodeJS.Timeout | null = null;

  async function cap(): Promise<void> {
    const capped = await store.dueTimes.cap(clock(), waits);
    if (Object.values(capped).every((count) => count === 0)) return;
    log.warn(capped, 'clock was ahead: implausible due times reset to now');
  }

  const job: Job = {
    name: 'clock',
    at: 'minute',
    async run() {
      const seen = offset();
      if (seen < highestMs - JUMP_MS) {
        log.warn({ back_ms: Math.round(highestMs - seen) }, 'clock was set back');
        capUntil = monotonic() + config.queueLeaseMs + JUMP_MS;
      }
      if (monotonic() <= capUntil) await cap();
      // Set only after the work succeeded, so that the next run repeats failed work.
      highestMs = seen;
    },
    stop() {
      if (looking !== null) clearInterval(looking);
    },
  };
  return {
    async capAtStart() {
      looking ??= setInterval(look, LOOK_MS).unref();
      await cap();
    },
    /** Checks whether the clock is ahead. */
    look,
    job,
  };
}
