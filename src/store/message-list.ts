// The list of messages, whatever is asked for: an index leads through candidates in the order of their row ids, and what no
// index says is looked at in each, in windows.
import { sql, type RawBuilder, type SelectQueryBuilder, type SqlBool } from 'kysely';
import type { MessageStatus, MessageType } from '../contract/names.js';
import { newId } from '../runtime/ids.js';
import type { Engine } from './engine/engine.js';
import type { Message } from './message-rows.js';
import { holding } from './paged.js';
import type { Page, PageRequest, Scope } from './scope.js';
import type { Tables } from './tables.js';
import { pageInWindows } from './windows.js';

/** Of several values of one filter any is enough; all filters together must hold. */
export interface MessageFilter {
  status?: readonly MessageStatus[];
  /** Keys of recipients' addresses. */
  toKeys?: readonly string[];
  /** Senders' addresses, in small letters. */
  from?: readonly string[];
  /** Part of the subject. */
  subject?: string;
  type?: readonly MessageType[];
  tags?: readonly string[];
  /** Keys of the first level, with the text of their value. */
  metadata?: Readonly<Record<string, string>>;
  threadId?: string;
  campaignId?: string;
  sequenceId?: string;
  /** Whether nobody can know if it arrived. */
  inDoubt?: boolean;
  createdAfter?: number;
  createdBefore?: number;
  q?: string;
}

type Rows = SelectQueryBuilder<Tables, 'messages', Message>;

/** Candidates in the order of an index that ends with the row's id. */
interface Lead {
  /** It is the id of something that may be another's. */
  isNamed: boolean;
  /** Another table than `messages`, with its column of row ids. */
  beside: { table: string; key: string } | null;
  where: RawBuilder<SqlBool>[];
  /** Filters that every candidate passes. */
  covers: readonly (keyof MessageFilter)[];
}

/** Where a window begins. */
interface Start {
  after: string | null;
  order: 'asc' | 'desc';
}

interface Bounds {
  from: number | null;
  below: number | null;
}

/**
 * Those of the indexes messages_by_rare_status and messages_by_open_status. SQLite uses a partial index only for a value that
 * is written into the statement.
 */
const INDEXED_STATUSES: readonly MessageStatus[] = [
  ...(['bounced', 'complained', 'failed', 'suppressed', 'canceled'] as const),
  ...(['queued', 'sending'] as const),
];
/** Ids are made a moment before their row is written: by no more than this. */
const ID_SLACK_MS = 60_000;
/** `msg_` and the characters of the time. */
const ID_TIME_LENGTH = 14;

