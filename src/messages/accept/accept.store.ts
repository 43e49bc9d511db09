// A message enters: content, message, attachments, tags, idempotency key, queue row and events, in one go. The hottest
// write of the program, so its statements are written by hand.
import type { Writing } from '../../store/committer.js';
import type { Tx, Value } from '../../store/engine/engine.js';
import { columnNames } from '../../store/columns.js';
import { insertRow } from '../../store/sql.js';
import { messages } from '../messages.tables.js';
import type { Committed, NewAttachment, NewMessage } from '../../store/plan.js';

const MESSAGE_COLUMNS = columnNames(messages, 'id', 'redacted_at', 'in_doubt_at');

const INSERT_MESSAGE = `${insertRow(messages, MESSAGE_COLUMNS)} RETURNING id`;
const INSERT_RAW = 'INSERT INTO raws (size_bytes, content) VALUES (?, ?) RETURNING id';
const INSERT_CONTENT = `INSERT INTO contents (rfc_message_id, to_list, cc_list, headers, html, text, raw_id)
  VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id`;
const SHARE_CONTENT = 'UPDATE contents SET is_shared = 1 WHERE id = ? AND is_shared = 0';
const FIND_BLOB = 'SELECT id FROM blobs WHERE workspace_id = ? AND sha256 = ?';
const INSERT_BLOB = `INSERT INTO blobs (workspace_id, sha256, size_bytes, content) VALUES (?, ?, ?, ?)
  ON CONFLICT DO NOTHING RETURNING id`;
const INSERT_ATTACHMENT = `INSERT INTO attachments (content_id, position, blob_id, filename, content_type, cid)
  VALUES (?, ?, ?, ?, ?, ?)`;
const INSERT_TAG =
  'INSERT INTO message_tags (environment_id, tag, message_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING';
// A key lasts as long as its message.
const INSERT_KEY = `INSERT INTO idempotency_keys
  (environment_id, sub_tenant_key, key, fingerprint, message_id, scheduled_at, created_at)
  VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (environment_id, sub_tenant_key, key) DO UPDATE
  SET fingerprint = excluded.fingerprint, message_id = excluded.message_id, scheduled_at = excluded.scheduled_at,
    created_at = excluded.created_at
  WHERE NOT EXISTS (SELECT 1 FROM messages m WHERE m.id = idempotency_keys.message_id) RETURNING message_id`;
const FIND_QUEUE =
  'SELECT id FROM queues WHERE environment_id = ? AND sub_tenant_key = ? AND domain = ? AND rank = ?';
const INSERT_QUEUE =
  'INSERT INTO queues (environment_id, sub_tenant_key, domain, rank) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING id';
const ENQUEUE = `INSERT INTO queue
  (message_id, queue_id, due_at, expires_at, attempts, lease_until, lease_owner, dot_intent_at, ambiguous_attempts, hold_reason)
  VALUES (?, ?, ?, ?, 0, NULL, NULL, NULL, 0, NULL)`;

const INSERT_FOREIGN_ID =
  'INSERT INTO foreign_message_ids (environment_id, rfc_message_id, message_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING';
/** A second report of the same action says nothing new. */
export const INSERT_REPORT_DUE = `INSERT INTO delivery_reports (message_id, action, at, detail, attempts, due_at)
  VALUES (?, ?, ?, ?, 0, ?) ON CONFLICT DO NOTHING`;

/** Another request took the idempotency key between the look-up and the commit; the caller looks it up again. */
export class IdempotencyRace extends Error {}

