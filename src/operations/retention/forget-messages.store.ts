// Removes the content and personal data of messages in a transaction, and their rows if they are deleted.
import { ERASED_ADDRESS } from '../../contract/erased-address.js';
import type { Retention } from './retention.rules.js';
import type { Writing } from '../../database/committer.js';
import type { Tx } from '../../database/engine/engine.js';
import { NEIGHBOURS } from '../../database/engine/row-ids.js';
import {
  NO_CORRESPONDENT,
  NO_RECIPIENT,
  NO_WORDS,
  planContent,
  planApprovals,
  planAuditTrails,
  withoutWords,
} from '../../erasure/forget-plan.store.js';
import { markForArchive } from './archive.store.js';
import { inList, rowsAs } from '../../database/sql.js';
import { DROP_FREE_RAW } from '../../inbound/inbound.store.js';
import {
  type Message,
  type MessageTable,
  messages,
  attachments,
  contents as contentsTable,
} from '../../messages/messages.tables.js';
import { applyPlan, type Change } from '../../database/change.js';
import { update, remove } from '../../database/rows.js';
import { approvals } from '../../messages/approvals/approvals.tables.js';
import { amendMessage } from '../../messages/message-changes.store.js';
import { engagement } from '../../analytics/analytics.tables.js';
import { enrollmentMessages } from '../../sequences/sequences.tables.js';
import { receivedMessages } from '../../messages/received.tables.js';
import {
  forgetDraftsOfThread,
  forgetOpenDrafts,
  forgetSentDrafts,
} from '../../messages/drafts/forget-drafts.store.js';
import { removeFromSearch } from '../../messages/threads/search-index.store.js';
import { threads } from '../../messages/threads/threads.tables.js';

/** Decision about a message at the end of its retention. */
export interface RetentionDecision {
  id: number;
  retention: Retention;
}

type Facts = Pick<
  MessageTable,
  | 'public_id'
  | 'environment_id'
  | 'sub_tenant_id'
  | 'content_id'
  | 'status'
  | 'tags'
  | 'idempotency_key'
  | 'error'
  | 'thread_id'
  | 'campaign_id'
  | 'sequence_id'
  | 'forward'
> & { id: number; rfc_message_id: string; raw_id: number | null; is_shared: 0 | 1 };

type Copy = Pick<Message, 'redacted_at'>;

const factsOf = (
  marks: string,
): string => `SELECT m.id, m.public_id, m.environment_id, m.sub_tenant_id, m.content_id, m.status, m.tags,
    m.idempotency_key, m.error, m.thread_id, m.campaign_id, m.sequence_id, m.forward, c.rfc_message_id, c.raw_id, c.is_shared
  FROM messages m JOIN contents c ON c.id = m.content_id WHERE m.id IN (${marks})`;

const DROP_TAG = 'DELETE FROM message_tags WHERE environment_id = ? AND tag = ? AND message_id = ?';
const DROP_FOREIGN_ID =
  'DELETE FROM foreign_message_ids WHERE environment_id = ? AND rfc_message_id = ? AND message_id = ?';
const DROP_KEY =
  'DELETE FROM idempotency_keys WHERE environment_id = ? AND sub_tenant_key = ? AND key = ? AND message_id = ?';
const COUNT_DELETED = `INSERT INTO deleted_messages (campaign_id, status, messages) VALUES (?, ?, ?)
  ON CONFLICT (campaign_id, status) DO UPDATE SET messages = deleted_messages.messages + excluded.messages`;
const OTHER_COPIES = `SELECT redacted_at FROM messages WHERE environment_id = ? AND id > ? AND id < ? AND content_id = ?`;
const BLOBS_OF = (marks: string): string =>
  `SELECT DISTINCT blob_id FROM attachments WHERE content_id IN (${marks})`;
const DROP_FREE_BLOB = `DELETE FROM blobs WHERE id = ?
  AND NOT EXISTS (SELECT 1 FROM attachments a WHERE a.blob_id = blobs.id)`;
