// Finds the rows of an erasure: everything that names an address, in one workspace or one of its sub-tenants.
import type { Kysely } from 'kysely';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { addressKey, holdsAddress } from '../lib/mime/index.js';
import type { Engine, Value } from '../database/engine/engine.js';
import { NEIGHBOURS } from '../database/engine/row-ids.js';
import { inList, rowsAs } from '../database/sql.js';
import type { Content } from '../messages/rows.store.js';
import type { Message, attachments, contents, messages, raws } from '../messages/messages.tables.js';
import type { campaignOverrides, campaignRecipients, campaigns } from '../campaigns/campaigns.tables.js';
import type { events } from '../events/events.tables.js';
import type { inboundMessages } from '../inbound/inbound.tables.js';
import type { senders } from '../domains/domains.tables.js';
import type { sourceLinks } from '../analytics/analytics.tables.js';
import type { subTenants } from '../tenants/tenants.tables.js';
import type { suppressions } from '../suppressions/suppressions.tables.js';
import type { webhookDeliveries, webhookEndpoints } from '../webhooks/webhooks.tables.js';
import type { ForwardRecord } from '../messages/inboxes/forwards.tables.js';
import type { receivedMessages } from '../messages/received.tables.js';
import type { RowOf, TablesOf } from '../database/columns.js';
import type { threads } from '../messages/threads/threads.tables.js';
import type { queue } from '../messages/queue.tables.js';

type Known = TablesOf<
  | typeof attachments
  | typeof campaignOverrides
  | typeof campaignRecipients
  | typeof campaigns
  | typeof contents
  | typeof events
  | typeof inboundMessages
  | typeof messages
  | typeof queue
  | typeof raws
  | typeof senders
  | typeof sourceLinks
  | typeof subTenants
  | typeof suppressions
  | typeof threads
  | typeof webhookDeliveries
  | typeof webhookEndpoints
>;

/** The person whose rows are searched. */
export interface Erased {
  /** `null` leaves data that both environments share (mail about senders and sub-tenants) unchanged. */
  workspaceId: string | null;
  /** `null` for the workspace and all of its sub-tenants. */
  subTenantId: string | null;
  environmentIds: readonly number[];
  emailKey: string;
}

interface QueueState {
  messageId: number;
  isLeased: boolean;
}

type ReceivedFrom = Pick<Message, 'id' | 'sub_tenant_id' | 'from_email'> &
  Pick<RowOf<typeof receivedMessages>, 'forwards'>;
type InboundFrom = Pick<RowOf<typeof inboundMessages>, 'id' | 'raw_id' | 'mail_from' | 'target'>;

/** Row ids of messages from a person. */
export interface ReceivedIds {
  received: number[];
  /** Messages that forward the received ones and share their content. */
  forwarding: number[];
}

/** Rows that are examined before other work continues. */
const STEP = 2_000;
const CAMPAIGN_STEP = 200;

function forwardingMessages(forwards: string): string[] {
  const records = JSON.parse(forwards) as ForwardRecord[]; // written by `planReceived`
  return records.flatMap(({ message_id: id }) => id ?? []);
}

export function createErasureStore(engine: Engine): ErasureStore {
  return new ErasureStore(engine);
}

