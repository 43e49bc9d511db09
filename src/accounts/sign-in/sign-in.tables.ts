// Tables of signing in: sessions, forgotten passwords, devices, and what slows guesses down.
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

/** A program that waits until a person lets it in (RFC 8628). */
export const deviceSignIns = table('device_sign_ins', {
  /** SHA-256 of the device code. */
  device_hash: blob(),
  /** Eight letters, which the person compares. */
  user_code: text(),
  client_name: text(),
  ip: nullable(text()),
  /** `clientNetwork` of the address; null in rows of releases without it. */
  network: nullable(text()),
  status: text<DeviceSignInStatus>(),
  /** User who approved or denied the sign-in. */
  user_id: nullable(text()),
  workspace_id: nullable(text()),
  /** Of the key: what the program asked for, then what the person chose. */
  mode: text<Mode>(),
  permission: nullable(text<KeyPermission>()),
  key_name: nullable(text()),
  expires_at: instant(),
  created_at: instant(),
});
export type DeviceSignIn = RowOf<typeof deviceSignIns>;

/** A browser or an address that the person has signed in from; it counts its own failures. */
export const knownPlaces = table('known_places', {
  user_id: text(),
  /** SHA-256 of the browser's token, or of the address. */
  place: blob(),
  failures: int(),
  locked_until: nullable(instant()),
  expires_at: instant(),
  created_at: instant(),
});

/** Mails to people who have not asked for any, in one window of time. */
export const unsolicitedMail = table('unsolicited_mail', {
  /** Keyed digest of who wrote or who was written to. */
  subject: blob(),
  window_start: instant(),
  mails: int(),
  expires_at: instant(),
});
