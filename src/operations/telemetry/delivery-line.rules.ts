// Lines of the delivery log: one for each delivery attempt, for each message that ended without one, and for each inbound mail;
// and where lines were lost. docs/monitoring/logs-and-traces.md names every field; a test compares.
import type { AttemptAbout, AttemptDetail } from '../../messages/attempt.schema.js';
import { addressDomain } from '../../lib/mime/index.js';

interface LineOptions {
  /** Whole addresses; false: their domains alone. */
  hasAddresses: boolean;
}

interface AttemptFacts {
  about: AttemptAbout;
  /** Epoch ms at which its outcome was known. */
  at: number;
  /** From 1. */
  number: number;
  sessionId: string | null;
  /** Of a campaign's copy, which names its recipient after a restore; null of other mail. */
  recipientHash: string | null;
}

/** JSON without a line end. */
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
  /** Of its event. */
  actor: string;
  /** Epoch ms. */
  at: number;
}

/** JSON without a line end. */
export function endedLine({ publicId, outcome, actor, at }: EndedMessage): string {
  return JSON.stringify({
    time: new Date(at).toISOString(),
    event: 'ended',
    message_id: publicId,
    outcome,
    actor,
  });
}

/** Returns the line that marks lost lines, as JSON without a line end. `lines` is `null` if their number is not known. */
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
  /** From its arrival to its outcome. */
  durationMs: number;
  /** The message that it became or belongs to, or `null`. */
  messageId: string | null;
}

/** JSON without a line end. */
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
