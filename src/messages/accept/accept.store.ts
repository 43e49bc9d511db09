// A message enters: content, message, attachments, tags, idempotency key, queue row and events, in one go. The hottest
// write of the program, so its statements are written by hand.
import type { Insertable } from 'kysely';
import { usage } from '../../accounts/usage.store.js';
import type { Mode } from '../../contract/names.js';
import type { NewEvent } from '../../events/append.store.js';
import { chain } from '../../events/chains.store.js';
import type { DsnAction } from '../../lib/dsn/index.js';
import { type Committed, defineChange } from '../../database/change.js';
import { columnNames } from '../../database/columns.js';
import type { Writing } from '../../database/committer.js';
import type { Tx, Value } from '../../database/engine/engine.js';
import type { GatheredWrites, RowSet } from '../../database/gathered-writes.js';
import { insertInto, rowsAs } from '../../database/sql.js';
import { attachments, contents, type ContentTable, messages, type MessageTable } from '../messages.tables.js';
import { receivedMessages, type ReceivedMessageTable } from '../received.tables.js';
import { enqueuedRows } from './enqueued-rows.store.js';

export interface NewAttachment {
  filename: string;
  contentType: string;
  cid: string | null;
  sha256: string;
  content: Uint8Array;
}

export interface NewMessage {
  /** Columns that acceptance leaves empty are not among them. */
  row: Omit<Insertable<MessageTable>, 'content_id' | 'id' | 'redacted_at' | 'in_doubt_at' | 'route'>;
  workspaceId: string;
  /** The environment's, for the metrics; absent: they do not count it. */
  mode?: Mode;
  /** `same`: the copy shares the content row of the message before it in the plan. */
  content:
    | {
        kind: 'new';
        row: Omit<Insertable<ContentTable>, 'id'>;
        attachments: NewAttachment[];
        /** The submitted bytes, stored separately. A received message's `raw_id` refers to bytes that are already stored. */
        raw?: Uint8Array;
        /** Number of copies that follow in the plan with consecutive ids. */
        copies?: number;
      }
    | { kind: 'same' };
  tags: string[];
  idempotency: { subTenantKey: string; key: string; fingerprint: Uint8Array } | null;
  /** `null` if the message is suppressed. */
  queue: { domain: string; rank: number; dueAt: number; expiresAt: number } | null;
  /** `null` if usage does not count the message (sandbox, suppressed, received). */
  usageDay: number | null;
  /** The Message-ID of a message that another system created, by which the message is found. */
  foreignMessageId?: string;
  /** Further row of a received message. */
  received?: Omit<Insertable<ReceivedMessageTable>, 'message_id'>;
  /** Delivery reports that are due now. The change fills in `messageId`. */
  reports?: readonly Omit<ReportDue, 'messageId'>[];
  /** `messageId` is filled in. */
  events: Omit<NewEvent, 'messageId'>[];
}

/** The sender of a relayed message asked for a report by mail (RFC 3461). */
export interface ReportDue {
  messageId: number;
  action: DsnAction;
  at: number;
  /** JSON: the report's data about the recipient. */
  detail: string;
}

/** A message enters. Throws IdempotencyRace when another request took its key in the meantime. */
export const acceptMessage = defineChange<{ message: NewMessage }>(
  'accept',
  (writing, { message }, committed) => accept(writing, message, committed),
  { readsGathered: false, madeId: ({ message }) => message.row.public_id },
);

export const makeReportDue = defineChange<ReportDue>(
  'report-due',
  ({ gathered }, report) => gatherReport(gathered, report),
  { readsGathered: false },
);

const MESSAGE_COLUMNS = columnNames(messages, 'redacted_at', 'in_doubt_at', 'route');
const CONTENT_COLUMNS = columnNames(contents);
const CONTENT_ID = CONTENT_COLUMNS.indexOf('id');
const CONTENT_SHARED = CONTENT_COLUMNS.indexOf('is_shared');
const MESSAGE_ID = MESSAGE_COLUMNS.indexOf('id');
const MESSAGE_CONTENT = MESSAGE_COLUMNS.indexOf('content_id');

