// The sessions of one path, which its sites share. The pool limits their number and the rate of new ones, and the sites take
// turns. For example, all sites of a hosting provider share the limit of one path.
import { gcraCapacity, gcraNextAt, gcraTake } from '../../lib/rate-limits/index.js';
import type { SessionLimits } from './delivery-plan.rules.js';
import type { Clock } from '../../lib/runtime/index.js';

/** Time (ms) without new sessions after the peer refused one while others were open. Ends early if the limits change. */
const CROWDED_MS = 15_000;

/** A site, as its pool sees it. */
export interface PoolMember {
  /** Whether the site has work for another session. */
  wantsMore(): boolean;
  /** Begins a session, which the pool has already counted. */
  begin(): void;
  /** Ends one idle session, if there is one. */
  endIdle(): boolean;
  /** Aborts the sessions that are being opened. */
  giveUpOpening(): void;
}

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
  /** Members that want a session, in the order of their requests. */
  readonly #wanting = new Set<PoolMember>();

  constructor(limits: SessionLimits, clock: Clock, openedTat: number | null = null) {
    this.#clock = clock;
    this.#limits = limits;
    this.#tat = openedTat;
  }

  get limits(): SessionLimits {
    return this.#limits;
  }

  /** Number of sessions that are open or being opened. */
  get open(): number {
    return this.#open;
  }

  /** State of the connection rate limit (see `gcraTake`); `null` before the first session that it counts. */
  get openedTat(): number | null {
    return this.#tat;
  }

  /** Whether more sessions are open than the limits allow, so that a session must end after its message. */
  get isOver(): boolean {
    return this.#open > this.#limits.connections;
  }

  /** Requests a session for the member. */
  want(member: PoolMember): void {
    this.#wanting.add(member);
    this.#pump();
  }

  /** Reports the end of a session. */
  ended(): void {
    this.#open -= 1;
    // Without open sessions, the number of sessions cannot be the problem.
    if (this.#open === 0) this.#uncrowd();
    this.#pump();
  }

  /** Reports an idle session, which can end in favor of another site's message. */
  idled(): void {
    if (this.#open >= this.#limits.connections) this.#pump();
  }

  /** Reports that the peer refused a session while others were open. */
  crowded(): void {
    this.#crowdedUntil = this.#clock() + CROWDED_MS;
    this.#later(this.#crowdedUntil);
  }

  /** Pauses new sessions and attempts until `free` is called as often, because a refusal may change the limits. */
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

  /** Changes the limits. Idle sessions beyond them end. */
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
      // The member moves to the end, so the next session is another site's.
      this.#wanting.delete(member);
      this.#wanting.add(member);
      this.#open += 1;
      if (this.#limits.connectionRate)
        this.#tat = gcraTake(this.#tat ?? undefined, this.#limits.connectionRate, this.#clock());
      member.begin();
    }
  }

  /** Computes the time (epoch ms) of the next session, or 0 if it can be opened now. */
  #nextOpening(): number {
    const now = this.#clock();
    // A later value means that the clock was set back.
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

  /** Allows new sessions again after a refused one. */
  #uncrowd(): void {
    this.#crowdedUntil = 0;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  /** Ends an idle session of another site, so that a waiting message can be sent. */
  #makeRoom(wanter: PoolMember): void {
    for (const member of this.#members) if (member !== wanter && member.endIdle()) return;
  }

  /** Ends idle sessions beyond the limit. Busy ones end after their message. */
  #shed(): void {
    let excess = this.#open - this.#limits.connections;
    for (const member of this.#members) while (excess > 0 && member.endIdle()) excess -= 1;
  }
}
