// The tables of who uses the appliance: organizations, workspaces, keys, tenants, senders and their DKIM keys.
import type { Generated } from 'kysely';
import type { KeyPermission, MessageType, Mode, PageLanguage } from '../../contract/names.js';
import type { Flag, Instant, Json } from './columns.js';

export interface OrganizationTable {
  id: string;
  name: string;
  postal_address: string | null;
  plan: string;
  unsubscribe_blocks: 'all' | 'marketing';
  track_opens: Flag;
  track_clicks: Flag;
  /** JSON: the types of messages that are not tracked unless they say so; null: none. */
  untracked_types: Json | null;
  created_at: Instant;
  updated_at: Instant;
}

/** How pages for recipients look; what is null is as it is without. */
export interface BrandingTable {
  /** An organization's or a sub-tenant's id. */
  owner_id: string;
  name: string | null;
  /** `#rrggbb`, in small letters. */
  color: string | null;
  website_url: string | null;
  postal_address: string | null;
  language: PageLanguage | null;
  logo_id: string | null;
  updated_at: Instant;
}

/** A logo, one of each owner. */
export interface LogoTable {
  /** In its address, which changes with the image. */
  id: string;
  owner_id: string;
  type: 'image/png' | 'image/svg+xml';
  content: Uint8Array;
  created_at: Instant;
}

export interface WorkspaceTable {
  id: string;
  /** Small integer: the high part of the workspace's event positions. */
  number: number;
  organization_id: string;
  name: string;
  /** Days that the content of messages is kept; null: as the appliance is configured. 0: for ever. */
  retention_days: Generated<number | null>;
  retention_mode: Generated<'redact' | 'delete' | null>;
  created_at: Instant;
  /** Null: never changed. */
  updated_at: Generated<Instant | null>;
}

export interface EnvironmentTable {
  id: Generated<number>;
  workspace_id: string;
  mode: Mode;
}

/** Things that happen once on an appliance, guarded by the primary key; and rows that are written for the writing's sake. */
export interface MarkTable {
  name:
    'bootstrap_keys' | 'first_test_key' | 'setup_link' | 'setup_link_used' | 'write_probe' | 'sign_in_probe';
  /** SHA-256 of the set-up token. */
  value: Uint8Array | null;
  created_at: Instant;
}

export interface ApiKeyTable {
  id: string;
  environment_id: number;
  sub_tenant_id: string | null;
  name: string;
  permission: KeyPermission;
  /** SHA-256 of the whole secret. */
  secret_hash: Uint8Array;
  /** The first characters of the secret, for recognition. */
  key_prefix: string;
  /** The version of the API that it is answered in; null before its first call. */
  api_version: string | null;
  allowed_ips: Json | null;
  expires_at: Instant | null;
  revoked_at: Instant | null;
  /** The key that took its place; it then works until `expires_at`. */
  replaced_by: Generated<string | null>;
  /** The start of the minute of its last use; a crash may lose the last of them. */
  last_used_at: Generated<Instant | null>;
  created_at: Instant;
}

export interface SubTenantTable {
  id: string;
  workspace_id: string;
  name: string;
  external_id: string | null;
  sending_domain: string;
  /** That it is paused stands per environment, in its reputations. */
  status: 'pending_verification' | 'verified' | 'failed' | 'suspended';
  verified_at: Instant | null;
  last_checked_at: Instant | null;
  /** 1 once the return-path MX was seen: bounces then come back under the tenant's own domain. */
  return_path_ok: Flag;
  /** The MX of its inbound domain (`reply.<domain>`) leads to us. */
  inbound_ok: Flag;
  /** Its tracking domain (`click.<domain>`) leads to us, so that links in its mail can be on it. */
  tracking_ok: Flag;
  /** JSON: {[purpose and host]: {status, found}} of the last check. */
  dns_results: Json | null;
  /** Most live messages an hour, spread evenly; null: no limit. */
  throttle_per_hour: number | null;
  /** When its DNS is checked next. */
  next_check_at: Generated<Instant | null>;
  /** Since when the record of the key that signs is gone or wrong, of a domain that was verified. */
  drifting_since: Generated<Instant | null>;
  /** How its keys come into DNS: it publishes each (txt), two aliases once (cname), or we answer for the domain (zone). */
  dkim_mode: Generated<'txt' | 'cname' | 'zone'>;
  /** When another workspace proved the domain; it then takes new keys to have it back. */
  taken_over_at: Generated<Instant | null>;
  /** Null: `bounce.`, `reply.` and `click.` below the sending domain. */
  return_path_domain: Generated<string | null>;
  inbound_domain: Generated<string | null>;
  tracking_domain: Generated<string | null>;
  created_at: Instant;
  updated_at: Instant;
  deleted_at: Instant | null;
}

export interface SenderTable {
  id: string;
  workspace_id: string;
  sub_tenant_id: string | null;
  kind: 'address' | 'domain';
  /** Lower-case address or A-label domain. */
  identity: string;
  name: string | null;
  /** Of an address that only its domain vouches for: as that domain stands. */
  status: 'pending_verification' | 'verified' | 'failed' | 'suspended';
  is_default: Flag;
  /** SHA-256 of the confirmation token, while an address waits for its owner's click. */
  confirmation_hash: Uint8Array | null;
  confirmation_expires_at: Instant | null;
  verified_at: Instant | null;
  last_checked_at: Instant | null;
  return_path_ok: Flag;
  /** The MX of its inbound domain (`reply.<domain>`) leads to us. */
  inbound_ok: Flag;
  /** Its tracking domain (`click.<domain>`) leads to us, so that links in its mail can be on it. */
  tracking_ok: Flag;
  dns_results: Json | null;
  next_check_at: Generated<Instant | null>;
  drifting_since: Generated<Instant | null>;
  /** When another workspace proved the domain; it then takes new keys to have it back. */
  taken_over_at: Generated<Instant | null>;
  /** When the owner of an address confirmed it; null where only its domain vouches for it. */
  confirmed_at: Generated<Instant | null>;
  created_at: Instant;
  updated_at: Instant;
  deleted_at: Instant | null;
}

export interface DkimKeyTable {
  id: string;
  /** A sub-tenant's id, a sender's id, or 'platform'. */
  owner_id: string;
  domain: string;
  selector: string;
  algorithm: 'rsa-sha256' | 'ed25519-sha256';
  /** PKCS #8, sealed with the master key; empty once it is destroyed. */
  private_key_sealed: string;
  /** The TXT value to publish. */
  record_value: string;
  /**
   * pending: to be published; published: DNS shows it; active: it signs; retiring: another signs, and DNS still shows it
   * for mail on its way; revoked: DNS shows an empty key; retired: gone.
   */
  state: 'pending' | 'published' | 'active' | 'retiring' | 'revoked' | 'retired';
  /** Which of the two fixed names of its algorithm it has (0 or 1); null where each key has a name of its own. */
  slot: Generated<number | null>;
  published_at: Generated<Instant | null>;
  activated_at: Generated<Instant | null>;
  retiring_at: Generated<Instant | null>;
  /** When its record is to be emptied, of a key that is feared to be known to others; null: after the overlap. */
  revoke_at: Generated<Instant | null>;
  revoked_at: Generated<Instant | null>;
  created_at: Instant;
}

/** Messages that requests with an API key brought. */
export interface ApiKeyDayTable {
  api_key_id: string;
  /** Days since the epoch, UTC. */
  day: number;
  messages: number;
}

export interface UsageTable {
  environment_id: number;
  /** Days since the epoch, UTC. */
  day: number;
  type: MessageType;
  sends: number;
}