/** The listener's copy of a processed mail. */
const DROP_MAILS = `DELETE FROM inbound_messages WHERE raw_id = ? AND state = 'done'`;
const FORGET_ENROLLED = (marks: string): string => `UPDATE enrollments SET email_key = ?, variables = '{}'
  WHERE status <> 'active' AND number IN
    (SELECT enrollment_number FROM enrollment_messages WHERE message_id IN (${marks}))`;
const NEWEST_IN = 'SELECT redacted_at FROM messages WHERE thread_id = ? ORDER BY id DESC LIMIT 1';
/**
 * Applies `retention` to each message that is not in progress. Messages in `deleted` lose their row. Returns the number of
 * messages.
 */
export async function forgetMessages(
  writing: Writing,
  of: { decisions: readonly RetentionDecision[]; deleted: ReadonlySet<number>; now: number },
): Promise<number> {
  const facts = await factsAmong(writing.tx, of.decisions);
  if (facts.length === 0) return 0;
  await dropTraces(writing, facts, of.deleted);
  await markForArchive(writing.tx, [...of.deleted]);
  await changeMessages(writing, { facts, ...of });
  await forgetContents(writing, facts);
  await forgetThreads(writing, facts, of.now);
  return facts.length;
}

async function factsAmong(tx: Tx, decisions: readonly RetentionDecision[]): Promise<Facts[]> {
  if (decisions.length === 0) return [];
  const { marks, values } = inList(decisions.map(({ id }) => id));
  return rowsAs<Facts>(tx.run(factsOf(marks), values));
}

/** Deletes the rows of other tables about the messages. */
async function dropTraces(
  writing: Writing,
  facts: readonly Facts[],
  deleted: ReadonlySet<number>,
): Promise<void> {
  const { tx } = writing;
  for (const { id, environment_id: environment, tags, rfc_message_id: rfcId, ...row } of facts) {
    for (const tag of JSON.parse(tags) as string[]) await tx.run(DROP_TAG, [environment, tag, id]);
    await tx.run(DROP_FOREIGN_ID, [environment, rfcId, id]);
    if (row.idempotency_key !== null && deleted.has(id)) {
      await tx.run(DROP_KEY, [environment, row.sub_tenant_id ?? '', row.idempotency_key, id]);
    }
  }
  const ids = facts.map(({ id }) => id);
  await applyPlan(writing, planAuditTrails(ids));
  if (facts.some((row) => row.sequence_id !== null)) {
    const { marks, values } = inList(ids);
    await tx.run(FORGET_ENROLLED(marks), [ERASED_ADDRESS, ...values]);
  }
}

async function changeMessages(
  writing: Writing,
  of: {
    facts: readonly Facts[];
    decisions: readonly RetentionDecision[];
    deleted: ReadonlySet<number>;
    now: number;
  },
): Promise<void> {
  const { facts, decisions, deleted, now } = of;
  const stripped = new Set(
    decisions.flatMap(({ id, retention }) => (retention.kind === 'strip' ? [id] : [])),
  );
  const staying = facts.filter(({ id }) => !deleted.has(id));
  const idsOf = (rows: readonly Facts[]): number[] => rows.map(({ id }) => id);
  const ofOthers = idsOf(staying.filter(({ status, forward }) => status === 'received' || forward !== null));
  const nobody = idsOf(staying.filter(({ id }) => !stripped.has(id)));
  const noReplyTo = { reply_to_email: null, reply_to_name: null, reply_to_more: null };
  const set = { ...NO_WORDS, from_name: null, ...noReplyTo, redacted_at: now };
  const gone = facts.filter(({ id }) => deleted.has(id));
  await countDeleted(writing.tx, gone);
  await applyPlan(writing, [
    update(messages, { set, where: { id: idsOf(staying) } }),
    update(messages, { set: NO_RECIPIENT, where: { id: nobody } }),
    update(messages, { set: { from_email: ERASED_ADDRESS }, where: { id: ofOthers } }),
    ...staying.flatMap(({ id, error }): Change[] =>
      error === null ? [] : [amendMessage({ messageId: id, set: { error: withoutWords(error) } })],
    ),
    ...(gone.length === 0 ? [] : planGone(gone, now)),
    ...removeFromSearch(facts),
  ]);
}

