// Slots to compose and sign in a delivery thread: its CPU goes to the lowest rank first. Without them each of some hundred
// sessions has its bulk message half prepared, and a password mail waits for all of them.
import type { Clock } from '../../lib/runtime/index.js';
import { BULK_RANK } from '../../messages/queue-rank.rules.js';
import { nextSlots, PREPARE_SLOT_DEFAULTS, type PrepareSlotSettings } from './prepare-slots.rules.js';

/** Waiting messages get slots when this share is free: their rows are read together. */
const BATCH_SHARE = 0.25;

/** A request for a slot, and then the slot. To be released once. */
export interface PrepareSlot {
  rank: number;
  /** Resolves when the slot is free for it; null: at once. */
  readonly ready: Promise<void> | null;
}

interface Ticket extends PrepareSlot {
  ready: Promise<void> | null;
  state: 'waiting' | 'used' | 'released';
  resolve: () => void;
  /** Counted as bulk mail, since it had this rank when it got the slot. */
  isBulk: boolean;
  /** Milliseconds of the clock when it got the slot; null: not all slots were in use then, so it says nothing of their number. */
  since: number | null;
}

export class PrepareSlots {
  readonly #clock: Clock;
  readonly #settings: PrepareSlotSettings;
  #slots: number;
  /** By rank; a ticket that got a lower rank stays in its former list too, and is passed over there. */
  readonly #waiting: (Ticket[] | undefined)[] = [];
  #bulk = 0;
  #urgent = 0;
  #isFillDue = false;

  constructor(clock: Clock, settings: PrepareSlotSettings = PREPARE_SLOT_DEFAULTS) {
    this.#clock = clock;
    this.#settings = settings;
    this.#slots = settings.start;
  }

  /** Messages that may be prepared at once. Transactional mail may use as many besides: bulk mail never makes it wait. */
  get size(): number {
    return Math.floor(this.#slots);
  }

  /** Asks for a slot. It is free at once unless as many are in use, or others wait. */
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

  /** A message of a lower rank is to have the slot that was asked for. */
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

  /** The first ticket that waits in this rank; those before it are dropped. */
  #first(list: Ticket[] | undefined, rank: number): Ticket | undefined {
    while (list?.[0] && (list[0].state !== 'waiting' || list[0].rank !== rank)) list.shift();
    return list?.[0];
  }

  /** Once for all slots that become free in a turn of the event loop. */
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
