// TLS results, and the daily reports built from them (RFC 8460 section 4).
import { sql, type Insertable } from 'kysely';
import type { TlsPolicyText, TlsSessionCount } from '../../lib/tls-policy/index.js';
import type { Committer } from '../../database/committer.js';
import type { Engine } from '../../database/engine/engine.js';
import { type TlsReportRow, type TlsReportTable, tlsReports } from './tls-reports.tables.js';
import { applyPlan, type Change } from '../../database/change.js';
import type { tlsResults } from '../../outbound/outbound.tables.js';
import type { TablesOf } from '../../database/columns.js';
import { rowsAs } from '../../database/sql.js';
import { upsert, insert } from '../../database/rows.js';

type Known = TablesOf<typeof tlsReports | typeof tlsResults>;

export type TlsReportStore = ReturnType<typeof createTlsReportStore>;

const DUE = `SELECT * FROM tls_reports r WHERE r.status = 'pending' AND r.due_at <= ? ORDER BY r.due_at LIMIT ?`;
const LEASE = 'UPDATE tls_reports SET due_at = ? WHERE day = ? AND domain = ?';
const BEFORE = `SELECT day, domain FROM tls_results WHERE day < ?
  UNION SELECT day, domain FROM tls_reports WHERE day < ? LIMIT ?`;
const DELETE_RESULTS = 'DELETE FROM tls_results WHERE day = ? AND domain = ?';
const DELETE_REPORT = 'DELETE FROM tls_reports WHERE day = ? AND domain = ?';

/** Returns the change that writes a report's state, for plans that must be atomic with it. */
export function saveTlsReport(report: TlsReportRow): Change {
  return upsert(tlsReports, { row: report, key: ['day', 'domain'], set: report });
}

export function createTlsReportStore(engine: Engine, committer: Committer) {
  return { ...reportReads(engine), ...reportWrites(engine, committer) };
}

function reportReads(engine: Engine) {
  const db = engine.read.$extendTables<Known>();
  return {
    /** Returns domains with results of that day and no report yet. */
    async domainsToReport(day: number, limit: number): Promise<string[]> {
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

    async resultsOf(day: number, domain: string): Promise<TlsSessionCount[]> {
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
        policy: row.policy === '' ? null : (JSON.parse(row.policy) as TlsPolicyText), // written as JSON
        resultType: row.result_type,
        mxHost: row.mx_host,
        sendingIp: row.sending_ip,
        receivingIp: row.receiving_ip,
        detail: row.detail,
        sessions: row.sessions,
      }));
    },

    async report(day: number, domain: string): Promise<TlsReportRow | null> {
      const query = db.selectFrom('tls_reports').selectAll().where('day', '=', day);
      return (await query.where('domain', '=', domain).executeTakeFirst()) ?? null;
    },
  };
}

function reportWrites(engine: Engine, committer: Committer) {
  const due = `${DUE} ${engine.forUpdateSkipLocked('r')}`;
  return {
    /** Adds reports. Existing ones do not change. */
    async plan(reports: readonly Insertable<TlsReportTable>[]): Promise<void> {
      if (reports.length === 0) return;
      await committer.commit((writing) =>
        applyPlan(
          writing,
          reports.map((row) => insert(tlsReports, { row, conflict: 'ignore' })),
        ),
      );
    },

    /** Claims pending reports that are due. No one else gets them before `leaseUntil`. */
    claimDue: (now: number, leaseUntil: number, limit: number): Promise<TlsReportRow[]> =>
      committer.commit(async ({ tx }) => {
        const claimed = await rowsAs<TlsReportRow>(tx.run(due, [now, limit]));
        for (const { day, domain } of claimed) await tx.run(LEASE, [leaseUntil, day, domain]);
        return claimed.map((report) => ({ ...report, due_at: leaseUntil }));
      }),

    async save(report: TlsReportRow): Promise<void> {
      await committer.commit((writing) => applyPlan(writing, [saveTlsReport(report)]));
    },

    /** Deletes results and reports of days before `day`, of up to `limit` domains. Returns false while there are more. */
    prune: (day: number, limit: number): Promise<boolean> =>
      committer.commit(async ({ tx }) => {
        const rows = await rowsAs<Pick<TlsReportRow, 'day' | 'domain'>>(tx.run(BEFORE, [day, day, limit]));
        for (const key of rows) {
          await tx.run(DELETE_RESULTS, [key.day, key.domain]);
          await tx.run(DELETE_REPORT, [key.day, key.domain]);
        }
        return rows.length < limit;
      }),
  };
}
