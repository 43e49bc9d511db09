// Table of threads.
import {
  flag,
  generated,
  instant,
  int,
  json,
  nullable,
  type RowOf,
  table,
  text,
} from '../../database/columns.js';

/** A conversation with one correspondent. */
export const threads = table('threads', {
  id: text(),
  environment_id: int(),
  sub_tenant_id: nullable(text()),
  subject: text(),
  /** The subject without its prefixes, lower case. */
  subject_key: text(),
  correspondent_email: text(),
  correspondent_name: nullable(text()),
  correspondent_key: text(),
  status: text<'open' | 'closed'>(),
  /** The inbox that its correspondent wrote to. */
  inbox_id: nullable(text()),
  /** Someone wrote since it was marked as read or answered. */
  unread: flag(),
  /** JSON array of labels, without duplicates. */
  labels: json(),
  /** ID of a user or an API key. */
  assigned_to: nullable(text()),
  last_message_at: instant(),
  /** Messages of it may be missing from the search index. */
  search_due: generated(flag()),
  created_at: instant(),
  updated_at: instant(),
});
export type Thread = RowOf<typeof threads>;
