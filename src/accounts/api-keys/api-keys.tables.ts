// Tables of API keys and their use.
import type { KeyPermission } from '../../contract/names.js';
import { blob, instant, int, json, nullable, type RowOf, table, text } from '../../database/columns.js';

export const apiKeys = table('api_keys', {
  id: text(),
  environment_id: int(),
  sub_tenant_id: nullable(text()),
  name: text(),
  permission: text<KeyPermission>(),
  /** Owner of the key, whose role limits its permission. Null if the operator created it. */
  made_by: nullable(text()),
  /** SHA-256 of the whole secret. */
  secret_hash: blob(),
  /** First characters of the secret, for recognition. */
  key_prefix: text(),
  /** API version of its responses. Null before its first call. */
  api_version: nullable(text()),
  allowed_ips: nullable(json()),
  expires_at: nullable(instant()),
  revoked_at: nullable(instant()),
  /** The key that replaces it. It then works until `expires_at`. */
  replaced_by: nullable(text()),
  /** Start of the minute of its last use. A crash may lose the most recent one. */
  last_used_at: nullable(instant()),
  created_at: instant(),
  /** The secret access key of its SES credentials, sealed with the master key. */
  ses_secret_sealed: nullable(text()),
  ses_credentials_at: nullable(instant()),
  /** JSON of `SendPolicy`. Null if the key has none. */
  policy: nullable(json()),
  /** The hour (since the epoch) to which `hour_messages` belongs. Counted only while the policy limits it. */
  counted_hour: nullable(int()),
  hour_messages: int(),
  /** The OAuth client that the key was granted to, which uses tokens in place of the secret. Null for any other key. */
  oauth_client_id: nullable(text()),
});
export type ApiKey = RowOf<typeof apiKeys>;

/** Messages that were submitted with an API key. */
export const apiKeyDays = table('api_key_days', {
  api_key_id: text(),
  /** Days since the epoch in UTC. */
  day: int(),
  messages: int(),
});
