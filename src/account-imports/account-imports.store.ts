// Reads of account imports, of the objects that they created, and of their reports.
import type { Kysely } from 'kysely';
import type { Engine } from '../database/engine/engine.js';
import type { TablesOf } from '../database/columns.js';
import { paged } from '../database/paged.js';
import { cutPage, type Page, type PageRequest, type Scope } from '../database/scope.js';
import type { Change } from '../database/change.js';
import { remove } from '../database/rows.js';
import { inList, rowsAs } from '../database/sql.js';
import {
  type AccountImport,
  accountImportObjects,
  type accountImportReports,
  accountImports,
  type ReportLine,
} from './account-imports.tables.js';
import type { StoredAmounts } from '../imports/transfers.store.js';
import type { ImportKind, ImportSource } from './kinds.rules.js';

type Known = TablesOf<typeof accountImports | typeof accountImportObjects | typeof accountImportReports>;

/** An unfinished import, with the fields of its scope. */
export type OpenAccountImport = AccountImport & Pick<Scope, 'workspaceNumber' | 'organizationId' | 'mode'>;

type Owner = Pick<Scope, 'environmentId' | 'subTenantId'>;

const IS_OPEN = `(status = 'queued' OR status = 'running')`;
/** The imports that waited longest, one of each environment. */
const DUE = `SELECT t.*, w.number AS "workspaceNumber", w.organization_id AS "organizationId", e.mode
  FROM account_imports t JOIN workspaces w ON w.id = t.workspace_id JOIN environments e ON e.id = t.environment_id
  WHERE t.id IN (SELECT id FROM (
    SELECT id, ROW_NUMBER() OVER (PARTITION BY environment_id ORDER BY updated_at, id) AS turn
    FROM account_imports WHERE ${IS_OPEN} AND COALESCE(resume_at, 0) <= ?) AS turns WHERE turn = 1)
  ORDER BY t.updated_at, t.id LIMIT ?`;
const COUNT_OPEN = `SELECT COUNT(*) AS n FROM account_imports
  WHERE ${IS_OPEN} AND environment_id = ? AND COALESCE(sub_tenant_id, '') = ?`;

export interface ObjectPlace {
  environmentId: number;
  subTenantId: string | null;
  source: ImportSource;
  origin: string;
  kind: ImportKind;
}

export function createAccountImportStore(engine: Engine) {
  const db = engine.read.$extendTables<Known>();
  return { ...importReads(engine, db), ...fileReads(db) };
}

function importReads(engine: Engine, db: Kysely<Known>) {
  const inScope = (scope: Owner) => {
    const query = db
      .selectFrom('account_imports')
      .selectAll()
      .where('environment_id', '=', scope.environmentId);
    return scope.subTenantId === null ? query : query.where('sub_tenant_id', '=', scope.subTenantId);
  };
  return {
    async accountImport(scope: Owner, id: string): Promise<AccountImport | null> {
      return (await inScope(scope).where('id', '=', id).executeTakeFirst()) ?? null;
    },

    async accountImports(scope: Owner, page: PageRequest): Promise<Page<AccountImport>> {
      const query = paged(inScope(scope), page, { key: 'id' });
      return cutPage(await query.execute(), page.limit, (row) => row.id);
    },

    /** Up to `limit` imports that may make a request now. Unscoped: for the loop only. */
    async dueImports(now: number, limit: number): Promise<OpenAccountImport[]> {
      return rowsAs<OpenAccountImport>(engine.rows(DUE, [now, limit]));
    },

    /** Counts open imports of the sub-tenant, or of the environment itself. */
    async countOpen({ environmentId, subTenantId }: Owner): Promise<number> {
      const [row] = await rowsAs<{ n: number }>(engine.rows(COUNT_OPEN, [environmentId, subTenantId ?? '']));
      return row?.n ?? 0;
    },

    /** Returns the created objects by the vendor's IDs. */
    async objectsOf(place: ObjectPlace, externalIds: readonly string[]): Promise<Map<string, string>> {
      if (externalIds.length === 0) return new Map();
      const { marks, values } = inList(externalIds);
      const statement = `SELECT external_id, object_id FROM account_import_objects WHERE environment_id = ?
        AND sub_tenant_key = ? AND source = ? AND origin = ? AND kind = ? AND external_id IN (${marks})`;
      const { environmentId, subTenantId, source, origin, kind } = place;
      const rows = await rowsAs<{ external_id: string; object_id: string }>(
        engine.rows(statement, [environmentId, subTenantId ?? '', source, origin, kind, ...values]),
      );
      return new Map(rows.map((row) => [row.external_id, row.object_id]));
    },

    /** Lines of the report by number, after `after`. */
    async reportLines(importId: string, after: number, limit: number): Promise<ReportLine[]> {
      return db
        .selectFrom('account_import_reports')
        .selectAll()
        .where('import_id', '=', importId)
        .where('number', '>', after)
        .orderBy('number')
        .limit(limit)
        .execute();
    },

    /** IDs of imports that ended before a time. */
    async finishedBefore(at: number, limit: number): Promise<string[]> {
      const rows = await db
        .selectFrom('account_imports')
        .select('id')
        .where('finished_at', '<', at)
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(({ id }) => id);
    },
  };
}

function fileReads(db: Kysely<Known>) {
  return {
    /** Returns the number and size of the files of a workspace, and of those that belong to the sub-tenant. */
    async storedFiles(workspaceId: string, subTenantId: string | null): Promise<StoredAmounts> {
      const rows = await db
        .selectFrom('account_imports')
        .select(['sub_tenant_id', 'stored_bytes'])
        .where('workspace_id', '=', workspaceId)
        .where('stored_bytes', '>', 0)
        .execute();
      const sum = (some: readonly { stored_bytes: number }[]) => ({
        files: some.length,
        bytes: some.reduce((total, row) => total + row.stored_bytes, 0),
      });
      const own = rows.filter((row) => subTenantId !== null && row.sub_tenant_id === subTenantId);
      return { workspace: sum(rows), tenant: sum(own) };
    },

    /** Returns the IDs of imports that have a file. */
    async withFiles(ids: readonly string[]): Promise<Set<string>> {
      if (ids.length === 0) return new Set();
      const rows = await db
        .selectFrom('account_imports')
        .select('id')
        .where('id', 'in', ids)
        .where('stored_bytes', '>', 0)
        .execute();
      return new Set(rows.map(({ id }) => id));
    },
  };
}

/** Removes the imports of a sub-tenant with their ID mappings. Their reports are removed with other old rows. */
export function forgetAccountImports(subTenantId: string): Change[] {
  return [
    remove(accountImports, { where: { sub_tenant_id: subTenantId } }),
    remove(accountImportObjects, { where: { sub_tenant_key: subTenantId } }),
  ];
}
