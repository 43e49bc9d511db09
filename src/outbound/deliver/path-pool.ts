// The sessions of one path, shared by its sites: how many may be open, how quickly new ones may follow, and which site gets
// the next one. A path with a hundred hosted domains behind one provider has one limit, and the sites take turns.
import { gcraNextAt, gcraCapacity, gcraTake } from '../../lib/runtime/gcra.rules.js';
import type { SessionLimits } from './delivery-plan.rules.js';
import type { Clock } from '../../lib/runtime/clock.js';

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

export interface PathPool {
  readonly limits: SessionLimits;
  /** Sessions open or opening. */
  readonly open: number;
  /** How far the rate of connections is used, as `gcraTake` says it; null: no session was opened under one. */
  readonly openedTat: number | null;
  /** More sessions than the limits allow now: one that comes between two messages is to end. */
  readonly isOver: boolean;
  /** The member has more work than sessions. */
  want(member: PoolMember): void;
  /** A session that `begin` counted has ended. */
  ended(): void;
  /** A session has nothing to do: another site's message may be waiting for its place. */
  idled(): void;
  /** The peer turned a session away while others were open. */
  crowded(): void;
  /** A refusal may change what holds: nothing new begins until as many calls of `free`. */
  hold(): void;
  free(): void;
  readonly isHeld: boolean;
  untilFree(): Promise<void>;
  /** Sets the limits that apply from now on. */
  change(limits: SessionLimits): void;
  join(member: PoolMember): void;
  leave(member: PoolMember): void;
  stop(): void;
}

/** `openedTat`: what was counted of the rate of connections before, here or by another process; null: nothing. */
export function createPathPool(
  initial: SessionLimits,
  clock: Clock,
  openedTat: number | null = null,
): PathPool {
  let limits = initial;
  let open = 0;
  let tat = openedTat;
  let crowdedUntil = 0;
  let timer: NodeJS.Timeout | null = null;
  let isStopped = false;
  let holds = 0;
  const held: (() => void)[] = [];
  const members = new Set<PoolMember>();
  /** In the order of asking. */
  const wanting = new Set<PoolMember>();

  function pump(): void {
    if (holds > 0) return;
    for (const member of wanting) {
      if (isStopped) return;
      if (!member.wantsMore()) {
        wanting.delete(member);
        continue;
      }
      const opensAt = nextOpening();
      if (opensAt > 0) {
        later(opensAt);
        return;
      }
      if (open >= limits.connections) {
        makeRoom(member);
        return;
      }
      // To the end of the line: the next session is another site's.
      wanting.delete(member);
      wanting.add(member);
      open += 1;
      if (limits.connectionRate) tat = gcraTake(tat ?? undefined, limits.connectionRate, clock());
      member.begin();
    }
  }

  /** When a further session may be opened; 0: now. */
  function nextOpening(): number {
    const now = clock();
    // Later than that: the clock was set back.
    if (crowdedUntil > now && crowdedUntil <= now + CROWDED_MS) return crowdedUntil;
    if (!limits.connectionRate || gcraCapacity(tat ?? undefined, limits.connectionRate, now) > 0) return 0;
    return gcraNextAt(tat ?? undefined, limits.connectionRate, now);
  }

  function later(at: number): void {
    timer ??= setTimeout(
      () => {
        timer = null;
        pump();
      },
      Math.max(1, at - clock()),
    ).unref();
  }

  /** Ends the state after a refused session: its cause is over. */
  function uncrowd(): void {
    crowdedUntil = 0;
    if (timer) clearTimeout(timer);
    timer = null;
  }

  /** An idle session of another site is worth less than a message that waits. */
  function makeRoom(wanter: PoolMember): void {
    for (const member of members) if (member !== wanter && member.endIdle()) return;
  }

  /** Ends idle sessions beyond the limit; busy ones see it for themselves after their message. */
  function shed(): void {
    let excess = open - limits.connections;
    for (const member of members) while (excess > 0 && member.endIdle()) excess -= 1;
  }

  return {
    get limits() {
      return limits;
    },
    get open() {
      return open;
    },
    get openedTat() {
      return tat;
    },
    get isOver() {
      return open > limits.connections;
    },
    want(member) {
      wanting.add(member);
      pump();
    },
    ended() {
      open -= 1;
      // None works: it was not their number that a session was turned away for, or there is room now.
      if (open === 0) uncrowd();
      pump();
    },
    idled() {
      if (open >= limits.connections) pump();
    },
    crowded() {
      crowdedUntil = clock() + CROWDED_MS;
      later(crowdedUntil);
    },
    hold: () => void (holds += 1),
    free() {
      holds = Math.max(0, holds - 1);
      if (holds > 0) return;
      for (const goOn of held.splice(0)) goOn();
      pump();
    },
    get isHeld() {
      return holds > 0;
    },
    untilFree: () => (holds === 0 ? Promise.resolve() : new Promise((resolve) => held.push(resolve))),
    change(next) {
      limits = next;
      uncrowd();
      shed();
      if (limits.connections === 0) for (const member of members) member.giveUpOpening();
      pump();
    },
    join: (member) => void members.add(member),
    leave(member) {
      members.delete(member);
      wanting.delete(member);
    },
    stop() {
      isStopped = true;
      if (timer) clearTimeout(timer);
    },
  };
}
