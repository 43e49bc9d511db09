// Drafts of replies.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { columnNames, type TablesOf } from '../../database/columns.js';
import type { Engine } from '../../database/engine/engine.js';
import { holding, paged } from '../../database/paged.js';
import { type Page, type PageRequest, type Scope, cutPage } from '../../database/scope.js';
import { notByIndex, rowsAs } from '../../database/sql.js';
import { holdsAddress } from '../../lib/mime/index.js';
import { contentsOf } from './draft-files.rules.js';
import { drafts, type ReplyDraft } from './drafts.tables.js';

type Known = TablesOf<typeof drafts>;

/** A draft without the contents of its attachments. */
export type ShownDraft = Omit<ReplyDraft, 'files'>;

export type DraftFacts = Omit<ShownDraft, 'fields'>;

export interface DraftFilter {
  threadId?: string;
  isSent?: boolean;
}

/** `subTenantId` null covers all sub-tenants. */
interface OpenScope {
  environmentIds: readonly number[];
  subTenantId: string | null;
}

/** Number and size of open drafts. */
export interface OpenDrafts {
  drafts: number;
  bytes: number;
}

const SHOWN = columnNames(drafts, 'files');
const FACTS = columnNames(drafts, 'files', 'fields');
/** The index `drafts_open_by_message` has all columns. */
const OPEN = `SELECT COUNT(*) AS drafts, COALESCE(SUM(size_bytes), 0) AS bytes FROM drafts
  WHERE environment_id = ? AND message_id IS NULL`;
const OPEN_OF_TENANT = `${OPEN} AND sub_tenant_id = ?`;

export type DraftStore = ReturnType<typeof createDraftStore>;

export function createDraftStore(engine: Engine) {
  return { ...reads(engine), ...personReads(engine) };
}

function reads(engine: Engine) {
  const db = engine.read.$extendTables<Known>();
  const draftsOf = ({ environmentId, subTenantId }: Pick<Scope, 'environmentId' | 'subTenantId'>) => {
    const query = db.selectFrom('drafts').where('environment_id', '=', environmentId);
    return subTenantId === null ? query : query.where('sub_tenant_id', '=', subTenantId);
  };

  /** Written so that SQLite reads the drafts of the thread or sub-tenant, instead of all of the environment's. */
  function listed({ environmentId, subTenantId }: Scope, { threadId, isSent }: DraftFilter) {
    const isNarrow = threadId !== undefined || (subTenantId !== null && isSent !== false);
    let query = db
      .selectFrom('drafts')
      .where(isNarrow ? notByIndex('environment_id') : 'environment_id', '=', environmentId);
    if (threadId !== undefined) query = query.where('thread_id', '=', threadId);
    if (isSent !== undefined) query = query.where('message_id', isSent ? 'is not' : 'is', null);
    if (subTenantId === null) return query;
    const tenant = sql<string>`COALESCE(sub_tenant_id, '')`;
    return query.where(threadId === undefined ? 'sub_tenant_id' : tenant, '=', subTenantId);
  }

  return {
    async draft(scope: Scope, id: string): Promise<ReplyDraft | null> {
      return (await draftsOf(scope).selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
    },

    async shownDraft(scope: Scope, id: string): Promise<ShownDraft | null> {
      return (await draftsOf(scope).select(SHOWN).where('id', '=', id).executeTakeFirst()) ?? null;
    },

    async factsById(environmentId: number, ids: readonly string[]): Promise<DraftFacts[]> {
      const query = draftsOf({ environmentId, subTenantId: null }).select(FACTS);
      return query.where('id', 'in', ids).execute();
    },

    /** A page has fewer rows than its limit if their fields exceed `maxLength` together, but always at least one. */
    async drafts(
      scope: Scope,
      page: PageRequest,
      { maxLength, ...filter }: DraftFilter & { maxLength: number },
    ): Promise<Page<ShownDraft>> {
      const length = sql<number>`LENGTH(fields)`;
      const query = paged(listed(scope, filter).select(FACTS).select(length.as('length')), page, {
        key: 'id',
      });
      const { rows, next } = cutPage(await query.execute(), page.limit, (row) => row.id);
      const kept = firstWithin(rows, maxLength);
      const full = await shownAmong(
        engine,
        kept.map(({ id }) => id),
      );
      return {
        rows: kept.flatMap(({ id }) => full.get(id) ?? []),
        next: kept.length === rows.length ? next : (kept.at(-1)?.id ?? null),
      };
    },

    /** Of the environment, or of a sub-tenant in it. */
    async openDrafts({ environmentId, subTenantId }: Scope): Promise<OpenDrafts> {
      const [statement, values] =
        subTenantId === null ? [OPEN, [environmentId]] : [OPEN_OF_TENANT, [environmentId, subTenantId]];
      const [row] = await rowsAs<OpenDrafts>(engine.rows(statement, values));
      return row ?? { drafts: 0, bytes: 0 };
    },
  };
}

/** For an erasure or export. */
function personReads(engine: Engine) {
  const db = engine.read.$extendTables<Known>();
  const openIn = ({ environmentIds, subTenantId }: OpenScope) => {
    const query = db
      .selectFrom('drafts')
      .where('environment_id', 'in', environmentIds)
      .where('message_id', 'is', null);
    return subTenantId === null ? query : query.where('sub_tenant_id', '=', subTenantId);
  };

  /** Reads one draft at a time, because its files can be as large as a message. */
  async function filesHold(id: string, emailKey: string): Promise<boolean> {
    const row = await db.selectFrom('drafts').select('files').where('id', '=', id).executeTakeFirst();
    await nextTurn();
    return contentsOf(row?.files ?? null).some((content) => holdsAddress(content, emailKey));
  }

  return {
    /** Open drafts in these threads, and those whose fields or files contain the address. */
    async openAbout(
      scope: OpenScope,
      { threadIds, emailKey }: { threadIds: readonly string[]; emailKey: string },
    ): Promise<ShownDraft[]> {
      const inJson = JSON.stringify(emailKey).slice(1, -1);
      const found = await openIn(scope)
        .select('id')
        .where((eb) =>
          eb.or([
            ...(threadIds.length === 0 ? [] : [eb('thread_id', 'in', threadIds)]),
            holding(['fields'], inJson),
          ]),
        )
        .execute();
      const ids = new Set(found.map(({ id }) => id));
      const filed = await openIn(scope).select('id').where('files', 'is not', null).execute();
      for (const { id } of filed) {
        if (!ids.has(id) && (await filesHold(id, emailKey))) ids.add(id);
      }
      return [...(await shownAmong(engine, [...ids])).values()];
    },
  };
}

/** By their IDs, in order. */
async function shownAmong(engine: Engine, ids: readonly string[]): Promise<Map<string, ShownDraft>> {
  if (ids.length === 0) return new Map();
  const db = engine.read.$extendTables<Known>();
  const rows = await db.selectFrom('drafts').select(SHOWN).where('id', 'in', ids).orderBy('id').execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** The first rows that have at most `maxLength` characters together, and at least one. */
function firstWithin<Row extends { length: number }>(rows: Row[], maxLength: number): Row[] {
  let left = maxLength;
  const end = rows.findIndex(({ length }, at) => {
    left -= length;
    return left < 0 && at > 0;
  });
  return end < 0 ? rows : rows.slice(0, end);
}
