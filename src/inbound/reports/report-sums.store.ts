// Sums of the reports about our mail: counted by group, and forgotten by day.
import type { Committer } from '../../store/committer.js';
import type { Engine, Row } from '../../store/engine/engine.js';
import type { Scope } from '../../store/scope.js';
import { inList } from '../../store/sql.js';
import type { DmarcClass } from './dmarc-class.rules.js';
import type { DmarcCount, DmarcGroup, TlsGroup } from './report-groups.rules.js';
import { OPERATOR, OPERATOR_WORKSPACE } from './reports.store.js';

const oldDays = (name: string): string =>
  `SELECT DISTINCT environment_id, day, domain FROM ${name} WHERE day < ? ORDER BY day LIMIT ?`;
const dropDay = (name: string): string =>
  `DELETE FROM ${name} WHERE environment_id = ? AND day = ? AND domain = ?`;
const PROVIDERS_OF = (marks: string): string =>
  `SELECT domain, provider FROM domain_providers WHERE domain IN (${marks})`;
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

export interface TlsCount {
  key: string;
  sessions: number;
  failures: number;
}

export function createReportSumStore(engine: Engine, committer: Committer) {
  /** Condition and values of a scope's sums in a span. */
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
      const rows = await tx.run(oldDays(name), [Math.floor(before / DAY_MS), limit]);
      for (const row of rows) {
        await tx.run(dropDay(name), [
          Number(row['environment_id']),
          Number(row['day']),
          String(row['domain']),
        ]);
      }
      return rows.length;
    });

  return {
    /** Mails by class, reason and disposition, for each value of the group; of sources, days … that the limit allows. */
    async dmarcCounts(scope: Scope, span: SumSpan, group: DmarcGroup | null): Promise<DmarcCount[]> {
      const { where, values } = spanOf(scope, span);
      const key = group === null ? "''" : DMARC_COLUMNS[group];
      const by = group === null ? '' : `${key}, `;
      const rows = await engine.rows(
        `SELECT ${key} AS key, class, reason, disposition, SUM(messages) AS messages FROM dmarc_sums WHERE ${where}
          GROUP BY ${by}class, reason, disposition`,
        values,
      );
      return rows.map((row) => ({
        key: String(row['key']),
        class: row['class'] as DmarcClass, // the column holds what was classified
        reason: String(row['reason']),
        disposition: String(row['disposition']),
        messages: Number(row['messages']),
      }));
    },

    async tlsCounts(scope: Scope, span: SumSpan, group: TlsGroup | null): Promise<TlsCount[]> {
      const { where, values } = spanOf(scope, span);
      const key = group === null ? "''" : TLS_COLUMNS[group];
      const rows = await engine.rows(
        `SELECT ${key} AS key, SUM(sessions) AS sessions,
           SUM(CASE WHEN result_type = 'success' THEN 0 ELSE sessions END) AS failures
         FROM tls_sums WHERE ${where}${group === null ? '' : ` GROUP BY ${key}`}`,
        values,
      );
      return rows.map((row) => ({
        key: String(row['key']),
        sessions: Number(row['sessions'] ?? 0),
        failures: Number(row['failures'] ?? 0),
      }));
    },

    /** Sessions that failed since a day by authenticated reports about the appliance's own domains, by type. */
    async ownTlsFailures(sinceDay: number): Promise<{ sessions: number; failures: number; types: string[] }> {
      const [operator] = await engine.rows(OPERATOR, [OPERATOR_WORKSPACE]);
      if (!operator) return { sessions: 0, failures: 0, types: [] };
      const rows = await engine.rows(
        `SELECT result_type, SUM(sessions) AS sessions FROM tls_sums WHERE environment_id = ? AND day >= ?
           AND authenticated = 1 GROUP BY result_type ORDER BY 2 DESC`,
        [Number(operator['id']), sinceDay],
      );
      const failed = rows.filter((row) => row['result_type'] !== 'success');
      return {
        sessions: sessionsOf(rows),
        failures: sessionsOf(failed),
        types: failed.slice(0, 3).map((row) => String(row['result_type'])),
      };
    },

    /** Providers at which mail for those domains was received when it last went there. */
    async providersOf(domains: readonly string[]): Promise<Map<string, string>> {
      if (domains.length === 0) return new Map();
      const { marks, values } = inList(domains);
      const rows = await engine.rows(PROVIDERS_OF(marks), values);
      return new Map(rows.map((row) => [String(row['domain']), String(row['provider'])]));
    },

    /** Each forgets up to `limit` days of a domain from before a time (epoch ms), and answers how many. */
    pruneDmarc: pruneSums('dmarc_sums'),
    pruneTls: pruneSums('tls_sums'),
  };
}

function sessionsOf(rows: readonly Row[]): number {
  return rows.reduce((sum, row) => sum + Number(row['sessions']), 0);
}