function planGone(gone: readonly Facts[], now: number): Change[] {
  const ids = gone.map(({ id }) => id);
  const where = { message_id: ids };
  return [
    remove(receivedMessages, { where }),
    remove(engagement, { where }),
    remove(enrollmentMessages, { where }),
    forgetSentDrafts(
      gone.map(({ public_id: id }) => id),
      now,
    ),
    remove(messages, { where: { id: ids } }),
  ];
}

/** Keeps a campaign's analytics complete after its messages are deleted. */
async function countDeleted(tx: Tx, facts: readonly Facts[]): Promise<void> {
  const counts = new Map<string, { campaignId: string; status: string; n: number }>();
  for (const { campaign_id: campaignId, status } of facts) {
    if (campaignId === null) continue;
    const count = counts.get(`${campaignId} ${status}`) ?? { campaignId, status, n: 0 };
    count.n += 1;
    counts.set(`${campaignId} ${status}`, count);
  }
  for (const { campaignId, status, n } of counts.values()) {
    await tx.run(COUNT_DELETED, [campaignId, status, n]);
  }
}

/** Removes contents that no other copy uses. Runs after the messages were changed. */
async function forgetContents(writing: Writing, facts: readonly Facts[]): Promise<void> {
  const { tx } = writing;
  const contents = new Map(facts.map((row) => [row.content_id, row]));
  const emptied: number[] = [];
  const gone: number[] = [];
  for (const row of contents.values()) {
    const copies = await readCopies(tx, row);
    if (copies.some((copy) => copy.redacted_at === null)) continue;
    (copies.length > 0 ? emptied : gone).push(row.content_id);
  }
  const ids = [...emptied, ...gone];
  if (ids.length === 0) return;
  const { marks, values } = inList(ids);
  const blobs = await rowsAs<{ blob_id: number }>(tx.run(BLOBS_OF(marks), values));
  await applyPlan(writing, [
    remove(attachments, { where: { content_id: ids } }),
    ...emptied.map((id) => planContent({ id })),
    planApprovals(emptied),
    remove(approvals, { where: { content_id: gone } }),
    remove(contentsTable, { where: { id: gone } }),
  ]);
  for (const { blob_id: blob } of blobs) await tx.run(DROP_FREE_BLOB, [blob]);
  for (const id of ids) {
    const raw = contents.get(id)?.raw_id ?? null;
    if (raw === null) continue;
    await tx.run(DROP_MAILS, [raw]);
    await tx.run(DROP_FREE_RAW, [raw]);
  }
}

/** Returns the messages with the content. */
function readCopies(tx: Tx, { id, environment_id, content_id, is_shared }: Facts): Copy[] | Promise<Copy[]> {
  if (is_shared === 0) return rowsAs<Copy>(tx.run('SELECT redacted_at FROM messages WHERE id = ?', [id]));
  return rowsAs<Copy>(tx.run(OTHER_COPIES, [environment_id, id - NEIGHBOURS, id + NEIGHBOURS, content_id]));
}

/** Removes a thread with its last message. */
async function forgetThreads(writing: Writing, facts: readonly Facts[], now: number): Promise<void> {
  const plan: Change[] = [];
  for (const id of new Set(facts.flatMap(({ thread_id: thread }) => thread ?? []))) {
    const [newest] = await rowsAs<Copy>(writing.tx.run(NEWEST_IN, [id]));
    if (!newest) plan.push(remove(threads, { where: { id } }), forgetDraftsOfThread(id, now));
    else if (newest.redacted_at !== null) {
      plan.push(update(threads, { set: NO_CORRESPONDENT, where: { id } }), forgetOpenDrafts(id, now));
    }
  }
  await applyPlan(writing, plan);
}
