// Reads old messages of an environment and applies their retention, many in one transaction. Messages in progress, and events
// that a consumer has not read yet, are left for a later run.
import { ERASED_ADDRESS } from '../../contract/erased-address.js';
import type { DatedMessage, RetentionMode } from './retention.rules.js';
import { POSITIONS_PER_WORKSPACE } from '../../events/chains.store.js';
import type { Committer, Writing } from '../../database/committer.js';
import type { Engine, Tx } from '../../database/engine/engine.js';
import { CONSUMER_NAMES } from '../../events/consumers.store.js';
import { forgetMessages, type RetentionDecision } from './forget-messages.store.js';
import { inList, rowsAs } from '../../database/sql.js';
import {
  type campaignRecipients,
  type CampaignTable,
  campaignOverrides,
  campaigns,
} from '../../campaigns/campaigns.tables.js';
import type { TablesOf } from '../../database/columns.js';
import type { messages } from '../../messages/messages.tables.js';
import { applyPlan, type Change } from '../../database/change.js';
import { remove, update, upsert } from '../../database/rows.js';
import { retentionCursors } from './retention.tables.js';

interface KeptMessage extends DatedMessage {
  id: number;
}

interface DeletedMessage {
  id: number;
  createdAt: null;
}

/** The progress of retention in an environment. */
export interface RetentionProgress {
  environmentId: number;
  workspaceNumber: number;
  /** The workspace's terms; `null` for the server's. */
  days: number | null;
  mode: RetentionMode | null;
  /** Row ID of the last message that was read, and the mode that was applied up to it. */
  doneUpTo: number;
  doneMode: RetentionMode;
}

export interface ForgetRequest {
  place: Pick<RetentionProgress, 'environmentId' | 'workspaceNumber'>;
  /** Up to some hundreds. `keep` postpones the message to its time. */
  decisions: readonly RetentionDecision[];
  /** The new cursor. `null` for postponed messages. */
  cursor: Pick<RetentionProgress, 'doneUpTo' | 'doneMode'> | null;
  now: number;
  /** Time at which messages in progress are read again. */
  againAt: number;
}

export type RetentionStore = ReturnType<typeof createRetentionStore>;

const PLACES = `SELECT e.id AS "environmentId", w.number AS "workspaceNumber", w.retention_days AS days,
    w.retention_mode AS mode, COALESCE(c.done_up_to, 0) AS "doneUpTo", COALESCE(c.mode, 'redact') AS "doneMode"
  FROM environments e JOIN workspaces w ON w.id = e.workspace_id LEFT JOIN retention_cursors c ON c.environment_id = e.id
  ORDER BY e.id`;
const NEXT = `SELECT id, type, status, created_at AS "createdAt" FROM messages
  WHERE environment_id = ? AND id > ? ORDER BY id LIMIT ?`;
const LEFT_DUE = `SELECT l.message_id AS id, m.type, m.status, m.created_at AS "createdAt"
  FROM retention_left l LEFT JOIN messages m ON m.id = l.message_id
  WHERE l.environment_id = ? AND l.due_at <= ? ORDER BY l.due_at, l.message_id LIMIT ?`;

/** The position up to which every consumer has read the events of a workspace. */
const TAKEN = `SELECT fanned_out_seq AS seq, (SELECT COUNT(*) FROM consumers f WHERE f.workspace_number = c.workspace_number
    AND f.name IN (${CONSUMER_NAMES.map(() => '?').join(', ')})) AS consumers,
    (SELECT MIN(f.seq) FROM consumers f WHERE f.workspace_number = c.workspace_number
    AND f.name IN (${CONSUMER_NAMES.map(() => '?').join(', ')})) AS followed
  FROM chains c WHERE c.workspace_number = ?`;

interface TakenRow {
  seq: number;
  consumers: number;
  /** `null` if there are no consumers. */
  followed: number | null;
}

