// From the durable queue to the transports: claims what is due, lane by lane, as far as there is room, and hands it over.
import type { Clock } from '../../lib/runtime/clock.js';
import type { Log } from '../../lib/runtime/log.js';
import type { Claim, QueueState, QueueStore } from './queue.store.js';
import { BULK_RANK } from '../shape/in-flight-window.rules.js';
import type { Gate } from './admission.js';
import { createLaneBoard, type LanePick, type Room } from './scheduler.js';

/** With less room than this a claim waits a little for more: few large commits, not many small ones. */
const MIN_ROOM_SHARE = 0.25;
/** It does not wait longer: what is in flight may be stuck at slow destinations. */
const PATIENCE_MS = 20;
/** Bulk mail may take this share of what may be in flight, so that a password mail always finds a free place. */
const BULK_SHARE = 0.8;
const MAX_PER_TURN = 20;
const MAX_SLEEP_MS = 60_000;
const FAULT_PAUSE_MS = 1_000;

/** Takes claimed messages and calls `release` once each when they are settled. */
export type Transport = (claims: Claim[]) => void;

export interface DispatchDeps {
  store: { queue: Pick<QueueStore, 'lanes' | 'claim' | 'moveLeases'> };
  clock: Clock;
  log: Log;
  /** Name in the leases: this process. */
  owner: string;
  settings: {
    claimBatch: number;
    maxInFlight: number;
    leaseMs: number;
    lookMs: number;
  };
  gate: Gate;
  live: Transport;
  sandbox: Transport;
}

export interface Dispatch {
  /** Reads which lanes have mail, then claims until stopped. */
  start(): Promise<void>;
  /** Lanes that have just received mail. */
  ring(queueIds: readonly number[]): void;
  /** A claimed message is settled. */
  release(claim: Claim): void;
  /** The gate may have opened for lanes that it held. */
  reconsider(): void;
  /** Claims nothing more. */
  stop(): Promise<void>;
  /** Extends the leases of what is in flight; to be called well within the lease time. */
  keepLeases(): Promise<void>;
}

export function createDispatch(deps: DispatchDeps): Dispatch {
  const { store, clock, log, settings } = deps;
  const board = createLaneBoard({ gate: deps.gate, maxPerTurn: MAX_PER_TURN });
  let strangers: number[] = [];
  // By claim and not by message: a message may be claimed again before its former claim was released. With its place.
  const inFlight = new Map<Claim, string>();
  let bulkInFlight = 0;
  const maxBulk = Math.max(1, Math.floor(settings.maxInFlight * BULK_SHARE));
  /** When a claim with little room began to wait for more. */
  let waitingSince: number | null = null;
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
    if (waitingSince !== null) {
      timer = setTimeout(wake, PATIENCE_MS);
      return;
    }
    // Without room the next release wakes; the clock would only find the door closed.
    const dueAt = inFlight.size < settings.maxInFlight ? board.nextDueAt() : null;
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

  /** How many to claim now; null while it is better to wait for more room. */
  function room(): Room | null {
    const all = Math.min(settings.claimBatch, settings.maxInFlight - inFlight.size);
    if (all <= 0) return null;
    const isLittle = all < Math.min(settings.claimBatch, settings.maxInFlight * MIN_ROOM_SHARE);
    if (isLittle && inFlight.size > 0) {
      const now = clock();
      waitingSince ??= now;
      // Neither does it wait for a clock that was set back.
      if (now >= waitingSince && now - waitingSince < PATIENCE_MS) return null;
    }
    waitingSince = null;
    return { all, bulk: Math.max(0, Math.min(all, maxBulk - bulkInFlight)) };
  }

  async function claimSome(): Promise<void> {
    if (strangers.length > 0) await meetStrangers();
    const free = room();
    if (!free) return;
    const now = clock();
    const picks = board.pick(free, now);
    if (picks.length === 0) return;
    const { claims, lanes } = await claimFrom(picks, now);
    const byLane = new Map<number, Claim[]>();
    for (const claim of claims) {
      const list = byLane.get(claim.queueId);
      if (list) list.push(claim);
      else byLane.set(claim.queueId, [claim]);
    }
    const dueAts = new Map(lanes.map(({ queueId, dueAt }) => [queueId, dueAt]));
    for (const pick of picks) {
      const taken = byLane.get(pick.queueId) ?? [];
      for (const claim of taken) begin(claim, pick);
      board.claimed(pick, taken.length, dueAts.get(pick.queueId) ?? null, clock());
    }
    const live = claims.filter((claim) => claim.mode === 'live');
    const sandbox = claims.filter((claim) => claim.mode === 'test');
    if (live.length > 0) deps.live(live);
    if (sandbox.length > 0) deps.sandbox(sandbox);
    isRung = true;
  }

  function begin(claim: Claim, { place }: LanePick): void {
    inFlight.set(claim, place);
    if (claim.rank >= BULK_RANK) bulkInFlight += 1;
  }

  async function claimFrom(picks: readonly LanePick[], now: number) {
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
    for (const lane of lanes.sort(byDue)) board.put(lane, lane.dueAt, clock());
    // Nobody should have missed that a gate opened; if somebody did, it costs no longer than this.
    board.reconsider();
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
    ring(queueIds) {
      for (const queueId of queueIds) if (!board.ring(queueId)) strangers.push(queueId);
      wake();
    },
    release(claim) {
      const place = inFlight.get(claim);
      if (place === undefined) return;
      inFlight.delete(claim);
      if (claim.rank >= BULK_RANK) bulkInFlight -= 1;
      board.released(place);
      wake();
    },
    reconsider() {
      board.reconsider();
      wake();
    },
    async stop() {
      isStopped = true;
      if (timer) clearTimeout(timer);
      if (looking) clearInterval(looking);
      await running;
    },
    keepLeases: () => {
      const ids = [...inFlight.keys()].map((claim) => claim.messageId);
      return store.queue.moveLeases(ids, deps.owner, clock() + settings.leaseMs);
    },
  };
}

function byDue(a: QueueState, b: QueueState): number {
  return (a.dueAt ?? Number.MAX_VALUE) - (b.dueAt ?? Number.MAX_VALUE);
}
