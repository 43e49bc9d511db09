// The state of a message for a reader: its status, corrected by the outcome of its latest delivery attempt.
import type { Message } from '@mailkeel/sdk';

/** The status of a message and its latest attempt, as in lists and on the message's page. */
export type MessageProgress = Pick<Message, 'status' | 'last_attempt'>;

export interface MessageState {
  /** A status or an outcome; statuses.ts has its word. */
  word: string;
  tone: 'good' | 'warn' | 'busy' | null;
  /** The next attempt, while the message waits for it. */
  next: { number: number; at: string } | null;
}

/** Statuses that a message has before its delivery has ended. */
const UNDECIDED: readonly string[] = ['queued', 'sending', 'sent'];

/** `tone` is null if the status alone decides it. */
export function messageState({ status, last_attempt: last }: MessageProgress): MessageState {
  if (!UNDECIDED.includes(status)) return { word: status, tone: null, next: null };
  if (last === null) return { word: status, tone: 'busy', next: null };
  if (last.outcome === 'delivered') return { word: status, tone: 'good', next: null };
  const next =
    last.next_attempt_at === null ? null : { number: last.number + 1, at: last.next_attempt_at };
  // A message in doubt is retried only if the policy for its type says so.
  const word = last.outcome === 'ambiguous' && next === null ? 'ambiguous' : 'deferred';
  return { word: last.outcome === 'held' ? 'held' : word, tone: 'warn', next };
}

/** Whether a mail server has accepted the message. */
export function isHandedOver({ status, last_attempt: last }: MessageProgress): boolean {
  return last?.outcome === 'delivered' || ['delivered', 'opened', 'clicked'].includes(status);
}
