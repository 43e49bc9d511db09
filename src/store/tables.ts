// The shape of every table, as the queries see it. Portable subset: text ids, integer epoch milliseconds,
// JSON as text, booleans as 0 or 1. The statements that create them are in migrations/.
import type { Generated } from 'kysely';
import type {
  Actor,
  KeyPermission,
  MessageStatus,
  MessageType,
  Mode,
  Priority,
  Provider,
  TrailEvent,
  WebhookEvent,
} from '../contract/names.js';

/** Epoch milliseconds, UTC. */
type Instant = number;
/** JSON text. */
type Json = string;
type Flag = 0 | 1;

export interface OrganizationTable {
  id: string;
  name: string;
  postal_address: string | null;
  plan: string;
  unsubscribe_blocks: 'all' | 'marketing';
  track_opens: Flag;
  track_clicks: Flag;
  created_at: Instant;
  updated_at: Instant;
}

export interface WorkspaceTable {
  id: string;
  /** Small integer: the high part of the workspace's event positions. */
  number: number;
  organization_id: string;
  name: string;
  created_at: Instant;
}

export interface EnvironmentTable {
  id: Generated<number>;
  workspace_id: string;
  mode: Mode;
}

/** Things that happen once on an appliance, guarded by the primary key; and the row that /readyz writes. */
export interface MarkTable {
  name: 'bootstrap_keys' | 'first_test_key' | 'setup_link' | 'setup_link_used' | 'write_probe';
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
  hint: string;
  allowed_ips: Json | null;
  expires_at: Instant | null;
  revoked_at: Instant | null;
  created_at: Instant;
}

export interface SubTenantTable {
  id: string;
  workspace_id: string;
  name: string;
  external_id: string | null;
  sending_domain: string;
  status: 'pending_verification' | 'verified' | 'failed' | 'suspended' | 'paused';
  verified_at: Instant | null;
  last_checked_at: Instant | null;
  /** 1 once the return-path MX was seen: bounces then come back under the tenant's own domain. */
  return_path_ok: Flag;
  /** JSON: {[purpose and host]: {status, found}} of the last check. */
  dns_results: Json | null;
  /** Most live messages an hour, spread evenly; null: no limit. */
  throttle_per_hour: number | null;
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
  status: 'pending_verification' | 'verified' | 'failed';
  is_default: Flag;
  /** SHA-256 of the confirmation token, while an address waits for its owner's click. */
  confirmation_hash: Uint8Array | null;
  confirmation_expires_at: Instant | null;
  verified_at: Instant | null;
  last_checked_at: Instant | null;
  return_path_ok: Flag;
  dns_results: Json | null;
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
  /** PKCS #8, sealed with the master key. */
  private_key_sealed: string;
  /** The TXT value to publish. */
  record_value: string;
  state: 'pending' | 'active' | 'retired';
  created_at: Instant;
}

export interface TemplateTable {
  id: string;
  workspace_id: string;
  sub_tenant_id: string | null;
  slug: string;
  name: string;
  type: MessageType | 'any';
  version: number;
  created_at: Instant;
  updated_at: Instant;
  deleted_at: Instant | null;
}

export interface TemplateVersionTable {
  template_id: string;
  version: number;
  subject: string | null;
  html: string | null;
  text: string | null;
  created_at: Instant;
}

export interface ContactTable {
  id: string;
  workspace_id: string;
  sub_tenant_id: string | null;
  email: string;
  email_key: string;
  name: string | null;
  phone: string | null;
  tags: Json;
  metadata: Json;
  status: 'active' | 'unsubscribed' | 'bounced' | 'complained';
  created_at: Instant;
  updated_at: Instant;
}

export interface SuppressionTable {
  id: string;
  environment_id: number;
  /** '' for the whole workspace, else a sub-tenant's id. */
  sub_tenant_key: string;
  email: string;
  email_key: string;
  reason: 'bounce' | 'complaint' | 'unsubscribe' | 'manual';
  message_public_id: string | null;
  created_at: Instant;
}

