// The change that stores a report with its sums. It does nothing if the report is stored already.
import { getDomain } from 'tldts';
import { defineChange } from '../../database/change.js';
import type { Writing } from '../../database/committer.js';
import { columnNames } from '../../database/columns.js';
import { insertRow, likeSuffix, rowsAs } from '../../database/sql.js';
import { detailOfNext, withoutMailHost, withoutSource, type StoredSums } from './report-keeping.rules.js';
import {
  dmarcSums,
  receivedReports,
  tlsSums,
  type DmarcSum,
  type ReceivedReport,
  type TlsSum,
} from './reports.tables.js';

export interface TakeReport {
  report: ReceivedReport;
  dmarc: readonly DmarcSum[];
  tls: readonly TlsSum[];
}

/** Stores a report. `dmarc` or `tls` is empty, depending on its kind. */
export const takeReport = defineChange<TakeReport>('take-report', keep);

const REPORT_COLUMNS = columnNames(receivedReports);
const INSERT_REPORT = `${insertRow(receivedReports, REPORT_COLUMNS)}
  ON CONFLICT (environment_id, dedupe_key) DO NOTHING RETURNING id`;
const DMARC_KEY = columnNames(dmarcSums, 'messages');
const ADD_MESSAGES = `${insertRow(dmarcSums, [...DMARC_KEY, 'messages'])} ON CONFLICT (${DMARC_KEY.join(', ')})
  DO UPDATE SET messages = dmarc_sums.messages + excluded.messages`;
const TLS_KEY = columnNames(tlsSums, 'sessions');
const ADD_SESSIONS = `${insertRow(tlsSums, [...TLS_KEY, 'sessions'])} ON CONFLICT (${TLS_KEY.join(', ')})
  DO UPDATE SET sessions = tls_sums.sessions + excluded.sessions`;
const storedSums = (name: string): string =>
  `SELECT COUNT(*) AS "all", COUNT(CASE WHEN reporter = ? OR reporter LIKE ? THEN 1 END) AS "ofOrganization"
   FROM ${name} WHERE environment_id = ? AND day = ? AND domain = ? AND authenticated = ?`;

async function keep(writing: Writing, { report, dmarc, tls }: TakeReport): Promise<void> {
  const { tx } = writing;
  const written = await tx.run(
    INSERT_REPORT,
    REPORT_COLUMNS.map((column) => report[column]),
  );
  if (written.length === 0) return;
  for (const sum of await fitted(writing, { table: dmarcSums.name, sums: dmarc, without: withoutSource })) {
    await tx.run(ADD_MESSAGES, [...DMARC_KEY.map((column) => sum[column]), sum.messages]);
  }
  for (const sum of await fitted(writing, { table: tlsSums.name, sums: tls, without: withoutMailHost })) {
    await tx.run(ADD_SESSIONS, [...TLS_KEY.map((column) => sum[column]), sum.sessions]);
  }
}

interface Fitting<Sum> {
  table: string;
  /** Sums of one report, which have the same domain, day and reporter. */
  sums: readonly Sum[];
  without: (sum: Sum) => Sum;
}

/** The sums of a report with as much detail as there is room for, the first ones first. */
async function fitted<Sum extends DmarcSum | TlsSum>(
  { tx }: Writing,
  { table, sums, without }: Fitting<Sum>,
): Promise<Sum[]> {
  const [first] = sums;
  if (!first) return [];
  const { environment_id, day, domain, reporter, authenticated } = first;
  const organization = getDomain(reporter) ?? reporter;
  const of = [organization, likeSuffix(`.${organization}`), environment_id, day, domain, authenticated];
  const [stored = { all: 0, ofOrganization: 0 }] = await rowsAs<StoredSums>(tx.run(storedSums(table), of));
  return sums.map((sum) => {
    const detail = detailOfNext(authenticated === 1, stored);
    stored.all += 1;
    stored.ofOrganization += 1;
    if (detail === 'all') return sum;
    return { ...without(sum), reporter: detail === 'no_source' ? organization : '' };
  });
}
