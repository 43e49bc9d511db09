// The tables of who is written to, and with which templates: contacts, lists, suppressions, templates; imports and exports.
import type { Generated } from 'kysely';
import type { Actor, ContactStatus, MessageType } from '../../contract/names.js';
import type { Flag, Instant, Json } from './columns.js';

export interface TemplateTable {
  id: string;
  environment_id: number;
  sub_tenant_id: string | null;
  slug: string;
  name: string;
  type: MessageType | 'any';
  version: number;
  created_at: Instant;
  updated_at: Instant;
  deleted_at: Instant | null;
}

export interface TemplateVersionTable {
  template_id: string;
  version: number;
  subject: string | null;
  html: string | null;
  text: string | null;
  /** Rules of its style elements are copied into the elements' own style attributes once it is filled. */
  inline_css: Flag;
  /** JSON: what an editor made the html from. */
  design: string | null;
  created_at: Instant;
}

export interface ContactTable {
  /** By which lists, tags and campaigns name it; grows, so that the newest contact has the highest. */
  number: Generated<number>;
  id: string;
  environment_id: number;
  sub_tenant_id: string | null;
  email: string;
  email_key: string;
  name: string | null;
  phone: string | null;
  tags: Json;
  metadata: Json;
  status: ContactStatus;
  created_at: Instant;
  updated_at: Instant;
}

/** Every tag of every contact, beside the JSON in its row, to be searched by. */
export interface ContactTagTable {
  environment_id: number;
  tag: string;
  contact_number: number;
}

/** How many there are, kept as they come and go: counting a million takes too long for a page. */
export interface ContactCountTable {
  environment_id: number;
  /** '' for the workspace's own, else a sub-tenant's id. */
  sub_tenant_key: string;
  status: ContactTable['status'];
  contacts: number;
}

export interface ContactListTable {
  number: Generated<number>;
  id: string;
  environment_id: number;
  sub_tenant_id: string | null;
  name: string;
  description: string | null;
  double_opt_in: Flag;
  confirmation_template_id: string | null;
  /** JSON: the segment that makes its members; null for a list that is joined. */
  filter: Json | null;
  /** Subscribed members; of a segment as last counted. */
  contacts: number;
  /** When a segment was counted. */
  counted_at: Instant | null;
  /** `pk_…`: forms of other sites sign up with it; null for none. */
  form_key: Generated<string | null>;
  /** JSON: origins that such a form may lead a browser to. */
  form_origins: Generated<Json>;
  created_at: Instant;
  updated_at: Instant;
  deleted_at: Instant | null;
}

export interface ListMemberTable {
  list_number: number;
  contact_number: number;
  /** `pending`: has not confirmed yet, and gets nothing. */
  state: 'subscribed' | 'pending';
  joined_at: Instant;
}

/** Who left a list on their own; nobody but themselves, or an explicit request, brings them back. */
export interface ListUnsubscribeTable {
  list_number: number;
  email_key: string;
  unsubscribed_at: Instant;
}

/** How many subscribed members of a list carry a tag. */
export interface ListTagTable {
  list_number: number;
  tag: string;
  contacts: number;
}

/** Grows whenever contacts or lists of an environment change: what was counted of a segment before holds no longer. */
export interface AudienceVersionTable {
  environment_id: number;
  version: number;
}

/** Who asked that a contact joins a list, and their confirmation; erased with the contact. */
export interface ConsentTable {
  number: Generated<number>;
  environment_id: number;
  list_number: number;
  contact_number: number;
  event: 'requested' | 'joined' | 'confirmed';
  occurred_at: Instant;
  actor: Actor;
  actor_id: string | null;
  /** The page's address, or the call. */
  source: string;
  ip: string | null;
  user_agent: string | null;
}

export interface ListDayTable {
  list_number: number;
  /** Days since the epoch, UTC. */
  day: number;
  joined: number;
  unsubscribed: number;
}

/** An import or an export, done in the background. */
export interface TransferTable {
  /** `imp_…`, `exp_…` or `blk_…`. */
  id: string;
  kind: 'import' | 'export' | 'bulk_action';
  workspace_id: string;
  environment_id: number;
  sub_tenant_id: string | null;
  format: 'csv' | 'json' | 'ndjson';
  /** JSON: what was asked for. */
  options: Json;
  status: 'queued' | 'running' | 'completed' | 'failed' | 'canceled';
  size_bytes: number;
  done_bytes: number;
  /** Rows in all; null until it is known. */
  total: number | null;
  processed: number;
  created: number;
  updated: number;
  failed: number;
  /** JSON: where to go on after a restart. */
  position: Json | null;
  error: string | null;
  created_at: Instant;
  updated_at: Instant;
  finished_at: Instant | null;
}

export interface SuppressionTable {
  id: string;
  environment_id: number;
  /** '' for the whole workspace, else a sub-tenant's id. */
  sub_tenant_key: string;
  email: string;
  email_key: string;
  reason: 'bounce' | 'complaint' | 'unsubscribe' | 'manual';
  message_public_id: string | null;
  created_at: Instant;
}
