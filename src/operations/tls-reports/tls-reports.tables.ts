// Table of TLS reports (RFC 8460).
import { type ColumnsOf, instant, int, nullable, type RowOf, table, text } from '../../database/columns.js';

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
