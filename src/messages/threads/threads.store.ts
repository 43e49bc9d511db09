// Threads and the received messages in them.
import { type Expression, type RawBuilder, sql, type SqlBool, type Kysely } from 'kysely';
import { notByIndex } from '../../database/sql.js';
import type { MailAuthentication } from '../../lib/authentication/index.js';
import { addressKey, publicIdIn } from '../../lib/mime/index.js';
import type { Engine } from '../../database/engine/engine.js';
import type { Phrase } from '../../database/engine/search-words.rules.js';
import { holding } from '../../database/paged.js';
import { type Page, type PageRequest, type Scope, cutPage } from '../../database/scope.js';
import type { approvals } from '../approvals/approvals.tables.js';
import type { Message, contents, messages } from '../messages.tables.js';
import type { ReceivedMessage, foreignMessageIds, receivedMessages } from '../received.tables.js';
import { inScope } from './search-index.store.js';
import type { Thread, threads } from './threads.tables.js';
import type { TablesOf } from '../../database/columns.js';

type Known = TablesOf<
  | typeof approvals
  | typeof contents
  | typeof foreignMessageIds
  | typeof messages
  | typeof receivedMessages
  | typeof threads
>;

/** Statuses that do not count as written to the recipient: received messages, and messages that are never sent. */
const NOT_WRITTEN = ['received', 'suppressed', 'canceled'] as const;

/** A received message with its content and the message that it replies to. */
export type ReceivedInFull = ReceivedMessage & {
  text: string | null;
  html: string | null;
  rfc_message_id: string;
  /** Public id of the message that it replies to. */
  in_reply_to: string | null;
};

export interface ThreadFilter {
  /** Any of these. */
  status?: readonly Thread['status'][];
  correspondentKey?: string;
  inboxId?: string;
  isUnread?: boolean;
  label?: string;
  assignedTo?: string;
  /** Phrases in one message of the thread, as `readSearch` returns them. */
  phrases?: readonly Phrase[];
}

/** A thread's summary of its messages. */
export interface ThreadSummary {
  messages: number;
  lastDirection: 'inbound' | 'outbound';
}

/** The newest message of each kind in a thread; null if there is none. */
export interface LatestMessages {
  sent: Message | null;
  /** A person's mail takes precedence over an automatic reply. */
  received: Message | null;
}

/** Messages that one search finds, the newest first. */
const SEARCHED = 2_000;

/**
 * Number of newest messages that are read: those to a correspondent whose subjects are compared, and those of an author whose proof
 * is read.
 */
const RECENT = 50;

/** Inlines the status, because SQLite plans a statement again on each run if a parameter may select a partial index. */
const KNOWN = `SELECT 1 AS one FROM foreign_message_ids f JOIN messages m ON m.id = f.message_id
  WHERE f.environment_id = ? AND f.rfc_message_id = ? AND COALESCE(m.sub_tenant_id, '') = ? AND m.content_hash = ?
  AND m.status = 'received' LIMIT 1`;

/** Has the condition of the index `received_messages_by_author`. */
const WROTE = `SELECT 1 AS one FROM messages WHERE environment_id = ? AND LOWER(from_email) = LOWER(?)
  AND status = 'received' AND COALESCE(sub_tenant_id, '') = ? LIMIT 1`;

/** Size of a received message's texts in octets: its parts, and the texts derived from them. */
const TEXT_BYTES = sql<number>`CASE WHEN r.message_id IS NULL THEN 0 ELSE ${sql.join(
  ['c.text', 'c.html', 'r.visible_text', 'r.visible_html', 'r.quoted_text', 'r.signature'].map(
    (column) => sql`COALESCE(OCTET_LENGTH(${sql.ref(column)}), 0)`,
  ),
  sql` + `,
)} END`;

/** Whether DMARC or a DKIM signature of its domain proves the From address. */
function isFromProven(authentication: ReceivedMessage['authentication']): boolean {
  if (authentication === null) return false;
  const { dmarc, dkim } = JSON.parse(authentication) as MailAuthentication; // written by `planReceived`
  return dmarc.result === 'pass' || dkim.some(({ result, aligned }) => result === 'pass' && aligned);
}

type EnvironmentColumn = 'messages.environment_id' | RawBuilder<number>;
const UNORDERED: EnvironmentColumn = notByIndex('messages.environment_id');
const MOVED_AT = notByIndex('last_message_at');
/** Like `notByIndex`, for text. */
function apart(column: string): RawBuilder<string> {
  return sql<string>`COALESCE(${sql.ref(column)}, '')`;
}

