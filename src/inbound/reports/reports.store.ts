// Reads received reports and the owners of their domains, and deletes old reports.
import { sql } from 'kysely';
import { OPERATOR_WORKSPACE } from '../../accounts/operator.rules.js';
import type { Committer } from '../../database/committer.js';
import type { Engine } from '../../database/engine/engine.js';
import { paged } from '../../database/paged.js';
import { cutPage, type Page, type PageRequest, type Scope } from '../../database/scope.js';
import { inList, rowsAs } from '../../database/sql.js';
import { type ReceivedReport, receivedReports, dmarcSums, tlsSums } from './reports.tables.js';
import type { TablesOf } from '../../database/columns.js';
import type { Change } from '../../database/change.js';
import { remove } from '../../database/rows.js';

type Known = TablesOf<typeof receivedReports>;

/** The owner of a reported domain. */
export interface ReportOwner {
  /** `tnt_…` or `snd_…`, whose keys sign for the domain; `null` for the operator. */
  id: string | null;
  environmentId: number;
  subTenantId: string | null;
  domain: string;
}

type OwnerRow = ReportOwner & { verifiedAt: number };

const OWNERS = (
  marks: string,
): string => `SELECT t.id, t.id AS "subTenantId", t.sending_domain AS domain, t.verified_at AS "verifiedAt",
    e.id AS "environmentId"
  FROM sub_tenants t JOIN environments e ON e.workspace_id = t.workspace_id AND e.mode = 'live'
  WHERE t.sending_domain IN (${marks}) AND t.deleted_at IS NULL AND t.taken_over_at IS NULL
    AND t.verified_at IS NOT NULL AND t.status IN ('verified', 'suspended')
  UNION ALL SELECT s.id, s.sub_tenant_id, s.identity, s.verified_at, e.id
  FROM senders s JOIN environments e ON e.workspace_id = s.workspace_id AND e.mode = 'live'
  WHERE s.identity IN (${marks}) AND s.kind = 'domain' AND s.deleted_at IS NULL AND s.taken_over_at IS NULL
    AND s.verified_at IS NOT NULL AND s.status IN ('verified', 'suspended')`;
const OPERATOR = `SELECT e.id FROM environments e JOIN workspaces w ON w.id = e.workspace_id
  WHERE w.number = ? AND e.mode = 'live'`;
const IS_KNOWN = 'SELECT 1 AS one FROM received_reports WHERE environment_id = ? AND dedupe_key = ?';
const PRUNE_REPORTS = `DELETE FROM received_reports WHERE id IN
  (SELECT id FROM received_reports WHERE created_at < ? ORDER BY created_at LIMIT ?) RETURNING 1 AS one`;
export type ReportKind = ReceivedReport['kind'];

interface ReportFilter {
  kind: ReportKind;
  domain?: string;
}

export function createReportStore(engine: Engine, committer: Committer) {
  const db = engine.read.$extendTables<Known>();

  const reports = (scope: Scope) => {
    const query = db
      .selectFrom('received_reports')
      .selectAll()
      .where('environment_id', '=', scope.environmentId);
    return scope.subTenantId === null ? query : query.where('sub_tenant_id', '=', scope.subTenantId);
  };

  return {
    /**
     * Owners of verified domains among those names; of a domain that several have proved, the newest proof. Within a workspace
     * its sub-tenant has it.
     */
    async owners(domains: readonly string[]): Promise<Map<string, ReportOwner>> {
      const owners = new Map<string, ReportOwner>();
      if (domains.length === 0) return owners;
      const { marks, values } = inList(domains);
      const rows = await rowsAs<OwnerRow>(engine.rows(OWNERS(marks), [...values, ...values]));
      for (const domain of new Set(rows.map((row) => row.domain))) {
        const own = rows.filter((row) => row.domain === domain);
        const newest = own.reduce((a, b) => (b.verifiedAt > a.verifiedAt ? b : a));
        const beside = own.filter((row) => row.environmentId === newest.environmentId);
        const { id, environmentId, subTenantId } = beside.find((row) => row.subTenantId !== null) ?? newest;
        owners.set(domain, { id, environmentId, subTenantId, domain });
      }
      return owners;
    },

    /** Reads the owner of the server's own domains. Returns `null` until the first start is complete. */
    async operator(domain: string): Promise<ReportOwner | null> {
      const [row] = await rowsAs<{ id: number }>(engine.rows(OPERATOR, [OPERATOR_WORKSPACE]));
      return row ? { id: null, environmentId: row.id, subTenantId: null, domain } : null;
    },

    async isKnown(environmentId: number, dedupeKey: string): Promise<boolean> {
      return (await engine.rows(IS_KNOWN, [environmentId, dedupeKey])).length > 0;
    },

    async report(scope: Scope, kind: ReportKind, id: string): Promise<ReceivedReport | null> {
      return (await reports(scope).where('kind', '=', kind).where('id', '=', id).executeTakeFirst()) ?? null;
    },

    /** Leaves `records` empty, because a page of them would be large. */
    async reports(scope: Scope, page: PageRequest, filter: ReportFilter): Promise<Page<ReceivedReport>> {
      let query = paged(reports(scope), page, { key: 'id' }).where('kind', '=', filter.kind);
      if (filter.domain !== undefined) query = query.where('domain', '=', filter.domain);
      const rows = await query
        .clearSelect()
        .select(SUMMARY_COLUMNS)
        .select(sql<string>`''`.as('records'))
        .execute();
      return cutPage(rows, page.limit, (row) => row.id);
    },

    /** Deletes up to `limit` reports from before a time (epoch ms), and returns their number. */
    prune: (before: number, limit: number): Promise<number> =>
      committer.commit(async ({ tx }) => (await tx.run(PRUNE_REPORTS, [before, limit])).length),
  };
}

const SUMMARY_COLUMNS = [
  ...(['id', 'environment_id', 'sub_tenant_id', 'kind', 'domain', 'org_name', 'reporter'] as const),
  ...(['report_id', 'authenticated', 'begins_at', 'ends_at', 'policy', 'total', 'problems'] as const),
  ...(['records_left_out', 'dedupe_key', 'created_at'] as const),
] as const;

/** Removes the reports about the mail of a sub-tenant, with their sums. */
export function forgetReports(subTenantId: string): Change[] {
  return [
    remove(receivedReports, { where: { sub_tenant_id: subTenantId } }),
    remove(dmarcSums, { where: { sub_tenant_key: subTenantId } }),
    remove(tlsSums, { where: { sub_tenant_key: subTenantId } }),
  ];
}