/** The key of a place is a row id. A page may be short, or empty, and have a next one. */
export function createMessageList(engine: Engine) {
  const db = engine.read;

  /** The row id of the first message whose public id was made at or after a time; null when there is none. */
  async function firstIdAt(time: number): Promise<number | null> {
    const row = await db
      .selectFrom('messages')
      .select('id')
      .where('public_id', '>=', newId('msg', Math.max(time, 0)).slice(0, ID_TIME_LENGTH))
      .orderBy('public_id')
      .limit(1)
      .executeTakeFirst();
    return row?.id ?? null;
  }

  /** What the times say of row ids; null where they leave none. The exact times are in the rows. */
  async function boundsOf({ createdAfter, createdBefore }: MessageFilter): Promise<Bounds | null> {
    const from = createdAfter === undefined ? null : await firstIdAt(createdAfter - ID_SLACK_MS);
    if (createdAfter !== undefined && from === null) return null;
    const below = createdBefore === undefined ? null : await firstIdAt(createdBefore + ID_SLACK_MS);
    return { from, below };
  }

  async function endOf(lead: Lead, bounds: Bounds, { after, order }: Start, count: number) {
    const key = sql.ref(lead.beside?.key ?? 'id');
    const where = [...lead.where, ...within(key, bounds, { after, order, end: null })];
    const { rows } = await sql<{ id: number }>`
      SELECT ${key} AS id FROM ${sql.table(lead.beside?.table ?? 'messages')} WHERE ${sql.join(where, sql` AND `)}
      ORDER BY ${key} ${order === 'asc' ? sql`ASC` : sql`DESC`} LIMIT 1 OFFSET ${sql.lit(count - 1)}`.execute(
      db,
    );
    const [row] = rows;
    return row === undefined ? null : String(row.id);
  }

  function candidates(scope: Scope, lead: Lead, range: RawBuilder<SqlBool>[]): Rows {
    const all = db.selectFrom('messages').selectAll();
    const where = [...lead.where, ...range];
    if (lead.beside === null) return where.reduce<Rows>((query, one) => query.where(one), all);
    const ids = sql<SqlBool>`id IN (SELECT ${sql.ref(lead.beside.key)} FROM ${sql.table(lead.beside.table)}
      WHERE ${sql.join(where, sql` AND `)})`;
    return ofScope(scope).reduce((query, one) => query.where(one), all.where(ids));
  }

  /** All mail of a campaign, a sequence or a thread has one owner: the newest says whose it is. */
  async function isForeign(scope: Scope, { where: [name] }: Lead): Promise<boolean> {
    if (name === undefined) return false;
    const newest = await db
      .selectFrom('messages')
      .select(['environment_id', 'sub_tenant_id'])
      .where(name)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (newest?.environment_id !== scope.environmentId) return true;
    return scope.subTenantId !== null && newest.sub_tenant_id !== scope.subTenantId;
  }

  return async function messages(
    scope: Scope,
    page: PageRequest,
    filter: MessageFilter,
  ): Promise<Page<Message>> {
    const lead = leadOf(scope, filter);
    const bounds = await boundsOf(filter);
    if (bounds === null || (lead.isNamed && (await isForeign(scope, lead)))) return { rows: [], next: null };
    const key = sql.ref(lead.beside?.key ?? 'id');
    const { order = 'desc' } = page;
    const isCovered = lead.beside === null && Object.keys(filter).every((name) => known(lead).has(name));
    return pageInWindows<Message>({
      ...page,
      keyOf: (row) => String(row.id),
      endOf: (after, count) =>
        isCovered ? Promise.resolve(null) : endOf(lead, bounds, { after, order }, count),
      rowsOf({ after, end, limit }) {
        const found = candidates(scope, lead, within(key, bounds, { after, order, end }));
        return matching(engine, found, scope, filter).orderBy('id', order).limit(limit).execute();
      },
    });
  };
}

/** Filters that leave nothing to be looked for among the candidates. */
function known({ covers }: Lead): ReadonlySet<string> {
  return new Set<string>([...covers, 'createdAfter', 'createdBefore']);
}

function within(
  key: RawBuilder<unknown>,
  { from, below }: Bounds,
  { after, end, order }: Start & { end: string | null },
): RawBuilder<SqlBool>[] {
  const isForward = order === 'asc';
  const [low, high] = isForward
    ? [after === null ? 0 : Number(after) + 1, end === null ? Infinity : Number(end) + 1]
    : [end === null ? 0 : Number(end), after === null ? Infinity : Number(after)];
  const least = Math.max(from ?? 0, low);
  const beyond = Math.min(below ?? Infinity, high);
  return [
    ...(least > 0 ? [sql<SqlBool>`${key} >= ${least}`] : []),
    ...(beyond < Infinity ? [sql<SqlBool>`${key} < ${beyond}`] : []),
  ];
}

/**
 * The narrowest index for a filter. Only rows of the scope are candidates, whatever leads to them: else the pages that come
 * short would tell of others' mail.
 */
