// Imports, exports and bulk actions, and reads of the contacts that they work on.
import type { Kysely } from 'kysely';
import type { Contact } from '../contacts/contacts.tables.js';
import { rowCheck, type RowFilter } from '../contacts/streams.store.js';
import type { Engine, Value } from '../database/engine/engine.js';
import { inList, rowsAs } from '../database/sql.js';
import { paged } from '../database/paged.js';
import { type Page, type PageRequest, type Scope, cutPage } from '../database/scope.js';
import type { Transfer, transfers } from './transfers.tables.js';
import type { TablesOf } from '../database/columns.js';

type Known = TablesOf<typeof transfers>;

/** An unfinished transfer, with the fields of its scope. */
export type OpenTransfer = Transfer & Pick<Scope, 'workspaceNumber' | 'organizationId' | 'mode'>;
/** The owner of the contacts. */
type Owner = Pick<Scope, 'environmentId' | 'subTenantId'>;

export interface SliceFilter extends RowFilter {
  tag?: string;
}

export interface StoredAmount {
  files: number;
  bytes: number;
}

export interface StoredAmounts {
  workspace: StoredAmount;
  tenant: StoredAmount;
}

export interface ContactSlice {
  rows: Contact[];
  /** The number to continue after; `null` at the end. */
  next: number | null;
}

const IS_OPEN = `(status = 'queued' OR status = 'running')`;
/** An environment and its sub-tenants take turns. The one that waited longest comes first. */
const TURNS = `SELECT id, ROW_NUMBER() OVER (PARTITION BY environment_id, kind ORDER BY updated_at, id) AS turn
  FROM transfers WHERE id IN
    (SELECT MIN(id) FROM transfers WHERE ${IS_OPEN} GROUP BY environment_id, kind, COALESCE(sub_tenant_id, ''))`;
const OPEN = `SELECT t.*, w.number AS "workspaceNumber", w.organization_id AS "organizationId", e.mode
  FROM transfers t JOIN workspaces w ON w.id = t.workspace_id JOIN environments e ON e.id = t.environment_id
  WHERE t.id IN (SELECT id FROM (${TURNS}) AS turns WHERE turn = 1) ORDER BY t.id`;
const COUNT_OPEN = `SELECT COUNT(*) AS n FROM transfers
  WHERE ${IS_OPEN} AND environment_id = ? AND kind = ? AND COALESCE(sub_tenant_id, '') = ?`;
/** PostgreSQL returns sums as text. */
interface StoredRow {
  files: number;
  bytes: number | string;
  tenantFiles: number;
  tenantBytes: number | string;
}

const STORED = `SELECT COUNT(*) AS files, COALESCE(SUM(stored_bytes), 0) AS bytes,
    COUNT(CASE WHEN sub_tenant_id = ? THEN 1 END) AS "tenantFiles",
    COALESCE(SUM(CASE WHEN sub_tenant_id = ? THEN stored_bytes END), 0) AS "tenantBytes"
  FROM transfers WHERE workspace_id = ? AND stored_bytes > 0`;

const NEWEST_MESSAGE = 'SELECT MAX(id) AS newest FROM messages';
const NEWEST_CONTACT = 'SELECT MAX(number) AS newest FROM contacts';

export function createTransferStore(engine: Engine) {
  return { ...transferReads(engine), ...sourceReads(engine) };
}

