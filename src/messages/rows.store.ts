// Rows that make up a message.
import type { Selectable } from 'kysely';
import type { Mailbox } from '../lib/mime/address.js';
import type { Engine } from '../store/engine/engine.js';
import { inList } from '../store/sql.js';
import type { ContentTable, Message } from './messages.tables.js';

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

/** The part of its content that a message shows beside its row. */
export interface ShownContent {
  /** Its Message-ID, without angle brackets; null once the person was erased, and for received mail without one. */
  rfcMessageId: string | null;
  attachments: readonly AttachmentInfo[];
}

type ReplyToColumns = Pick<Message, 'reply_to_email' | 'reply_to_name' | 'reply_to_more'>;

/** Where answers to a message were asked to go; empty: nothing was said. */
export function replyToOf(row: ReplyToColumns): Mailbox[] {
  const { reply_to_email: email, reply_to_name: name, reply_to_more: more } = row;
  if (email === null) return [];
  return [{ email, name }, ...(more === null ? [] : (JSON.parse(more) as Mailbox[]))];
}

// Octets of mail as it came by SMTP, by their row ids.
export async function readRaws(engine: Engine, ids: readonly number[]): Promise<Map<number, Uint8Array>> {
  if (ids.length === 0) return new Map();
  const { marks, values } = inList([...new Set(ids)]);
  const rows = await engine.rows(`SELECT id, content FROM raws WHERE id IN (${marks})`, values);
  return new Map(rows.map((row) => [row['id'] as number, row['content'] as Uint8Array]));
}
