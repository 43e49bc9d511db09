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
  /** Identifies the contact in lists, tags and campaigns. New contacts have higher numbers. */
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

/** Index of tags, which are also stored as JSON in the contact's row. */
export const contactTags = table('contact_tags', {
  environment_id: int(),
  tag: text(),
  contact_number: int(),
});

/** Number of contacts, updated with every change, because counting a million takes too long. */
export const contactCounts = table('contact_counts', {
  environment_id: int(),
  /** A sub-tenant's id; empty for the workspace's own contacts. */
  sub_tenant_key: text(),
  status: text<ContactStatus>(),
  contacts: int(),
});

/** Version that increases when contacts or lists of an environment change, which invalidates counts of segments. */
export const audienceVersions = table('audience_versions', {
  environment_id: int(),
  version: int(),
});

/** Requests to join a list and their confirmations, which are erased with the contact. */
export const consents = table('consents', {
  number: generated(int()),
  environment_id: int(),
  list_number: int(),
  contact_number: int(),
  event: text<'requested' | 'joined' | 'confirmed'>(),
  occurred_at: instant(),
  actor: text<Actor>(),
  actor_id: nullable(text()),
  /** URL of the page, or method and route of the call. */
  source: text(),
  ip: nullable(text()),
  user_agent: nullable(text()),
});
export type ConsentTable = ColumnsOf<typeof consents>;