/** Selects messages that are queued, wait for approval, have a report due, or belong to a campaign or sequence in progress. */
const atWork = (marks: string): string => `SELECT m.id FROM messages m WHERE m.id IN (${marks}) AND (
  EXISTS (SELECT 1 FROM queue q WHERE q.message_id = m.id)
  OR EXISTS (SELECT 1 FROM approvals p WHERE p.content_id = m.content_id AND p.status = 'pending')
  OR EXISTS (SELECT 1 FROM delivery_reports r WHERE r.message_id = m.id AND r.due_at IS NOT NULL)
  OR EXISTS (SELECT 1 FROM address_rechecks a WHERE a.message_id = m.id)
  OR EXISTS (SELECT 1 FROM campaigns c WHERE c.id = m.campaign_id AND c.deleted_at IS NULL
    AND c.status IN ('scheduled', 'sending', 'paused'))
  OR EXISTS (SELECT 1 FROM enrollment_messages o JOIN enrollments n ON n.number = o.enrollment_number
    WHERE o.message_id = m.id AND n.status = 'active')
  OR EXISTS (SELECT 1 FROM events v WHERE v.message_id = m.id AND v.position > ?))`;

const LEAVE = `INSERT INTO retention_left (message_id, environment_id, due_at) VALUES (?, ?, ?)
  ON CONFLICT (message_id) DO UPDATE SET due_at = excluded.due_at`;
const LEAVE_NO_MORE = 'DELETE FROM retention_left WHERE message_id = ?';

const OLD_CAMPAIGNS = `SELECT id FROM campaigns WHERE environment_id = ? AND redacted_at IS NULL
  AND (status IN ('sent', 'canceled') OR deleted_at IS NOT NULL) AND COALESCE(sent_at, updated_at) < ? ORDER BY id LIMIT ?`;
const FORGET_RECIPIENTS = `UPDATE campaign_recipients
  SET email = ?, email_key = 'erased.' || contact_number || '@erased.invalid'
  WHERE campaign_id = ? AND contact_number >= ? AND contact_number <= ?`;

export function createRetentionStore(engine: Engine, committer: Committer) {
  const db = engine.read.$extendTables<TablesOf<typeof campaignRecipients>>();
  return {
    async places(): Promise<RetentionProgress[]> {
      return rowsAs<RetentionProgress>(engine.rows(PLACES, []));
    },

    /** Returns messages of an environment after a row ID, in order. */
    async nextMessages(environmentId: number, after: number, limit: number): Promise<KeptMessage[]> {
      return rowsAs<KeptMessage>(engine.rows(NEXT, [environmentId, after, limit]));
    },

    /** Returns postponed messages that are due. An entry without a `message` was deleted in the meantime. */
    async leftMessages(
      environmentId: number,
      now: number,
      limit: number,
    ): Promise<{ id: number; message: KeptMessage | null }[]> {
      const rows = await rowsAs<KeptMessage | DeletedMessage>(
        engine.rows(LEFT_DUE, [environmentId, now, limit]),
      );
      return rows.map((row) => ({ id: row.id, message: row.createdAt === null ? null : row }));
    },

    /**
     * Applies the decisions and moves the cursor in one transaction. Messages in progress, and messages with events that
     * consumers have not read, are postponed until `againAt`. Returns the number of removed messages.
     */
    forget: (request: ForgetRequest): Promise<number> =>
      committer.commit((writing) => forget(writing, request)),

    /** Returns ended campaigns of an environment whose recipients still have their addresses. */
    async oldCampaigns(environmentId: number, before: number, limit: number): Promise<string[]> {
      const rows = await rowsAs<{ id: string }>(engine.rows(OLD_CAMPAIGNS, [environmentId, before, limit]));
      return rows.map(({ id }) => id);
    },

    /**
     * Removes the addresses of up to `limit` recipients of a campaign after a contact number, and its overrides with the last of
     * them. Returns the number to continue after, or `null` at the end.
     */
    async forgetRecipients(
      campaignId: string,
      { after, limit, now }: { after: number; limit: number; now: number },
    ): Promise<number | null> {
      const rows = await db
        .selectFrom('campaign_recipients')
        .select('contact_number')
        .where('campaign_id', '=', campaignId)
        .where('contact_number', '>', after)
        .where('email', '<>', ERASED_ADDRESS)
        .orderBy('contact_number')
        .limit(limit)
        .execute();
      const first = rows[0]?.contact_number;
      const last = rows.at(-1)?.contact_number;
      const isEnd = rows.length < limit;
      await committer.commit(async (writing) => {
        if (first !== undefined && last !== undefined) {
          await writing.tx.run(FORGET_RECIPIENTS, [ERASED_ADDRESS, campaignId, first, last]);
        }
        if (isEnd) await applyPlan(writing, endOfCampaign(campaignId, now));
      });
      return isEnd ? null : (last ?? null);
    },
  };
}

