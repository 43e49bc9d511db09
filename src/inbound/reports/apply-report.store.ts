// Writes a report with its sums inside a transaction, once: a report that is known already changes nothing.
import type { Writing } from '../../store/committer.js';
import { columnNames } from '../../store/columns.js';
import { insertRow } from '../../store/sql.js';
import {
  dmarcSums,
  receivedReports,
  tlsSums,
  type DmarcSum,
  type ReceivedReport,
  type TlsSum,
} from './reports.tables.js';

/** Rows of the sums of one domain and day; what comes after them is added up without its source or mail host. */
const MAX_SUMS = 5_000;

/** A report came in. `dmarc` or `tls` is empty, by the kind of the report. */
export interface TakeReport {
  kind: 'take-report';
  report: ReceivedReport;
  dmarc: readonly DmarcSum[];
  tls: readonly TlsSum[];
}

const REPORT_COLUMNS = columnNames(receivedReports);
const INSERT_REPORT = `${insertRow(receivedReports, REPORT_COLUMNS)}
  ON CONFLICT (environment_id, dedupe_key) DO NOTHING RETURNING id`;
const DMARC_KEY = columnNames(dmarcSums, 'messages');
const ADD_MESSAGES = `${insertRow(dmarcSums, [...DMARC_KEY, 'messages'])} ON CONFLICT (${DMARC_KEY.join(', ')})
  DO UPDATE SET messages = dmarc_sums.messages + excluded.messages`;
const TLS_KEY = columnNames(tlsSums, 'sessions');
const ADD_SESSIONS = `${insertRow(tlsSums, [...TLS_KEY, 'sessions'])} ON CONFLICT (${TLS_KEY.join(', ')})
  DO UPDATE SET sessions = tls_sums.sessions + excluded.sessions`;
const sumsOf = (name: string): string =>
  `SELECT COUNT(*) AS n FROM ${name} WHERE environment_id = ? AND day = ? AND domain = ?`;

export async function takeReport(writing: Writing, { report, dmarc, tls }: TakeReport): Promise<void> {
  const { tx } = writing;
  const written = await tx.run(
    INSERT_REPORT,
    REPORT_COLUMNS.map((column) => report[column]),
  );
  if (written.length === 0) return;
  if (dmarc.length > 0) {
    const isFull = await hasManySums(writing, dmarcSums.name, dmarc);
    for (const row of dmarc) {
      const sum = isFull ? { ...row, source_ip: '' } : row;
      await tx.run(ADD_MESSAGES, [...DMARC_KEY.map((column) => sum[column]), sum.messages]);
    }
  }
  if (tls.length > 0) {
    const isFull = await hasManySums(writing, tlsSums.name, tls);
    for (const row of tls) {
      const sum = isFull ? { ...row, mx_host: '' } : row;
      await tx.run(ADD_SESSIONS, [...TLS_KEY.map((column) => sum[column]), sum.sessions]);
    }
  }
}

/** All sums of one report are of one day and domain. */
async function hasManySums(
  { tx }: Writing,
  table: string,
  sums: readonly Pick<DmarcSum, 'environment_id' | 'day' | 'domain'>[],
): Promise<boolean> {
  const [first] = sums;
  if (!first) return false;
  const [row] = await tx.run(sumsOf(table), [first.environment_id, first.day, first.domain]);
  return Number(row?.['n'] ?? 0) + sums.length > MAX_SUMS;
}