function transferReads(engine: Engine) {
  const db = engine.read.$extendTables<Known>();
  return {
    async transfer(scope: Scope, kind: Transfer['kind'], id: string): Promise<Transfer | null> {
      return (await inScope(db, scope, kind).where('id', '=', id).executeTakeFirst()) ?? null;
    },

    async transfers(scope: Scope, kind: Transfer['kind'], page: PageRequest): Promise<Page<Transfer>> {
      const query = paged(inScope(db, scope, kind), page, { key: 'id' });
      return cutPage(await query.execute(), page.limit, (row) => row.id);
    },

    /** One unfinished transfer of each kind and environment. Unscoped: for the loop only. */
    async openTransfers(): Promise<OpenTransfer[]> {
      return rowsAs<OpenTransfer>(engine.rows(OPEN, []));
    },

    /** Counts open transfers of the sub-tenant, or of the environment itself. */
    async countOpenTransfers({ environmentId, subTenantId }: Owner, kind: Transfer['kind']): Promise<number> {
      const values = [environmentId, kind, subTenantId ?? ''];
      const [row] = await rowsAs<{ n: number }>(engine.rows(COUNT_OPEN, values));
      return row?.n ?? 0;
    },

    async isTransferOpen(id: string): Promise<boolean> {
      return (await engine.rows(`SELECT id FROM transfers WHERE id = ? AND ${IS_OPEN}`, [id])).length > 0;
    },

    /** Returns the number and size of the files of a workspace, and of those that belong to the sub-tenant. */
    async storedFiles(workspaceId: string, subTenantId: string | null): Promise<StoredAmounts> {
      const values = [subTenantId, subTenantId, workspaceId];
      const [row] = await rowsAs<StoredRow>(engine.rows(STORED, values));
      return {
        workspace: { files: row?.files ?? 0, bytes: Number(row?.bytes ?? 0) },
        tenant: { files: row?.tenantFiles ?? 0, bytes: Number(row?.tenantBytes ?? 0) },
      };
    },

    /** IDs of transfers that ended before a time. */
    async transfersFinishedBefore(at: number, limit: number): Promise<string[]> {
      const rows = await db
        .selectFrom('transfers')
        .select('id')
        .where('finished_at', '<', at)
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(({ id }) => id);
    },

    /** Returns the IDs that belong to transfers. */
    async transfersAmong(ids: readonly string[]): Promise<Set<string>> {
      if (ids.length === 0) return new Set();
      const rows = await db
        .selectFrom('transfers')
        .select('id')
        .where('id', 'in', [...ids])
        .execute();
      return new Set(rows.map(({ id }) => id));
    },
  };
}

/** Reads of the objects that are imported, exported and changed. */
function sourceReads(engine: Engine) {
  return {
    /** The row ID of the newest message or contact, or 0. */
    async newestRow(target: 'messages' | 'contacts'): Promise<number> {
      const statement = target === 'messages' ? NEWEST_MESSAGE : NEWEST_CONTACT;
      const [row] = await rowsAs<{ newest: number | null }>(engine.rows(statement, []));
      return row?.newest ?? 0;
    },

    /** Contacts with these addresses, of the environment and all of its sub-tenants. */
    async contactsOfAddresses(environmentId: number, emailKeys: readonly string[]): Promise<Contact[]> {
      if (emailKeys.length === 0) return [];
      const { marks, values } = inList(emailKeys);
      const statement = `SELECT * FROM contacts WHERE environment_id = ? AND email_key IN (${marks})`;
      return rowsAs<Contact>(engine.rows(statement, [environmentId, ...values]));
    },

    /** Contacts by number, from `limit` rows of an index. The filter may leave out some of them. */
    async contactSlice(
      scope: Owner,
      filter: SliceFilter,
      { after, limit }: { after: number; limit: number },
    ): Promise<ContactSlice> {
      const found = await rowsAs<Contact>(contactRows(engine, scope, filter, { after, limit }));
      const rows = found.filter(rowCheck(scope, filter));
      return { rows, next: found.length < limit ? null : (found.at(-1)?.number ?? null) };
    },
  };
}

function inScope(db: Kysely<Known>, scope: Scope, kind: Transfer['kind']) {
  const query = db
    .selectFrom('transfers')
    .selectAll()
    .where('environment_id', '=', scope.environmentId)
    .where('kind', '=', kind);
  return scope.subTenantId === null ? query : query.where('sub_tenant_id', '=', scope.subTenantId);
}

/** Reads rows of one index, so that no filter makes the statement slow. Other filters are applied to the rows afterwards. */
function contactRows(
  engine: Engine,
  scope: Owner,
  { status: wanted, tag }: SliceFilter,
  { after, limit }: { after: number; limit: number },
) {
  const [status] = wanted?.length === 1 ? wanted : [];
  const values: Value[] =
    tag !== undefined
      ? [scope.environmentId, tag]
      : [scope.environmentId, ...[status ?? scope.subTenantId].filter((value) => value !== null)];
  if (tag !== undefined) {
    return engine.rows(
      `SELECT c.* FROM contact_tags d CROSS JOIN contacts c WHERE d.environment_id = ? AND d.tag = ?
        AND d.contact_number > ? AND c.number = d.contact_number ORDER BY d.contact_number LIMIT ?`,
      [...values, after, limit],
    );
  }
  const narrowed =
    status !== undefined ? ' AND status = ?' : scope.subTenantId !== null ? ' AND sub_tenant_id = ?' : '';
  return engine.rows(
    `SELECT * FROM contacts WHERE environment_id = ?${narrowed} AND number > ? ORDER BY number LIMIT ?`,
    [...values, after, limit],
  );
}
