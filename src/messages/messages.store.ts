// Messages as the API reads them, and as a delivery worker needs them.
import { sql, type Kysely } from 'kysely';
import { isErasedAddress } from '../contract/erased-address.js';
import { readDeliverables, type Deliverable } from './deliverables.store.js';
import type { Engine } from '../database/engine/engine.js';
import { NEIGHBOURS } from '../database/engine/row-ids.js';
import { gather } from '../lib/concurrency/index.js';
import { inList, notByIndex, buildUnion, rowsAs } from '../database/sql.js';
import { createMessageList, type MessageFilter } from './list.store.js';
import {
  readLastAttempts,
  readRaws,
  type AttachmentInfo,
  type Content,
  type LastAttempt,
  type ShownContent,
} from './rows.store.js';
import type { Scope } from '../database/scope.js';
import type {
  Message,
  attachments,
  blobs,
  contents as contentsTable,
  messages,
  idempotencyKeys,
} from './messages.tables.js';
import type { TablesOf, RowOf } from '../database/columns.js';
import type { queue } from './queue.tables.js';

type Known = TablesOf<
  typeof attachments | typeof blobs | typeof contentsTable | typeof messages | typeof queue
>;

export type { AttachmentInfo, Content, Message, MessageFilter };

const FOR_TOKEN = `SELECT m.*, e.mode, w.id AS "workspaceId", w.number AS "workspaceNumber", w.organization_id AS "organizationId"
  FROM messages m JOIN environments e ON e.id = m.environment_id JOIN workspaces w ON w.id = e.workspace_id WHERE m.public_id = ?`;
const EARLIER_BOUNCES = `SELECT error, updated_at FROM messages
  WHERE environment_id = ? AND to_key = ? AND status = 'bounced' AND null_sender = 0 AND updated_at >= ? LIMIT 100`;
const LINKED_HTML = `SELECT m.to_email, c.html FROM messages m JOIN contents c ON c.id = m.content_id
  WHERE m.public_id = ?`;
const FIND_KEY = 'SELECT * FROM idempotency_keys WHERE environment_id = ? AND sub_tenant_key = ? AND key = ?';

/** The campaign or sequence whose messages in doubt are counted. */
export type DoubtSource = { campaignId: string } | { sequenceId: string };

/**
 * Messages in doubt, as long as `in_doubt_at` is set. COALESCE keeps SQLite from using the index by status, which has every
 * delivered copy, so it uses the small index of messages in doubt.
 */
export const IN_DOUBT = "m.in_doubt_at IS NOT NULL AND COALESCE(m.status, '') = 'sent'";

/** A message and the scope that it was sent in, as someone with a signed link finds it. */
export interface SignedLinkTarget {
  message: Message;
  scope: Scope;
}

interface TokenRow extends Message {
  mode: Scope['mode'];
  workspaceId: string;
  workspaceNumber: number;
  organizationId: string;
}

type KeyRow = RowOf<typeof idempotencyKeys>;
/** Environment, sub-tenant or '', and key. */
type KeyPlace = readonly [number, string, string];

type StoredFile = AttachmentInfo & { content: Uint8Array };
export function createMessageStore(engine: Engine): MessageStore {
  return new MessageStore(engine);
}

