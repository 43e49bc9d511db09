// Tables of API keys and of their use.
import type { KeyPermission } from '../../contract/names.js';
import { blob, instant, int, json, nullable, type RowOf, table, text } from '../../database/columns.js';

export const apiKeys = table('api_keys', {
  id: text(),
  environment_id: int(),
  sub_tenant_id: nullable(text()),
  name: text(),
  permission: text<KeyPermission>(),
  /** The person who made it, or whose key did; null if the operator did. It can do no more than that person may. */
  made_by: nullable(text()),
  /** SHA-256 of the whole secret. */
  secret_hash: blob(),
  /** The first characters of the secret, for recognition. */
  key_prefix: text(),
  /** The version of the API that it is answered in; null before its first call. */
  api_version: nullable(text()),
  allowed_ips: nullable(json()),
  expires_at: nullable(instant()),
  revoked_at: nullable(instant()),
  /** The key that took its place; it then works until `expires_at`. */
  replaced_by: nullable(text()),
  /** The start of the minute of its last use; a crash may lose the last of them. */
  last_used_at: nullable(instant()),
  created_at: instant(),
});
export type ApiKey = RowOf<typeof apiKeys>;

/** Messages that requests with an API key brought. */
export const apiKeyDays = table('api_key_days', {
  api_key_id: text(),
  /** Days since the epoch, UTC. */
  day: int(),
  messages: int(),
});
