// Lines of the delivery log: one for each delivery attempt, for each message that ended without an attempt, and for each inbound
// message; and one for dropped lines. docs/monitoring/logs-and-traces.md describes every field, which a test checks.
import type { AttemptAbout, AttemptDetail } from '../../messages/attempt.schema.js';
import { addressDomain } from '../../lib/mime/index.js';

interface LineOptions {
  /** True for complete addresses, false for domains only. */
  hasAddresses: boolean;
}

interface AttemptFacts {
  about: AttemptAbout;
  /** Epoch ms of the outcome. */
  at: number;
  /** Counted from 1. */
  number: number;
  sessionId: string | null;
  /** Hash of the recipient of a campaign's copy, which identifies it after a restore. `null` for other mail. */
  recipientHash: string | null;
}

/** Returns JSON without a line break. */
export function attemptLine(
  { about, at, number, sessionId, recipientHash }: AttemptFacts,
  detail: AttemptDetail,
  { hasAddresses }: LineOptions,
): string {
  const { tls } = detail;
  return JSON.stringify({
    time: new Date(at).toISOString(),
    event: 'attempt',
    message_id: about.publicId,
    tenant_id: about.subTenantId,
    mode: about.mode,
    campaign_id: about.campaignId,
    recipient_hash: recipientHash,
    ...(hasAddresses ? { to: about.toEmail } : {}),
    destination: about.domain,
    attempt: number,
    outcome: detail.outcome,
    provider: about.provider,
    source: detail.source,
    via: detail.via,
    host: detail.host,
    address: detail.address,
    tls_version: tls?.version ?? null,
    tls_cipher: tls?.cipher ?? null,
    tls_verified: tls?.verified ?? null,
    tls_policy: detail.tls_policy ?? null,
    phase: detail.phase,
    code: detail.code,
    enhanced_code: detail.enhanced_code,
    category: detail.category,
    duration_ms: detail.duration_ms,
    size_bytes: about.sizeBytes,
    retry_at: detail.next_attempt_at,
    session_id: sessionId,
    traceparent: about.traceparent,
  });
}

export interface EndedMessage {
  publicId: string;
  outcome: 'canceled' | 'expired' | 'failed' | 'suppressed';
  /** Actor of the event. */
  actor: string;
  /** Epoch ms. */
  at: number;
}

/** Returns JSON without a line break. */
export function endedLine({ publicId, outcome, actor, at }: EndedMessage): string {
  return JSON.stringify({
    time: new Date(at).toISOString(),
    event: 'ended',
    message_id: publicId,
    outcome,
    actor,
  });
}

/** Returns the line for dropped lines, as JSON without a line break. `lines` is `null` if their number is unknown. */
export function gapLine(lines: number | null, at: number): string {
  return JSON.stringify({ time: new Date(at).toISOString(), event: 'gap', lines });
}

interface InboundFacts {
  at: number;
  /** ID of the row. */
  id: number;
  kind: string;
  outcome: string;
  mailFrom: string;
  rcptTo: string;
  client: { address: string; helo: string; tls: string | null };
  sizeBytes: number;
  /** Time from arrival to outcome. */
  durationMs: number;
  /** The message that the mail became or belongs to, or `null`. */
  messageId: string | null;
}

/** Returns JSON without a line break. */
export function inboundLine(facts: InboundFacts, { hasAddresses }: LineOptions): string {
  const { mailFrom, rcptTo, client } = facts;
  return JSON.stringify({
    time: new Date(facts.at).toISOString(),
    event: 'inbound',
    inbound_id: facts.id,
    message_id: facts.messageId,
    ...(hasAddresses ? { from: mailFrom, to: rcptTo } : {}),
    sender_domain: mailFrom === '' ? null : addressDomain(mailFrom),
    destination: addressDomain(rcptTo),
    kind: facts.kind,
    outcome: facts.outcome,
    address: client.address,
    helo: client.helo,
    tls_version: client.tls,
    duration_ms: facts.durationMs,
    size_bytes: facts.sizeBytes,
  });
}
