// Retention of a message: at its end the content and the personal data are deleted, or all but the digests of its events. The
// store knows whether the message is still being worked on.
import type { MessageStatus, MessageType } from '../../contract/names.js';

const DAY_MS = 86_400_000;

export const RETENTION_MODES = ['redact', 'delete'] as const;
export type RetentionMode = (typeof RETENTION_MODES)[number];

/** Retention of a workspace's messages. `days` 0: for ever. */
export interface RetentionTerms {
  days: number;
  mode: RetentionMode;
}

/** The workspace's own word, and the appliance's where it has none. */
export function retentionTerms(
  workspace: { days: number | null; mode: RetentionMode | null },
  appliance: RetentionTerms,
): RetentionTerms {
  return { days: workspace.days ?? appliance.days, mode: workspace.mode ?? appliance.mode };
}

export interface DatedMessage {
  type: MessageType;
  status: MessageStatus;
  /** Epoch ms. */
  createdAt: number;
}

/**
 * `keep`: it is too young. `strip`: all goes but the recipient, who may unsubscribe until `until`; then it is decided again.
 * Times in epoch ms.
 */
export type Retention = { kind: 'keep' | 'strip'; until: number } | { kind: RetentionMode };

/** `terms.days` is at least 1. Mail that bears a link to unsubscribe keeps its recipient for `unsubscribeKeepMs`. */
export function retentionOf(
  message: DatedMessage,
  terms: RetentionTerms,
  { now, unsubscribeKeepMs }: { now: number; unsubscribeKeepMs: number },
): Retention {
  const end = message.createdAt + terms.days * DAY_MS;
  if (now < end) return { kind: 'keep', until: end };
  const hasLink = message.status !== 'received' && message.type !== 'transactional';
  const linkEnd = message.createdAt + unsubscribeKeepMs;
  return hasLink && now < linkEnd ? { kind: 'strip', until: linkEnd } : { kind: terms.mode };
}

/** Before which (epoch ms) something is too old to be kept. */
export function retentionCutoff(terms: RetentionTerms, now: number): number {
  return now - terms.days * DAY_MS;
}
