// A limit on outgoing messages, and reservations of messages in flight.
import type { LimitReason } from '../explain/explain-facts.rules.js';

export type Capacity =
  /** `capacity`: messages that may go, 1 or more; Infinity: any number. */
  | { kind: 'open'; capacity: number; isDoubtful?: boolean }
  /**
   * No message may be sent before `reason.until`, or, if that is null, before the limit opens and reports it. `isSourceDown`: the
   * source cannot send to any destination, which is a reason to take another route. `isElsewhere`: another node sends them.
   */
  | { kind: 'closed'; reason: LimitReason; isSourceDown?: boolean; isElsewhere?: boolean };

export const UNLIMITED: Capacity = { kind: 'open', capacity: Infinity };

/**
 * Releases `count` of the reserved messages. `isSent` if they were attempted, so their use of a rate counts. Returns true if queues
 * that the limit holds may now continue.
 */
export type Hold = (count: number, isSent: boolean) => boolean;

export interface Limit<Subject> {
  readonly name: string;
  check(subject: Subject, now: number): Capacity;
  /** Counts `count` messages. Returns `null` if the limit does not count these messages, so there is nothing to release. */
  reserve(subject: Subject, count: number, now: number): Hold | null;
}

/** Result of several limits: the smallest capacity, or the first that is closed. */
export function checkAll<Subject>(
  limits: readonly Limit<Subject>[],
  subject: Subject,
  now: number,
): Capacity {
  let capacity = Infinity;
  let isDoubtful = false;
  for (const limit of limits) {
    const found = limit.check(subject, now);
    if (found.kind === 'closed') return found;
    if (found.capacity < capacity) capacity = found.capacity;
    if (found.isDoubtful === true) isDoubtful = true;
  }
  return capacity === Infinity && !isDoubtful ? UNLIMITED : { kind: 'open', capacity, isDoubtful };
}

/** Reserves capacity of each limit that counts the subject. */
export function reserveAll<Subject>(
  limits: readonly Limit<Subject>[],
  subject: Subject,
  count: number,
  now: number,
): Hold[] {
  const holds: Hold[] = [];
  for (const limit of limits) {
    const hold = limit.reserve(subject, count, now);
    if (hold) holds.push(hold);
  }
  return holds;
}

/** Capacity reserved by messages in flight. It is released once, regardless of the outcome. */
export class Reservation {
  /** The destination group that they are counted in. */
  readonly group: string;
  #holds: readonly Hold[];
  #count: number;

  constructor(group: string, holds: readonly Hold[], count: number) {
    this.group = group;
    this.#holds = holds;
    this.#count = count;
  }

  /** Number of messages not yet released or split off. */
  get count(): number {
    return this.#count;
  }

  /** Splits off the reservation of one message. */
  split(): Reservation {
    if (this.#count < 1) throw new Error('a reservation has no message left');
    this.#count -= 1;
    return new Reservation(this.group, this.#holds, 1);
  }

  /** Adds capacity that was reserved when the message's path was chosen. */
  add(holds: readonly Hold[]): void {
    this.#holds = [...this.#holds, ...holds];
  }

  /** Releases the rest. Calling it again has no effect. Returns true if queues that a limit holds may now continue. */
  release(isSent: boolean): boolean {
    const count = this.#count;
    this.#count = 0;
    if (count === 0) return false;
    let mayOpen = false;
    for (const hold of this.#holds) mayOpen = hold(count, isSent) || mayOpen;
    return mayOpen;
  }
}
