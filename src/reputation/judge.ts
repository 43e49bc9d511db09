// Plan for a sub-tenant's score: changes its reputation state and notifies, guarded by the state before.
import {
  exceededLevel,
  pauseFor,
  reputationState,
  type PauseRate,
  type ReputationLevels,
  type ReputationState,
} from './reputation.rules.js';
import { reputationRates, type ReputationSums } from '../tenants/reputation-rates.rules.js';
import type { Config } from '../settings/settings.js';
import type { EnvironmentRef } from '../accounts/accounts.store.js';
import type { TenantScore } from './reputation.store.js';
import { tenantEntry } from '../tenants/tenant-entry.store.js';
import type { Change } from '../database/change.js';
import { type RowChange, type Where, update } from '../database/rows.js';
import { tenantReputations } from '../tenants/tenants.tables.js';

const DAY_MS = 86_400_000;
const MOVED_MEANWHILE = { code: 'conflict' } as const;

export type ReputationConfig = Pick<
  Config,
  | 'reputationWindowMs'
  | 'reputationMinDelivered'
  | 'reputationWarnComplaint'
  | 'reputationThrottleComplaint'
  | 'reputationThrottlePerHour'
  | 'reputationClear'
  | 'reputationPauseComplaint'
  | 'reputationPauseBounce'
>;

export interface Move {
  subTenantId: string;
  plan: Change[];
  state: ReputationState;
  isPaused: boolean;
}

export function reputationLevels(config: ReputationConfig): ReputationLevels {
  return {
    minDelivered: config.reputationMinDelivered,
    warn: config.reputationWarnComplaint,
    throttle: config.reputationThrottleComplaint,
    recoveryRatio: config.reputationClear,
    pauseComplaint: config.reputationPauseComplaint,
    pauseBounce: config.reputationPauseBounce,
  };
}

/** Returns `null` if the reputation does not change. Its row must have been recorded. */
export function judge(
  score: TenantScore,
  config: ReputationConfig,
  environment: EnvironmentRef,
  now: number,
): Move | null {
  const levels = reputationLevels(config);
  const before = score.reputation?.state ?? 'ok';
  const state = reputationState(before, score, levels);
  const isAlreadyPaused = score.reputation !== null && score.reputation.paused_at !== null;
  // After a resume, earlier counts do not cause another pause.
  const pause = isAlreadyPaused ? null : pauseFor(score.sinceResumed ?? score, levels);
  if (state === before && pause === null) return null;
  const plan: Change[] = [];
  if (state !== before) {
    plan.push(
      moveReputation(environment, score, { state, changed_at: now }, { state: before }),
      trailEntry(environment, score, now, { ...stateEvent(before, state), config }),
    );
  }
  if (pause !== null) {
    const set = { paused_at: now, pause_cause: pause, changed_at: now };
    plan.push(
      moveReputation(environment, score, set, { paused_at: null }),
      trailEntry(environment, score, now, { ...pauseEvent(pause, score), config }),
    );
  }
  return { subTenantId: score.subTenantId, plan, state, isPaused: pause !== null };

  function stateEvent(from: ReputationState, to: ReputationState) {
    if (to === 'throttled') {
      const perHour = config.reputationThrottlePerHour;
      return { event: 'tenant_throttled', extra: { threshold: levels.throttle, per_hour: perHour } } as const;
    }
    if (from === 'ok') return { event: 'tenant_warned', extra: { threshold: levels.warn } } as const;
    const threshold = (exceededLevel(from, levels) ?? 0) * levels.recoveryRatio;
    return { event: 'tenant_recovered', extra: { threshold: rounded(threshold), from, to } } as const;
  }

  function pauseEvent(cause: PauseRate, { sinceResumed }: TenantScore) {
    const threshold = cause === 'complaint_rate' ? levels.pauseComplaint : levels.pauseBounce;
    const since = sinceResumed === null ? {} : { since_resumed: rateMetadata(sinceResumed) };
    return { event: 'tenant_paused', extra: { cause, threshold, ...since } } as const;
  }
}

function moveReputation(
  { environmentId }: EnvironmentRef,
  { subTenantId }: TenantScore,
  set: RowChange<typeof tenantReputations>,
  before: Where<typeof tenantReputations>,
): Change {
  const where = { environment_id: environmentId, sub_tenant_id: subTenantId, ...before };
  return update(tenantReputations, { set, where, otherwise: MOVED_MEANWHILE });
}

interface Notice {
  event: 'tenant_warned' | 'tenant_throttled' | 'tenant_recovered' | 'tenant_paused';
  extra: Record<string, unknown>;
  config: ReputationConfig;
}

function trailEntry(
  environment: EnvironmentRef,
  score: TenantScore,
  now: number,
  { event, extra, config }: Notice,
): Change {
  const metadata = { ...rateMetadata(score), window_days: config.reputationWindowMs / DAY_MS, ...extra };
  const trail = { ...environment, subTenantId: score.subTenantId };
  return tenantEntry(trail, { event, actor: 'worker', at: now, metadata });
}

function rateMetadata(sums: ReputationSums): Record<string, number | null> {
  const { complaint, bounce } = reputationRates(sums);
  const { sent, delivered, bounced, complained } = sums;
  return {
    complaint_rate: complaint,
    bounce_rate: bounce,
    complaints: complained,
    delivered,
    bounces: bounced,
    sent,
  };
}

/** Rounds, because 0.8 times 0.003 is not 0.0024 in binary. */
function rounded(rate: number): number {
  return Math.round(rate * 1e6) / 1e6;
}
