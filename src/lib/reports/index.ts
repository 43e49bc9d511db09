export type { DmarcReport } from './dmarc-report.js';
export { type MailedReport, readMailedReport } from './mailed-report.js';
export type { ReportRefusal } from './report-limits.js';
export type { ReceivedTlsReport, ReceivedTlsResult } from './tls-report.js';
