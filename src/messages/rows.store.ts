// Rows that make up a message.
import type { Selectable } from 'kysely';
import type { Mailbox } from '../lib/mime/index.js';
import type { RowOf } from '../database/columns.js';
import type { Engine } from '../database/engine/engine.js';
import { inList, rowsAs } from '../database/sql.js';
import type { AttemptDetail } from './attempt.schema.js';
import type { attempts, ContentTable, Message } from './messages.tables.js';

export type Content = Omit<Selectable<ContentTable>, 'is_shared'>;

export interface AttachmentInfo {
  contentId: number;
  filename: string;
  contentType: string;
  cid: string | null;
  sizeBytes: number;
  sha256: string;
  blobId: number;
}

/** The parts of a message that its object shows beside its row: of its content, and its latest attempt. */
export interface ShownContent {
  /** Its Message-ID, without angle brackets; null once the person was erased, and for received mail without one. */
  rfcMessageId: string | null;
  attachments: readonly AttachmentInfo[];
  lastAttempt: LastAttempt | null;
}

/** The latest delivery attempt of a message. */
export interface LastAttempt {
  number: number;
  outcome: AttemptDetail['outcome'];
  at: number;
  /** When the queue tries next; null once the message has left the queue. */
  nextAttemptAt: number | null;
}

const LAST_ATTEMPTS = `SELECT a.message_id, a.number, a.at, a.detail, q.due_at FROM attempts a
  LEFT JOIN queue q ON q.message_id = a.message_id
  WHERE a.number = (SELECT MAX(number) FROM attempts latest WHERE latest.message_id = a.message_id) AND a.message_id IN`;

type LastAttemptRow = Pick<RowOf<typeof attempts>, 'message_id' | 'number' | 'at' | 'detail'> & {
  due_at: number | null;
};

/** Reads the latest attempt of each message, by row id. Messages without a recorded attempt are left out. */
export async function readLastAttempts(
  engine: Engine,
  messageIds: readonly number[],
): Promise<ReadonlyMap<number, LastAttempt>> {
  if (messageIds.length === 0) return new Map();
  const { marks, values } = inList(messageIds);
  const rows = await rowsAs<LastAttemptRow>(engine.rows(`${LAST_ATTEMPTS} (${marks})`, values));
  return new Map(
    rows.map(({ message_id, number, at, detail, due_at: nextAttemptAt }) => {
      const { outcome } = JSON.parse(detail) as AttemptDetail;
      return [message_id, { number, outcome, at, nextAttemptAt }];
    }),
  );
}

type ReplyToColumns = Pick<Message, 'reply_to_email' | 'reply_to_name' | 'reply_to_more'>;

/** Reads the reply-to addresses of a message. */
export function readReplyTo(row: ReplyToColumns): Mailbox[] {
  const { reply_to_email: email, reply_to_name: name, reply_to_more: more } = row;
  if (email === null) return [];
  return [{ email, name }, ...(more === null ? [] : (JSON.parse(more) as Mailbox[]))];
}

// The original bytes of mail received by SMTP, by row id.
export async function readRaws(engine: Engine, ids: readonly number[]): Promise<Map<number, Uint8Array>> {
  if (ids.length === 0) return new Map();
  const { marks, values } = inList([...new Set(ids)]);
  const rows = await rowsAs<{ id: number; content: Uint8Array }>(
    engine.rows(`SELECT id, content FROM raws WHERE id IN (${marks})`, values),
  );
  return new Map(rows.map(({ id, content }) => [id, content]));
}
