// Wire shapes of a sub-tenant's reputation.
import { Type, type Static } from 'typebox';
import { ACTORS } from '../contract/names.js';
import { closed, nameEnums, nameSchemas, nullable, oneOf, timestamp } from '../contract/schema.js';
import { subTenant } from '../domains/sub-tenants/sub-tenant.schema.js';

const PAUSE_CAUSES = ['requested', 'complaint_rate', 'bounce_rate'] as const;
export const REPUTATION_EVENTS = [
  'tenant_warned',
  'tenant_throttled',
  'tenant_paused',
  'tenant_recovered',
] as const;

const { state, complaint_rate, bounce_rate, window_days } = subTenant.properties.reputation.properties;
const count = Type.Integer({ minimum: 0 });

export const subTenantReputation = Type.Object({
  object: Type.Literal('sub_tenant_reputation'),
  sub_tenant_id: Type.String(),
  state,
  complaint_rate,
  bounce_rate,
  sent: count,
  delivered: count,
  bounced: count,
  complained: count,
  window_days,
  scored_at: nullable(
    Type.String({
      format: 'date-time',
      description: 'Time of the last evaluation that found changed figures.',
    }),
  ),
  changed_at: nullable(timestamp),
  paused: nullable(Type.Object({ at: timestamp, cause: oneOf(PAUSE_CAUSES) })),
  throttle_per_hour: nullable(
    Type.Integer({
      description:
        'Messages that the sub-tenant can currently send in any hour. `null` if there is no limit.',
    }),
  ),
  levels: Type.Object({
    min_delivered: Type.Integer({
      description: 'Minimum number of delivered messages. With fewer, the state does not get worse.',
    }),
    warn: Type.Number({ description: 'Complaint rate at which the sub-tenant is warned.' }),
    throttle: Type.Number({ description: 'Complaint rate at which the sub-tenant is throttled.' }),
    throttle_per_hour: Type.Integer({ description: 'Messages allowed in any hour while throttled.' }),
    recovery_ratio: Type.Number({
      description: 'A state ends when the rate falls below this fraction of its threshold.',
    }),
    pause_complaint: nullable(
      Type.Number({
        description:
          'Complaint rate at which the sub-tenant is paused. `null` if it is never paused for complaints.',
      }),
    ),
    pause_bounce: nullable(
      Type.Number({
        description:
          'Bounce rate at which the sub-tenant is paused. `null` if it is never paused for bounces.',
      }),
    ),
  }),
  days: Type.Array(
    Type.Object({
      date: Type.String({ format: 'date' }),
      sent: count,
      delivered: count,
      bounced: count,
      complained: count,
      complaint_rate,
      bounce_rate,
    }),
    { description: 'Figures per day (UTC), oldest first, including today.' },
  ),
  changes: Type.Array(
    Type.Object({
      event: oneOf(REPUTATION_EVENTS),
      actor: oneOf(ACTORS),
      timestamp,
      metadata: Type.Record(Type.String(), Type.Unknown()),
    }),
    { description: 'State changes during those days, in chronological order.' },
  ),
});
export type SubTenantReputationWire = Static<typeof subTenantReputation>;

export const subTenantReputationQuery = closed({
  days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 90,
      default: 30,
      description: 'Number of days (UTC) of history, including today.',
    }),
  ),
});

nameSchemas({
  SubTenantReputation: subTenantReputation,
  ReputationPause: subTenantReputation.properties.paused.anyOf[0],
  ReputationLevels: subTenantReputation.properties.levels,
  ReputationDay: subTenantReputation.properties.days.items,
  ReputationChange: subTenantReputation.properties.changes.items,
});

nameEnums({ ReputationPauseCause: PAUSE_CAUSES, ReputationEvent: REPUTATION_EVENTS });
