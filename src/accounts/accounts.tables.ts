// Tables of organizations, their workspaces, and what these have sent.
import type { MessageType, Mode } from '../contract/names.js';
import {
  blob,
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
} from '../database/columns.js';

export const organizations = table('organizations', {
  id: text(),
  name: text(),
  postal_address: nullable(text()),
  plan: text(),
  unsubscribe_blocks: text<'all' | 'marketing'>(),
  track_opens: flag(),
  track_clicks: flag(),
  /** JSON: the types of messages that are not tracked unless they say so; null: none. */
  untracked_types: nullable(json()),
  /** `verified`: a Reply-To must be a verified sender, except through the vendor APIs and the relay. */
  reply_to_policy: generated(text<'verified' | 'any'>()),
  created_at: instant(),
  updated_at: instant(),
});
export type Organization = RowOf<typeof organizations>;

export const workspaces = table('workspaces', {
  id: text(),
  /** Small integer: the high part of the workspace's event positions. */
  number: int(),
  organization_id: text(),
  name: text(),
  /** Days that the content of messages is kept; null: as the appliance is configured. 0: for ever. */
  retention_days: nullable(int()),
  retention_mode: nullable(text<'redact' | 'delete'>()),
  created_at: instant(),
  /** Null: never changed. */
  updated_at: nullable(instant()),
});
export type Workspace = RowOf<typeof workspaces>;

export const environments = table('environments', {
  id: generated(int()),
  workspace_id: text(),
  mode: text<Mode>(),
});

export const usage = table('usage', {
  environment_id: int(),
  /** Days since the epoch, UTC. */
  day: int(),
  type: text<MessageType>(),
  sends: int(),
});

/** Things that happen once on an appliance, guarded by the primary key; and rows that are written for the writing's sake. */
export const marks = table('marks', {
  name: text<
    | 'bootstrap_keys'
    | 'first_test_key'
    | 'setup_link'
    | 'setup_link_used'
    | 'write_probe'
    | 'sign_in_probe'
    | 'integrity_check'
    | 'keys_tokens'
    | 'keys_proof'
    | 'keys_session'
  >(),
  /** SHA-256 of the set-up token; of a check of the database, the damage that it found; a sealed key file. */
  value: nullable(blob()),
  created_at: instant(),
});
export type MarkTable = ColumnsOf<typeof marks>;
