// TLS results per day and domain, and the daily reports made of them (RFC 8460 section 4).
import { sql, type Insertable } from 'kysely';
import { canonicalJson } from '../../lib/json/canonical-json.js';
import {
  DAY_MS,
  type TlsPolicyText,
  type TlsPolicyType,
  type TlsSessionCount,
} from '../../lib/tls/tls-report.rules.js';
import { cleanReplyText } from '../../lib/smtp/reply-text.rules.js';
import { applyPlan } from '../../store/apply.js';
import type { Committer } from '../../store/committer.js';
import type { Engine, Tx, Value } from '../../store/engine/engine.js';
import type { Upsert } from '../../store/plan.js';
import type { TlsReportRow, TlsReportTable } from './tls-reports.tables.js';

/** Different rows of one day and domain; what comes after them keeps only its type. */
const MAX_ROWS = 1_000;
const MAX_DETAIL = 200;
const MAX_HOST = 253;
const MAX_IP = 45;
const MAX_POLICY_LINE = 300;
/** PostgreSQL's index entries end at 2,704 bytes, and the policy shares one with names and addresses. */
const MAX_POLICY_BYTES = 1_500;

/** Sessions that ended alike at one time. */
export interface TlsResult extends TlsSessionCount {
  /** Epoch ms; says which day's report they belong to. */
  at: number;
  /** The recipients' domain. */
  domain: string;
}

export interface TlsReportStore {
  /** Adds sessions up, in one commit. Details of successes are not kept. */
  add(results: readonly TlsResult[]): Promise<void>;
  /** Domains with results of that day and no report yet. */
  domainsToReport(day: number, limit: number): Promise<string[]>;
  resultsOf(day: number, domain: string): Promise<TlsSessionCount[]>;
  /** New reports; one that exists stays as it is. */
  plan(reports: readonly Insertable<TlsReportTable>[]): Promise<void>;
  /** Pending reports that are due, nobody else's before `leaseUntil`. */
  claimDue(now: number, leaseUntil: number, limit: number): Promise<TlsReportRow[]>;
  save(report: TlsReportRow): Promise<void>;
  report(day: number, domain: string): Promise<TlsReportRow | null>;
  /** Deletes results and reports of days before `day`, of up to `limit` domains. False while there are more. */
  prune(day: number, limit: number): Promise<boolean>;
}

const KEY = `day = ? AND domain = ? AND policy_type = ? AND policy = ? AND result_type = ? AND mx_host = ?
  AND sending_ip = ? AND receiving_ip = ?`;
const COUNT_MORE = `UPDATE tls_results SET sessions = sessions + ? WHERE ${KEY} RETURNING 1 AS one`;
const ROWS_OF = 'SELECT COUNT(*) AS n FROM tls_results WHERE day = ? AND domain = ?';
const INSERT = `INSERT INTO tls_results
  (day, domain, policy_type, policy, result_type, mx_host, sending_ip, receiving_ip, detail, sessions)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (day, domain, policy_type, policy, result_type, mx_host, sending_ip, receiving_ip)
  DO UPDATE SET sessions = tls_results.sessions + excluded.sessions`;
const DUE = `SELECT * FROM tls_reports r WHERE r.status = 'pending' AND r.due_at <= ? ORDER BY r.due_at LIMIT ?`;
const LEASE = 'UPDATE tls_reports SET due_at = ? WHERE day = ? AND domain = ?';
const BEFORE = `SELECT day, domain FROM tls_results WHERE day < ?
  UNION SELECT day, domain FROM tls_reports WHERE day < ? LIMIT ?`;
const DELETE_RESULTS = 'DELETE FROM tls_results WHERE day = ? AND domain = ?';
const DELETE_REPORT = 'DELETE FROM tls_reports WHERE day = ? AND domain = ?';

/** The change that writes a report's state, for plans that must hold together with it. */
export function saveTlsReport(report: TlsReportRow): Upsert {
  return { kind: 'upsert', into: 'tls_reports', row: report, key: ['day', 'domain'], set: report };
}

