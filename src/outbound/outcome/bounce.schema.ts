// Bounces: one by one, and summed by category, provider and day.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { BOUNCE_CAUSES } from './bounce-cause.rules.js';
import { pageQueryWith } from '../../contract/lists.js';
import { BOUNCE_CATEGORIES, MESSAGE_TYPES } from '../../contract/names.js';
import {
  closed,
  emailText,
  nameEnums,
  nameSchemas,
  nullable,
  oneOf,
  timestamp,
} from '../../contract/schema.js';

const BOUNCE_TYPES = ['hard', 'soft'] as const;
const cause = oneOf(BOUNCE_CAUSES, {
  description:
    '`recipient`: the address takes no mail. `sender`: we are refused, for reputation, authentication, content or pace. ' +
    '`delivery`: the way failed.',
});
const category = oneOf(BOUNCE_CATEGORIES);
const subTenant = Type.Optional(Type.String({ maxLength: 200, description: "Only this sub-tenant's mail." }));

export const bouncesQuery = pageQueryWith({
  category: Type.Optional(oneOf(BOUNCE_CATEGORIES)),
  cause: Type.Optional(oneOf(BOUNCE_CAUSES)),
  campaign_id: Type.Optional(Type.String({ maxLength: 64 })),
  sub_tenant_id: subTenant,
});

export const bounce = Type.Object({
  object: Type.Literal('bounce'),
  message_id: Type.String(),
  to: emailText,
  subject: Type.String(),
  message_type: oneOf(MESSAGE_TYPES),
  type: oneOf(BOUNCE_TYPES),
  category,
  cause,
  code: nullable(Type.Integer()),
  enhanced_code: nullable(Type.String()),
  reply: Type.String({ description: "The server's words." }),
  remote_host: nullable(Type.String()),
  campaign_id: nullable(Type.String()),
  sub_tenant_id: nullable(Type.String()),
  occurred_at: timestamp,
});
export type BounceWire = Static<typeof bounce>;

export const bounceSummaryQuery = closed({
  window_days: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 366, default: 30, description: 'Days (UTC), today included.' }),
  ),
  sub_tenant_id: subTenant,
});

const count = Type.Integer({ minimum: 0 });
const causes = Type.Object({ recipient: count, sender: count, delivery: count });
const group = Type.Object({
  category,
  cause,
  type: oneOf(BOUNCE_TYPES),
  provider: Type.String({
    description: "Who runs the recipients' mail servers; `unknown` for nobody known.",
  }),
  bounces: count,
});

export const bounceSummary = Type.Object({
  object: Type.Literal('bounce_summary'),
  window_days: Type.Integer(),
  up_to_date: Type.Boolean({ description: 'False while events wait to be counted.' }),
  total: count,
  causes,
  groups: Type.Array(group, { description: 'By category and provider, most bounces first.' }),
  series: Type.Array(Type.Object({ date: Type.String({ format: 'date' }), ...causes.properties }), {
    description: 'One row for each day of the window (UTC), oldest first.',
  }),
});

nameSchemas({
  Bounce: bounce,
  BounceSummary: bounceSummary,
  BounceCauseCounts: causes,
  BounceGroup: group,
  BounceDay: bounceSummary.properties.series.items,
});
nameEnums({ BounceCause: BOUNCE_CAUSES, BounceType: BOUNCE_TYPES });
