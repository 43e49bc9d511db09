// Wire shapes of /v1/dmarc-reports and /v1/tls-reports: reports that others send about our mail.
import { Type, type Static } from 'typebox';
import { orderedQueryWith } from '../../contract/lists.js';
import { closed, nameEnums, nameSchemas, nullable, oneOf, timestamp } from '../../contract/schema.js';
import { DMARC_DISPOSITIONS } from '../../lib/reports/dmarc-report.js';
import { DMARC_CLASSES, DMARC_REASONS } from './dmarc-class.rules.js';
import { DMARC_GROUPS, TLS_GROUPS } from './report-groups.rules.js';

const RESULTS = ['pass', 'fail'] as const;
const count = Type.Integer({ minimum: 0 });
const domainFilter = Type.Optional(
  Type.String({ minLength: 1, maxLength: 253, description: 'A verified domain, as the reports have it.' }),
);
const authenticated = Type.Boolean({
  description:
    'Whether the mail that brought it proves its sender, by a signature or SPF aligned with its From. Anybody can write other reports, so the sums leave them out.',
});

const common = {
  id: Type.String(),
  sub_tenant_id: nullable(Type.String()),
  domain: Type.String({ description: 'Your domain, which the reported names are or are below.' }),
  org_name: Type.String({ description: 'The reporter, in its own words; see `reporter`.' }),
  reporter: Type.String({
    description: 'Domain of the mail that brought the report; proven if `authenticated`.',
  }),
  report_id: Type.String({ description: 'As the reporter names it.' }),
  authenticated,
  begins_at: timestamp,
  ends_at: timestamp,
  created_at: timestamp,
};
const recordsLeftOut = Type.Integer({
  minimum: 0,
  description: 'Further records, with fewer mails or sessions, which only the summary counts.',
});

const dmarcFields = {
  ...common,
  policy: Type.Record(Type.String(), nullable(Type.String()), {
    description:
      'The policy that the reporter saw (p, sp, np, adkim, aspf …), and the program that wrote the report.',
  }),
  messages: Type.Integer({ minimum: 0 }),
  not_ours: Type.Integer({ minimum: 0, description: 'Mails of any class but `ours_aligned`.' }),
  records_left_out: recordsLeftOut,
};

export const dmarcReport = Type.Object({ object: Type.Literal('dmarc_report'), ...dmarcFields });

const dmarcRecord = Type.Object({
  source_ip: Type.String(),
  count,
  class: oneOf(DMARC_CLASSES),
  reason: nullable(oneOf(DMARC_REASONS)),
  disposition: oneOf(DMARC_DISPOSITIONS),
  dkim: oneOf(RESULTS, { description: 'Aligned.' }),
  spf: oneOf(RESULTS, { description: 'Aligned.' }),
  reasons: Type.Array(Type.String(), {
    description: "The receiver's reasons to do other than the policy says.",
  }),
  header_from: Type.String(),
  envelope_from: nullable(Type.String()),
  auth_dkim: Type.Array(
    Type.Object({ domain: Type.String(), selector: Type.String(), result: Type.String() }),
  ),
  auth_spf: nullable(Type.Object({ domain: Type.String(), result: Type.String() })),
});
export type DmarcRecordWire = Static<typeof dmarcRecord>;

export const dmarcReportInFull = Type.Object({
  object: Type.Literal('dmarc_report'),
  ...dmarcFields,
  records: Type.Array(dmarcRecord),
});

const tlsFields = {
  ...common,
  sessions: count,
  failures: count,
  records_left_out: recordsLeftOut,
};

export const tlsReport = Type.Object({ object: Type.Literal('tls_report'), ...tlsFields });

