// How long delivery of a message is attempted (RFC 5321 section 4.5.4.1).
import type { MessageType } from '../contract/names.js';

export interface Lifetimes {
  queueLifetimeMs: number;
  marketingQueueLifetimeMs: number;
}

/**
 * When (epoch ms) trying ends for a message that was due first at `firstDueAt`; `latest` is the time that the sender
 * gave, if any.
 */
export function expiresAt(input: {
  firstDueAt: number;
  type: MessageType;
  lifetimes: Lifetimes;
  latest?: number | null;
}): number {
  const { firstDueAt, type, lifetimes, latest } = input;
  const { queueLifetimeMs, marketingQueueLifetimeMs } = lifetimes;
  const isShort = type === 'marketing' && marketingQueueLifetimeMs < queueLifetimeMs;
  const end = firstDueAt + (isShort ? marketingQueueLifetimeMs : queueLifetimeMs);
  return Math.min(end, latest ?? end);
}
