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
  /** JSON: the filter of a segment; `null` for a list with members. */
  filter: nullable(json()),
  /** Number of subscribed members. For segments, the last count. */
  contacts: int(),
  /** Time of the last count of a segment. */
  counted_at: nullable(instant()),
  /** Publishable key (`pk_…`) of sign-up forms on other websites; `null` for none. */
  form_key: nullable(text()),
  /** JSON: origins to which such a form may redirect a browser. */
  form_origins: generated(json()),
  created_at: instant(),
  updated_at: instant(),
  deleted_at: nullable(instant()),
});
export type ContactList = RowOf<typeof contactLists>;

export const listMembers = table('list_members', {
  list_number: int(),
  contact_number: int(),
  /** `pending`: the contact has not confirmed yet and gets no mail. */
  state: text<'subscribed' | 'pending'>(),
  joined_at: instant(),
});
export type ListMemberTable = ColumnsOf<typeof listMembers>;

/** Addresses whose owners unsubscribed from a list. They or an explicit request can add them again. */
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