const tlsRecord = Type.Object({
  policy_domain: Type.String(),
  policy_type: Type.String({ description: 'tlsa, sts or no-policy-found.' }),
  result_type: Type.String({ description: '`success`, or the type of the failure (RFC 8460 section 4.3).' }),
  mx_host: Type.String({ description: 'Empty where the report names none.' }),
  sending_ip: Type.String({ description: 'Empty where the report names none.' }),
  sessions: count,
});
export type TlsRecordWire = Static<typeof tlsRecord>;

export const tlsReportInFull = Type.Object({
  object: Type.Literal('tls_report'),
  ...tlsFields,
  records: Type.Array(tlsRecord),
});

export const reportQuery = orderedQueryWith({
  domain: domainFilter,
  authenticated: Type.Optional(Type.Boolean({ description: 'Only reports that are, or are not.' })),
});

const spanFields = {
  domain: domainFilter,
  from: Type.Optional(
    Type.String({ maxLength: 64, description: 'A date (UTC), inclusive; 30 days before `to` without it.' }),
  ),
  to: Type.Optional(
    Type.String({ maxLength: 64, description: 'A date (UTC), exclusive; tomorrow without it.' }),
  ),
  include_unauthenticated: Type.Optional(
    Type.Boolean({ default: false, description: 'Count reports whose sender is not proven, too.' }),
  ),
};
export const dmarcSummaryQuery = closed({ ...spanFields, group_by: Type.Optional(oneOf(DMARC_GROUPS)) });
export const tlsSummaryQuery = closed({ ...spanFields, group_by: Type.Optional(oneOf(TLS_GROUPS)) });

const dmarcCounts = {
  messages: count,
  classes: Type.Object(
    { ours_aligned: count, ours_not_aligned: count, forwarded: count, foreign: count },
    {
      description:
        '`ours_aligned`: sent by this appliance, and DMARC passed. `ours_not_aligned`: sent by it, and DMARC failed. `forwarded`: passed on by somebody else. `foreign`: somebody else in the name of the domain.',
    },
  ),
  dispositions: Type.Object({ none: count, quarantine: count, reject: count }),
};
const summaryFields = {
  domain: nullable(Type.String()),
  from: timestamp,
  to: timestamp,
  include_unauthenticated: Type.Boolean(),
};
const groupKey = Type.String({ description: 'Empty for what is beyond the limits and added up.' });

export const dmarcSummary = Type.Object({
  object: Type.Literal('dmarc_summary'),
  ...summaryFields,
  ...dmarcCounts,
  group_by: nullable(oneOf(DMARC_GROUPS)),
  groups: Type.Array(
    Type.Object({
      key: groupKey,
      ...dmarcCounts,
      reasons: Type.Array(oneOf(DMARC_REASONS)),
      sent: nullable(
        Type.Integer({
          minimum: 0,
          description:
            'Mails that left here: that day, or to that provider, of all domains in scope. Only for plausibility; null where it is not counted.',
        }),
      ),
    }),
    { description: 'At most 100, the largest first; days in their order.' },
  ),
  has_more_groups: Type.Boolean(),
  sentences: Type.Array(Type.String(), { description: 'The result in words.' }),
});
export type DmarcSummaryWire = Static<typeof dmarcSummary>;

export const tlsSummary = Type.Object({
  object: Type.Literal('tls_summary'),
  ...summaryFields,
  sessions: count,
  failures: count,
  group_by: nullable(oneOf(TLS_GROUPS)),
  groups: Type.Array(Type.Object({ key: groupKey, sessions: count, failures: count }), {
    description: 'At most 100, those with most failures first; days in their order.',
  }),
  has_more_groups: Type.Boolean(),
  sentences: Type.Array(Type.String(), { description: 'The result in words.' }),
});
export type TlsSummaryWire = Static<typeof tlsSummary>;

nameSchemas({
  DmarcReport: dmarcReport,
  DmarcReportInFull: dmarcReportInFull,
  DmarcRecord: dmarcRecord,
  DmarcSummary: dmarcSummary,
  TlsReport: tlsReport,
  TlsReportInFull: tlsReportInFull,
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
