// Tables of lists and their members.
import {
  type ColumnsOf,
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

export const contactLists = table('contact_lists', {
  number: generated(int()),
  id: text(),
  environment_id: int(),
  sub_tenant_id: nullable(text()),
  name: text(),
  description: nullable(text()),
  double_opt_in: flag(),
  confirmation_template_id: nullable(text()),
  /** JSON: the segment that makes its members; null for a list that is joined. */
  filter: nullable(json()),
  /** Subscribed members; of a segment as last counted. */
  contacts: int(),
  /** When a segment was counted. */
  counted_at: nullable(instant()),
  /** `pk_…`: forms of other sites sign up with it; null for none. */
  form_key: nullable(text()),
  /** JSON: origins that such a form may lead a browser to. */
  form_origins: generated(json()),
  created_at: instant(),
  updated_at: instant(),
  deleted_at: nullable(instant()),
});
export type ContactList = RowOf<typeof contactLists>;

export const listMembers = table('list_members', {
  list_number: int(),
  contact_number: int(),
  /** `pending`: has not confirmed yet, and gets nothing. */
  state: text<'subscribed' | 'pending'>(),
  joined_at: instant(),
});
export type ListMemberTable = ColumnsOf<typeof listMembers>;

/** Addresses that left a list on their own; only they, or an explicit request, can bring them back. */
export const listUnsubscribes = table('list_unsubscribes', {
  list_number: int(),
  email_key: text(),
  unsubscribed_at: instant(),
});

/** Number of subscribed members of a list with a tag. */
export const listTags = table('list_tags', {
  list_number: int(),
  tag: text(),
  contacts: int(),
});

export const listDays = table('list_days', {
  list_number: int(),
  /** Days since the epoch, UTC. */
  day: int(),
  joined: int(),
  unsubscribed: int(),
});
