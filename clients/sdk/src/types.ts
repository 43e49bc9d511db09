// Types that the document cannot say as well as TypeScript: mail with files and React elements, and events distinguished by name.
import type {
  AttachmentInput,
  BulkAction,
  Campaign,
  Contact,
  Export,
  Import,
  Message,
  MessageBatchCreate,
  MessageCreate,
  Sender,
  SubTenant,
  Suppression,
  ThreadReply,
  WebhookEventName,
} from './schemas.js';

/** The octets of a file; text is taken as base64, as the API has it. */
export type FileContent =
  | string
  | Uint8Array
  | ArrayBuffer
  | Blob
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>;

/** A file of a message: its content, or where to read it. `path` needs Node, Bun or Deno. */
export type AttachmentParams =
  | (Omit<AttachmentInput, 'content'> & { content: FileContent; path?: never })
  | (Omit<AttachmentInput, 'content' | 'filename'> & { path: string; filename?: string; content?: never });

type WithFiles<T> = Omit<T, 'attachments'> & {
  attachments?: AttachmentParams[];
  /** A React Email element, rendered here with `@react-email/render`, in place of `html`. */
  react?: object;
};

export type MessageCreateParams = WithFiles<MessageCreate>;
export type ThreadReplyParams = WithFiles<ThreadReply>;
export type MessageBatchCreateParams = Omit<MessageBatchCreate, 'messages'> & {
  messages: MessageCreateParams[];
};

/** The records that events are about, by the noun of their names. */
interface EventRecords {
  tenant: SubTenant;
  suppression: Suppression;
  contact: Contact;
  /** Of the sub-tenant, where it is its sending domain. */
  domain: Sender | SubTenant;
  campaign: Campaign;
  import: Import;
  export: Export;
  bulk_action: BulkAction;
}

type RecordOf<Name extends string> = Name extends `${infer Noun}.${string}`
  ? Noun extends keyof EventRecords
    ? EventRecords[Noun]
    : Message
  : never;

/** An event as a webhook posts it. `event` tells what `data` is about: `switch (event.event)`. */
export type WebhookEvent = {
  [Name in WebhookEventName]: {
    event: Name;
    occurred_at: string;
    data: {
      /** Of the record that the event is about: the message, the sub-tenant of `tenant.…`, the contact of `contact.…`. */
      id: string;
      event: Name;
      occurred_at: string;
      /** For endpoints with full payloads: the record when the delivery was made. Null when it is gone, and in a test. */
      object?: RecordOf<Name> | null;
    };
  };
}[WebhookEventName];

/** Rows of an import: text, octets or a stream of CSV or JSON lines, or the objects themselves. */
export type RowsFile = string | Uint8Array | ArrayBuffer | Blob | ReadableStream<Uint8Array>;

export interface RowsFormat {
  /** Format of the file. Default `csv`; an array of objects has none. */
  format?: 'csv' | 'ndjson' | 'json';
}

export type * from './schemas.js';
