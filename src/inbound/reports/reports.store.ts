// Reports about our mail: whose a domain is, the reports of a scope, their sums, and what is forgotten by age.
import { sql } from 'kysely';
import type { Committer } from '../../store/committer.js';
import type { Engine, Row } from '../../store/engine/engine.js';
import { paged } from '../../store/paged.js';
import { pageOf, type Page, type PageRequest, type Scope } from '../../store/scope.js';
import { inList } from '../../store/sql.js';
import type { DmarcClass } from './dmarc-class.rules.js';
import type { DmarcCount, DmarcGroup, TlsGroup } from './report-groups.rules.js';
import type { ReceivedReport } from './reports.tables.js';

/** The workspace of the operator, who has what is about the appliance's own domains. */
const OPERATOR_WORKSPACE = 1;

/** Who reports about a domain are for. */
export interface ReportOwner {
  /** `tnt_…` or `snd_…`, whose keys sign for the domain; null: the appliance itself. */
  id: string | null;
  environmentId: number;
  subTenantId: string | null;
  domain: string;
}

const OWNERS = (
  marks: string,
): string => `SELECT t.id, t.id AS sub_tenant_id, t.sending_domain AS domain, t.verified_at,
    e.id AS environment_id
  FROM sub_tenants t JOIN environments e ON e.workspace_id = t.workspace_id AND e.mode = 'live'
  WHERE t.sending_domain IN (${marks}) AND t.deleted_at IS NULL AND t.taken_over_at IS NULL
    AND t.verified_at IS NOT NULL AND t.status IN ('verified', 'suspended')
  UNION ALL SELECT s.id, s.sub_tenant_id, s.identity AS domain, s.verified_at, e.id AS environment_id
  FROM senders s JOIN environments e ON e.workspace_id = s.workspace_id AND e.mode = 'live'
  WHERE s.identity IN (${marks}) AND s.kind = 'domain' AND s.deleted_at IS NULL AND s.taken_over_at IS NULL
    AND s.verified_at IS NOT NULL AND s.status IN ('verified', 'suspended')`;
const OPERATOR = `SELECT e.id FROM environments e JOIN workspaces w ON w.id = e.workspace_id
  WHERE w.number = ? AND e.mode = 'live'`;
const IS_KNOWN = 'SELECT 1 AS one FROM received_reports WHERE environment_id = ? AND dedupe_key = ?';
const PRUNE_REPORTS = `DELETE FROM received_reports WHERE id IN
  (SELECT id FROM received_reports WHERE created_at < ? ORDER BY created_at LIMIT ?) RETURNING 1 AS one`;
const oldDays = (name: string): string =>
  `SELECT DISTINCT environment_id, day, domain FROM ${name} WHERE day < ? ORDER BY day LIMIT ?`;
const dropDay = (name: string): string =>
  `DELETE FROM ${name} WHERE environment_id = ? AND day = ? AND domain = ?`;
const PROVIDERS_OF = (marks: string): string =>
  `SELECT domain, provider FROM domain_providers WHERE domain IN (${marks})`;
const DAY_MS = 86_400_000;

export type ReportKind = ReceivedReport['kind'];

export interface ReportFilter {
  kind: ReportKind;
  domain?: string;
  authenticated?: boolean;
}

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

export type ReportStore = ReturnType<typeof createReportStore>;

export function createReportStore(engine: Engine, committer: Committer) {
  const db = engine.read;

  const reports = (scope: Scope) => {
    const query = db
      .selectFrom('received_reports')
      .selectAll()
      .where('environment_id', '=', scope.environmentId);
    return scope.subTenantId === null ? query : query.where('sub_tenant_id', '=', scope.subTenantId);
  };

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
    /**
     * Owners of verified domains among those names; of a domain that several have proved, the newest proof. Within a workspace
     * its sub-tenant has it.
     */
    async owners(domains: readonly string[]): Promise<Map<string, ReportOwner>> {
      const owners = new Map<string, ReportOwner>();
      if (domains.length === 0) return owners;
      const { marks, values } = inList(domains);
      const rows = await engine.rows(OWNERS(marks), [...values, ...values]);
      for (const domain of new Set(rows.map((row) => String(row['domain'])))) {
        const own = rows.filter((row) => row['domain'] === domain);
        const newest = own.reduce((a, b) => (Number(b['verified_at']) > Number(a['verified_at']) ? b : a));
        const beside = own.filter((row) => row['environment_id'] === newest['environment_id']);
        owners.set(domain, ownerFrom(beside.find((row) => row['sub_tenant_id'] !== null) ?? newest));
      }
      return owners;
    },

    /** The owner of what is about the appliance's own domains; null before the first start has ended. */
    async operator(domain: string): Promise<ReportOwner | null> {
      const [row] = await engine.rows(OPERATOR, [OPERATOR_WORKSPACE]);
      return row ? { id: null, environmentId: Number(row['id']), subTenantId: null, domain } : null;
    },

    async isKnown(environmentId: number, dedupeKey: string): Promise<boolean> {
      return (await engine.rows(IS_KNOWN, [environmentId, dedupeKey])).length > 0;
    },

    async report(scope: Scope, kind: ReportKind, id: string): Promise<ReceivedReport | null> {
      return (await reports(scope).where('kind', '=', kind).where('id', '=', id).executeTakeFirst()) ?? null;
    },

    /** `records` is empty: a page of them would be large. */
    async reports(scope: Scope, page: PageRequest, filter: ReportFilter): Promise<Page<ReceivedReport>> {
      let query = paged(reports(scope), page, { key: 'id' }).where('kind', '=', filter.kind);
      if (filter.domain !== undefined) query = query.where('domain', '=', filter.domain);
      if (filter.authenticated !== undefined) {
        query = query.where('authenticated', '=', filter.authenticated ? 1 : 0);
      }
      const rows = await query
        .clearSelect()
        .select(SUMMARY_COLUMNS)
        .select(sql<string>`'[]'`.as('records'))
        .execute();
      return pageOf(rows, page.limit, (row) => row.id);
    },

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

    /** Each forgets up to `limit` reports, or days of a domain, from before a time (epoch ms), and answers how many. */
    pruneReports: (before: number, limit: number): Promise<number> =>
      committer.commit(async ({ tx }) => (await tx.run(PRUNE_REPORTS, [before, limit])).length),
    pruneDmarcSums: pruneSums('dmarc_sums'),
    pruneTlsSums: pruneSums('tls_sums'),
  };
}

const SUMMARY_COLUMNS = [
  ...(['id', 'environment_id', 'sub_tenant_id', 'kind', 'domain', 'org_name', 'reporter'] as const),
  ...(['report_id', 'authenticated', 'begins_at', 'ends_at', 'policy', 'total', 'problems'] as const),
  ...(['records_left_out', 'dedupe_key', 'created_at'] as const),
] as const;

function ownerFrom(row: Row): ReportOwner {
  const subTenantId = row['sub_tenant_id'];
  return {
    id: String(row['id']),
    environmentId: Number(row['environment_id']),
    subTenantId: typeof subTenantId === 'string' ? subTenantId : null,
    domain: String(row['domain']),
  };
}

function sessionsOf(rows: readonly Row[]): number {
  return rows.reduce((sum, row) => sum + Number(row['sessions']), 0);
}
