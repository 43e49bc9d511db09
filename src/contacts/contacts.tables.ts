// Tables of contacts, their tags and their consents.
import type { Actor, ContactStatus } from '../contract/names.js';
import {
  type ColumnsOf,
  generated,
  instant,
  int,
  json,
  nullable,
  type RowOf,
  table,
  text,
} from '../database/columns.js';

export const contacts = table('contacts', {
  /** By which lists, tags and campaigns name it; grows, so that the newest contact has the highest. */
  number: generated(int()),
  id: text(),
  environment_id: int(),
  sub_tenant_id: nullable(text()),
  email: text(),
  email_key: text(),
  name: nullable(text()),
  phone: nullable(text()),
  tags: json(),
  metadata: json(),
  status: text<ContactStatus>(),
  created_at: instant(),
  updated_at: instant(),
});
export type ContactTable = ColumnsOf<typeof contacts>;
export type Contact = RowOf<typeof contacts>;

/** Every tag of every contact, beside the JSON in its row, to be searched by. */
export const contactTags = table('contact_tags', {
  environment_id: int(),
  tag: text(),
  contact_number: int(),
});

/** Number of contacts, updated with each change: counting a million takes too long for a page. */
export const contactCounts = table('contact_counts', {
  environment_id: int(),
  /** '' for the workspace's own, else a sub-tenant's id. */
  sub_tenant_key: text(),
  status: text<ContactStatus>(),
  contacts: int(),
});

/** Grows whenever contacts or lists of an environment change: what was counted of a segment before holds no longer. */
export const audienceVersions = table('audience_versions', {
  environment_id: int(),
  version: int(),
});

/** Consents to join a list: the request and the confirmation; erased with the contact. */
export const consents = table('consents', {
  number: generated(int()),
  environment_id: int(),
  list_number: int(),
  contact_number: int(),
  event: text<'requested' | 'joined' | 'confirmed'>(),
  occurred_at: instant(),
  actor: text<Actor>(),
  actor_id: nullable(text()),
  /** The page's address, or the call. */
  source: text(),
  ip: nullable(text()),
  user_agent: nullable(text()),
});
export type ConsentTable = ColumnsOf<typeof consents>;