export interface MessageTable {
  id: Generated<number>;
  public_id: string;
  environment_id: number;
  sub_tenant_id: string | null;
  content_id: number;
  type: MessageType;
  status: MessageStatus;
  recipient_role: 'to' | 'cc' | 'bcc';
  to_email: string;
  to_name: string | null;
  to_key: string;
  from_email: string;
  from_name: string | null;
  reply_to_email: string | null;
  reply_to_name: string | null;
  subject: string;
  template_id: string | null;
  template_version: number | null;
  priority: Priority;
  tags: Json;
  metadata: Json;
  idempotency_key: string | null;
  content_hash: string;
  track_opens: Flag;
  track_clicks: Flag;
  /** 1: verified TLS all the way or not at all; -1: whatever the receiver's policies say (RFC 8689); 0: as they say. */
  require_tls: -1 | 0 | 1;
  provider: Provider | null;
  provider_message_id: string | null;
  /** Unix seconds of the signature of the last attempt: with the keys it reproduces the bytes that were sent. */
  signed_at: number | null;
  error: Json | null;
  scheduled_at: Instant | null;
  opened_at: Instant | null;
  clicked_at: Instant | null;
  created_at: Instant;
  updated_at: Instant;
}

/** What the mail says. Copies of one request (to, cc, bcc) share a row. */
export interface ContentTable {
  id: Generated<number>;
  /** Message-ID without angle brackets; never changes. */
  rfc_message_id: string;
  /** JSON: [{email, name}] */
  to_list: Json;
  cc_list: Json;
  /** JSON: [[name, value]] of the customer's own header fields. */
  headers: Json;
  html: string | null;
  text: string | null;
}

export interface AttachmentTable {
  content_id: number;
  position: number;
  blob_id: number;
  filename: string;
  content_type: string;
  cid: string | null;
}

export interface BlobTable {
  id: Generated<number>;
  workspace_id: string;
  /** Hex. */
  sha256: string;
  size_bytes: number;
  content: Uint8Array;
}

export interface MessageTagTable {
  environment_id: number;
  tag: string;
  message_id: number;
}

export interface IdempotencyKeyTable {
  environment_id: number;
  sub_tenant_key: string;
  key: string;
  /** SHA-256 of the request. */
  fingerprint: Uint8Array;
  message_id: number;
  /** As first answered; the message's own may be changed later. */
  scheduled_at: Instant | null;
  created_at: Instant;
}

/** Where mail waits in order: one line per environment, tenant, destination domain and rank. */
export interface LaneTable {
  id: Generated<number>;
  environment_id: number;
  sub_tenant_key: string;
  domain: string;
  /** 0 goes first. */
  rank: number;
}

/** One narrow row per message that still has to leave. */
export interface QueueTable {
  message_id: number;
  lane_id: number;
  due_at: Instant;
  expires_at: Instant;
  attempts: number;
  lease_until: Instant | null;
  lease_owner: string | null;
  /** Set, durably, before the final dot of an attempt is written. */
  dot_intent_at: Instant | null;
  /** Attempts that ended with the dot written and no reply seen. */
  ambiguous_attempts: number;
  /** Why it waits when no peer is the reason: 'signing', 'tenant', ... */
  hold_reason: string | null;
  /** Steps of the retry schedule used up; an attempt that fails for the whole destination uses none. */
  retry_step: Generated<number>;
  /** Attempts that ended in a permanent refusal of our address, which another address or a later time may heal. */
  blocked_attempts: Generated<number>;
  /** The source of the last attempt: a greylisting peer must see the same one again. */
  source: string | null;
}

/** One try to hand a message over. */
export interface AttemptTable {
  message_id: number;
  number: number;
  at: Instant;
  session_id: string | null;
  detail: Json;
  /** Lines of the transaction. */
  conversation: string | null;
}

export interface SmtpSessionTable {
  id: string;
  at: Instant;
  /** JSON {host, address, source, opening: string[]} */
  detail: Json;
}

/** A limit that a peer's replies set on a path, until it expires or is removed. */
export interface OverrideTable {
  id: string;
  path: string;
  provider: string | null;
  site: string;
  source: string;
  kind: 'connections' | 'rate' | 'messages_per_connection' | 'suspend' | 'suspend_tenant';
  value: Json;
  sub_tenant_key: string;
  rule: string;
  reason: string;
  reply: string;
  created_at: Instant;
  expires_at: Instant;
}

export interface DestinationPauseTable {
  environment_id: number;
  /** '' pauses the destination for the whole environment. */
  sub_tenant_key: string;
  domain: string;
  reason: string;
  created_at: Instant;
}

/** Limiters, breakers and warm-up counters, so that a restart forgets nothing. */
export interface TrafficStateTable {
  key: string;
  state: Json;
  updated_at: Instant;
}

/** Bounces for a dead domain, whose address is suppressed when the domain is still dead later. */
export interface AddressRecheckTable {
  message_id: number;
  environment_id: number;
  domain: string;
  due_at: Instant;
}

