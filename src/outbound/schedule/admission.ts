// What the queue asks before it claims: how many messages of a lane may go now. What may not go is left where it is, in
// its order and with its counters; it is never dropped.
import type { QueueKey } from './queue.store.js';

export type Allowance =
  /** At most `room` (1 or more). Their place is counted until they are settled. */
  | { kind: 'go'; room: number; place: string }
  /** As many as may be are on their way to this place: ask again when one of them is settled. */
  | { kind: 'full'; place: string }
  /** Not before `until` (epoch ms); null: not before `reconsider` says so. */
  | { kind: 'closed'; until: number | null };

export interface Gate {
  allow(lane: QueueKey, now: number): Allowance;
  /** So many of the lane's messages are about to be claimed. */
  take(lane: QueueKey, place: string, count: number): void;
  /** So many of those were not there. */
  unused(lane: QueueKey, count: number): void;
  /** So many were not there, or are settled. */
  giveBack(place: string, count: number): void;
}
