// The limit of messages in flight to each group of destinations, which adapts to its speed.
import { createLruCache } from '../../lib/runtime/index.js';
import {
  firstInFlight,
  inFlightReturned,
  inFlightRoom,
  inFlightSettled,
  type InFlightSettings,
  type InFlightWindow,
} from './in-flight-window.rules.js';
import type { Capacity, Hold, Limit } from './limit.js';

/** A forgotten group starts again with a small window. */
const MAX_GROUPS = 20_000;

interface InFlightSubject {
  group: string;
  rank: number;
  /** A fixed number that replaces the group's window. `null` uses the window. */
  most: number | null;
}

export class InFlightLimit implements Limit<InFlightSubject> {
  readonly name = 'in-flight window';
  readonly #settings: InFlightSettings;
  readonly #counts = new Map<string, number>();
  readonly #windows = createLruCache<string, InFlightWindow>(MAX_GROUPS);

  constructor(settings: InFlightSettings) {
    this.#settings = settings;
  }

  check({ group, rank, most }: InFlightSubject): Capacity {
    const inFlight = this.count(group);
    const capacity =
      most === null
        ? inFlightRoom(this.#findWindow(group), { inFlight, rank }, this.#settings)
        : most - inFlight;
    if (capacity > 0) return { kind: 'open', capacity };
    const detail =
      most === null
        ? `${inFlight} messages are currently being delivered there.`
        : 'The first messages are currently being delivered there.';
    return { kind: 'closed', reason: { code: 'concurrency_limited', until: null, detail } };
  }

  /** The slots of the group are free again when the messages end, sent or not. */
  reserve({ group }: Pick<InFlightSubject, 'group'>, count: number): Hold {
    this.#counts.set(group, this.count(group) + count);
    return (ended) => {
      const left = this.count(group) - ended;
      if (left > 0) this.#counts.set(group, left);
      else this.#counts.delete(group);
      // Wakes queues that wait for a slot one by one. The limit holds none of them.
      return false;
    };
  }

  count(group: string): number {
    return this.#counts.get(group) ?? 0;
  }

  /** Notes an answer of the peer, `tookMs` after the message was planned. */
  answered(group: string, tookMs: number): void {
    this.#windows.set(group, inFlightSettled(this.#findWindow(group), tookMs, this.#settings));
  }

  /** Notes that a message got no session or reached no server. */
  returned(group: string): void {
    this.#windows.set(group, inFlightReturned(this.#findWindow(group), this.#settings));
  }

  #findWindow(group: string): InFlightWindow {
    return this.#windows.get(group) ?? firstInFlight(this.#settings);
  }
}
