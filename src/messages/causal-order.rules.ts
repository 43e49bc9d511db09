// The order of a message's timeline: by time, and at the same time the cause before its effect.
import type { MessageTrailEvent } from '../contract/names.js';
import type { AttemptDetail } from './attempt.schema.js';

/** Facts that an explanation adds to the trail. */
type AddedFact = `attempt_${AttemptDetail['outcome']}` | 'suppression_added' | 'destination_pause';
export type TimelineFact = MessageTrailEvent | AddedFact;

const CAUSAL_ORDER: readonly (readonly TimelineFact[])[] = [
  ['queued', 'received'],
  ['approval_requested'],
  ['approval_changed'],
  ['approved', 'rejected', 'approval_expired'],
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

/** Facts that may have been true before the message was accepted. */
const OLDER: readonly TimelineFact[] = ['destination_pause'];

/** An entry, and the time (epoch ms) of its position in the timeline. */
interface Placed<T> {
  entry: T;
  at: number;
}

/**
 * Sorts facts about one message by time. If the clock of a node was behind, an event gets the time of the message's acceptance.
 * Equal facts keep the order in which they were recorded.
 */
export function timelineOf<T>(
  entries: readonly T[],
  read: (entry: T) => { fact: TimelineFact; at: number },
): Placed<T>[] {
  const ranked = entries.map((entry) => {
    const { fact, at: recordedAt } = read(entry);
    return { entry, fact, recordedAt, rank: RANKS.get(fact) ?? CAUSAL_ORDER.length };
  });
  const acceptedAt = Math.min(...ranked.filter(({ rank }) => rank === 0).map((one) => one.recordedAt));
  const start = Number.isFinite(acceptedAt) ? acceptedAt : -Infinity;
  return ranked
    .map((one) => ({
      ...one,
      at: OLDER.includes(one.fact) ? one.recordedAt : Math.max(one.recordedAt, start),
    }))
    .toSorted(
      (a, b) =>
        a.at - b.at ||
        Math.sign(a.rank) - Math.sign(b.rank) ||
        a.recordedAt - b.recordedAt ||
        a.rank - b.rank,
    )
    .map(({ entry, at }) => ({ entry, at }));
}

/** Sorts the audit trail of one message. */
export function trailInCausalOrder<Entry extends { event: string; occurred_at: number }>(
  trail: readonly Entry[],
): Entry[] {
  return timelineOf(trail, ({ event, occurred_at: at }) => ({
    fact: event as MessageTrailEvent, // a message's entries carry no tenant events
    at,
  })).map(({ entry }) => entry);
}
