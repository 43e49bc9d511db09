// Wire shapes of /v1/dmarc-reports and /v1/tls-reports: reports by other servers about this server's mail.
import { Type, type Static } from 'typebox';
import { orderedQueryWith } from '../../contract/lists.js';
import { closed, named, nameEnums, nameSchemas, nullable, oneOf, timestamp } from '../../contract/schema.js';
import { DMARC_DISPOSITIONS } from '../../lib/sender-policy/index.js';
import { DMARC_CLASSES, DMARC_REASONS } from '../../inbound/reports/dmarc-class.rules.js';
import { DMARC_GROUPS, TLS_GROUPS } from '../../inbound/reports/report-groups.rules.js';

const count = Type.Integer();
const domainFilter = Type.Optional(
  Type.String({ minLength: 1, maxLength: 253, description: 'A verified domain.' }),
);
const authenticated = Type.Boolean({
  description:
    'Whether the report email proves its sender. Summaries omit unauthenticated reports by default.',
});

const common = {
  id: Type.String(),
  sub_tenant_id: nullable(Type.String()),
  domain: Type.String(),
  org_name: Type.String(),
  reporter: Type.String({
    description: 'The domain that sent the report. Proven only if `authenticated` is `true`.',
  }),
  report_id: Type.String(),
  authenticated,
  begins_at: timestamp,
  ends_at: timestamp,
  created_at: timestamp,
};

const dmarcFields = {
  ...common,
  policy: Type.Record(Type.String(), nullable(Type.String())),
  messages: count,
  not_ours: count,
  records_left_out: count,
};

const dmarcRecord = Type.Object({
  source_ip: Type.String(),
  count,
  class: oneOf(DMARC_CLASSES),
  reason: nullable(oneOf(DMARC_REASONS)),
  disposition: oneOf(DMARC_DISPOSITIONS),
  dkim: Type.String(),
  spf: Type.String(),
  reasons: Type.Array(Type.String()),
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
  records: Type.Optional(Type.Array(dmarcRecord)),
});

const tlsFields = {
  ...common,
  sessions: count,
  failures: count,
  records_left_out: count,
};

const tlsRecord = Type.Object({
  policy_domain: Type.String(),
  policy_type: Type.String({ description: 'The policy type: `tlsa`, `sts` or `no-policy-found`.' }),
  result_type: Type.String({ description: '`success`, or the failure type (RFC 8460 section 4.3).' }),
  mx_host: Type.String(),
  sending_ip: Type.String(),
  sessions: count,
});
export type TlsRecordWire = Static<typeof tlsRecord>;

export const tlsReport = Type.Object({
  object: Type.Literal('tls_report'),
  ...tlsFields,
  records: Type.Optional(Type.Array(tlsRecord)),
});

export const reportQuery = orderedQueryWith({
  domain: domainFilter,
});

const spanFields = {
  domain: domainFilter,
  from: Type.Optional(
    Type.String({ maxLength: 64, description: 'Start date, by default 30 days before `to`.' }),
  ),
  to: Type.Optional(
    Type.String({ maxLength: 64, description: 'End date (exclusive), by default tomorrow.' }),
  ),
  include_unauthenticated: Type.Optional(Type.Boolean()),
};
export const dmarcSummaryQuery = closed({ ...spanFields, group_by: Type.Optional(oneOf(DMARC_GROUPS)) });
export const tlsSummaryQuery = closed({ ...spanFields, group_by: Type.Optional(oneOf(TLS_GROUPS)) });

const dmarcClasses = named(
  'DmarcClasses',
  Type.Object(
    { ours_aligned: count, ours_not_aligned: count, forwarded: count, foreign: count },
    {
      description:
        'Messages by class. `ours_aligned` and `ours_not_aligned` were sent by this server and passed or failed DMARC, `forwarded` were forwarded by a third party, and `foreign` were not sent by this server.',
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

export const dmarcSummary = Type.Object({
  object: Type.Literal('dmarc_summary'),
  ...summaryFields,
  ...dmarcCounts,
  groups: Type.Array(
    Type.Object({
      key: Type.String(),
      ...dmarcCounts,
      reasons: Type.Array(oneOf(DMARC_REASONS)),
      sent: nullable(
        Type.Integer({
          description:
            'Messages that this server sent on that day or to that provider, for all domains. `null` if there is no count for the group.',
        }),
      ),
    }),
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
  groups: Type.Array(Type.Object({ key: Type.String(), sessions: count, failures: count })),
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
  DmarcGroup: DMARC_GROUPS,
  TlsGroup: TLS_GROUPS,
});
