// Suppressions: the rows of an address, and the list of them in pages.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { keyText } from '../lib/mime/index.js';
import { newId } from '../lib/runtime/index.js';
import type { Engine } from '../database/engine/engine.js';
import { inList, rowsAs, likePattern } from '../database/sql.js';
import { paged } from '../database/paged.js';
import { type Page, type PageRequest, type Scope, cutPage } from '../database/scope.js';
import type { Suppression, suppressions } from './suppressions.tables.js';
import type { TablesOf } from '../database/columns.js';

type Known = TablesOf<typeof suppressions>;

export interface SuppressionFilter {
  reason?: readonly Suppression['reason'][];
  /** Part of the address. */
  q?: string;
  /** Epoch ms, inclusive. */
  createdAfter?: number;
  /** Epoch ms, exclusive. */
  createdBefore?: number;
}

/** Rows in one step of a search without an index. Other work gets a turn after each step (5 ms). */
const SEARCH_STEP = 5000;
/** Rows that one page of a search scans. The next page continues from there. */
const SEARCH_LIMIT = 200_000;

const OF_EXACTLY = `SELECT * FROM suppressions
  WHERE environment_id = ? AND sub_tenant_key = ? AND email_key IN`;

export function createSuppressionStore(engine: Engine) {
  return { ...addressReads(engine), ...pageReads(engine) };
}

function addressReads(engine: Engine) {
  const db = engine.read.$extendTables<Known>();
  return {
    /** Reads rows that may block mail to any of these addresses. `suppression.rules.ts` decides which do. */
    async suppressionsOf(
      scope: Pick<Scope, 'environmentId' | 'subTenantId'>,
      emailKeys: readonly string[],
    ): Promise<Suppression[]> {
      // A sub-tenant is blocked by its own rows and by the workspace's.
      const tenantKeys = scope.subTenantId === null ? [''] : ['', scope.subTenantId];
      return db
        .selectFrom('suppressions')
        .selectAll()
        .where('environment_id', '=', scope.environmentId)
        .where('sub_tenant_key', 'in', tenantKeys)
        .where('email_key', 'in', emailKeys)
        .execute();
    },

    /** Reads the rows of exactly this sub-tenant, or of the workspace itself. */
    async suppressionsOfExactly(
      scope: Pick<Scope, 'environmentId' | 'subTenantId'>,
      emailKeys: readonly string[],
    ): Promise<Suppression[]> {
      if (emailKeys.length === 0) return [];
      const keys = inList(emailKeys);
      const values = [scope.environmentId, scope.subTenantId ?? '', ...keys.values];
      return rowsAs<Suppression>(engine.rows(`${OF_EXACTLY} (${keys.marks})`, values));
    },

    /** Reads rows of any sub-tenant. It has no scope, so only delivery may use it. */
    async suppressionsAmong(
      addresses: readonly { environmentId: number; emailKey: string }[],
    ): Promise<Suppression[]> {
      if (addresses.length === 0) return [];
      const environments = inList([...new Set(addresses.map((address) => address.environmentId))]);
      const keys = inList([...new Set(addresses.map((address) => address.emailKey))]);
      const statement = `SELECT * FROM suppressions WHERE environment_id IN (${environments.marks})
        AND email_key IN (${keys.marks})`;
      return rowsAs<Suppression>(engine.rows(statement, [...environments.values, ...keys.values]));
    },
  };
}

function pageReads(engine: Engine) {
  const db = engine.read.$extendTables<Known>();

  /** Selects rows that an index returns in the order of ids: of a sub-tenant, of a reason, or all; between two times. */
  const walk = (scope: Scope, filter: SuppressionFilter) => {
    let query = db.selectFrom('suppressions').where('environment_id', '=', scope.environmentId);
    if (scope.subTenantId !== null) query = query.where('sub_tenant_key', '=', scope.subTenantId);
    else if (filter.reason) query = query.where('reason', 'in', filter.reason);
    if (filter.createdAfter !== undefined) query = query.where('id', '>=', idBoundary(filter.createdAfter));
    if (filter.createdBefore !== undefined) query = query.where('id', '<', idBoundary(filter.createdBefore));
    return query;
  };

  /** Finds a page by scanning rows. It may be short or empty and have a next page. */
  async function search(
    scope: Scope,
    page: PageRequest,
    filter: SuppressionFilter,
  ): Promise<Page<Suppression>> {
    const rows: Suppression[] = [];
    const { order = 'desc' } = page;
    const isForward = order === 'asc';
    let { after } = page;
    for (let looked = 0; looked < SEARCH_LIMIT; looked += SEARCH_STEP) {
      let step = walk(scope, filter);
      if (after !== null) step = step.where('id', isForward ? '>' : '<', after);
      const end = await step
        .select('id')
        .orderBy('id', order)
        .offset(SEARCH_STEP - 1)
        .limit(1)
        .executeTakeFirst();
      if (end) step = step.where('id', isForward ? '<=' : '>=', end.id);
      if (filter.q !== undefined) {
        step = step.where('email_key', 'like', likePattern(keyText(filter.q)));
      }
      // Written so that no index applies, because the step's rows are found by their ids.
      if (filter.reason) step = step.where(sql`reason || ''`, 'in', filter.reason);
      const found = await step
        .selectAll()
        .orderBy('id', order)
        .limit(page.limit + 1 - rows.length)
        .execute();
      rows.push(...found);
      if (!end || rows.length > page.limit) return cutPage(rows, page.limit, (row) => row.id);
      after = end.id;
      await nextTurn();
    }
    return { rows, next: after };
  }

  return {
    /** A sub-tenant's scope finds its own rows only. */
    async suppression(scope: Scope, id: string): Promise<Suppression | null> {
      const query = walk(scope, {}).selectAll().where('id', '=', id);
      return (await query.executeTakeFirst()) ?? null;
    },

    /**
     * A sub-tenant's scope lists its own rows only. With `q`, or with a reason within one sub-tenant, rows are scanned, so
     * a page may be short and have a next one.
     */
    async suppressions(
      scope: Scope,
      page: PageRequest,
      filter: SuppressionFilter,
    ): Promise<Page<Suppression>> {
      if (filter.q !== undefined || (filter.reason && scope.subTenantId !== null)) {
        return search(scope, page, filter);
      }
      const query = paged(walk(scope, filter).selectAll(), page, { key: 'id' });
      return cutPage(await query.execute(), page.limit, (row) => row.id);
    },
  };
}

const ID_TIME_END = 'sup_'.length + 10;

/** Returns the id that separates earlier rows from later ones. Ids begin with the time in `created_at`. */
function idBoundary(at: number): string {
  return newId('sup', Math.max(0, at)).slice(0, ID_TIME_END);
}