export class ErasureStore {
  readonly #engine: Engine;
  readonly #db: Kysely<Known>;

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#db = this.#engine.read.$extendTables<Known>();
  }

  /** Mail to the address after a row id, oldest first. */
  async messagesTo(erased: Erased, afterId: number, limit: number): Promise<Message[]> {
    const found: Message[] = [];
    for (const environmentId of erased.environmentIds) {
      let query = this.#db
        .selectFrom('messages')
        .selectAll()
        .where('environment_id', '=', environmentId)
        .where('to_key', '=', erased.emailKey)
        .where('id', '>', afterId)
        .where('status', '<>', 'received')
        .orderBy('id')
        .limit(limit);
      if (erased.subTenantId !== null) query = query.where('sub_tenant_id', '=', erased.subTenantId);
      found.push(...(await query.execute()));
    }
    return found.toSorted((one, other) => one.id - other.id).slice(0, limit);
  }

  /** Row ids of messages received from the address, regardless of what they answer, and of the messages that forward them. */
  async receivedFrom(erased: Erased): Promise<ReceivedIds> {
    const environments = inList(erased.environmentIds);
    const found: number[] = [];
    const forwarded: string[] = [];
    const statement = `SELECT r.message_id AS id, m.sub_tenant_id, m.from_email, r.forwards
        FROM received_messages r JOIN messages m ON m.id = r.message_id
        WHERE r.message_id > ? AND m.environment_id IN (${environments.marks}) ORDER BY r.message_id LIMIT ?`;
    for await (const rows of this.#steps<ReceivedFrom>(statement, environments.values)) {
      for (const row of rows) {
        if (erased.subTenantId !== null && row.sub_tenant_id !== erased.subTenantId) continue;
        if (addressKey(row.from_email) !== erased.emailKey) continue;
        found.push(row.id);
        if (row.forwards !== null) forwarded.push(...forwardingMessages(row.forwards));
      }
    }
    return { received: found, forwarding: await this.#idsOf(forwarded) };
  }

  async #idsOf(publicIds: readonly string[]): Promise<number[]> {
    if (publicIds.length === 0) return [];
    const query = this.#db.selectFrom('messages').select('id').where('public_id', 'in', publicIds);
    return (await query.execute()).map(({ id }) => id);
  }

  async messagesById(ids: readonly number[]): Promise<Message[]> {
    return ids.length === 0
      ? []
      : this.#db.selectFrom('messages').selectAll().where('id', 'in', ids).orderBy('id').execute();
  }

  async contentsOf(contentIds: readonly number[]): Promise<Content[]> {
    if (contentIds.length === 0) return [];
    return this.#db.selectFrom('contents').selectAll().where('id', 'in', contentIds).execute();
  }

  /** Other recipients' copies of the same content. */
  async otherCopies(message: Message, emailKey: string): Promise<Message[]> {
    return this.#db
      .selectFrom('messages')
      .selectAll()
      .where('id', '>', message.id - NEIGHBOURS)
      .where('id', '<', message.id + NEIGHBOURS)
      .where('content_id', '=', message.content_id)
      .where('to_key', '<>', emailKey)
      .execute();
  }

  /** Which of them still wait, and which are in a worker's hands. */
  async queueStates(messageIds: readonly number[]): Promise<QueueState[]> {
    if (messageIds.length === 0) return [];
    const rows = await this.#db
      .selectFrom('queue')
      .select(['message_id', 'lease_until'])
      .where('message_id', 'in', messageIds)
      .execute();
    return rows.map((row) => ({ messageId: row.message_id, isLeased: row.lease_until !== null }));
  }

  async eventCount(messageIds: readonly number[]): Promise<number> {
    const row = await this.#db
      .selectFrom('events')
      .select((eb) => eb.fn.countAll().as('n'))
      .where('message_id', 'in', messageIds)
      .where('detail', 'is not', null)
      .executeTakeFirstOrThrow();
    return Number(row.n);
  }

  /** Webhook deliveries in the environments that carry one of these records, by their public ids. */
  async deliveriesWith(
    { environmentIds }: Erased,
    publicIds: readonly string[],
  ): Promise<{ id: number; payload: string }[]> {
    if (publicIds.length === 0) return [];
    return this.#db
      .selectFrom('webhook_deliveries as d')
      .select(['d.id', 'd.payload'])
      .where('d.endpoint_id', 'in', (eb) =>
        eb
          .selectFrom('webhook_endpoints as p')
          .select('p.id')
          .where('p.environment_id', 'in', environmentIds),
      )
      .where('d.subject_id', 'in', publicIds)
      .where((eb) => eb.or([eb('d.payload', 'like', '%"object":{%'), eb('d.body', 'is not', null)]))
      .execute();
  }

  /** Public ids of the remaining suppressions. */
  async suppressionIds(erased: Erased): Promise<string[]> {
    let query = this.#db
      .selectFrom('suppressions')
      .select('id')
      .where('environment_id', 'in', erased.environmentIds)
      .where('email_key', '=', erased.emailKey);
    if (erased.subTenantId !== null) query = query.where('sub_tenant_key', '=', erased.subTenantId);
    return (await query.execute()).map(({ id }) => id);
  }

  /** Files that only these contents carry. */
  async blobsOnlyOf(contentIds: readonly number[]): Promise<number[]> {
    if (contentIds.length === 0) return [];
    const carried = await this.#db
      .selectFrom('attachments')
      .select('blob_id')
      .distinct()
      .where('content_id', 'in', contentIds)
      .execute();
    const ids = carried.map((row) => row.blob_id);
    if (ids.length === 0) return [];
    const elsewhere = await this.#db
      .selectFrom('attachments')
      .select('blob_id')
      .distinct()
      .where('blob_id', 'in', ids)
      .where('content_id', 'not in', contentIds)
      .execute();
    const used = new Set(elsewhere.map((row) => row.blob_id));
    return ids.filter((id) => !used.has(id));
  }

  /** Octets that nothing but these contents and these incoming mails refers to. */
  async rawsOnlyOf(
    rawIds: readonly number[],
    of: { contentIds: readonly number[]; mailIds: readonly number[] },
  ): Promise<number[]> {
    const ids = [...new Set(rawIds)];
    if (ids.length === 0) return [];
    const [contents, mails] = await Promise.all([
      this.#db.selectFrom('contents').select(['id', 'raw_id']).where('raw_id', 'in', ids).execute(),
      this.#db.selectFrom('inbound_messages').select(['id', 'raw_id']).where('raw_id', 'in', ids).execute(),
    ]);
    const used = new Set([
      ...contents.filter(({ id }) => !of.contentIds.includes(id)).map((row) => row.raw_id),
      ...mails.filter(({ id }) => !of.mailIds.includes(id)).map((row) => row.raw_id),
    ]);
    return ids.filter((id) => !used.has(id));
  }

  /** Whether the bytes of a mail contain the address, regardless of case. */
  async rawHas(rawId: number, emailKey: string): Promise<boolean> {
    const row = await this.#db
      .selectFrom('raws')
      .select('content')
      .where('id', '=', rawId)
      .executeTakeFirst();
    return row !== undefined && holdsAddress(row.content, emailKey);
  }

  async threadsWith(erased: Erased): Promise<string[]> {
    let query = this.#db
      .selectFrom('threads')
      .select('id')
      .where('environment_id', 'in', erased.environmentIds)
      .where('correspondent_key', '=', erased.emailKey);
    if (erased.subTenantId !== null) query = query.where('sub_tenant_id', '=', erased.subTenantId);
    return (await query.execute()).map((row) => row.id);
  }

  /** Stored inbound mail from the address, about mail to it, or attributed to it. */
  async inboundMessages(
    erased: Erased,
    { publicIds, rawIds }: { publicIds: ReadonlySet<string>; rawIds: ReadonlySet<number> },
  ): Promise<{ id: number; rawId: number }[]> {
    const found: { id: number; rawId: number }[] = [];
    const statement =
      'SELECT id, raw_id, mail_from, target FROM inbound_messages WHERE id > ? ORDER BY id LIMIT ?';
    for await (const rows of this.#steps<InboundFrom>(statement, [])) {
      for (const { id, raw_id: rawId, mail_from: from, target } of rows) {
        const isFrom = addressKey(from) === erased.emailKey;
        const isKnown = publicIds.has(target) || rawIds.has(rawId);
        if (isKnown || (isFrom && (await isIn(this.#db, erased, target)))) found.push({ id, rawId });
      }
    }
    return found;
  }

  async recipientsIn(
    erased: Erased,
  ): Promise<{ campaignId: string; contactNumber: number; isOpen: boolean }[]> {
    const found: { campaignId: string; contactNumber: number; isOpen: boolean }[] = [];
    await this.#inCampaigns(erased, async (ids) => {
      const rows = await this.#db
        .selectFrom('campaign_recipients')
        .select(['campaign_id', 'contact_number', 'state'])
        .where('campaign_id', 'in', ids)
        .where('email_key', '=', erased.emailKey)
        .execute();
      for (const { campaign_id: campaignId, contact_number: contactNumber, state } of rows) {
        found.push({ campaignId, contactNumber, isOpen: state === 'waiting' || state === 'held' });
      }
    });
    return found;
  }

  async overridesFor(erased: Erased): Promise<string[]> {
    const found: string[] = [];
    await this.#inCampaigns(erased, async (ids) => {
      const rows = await this.#db
        .selectFrom('campaign_overrides')
        .select('campaign_id')
        .where('campaign_id', 'in', ids)
        .where('email_key', '=', erased.emailKey)
        .execute();
      found.push(...rows.map((row) => row.campaign_id));
    });
    return found;
  }

  /** The lists that the address left. */
  async listsLeftBy(erased: Erased): Promise<{ environmentId: number; listNumber: number }[]> {
    const owner = erased.subTenantId === null ? '' : ' AND l.sub_tenant_id = ?';
    const environments = inList(erased.environmentIds);
    return rowsAs(
      this.#engine.rows(
        `SELECT l.environment_id AS "environmentId", l.number AS "listNumber" FROM contact_lists l CROSS JOIN list_unsubscribes d
          WHERE d.list_number = l.number AND d.email_key = ? AND l.environment_id IN (${environments.marks})${owner}`,
        [
          erased.emailKey,
          ...environments.values,
          ...(erased.subTenantId === null ? [] : [erased.subTenantId]),
        ],
      ),
    );
  }

  /** Counted links of these campaigns and sequences that say one of the `texts`, which are in lower case. */
  async linksWith(
    sourceIds: readonly string[],
    texts: readonly string[],
  ): Promise<{ sourceId: string; url: string }[]> {
    if (sourceIds.length === 0) return [];
    const rows = await this.#db
      .selectFrom('source_links')
      .select(['source_id as sourceId', 'url'])
      .where('source_id', 'in', sourceIds)
      .execute();
    return rows.filter(({ url }) => texts.some((text) => url.toLowerCase().includes(text)));
  }

  async retainedSuppressions(erased: Erased): Promise<number> {
    let query = this.#db
      .selectFrom('suppressions')
      .select((eb) => eb.fn.countAll().as('n'))
      .where('environment_id', 'in', erased.environmentIds)
      .where('email_key', '=', erased.emailKey);
    if (erased.subTenantId !== null) query = query.where('sub_tenant_key', '=', erased.subTenantId);
    return Number((await query.executeTakeFirstOrThrow()).n);
  }

  /** Visits a table by its ids. Other work continues between two steps. */
  async *#steps<T extends { id: number }>(statement: string, values: readonly Value[]): AsyncGenerator<T[]> {
    for (let after = 0; ;) {
      const rows = await rowsAs<T>(this.#engine.rows(statement, [after, ...values, STEP]));
      yield rows;
      const last = rows.at(-1);
      if (last === undefined || rows.length < STEP) return;
      after = last.id;
      await nextTurn();
    }
  }

  async #inCampaigns(erased: Erased, look: (ids: string[]) => Promise<void>): Promise<void> {
    for (const environmentId of erased.environmentIds) {
      let after = '';
      for (;;) {
        let query = this.#db
          .selectFrom('campaigns')
          .select('id')
          .where('environment_id', '=', environmentId)
          .where('id', '>', after)
          .orderBy('id')
          .limit(CAMPAIGN_STEP);
        if (erased.subTenantId !== null) query = query.where('sub_tenant_id', '=', erased.subTenantId);
        const ids = (await query.execute()).map((row) => row.id);
        if (ids.length > 0) await look(ids);
        const last = ids.at(-1);
        if (last === undefined || ids.length < CAMPAIGN_STEP) break;
        after = last;
        await nextTurn();
      }
    }
  }
}

/** Whether the target of a mail (a message, a sub-tenant, a sender) belongs to the workspace, or its sub-tenant. */
async function isIn(db: Kysely<Known>, erased: Erased, target: string): Promise<boolean> {
  const { subTenantId, workspaceId } = erased;
  const isOwn = (owner: string | null) => subTenantId === null || owner === subTenantId;
  if (target.startsWith('msg_')) {
    const row = await db
      .selectFrom('messages')
      .select(['environment_id', 'sub_tenant_id'])
      .where('public_id', '=', target)
      .executeTakeFirst();
    return (
      row !== undefined && erased.environmentIds.includes(row.environment_id) && isOwn(row.sub_tenant_id)
    );
  }
  if (target.startsWith('tnt_')) {
    const row = await db
      .selectFrom('sub_tenants')
      .select('workspace_id')
      .where('id', '=', target)
      .executeTakeFirst();
    return row?.workspace_id === workspaceId && isOwn(target);
  }
  const row = await db
    .selectFrom('senders')
    .select(['workspace_id', 'sub_tenant_id'])
    .where('id', '=', target)
    .executeTakeFirst();
  return row?.workspace_id === workspaceId && isOwn(row.sub_tenant_id);
}
