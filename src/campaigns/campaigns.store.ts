// Campaigns, their overrides and audience snapshots, and the queue rows of paused campaigns.
import { type Insertable, type Selectable, sql, type Kysely } from 'kysely';
import type { CampaignStatus, MessageStatus, RecipientState } from '../contract/names.js';
import type { EnvironmentRef } from '../accounts/accounts.store.js';
import type { Committer } from '../database/committer.js';
import type { Engine, Tx } from '../database/engine/engine.js';
import { createCampaignStatistics } from './campaign-statistics.store.js';
import { createRecipientList } from './recipients.store.js';
import { inList, rowsAs } from '../database/sql.js';
import { holding, paged } from '../database/paged.js';
import { type Page, type PageRequest, type Scope, cutPage } from '../database/scope.js';
import type { ContactTable } from '../contacts/contacts.tables.js';
import type { ContactList, contactLists } from '../contacts/lists/lists.tables.js';
import type { TemplateUse } from '../templates/templates.tables.js';
import type {
  Campaign,
  CampaignOverride,
  CampaignRecipient,
  CampaignRecipientTable,
  campaignOverrides,
  campaignRecipients,
  campaigns,
} from './campaigns.tables.js';
import type { environments, workspaces } from '../accounts/accounts.tables.js';
import type { messages } from '../messages/messages.tables.js';
import type { TablesOf } from '../database/columns.js';
import type { queue } from '../messages/queue.tables.js';

type Known = TablesOf<
  | typeof campaignOverrides
  | typeof campaignRecipients
  | typeof campaigns
  | typeof contactLists
  | typeof environments
  | typeof messages
  | typeof queue
  | typeof workspaces
>;

/** A campaign and its environment. */
export type CampaignInEnvironment = Campaign & { place: EnvironmentRef };
/** A recipient who waits for a copy. The contact is null if it was deleted since the snapshot. */
export interface WaitingRecipient {
  recipient: CampaignRecipient;
  contact: Selectable<ContactTable> | null;
}
/** A queued copy, with everything that canceling it needs. */
export interface UndeliveredCopy {
  messageId: number;
  publicId: string;
  isHeldByWorker: boolean;
  /** True if an attempt ended in doubt, or if the sandbox has delivered it and its recipient has yet to act. */
  mayHaveArrived: boolean;
}

export interface UndeliveredSlice {
  copies: UndeliveredCopy[];
  /** The last message that was checked; `null` at the end. */
  next: number | null;
}

/** Maximum size (bytes) of a list's cursor position (http/lists/cursors). */
const MAX_POSITION_BYTES = 128;
/** Length of the prefix of a longer address, at most 120 bytes. */
const PREFIX_CHARACTERS = 30;

const UNFINISHED = ['draft', 'scheduled', 'sending', 'paused'] as const;
const UNDELIVERED: readonly MessageStatus[] = ['queued', 'sending', 'sent'];

/** The hold reason of a paused campaign's queue rows. */
const PARKED = 'campaign: The campaign is paused.';
/** Added to the time of a parked row, so that it is never due. Subtracting it restores the time. */
const PARKED_MS = 10 * 365 * 86_400_000;

export function createCampaignStore(engine: Engine, committer: Committer): CampaignStore {
  return new CampaignStore(engine, committer);
}

export class CampaignStore {
  readonly #engine: Engine;
  readonly #committer: Committer;
  readonly #db: Kysely<Known>;

  constructor(engine: Engine, committer: Committer) {
    this.recipients = createRecipientList(engine);
    this.statistics = createCampaignStatistics(engine);
    this.#engine = engine;
    this.#committer = committer;
    this.#db = this.#engine.read.$extendTables<Known>();
  }

