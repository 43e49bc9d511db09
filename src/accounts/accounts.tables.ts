// Tables of organizations, their workspaces, and their sends.
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
  /** JSON: message types without tracking by default. Null for none. */
  untracked_types: nullable(json()),
  /** `verified`: a Reply-To must be a verified sender, except through the vendor APIs and the relay. */
  reply_to_policy: generated(text<'verified' | 'any'>()),
  /** 1: the owner of an API key cannot approve its messages, nor can an editor approve their own version. */
  two_person: generated(flag()),
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
  /** Days that message content is retained. Null for the server's setting, 0 for unlimited. */
  retention_days: nullable(int()),
  retention_mode: nullable(text<'redact' | 'delete'>()),
  created_at: instant(),
  /** Null if it was never changed. */
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
  /** Days since the epoch in UTC. */
  day: int(),
  type: text<MessageType>(),
  sends: int(),
});

/** One-time events of a server, which the primary key guards, and rows of write tests. */
export const marks = table('marks', {
  name: text<
    | 'bootstrap_keys'
    | 'first_test_key'
    | 'setup_link'
    | 'setup_link_used'
    | 'write_probe'
    | 'sign_in_probe'
    | 'integrity_check'
    | 'removed_words'
    | 'keys_tokens'
    | 'keys_proof'
    | 'keys_session'
  >(),
  /** SHA-256 of the setup token, damage found by a database check, or an encrypted key file. */
  value: nullable(blob()),
  created_at: instant(),
});
export type MarkTable = ColumnsOf<typeof marks>;