export interface MtaStsPolicyTable {
  domain: string;
  policy_id: string;
  mode: 'enforce' | 'testing' | 'none';
  mx: Json;
  max_age_s: number;
  /** The policy file as fetched. */
  policy: string;
  fetched_at: Instant;
  checked_at: Instant;
  expires_at: Instant;
}

/** Sessions of one day with the same TLS result (RFC 8460 section 4). */
export interface TlsResultTable {
  /** Days since the epoch, UTC. */
  day: number;
  domain: string;
  policy_type: 'tlsa' | 'sts' | 'no-policy-found';
  policy: Json;
  result_type: string;
  mx_host: string;
  sending_ip: string;
  receiving_ip: string;
  detail: string;
  sessions: number;
}

export interface TlsReportTable {
  day: number;
  domain: string;
  report_id: string;
  status: 'pending' | 'sent' | 'failed' | 'none';
  attempts: number;
  due_at: Instant;
  detail: string;
  created_at: Instant;
  sent_at: Instant | null;
}

/** Append-only; chained by hash per workspace. It is also the outbox: webhooks follow it by position. */
export interface EventTable {
  /** workspaces.number * 2^36 + the number in the chain. */
  position: number;
  environment_id: number;
  message_id: number | null;
  subject_id: string;
  event: TrailEvent;
  actor: Actor;
  occurred_at: Instant;
  /** JSON {metadata?, ip?, user_agent?, provider?, provider_message_id?}; with its salt it may be erased. */
  detail: Json | null;
  salt: Uint8Array | null;
  detail_digest: Uint8Array | null;
  hash: Uint8Array;
}

export interface ChainTable {
  workspace_number: number;
  head_seq: number;
  head_hash: Uint8Array;
  /** The last number that webhooks have seen. */
  fanned_out_seq: number;
}

export interface UsageTable {
  environment_id: number;
  /** Days since the epoch, UTC. */
  day: number;
  type: MessageType;
  sends: number;
}

export interface WebhookEndpointTable {
  id: string;
  workspace_id: string;
  sub_tenant_id: string | null;
  url: string;
  description: string | null;
  /** JSON array of event names; null: the default set. */
  events: Json | null;
  status: 'enabled' | 'disabled';
  disabled_reason: string | null;
  consecutive_failures: number;
  secret_sealed: string;
  created_at: Instant;
  updated_at: Instant;
}

export interface WebhookDeliveryTable {
  id: Generated<number>;
  public_id: string;
  endpoint_id: string;
  environment_id: number;
  /** Position of the event in its chain; null for a test event. */
  event_position: number | null;
  event: WebhookEvent;
  /** The message or tenant it is about: deliveries of one subject keep their order. */
  subject_id: string;
  payload: string;
  status: 'pending' | 'succeeded' | 'failed';
  attempts: number;
  due_at: Instant | null;
  lease_until: Instant | null;
  created_at: Instant;
}

export interface WebhookAttemptTable {
  delivery_id: number;
  number: number;
  at: Instant;
  duration_ms: number;
  response_status: number | null;
  response_body: string | null;
  error: string | null;
}

export interface Tables {
  organizations: OrganizationTable;
  workspaces: WorkspaceTable;
  environments: EnvironmentTable;
  marks: MarkTable;
  api_keys: ApiKeyTable;
  sub_tenants: SubTenantTable;
  senders: SenderTable;
  dkim_keys: DkimKeyTable;
  templates: TemplateTable;
  template_versions: TemplateVersionTable;
  contacts: ContactTable;
  suppressions: SuppressionTable;
  messages: MessageTable;
  contents: ContentTable;
  attachments: AttachmentTable;
  blobs: BlobTable;
  message_tags: MessageTagTable;
  idempotency_keys: IdempotencyKeyTable;
  lanes: LaneTable;
  queue: QueueTable;
  attempts: AttemptTable;
  smtp_sessions: SmtpSessionTable;
  overrides: OverrideTable;
  destination_pauses: DestinationPauseTable;
  traffic_state: TrafficStateTable;
  address_rechecks: AddressRecheckTable;
  mta_sts_policies: MtaStsPolicyTable;
  tls_results: TlsResultTable;
  tls_reports: TlsReportTable;
  events: EventTable;
  chains: ChainTable;
  usage: UsageTable;
  webhook_endpoints: WebhookEndpointTable;
  webhook_deliveries: WebhookDeliveryTable;
  webhook_attempts: WebhookAttemptTable;
}
