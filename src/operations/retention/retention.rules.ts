// Decides what remains of a message when its retention ends: its row without content and personal data, or only the digests of
// its events. The store knows whether the message is still in progress.
import type { MessageStatus, MessageType } from '../../contract/names.js';

const DAY_MS = 86_400_000;

export const RETENTION_MODES = ['redact', 'delete'] as const;
export type RetentionMode = (typeof RETENTION_MODES)[number];

/** Retention of a workspace's messages. `days` is 0 for unlimited. */
export interface RetentionTerms {
  days: number;
  mode: RetentionMode;
}

/** Returns the workspace's terms, or the server's if it has none. */
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
 * `keep` if it is too young. `strip` removes everything but the recipient, who may unsubscribe until `until`, when it is decided
 * again. Times are in epoch ms.
 */
export type Retention = { kind: 'keep' | 'strip'; until: number } | { kind: RetentionMode };

/** Decides what to retain of a message. `terms.days` is at least 1. Mail with an unsubscribe link keeps its recipient for `unsubscribeKeepMs`. */
export function decideRetention(
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

/** Returns the time (epoch ms) before which records are too old to keep. */
export function retentionCutoff(terms: RetentionTerms, now: number): number {
  return now - terms.days * DAY_MS;
}