export class MessageStore {
  readonly #engine: Engine;
  readonly #db: Kysely<Known>;
  readonly #idempotencyKey = gather<KeyPlace, KeyRow | undefined>((places) => {
    const found = this.#keysAt(places);
    return places.map(async ([environmentId, subTenantKey, key]) =>
      (await found).find(
        (row) =>
          row.key === key && row.environment_id === environmentId && row.sub_tenant_key === subTenantKey,
      ),
    );
  });

  constructor(engine: Engine) {
    this.messages = createMessageList(engine);
    this.#engine = engine;
    this.#db = this.#engine.read.$extendTables<Known>();
  }

  async attachmentsOf(contentIds: readonly number[]): Promise<AttachmentInfo[]> {
    if (contentIds.length === 0) return [];
    return this.#db
      .selectFrom('attachments as a')
      .innerJoin('blobs as b', 'b.id', 'a.blob_id')
      .where('a.content_id', 'in', contentIds)
      .select([
        'a.content_id as contentId',
        'a.filename',
        'a.content_type as contentType',
        'a.cid',
        'b.size_bytes as sizeBytes',
        'b.sha256',
        'b.id as blobId',
      ])
      .orderBy('a.content_id')
      .orderBy('a.position')
      .execute();
  }

  async shownContent(message: Pick<Message, 'id' | 'content_id'>): Promise<ShownContent> {
    return (await this.shownContents([message]))(message);
  }

  /** Reads the data that these messages show in addition to their rows. Returns a function that gives the data of each. */
  async shownContents(
    messages: readonly Pick<Message, 'id' | 'content_id'>[],
  ): Promise<(message: Pick<Message, 'id' | 'content_id'>) => ShownContent> {
    const ids = [...new Set(messages.map((message) => message.content_id))];
    const [attachments, named, lastAttempts] = await Promise.all([
      this.attachmentsOf(ids),
      this.#messageIdsOf(ids),
      this.lastAttempts(messages.map((message) => message.id)),
    ]);
    const files = new Map<number, AttachmentInfo[]>();
    for (const one of attachments) files.set(one.contentId, [...(files.get(one.contentId) ?? []), one]);
    return ({ id: rowId, content_id: id }) => ({
      rfcMessageId: named.get(id) ?? null,
      attachments: files.get(id) ?? [],
      lastAttempt: lastAttempts.get(rowId) ?? null,
    });
  }

  /** The latest delivery attempts, by row id of the message. */
  async lastAttempts(messageIds: readonly number[]): Promise<ReadonlyMap<number, LastAttempt>> {
    return readLastAttempts(this.#engine, messageIds);
  }

  async message(scope: Scope, publicId: string): Promise<Message | null> {
    return (await this.#messages(scope).where('public_id', '=', publicId).executeTakeFirst()) ?? null;
  }

  /** Messages of an environment, of all its sub-tenants, in no order. */
  async messagesByPublicId(environmentId: number, publicIds: readonly string[]): Promise<Message[]> {
    if (publicIds.length === 0) return [];
    return this.#db
      .selectFrom('messages')
      .selectAll()
      .where('public_id', 'in', publicIds)
      .where(notByIndex('environment_id'), '=', environmentId)
      .execute();
  }

  /** Reads by row id without a scope, for a row that a scoped row refers to. */
  async publicIdOf(rowId: number): Promise<string | null> {
    const row = await this.#db
      .selectFrom('messages')
      .select('public_id')
      .where('id', '=', rowId)
      .executeTakeFirst();
    return row?.public_id ?? null;
  }

  async messagesByRowId(scope: Scope, rowIds: readonly number[]): Promise<Message[]> {
    if (rowIds.length === 0) return [];
    return this.#messages(scope).where('id', 'in', rowIds).orderBy('id').execute();
  }

  /** Messages of a campaign or sequence of the scope that are in doubt and can be sent again, oldest first. */
  async inDoubt(
    scope: Scope,
    source: DoubtSource,
    { after, limit }: { after: number; limit: number },
  ): Promise<Message[]> {
    return this.#copiesOf(scope, source)
      .where('in_doubt_at', 'is not', null)
      .where('status', '=', 'sent')
      .where('redacted_at', 'is', null)
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .execute();
  }

  /** Number of messages in doubt of each campaign or sequence; those without any are left out. */
  async countInDoubt(
    column: 'campaign_id' | 'sequence_id',
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, number>> {
    if (ids.length === 0) return new Map();
    const { marks, values } = inList(ids);
    const statement = `SELECT m.${column} AS source, COUNT(*) AS n FROM messages m
      WHERE m.${column} IN (${marks}) AND m.${column} IS NOT NULL AND ${IN_DOUBT} GROUP BY m.${column}`;
    const rows = await rowsAs<{ source: string; n: number }>(this.#engine.rows(statement, values));
    return new Map(rows.map(({ source, n }) => [source, n]));
  }

  /** Copies of one request (to, cc, bcc), in the order they were made. */
  async copies(scope: Scope, contentId: number, around: number): Promise<Message[]> {
    return this.#messages(scope)
      .where('id', '>', around - NEIGHBOURS)
      .where('id', '<', around + NEIGHBOURS)
      .where('content_id', '=', contentId)
      .orderBy('id')
      .execute();
  }

  readonly messages: ReturnType<typeof createMessageList>;

  /** A message's files with their octets, in their order. */
  async filesOf(message: Pick<Message, 'content_id'>): Promise<StoredFile[]> {
    return this.#withOctets(await this.attachmentsOf([message.content_id]));
  }

  /** The file at a place, from 0; null when there is none. */
  async fileOf(message: Pick<Message, 'content_id'>, index: number): Promise<StoredFile | null> {
    const infos = await this.attachmentsOf([message.content_id]);
    return (await this.#withOctets(infos.slice(index, index + 1)))[0] ?? null;
  }

  async content(message: Pick<Message, 'content_id'>): Promise<Content> {
    return this.#db
      .selectFrom('contents')
      .selectAll()
      .where('id', '=', message.content_id)
      .executeTakeFirstOrThrow();
  }

  /** Returns the message that an idempotency key created. Its fingerprint shows whether the request is the same. */
  async byIdempotencyKey(
    scope: Scope,
    key: string,
  ): Promise<{ message: Message; fingerprint: Uint8Array; firstScheduledAt: number | null } | null> {
    const known = await this.#idempotencyKey([scope.environmentId, scope.subTenantId ?? '', key]);
    if (!known) return null;
    const message = await this.#db
      .selectFrom('messages')
      .selectAll()
      .where('id', '=', known.message_id)
      .executeTakeFirst();
    if (!message) return null;
    return { message, fingerprint: known.fingerprint, firstScheduledAt: known.scheduled_at };
  }

  async #keysAt(places: readonly KeyPlace[]): Promise<KeyRow[]> {
    const { text, values } = buildUnion(FIND_KEY, places);
    return rowsAs<KeyRow>(this.#engine.rows(text, values));
  }

  /** The message that a signed link names, and whose it is. Unscoped: the signature is the permission. */
  async forToken(publicId: string): Promise<SignedLinkTarget | null> {
    const [row] = await rowsAs<TokenRow>(this.#engine.rows(FOR_TOKEN, [publicId]));
    if (!row) return null;
    const { mode, workspaceId, workspaceNumber, organizationId, ...message } = row;
    const { environment_id: environmentId, sub_tenant_id: subTenantId } = message;
    const scope = { organizationId, workspaceId, workspaceNumber, environmentId, mode, subTenantId };
    return { message, scope };
  }

  /** The stored html that a signed link is in. Unscoped, as `forToken`. */
  async linkedHtml(publicId: string): Promise<{ to_email: string; html: string | null } | null> {
    const [row] = await rowsAs<{ to_email: string; html: string | null }>(
      this.#engine.rows(LINKED_HTML, [publicId]),
    );
    return row ?? null;
  }

  /** When (epoch ms) earlier mail of the environment to this address bounced, by category. */
  async earlierBounces(
    environmentId: number,
    toKey: string,
    since: number,
  ): Promise<{ category: string; at: number }[]> {
    const rows = await rowsAs<Pick<Message, 'error' | 'updated_at'>>(
      this.#engine.rows(EARLIER_BOUNCES, [environmentId, toKey, since]),
    );
    return rows.map((row) => ({
      category: (JSON.parse(row.error ?? '{}') as { category?: string }).category ?? '',
      at: row.updated_at,
    }));
  }

  /** When (epoch ms) its delivery is given up; null once it has left the queue. Unscoped: the message must have been found with a scope. */
  async deliveryEndsAt({ id }: Pick<Message, 'id'>): Promise<number | null> {
    const row = await this.#db
      .selectFrom('queue')
      .select('expires_at')
      .where('message_id', '=', id)
      .executeTakeFirst();
    return row?.expires_at ?? null;
  }

  /** The octets of a content that came by SMTP. */
  async raw(rawId: number): Promise<Uint8Array | undefined> {
    return (await readRaws(this.#engine, [rawId])).get(rawId);
  }

  /** Messages with everything a worker needs to compose them, by row id. Unscoped: for delivery only. */
  async deliverables(rowIds: readonly number[]): Promise<Map<number, Deliverable>> {
    if (rowIds.length === 0) return new Map();
    return readDeliverables(this.#engine, rowIds, (ids) => this.attachmentsOf(ids));
  }

  async #messageIdsOf(contentIds: readonly number[]): Promise<ReadonlyMap<number, string>> {
    if (contentIds.length === 0) return new Map();
    const rows = await this.#db
      .selectFrom('contents')
      .select(['id', 'rfc_message_id'])
      .where('id', 'in', contentIds)
      .execute();
    return new Map(
      rows.flatMap(({ id, rfc_message_id: text }) =>
        text === '' || isErasedAddress(text) ? [] : [[id, text] as const],
      ),
    );
  }

  async #withOctets(infos: readonly AttachmentInfo[]): Promise<StoredFile[]> {
    if (infos.length === 0) return [];
    const rows = await this.#db
      .selectFrom('blobs')
      .select(['id', 'content'])
      .where('id', 'in', [...new Set(infos.map((info) => info.blobId))])
      .execute();
    const contents = new Map(rows.map((row) => [row.id, row.content]));
    return infos.flatMap((info) => {
      const content = contents.get(info.blobId);
      return content === undefined ? [] : [{ ...info, content }];
    });
  }

  #messages(scope: Scope) {
    const query = this.#db
      .selectFrom('messages')
      .selectAll()
      .where('environment_id', '=', scope.environmentId);
    return scope.subTenantId === null ? query : query.where('sub_tenant_id', '=', scope.subTenantId);
  }

  /** The plus keeps SQLite from reading the environment in order, because the named filter has an index. */
  #copiesOf(scope: Scope, source: DoubtSource) {
    const query = this.#db
      .selectFrom('messages')
      .selectAll()
      .where(sql<number>`+environment_id`, '=', scope.environmentId);
    const named =
      'campaignId' in source
        ? query.where('campaign_id', '=', source.campaignId)
        : query.where('sequence_id', '=', source.sequenceId);
    return scope.subTenantId === null ? named : named.where('sub_tenant_id', '=', scope.subTenantId);
  }
}
