// Check before a claim: how many messages of a queue may go now. The others stay in the queue, in their order and with their
// counters; none is dropped.
import type { Claim, QueueKey, ThrottleRow } from './queue.store.js';
import type { LimitReason } from '../explain/explain-facts.rules.js';
import type { Reservation } from '../shape/limit.js';
import type { Track } from '../shape/feedback.js';

export type Admitted =
  /** At most `capacity` (1 or more), counted in `group` until their outcomes are durable. */
  | { kind: 'open'; capacity: number; group: string }
  /** As many as may be are in flight to the group: asked again when one of them ends. */
  | { kind: 'at_limit'; group: string; reason: LimitReason }
  /** Not before `reason.until` (epoch ms); null: not before a limit wakes the scheduler. */
  | { kind: 'closed'; reason: LimitReason }
  /** Another node delivers its mail: not before paths come to this one. */
  | { kind: 'elsewhere' };

export interface Admission {
  check(queue: QueueKey, now: number): Admitted;
  /** Reserves for messages that are about to be claimed. */
  reserve(queue: QueueKey, group: string, count: number): Reservation;
  /** A rate that the store counts when the queue is claimed from, since other nodes use it too; null: none. Absent: none is shared. */
  sharedThrottleOf?(queue: QueueKey): ThrottleRow | null;
  /** The store has counted. */
  throttleCounted?(key: string, tat: number): void;
}

/** A claimed message until its outcome is durable. */
export interface InFlight {
  readonly claim: Claim;
  readonly reservation: Reservation;
  /** The path that it was planned for; null until then. */
  track: Track | null;
}
