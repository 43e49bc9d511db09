// The tables of people: who signs in, what they may do in an organization, and who changed what.
import type { DeviceSignInStatus, KeyPermission, Mode, Role } from '../../contract/names.js';
import type { Instant, Json } from './columns.js';

export type { Role } from '../../contract/names.js';

export interface UserTable {
  id: string;
  email: string;
  email_key: string;
  name: string | null;
  /** Argon2id, in its own text form with parameters and salt. */
  password_hash: string;
  /** The TOTP secret, sealed with the master key; used once it was confirmed by a code. */
  totp_sealed: string | null;
  totp_confirmed_at: Instant | null;
  /** The time step of the last code that was used: none is taken twice. */
  totp_last_step: number | null;
  /** JSON: SHA-256 of the recovery codes that are left, hexadecimal. */
  recovery_codes: Json;
  /** Failed sign-ins since the last that succeeded. */
  failures: number;
  locked_until: Instant | null;
  password_changed_at: Instant;
  created_at: Instant;
  updated_at: Instant;
}

export interface MemberTable {
  organization_id: string;
  user_id: string;
  role: Role;
  created_at: Instant;
  updated_at: Instant;
}

export interface InvitationTable {
  id: string;
  organization_id: string;
  email: string;
  email_key: string;
  role: Role;
  /** SHA-256 of the token in the mailed link. */
  token_hash: Uint8Array;
  /** A user's or an API key's id. */
  invited_by: string;
  expires_at: Instant;
  accepted_at: Instant | null;
  revoked_at: Instant | null;
  created_at: Instant;
}

export interface SessionTable {
  id: string;
  user_id: string;
  /** SHA-256 of the cookie's token. */
  token_hash: Uint8Array;
  ip: string | null;
  user_agent: string | null;
  last_used_at: Instant;
  expires_at: Instant;
  created_at: Instant;
}

/** A browser or an address that the person has signed in from; it counts its own failures. */
export interface KnownPlaceTable {
  user_id: string;
  /** SHA-256 of the browser's token, or of the address. */
  place: Uint8Array;
  failures: number;
  locked_until: Instant | null;
  expires_at: Instant;
  created_at: Instant;
}

/** Mails to people who have not asked for any, in one window of time. */
export interface UnsolicitedMailTable {
  /** Keyed digest of who wrote or who was written to. */
  subject: Uint8Array;
  window_start: Instant;
  mails: number;
  expires_at: Instant;
}

export interface PasswordResetTable {
  /** SHA-256 of the token in the mailed link. */
  token_hash: Uint8Array;
  user_id: string;
  expires_at: Instant;
  created_at: Instant;
}

/** A program that waits until a person lets it in (RFC 8628). */
export interface DeviceSignInTable {
  /** SHA-256 of the device code. */
  device_hash: Uint8Array;
  /** Eight letters, which the person compares. */
  user_code: string;
  client_name: string;
  ip: string | null;
  status: DeviceSignInStatus;
  /** Who approved or denied it. */
  user_id: string | null;
  workspace_id: string | null;
  /** Of the key: what the program asked for, then what the person chose. */
  mode: Mode;
  permission: KeyPermission | null;
  key_name: string | null;
  expires_at: Instant;
  created_at: Instant;
}

/** Written in the transaction of the change that it tells of. */
export interface AuditEntryTable {
  id: string;
  organization_id: string;
  /** Null where the change is of the organization. */
  workspace_id: string | null;
  /** The pin of the key, or the sub-tenant that the request named. */
  sub_tenant_id: string | null;
  /** The environment of the key, or the one that the person chose; null where there is none. */
  mode: Mode | null;
  actor_kind: 'api_key' | 'user' | 'operator';
  /** The key's or the user's id; null of an operator, and where nobody has proved who they are. */
  actor_id: string | null;
  /** The operation, as in the OpenAPI document: `organization.update`. */
  action: string;
  target_id: string | null;
  /** JSON: what was asked for, without secrets and content. */
  detail: Json;
  ip: string | null;
  request_id: string | null;
  at: Instant;
}
