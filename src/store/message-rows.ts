// Rows that make up a message.
import type { Selectable } from 'kysely';
import type { ContentTable, MessageTable } from './tables/messages.js';

export type Message = Selectable<MessageTable>;
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
