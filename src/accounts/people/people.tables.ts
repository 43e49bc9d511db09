// Tables of people: users, members of organizations, and invitations.
import type { Role } from '../../contract/names.js';
import {
  blob,
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

export const users = table('users', {
  id: text(),
  email: text(),
  email_key: text(),
  name: nullable(text()),
  /** Argon2id in PHC string format. */
  password_hash: text(),
  /** The TOTP secret, encrypted with the master key. Used once a code has confirmed it. */
  totp_sealed: nullable(text()),
  totp_confirmed_at: nullable(instant()),
  /** Time step of the last used code. No code is accepted twice. */
  totp_last_step: nullable(int()),
  /** JSON: SHA-256 of the remaining recovery codes, in hexadecimal. */
  recovery_codes: json(),
  /** Consecutive failed sign-ins. */
  failures: int(),
  locked_until: nullable(instant()),
  password_changed_at: instant(),
  created_at: instant(),
  updated_at: instant(),
});
export type User = RowOf<typeof users>;

export const members = table('members', {
  organization_id: text(),
  user_id: text(),
  role: text<Role>(),
  /** 1: a member may approve messages. Owners and admins always may. */
  can_approve: generated(flag()),
  created_at: instant(),
  updated_at: instant(),
});

export const invitations = table('invitations', {
  id: text(),
  organization_id: text(),
  email: text(),
  email_key: text(),
  role: text<Role>(),
  /** SHA-256 of the token in the mailed link. */
  token_hash: blob(),
  /** ID of a user or API key. */
  invited_by: text(),
  expires_at: instant(),
  accepted_at: nullable(instant()),
  revoked_at: nullable(instant()),
  created_at: instant(),
});
export type Invitation = RowOf<typeof invitations>;