  async campaign(scope: Scope, id: string): Promise<Campaign | null> {
    return (await this.#campaigns(scope).where('id', '=', id).executeTakeFirst()) ?? null;
  }

  /** Returns the list that a campaign goes to, in any scope, for a signed link; null if the list was deleted. */
  async listOfCampaign(campaignId: string): Promise<ContactList | null> {
    const row = await this.#db
      .selectFrom('contact_lists as l')
      .innerJoin('campaigns as k', 'k.list_number', 'l.number')
      .selectAll('l')
      .whereRef('l.environment_id', '=', 'k.environment_id')
      .where('k.id', '=', campaignId)
      .where('l.deleted_at', 'is', null)
      .executeTakeFirst();
    return row ?? null;
  }

  /** Returns the unfinished campaigns of both environments that send a template. */
  async usingTemplate(scope: Pick<Scope, 'workspaceId'>, id: string): Promise<TemplateUse[]> {
    return this.#db
      .selectFrom('environments as e')
      .innerJoin('campaigns as c', 'c.environment_id', 'e.id')
      .select(['c.id', 'c.name', 'c.sub_tenant_id'])
      .where('e.workspace_id', '=', scope.workspaceId)
      .where('c.deleted_at', 'is', null)
      .where('c.status', 'in', UNFINISHED)
      .where((eb) =>
        eb.or([
          eb('c.template_id', '=', id),
          eb('c.variants', 'like', `%"${id}"%`),
          eb('c.split', 'like', `%"${id}"%`),
        ]),
      )
      .orderBy('c.id')
      .execute();
  }

  async campaigns(
    scope: Scope,
    page: PageRequest,
    filter: { status?: readonly CampaignStatus[]; listNumber?: number; q?: string },
  ): Promise<Page<Campaign>> {
    let query = paged(this.#campaigns(scope), page, { key: 'id' });
    if (filter.status) query = query.where('status', 'in', filter.status);
    if (filter.q !== undefined) query = query.where(holding(['name'], filter.q));
    if (filter.listNumber !== undefined) query = query.where('list_number', '=', filter.listNumber);
    return cutPage(await query.execute(), page.limit, (row) => row.id);
  }

  /** Reads campaigns with work to do in all scopes. For the runner only. */
  async inProgress(): Promise<CampaignInEnvironment[]> {
    const rows = await this.#db
      .selectFrom('campaigns as k')
      .innerJoin('environments as e', 'e.id', 'k.environment_id')
      .innerJoin('workspaces as w', 'w.id', 'e.workspace_id')
      .selectAll('k')
      .select(['e.mode', 'w.id as workspace_id', 'w.number as workspace_number', 'w.organization_id'])
      // Spelled like the index, so that SQLite uses it.
      .where(sql<boolean>`k.status <> 'draft' AND k.status <> 'sent'`)
      .where((eb) => eb.or([eb('k.status', '<>', 'canceled'), eb('k.fanned_out_at', 'is', null)]))
      .orderBy('k.id')
      .execute();
    return rows.map(({ mode, workspace_id, workspace_number, organization_id, ...campaign }) => ({
      ...campaign,
      place: {
        environmentId: campaign.environment_id,
        mode,
        workspaceId: workspace_id,
        workspaceNumber: workspace_number,
        organizationId: organization_id,
      },
    }));
  }

  async overrides(campaignId: string, emailKeys: readonly string[]): Promise<CampaignOverride[]> {
    if (emailKeys.length === 0) return [];
    return this.#db
      .selectFrom('campaign_overrides')
      .selectAll()
      .where('campaign_id', '=', campaignId)
      .where('email_key', 'in', emailKeys)
      .execute();
  }

  /**
   * Copies at most `limit` overrides of one campaign to another, by address after `after`. Returns the last address, or null at
   * the end.
   */
  copyOverrides(
    from: string,
    to: string,
    { after, limit, now }: { after: string; limit: number; now: number },
  ): Promise<string | null> {
    return this.#committer.commit(async ({ tx }) => {
      const rows = await rowsAs<Pick<CampaignOverride, 'email_key'>>(
        tx.run(OVERRIDES_AFTER, [from, after, limit]),
      );
      const last = rows.at(-1)?.email_key;
      if (last === undefined) return null;
      await tx.run(COPY_OVERRIDES, [to, now, now, from, after, last]);
      return rows.length < limit ? null : last;
    });
  }

