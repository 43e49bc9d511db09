// Lists messages by any filter. An index yields candidates in the order of their row ids, and the conditions that no index covers
// are checked on each candidate, in windows.
import { sql, type Kysely, type RawBuilder, type SelectQueryBuilder, type SqlBool } from 'kysely';
import type { BounceCategory, MessageStatus, MessageType } from '../contract/names.js';
import { newId } from '../lib/runtime/index.js';
import type { Engine } from '../database/engine/engine.js';
import { holding, earliest, latest, pageInWindows, WINDOWS, type Windows } from '../database/paged.js';
import type { Page, PageRequest, Scope } from '../database/scope.js';
import { hasLabel } from './threads/threads.store.js';
import type { Message, messages as messagesTable } from './messages.tables.js';
import type { TablesOf } from '../database/columns.js';

type Known = TablesOf<typeof messagesTable>;

/** Any value of a filter may match, but all filters must. */
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
  /** Whether its thread is unread. */
  isUnread?: boolean;
  /** A label of its thread. */
  label?: string;
  campaignId?: string;
  sequenceId?: string;
  /** Whether the message is in doubt. */
  inDoubt?: boolean;
  /** Reasons of bounces, which contain no quotation marks. */
  bounceCategories?: readonly BounceCategory[];
  createdAfter?: number;
  createdBefore?: number;
  q?: string;
}

type Reads = Kysely<Known>;
type Rows = SelectQueryBuilder<Known, 'messages', Message>;

/** Candidates in the order of an index that ends with the row's id. */
interface Lead {
  /** An id of a record that may belong to another scope. */
  isNamed: boolean;
  /** Another table than `messages`, with its column of row ids. */
  beside: { table: string; key: string } | null;
  where: RawBuilder<SqlBool>[];
  /** Whether the index is sorted by row id. */
  isOrdered: boolean;
  /** Filters that every candidate passes. */
  covers: readonly (keyof MessageFilter)[];
}

interface Bounds {
  from: number | null;
  below: number | null;
}

interface Window {
  after: string | null;
  end: string | null;
  order: 'asc' | 'desc';
}

/**
 * Statuses of the indexes messages_by_rare_status and messages_by_open_status. SQLite uses a partial index only for a
 * value that is written into the statement.
 */
const INDEXED_STATUSES: readonly MessageStatus[] = [
  ...(['bounced', 'complained', 'failed', 'suppressed', 'canceled'] as const),
  ...(['queued', 'sending'] as const),
];
/** Ids are made a moment before their row is written: by no more than this. */
const ID_SLACK_MS = 60_000;
/** `msg_` and the characters of the time. */
const ID_TIME_LENGTH = 14;

