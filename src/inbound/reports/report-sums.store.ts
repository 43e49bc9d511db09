// Reads the sums of reports by group, and deletes old ones by day.
import type { Committer } from '../../database/committer.js';
import type { Engine } from '../../database/engine/engine.js';
import { rowsAs } from '../../database/sql.js';
import type { Scope } from '../../database/scope.js';
import type { DmarcCount, DmarcGroup, TlsGroup } from './report-groups.rules.js';
import type { DmarcSum } from './reports.tables.js';

const oldDays = (name: string): string =>
  `SELECT DISTINCT environment_id, day, domain FROM ${name} WHERE day < ? ORDER BY day LIMIT ?`;
const dropDay = (name: string): string =>
  `DELETE FROM ${name} WHERE environment_id = ? AND day = ? AND domain = ?`;
const DAY_MS = 86_400_000;

/** Days since the epoch (UTC), both inclusive. */
export interface SumSpan {
  from: number;
  to: number;
  domain: string | null;
  includesUnauthenticated: boolean;
}

const DMARC_COLUMNS = { source: 'source_ip', reporter: 'reporter', day: 'day', domain: 'domain' } as const;
const TLS_COLUMNS = {
  ...{ result: 'result_type', mx_host: 'mx_host' },
  ...{ reporter: 'reporter', day: 'day', domain: 'domain' },
} as const;

interface TlsCount {
  key: string;
  sessions: number;
  failures: number;
}

/** A count as engines return it: a day is a number, and sums may be texts, or null if there are no rows. */
type Summed<T extends { key: string }, Sum extends keyof T> = Omit<T, 'key' | Sum> & {
  key: string | number;
} & Record<Sum, number | string | null>;

export function createReportSumStore(engine: Engine, committer: Committer) {
  const spanOf = (scope: Scope, span: SumSpan): { where: string; values: (string | number)[] } => {
    const { from, to, domain } = span;
    const parts = ['environment_id = ? AND day >= ? AND day <= ?'];
    const values: (string | number)[] = [scope.environmentId, from, to];
    if (domain !== null) {
      parts.push('domain = ?');
      values.push(domain);
    }
    if (scope.subTenantId !== null) {
      parts.push('sub_tenant_key = ?');
      values.push(scope.subTenantId);
    }
    if (!span.includesUnauthenticated) parts.push('authenticated = 1');
    return { where: parts.join(' AND '), values };
  };

  const pruneSums = (name: string) => (before: number, limit: number) =>
    committer.commit(async ({ tx }) => {
      const rows = await rowsAs<Pick<DmarcSum, 'environment_id' | 'day' | 'domain'>>(
        tx.run(oldDays(name), [Math.floor(before / DAY_MS), limit]),
      );
      for (const { environment_id, day, domain } of rows) {
        await tx.run(dropDay(name), [environment_id, day, domain]);
      }
      return rows.length;
    });

  return {
    /** Mails by class, reason and disposition, for each value of the group; of sources, days … that the limit allows. */
    async dmarcCounts(scope: Scope, span: SumSpan, group: DmarcGroup | null): Promise<DmarcCount[]> {
      const { where, values } = spanOf(scope, span);
      const key = group === null ? "''" : DMARC_COLUMNS[group];
      const by = group === null ? '' : `${key}, `;
      const rows = await rowsAs<Summed<DmarcCount, 'messages'>>(
        engine.rows(
          `SELECT ${key} AS key, class, reason, disposition, SUM(messages) AS messages FROM dmarc_sums WHERE ${where}
          GROUP BY ${by}class, reason, disposition`,
          values,
        ),
      );
      return rows.map((row) => ({ ...row, key: String(row.key), messages: Number(row.messages) }));
    },

    async tlsCounts(scope: Scope, span: SumSpan, group: TlsGroup | null): Promise<TlsCount[]> {
      const { where, values } = spanOf(scope, span);
      const key = group === null ? "''" : TLS_COLUMNS[group];
      const rows = await rowsAs<Summed<TlsCount, 'sessions' | 'failures'>>(
        engine.rows(
          `SELECT ${key} AS key, SUM(sessions) AS sessions,
           SUM(CASE WHEN result_type = 'success' THEN 0 ELSE sessions END) AS failures
         FROM tls_sums WHERE ${where}${group === null ? '' : ` GROUP BY ${key}`}`,
          values,
        ),
      );
      return rows.map(({ key: value, sessions, failures }) => ({
        key: String(value),
        sessions: Number(sessions ?? 0),
        failures: Number(failures ?? 0),
      }));
    },

    /** Deletes up to `limit` days of a domain from before a time (epoch ms), and returns their number. */
    pruneDmarc: pruneSums('dmarc_sums'),
    pruneTls: pruneSums('tls_sums'),
  };
}