  /** Reads overrides in order of address. */
  async overridePage(campaignId: string, page: PageRequest): Promise<Page<CampaignOverride>> {
    let query = this.#db
      .selectFrom('campaign_overrides')
      .selectAll()
      .where('campaign_id', '=', campaignId)
      .orderBy('email_key')
      .limit(page.limit + 1);
    const [key = '', passed] = page.after?.split(' ') ?? [];
    if (passed !== undefined) query = query.where('email_key', '>=', key).offset(Number(passed));
    else if (page.after !== null) query = query.where('email_key', '>', key);
    const found = cutPage(await query.execute(), page.limit, (row) => row.email_key);
    if (found.next === null || Buffer.byteLength(found.next) <= MAX_POSITION_BYTES) return found;
    return { rows: found.rows, next: await this.#shortPosition(campaignId, found.next) };
  }

  readonly recipients: ReturnType<typeof createRecipientList>;
  readonly statistics: ReturnType<typeof createCampaignStatistics>;

  /** Reads the next recipients who wait for a copy, by contact number. */
  async waiting(campaignId: string, after: number, limit: number): Promise<WaitingRecipient[]> {
    const rows = await this.#db
      .selectFrom('campaign_recipients')
      .selectAll()
      .where('campaign_id', '=', campaignId)
      .where(sql<boolean>`state = 'waiting'`)
      .where('contact_number', '>', after)
      .orderBy('contact_number')
      .limit(limit)
      .execute();
    if (rows.length === 0) return [];
    const { marks, values } = inList(rows.map((row) => row.contact_number));
    const found = await rowsAs<Selectable<ContactTable>>(
      this.#engine.rows(`SELECT * FROM contacts WHERE number IN (${marks})`, values),
    );
    const contacts = new Map(found.map((contact) => [contact.number, contact]));
    return rows.map((recipient) => ({
      recipient,
      contact: contacts.get(recipient.contact_number) ?? null,
    }));
  }

  /** Returns whether any recipient has the state. */
  async hasRecipients(campaignId: string, state: RecipientState): Promise<boolean> {
    const row = await this.#db
      .selectFrom('campaign_recipients')
      .select('contact_number')
      .where('campaign_id', '=', campaignId)
      .where('state', '=', state === 'waiting' ? sql.lit(state) : state)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Returns whether any message of the campaign waits for its first attempt or is in it. */
  async hasUnattempted(campaignId: string): Promise<boolean> {
    const row = await this.#db
      .selectFrom('messages')
      .select('id')
      .where('campaign_id', '=', campaignId)
      .where('status', 'in', ['queued', 'sending'])
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Reads queued copies among at most `limit` messages after `after`. */
  async undelivered(campaignId: string, after: number, limit: number): Promise<UndeliveredSlice> {
    const rows = await this.#db
      .selectFrom('messages as m')
      .leftJoin('queue as q', 'q.message_id', 'm.id')
      .select(['m.id', 'm.public_id', 'm.status', 'q.message_id', 'q.lease_until', 'q.ambiguous_attempts'])
      .where('m.campaign_id', '=', campaignId)
      .where('m.id', '>', after)
      .orderBy('m.id')
      .limit(limit)
      .execute();
    return {
      copies: rows
        .filter((row) => row.message_id !== null)
        .map(({ id, public_id, status, lease_until, ambiguous_attempts }) => ({
          messageId: id,
          publicId: public_id,
          isHeldByWorker: lease_until !== null,
          mayHaveArrived: !UNDELIVERED.includes(status) || (ambiguous_attempts ?? 0) > 0,
        })),
      next: rows.length < limit ? null : (rows.at(-1)?.id ?? null),
    };
  }

  /**
   * Adds a slice of the audience and advances the progress in one transaction. Returns false if the campaign has changed in the
   * meantime or is not sending. Existing recipients do not change.
   */
  addToSnapshot(
    campaign: Pick<Campaign, 'id' | 'frozen_up_to'>,
    rows: readonly Insertable<CampaignRecipientTable>[],
    progress: { upTo: number; snapshotAt: number | null; now: number },
  ): Promise<boolean> {
    return this.#committer.commit(async ({ tx }) => {
      const moved = await tx.run(MOVE_SNAPSHOT, [
        progress.upTo,
        progress.snapshotAt,
        progress.now,
        campaign.id,
        campaign.frozen_up_to,
      ]);
      if (moved.length === 0) return false;
      let total = 0;
      for (const row of rows) {
        const inserted = await tx.run(INSERT_RECIPIENT, [
          row.campaign_id,
          row.contact_number,
          row.email,
          row.email_key,
          row.state,
          row.variant ?? null,
          row.reason ?? null,
        ]);
        if (inserted.length === 0) continue;
        total += 1;
      }
      if (total > 0) await tx.run(COUNT_SNAPSHOT, [total, campaign.id]);
      return true;
    });
  }

  /** Releases at most `limit` recipients who wait for the winner of the split, and returns their number. */
  release(campaignId: string, limit: number): Promise<number> {
    return this.#committer.commit(async ({ tx }) => {
      const rows = await tx.run(RELEASE, [campaignId, campaignId, limit]);
      return rows.length;
    });
  }

  /**
   * Parks the queue rows of a paused campaign after the message `after`, so that they are never due. Returns the last message
   * read, or null at the end. Rows that a worker has claimed do not change.
   */
  park(
    campaignId: string,
    after: number,
    { limit, now }: { limit: number; now: number },
  ): Promise<number | null> {
    return this.#committer.commit(async ({ tx }) => {
      const ids = await sliceOf(tx, campaignId, after, limit);
      if (ids.length === 0) return null;
      const { marks, values } = inList(ids);
      await tx.run(`${PARK} (${marks})`, [now, PARKED_MS, PARKED_MS, PARKED, PARKED, ...values]);
      return nextAfter(ids, limit);
    });
  }

  /** Unparks the rows. Each keeps its waiting time, and expires later by the time for which it was parked. */
  unpark(
    campaignId: string,
    after: number,
    slice: { limit: number; now: number; pausedMs: number },
  ): Promise<{ next: number | null; queueIds: number[] }> {
    return this.#committer.commit(async ({ tx }) => {
      const { limit, now, pausedMs } = slice;
      const ids = await sliceOf(tx, campaignId, after, limit);
      if (ids.length === 0) return { next: null, queueIds: [] };
      const { marks, values } = inList(ids);
      const times = [PARKED_MS, now, PARKED_MS, now, PARKED_MS - pausedMs];
      const parked = await rowsAs<{ queue_id: number }>(
        tx.run(`${UNPARK} (${marks}) RETURNING queue_id`, [...times, PARKED, ...values]),
      );
      const held = await rowsAs<{ queue_id: number }>(
        tx.run(`${WAKE} (${marks}) RETURNING queue_id`, [now, ...values]),
      );
      return {
        next: nextAfter(ids, limit),
        queueIds: [...new Set([...parked, ...held].map(({ queue_id }) => queue_id))],
      };
    });
  }

  /**
   * Returns the cursor position of an override whose address is too long for a cursor: a prefix of the address, and the number of
   * overrides with it to skip.
   */
  async #shortPosition(campaignId: string, emailKey: string): Promise<string> {
    const prefix = emailKey.slice(0, PREFIX_CHARACTERS);
    const { passed } = await this.#db
      .selectFrom('campaign_overrides')
      .select((eb) => eb.fn.countAll().as('passed'))
      .where('campaign_id', '=', campaignId)
      .where('email_key', '>=', prefix)
      .where('email_key', '<=', emailKey)
      .executeTakeFirstOrThrow();
    return `${prefix} ${Number(passed)}`;
  }

  #campaigns(scope: Scope) {
    const query = this.#db
      .selectFrom('campaigns')
      .selectAll()
      .where('environment_id', '=', scope.environmentId)
      .where('deleted_at', 'is', null);
    return scope.subTenantId === null ? query : query.where('sub_tenant_id', '=', scope.subTenantId);
  }
}

