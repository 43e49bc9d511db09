// Table of drafts of replies.
import { instant, int, json, nullable, type RowOf, table, text } from '../../database/columns.js';

/** A reply in a thread that is sent later. */
export const drafts = table('drafts', {
  /** `drf_…` */
  id: text(),
  environment_id: int(),
  /** The thread's. */
  sub_tenant_id: nullable(text()),
  thread_id: text(),
  /** The version number. Starts at 1 and increases with each change. */
  version: int(),
  /** ID of a user or an API key. */
  created_by: text(),
  updated_by: text(),
  /** Public ID of the first message sent from the draft; null while it is open. */
  message_id: nullable(text()),
  /** Octets of `fields` and `files`. */
  size_bytes: int(),
  created_at: instant(),
  updated_at: instant(),
  /**
   * JSON of the submitted fields, with metadata of the attachments. Empty once the draft is sent, because the message contains
   * them.
   */
  fields: json(),
  /** JSON array of the attachments' contents in base64, in their order. */
  files: nullable(json()),
});
export type ReplyDraft = RowOf<typeof drafts>;