/** Inserts everything that belongs to an accepted message and notes its row id and queue in `committed`. */
export async function acceptMessage(
  writing: Writing,
  message: NewMessage,
  committed: Committed,
): Promise<void> {
  const { tx, chain, usage } = writing;
  const contentId =
    message.content.kind === 'same'
      ? await contentOfPrevious(tx, committed)
      : await insertContent(tx, message);
  const { row } = message;
  const values: Record<string, Value | undefined> = { ...row, content_id: contentId };
  const messageId = await insertedId(
    tx,
    INSERT_MESSAGE,
    MESSAGE_COLUMNS.map((column) => values[column] ?? null),
  );
  committed.messageIds.push(messageId);
  if (message.idempotency) {
    const { subTenantKey, key, fingerprint } = message.idempotency;
    const inserted = await tx.run(INSERT_KEY, [
      row.environment_id,
      subTenantKey,
      key,
      fingerprint,
      messageId,
      row.scheduled_at ?? null,
      row.created_at,
    ]);
    if (inserted.length === 0)
      throw new IdempotencyRace('The idempotency key was taken by a simultaneous request.');
  }
  for (const tag of message.tags) await tx.run(INSERT_TAG, [row.environment_id, tag, messageId]);
  if (message.queue) {
    const { domain, rank, dueAt, expiresAt } = message.queue;
    const queueId = await queueOf(tx, [row.environment_id, row.sub_tenant_id ?? '', domain, rank]);
    await tx.run(ENQUEUE, [messageId, queueId, dueAt, expiresAt]);
    committed.queueIds.push(queueId);
  }
  if (message.usageDay !== null) {
    usage.add({ environmentId: row.environment_id, day: message.usageDay, type: row.type, sends: 1 });
  }
  for (const event of message.events) chain.append({ ...event, messageId });
  if (message.foreignMessageId !== undefined) {
    await tx.run(INSERT_FOREIGN_ID, [row.environment_id, message.foreignMessageId, messageId]);
  }
  if (message.received) {
    await tx.db
      .insertInto('received_messages')
      .values({ ...message.received, message_id: messageId })
      .execute();
  }
  for (const { action, at, detail } of message.reports ?? []) {
    await tx.run(INSERT_REPORT_DUE, [messageId, action, at, detail, at]);
  }
}

/** Octets of mail as it came; the id of their row. */
export function insertRaw(tx: Tx, raw: Uint8Array): Promise<number> {
  return insertedId(tx, INSERT_RAW, [raw.byteLength, raw]);
}

async function insertedId(tx: Tx, statement: string, values: readonly Value[]): Promise<number> {
  const rows = await tx.run(statement, values);
  const id = rows[0]?.['id'];
  if (typeof id !== 'number') throw new Error('The insert returned no id.');
  return id;
}

async function contentOfPrevious(tx: Tx, committed: Committed): Promise<number> {
  const rows = await tx.run('SELECT content_id FROM messages WHERE id = ?', [
    committed.messageIds.at(-1) ?? 0,
  ]);
  const id = rows[0]?.['content_id'];
  if (typeof id !== 'number') throw new Error('A copy must follow the message whose content it shares.');
  await tx.run(SHARE_CONTENT, [id]);
  return id;
}

async function insertContent(tx: Tx, message: NewMessage): Promise<number> {
  if (message.content.kind !== 'new') throw new Error('The message brings no content of its own.');
  const { row, attachments, raw } = message.content;
  const contentId = await insertedId(tx, INSERT_CONTENT, [
    row.rfc_message_id,
    row.to_list,
    row.cc_list,
    row.headers,
    row.html ?? null,
    row.text ?? null,
    raw === undefined ? (row.raw_id ?? null) : await insertRaw(tx, raw),
  ]);
  for (const [position, attachment] of attachments.entries()) {
    const blobId = await blobOf(tx, message.workspaceId, attachment);
    await tx.run(INSERT_ATTACHMENT, [
      contentId,
      position,
      blobId,
      attachment.filename,
      attachment.contentType,
      attachment.cid,
    ]);
  }
  return contentId;
}

/** The same bytes sent many times by one workspace are kept once. */
async function blobOf(tx: Tx, workspaceId: string, attachment: NewAttachment): Promise<number> {
  const key = [workspaceId, attachment.sha256];
  return findOrMake(tx, { statement: FIND_BLOB, values: key }, () => ({
    statement: INSERT_BLOB,
    values: [...key, attachment.content.byteLength, attachment.content],
  }));
}

/** The id of a queue, created if missing; `queue` is its environment, sub-tenant key, domain and rank. */
export async function queueOf(tx: Tx, queue: readonly Value[]): Promise<number> {
  return findOrMake(tx, { statement: FIND_QUEUE, values: queue }, () => ({
    statement: INSERT_QUEUE,
    values: queue,
  }));
}

interface Prepared {
  statement: string;
  values: readonly Value[];
}

/** The row's id. Another node may make the same row between the two statements; then it is theirs. */
async function findOrMake(tx: Tx, find: Prepared, make: () => Prepared): Promise<number> {
  const known = (await tx.run(find.statement, find.values))[0]?.['id'];
  if (typeof known === 'number') return known;
  const { statement, values } = make();
  const made = (await tx.run(statement, values))[0]?.['id'];
  if (typeof made === 'number') return made;
  const theirs = (await tx.run(find.statement, find.values))[0]?.['id'];
  if (typeof theirs !== 'number') throw new Error('The row could be neither found nor made.');
  return theirs;
}
