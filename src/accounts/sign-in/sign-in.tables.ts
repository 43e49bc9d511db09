// Tables of sign-in: sessions, password resets, device sign-ins, and rate limits of guesses.
import type { DeviceSignInStatus, KeyPermission, Mode } from '../../contract/names.js';
import { blob, instant, int, nullable, type RowOf, table, text } from '../../database/columns.js';

export const sessions = table('sessions', {
  id: text(),
  user_id: text(),
  /** SHA-256 of the cookie's token. */
  token_hash: blob(),
  ip: nullable(text()),
  user_agent: nullable(text()),
  last_used_at: instant(),
  expires_at: instant(),
  created_at: instant(),
});
export type Session = RowOf<typeof sessions>;

export const passwordResets = table('password_resets', {
  /** SHA-256 of the token in the mailed link. */
  token_hash: blob(),
  user_id: text(),
  expires_at: instant(),
  created_at: instant(),
});
export type PasswordReset = RowOf<typeof passwordResets>;

/** A program that waits for a person's approval (RFC 8628). */
export const deviceSignIns = table('device_sign_ins', {
  /** SHA-256 of the device code. */
  device_hash: blob(),
  /** Eight letters, which the person compares. */
  user_code: text(),
  client_name: text(),
  ip: nullable(text()),
  /** `clientNetwork` of the address. Null in rows of earlier releases. */
  network: nullable(text()),
  status: text<DeviceSignInStatus>(),
  /** User who approved or denied the sign-in. */
  user_id: nullable(text()),
  workspace_id: nullable(text()),
  /** Mode of the key, as requested by the program and then as chosen by the person. */
  mode: text<Mode>(),
  permission: nullable(text<KeyPermission>()),
  key_name: nullable(text()),
  expires_at: instant(),
  created_at: instant(),
});
export type DeviceSignIn = RowOf<typeof deviceSignIns>;

/** A browser or an address that the person has signed in from, with its own count of failures. */
export const knownPlaces = table('known_places', {
  user_id: text(),
  /** SHA-256 of the browser's token, or of the address. */
  place: blob(),
  failures: int(),
  locked_until: nullable(instant()),
  expires_at: instant(),
  created_at: instant(),
});

/** Unsolicited mail in one time window. */
export const unsolicitedMail = table('unsolicited_mail', {
  /** Keyed digest of the sender or the recipient. */
  subject: blob(),
  window_start: instant(),
  mails: int(),
  expires_at: instant(),
});
