// Runs one job that deletes rows by age, with the default settings unless others are given.
import type { OperationContext } from '../../src/operations/context.js';
import type { Clock } from '../../src/lib/runtime/index.js';
import { ageLimits, deleteByAge, type AgeSettings } from '../../src/operations/retention/age-limits.js';
import type { Store } from '../../src/app/store.js';

const DAY = 86_400_000;
const SETTINGS: AgeSettings = {
  auditKeepMs: 365 * DAY,
  requestLogKeepMs: 7 * DAY,
  sessionIdleMs: 7 * DAY,
  webhookKeepMs: 30 * DAY,
  inboundKeepMs: 30 * DAY,
  transferKeepMs: 7 * DAY,
  attemptKeepMs: 90 * DAY,
};

/** Runs the job; returns the number of rows that it counted. */
export function forgettingOf(
  store: Store,
  job: string,
  options: {
    clock: Clock;
    limiterKeepMs?: number;
    transfers?: OperationContext['transfers'];
  } & Partial<AgeSettings>,
): (signal?: AbortSignal) => Promise<number> {
  const { clock, limiterKeepMs = 60 * DAY, transfers, ...settings } = options;
  const none = { forgetFinished: () => Promise.resolve(0), removeOrphans: () => Promise.resolve() };
  const limits = ageLimits(
    {
      store,
      incidents: store.alerts,
      transfers: transfers ?? none,
      accountImports: none,
      config: { ...SETTINGS, ...settings },
    },
    limiterKeepMs,
  ).filter((limit) => limit.job === job);
  if (limits.length === 0) throw new Error(`There is no job ${job}.`);
  return (signal) => deleteByAge(limits, { store, clock }, signal);
}
