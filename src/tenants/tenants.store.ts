// Sub-tenants as an environment sees them, with their reputation there.
import { type Selectable, sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Engine } from '../database/engine/engine.js';
import { inList, rowsAs } from '../database/sql.js';
import { holding, paged } from '../database/paged.js';
import { type Page, type PageRequest, type Scope, cutPage } from '../database/scope.js';
import { inMillion } from '../contract/rates.js';
import { createRestrictionReads } from './restrictions.store.js';
import type { SubTenantTable, TenantReputation, subTenants as subTenantsTable } from './tenants.tables.js';
import type { TablesOf } from '../database/columns.js';

type Known = TablesOf<typeof subTenantsTable>;

export type SubTenantRow = Selectable<SubTenantTable>;
/** A sub-tenant as one environment sees it. `paused` there replaces the status of its row. */
export type SubTenant = Omit<SubTenantRow, 'status'> & {
  status: SubTenantRow['status'] | 'paused';
  /** Null if nothing was ever counted. */
  reputation: TenantReputation | null;
};

type ReputationWord = 'ok' | 'warned' | 'throttled' | 'paused';
type RateOrder = 'complaint_rate' | 'bounce_rate';

interface SubTenantFilter {
  /** Matches any of these. */
  status?: readonly SubTenant['status'][];
  externalId?: string;
  q?: string;
  /** Matches any of these. `paused` means because of a rate, not on request. */
  reputation?: readonly ReputationWord[];
  /** Minimum as a share. */
  minComplaintRate?: number;
  minBounceRate?: number;
}

const COLUMNS = { complaint_rate: 'complaint_ppm', bounce_rate: 'bounce_ppm' } as const;
/** Place of sub-tenants whose mail was never counted, which come last. */
const UNCOUNTED = '-';

const isPausedForRate = sql<SqlBool>`(paused_at IS NOT NULL AND pause_cause <> 'requested')`;
/** Written as in the partial index. */
const isHeld = sql<SqlBool>`(state <> 'ok' OR paused_at IS NOT NULL)`;

const SUB_TENANT = 'SELECT * FROM sub_tenants WHERE id = ? AND workspace_id = ? AND deleted_at IS NULL';
/** Prefix of a platform's own id for a sub-tenant. */
const EXTERNAL = 'external:';
const BY_EXTERNAL_ID =
  'SELECT id FROM sub_tenants WHERE workspace_id = ? AND external_id = ? AND deleted_at IS NULL';
const REPUTATIONS = 'SELECT * FROM tenant_reputations WHERE environment_id = ? AND sub_tenant_id IN';

function createSubTenantList(engine: Engine) {
  const db = engine.read.$extendTables<Known>();

  async function byAge(page: PageRequest, where: readonly RawBuilder<SqlBool>[]): Promise<SubTenantRow[]> {
    const all = paged(db.selectFrom('sub_tenants as s').selectAll('s'), page, { key: 'id', of: 's' });
    return where.reduce((query, one) => query.where(one), all).execute();
  }

  async function byRate(
    scope: Scope,
    page: PageRequest,
    { order, filter }: { order: RateOrder; filter: SubTenantFilter },
  ): Promise<{ rows: SubTenantRow[]; next: string | null }> {
    const column = sql.ref(COLUMNS[order]);
    const where = [...conditions(scope, filter), ...times(page)];
    const { limit, after } = page;
    const placed: { row: SubTenantRow; place: string }[] = [];
    const [rate = '', id = ''] = after?.split(' ') ?? [];
    if (rate !== UNCOUNTED) {
      const beyond =
        after === null ? [] : [sql<SqlBool>`(t.${column}, t.sub_tenant_id) < (${Number(rate)}, ${id})`];
      const { rows } = await sql<SubTenantRow & { ppm: number }>`
        SELECT s.*, t.${column} AS ppm FROM tenant_reputations t JOIN sub_tenants s ON s.id = t.sub_tenant_id
        WHERE ${sql.join([sql`t.environment_id = ${scope.environmentId}`, sql`t.${column} IS NOT NULL`, ...beyond, ...where], sql` AND `)}
        ORDER BY t.${column} DESC, t.sub_tenant_id DESC LIMIT ${limit + 1}`.execute(db);
      placed.push(...rows.map(({ ppm, ...row }) => ({ row, place: `${ppm} ${row.id}` })));
    }
    if (placed.length <= limit) {
      const counted = idsWhere(scope, sql`${column} IS NOT NULL`);
      const rest = { limit: limit - placed.length, after: rate === UNCOUNTED ? id : null };
      const rows = await byAge(rest, [...where, isNotIn(counted)]);
      placed.push(...rows.map((row) => ({ row, place: `${UNCOUNTED} ${row.id}` })));
    }
    const { rows, next } = cutPage(placed, limit, ({ place }) => place);
    return { rows: rows.map(({ row }) => row), next };
  }

  return async function subTenants(
    scope: Scope,
    page: PageRequest,
    filter: SubTenantFilter,
    /** Null sorts by creation, as the page says. */
    order: RateOrder | null = null,
  ): Promise<Page<SubTenant>> {
    if (order !== null) {
      const { rows, next } = await byRate(scope, page, { order, filter });
      return { rows: await withReputations(engine, scope, rows), next };
    }
    const found = await byAge(page, conditions(scope, filter));
    const { rows, next } = cutPage(found, page.limit, (row) => row.id);
    return { rows: await withReputations(engine, scope, rows), next };
  };
}

