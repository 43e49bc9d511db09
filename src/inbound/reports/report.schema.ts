// Wire shapes of /v1/dmarc-reports and /v1/tls-reports: reports that others send about our mail.
import { Type, type Static } from 'typebox';
import { orderedQueryWith } from '../../contract/lists.js';
import { closed, named, nameEnums, nameSchemas, nullable, oneOf, timestamp } from '../../contract/schema.js';
import { DMARC_DISPOSITIONS } from '../../lib/reports/dmarc-record.rules.js';
import { DMARC_CLASSES, DMARC_REASONS } from './dmarc-class.rules.js';
import { DMARC_GROUPS, TLS_GROUPS } from './report-groups.rules.js';

const RESULTS = ['pass', 'fail'] as const;
const count = Type.Integer();
const domainFilter = Type.Optional(
  Type.String({ minLength: 1, maxLength: 253, description: 'A verified domain.' }),
);
const authenticated = Type.Boolean({
  description: 'Whether the mail proves its sender. Summaries leave others out.',
});

const common = {
  id: Type.String(),
  sub_tenant_id: nullable(Type.String()),
  domain: Type.String(),
  org_name: Type.String(),
  reporter: Type.String({
    description: 'Domain of the mail; proven if `authenticated`.',
  }),
  report_id: Type.String(),
  authenticated,
  begins_at: timestamp,
  ends_at: timestamp,
  created_at: timestamp,
};
const recordsLeftOut = Type.Integer({
  minimum: 0,
  description: 'Smaller records, which only summaries count.',
});

const dmarcFields = {
  ...common,
  policy: Type.Record(Type.String(), nullable(Type.String()), {
    description:
      'The policy that the reporter saw (p, sp, np, adkim, aspf …), and the program that wrote the report.',
  }),
  messages: count,
  not_ours: Type.Integer({ minimum: 0, description: 'Mails of any class but `ours_aligned`.' }),
  records_left_out: recordsLeftOut,
};

const dmarcRecord = Type.Object({
  source_ip: Type.String(),
  count,
  class: oneOf(DMARC_CLASSES),
  reason: nullable(oneOf(DMARC_REASONS)),
  disposition: oneOf(DMARC_DISPOSITIONS),
  dkim: oneOf(RESULTS, { description: 'Aligned.' }),
  spf: oneOf(RESULTS, { description: 'Aligned.' }),
  reasons: Type.Array(Type.String(), {
    description: 'Of the receiver.',
  }),
  header_from: Type.String(),
  envelope_from: nullable(Type.String()),
  auth_dkim: Type.Array(
    Type.Object({ domain: Type.String(), selector: Type.String(), result: Type.String() }),
  ),
  auth_spf: nullable(Type.Object({ domain: Type.String(), result: Type.String() })),
});
export type DmarcRecordWire = Static<typeof dmarcRecord>;

export const dmarcReport = Type.Object({
  object: Type.Literal('dmarc_report'),
  ...dmarcFields,
  records: Type.Optional(Type.Array(dmarcRecord, { description: 'Not in lists.' })),
});

const tlsFields = {
  ...common,
  sessions: count,
  failures: count,
  records_left_out: recordsLeftOut,
};

const tlsRecord = Type.Object({
  policy_domain: Type.String(),
  policy_type: Type.String({ description: 'tlsa, sts or no-policy-found.' }),
  result_type: Type.String({ description: '`success`, or the type of the failure (RFC 8460 section 4.3).' }),
  mx_host: Type.String(),
  sending_ip: Type.String(),
  sessions: count,
});
export type TlsRecordWire = Static<typeof tlsRecord>;

export const tlsReport = Type.Object({
  object: Type.Literal('tls_report'),
  ...tlsFields,
  records: Type.Optional(Type.Array(tlsRecord, { description: 'Not in lists.' })),
});

export const reportQuery = orderedQueryWith({
  domain: domainFilter,
});

const spanFields = {
  domain: domainFilter,
  from: Type.Optional(
    Type.String({ maxLength: 64, description: 'A date, inclusive; without it 30 days before `to`.' }),
  ),
  to: Type.Optional(Type.String({ maxLength: 64, description: 'A date, exclusive; without it tomorrow.' })),
  include_unauthenticated: Type.Optional(
    Type.Boolean({ default: false, description: 'Count the others, too.' }),
  ),
};
export const dmarcSummaryQuery = closed({ ...spanFields, group_by: Type.Optional(oneOf(DMARC_GROUPS)) });
export const tlsSummaryQuery = closed({ ...spanFields, group_by: Type.Optional(oneOf(TLS_GROUPS)) });

const dmarcClasses = named(
  'DmarcClasses',
  Type.Object(
    { ours_aligned: count, ours_not_aligned: count, forwarded: count, foreign: count },
    {
      description:
        'Sent here: DMARC passed or failed. `forwarded`: passed on by others. `foreign`: not sent here.',
    },
  ),
);
const dmarcDispositions = named(
  'DmarcDispositions',
  Type.Object({ none: count, quarantine: count, reject: count }),
);
const dmarcCounts = { messages: count, classes: dmarcClasses, dispositions: dmarcDispositions };
const summaryFields = {
  from: timestamp,
  to: timestamp,
};
const groupKey = Type.String({ description: 'Empty for the rest.' });

export const dmarcSummary = Type.Object({
  object: Type.Literal('dmarc_summary'),
  ...summaryFields,
  ...dmarcCounts,
  groups: Type.Array(
    Type.Object({
      key: groupKey,
      ...dmarcCounts,
      reasons: Type.Array(oneOf(DMARC_REASONS)),
      sent: nullable(
        Type.Integer({
          minimum: 0,
          description:
            'Mails that left here that day, or to that provider, of all domains; null where nobody counts.',
        }),
      ),
    }),
    { description: 'At most 100, the largest first; days in their order.' },
  ),
  has_more_groups: Type.Boolean(),
  sentences: Type.Array(Type.String()),
});
export type DmarcSummaryWire = Static<typeof dmarcSummary>;

export const tlsSummary = Type.Object({
  object: Type.Literal('tls_summary'),
  ...summaryFields,
  sessions: count,
  failures: count,
  groups: Type.Array(Type.Object({ key: groupKey, sessions: count, failures: count }), {
    description: 'At most 100, those with most failures first; days in their order.',
  }),
  has_more_groups: Type.Boolean(),
  sentences: Type.Array(Type.String()),
});
export type TlsSummaryWire = Static<typeof tlsSummary>;

nameSchemas({
  DmarcReport: dmarcReport,
  DmarcRecord: dmarcRecord,
  DmarcSummary: dmarcSummary,
  TlsReport: tlsReport,
  TlsRecord: tlsRecord,
  TlsSummary: tlsSummary,
});
nameEnums({
  DmarcClass: DMARC_CLASSES,
  DmarcReason: DMARC_REASONS,
  DmarcDisposition: DMARC_DISPOSITIONS,
  DmarcResult: RESULTS,
  DmarcGroup: DMARC_GROUPS,
  TlsGroup: TLS_GROUPS,
});
