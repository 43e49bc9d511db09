// Bulk sender rules on the wire: what Google, Yahoo and Microsoft ask of senders, each with what the mail of a sender shows.
import { Type, type Static } from 'typebox';
import { nameEnums, nameSchemas, nullable, oneOf, timestamp } from '../../contract/schema.js';
import { CHECK_STATUSES } from '../../operations/preflight/health-check.schema.js';

export const MAIL_PROVIDERS = ['google', 'yahoo', 'microsoft'] as const;
export type MailProvider = (typeof MAIL_PROVIDERS)[number];

export const BULK_RULES = [
  'spf',
  'dkim',
  'dmarc',
  'alignment',
  'reverse_dns',
  'tls',
  'message_format',
  'one_click_unsubscribe',
  'unsubscribe_link',
  'unsubscribe_in_time',
  'complaint_rate',
  'from_domain',
  'opt_in',
] as const;
export type BulkRule = (typeof BULK_RULES)[number];

/** `bulk_senders`: of senders over the provider's volume. */
export const REQUIRED_OF = ['all_senders', 'bulk_senders', 'nobody'] as const;
export type RequiredOf = (typeof REQUIRED_OF)[number];

const evidence = Type.Object(
  {
    messages: Type.Integer({ minimum: 0, description: 'Number of messages or records that were looked at.' }),
    message_id: nullable(Type.String({ description: 'The newest message that decides or shows it.' })),
    observed_at: nullable(timestamp),
    reply: nullable(Type.String({ description: "The provider's newest reply that names the rule." })),
  },
  { description: 'What the status rests on.' },
);

const check = Type.Object({
  object: Type.Literal('bulk_rule_check'),
  rule: oneOf(BULK_RULES),
  provider: oneOf(MAIL_PROVIDERS),
  required_of: oneOf(REQUIRED_OF, {
    description: '`nobody`: the provider advises it and does not ask for it.',
  }),
  status: oneOf(CHECK_STATUSES, {
    description:
      '`fail`: the provider may refuse mail for it now. `warn`: it is advised, or it is asked for from the bulk volume on. `unknown`: there is no evidence.',
  }),
  detail: Type.String({ description: 'What was found, as a sentence.' }),
  remedy: nullable(Type.String({ description: 'What to do; null when nothing is left to do.' })),
  evidence,
});
export type BulkRuleCheck = Static<typeof check>;

const volume = Type.Object({
  provider: oneOf(MAIL_PROVIDERS),
  sent: Type.Integer({ minimum: 0, description: 'Messages in the window.' }),
  busiest_day: nullable(Type.Object({ date: Type.String({ format: 'date' }), sent: Type.Integer() })),
  threshold: nullable(
    Type.Integer({
      description: 'Messages a day from which a sender is a bulk sender; null: not published.',
    }),
  ),
  is_bulk_sender: Type.Boolean({
    description: 'A day of the last 90 reached the threshold, or there is none.',
  }),
});
export type BulkVolume = Static<typeof volume>;

export const bulkRules = Type.Object({
  object: Type.Literal('bulk_rules'),
  sub_tenant_id: nullable(Type.String({ description: "Null: the workspace's own mail." })),
  domains: Type.Array(Type.String(), { description: 'The sending domains whose records were read.' }),
  status: oneOf(CHECK_STATUSES, { description: 'The worst of the checks that have evidence.' }),
  window_days: Type.Integer(),
  looked_at: timestamp,
  volume: Type.Array(volume),
  data: Type.Array(check, { description: 'One for each rule and provider.' }),
});
export type BulkRulesWire = Static<typeof bulkRules>;

nameSchemas({
  BulkRules: bulkRules,
  BulkRuleCheck: check,
  BulkRuleEvidence: evidence,
  BulkVolume: volume,
  BulkBusiestDay: volume.properties.busiest_day.anyOf[0],
});

nameEnums({
  BulkRule: BULK_RULES,
  MailProvider: MAIL_PROVIDERS,
  BulkRuleRequiredOf: REQUIRED_OF,
});