function endOfCampaign(id: CampaignTable['id'], now: number): Change[] {
  return [
    remove(campaignOverrides, { where: { campaign_id: id } }),
    update(campaigns, { set: { redacted_at: now }, where: { id } }),
  ];
}

async function forget(writing: Writing, request: ForgetRequest): Promise<number> {
  const { tx } = writing;
  const { place, now, againAt, cursor } = request;
  const over = request.decisions.filter(({ retention }) => retention.kind !== 'keep');
  const busy = await atWorkAmong(writing, place.workspaceNumber, over);
  const decisions = over.filter(({ id }) => !busy.has(id));
  const deleted = await keepNewest(tx, decisions);
  const forgotten = await forgetMessages(writing, { decisions, deleted, now });
  for (const { id, retention } of request.decisions) {
    const dueAt = laterOf({ id, retention }, { busy, deleted, againAt });
    if (dueAt !== null) await tx.run(LEAVE, [id, place.environmentId, dueAt]);
    else await tx.run(LEAVE_NO_MORE, [id]);
  }
  if (cursor) {
    const set = { done_up_to: cursor.doneUpTo, mode: cursor.doneMode };
    const row = { environment_id: place.environmentId, ...set };
    await applyPlan(writing, [upsert(retentionCursors, { row, key: ['environment_id'], set })]);
  }
  return forgotten;
}

/** Returns when to read the message again, or `null` for never. */
function laterOf(
  { id, retention }: RetentionDecision,
  known: { busy: ReadonlySet<number>; deleted: ReadonlySet<number>; againAt: number },
): number | null {
  if (known.busy.has(id)) return known.againAt;
  if ('until' in retention) return retention.until;
  return retention.kind === 'delete' && !known.deleted.has(id) ? known.againAt : null;
}

async function atWorkAmong(
  { tx }: Writing,
  workspaceNumber: number,
  decisions: readonly RetentionDecision[],
): Promise<Set<number>> {
  if (decisions.length === 0) return new Set();
  const [chain] = await rowsAs<TakenRow>(
    tx.run(TAKEN, [...CONSUMER_NAMES, ...CONSUMER_NAMES, workspaceNumber]),
  );
  const isFollowed = chain?.consumers === CONSUMER_NAMES.length;
  const taken = isFollowed ? Math.min(chain.seq, chain.followed ?? 0) : 0;
  const { marks, values } = inList(decisions.map(({ id }) => id));
  const position = workspaceNumber * POSITIONS_PER_WORKSPACE + taken;
  const rows = await rowsAs<{ id: number }>(tx.run(atWork(marks), [...values, position]));
  return new Set(rows.map(({ id }) => id));
}

/**
 * Returns the IDs that may be deleted. The newest message stays without its content until there is a newer one, because SQLite
 * would reuse its number, and with it the trail that names the number.
 */
async function keepNewest(tx: Tx, decisions: readonly RetentionDecision[]): Promise<Set<number>> {
  const ids = new Set(decisions.flatMap(({ id, retention }) => (retention.kind === 'delete' ? [id] : [])));
  if (ids.size === 0) return ids;
  const newest = await tx.db
    .$extendTables<TablesOf<typeof messages>>()
    .selectFrom('messages')
    .select((eb) => eb.fn.max<number | null>('id').as('id'))
    .executeTakeFirst();
  ids.delete(newest?.id ?? 0);
  return ids;
}