function idsWhere(scope: Scope, ...where: RawBuilder<SqlBool>[]): RawBuilder<unknown> {
  return sql`SELECT sub_tenant_id FROM tenant_reputations
    WHERE ${sql.join([sql`environment_id = ${scope.environmentId}`, ...where], sql` AND `)}`;
}

function isIn(found: RawBuilder<unknown>): RawBuilder<SqlBool> {
  return sql<SqlBool>`s.id IN (${found})`;
}

function isNotIn(found: RawBuilder<unknown>): RawBuilder<SqlBool> {
  return sql<SqlBool>`s.id NOT IN (${found})`;
}

function statusCondition(scope: Scope, status: readonly SubTenant['status'][]): RawBuilder<SqlBool> {
  const paused = idsWhere(scope, sql`paused_at IS NOT NULL`);
  const others = status.filter((one) => one !== 'paused');
  return either([
    ...(status.includes('paused') ? [isIn(paused)] : []),
    ...(others.length === 0
      ? []
      : [sql<SqlBool>`(${isNotIn(paused)} AND s.status IN (${sql.join([...others])}))`]),
  ]);
}

function reputationCondition(scope: Scope, words: readonly ReputationWord[]): RawBuilder<SqlBool> {
  return either(
    words.map((word) => {
      if (word === 'paused') return isIn(idsWhere(scope, isHeld, isPausedForRate));
      if (word === 'ok') {
        return isNotIn(idsWhere(scope, isHeld, sql`(state <> 'ok' OR ${isPausedForRate})`));
      }
      return isIn(idsWhere(scope, isHeld, sql`state = ${word}`, sql`NOT ${isPausedForRate}`));
    }),
  );
}

function conditions(scope: Scope, filter: SubTenantFilter): RawBuilder<SqlBool>[] {
  const { status, reputation, q, externalId, minComplaintRate, minBounceRate } = filter;
  const found: RawBuilder<SqlBool>[] = [
    sql`s.workspace_id = ${scope.workspaceId}`,
    sql`s.deleted_at IS NULL`,
  ];
  if (scope.subTenantId !== null) found.push(sql`s.id = ${scope.subTenantId}`);
  if (status !== undefined) found.push(statusCondition(scope, status));
  if (reputation !== undefined) found.push(reputationCondition(scope, reputation));
  if (minComplaintRate !== undefined) {
    found.push(isIn(idsWhere(scope, sql`complaint_ppm >= ${inMillion(minComplaintRate)}`)));
  }
  if (minBounceRate !== undefined) {
    found.push(isIn(idsWhere(scope, sql`bounce_ppm >= ${inMillion(minBounceRate)}`)));
  }
  if (q !== undefined) found.push(holding(['s.name', 's.sending_domain', 's.external_id'], q));
  if (externalId !== undefined) found.push(sql`s.external_id = ${externalId}`);
  return found;
}

function times({ createdAfter, createdBefore }: PageRequest): RawBuilder<SqlBool>[] {
  return [
    ...(createdAfter === undefined ? [] : [sql<SqlBool>`s.created_at >= ${createdAfter}`]),
    ...(createdBefore === undefined ? [] : [sql<SqlBool>`s.created_at < ${createdBefore}`]),
  ];
}

function either(alternatives: readonly RawBuilder<SqlBool>[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${sql.join([...alternatives], sql` OR `)})`;
}

async function withReputations(
  engine: Engine,
  { environmentId }: Pick<Scope, 'environmentId'>,
  rows: readonly SubTenantRow[],
): Promise<SubTenant[]> {
  if (rows.length === 0) return [];
  const { marks, values } = inList(rows.map(({ id }) => id));
  const found = await rowsAs<TenantReputation>(
    engine.rows(`${REPUTATIONS} (${marks})`, [environmentId, ...values]),
  );
  const reputations = new Map(found.map((one) => [one.sub_tenant_id, one]));
  return rows.map((row) => {
    const reputation = reputations.get(row.id) ?? null;
    const isPaused = reputation !== null && reputation.paused_at !== null;
    return { ...row, status: isPaused ? 'paused' : row.status, reputation };
  });
}

export function createTenantStore(engine: Engine) {
  const db = engine.read.$extendTables<Known>();
  return {
    async subTenant(scope: Scope, id: string): Promise<SubTenant | null> {
      if (scope.subTenantId !== null && scope.subTenantId !== id) return null;
      const rows = await rowsAs<SubTenantRow>(engine.rows(SUB_TENANT, [id, scope.workspaceId]));
      return rows[0] ? ((await withReputations(engine, scope, rows))[0] ?? null) : null;
    },

    /** Reads sub-tenants of any workspace as the environment sees them, for the subjects of its events. */
    async subTenantsById(environmentId: number, ids: readonly string[]): Promise<SubTenant[]> {
      if (ids.length === 0) return [];
      const rows = await db.selectFrom('sub_tenants').selectAll().where('id', 'in', ids).execute();
      return withReputations(engine, { environmentId }, rows);
    },

    /** Resolves the id in a request, which may not exist; null for an unknown `external:` id. */
    async subTenantIdOf({ workspaceId }: Pick<Scope, 'workspaceId'>, named: string): Promise<string | null> {
      if (!named.startsWith(EXTERNAL)) return named;
      const values = [workspaceId, named.slice(EXTERNAL.length)];
      const [row] = await rowsAs<{ id: string }>(engine.rows(BY_EXTERNAL_ID, values));
      return row?.id ?? null;
    },

    subTenants: createSubTenantList(engine),
    ...createRestrictionReads(engine),
  };
}