function leadOf(scope: Scope, filter: MessageFilter): Lead {
  const { threadId, campaignId, sequenceId, inDoubt } = filter;
  const [status, toKey, tag] = [only(filter.status), only(filter.toKeys), only(filter.tags)];
  const { environmentId, subTenantId } = scope;
  const own = (covers: Lead['covers'], ...where: Lead['where']): Lead => ({
    ...{ beside: null, isNamed: false, where, covers },
  });
  const named = (covers: Lead['covers'], ...where: Lead['where']): Lead => ({
    ...{ beside: null, isNamed: true, where: [...where, ...ofScope(scope)], covers },
  });
  const ofEnvironment = sql<SqlBool>`environment_id = ${environmentId}`;
  const ofCampaign = sql<SqlBool>`campaign_id = ${campaignId}`;
  if (threadId !== undefined) return named(['threadId'], sql`thread_id = ${threadId}`);
  if (campaignId !== undefined && status !== undefined && inDoubt === undefined) {
    return named(['campaignId', 'status'], ofCampaign, sql`status = ${status}`);
  }
  if (campaignId !== undefined) return named(['campaignId'], ofCampaign);
  if (sequenceId !== undefined) return named(['sequenceId'], sql`sequence_id = ${sequenceId}`);
  if (toKey !== undefined) {
    return own(['toKeys'], ofEnvironment, sql`to_key = ${toKey}`, ...ofScope(scope).slice(1));
  }
  if (subTenantId !== null) return own([], ofEnvironment, sql`sub_tenant_id = ${subTenantId}`);
  if (inDoubt === true) return own(['inDoubt'], ofEnvironment, sql`in_doubt_at IS NOT NULL`);
  if (status !== undefined && INDEXED_STATUSES.includes(status)) {
    return own(['status'], ofEnvironment, sql`status = ${sql.lit(status)}`);
  }
  if (tag !== undefined) {
    const tagged = { table: 'message_tags', key: 'message_id' };
    return { beside: tagged, isNamed: false, where: [ofEnvironment, sql`tag = ${tag}`], covers: ['tags'] };
  }
  return own([], ofEnvironment);
}

/** The value of a filter that has one; an index leads by it. */
function only<T>(values: readonly T[] | undefined): T | undefined {
  return values?.length === 1 ? values[0] : undefined;
}

/** Written so that no index takes it up: another one leads. */
function ofScope({ environmentId, subTenantId }: Scope): RawBuilder<SqlBool>[] {
  return [
    sql<SqlBool>`+environment_id = ${environmentId}`,
    ...(subTenantId === null ? [] : [sql<SqlBool>`COALESCE(sub_tenant_id, '') = ${subTenantId}`]),
  ];
}

/** What is looked at in each candidate, whether the lead covers it or not. */
function matching(engine: Engine, found: Rows, { environmentId }: Scope, filter: MessageFilter): Rows {
  const { status, toKeys, from, subject, type, tags, createdAfter, createdBefore, q, inDoubt } = filter;
  let query = found;
  const [first, ...others] = (status ?? []).map((one) =>
    INDEXED_STATUSES.includes(one) ? sql.lit(one) : sql<MessageStatus>`${one}`,
  );
  if (first !== undefined) {
    // Of one value the form that a partial index is found by.
    query =
      others.length === 0
        ? query.where('status', '=', first)
        : query.where('status', 'in', [first, ...others]);
  }
  if (toKeys) query = query.where('to_key', 'in', toKeys);
  if (from) query = query.where((eb) => eb(eb.fn('lower', ['from_email']), 'in', from));
  if (subject !== undefined) query = query.where(holding(['subject'], subject));
  if (type) query = query.where('type', 'in', type);
  for (const [key, value] of Object.entries(filter.metadata ?? {})) {
    query = query.where(engine.spelling.jsonText('metadata', key), '=', value);
  }
  if (inDoubt === true) query = query.where('in_doubt_at', 'is not', null).where('status', '=', 'sent');
  if (inDoubt === false) {
    query = query.where((eb) => eb.or([eb('in_doubt_at', 'is', null), eb('status', '<>', 'sent')]));
  }
  if (tags) {
    query = query.where((eb) =>
      eb.exists(
        eb
          .selectFrom('message_tags as t')
          .select('t.message_id')
          .where('t.environment_id', '=', environmentId)
          .where('t.tag', 'in', tags)
          .whereRef('t.message_id', '=', 'messages.id'),
      ),
    );
  }
  if (createdAfter !== undefined) query = query.where('created_at', '>=', createdAfter);
  if (createdBefore !== undefined) query = query.where('created_at', '<', createdBefore);
  if (q !== undefined) {
    query = query.where(holding(['to_key', 'subject'], q));
  }
  return query;
}
