// The sessions of one path, shared by its sites: how many may be open, how quickly new ones may follow, and which site gets
// the next one. A path with a hundred hosted domains behind one provider has one limit, and the sites take turns.
import { gcraCapacity, gcraNextAt, gcraTake } from '../../lib/rate-limits/index.js';
import type { SessionLimits } from './delivery-plan.rules.js';
import type { Clock } from '../../lib/runtime/index.js';

/** After a session was turned away while others work, no more are asked for during this time, unless the limits change. */
const CROWDED_MS = 15_000;

/** A site, as its pool sees it. */
export interface PoolMember {
  /** Whether another session would have work. */
  wantsMore(): boolean;
  /** Begins a session; the pool has counted it already. */
  begin(): void;
  /** Ends one idle session, if there is one. */
  endIdle(): boolean;
  /** Gives up the sessions that are being opened. */
  giveUpOpening(): void;
}

/** `openedTat`: what was counted of the rate of connections before, here or by another process; null: nothing. */
export class PathPool {
  readonly #clock: Clock;
  #limits: SessionLimits;
  #open = 0;
  #tat: number | null;
  #crowdedUntil = 0;
  #timer: NodeJS.Timeout | null = null;
  #isStopped = false;
  #holds = 0;
  readonly #held: (() => void)[] = [];
  readonly #members = new Set<PoolMember>();
  /** In the order of asking. */
  readonly #wanting = new Set<PoolMember>();

  constructor(limits: SessionLimits, clock: Clock, openedTat: number | null = null) {
    this.#clock = clock;
    this.#limits = limits;
    this.#tat = openedTat;
  }

  get limits(): SessionLimits {
    return this.#limits;
  }

  /** Sessions open or opening. */
  get open(): number {
    return this.#open;
  }

  /** How far the rate of connections is used, as `gcraTake` says it; null: no session was opened under one. */
  get openedTat(): number | null {
    return this.#tat;
  }

  /** More sessions than the limits allow now: one that comes between two messages is to end. */
  get isOver(): boolean {
    return this.#open > this.#limits.connections;
  }

  /** The member has more work than sessions. */
  want(member: PoolMember): void {
    this.#wanting.add(member);
    this.#pump();
  }

  /** A session that `begin` counted has ended. */
  ended(): void {
    this.#open -= 1;
    // None works: it was not their number that a session was turned away for, or there is room now.
    if (this.#open === 0) this.#uncrowd();
    this.#pump();
  }

  /** A session has nothing to do: another site's message may be waiting for its place. */
  idled(): void {
    if (this.#open >= this.#limits.connections) this.#pump();
  }

  /** The peer turned a session away while others were open. */
  crowded(): void {
    this.#crowdedUntil = this.#clock() + CROWDED_MS;
    this.#later(this.#crowdedUntil);
  }

  /** A refusal may change what holds: nothing new begins until as many calls of `free`. */
  hold(): void {
    this.#holds += 1;
  }

  free(): void {
    this.#holds = Math.max(0, this.#holds - 1);
    if (this.#holds > 0) return;
    for (const goOn of this.#held.splice(0)) goOn();
    this.#pump();
  }

  get isHeld(): boolean {
    return this.#holds > 0;
  }

  untilFree(): Promise<void> {
    return this.#holds === 0 ? Promise.resolve() : new Promise((resolve) => this.#held.push(resolve));
  }

  /** Sets the limits that apply from now on. */
  change(next: SessionLimits): void {
    this.#limits = next;
    this.#uncrowd();
    this.#shed();
    if (this.#limits.connections === 0) for (const member of this.#members) member.giveUpOpening();
    this.#pump();
  }

  join(member: PoolMember): void {
    this.#members.add(member);
  }

  leave(member: PoolMember): void {
    this.#members.delete(member);
    this.#wanting.delete(member);
  }

  stop(): void {
    this.#isStopped = true;
    if (this.#timer) clearTimeout(this.#timer);
  }

  #pump(): void {
    if (this.#holds > 0) return;
    for (const member of this.#wanting) {
      if (this.#isStopped) return;
      if (!member.wantsMore()) {
        this.#wanting.delete(member);
        continue;
      }
      const opensAt = this.#nextOpening();
      if (opensAt > 0) {
        this.#later(opensAt);
        return;
      }
      if (this.#open >= this.#limits.connections) {
        this.#makeRoom(member);
        return;
      }
      // To the end of the line: the next session is another site's.
      this.#wanting.delete(member);
      this.#wanting.add(member);
      this.#open += 1;
      if (this.#limits.connectionRate)
        this.#tat = gcraTake(this.#tat ?? undefined, this.#limits.connectionRate, this.#clock());
      member.begin();
    }
  }

  /** When a further session may be opened; 0: now. */
  #nextOpening(): number {
    const now = this.#clock();
    // Later than that: the clock was set back.
    if (this.#crowdedUntil > now && this.#crowdedUntil <= now + CROWDED_MS) return this.#crowdedUntil;
    if (
      !this.#limits.connectionRate ||
      gcraCapacity(this.#tat ?? undefined, this.#limits.connectionRate, now) > 0
    )
      return 0;
    return gcraNextAt(this.#tat ?? undefined, this.#limits.connectionRate, now);
  }

  #later(at: number): void {
    this.#timer ??= setTimeout(
      () => {
        this.#timer = null;
        this.#pump();
      },
      Math.max(1, at - this.#clock()),
    ).unref();
  }

  /** Ends the state after a refused session: its cause is over. */
  #uncrowd(): void {
    this.#crowdedUntil = 0;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  /** An idle session of another site is worth less than a message that waits. */
  #makeRoom(wanter: PoolMember): void {
    for (const member of this.#members) if (member !== wanter && member.endIdle()) return;
  }

  /** Ends idle sessions beyond the limit; busy ones see it for themselves after their message. */
  #shed(): void {
    let excess = this.#open - this.#limits.connections;
    for (const member of this.#members) while (excess > 0 && member.endIdle()) excess -= 1;
  }
}
