// Retention periods of all data, in one table for the sweeps, the first start and docs/retention.md.
import { REPORT_KEEP_MS, REPORT_SUMS_KEEP_MS } from '../../inbound/reports/report-keeping.rules.js';
import { groupedDigits } from '../../lib/rows/index.js';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Analytics can be requested for more than a year. */
const KEY_DAY_KEEP_MS = 400 * DAY_MS;

/** Times in ms. */
export interface RetentionSettings {
  attemptKeepMs: number;
  inboundKeepMs: number;
  webhookKeepMs: number;
  transferKeepMs: number;
  requestLogKeepMs: number;
  auditKeepMs: number;
}

interface RetentionPeriod {
  /** Text for people, in the first column of the table. */
  what: string;
  /** Setting that changes the period, or `null`. */
  setting: string | null;
  /** Milliseconds. */
  keepMs: number;
}

/** Rows that are deleted by age alone. */
export function retentionPeriods(settings: RetentionSettings) {
  const kind = (what: string, setting: string | null, keepMs: number): RetentionPeriod => ({
    what,
    setting,
    keepMs,
  });
  return {
    attempts: kind(
      'SMTP conversations and delivery reports',
      'MAILKEEL_ATTEMPT_KEEP',
      settings.attemptKeepMs,
    ),
    inbound: kind('Raw inbound mail after processing', 'MAILKEEL_INBOUND_KEEP', settings.inboundKeepMs),
    webhooks: kind('Finished webhook deliveries', 'MAILKEEL_WEBHOOK_KEEP', settings.webhookKeepMs),
    transfers: kind(
      'Imports, exports, bulk actions and account imports, with files and reports',
      'MAILKEEL_TRANSFER_KEEP',
      settings.transferKeepMs,
    ),
    requests: kind(
      'API request log, without secrets or personal data',
      'MAILKEEL_REQUEST_LOG_KEEP',
      settings.requestLogKeepMs,
    ),
    audit: kind('Audit log', 'MAILKEEL_AUDIT_KEEP', settings.auditKeepMs),
    reports: kind('Received DMARC and TLS reports', null, REPORT_KEEP_MS),
    reportSums: kind('Daily totals of these reports', null, REPORT_SUMS_KEEP_MS),
    keyDays: kind('Daily message counts per API key', null, KEY_DAY_KEEP_MS),
  } as const;
}

interface MessageRetentionSettings {
  /** 0 for unlimited. */
  retentionDays: number;
  retentionMode: 'redact' | 'delete';
}

/** Heading of `retentionLines`. */
export const RETENTION_HEADING = 'Retention periods and the settings that change them (docs/retention.md)';

/** Returns lines for the operator: the data, its retention period, and the setting that changes it. */
export function retentionLines(settings: RetentionSettings & MessageRetentionSettings): string[] {
  const { retentionDays: days, retentionMode } = settings;
  const end = retentionMode === 'delete' ? 'then deleted' : 'then without content and personal data';
  const messages = days === 0 ? 'forever' : `${daysText(days)}, ${end}`;
  const rows = [
    ['Messages with content and addresses', messages, 'MAILKEEL_RETENTION_DAYS'],
    ...Object.values(retentionPeriods(settings)).map(({ what, keepMs, setting }) => [
      what,
      keepMs === 0 ? 'not kept' : periodText(keepMs),
      setting ?? '',
    ]),
    ['Events (as long as their message), statistics and suppressions', 'forever', ''],
  ];
  const widthOf = (column: number): number => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  const [first, second] = [widthOf(0), widthOf(1)];
  return rows.map(([what = '', time = '', setting = '']) =>
    `${what.padEnd(first)}  ${time.padEnd(second)}  ${setting}`.trimEnd(),
  );
}

function daysText(days: number): string {
  return days === 1 ? '1 day' : `${groupedDigits(days)} days`;
}

/** Formats days, or hours below two days. `ms` is greater than 0. */
function periodText(ms: number): string {
  return ms < 2 * DAY_MS ? `${Math.ceil(ms / HOUR_MS)} hours` : daysText(Math.round(ms / DAY_MS));
}
