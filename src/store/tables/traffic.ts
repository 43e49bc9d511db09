// The tables of what is known of the peers: limits, pauses, limiters, TLS policies and results.
import type { Instant, Json } from './columns.js';

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
