// Tables of senders and of DKIM keys.
import {
  blob,
  type ColumnsOf,
  flag,
  instant,
  int,
  json,
  nullable,
  type RowOf,
  table,
  text,
} from '../database/columns.js';

export const senders = table('senders', {
  id: text(),
  workspace_id: text(),
  sub_tenant_id: nullable(text()),
  kind: text<'address' | 'domain'>(),
  /** Lower-case address or A-label domain. */
  identity: text(),
  name: nullable(text()),
  /** Of an address that only its domain vouches for: as that domain stands. */
  status: text<'pending_verification' | 'verified' | 'failed' | 'suspended'>(),
  is_default: flag(),
  /** SHA-256 of the confirmation token, while an address waits for its owner's click. */
  confirmation_hash: nullable(blob()),
  confirmation_expires_at: nullable(instant()),
  verified_at: nullable(instant()),
  last_checked_at: nullable(instant()),
  return_path_ok: flag(),
  /** The MX of its inbound domain (`reply.<domain>`) leads to us. */
  inbound_ok: flag(),
  /** Its tracking domain (`click.<domain>`) leads to us, so that links in its mail can be on it. */
  tracking_ok: flag(),
  dns_results: nullable(json()),
  next_check_at: nullable(instant()),
  drifting_since: nullable(instant()),
  /** When another workspace proved the domain; it then takes new keys to have it back. */
  taken_over_at: nullable(instant()),
  /** When the owner of an address confirmed it; null where only its domain vouches for it. */
  confirmed_at: nullable(instant()),
  created_at: instant(),
  updated_at: instant(),
  deleted_at: nullable(instant()),
});
export type SenderTable = ColumnsOf<typeof senders>;
export type Sender = RowOf<typeof senders>;

export const dkimKeys = table('dkim_keys', {
  id: text(),
  /** A sub-tenant's id, a sender's id, or 'platform'. */
  owner_id: text(),
  domain: text(),
  selector: text(),
  algorithm: text<'rsa-sha256' | 'ed25519-sha256'>(),
  /** PKCS #8, sealed with the master key; empty once it is destroyed. */
  private_key_sealed: text(),
  /** The TXT value to publish. */
  record_value: text(),
  /**
   * pending: to be published; published: DNS shows it; active: it signs; retiring: another signs, and DNS still shows it
   * for mail on its way; revoked: DNS shows an empty key; retired: gone.
   */
  state: text<'pending' | 'published' | 'active' | 'retiring' | 'revoked' | 'retired'>(),
  /** Which of the two fixed names of its algorithm it has (0 or 1); null where each key has a name of its own. */
  slot: nullable(int()),
  published_at: nullable(instant()),
  activated_at: nullable(instant()),
  retiring_at: nullable(instant()),
  /** When its record is to be emptied, of a key that is feared to be known to others; null: after the overlap. */
  revoke_at: nullable(instant()),
  revoked_at: nullable(instant()),
  created_at: instant(),
});
export type DkimKey = RowOf<typeof dkimKeys>;