const COPY_OVERRIDES = `INSERT INTO campaign_overrides (campaign_id, email_key, email, subject, html, created_at, updated_at)
  SELECT ?, email_key, email, subject, html, ?, ? FROM campaign_overrides
  WHERE campaign_id = ? AND email_key > ? AND email_key <= ? ON CONFLICT DO NOTHING RETURNING 1 AS one`;
const OVERRIDES_AFTER = `SELECT email_key FROM campaign_overrides WHERE campaign_id = ? AND email_key > ?
  ORDER BY email_key LIMIT ?`;
const MOVE_SNAPSHOT = `UPDATE campaigns SET frozen_up_to = ?, frozen_at = ?, updated_at = ?
  WHERE id = ? AND frozen_up_to = ? AND status = 'sending' AND frozen_at IS NULL RETURNING 1 AS one`;
const INSERT_RECIPIENT = `INSERT INTO campaign_recipients
  (campaign_id, contact_number, email, email_key, state, variant, reason, message_id) VALUES (?, ?, ?, ?, ?, ?, ?, NULL)
  ON CONFLICT DO NOTHING RETURNING 1 AS one`;
const COUNT_SNAPSHOT = 'UPDATE campaigns SET total = total + ? WHERE id = ?';
const RELEASE = `UPDATE campaign_recipients SET state = 'waiting' WHERE campaign_id = ? AND contact_number IN
  (SELECT contact_number FROM campaign_recipients WHERE campaign_id = ? AND state = 'held' LIMIT ?) RETURNING 1 AS one`;
const SLICE = 'SELECT id FROM messages WHERE campaign_id = ? AND id > ? ORDER BY id LIMIT ?';

async function sliceOf(tx: Tx, campaignId: string, after: number, limit: number): Promise<number[]> {
  const rows = await rowsAs<{ id: number }>(tx.run(SLICE, [campaignId, after, limit]));
  return rows.map(({ id }) => id);
}

/** Returns null after the last slice. */
function nextAfter(ids: readonly number[], limit: number): number | null {
  return ids.length < limit ? null : (ids.at(-1) ?? null);
}

/** Messages that a worker returned because of the pause have no separate waiting time. */
const PARK = `UPDATE queue SET due_at = CASE WHEN hold_reason LIKE 'campaign:%' THEN ? ELSE due_at END + ?,
  expires_at = expires_at + ?, hold_reason = ?
  WHERE lease_until IS NULL AND (hold_reason IS NULL OR hold_reason <> ?) AND message_id IN`;
const UNPARK = `UPDATE queue SET due_at = CASE WHEN due_at - ? > ? THEN due_at - ? ELSE ? END,
  expires_at = expires_at - ?, hold_reason = NULL WHERE lease_until IS NULL AND hold_reason = ? AND message_id IN`;
/** Rows that a worker returned because of the pause, before they were parked. */
const WAKE = `UPDATE queue SET due_at = ?, hold_reason = NULL
  WHERE lease_until IS NULL AND hold_reason LIKE 'campaign:%' AND message_id IN`;
