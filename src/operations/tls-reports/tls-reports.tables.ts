// Tables of TLS results and the reports of them (RFC 8460).
import {
  type ColumnsOf,
  instant,
  int,
  json,
  nullable,
  type RowOf,
  table,
  text,
} from '../../store/columns.js';

/** Sessions of one day with the same TLS result (RFC 8460 section 4). */
export const tlsResults = table('tls_results', {
  /** Days since the epoch, UTC. */
  day: int(),
  domain: text(),
  policy_type: text<'tlsa' | 'sts' | 'no-policy-found'>(),
  policy: json(),
  result_type: text(),
  mx_host: text(),
  sending_ip: text(),
  receiving_ip: text(),
  detail: text(),
  sessions: int(),
});

export const tlsReports = table('tls_reports', {
  day: int(),
  domain: text(),
  report_id: text(),
  status: text<'pending' | 'sent' | 'failed' | 'none'>(),
  attempts: int(),
  due_at: instant(),
  detail: text(),
  created_at: instant(),
  sent_at: nullable(instant()),
});
export type TlsReportTable = ColumnsOf<typeof tlsReports>;
export type TlsReportRow = RowOf<typeof tlsReports>;