/** The conditions that need no other table. The value of `unread` is inlined, because it selects a partial index. */
function conditionsOf({ inboxId, isUnread, label, assignedTo }: ThreadFilter): Expression<SqlBool>[] {
  return [
    ...(inboxId === undefined ? [] : [sql<SqlBool>`inbox_id = ${inboxId}`]),
    ...(isUnread === undefined ? [] : [sql<SqlBool>`unread = ${sql.lit(isUnread ? 1 : 0)}`]),
    ...(label === undefined ? [] : [hasLabel('labels', label)]),
    ...(assignedTo === undefined ? [] : [sql<SqlBool>`assigned_to = ${assignedTo}`]),
  ];
}

/** Whether the JSON array in the column has the label, which has no character that JSON escapes. */
export function hasLabel(column: string, label: string): RawBuilder<SqlBool> {
  return holding([column], `"${label}"`);
}

export function createThreadStore(engine: Engine): ThreadStore {
  return new ThreadStore(engine);
}

export class ThreadStore {
  readonly #engine: Engine;
  readonly #db: Kysely<Known>;

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#db = engine.read.$extendTables<Known>();
  }

  async thread(scope: Scope, id: string): Promise<Thread | null> {
    return (await this.#threads(scope).where('id', '=', id).executeTakeFirst()) ?? null;
  }

  /** The one with the latest message first; the key of a place is its time and id. */
  async threads(scope: Scope, page: PageRequest, filter: ThreadFilter): Promise<Page<Thread>> {
    const { status, correspondentKey, phrases } = filter;
    if (phrases?.length === 0) return { rows: [], next: null };
    const isNarrow = correspondentKey !== undefined || phrases !== undefined;
    const movedAt = isNarrow ? MOVED_AT : sql.ref<number>('last_message_at');
    let query = (
      correspondentKey !== undefined
        ? this.#threadsWith(scope, correspondentKey)
        : this.#threads(scope, isNarrow ? notByIndex('environment_id') : 'environment_id')
    )
      .orderBy(movedAt, 'desc')
      .orderBy('id', 'desc')
      .limit(page.limit + 1);
    if (status) query = query.where(isNarrow ? apart('status') : 'status', 'in', status);
    for (const condition of conditionsOf(filter)) query = query.where(condition);
    if (phrases) query = query.where(this.#hasMessageWith(scope, phrases));
    const { createdAfter, createdBefore } = page;
    if (createdAfter !== undefined) query = query.where('created_at', '>=', createdAfter);
    if (createdBefore !== undefined) query = query.where('created_at', '<', createdBefore);
    if (page.after !== null) {
      const [at = '', id = ''] = page.after.split(' ');
      query = query.where(sql<boolean>`(${movedAt}, id) < (${Number(at)}, ${id})`);
    }
    return cutPage(await query.execute(), page.limit, (row) => `${row.last_message_at} ${row.id}`);
  }

  /**
   * Returns the last messages of a thread, oldest first: at most `limit`, and fewer if the texts of received ones exceed `maxBytes`
   * together. Always includes the last one.
   */
  async recentOf(threadId: string, page: { limit: number; maxBytes: number }): Promise<Message[]> {
    const rows = await this.#db
      .selectFrom('messages as m')
      .innerJoin('contents as c', 'c.id', 'm.content_id')
      .leftJoin('received_messages as r', 'r.message_id', 'm.id')
      .selectAll('m')
      .select(TEXT_BYTES.as('text_bytes'))
      .where('m.thread_id', '=', threadId)
      .orderBy('m.id', 'desc')
      .limit(page.limit)
      .execute();
    const recent: Message[] = [];
    let left = page.maxBytes;
    for (const { text_bytes: bytes, ...message } of rows) {
      left -= bytes;
      if (left < 0 && recent.length > 0) break;
      recent.unshift(message);
    }
    return recent;
  }

  /** Returns the first messages whose received texts have at most `maxBytes` together, and at least one. */
  async firstWithin(messages: readonly Message[], maxBytes: number): Promise<Message[]> {
    if (messages.length === 0) return [];
    const rows = await this.#db
      .selectFrom('messages as m')
      .innerJoin('contents as c', 'c.id', 'm.content_id')
      .leftJoin('received_messages as r', 'r.message_id', 'm.id')
      .select(['m.id', TEXT_BYTES.as('text_bytes')])
      .where(
        'm.id',
        'in',
        messages.map(({ id }) => id),
      )
      .execute();
    const bytes = new Map(rows.map((row) => [row.id, row.text_bytes]));
    let left = maxBytes;
    const end = messages.findIndex(({ id }, at) => {
      left -= bytes.get(id) ?? 0;
      return left < 0 && at > 0;
    });
    return end < 0 ? [...messages] : messages.slice(0, end);
  }

  /** By thread; one without messages is missing. */
  async summaries(threadIds: readonly string[]): Promise<Map<string, ThreadSummary>> {
    if (threadIds.length === 0) return new Map();
    const rows = await this.#db
      .selectFrom((eb) =>
        eb
          .selectFrom('messages')
          .select(({ fn }) => ['thread_id', fn.countAll<number>().as('messages'), fn.max('id').as('last_id')])
          .where('thread_id', 'in', threadIds)
          .groupBy('thread_id')
          .as('s'),
      )
      .innerJoin('messages as m', 'm.id', 's.last_id')
      .select(['s.thread_id', 's.messages', 'm.status'])
      .execute();
    return new Map(
      rows.map(({ thread_id: id, messages, status }) => [
        id ?? '',
        { messages, lastDirection: status === 'received' ? 'inbound' : 'outbound' },
      ]),
    );
  }

  /** By message row id; messages that were not received are missing. */
  async receivedInFull(messageIds: readonly number[]): Promise<Map<number, ReceivedInFull>> {
    if (messageIds.length === 0) return new Map();
    const rows = await this.#db
      .selectFrom('received_messages as r')
      .innerJoin('messages as m', 'm.id', 'r.message_id')
      .innerJoin('contents as c', 'c.id', 'm.content_id')
      .leftJoin('messages as answered', 'answered.id', 'r.in_reply_to_id')
      .selectAll('r')
      .select(['c.text', 'c.html', 'c.rfc_message_id', 'answered.public_id as in_reply_to'])
      .where('r.message_id', 'in', messageIds)
      .execute();
    return new Map(rows.map((row) => [row.message_id, row]));
  }

  /** Message that a received one refers to, with the proof of that; null for a message that was not received. */
  async originOf(
    messageId: number,
  ): Promise<Pick<ReceivedMessage, 'in_reply_to_id' | 'references_list' | 'authentication'> | null> {
    const row = await this.#db
      .selectFrom('received_messages')
      .select(['in_reply_to_id', 'references_list', 'authentication'])
      .where('message_id', '=', messageId)
      .executeTakeFirst();
    return row ?? null;
  }

  async latestOf(threadId: string): Promise<LatestMessages> {
    const newest = this.#db
      .selectFrom('messages')
      .selectAll('messages')
      .where('thread_id', '=', threadId)
      .orderBy('id', 'desc')
      .limit(1);
    const received = newest.where('status', '=', 'received');
    const [sent, written, any] = await Promise.all([
      newest.where('status', '<>', 'received').executeTakeFirst(),
      received
        .innerJoin('received_messages as r', 'r.message_id', 'messages.id')
        .where('r.auto_reply', 'is', null)
        .executeTakeFirst(),
      received.executeTakeFirst(),
    ]);
    return { sent: sent ?? null, received: written ?? any ?? null };
  }

  /**
   * Finds the addresses that have written in the thread or were written to in it, by their keys. A message that waits for approval
   * does not count, because its recipient could otherwise get the next one without approval. Nor does a received one whose From is
   * not proven, because anyone who knows the thread's address could add participants.
   */
  async participantsAmong(threadId: string, addressKeys: readonly string[]): Promise<Set<string>> {
    const ofThread = this.#db.selectFrom('messages').where('thread_id', '=', threadId).distinct();
    const [sent, authors] = await Promise.all([
      ofThread
        .select('to_key')
        .where('status', 'not in', NOT_WRITTEN)
        .where('to_key', 'in', addressKeys)
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('approvals as a')
                .select('a.id')
                .whereRef('a.content_id', '=', 'messages.content_id')
                .where('a.status', '=', 'pending'),
            ),
          ),
        )
        .execute(),
      ofThread.select('from_email').where('status', '=', 'received').execute(),
    ]);
    const known = new Set(sent.map((row) => row.to_key));
    const claimed = authors.filter(({ from_email: email }) => {
      const key = addressKey(email);
      return addressKeys.includes(key) && !known.has(key);
    });
    for (const { from_email: email } of claimed) {
      if (await this.#hasProvenMail(threadId, email)) known.add(addressKey(email));
    }
    return new Set(addressKeys.filter((key) => known.has(key)));
  }

  async #hasProvenMail(threadId: string, fromEmail: string): Promise<boolean> {
    const rows = await this.#db
      .selectFrom('messages as m')
      .innerJoin('received_messages as r', 'r.message_id', 'm.id')
      .select('r.authentication')
      .where('m.thread_id', '=', threadId)
      .where('m.status', '=', 'received')
      .where('m.from_email', '=', fromEmail)
      .where('r.authentication', 'is not', null)
      .orderBy('m.id', 'desc')
      .limit(RECENT)
      .execute();
    return rows.some(({ authentication }) => isFromProven(authentication));
  }

  /** The first of these message ids that is a message of exactly this scope. */
  async byRfcMessageIds(scope: Scope, rfcMessageIds: readonly string[]): Promise<Message | null> {
    if (rfcMessageIds.length === 0) return null;
    const publicIds = rfcMessageIds.flatMap((id) => publicIdIn(id) ?? []);
    const [own, foreign] = await Promise.all([
      publicIds.length === 0
        ? []
        : this.#messagesOfExactly(scope, UNORDERED).where('public_id', 'in', publicIds).execute(),
      this.#messagesOfExactly(scope, UNORDERED)
        .innerJoin('foreign_message_ids as f', 'f.message_id', 'messages.id')
        .select('f.rfc_message_id')
        .where('f.environment_id', '=', scope.environmentId)
        .where('f.rfc_message_id', 'in', rfcMessageIds)
        .orderBy('messages.id', 'desc')
        .limit(RECENT)
        .execute(),
    ]);
    for (const id of rfcMessageIds) {
      const ours = publicIdIn(id);
      const found =
        own.find((message) => message.public_id === ours) ??
        foreign.find((message) => message.rfc_message_id === id);
      if (found) return found;
    }
    return null;
  }

  /** Latest messages of exactly this scope to an address, without forwarded ones, for comparing subjects. */
  async sentTo(scope: Scope, toKey: string, since: number): Promise<Message[]> {
    return this.#messagesOfExactly(scope)
      .where('to_key', '=', toKey)
      .where('status', '<>', 'received')
      .where('forward', 'is', null)
      .where('created_at', '>=', since)
      .orderBy('id', 'desc')
      .limit(RECENT)
      .execute();
  }

  /** The latest thread of exactly this scope with a correspondent about a subject. */
  async byCorrespondent(
    scope: Scope,
    about: { correspondentKey: string; subjectKey: string; since: number },
  ): Promise<Thread | null> {
    const found = await this.#threadsWith(scope, about.correspondentKey)
      .where(apart('sub_tenant_id'), '=', scope.subTenantId ?? '')
      .where('subject_key', '=', about.subjectKey)
      .where(MOVED_AT, '>=', about.since)
      .orderBy(MOVED_AT, 'desc')
      .limit(1)
      .executeTakeFirst();
    return found ?? null;
  }

  /** Returns whether the same message was received before, because clients that missed the 250 send it again. */
  async isKnown(scope: Scope, mail: { rfcMessageId: string; contentHash: string }): Promise<boolean> {
    const { environmentId, subTenantId } = scope;
    const values = [environmentId, mail.rfcMessageId, subTenantId ?? '', mail.contentHash];
    return (await this.#engine.rows(KNOWN, values)).length > 0;
  }

  /** Returns whether a message from the address was received in exactly this scope. */
  async hasWritten({ environmentId, subTenantId }: Scope, email: string): Promise<boolean> {
    return (await this.#engine.rows(WROTE, [environmentId, email, subTenantId ?? ''])).length > 0;
  }

  /** Whether the index lacks messages of a thread. */
  async isSearchDue(): Promise<boolean> {
    return (
      (await this.#engine.rows('SELECT 1 AS one FROM threads WHERE search_due = 1 LIMIT 1', [])).length > 0
    );
  }

  /** Reads the newest messages that match, so that a frequent word costs no more than a rare one. */
  #hasMessageWith(scope: Scope, phrases: readonly Phrase[]): RawBuilder<SqlBool> {
    const newest = this.#engine.spelling.messageSearch.newest(inScope(scope, phrases), SEARCHED);
    return sql<SqlBool>`id IN (SELECT m.thread_id FROM messages m WHERE m.id IN (${newest}))`;
  }

  #threads(scope: Scope, environment: 'environment_id' | RawBuilder<number> = 'environment_id') {
    const query = this.#db.selectFrom('threads').selectAll().where(environment, '=', scope.environmentId);
    return scope.subTenantId === null ? query : query.where('sub_tenant_id', '=', scope.subTenantId);
  }

  #threadsWith(scope: Scope, correspondentKey: string) {
    const query = this.#db
      .selectFrom('threads')
      .selectAll()
      .where('environment_id', '=', scope.environmentId)
      .where('correspondent_key', '=', correspondentKey);
    return scope.subTenantId === null ? query : query.where(apart('sub_tenant_id'), '=', scope.subTenantId);
  }

  /**
   * Restricts to exactly this sub-tenant, or exactly the workspace itself, because threads never span both. Written so that SQLite
   * searches by the other conditions instead of reading all threads of the sub-tenant or, with `UNORDERED`, of the environment.
   */
  #messagesOfExactly(scope: Scope, environment: EnvironmentColumn = 'messages.environment_id') {
    return this.#db
      .selectFrom('messages')
      .selectAll('messages')
      .where(environment, '=', scope.environmentId)
      .where(apart('messages.sub_tenant_id'), '=', scope.subTenantId ?? '');
  }
}
