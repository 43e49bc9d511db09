// Tables of received DMARC (RFC 7489, RFC 9990) and TLS (RFC 8460) reports.
import { flag, instant, int, json, nullable, type RowOf, table, text } from '../../database/columns.js';

/** The part of a report about the domain of one owner. */
export const receivedReports = table('received_reports', {
  /** `rpt_…` */
  id: text(),
  environment_id: int(),
  sub_tenant_id: nullable(text()),
  kind: text<'dmarc' | 'tls'>(),
  /** The owner's domain, which the reported one is or is below. */
  domain: text(),
  /** Name given in the report, which can be forged. */
  org_name: text(),
  /** Domain of the From header, proven if `authenticated`. */
  reporter: text(),
  report_id: text(),
  authenticated: flag(),
  begins_at: instant(),
  ends_at: instant(),
  /** JSON: the published policy that the reporter saw, and its generator; {} of a TLS report. */
  policy: json(),
  /** Number of messages or sessions. */
  total: int(),
  /** Number of messages that are not `ours_aligned`, or of failed sessions. */
  problems: int(),
  /** JSON array, the largest first. */
  records: json(),
  /** Number of further records, which only the sums cover. */
  records_left_out: int(),
  /** Hash that identifies a repeated report. */
  dedupe_key: text(),
  created_at: instant(),
});
export type ReceivedReport = RowOf<typeof receivedReports>;

/** First columns of both tables of sums. */
const SUM_OF = {
  environment_id: int(),
  /** Days since the epoch, UTC: that of the middle of the reported time. */
  day: int(),
  domain: text(),
  /** '' for the workspace itself. */
  sub_tenant_key: text(),
  /** The report's organization; beyond the limits, its domain, or ''. */
  reporter: text(),
  authenticated: flag(),
};

/** Number of messages from one source on one day with the same classification. */
export const dmarcSums = table('dmarc_sums', {
  ...SUM_OF,
  /** '' for sources beyond the limit. */
  source_ip: text(),
  class: text(),
  /** '' without one. */
  reason: text(),
  disposition: text(),
  messages: int(),
});
export type DmarcSum = RowOf<typeof dmarcSums>;

/** Number of sessions with the domain's mail servers on one day with the same result. */
export const tlsSums = table('tls_sums', {
  ...SUM_OF,
  policy_type: text(),
  /** `success`, or the type of the failure. */
  result_type: text(),
  /** '' if none is named, and beyond the limit. */
  mx_host: text(),
  sessions: int(),
});
export type TlsSum = RowOf<typeof tlsSums>;
