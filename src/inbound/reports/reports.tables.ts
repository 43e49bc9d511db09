// Tables of the reports that others send about our mail: DMARC (RFC 7489, RFC 9990) and TLS (RFC 8460).
import { flag, instant, int, json, nullable, type RowOf, table, text } from '../../database/columns.js';

/** A report as far as it is about one domain: one about several domains has a row for each owner. */
export const receivedReports = table('received_reports', {
  /** `rpt_…` */
  id: text(),
  environment_id: int(),
  sub_tenant_id: nullable(text()),
  kind: text<'dmarc' | 'tls'>(),
  /** The owner's domain, which the reported one is or is below. */
  domain: text(),
  /** As the report says; anybody can write any name. */
  org_name: text(),
  /** Domain in From of the mail that brought it; proven where `authenticated`. */
  reporter: text(),
  report_id: text(),
  authenticated: flag(),
  begins_at: instant(),
  ends_at: instant(),
  /** JSON: the published policy that the reporter saw, and its generator; {} of a TLS report. */
  policy: json(),
  /** Mails, or sessions. */
  total: int(),
  /** Mails that are not `ours_aligned`, or sessions that failed. */
  problems: int(),
  /** JSON array, the largest first. */
  records: json(),
  /** Further records, which only the sums have. */
  records_left_out: int(),
  /** Hash by which a report that comes again is known. */
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
  /** '' for the workspace's own. */
  sub_tenant_key: text(),
  /** That of the report; beyond the limits its organization's domain, or ''. */
  reporter: text(),
  authenticated: flag(),
};

/** Mails of one source in one day with the same classification. */
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

/** Sessions of others with our mail servers in one day with the same result. */
export const tlsSums = table('tls_sums', {
  ...SUM_OF,
  policy_type: text(),
  /** `success`, or the type of the failure. */
  result_type: text(),
  /** '' where none is named, and beyond the limit. */
  mx_host: text(),
  sessions: int(),
});
export type TlsSum = RowOf<typeof tlsSums>;
