// Tables of senders and DKIM keys.
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
  /** An address that only its domain verifies has the status of the domain. */
  status: text<'pending_verification' | 'verified' | 'failed' | 'suspended'>(),
  is_default: flag(),
  /** SHA-256 of the confirmation token. Set while an address waits for its owner's confirmation. */
  confirmation_hash: nullable(blob()),
  confirmation_expires_at: nullable(instant()),
  verified_at: nullable(instant()),
  last_checked_at: nullable(instant()),
  return_path_ok: flag(),
  /** True if the MX of its inbound domain (`reply.<domain>`) points to Mailkeel. */
  inbound_ok: flag(),
  /** True if its tracking domain (`click.<domain>`) points to Mailkeel, so that links can use it. */
  tracking_ok: flag(),
  dns_results: nullable(json()),
  next_check_at: nullable(instant()),
  drifting_since: nullable(instant()),
  /** Set when another workspace proves the domain. Reclaiming it requires new keys. */
  taken_over_at: nullable(instant()),
  /** Time at which the owner of an address confirmed it. `null` if only its domain verifies it. */
  confirmed_at: nullable(instant()),
  created_at: instant(),
  updated_at: instant(),
  deleted_at: nullable(instant()),
});
export type SenderTable = ColumnsOf<typeof senders>;
export type Sender = RowOf<typeof senders>;

export const dkimKeys = table('dkim_keys', {
  id: text(),
  /** ID of a sub-tenant or sender, or 'platform'. */
  owner_id: text(),
  domain: text(),
  selector: text(),
  algorithm: text<'rsa-sha256' | 'ed25519-sha256'>(),
  /** PKCS #8, encrypted with the master key. Empty once destroyed. */
  private_key_sealed: text(),
  /** The TXT value to publish. */
  record_value: text(),
  /**
   * pending: to be published; published: found in DNS; active: signs; retiring: replaced, but in DNS for mail in transit;
   * revoked: an empty key in DNS; retired: removed.
   */
  state: text<'pending' | 'published' | 'active' | 'retiring' | 'revoked' | 'retired'>(),
  /** Index (0 or 1) of its fixed selector. `null` for random selectors. */
  slot: nullable(int()),
  published_at: nullable(instant()),
  activated_at: nullable(instant()),
  retiring_at: nullable(instant()),
  /** Time at which a compromised key's record is emptied. `null` for the end of the overlap. */
  revoke_at: nullable(instant()),
  revoked_at: nullable(instant()),
  created_at: instant(),
});
export type DkimKey = RowOf<typeof dkimKeys>;