export function createTlsReportStore(engine: Engine, committer: Committer): TlsReportStore {
  const db = engine.read;
  const due = `${DUE} ${engine.forUpdateSkipLocked('r')}`;

  return {
    async add(results) {
      const rows = addedUp(results);
      if (rows.length === 0) return;
      await committer.commit(async ({ tx }) => {
        const known = new Map<string, number>();
        for (const row of rows) await addRow(tx, row, known);
      });
    },

    async domainsToReport(day, limit) {
      const rows = await db
        .selectFrom('tls_results as r')
        .select('r.domain')
        .distinct()
        .where('r.day', '=', day)
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('tls_reports as p')
                .select(sql.lit(1).as('one'))
                .whereRef('p.day', '=', 'r.day')
                .whereRef('p.domain', '=', 'r.domain'),
            ),
          ),
        )
        .orderBy('r.domain')
        .limit(limit)
        .execute();
      return rows.map((row) => row.domain);
    },

    async resultsOf(day, domain) {
      const rows = await db
        .selectFrom('tls_results')
        .selectAll()
        .where('day', '=', day)
        .where('domain', '=', domain)
        .orderBy('policy_type')
        .orderBy('policy')
        .orderBy('result_type')
        .orderBy('mx_host')
        .orderBy('sending_ip')
        .orderBy('receiving_ip')
        .execute();
      return rows.map((row) => ({
        policyType: row.policy_type,
        policy: row.policy === '' ? null : (JSON.parse(row.policy) as TlsPolicyText), // written by addedUp
        resultType: row.result_type,
        mxHost: row.mx_host,
        sendingIp: row.sending_ip,
        receivingIp: row.receiving_ip,
        detail: row.detail,
        sessions: row.sessions,
      }));
    },

    async plan(reports) {
      if (reports.length === 0) return;
      await committer.commit((writing) =>
        applyPlan(
          writing,
          reports.map((row) => ({ kind: 'insert', into: 'tls_reports', row, conflict: 'ignore' })),
        ),
      );
    },

    claimDue: (now, leaseUntil, limit) =>
      committer.commit(async ({ tx }) => {
        const claimed = (await tx.run(due, [now, limit])) as unknown as TlsReportRow[]; // SELECT * of that table
        for (const { day, domain } of claimed) await tx.run(LEASE, [leaseUntil, day, domain]);
        return claimed.map((report) => ({ ...report, due_at: leaseUntil }));
      }),

    async save(report) {
      await committer.commit((writing) => applyPlan(writing, [saveTlsReport(report)]));
    },

    async report(day, domain) {
      const query = db.selectFrom('tls_reports').selectAll().where('day', '=', day);
      return (await query.where('domain', '=', domain).executeTakeFirst()) ?? null;
    },

    prune: (day, limit) =>
      committer.commit(async ({ tx }) => {
        const rows = await tx.run(BEFORE, [day, day, limit]);
        for (const row of rows) {
          const key = [row['day'] as number, row['domain'] as string];
          await tx.run(DELETE_RESULTS, key);
          await tx.run(DELETE_REPORT, key);
        }
        return rows.length < limit;
      }),
  };
}

interface ResultRow {
  day: number;
  domain: string;
  /** The columns of the primary key, in its order. */
  key: Value[];
  detail: string;
  sessions: number;
}

/** One row per key, so that a busy batch costs as many statements as it has different outcomes. */
function addedUp(results: readonly TlsResult[]): ResultRow[] {
  const rows = new Map<string, ResultRow>();
  for (const result of results) {
    const row = rowOf(result);
    const id = JSON.stringify(row.key);
    const known = rows.get(id);
    if (known) known.sessions += row.sessions;
    else rows.set(id, row);
  }
  return [...rows.values()];
}

function rowOf(result: TlsResult): ResultRow {
  const day = Math.floor(result.at / DAY_MS);
  const domain = result.domain.toLowerCase();
  const isSuccess = result.resultType === 'success';
  const place = isSuccess
    ? ['', '', '']
    : [
        ascii(result.mxHost, MAX_HOST).toLowerCase(),
        ascii(result.sendingIp, MAX_IP),
        ascii(result.receivingIp, MAX_IP),
      ];
  const policy = policyColumn(result.policyType, result.policy);
  return {
    day,
    domain,
    key: [day, domain, result.policyType, policy, result.resultType, ...place],
    detail: isSuccess ? '' : cleanReplyText(result.detail).slice(0, MAX_DETAIL).toWellFormed(),
    sessions: result.sessions,
  };
}

/** A name or an address; a byte each, since an index entry has so many. */
function ascii(text: string, maxLength: number): string {
  return text.slice(0, maxLength).replace(/[^\x21-\x7e]/g, '?');
}

function oneLine(text: string): string {
  return text
    .slice(0, MAX_POLICY_LINE)
    .replace(/[\p{Cc}\s]/gu, ' ')
    .toWellFormed();
}

/** Canonical, so that one policy is one text; shortened from its end where it is too long for the key. */
function policyColumn(type: TlsPolicyType, policy: TlsPolicyText | null): string {
  if (policy === null) return '';
  const strings = policy.strings.slice(0, 100).map(oneLine);
  const mx = policy.mx.slice(0, 100).map((host) => ascii(host, MAX_HOST));
  // DNS gives the records of a set in any order.
  if (type === 'tlsa') strings.sort();
  for (;;) {
    const text = canonicalJson({ strings, mx });
    if (Buffer.byteLength(text) <= MAX_POLICY_BYTES) return text;
    if (strings.length >= mx.length) strings.pop();
    else mx.pop();
  }
}

async function addRow(tx: Tx, row: ResultRow, known: Map<string, number>): Promise<void> {
  if ((await tx.run(COUNT_MORE, [row.sessions, ...row.key])).length > 0) return;
  const group = `${row.day} ${row.domain}`;
  const count = known.get(group) ?? (await rowsOf(tx, row));
  if (count < MAX_ROWS) {
    await tx.run(INSERT, [...row.key, row.detail, row.sessions]);
    known.set(group, count + 1);
    return;
  }
  known.set(group, count);
  const [day, domain, policyType, , resultType] = row.key;
  const folded = [day, domain, policyType, '', resultType, '', '', ''].map((value) => value ?? '');
  await tx.run(INSERT, [...folded, '', row.sessions]);
}

async function rowsOf(tx: Tx, { day, domain }: ResultRow): Promise<number> {
  return Number((await tx.run(ROWS_OF, [day, domain]))[0]?.['n'] ?? 0);
}