const CONTENTS: RowSet = { head: insertInto(contents, CONTENT_COLUMNS), order: 0 };
const ATTACHMENTS: RowSet = { head: insertInto(attachments, columnNames(attachments)), order: 1 };
const MESSAGES: RowSet = { head: insertInto(messages, MESSAGE_COLUMNS), order: 1 };
const RECEIVED_COLUMNS = columnNames(receivedMessages);
const RECEIVED: RowSet = { head: insertInto(receivedMessages, RECEIVED_COLUMNS), order: 2 };
const TAGS: RowSet = {
  head: 'INSERT INTO message_tags (environment_id, tag, message_id)',
  tail: 'ON CONFLICT DO NOTHING',
  order: 2,
};
const KEY_TAKEN = 'A concurrent request used the same idempotency key.';
/** Places of environment, sub-tenant and key in a row of KEYS. */
const SAME_KEY = [0, 1, 2];
/** A key lasts as long as its message. */
const KEYS: RowSet = {
  head: `INSERT INTO idempotency_keys
  (environment_id, sub_tenant_key, key, fingerprint, message_id, scheduled_at, created_at)`,
  tail: `ON CONFLICT (environment_id, sub_tenant_key, key) DO UPDATE
  SET fingerprint = excluded.fingerprint, message_id = excluded.message_id, scheduled_at = excluded.scheduled_at,
    created_at = excluded.created_at
  WHERE NOT EXISTS (SELECT 1 FROM messages m WHERE m.id = idempotency_keys.message_id) RETURNING message_id`,
  order: 2,
  check(returned, rows) {
    if (returned.length === rows.length) return;
    throw new IdempotencyRace(KEY_TAKEN);
  },
};
const FOREIGN_IDS: RowSet = {
  head: 'INSERT INTO foreign_message_ids (environment_id, rfc_message_id, message_id)',
  tail: 'ON CONFLICT DO NOTHING',
  order: 2,
};
/** A second report of the same action adds nothing. */
const REPORTS_DUE: RowSet = {
  head: 'INSERT INTO delivery_reports (message_id, action, at, detail, attempts, due_at)',
  tail: 'ON CONFLICT DO NOTHING',
  order: 2,
};

const INSERT_RAW = 'INSERT INTO raws (size_bytes, content) VALUES (?, ?) RETURNING id';
const SHARE_CONTENT = 'UPDATE contents SET is_shared = 1 WHERE id = ? AND is_shared = 0';
const FIND_BLOB = 'SELECT id FROM blobs WHERE workspace_id = ? AND sha256 = ?';
const INSERT_BLOB = `INSERT INTO blobs (workspace_id, sha256, size_bytes, content) VALUES (?, ?, ?, ?)
  ON CONFLICT DO NOTHING RETURNING id`;

/** Another request used the idempotency key between the lookup and the commit. The caller looks it up again. */
export class IdempotencyRace extends Error {}

/** Gathers everything that belongs to an accepted message, and notes its row id and queue in `committed`. */
async function accept(writing: Writing, message: NewMessage, committed: Committed): Promise<void> {
  const { gathered, ids } = writing;
  if (message.content.kind === 'new' && message.content.copies !== undefined) {
    await ids.together('messages', 1 + message.content.copies);
  }
  const contentId =
    message.content.kind === 'same'
      ? await contentOfPrevious(writing, committed)
      : await insertContent(writing, message);
  const { row } = message;
  const messageId = await ids.next('messages');
  gathered.insert(MESSAGES, valuesOf(MESSAGE_COLUMNS, { ...row, id: messageId, content_id: contentId }));
  committed.messageIds.push(messageId);
  if (message.idempotency) {
    const { subTenantKey, key, fingerprint } = message.idempotency;
    const [scheduledAt, createdAt] = [row.scheduled_at ?? null, row.created_at];
    const values = [row.environment_id, subTenantKey, key, fingerprint, messageId, scheduledAt, createdAt];
    // One statement cannot write a row twice.
    if (gathered.rowsOf(KEYS).some((taken) => SAME_KEY.every((place) => taken[place] === values[place]))) {
      throw new IdempotencyRace(KEY_TAKEN);
    }
    gathered.insert(KEYS, values);
  }
  for (const tag of message.tags) gathered.insert(TAGS, [row.environment_id, tag, messageId]);
  if (message.queue) {
    const { domain, rank, dueAt, expiresAt } = message.queue;
    const destination = {
      environmentId: row.environment_id,
      subTenantKey: row.sub_tenant_id ?? '',
      domain,
      rank,
    };
    gathered.of(enqueuedRows).add(destination, { messageId, dueAt, expiresAt }, committed);
  }
  if (message.usageDay !== null) {
    const { environment_id: environmentId, type } = row;
    writing.part(usage).add({ environmentId, day: message.usageDay, type, sends: 1 });
  }
  const events = writing.part(chain);
  for (const event of message.events) events.append({ ...event, messageId });
  if (message.foreignMessageId !== undefined) {
    gathered.insert(FOREIGN_IDS, [row.environment_id, message.foreignMessageId, messageId]);
  }
  if (message.received) {
    gathered.insert(RECEIVED, valuesOf(RECEIVED_COLUMNS, { ...message.received, message_id: messageId }));
  }
  for (const report of message.reports ?? []) gatherReport(gathered, { ...report, messageId });
}

