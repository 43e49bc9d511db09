// From the durable queue to the transports: claims what is due, lane by lane, as far as there is room, and hands it over.
import type { Clock } from '../../runtime/clock.js';
import type { Log } from '../../runtime/log.js';
import type { Claim } from '../../store/queue.js';
import type { Store } from '../../store/store.js';
import { createLaneBoard } from './lane-board.js';

/** With less room than this a claim waits for more, unless nothing is in flight: few large commits, not many small ones. */
const MIN_ROOM_SHARE = 0.25;
const MAX_PER_TURN = 20;
const MAX_SLEEP_MS = 60_000;
const FAULT_PAUSE_MS = 1_000;

/** Takes claimed messages and calls `release` once each when they are settled. */
export type Transport = (claims: Claim[]) => void;

export interface DispatchDeps {
  store: Pick<Store, 'queue'>;
  clock: Clock;
  log: Log;
  /** Name in the leases: this process. */
  owner: string;
  settings: {
    claimBatch: number;
    maxInFlight: number;
    maxPerDomain: number;
    leaseMs: number;
    lookMs: number;
  };
  live: Transport;
  sandbox: Transport;
}

export interface Dispatch {
  /** Reads which lanes have mail, then claims until stopped. */
  start(): Promise<void>;
  /** Lanes that have just received mail. */
  ring(laneIds: readonly number[]): void;
  /** A claimed message is settled. */
  release(claim: Claim): void;
  /** Claims nothing more. */
  stop(): Promise<void>;
  /** Extends the leases of what is in flight; to be called well within the lease time. */
  keepLeases(): Promise<void>;
}

export function createDispatch(deps: DispatchDeps): Dispatch {
  const { store, clock, log, settings } = deps;
  const board = createLaneBoard({ maxPerDomain: settings.maxPerDomain, maxPerTurn: MAX_PER_TURN });
  let strangers: number[] = [];
  // By claim and not by message: a message may be claimed again before its former claim was released.
  const inFlight = new Set<Claim>();
  let isStopped = true;
  let timer: NodeJS.Timeout | null = null;
  let looking: NodeJS.Timeout | null = null;
  let running: Promise<void> | null = null;
  let isRung = false;

  function wake(): void {
    if (isStopped) return;
    isRung = true;
    running ??= run().finally(() => {
      running = null;
      sleep();
    });
  }

  function sleep(): void {
    if (isStopped) return;
    if (isRung) {
      wake();
      return;
    }
    if (timer) clearTimeout(timer);
    // Without room the next release wakes; the clock would only find the door closed.
    const dueAt = room() > 0 ? board.nextDueAt() : null;
    if (dueAt !== null) timer = setTimeout(wake, Math.min(Math.max(dueAt - clock(), 1), MAX_SLEEP_MS));
  }

  async function run(): Promise<void> {
    while (isRung && !isStopped) {
      isRung = false;
      try {
        await claimSome();
      } catch (error) {
        log.error({ err: error }, 'claim fault');
        await new Promise((resolve) => setTimeout(resolve, FAULT_PAUSE_MS));
        isRung = true;
      }
    }
  }

  /** How many to claim now; 0 while it is better to wait for more room. */
  function room(): number {
    const free = Math.min(settings.claimBatch, settings.maxInFlight - inFlight.size);
    const least = Math.min(settings.claimBatch, settings.maxInFlight * MIN_ROOM_SHARE);
    return free < least && inFlight.size > 0 ? 0 : Math.max(free, 0);
  }

  async function claimSome(): Promise<void> {
    if (strangers.length > 0) await meetStrangers();
    const limit = room();
    if (limit === 0) return;
    const now = clock();
    const picks = board.pick(limit, now);
    if (picks.length === 0) return;
    const { claims, lanes } = await claimFrom(picks, now);
    const taken = new Map<number, number>();
    for (const claim of claims) taken.set(claim.laneId, (taken.get(claim.laneId) ?? 0) + 1);
    for (const pick of picks) {
      const dueAt = lanes.find((lane) => lane.laneId === pick.laneId)?.dueAt ?? null;
      board.claimed(pick, taken.get(pick.laneId) ?? 0, dueAt, clock());
    }
    for (const claim of claims) inFlight.add(claim);
    const live = claims.filter((claim) => claim.mode === 'live');
    const sandbox = claims.filter((claim) => claim.mode === 'test');
    if (live.length > 0) deps.live(live);
    if (sandbox.length > 0) deps.sandbox(sandbox);
    isRung = true;
  }

  async function claimFrom(picks: ReturnType<typeof board.pick>, now: number) {
    try {
      return await store.queue.claim({ picks, now, leaseUntil: now + settings.leaseMs, owner: deps.owner });
    } catch (error) {
      // The lanes stay due; they are looked at again after the pause.
      for (const pick of picks) board.claimed(pick, 0, now, now);
      throw error;
    }
  }

  async function meetStrangers(): Promise<void> {
    const ids = [...new Set(strangers)];
    strangers = [];
    try {
      for (const lane of await store.queue.lanes(ids)) board.put(lane, lane.dueAt, clock());
    } catch (error) {
      strangers.push(...ids);
      throw error;
    }
  }

  async function look(): Promise<void> {
    const lanes = await store.queue.lanes();
    for (const lane of lanes) board.put(lane, lane.dueAt, clock());
    wake();
  }

  return {
    async start() {
      isStopped = false;
      await look();
      looking = setInterval(() => {
        look().catch((error: unknown) => log.error({ err: error }, 'queue look fault'));
      }, settings.lookMs);
    },
    ring(laneIds) {
      for (const laneId of laneIds) if (!board.ring(laneId)) strangers.push(laneId);
      wake();
    },
    release(claim) {
      if (!inFlight.delete(claim)) return;
      board.released(claim.domain);
      wake();
    },
    async stop() {
      isStopped = true;
      if (timer) clearTimeout(timer);
      if (looking) clearInterval(looking);
      await running;
    },
    keepLeases: () => {
      const ids = [...inFlight].map((claim) => claim.messageId);
      return store.queue.moveLeases(ids, deps.owner, clock() + settings.leaseMs);
    },
  };
}
