// Decides before a claim how many messages of a queue may be sent now. The others stay in the queue in their order.
import type { Claim, QueueKey, ThrottleRow } from './queue.store.js';
import type { LimitReason } from '../explain/explain-facts.rules.js';
import type { Reservation } from '../shape/limit.js';
import type { Track } from '../shape/feedback.js';

export type Admitted =
  /** At most `capacity` (1 or more), counted in `group` until their outcomes are durable. */
  | { kind: 'open'; capacity: number; group: string }
  /** The group has its maximum of messages in flight. The queue is checked again when one of them ends. */
  | { kind: 'at_limit'; group: string; reason: LimitReason }
  /** Closed until `reason.until` (epoch ms), or until a limit wakes the scheduler if that is `null`. */
  | { kind: 'closed'; reason: LimitReason }
  /** Another node delivers the mail, until paths come to this node. */
  | { kind: 'elsewhere' };

export interface Admission {
  check(queue: QueueKey, now: number): Admitted;
  /** Reserves for messages that are about to be claimed. */
  reserve(queue: QueueKey, group: string, count: number): Reservation;
  /** A rate that each claim counts in the store because nodes share it; `null` for none. Absent if no rate is shared. */
  sharedThrottleOf?(queue: QueueKey): ThrottleRow | null;
  /** Called with the state of a shared rate after the store has counted. */
  throttleCounted?(key: string, tat: number): void;
}

/** A claimed message until its outcome is durable. */
export interface InFlight {
  readonly claim: Claim;
  readonly reservation: Reservation;
  /** The path that it was planned for; null until then. */
  track: Track | null;
}
