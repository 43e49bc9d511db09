// The order of a message's timeline: by time, and at the same time the cause before its effect.
import type { MessageTrailEvent } from '../contract/names.js';
import type { AttemptDetail } from './attempt.schema.js';

/** Facts that an explanation adds to the trail. */
type AddedFact = `attempt_${AttemptDetail['outcome']}` | 'suppression_added' | 'destination_pause';
export type TimelineFact = MessageTrailEvent | AddedFact;

const CAUSAL_ORDER: readonly (readonly TimelineFact[])[] = [
  ['queued', 'received'],
  ['destination_pause', 'rescheduled'],
  ['sending'],
  ['sent'],
  ['attempt_held', 'attempt_deferred', 'attempt_ambiguous', 'deferred'],
  ['attempt_delivered', 'delivered'],
  ['opened'],
  ['clicked'],
  ['attempt_bounced', 'attempt_failed', 'bounced', 'failed', 'complained', 'unsubscribed', 'auto_replied'],
  ['suppression_added', 'suppressed', 'canceled'],
];
const RANKS = new Map(CAUSAL_ORDER.flatMap((facts, rank) => facts.map((fact) => [fact, rank])));

/**
 * Sorts facts about one message. A message's acceptance comes first whatever the clock of its node said; equal facts keep the
 * order in which they were recorded.
 */
export function inCausalOrder<T>(
  entries: readonly T[],
  read: (entry: T) => { fact: TimelineFact; at: number },
): T[] {
  const ranked = entries.map((entry) => {
    const { fact, at } = read(entry);
    return { entry, at, rank: RANKS.get(fact) ?? CAUSAL_ORDER.length };
  });
  return ranked
    .toSorted((a, b) => Math.sign(a.rank) - Math.sign(b.rank) || a.at - b.at || a.rank - b.rank)
    .map(({ entry }) => entry);
}

/** Sorts the audit trail of one message. */
export function trailInCausalOrder<Entry extends { event: string; occurred_at: number }>(
  trail: readonly Entry[],
): Entry[] {
  return inCausalOrder(trail, ({ event, occurred_at: at }) => ({
    fact: event as MessageTrailEvent, // a message's entries carry no tenant events
    at,
  }));
}