/** A delivery report that is due now. */
function gatherReport(gathered: GatheredWrites, { messageId, action, at, detail }: ReportDue): void {
  gathered.insert(REPORTS_DUE, [messageId, action, at, detail, 0, at]);
}

/** Stores a mail's original bytes and returns the id of their row. */
export function insertRaw(tx: Tx, raw: Uint8Array): Promise<number> {
  return insertedId(tx, INSERT_RAW, [raw.byteLength, raw]);
}

async function insertedId(tx: Tx, statement: string, values: readonly Value[]): Promise<number> {
  const [row] = await rowsAs<{ id: number }>(tx.run(statement, values));
  if (!row) throw new Error('The insert returned no id.');
  return row.id;
}

async function contentOfPrevious({ tx, gathered }: Writing, committed: Committed): Promise<number> {
  const previous = committed.messageIds.at(-1) ?? 0;
  const message = gathered.rowsOf(MESSAGES).findLast((row) => row[MESSAGE_ID] === previous);
  if (message !== undefined) {
    const contentId = Number(message[MESSAGE_CONTENT]);
    const content = gathered.rowsOf(CONTENTS).findLast((row) => row[CONTENT_ID] === contentId);
    if (content !== undefined) {
      content[CONTENT_SHARED] = 1;
      return contentId;
    }
    await tx.run(SHARE_CONTENT, [contentId]);
    return contentId;
  }
  const [row] = await rowsAs<{ content_id: number }>(
    tx.run('SELECT content_id FROM messages WHERE id = ?', [previous]),
  );
  if (!row) throw new Error('A copy must follow the message whose content it shares.');
  await tx.run(SHARE_CONTENT, [row.content_id]);
  return row.content_id;
}

async function insertContent({ tx, gathered, ids }: Writing, message: NewMessage): Promise<number> {
  if (message.content.kind !== 'new') throw new Error('The message brings no content of its own.');
  const { row, attachments: files, raw } = message.content;
  const id = await ids.next('contents');
  const raw_id = raw === undefined ? (row.raw_id ?? null) : await insertRaw(tx, raw);
  gathered.insert(CONTENTS, valuesOf(CONTENT_COLUMNS, { ...row, id, raw_id, is_shared: 0 }));
  for (const [position, attachment] of files.entries()) {
    const blobId = await blobOf(tx, message.workspaceId, attachment);
    const { filename, contentType, cid } = attachment;
    gathered.insert(ATTACHMENTS, [id, position, blobId, filename, contentType, cid]);
  }
  return id;
}

function valuesOf(columns: readonly string[], row: Readonly<Record<string, Value | undefined>>): Value[] {
  return columns.map((column) => row[column] ?? null);
}

/** Stores equal bytes of one workspace once. */
async function blobOf(tx: Tx, workspaceId: string, attachment: NewAttachment): Promise<number> {
  const key = [workspaceId, attachment.sha256];
  return findOrMake(tx, { statement: FIND_BLOB, values: key }, () => ({
    statement: INSERT_BLOB,
    values: [...key, attachment.content.byteLength, attachment.content],
  }));
}

interface Prepared {
  statement: string;
  values: readonly Value[];
}

/** The row's id. Another node may make the same row between the two statements; then it is theirs. */
async function findOrMake(tx: Tx, find: Prepared, make: () => Prepared): Promise<number> {
  const read = async ({ statement, values }: Prepared) =>
    (await rowsAs<{ id: number }>(tx.run(statement, values)))[0]?.id;
  const id = (await read(find)) ?? (await read(make())) ?? (await read(find));
  if (id === undefined) throw new Error('The row could be neither found nor made.');
  return id;
}
