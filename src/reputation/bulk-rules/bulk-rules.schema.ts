// Wire shapes of the bulk sender rules: the requirements of Google, Yahoo and Microsoft, each with the evidence of a sender's mail.
import { Type, type Static } from 'typebox';
import { nameEnums, nameSchemas, nullable, oneOf, timestamp, sentence } from '../../contract/schema.js';
import { CHECK_STATUSES } from '../../contract/check-status.js';

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
const REQUIRED_OF = ['all_senders', 'bulk_senders', 'nobody'] as const;
export type RequiredOf = (typeof REQUIRED_OF)[number];

const evidence = Type.Object(
  {
    messages: Type.Integer({ minimum: 0, description: 'Number of messages or DNS records examined.' }),
    message_id: nullable(
      Type.String({ description: 'The newest message that determines or illustrates the status.' }),
    ),
    observed_at: nullable(timestamp),
    reply: nullable(Type.String({ description: "The provider's most recent reply that mentions the rule." })),
  },
  { description: 'The evidence for the status.' },
);

const check = Type.Object({
  object: Type.Literal('bulk_rule_check'),
  rule: oneOf(BULK_RULES),
  provider: oneOf(MAIL_PROVIDERS),
  required_of: oneOf(REQUIRED_OF, {
    description: 'The senders whom the requirement applies to. `nobody` marks a recommendation.',
  }),
  status: oneOf(CHECK_STATUSES, {
    description:
      '`fail` means that the provider may currently reject mail because of this rule. `warn` marks a recommendation, or a requirement that applies only to bulk senders. `unknown` means that there is no evidence.',
  }),
  detail: sentence({ description: 'The finding, as a sentence.' }),
  remedy: nullable(sentence({ description: 'The recommended fix. `null` if nothing needs to be done.' })),
  evidence,
});
export type BulkRuleCheck = Static<typeof check>;

const volume = Type.Object({
  provider: oneOf(MAIL_PROVIDERS),
  sent: Type.Integer({ minimum: 0, description: 'Messages sent in the period.' }),
  busiest_day: nullable(Type.Object({ date: Type.String({ format: 'date' }), sent: Type.Integer() })),
  threshold: nullable(
    Type.Integer({
      description:
        'Messages per day from which the provider considers you a bulk sender. `null` if it has not published a number.',
    }),
  ),
  is_bulk_sender: Type.Boolean({
    description:
      'Whether any of the last 90 days reached the threshold. Also `true` if there is no threshold.',
  }),
});
export type BulkVolume = Static<typeof volume>;

export const bulkRules = Type.Object({
  object: Type.Literal('bulk_rules'),
  sub_tenant_id: nullable(
    Type.String({ description: 'The sub-tenant. `null` for messages of the workspace itself.' }),
  ),
  domains: Type.Array(Type.String(), { description: 'The sending domains whose DNS records were checked.' }),
  status: oneOf(CHECK_STATUSES, { description: 'The worst status among the checks with evidence.' }),
  window_days: Type.Integer(),
  looked_at: timestamp,
  volume: Type.Array(volume),
  data: Type.Array(check, { description: 'Checks, one per rule and provider.' }),
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
