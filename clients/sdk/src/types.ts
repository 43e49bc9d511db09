// Types that TypeScript can express more precisely than the API document: mail with files and React elements, and events
// distinguished by name.
import type {
  AccountImport,
  Approval,
  AttachmentInput,
  BulkAction,
  Campaign,
  Contact,
  Draft,
  DraftCreate,
  DraftUpdate,
  Export,
  Import,
  Message,
  MessageBatchCreate,
  MessageCreate,
  RawMessageCreate,
  Sender,
  SubTenant,
  Suppression,
  ThreadReply,
  WebhookEventName,
} from './schemas.js';

/** Content of a file. A string must be base64, as in the API. */
export type FileContent =
  | string
  | Uint8Array
  | ArrayBuffer
  | Blob
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>;

/** An attachment with its content or a path to read it from. `path` requires Node, Bun or Deno. */
export type AttachmentParams =
  | (Omit<AttachmentInput, 'content'> & { content: FileContent; path?: never })
  | (Omit<AttachmentInput, 'content' | 'filename'> & { path: string; filename?: string; content?: never });

type WithFiles<T> = Omit<T, 'attachments'> & {
  attachments?: AttachmentParams[];
  /** React Email element to render with `@react-email/render`. Replaces `html`. */
  react?: object;
};

export type MessageCreateParams = WithFiles<MessageCreate>;
export type ThreadReplyParams = WithFiles<ThreadReply>;
export type DraftCreateParams = WithFiles<DraftCreate>;
export type DraftUpdateParams = WithFiles<DraftUpdate>;
export type MessageBatchCreateParams = Omit<MessageBatchCreate, 'messages'> & {
  messages: MessageCreateParams[];
};

/** The MIME message as base64 text, bytes, a Blob or a stream. */
export type RawMessageCreateParams = Omit<RawMessageCreate, 'raw'> & { raw: FileContent };

/** Types of event records, by the first part of the event name. */
interface EventRecords {
  tenant: SubTenant;
  suppression: Suppression;
  contact: Contact;
  /** The sub-tenant's sending domain, for events about sub-tenants. */
  domain: Sender | SubTenant;
  campaign: Campaign;
  import: Import;
  export: Export;
  bulk_action: BulkAction;
  account_import: AccountImport;
  draft: Draft;
  approval: Approval;
}

type RecordOf<Name extends string> = Name extends `${infer Noun}.${string}`
  ? Noun extends keyof EventRecords
    ? EventRecords[Noun]
    : Message
  : never;

/** An event as posted to a webhook endpoint. The type of `data` depends on `event`: use `switch (event.event)`. */
export type WebhookEvent = {
  [Name in WebhookEventName]: {
    event: Name;
    occurred_at: string;
    data: {
      /**
       * ID of the record that the event is about: the message, the sub-tenant of `tenant.…` or the contact of
       * `contact.…`.
       */
      id: string;
      event: Name;
      occurred_at: string;
      /**
       * The record at the time of the delivery, for endpoints with full payloads. Null if the record no longer exists,
       * and in test events.
       */
      object?: RecordOf<Name> | null;
    };
  };
}[WebhookEventName];

/** Rows to import: CSV or JSON Lines as text, bytes or a stream, or an array of objects. */
export type RowsFile = string | Uint8Array | ArrayBuffer | Blob | ReadableStream<Uint8Array>;

export interface RowsFormat {
  /** File format. Defaults to `csv`. Not used for an array of objects. */
  format?: 'csv' | 'ndjson' | 'json';
}

export type * from './schemas.js';
