// Slots for composing and signing in a delivery thread, given to the lowest rank first. Without them hundreds of sessions
// would prepare bulk messages at the same time, and a password reset would wait for all of them.
import type { Clock } from '../../lib/runtime/index.js';
import { BULK_RANK } from '../../messages/queue-rank.rules.js';

/**
 * Number of messages that a delivery thread composes and signs at once. By Little's law, with as many as it finishes in the
 * target time, an urgent message waits no longer than that time, however slow the machine is.
 */
interface PrepareSlotSettings {
  start: number;
  /** Enough messages to keep the signing threads busy. */
  min: number;
  max: number;
  /** Target time (ms) from getting a slot to the signed message, while all slots are in use. */
  targetMs: number;
}

export const PREPARE_SLOT_DEFAULTS: PrepareSlotSettings = { start: 16, min: 6, max: 64, targetMs: 25 };

/** Weight of the last measurement, so that a single slow message has little effect. */
const WEIGHT = 0.05;

/** Computes the number of slots, as a fraction, after a message took `tookMs` while all `slots` were in use. */
export function nextSlots(slots: number, tookMs: number, settings: PrepareSlotSettings): number {
  const { min, max, targetMs } = settings;
  // Limits the effect of a stalled thread and of a cached message.
  const factor = Math.min(Math.max(targetMs / Math.max(tookMs, 1), 0.5), 2);
  return Math.min(Math.max(slots + WEIGHT * slots * (factor - 1), min), max);
}

/** Share of the slots that must be free before bulk messages get them, so that the rows of several are read together. */
const BATCH_SHARE = 0.25;

/** A requested slot. Release it once. */
export interface PrepareSlot {
  rank: number;
  /** Resolves when the slot can be used; `null` if it can be used immediately. */
  readonly ready: Promise<void> | null;
}

interface Ticket extends PrepareSlot {
  ready: Promise<void> | null;
  state: 'waiting' | 'used' | 'released';
  resolve: () => void;
  /** Whether the rank was that of bulk mail when the ticket got its slot. */
  isBulk: boolean;
  /** Epoch ms at which it got the slot; `null` if slots were free then, so that its time must not change their number. */
  since: number | null;
}

export class PrepareSlots {
  readonly #clock: Clock;
  readonly #settings: PrepareSlotSettings;
  #slots: number;
  /** Tickets by rank. A ticket whose rank was lowered remains in its previous list and is skipped there. */
  readonly #waiting: (Ticket[] | undefined)[] = [];
  #bulk = 0;
  #urgent = 0;
  #isFillDue = false;

  constructor(clock: Clock, settings: PrepareSlotSettings = PREPARE_SLOT_DEFAULTS) {
    this.#clock = clock;
    this.#settings = settings;
    this.#slots = settings.start;
  }

  /** Number of slots for bulk mail. Transactional mail has as many in addition, so it never waits for bulk mail. */
  get size(): number {
    return Math.floor(this.#slots);
  }

  /** Requests a slot, which can be used immediately if one is free and no other request of this or a lower rank waits. */
  request(rank: number): PrepareSlot {
    const ticket: Ticket = {
      rank,
      ready: null,
      state: 'waiting',
      isBulk: false,
      since: null,
      resolve: () => undefined,
    };
    if (!this.#hasWaiting(rank) && this.#free(rank) > 0) {
      this.#use(ticket);
      return ticket;
    }
    ticket.ready = new Promise((resolve) => (ticket.resolve = resolve));
    this.#findTickets(rank).push(ticket);
    return ticket;
  }

  /** Lowers the rank of a requested slot. */
  hurry(slot: PrepareSlot, rank: number): void {
    const ticket = slot as Ticket; // all slots are made by `request`
    if (ticket.state !== 'waiting' || rank >= ticket.rank) return;
    ticket.rank = rank;
    this.#findTickets(rank).push(ticket);
    this.#soon();
  }

  release(slot: PrepareSlot): void {
    const ticket = slot as Ticket; // all slots are made by `request`
    const { state } = ticket;
    ticket.state = 'released';
    if (state !== 'used') return;
    if (ticket.isBulk) this.#bulk -= 1;
    else this.#urgent -= 1;
    if (ticket.since !== null)
      this.#slots = nextSlots(this.#slots, this.#clock() - ticket.since, this.#settings);
    this.#soon();
  }

  #free(rank: number): number {
    return this.size - (rank >= BULK_RANK ? this.#bulk + this.#urgent : this.#urgent);
  }

  #use(ticket: Ticket): void {
    ticket.state = 'used';
    ticket.isBulk = ticket.rank >= BULK_RANK;
    if (ticket.isBulk) this.#bulk += 1;
    else this.#urgent += 1;
    ticket.since = this.#bulk + this.#urgent >= this.size ? this.#clock() : null;
  }

  #findTickets(rank: number): Ticket[] {
    return (this.#waiting[rank] ??= []);
  }

  #hasWaiting(upTo: number): boolean {
    return this.#waiting.some((list, rank) => rank <= upTo && this.#first(list, rank) !== undefined);
  }

  /** Finds the first waiting ticket of the rank, and drops those before it. */
  #first(list: Ticket[] | undefined, rank: number): Ticket | undefined {
    while (list?.[0] && (list[0].state !== 'waiting' || list[0].rank !== rank)) list.shift();
    return list?.[0];
  }

  /** Schedules one `#fill` for all slots that become free in this turn of the event loop. */
  #soon(): void {
    if (this.#isFillDue) return;
    this.#isFillDue = true;
    setImmediate(() => {
      this.#isFillDue = false;
      this.#fill();
    });
  }

  #fill(): void {
    for (const [rank, list] of this.#waiting.entries()) {
      const isBulk = rank >= BULK_RANK;
      if (isBulk && this.#free(rank) < Math.floor(this.size * BATCH_SHARE)) return;
      for (let next = this.#first(list, rank); next && this.#free(rank) > 0; next = this.#first(list, rank)) {
        this.#use(next);
        next.resolve();
      }
    }
  }
}
