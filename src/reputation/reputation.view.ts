// View of a sub-tenant's reputation in /v1.
import { presentReputationState } from '../domains/sub-tenants/sub-tenant.view.js';
import { REPUTATION_EVENTS, type SubTenantReputationWire } from './reputation.schema.js';
import { noSums, type Sums } from '../analytics/analytics.schema.js';
import { reputationRates } from '../tenants/reputation-rates.rules.js';
import { readDetail } from '../events/events.store.js';
import type { SubTenant } from '../tenants/tenants.store.js';
import { reputationLevels, type ReputationConfig } from './judge.js';
import { iso, isoOrNull } from '../contract/time.js';
import type { StoredEvent } from '../events/events.tables.js';

const DAY_MS = 86_400_000;
const NOTHING_COUNTED = { sent: 0, delivered: 0, bounced: 0, complained: 0 };
type ReputationChange = SubTenantReputationWire['changes'][number];

interface ReputationFacts {
  tenant: SubTenant;
  settings: ReputationConfig;
  isLive: boolean;
  days: ReadonlyMap<number, Sums>;
  /** Days since the epoch. */
  today: number;
  dayCount: number;
  /** Events of the sub-tenant, newest first. */
  trail: readonly StoredEvent[];
}

export function presentReputation(facts: ReputationFacts): SubTenantReputationWire {
  const { tenant, settings, days, today, dayCount } = facts;
  const { reputation } = tenant;
  const { sent, delivered, bounced, complained } = reputation ?? NOTHING_COUNTED;
  const { state, complaint_rate, bounce_rate, window_days, changed_at } = presentReputationState(
    tenant,
    settings,
  );
  const { minDelivered, pauseComplaint, pauseBounce, warn, throttle, recoveryRatio } =
    reputationLevels(settings);
  return {
    object: 'sub_tenant_reputation',
    sub_tenant_id: tenant.id,
    state,
    complaint_rate,
    bounce_rate,
    sent,
    delivered,
    bounced,
    complained,
    window_days,
    scored_at: isoOrNull(reputation?.scored_at ?? null),
    changed_at,
    paused: pauseOf(tenant),
    throttle_per_hour: throttleInForce(facts),
    levels: {
      min_delivered: minDelivered,
      warn,
      throttle,
      throttle_per_hour: settings.reputationThrottlePerHour,
      recovery_ratio: recoveryRatio,
      pause_complaint: pauseComplaint,
      pause_bounce: pauseBounce,
    },
    days: Array.from({ length: dayCount }, (_day, i) => {
      const day = today - dayCount + 1 + i;
      return presentDay(day, days.get(day) ?? noSums());
    }),
    changes: changesSince(facts.trail, (today - dayCount + 1) * DAY_MS),
  };
}

function pauseOf({ reputation }: SubTenant): SubTenantReputationWire['paused'] {
  if (reputation === null || reputation.paused_at === null) return null;
  return { at: iso(reputation.paused_at), cause: reputation.pause_cause ?? 'requested' };
}

/** The lower of what its owner and its reputation allow; the owner's is of live mail. */
function throttleInForce({ tenant, settings, isLive }: ReputationFacts): number | null {
  const owners = isLive ? tenant.throttle_per_hour : null;
  if (tenant.reputation?.state !== 'throttled') return owners;
  return Math.min(owners ?? Infinity, settings.reputationThrottlePerHour);
}

function presentDay(day: number, sums: Sums): SubTenantReputationWire['days'][number] {
  const { sent, delivered, bounced, complained } = sums;
  const { complaint, bounce } = reputationRates(sums);
  const date = iso(day * DAY_MS).slice(0, 10);
  return { date, sent, delivered, bounced, complained, complaint_rate: complaint, bounce_rate: bounce };
}

function changesSince(trail: readonly StoredEvent[], since: number): ReputationChange[] {
  const changes: ReputationChange[] = [];
  for (const row of trail) {
    const event = REPUTATION_EVENTS.find((name) => name === row.event);
    if (event === undefined || row.occurred_at < since) continue;
    const { actor, occurred_at: at } = row;
    changes.push({ event, actor, timestamp: iso(at), metadata: readDetail(row).metadata ?? {} });
  }
  return changes.reverse();
}