/** Newest first; the key of a place is a row id. A page may be short, or empty, and have a next one. */
export function createMessageList(engine: Engine, windows: Windows = WINDOWS) {
  const db = engine.read.$extendTables<Known>();

  async function endOf(lead: Lead, where: RawBuilder<SqlBool>[], order: 'asc' | 'desc', count: number) {
    const key = sql.ref(lead.beside?.key ?? 'id');
    const { rows } = await sql<{ id: number }>`
      SELECT ${key} AS id FROM ${sql.table(lead.beside?.table ?? 'messages')}
      WHERE ${sql.join([...lead.where, ...where], sql` AND `)}
      ORDER BY ${placeOf(lead)} ${sql.raw(order)} LIMIT 1 OFFSET ${sql.lit(count - 1)}`.execute(db);
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

  return async function messages(
    scope: Scope,
    page: PageRequest,
    filter: MessageFilter,
  ): Promise<Page<Message>> {
    const { order = 'desc' } = page;
    const wanted = timed(filter, page);
    const lead = leadOf(scope, wanted);
    const bounds = await boundsOf(db, wanted);
    if (bounds === null || (lead.isNamed && (await isForeign(db, scope, lead))))
      return { rows: [], next: null };
    const isCovered = lead.beside === null && Object.keys(wanted).every((name) => known(lead).has(name));
    return pageInWindows<Message>(
      {
        ...page,
        keyOf: (row) => String(row.id),
        endOf: (after, count) =>
          isCovered
            ? Promise.resolve(null)
            : endOf(lead, within(lead, bounds, { after, end: null, order }), order, count),
        rowsOf({ after, end, limit }) {
          const found = candidates(scope, lead, within(lead, bounds, { after, end, order }));
          return conditions(engine, scope, wanted)
            .reduce((query, one) => query.where(one), found)
            .orderBy(lead.beside === null ? placeOf(lead) : sql`id`, order)
            .limit(limit)
            .execute();
        },
      },
      windows,
    );
  };
}

/** Returns the row id of the first message whose public id was created at or after a time; null if there is none. */
async function firstIdAt(db: Reads, time: number): Promise<number | null> {
  const row = await db
    .selectFrom('messages')
    .select('id')
    .where('public_id', '>=', newId('msg', Math.max(time, 0)).slice(0, ID_TIME_LENGTH))
    .orderBy('public_id')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Returns bounds of row ids for the times; null if they exclude all. The rows have the exact times. */
async function boundsOf(db: Reads, { createdAfter, createdBefore }: MessageFilter): Promise<Bounds | null> {
  const from = createdAfter === undefined ? null : await firstIdAt(db, createdAfter - ID_SLACK_MS);
  if (createdAfter !== undefined && from === null) return null;
  const below = createdBefore === undefined ? null : await firstIdAt(db, createdBefore + ID_SLACK_MS);
  return { from, below };
}

/** All mail of a campaign, a sequence or a thread has one owner, so the newest message determines it. */
async function isForeign(db: Reads, scope: Scope, { where: [name] }: Lead): Promise<boolean> {
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

function timed(filter: MessageFilter, page: PageRequest): MessageFilter {
  const createdAfter = latest(filter.createdAfter, page.createdAfter);
  const createdBefore = earliest(filter.createdBefore, page.createdBefore);
  return {
    ...filter,
    ...(createdAfter === undefined ? {} : { createdAfter }),
    ...(createdBefore === undefined ? {} : { createdBefore }),
  };
}

/** The plus makes SQLite sort the rows from the index instead of scanning the environment in order. */
function placeOf({ beside, isOrdered }: Lead): RawBuilder<unknown> {
  const key = sql.ref(beside?.key ?? 'id');
  return isOrdered ? key : sql`+${key}`;
}

/** Filters that the index covers completely, so candidates need no further checks. */
function known({ covers }: Lead): ReadonlySet<string> {
  return new Set<string>([...covers, 'createdAfter', 'createdBefore']);
}

function within(lead: Lead, { from, below }: Bounds, { after, end, order }: Window): RawBuilder<SqlBool>[] {
  const key = sql.ref(lead.beside?.key ?? 'id');
  const [beyond, upTo] = order === 'desc' ? [sql`<`, sql`>=`] : [sql`>`, sql`<=`];
  return [
    ...(from === null ? [] : [sql<SqlBool>`${key} >= ${from}`]),
    ...(below === null ? [] : [sql<SqlBool>`${key} < ${below}`]),
    ...(after === null ? [] : [sql<SqlBool>`${key} ${beyond} ${Number(after)}`]),
    ...(end === null ? [] : [sql<SqlBool>`${key} ${upTo} ${Number(end)}`]),
  ];
}

/**
 * Chooses the narrowest index for a filter. Only rows of the scope are candidates, because short pages would otherwise reveal other
 * customers' mail.
 */
function leadOf(scope: Scope, filter: MessageFilter): Lead {
  const { toKeys, threadId, campaignId, sequenceId, inDoubt } = filter;
  const { environmentId, subTenantId } = scope;
  const [status] = filter.status?.length === 1 ? filter.status : [];
  const [tag] = filter.tags?.length === 1 ? filter.tags : [];
  const own = (covers: Lead['covers'], ...where: Lead['where']): Lead => ({
    ...{ beside: null, isNamed: false, isOrdered: true, where, covers },
  });
  const named = (covers: Lead['covers'], ...where: Lead['where']): Lead => ({
    ...own(covers, ...where, ...ofScope(scope)),
    isNamed: true,
  });
  const ofEnvironment = sql<SqlBool>`environment_id = ${environmentId}`;
  const ofCampaign = sql<SqlBool>`campaign_id = ${campaignId}`;
  if (threadId !== undefined) return named(['threadId'], sql`thread_id = ${threadId}`);
  if (campaignId !== undefined && status !== undefined && inDoubt === undefined) {
    return named(['campaignId', 'status'], ofCampaign, sql`status = ${status}`);
  }
  if (campaignId !== undefined) return named(['campaignId'], ofCampaign);
  if (sequenceId !== undefined) return named(['sequenceId'], sql`sequence_id = ${sequenceId}`);
  if (toKeys !== undefined) {
    const one = own(['toKeys'], ofEnvironment, isAmong(sql`to_key`, toKeys), ...ofScope(scope).slice(1));
    return { ...one, isOrdered: toKeys.length === 1 };
  }
  if (subTenantId !== null) return own([], ofEnvironment, sql`sub_tenant_id = ${subTenantId}`);
  if (inDoubt === true) return own(['inDoubt'], ofEnvironment, sql`in_doubt_at IS NOT NULL`);
  if (status !== undefined && INDEXED_STATUSES.includes(status)) {
    return own(['status'], ofEnvironment, sql`status = ${sql.lit(status)}`);
  }
  if (tag !== undefined) {
    const tagged = own(['tags'], ofEnvironment, sql`tag = ${tag}`);
    return { ...tagged, beside: { table: 'message_tags', key: 'message_id' } };
  }
  return own([], ofEnvironment);
}

function isAmong(value: RawBuilder<unknown>, [first, ...others]: readonly string[]): RawBuilder<SqlBool> {
  return others.length === 0 ? sql`${value} = ${first}` : sql`${value} IN (${sql.join([first, ...others])})`;
}

/** Written so that no index applies, because another index is used. */
function ofScope({ environmentId, subTenantId }: Scope): RawBuilder<SqlBool>[] {
  return [
    sql<SqlBool>`+environment_id = ${environmentId}`,
    ...(subTenantId === null ? [] : [sql<SqlBool>`COALESCE(sub_tenant_id, '') = ${subTenantId}`]),
  ];
}

/** Conditions checked on each candidate, whether the lead covers them or not. */
function conditions({ spelling }: Engine, scope: Scope, filter: MessageFilter): RawBuilder<SqlBool>[] {
  const { status, toKeys, from, subject, type, tags, metadata = {}, createdAfter, createdBefore, q } = filter;
  const found: RawBuilder<SqlBool>[] = Object.entries(metadata).map(
    ([key, value]) => sql`${spelling.jsonText('metadata', key)} = ${value}`,
  );
  if (status) {
    const [only] = status;
    const isIndexed = status.length === 1 && only !== undefined && INDEXED_STATUSES.includes(only);
    found.push(isIndexed ? sql`status = ${sql.lit(only)}` : isAmong(sql`status`, status));
  }
  if (toKeys) found.push(isAmong(sql`to_key`, toKeys));
  if (from) found.push(isAmong(sql`lower(from_email)`, from));
  if (subject !== undefined) found.push(holding(['subject'], subject));
  if (type) found.push(isAmong(sql`type`, type));
  if (tags) {
    found.push(sql`EXISTS (SELECT 1 FROM message_tags t WHERE t.environment_id = ${scope.environmentId}
      AND t.message_id = messages.id AND ${isAmong(sql`t.tag`, tags)})`);
  }
  const { isUnread, label } = filter;
  if (isUnread !== undefined) found.push(inThread(sql`t.unread = ${isUnread ? 1 : 0}`));
  if (label !== undefined) found.push(inThread(hasLabel('t.labels', label)));
  if (filter.inDoubt === true) found.push(sql`(in_doubt_at IS NOT NULL AND status = 'sent')`);
  if (filter.inDoubt === false) found.push(sql`(in_doubt_at IS NULL OR status <> 'sent')`);
  if (filter.bounceCategories) {
    const each = filter.bounceCategories.map(
      (category) => sql<SqlBool>`error LIKE ${`%"category":"${category}"%`}`,
    );
    found.push(sql`(${sql.join(each, sql` OR `)})`);
  }
  if (createdAfter !== undefined) found.push(sql`created_at >= ${createdAfter}`);
  if (createdBefore !== undefined) found.push(sql`created_at < ${createdBefore}`);
  if (q !== undefined) found.push(holding(['to_key', 'subject'], q));
  return found;
}

function inThread(condition: RawBuilder<SqlBool>): RawBuilder<SqlBool> {
  return sql`EXISTS (SELECT 1 FROM threads t WHERE t.id = messages.thread_id AND ${condition})`;
}
