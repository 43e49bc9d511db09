// What holds a sub-tenant's mail back whatever its destination: so many messages an hour, one after the other in their
// order, or none at all. Each environment stands for itself.
import {
  gcraGiveBack,
  gcraNextAt,
  gcraRoom,
  gcraTake,
  type RateLimit,
} from '../../lib/runtime/gcra.rules.js';
import type { Restriction } from '../../tenants/reputation/reputation.store.js';
import type { StateKeeper } from './persisted-counters.js';

const HOUR_MS = 3_600_000;
/** Up to one in a second it is written down of each message; of faster ones once a second. */
const SLOW_PER_HOUR = 3_600;

/** Whose messages. */
export interface Sender {
  environmentId: number;
  /** '' is the workspace's own mail, which nothing here holds back. */
  subTenantKey: string;
}

/** Why a sub-tenant sends nothing; both may hold at once. */
export type StopCause = 'paused' | 'suspended';
/** Who set a limit: its owner, or the sweep for its reputation. The lower one is in force. */
export type LimitCause = 'owner' | 'reputation';

export interface Throttles {
  /** Why the sender's mail stands still; null: it does not. */
  stopped(sender: Sender): StopCause | null;
  /** Messages that may go now; null: any number. */
  room(sender: Sender, now: number): { room: number; until: number; perHour: number; by: LimitCause } | null;
  take(sender: Sender, now: number, count: number): void;
  /** False when nothing holds the sender back. */
  giveBack(sender: Sender, count: number): boolean;
  /** Most messages an hour, for one of two causes; null: no limit for that cause. */
  limit(environmentId: number, tenantId: string, cause: LimitCause, perHour: number | null): void;
  /** Closes for one cause, or takes that cause back. */
  stop(environmentId: number, tenantId: string, cause: StopCause, isStopped: boolean): void;
  /** The sub-tenant is gone: its mail goes through, to be failed. */
  forget(tenantId: string): void;
  /** Reads what the rows say and puts it in force, but for what was told while it read. True when something changed. */
  align(read: () => Promise<readonly Restriction[]>): Promise<boolean>;
}

interface Hold {
  environmentId: number;
  tenantId: string;
  owner: RateLimit | null;
  reputation: RateLimit | null;
  isPaused: boolean;
  isSuspended: boolean;
}

export interface ThrottleOptions {
  initial: readonly Restriction[];
  keeper: StateKeeper;
  /** Messages that a sub-tenant with a bad reputation may send in any hour. */
  reputationPerHour: number;
}

export function createThrottles({ initial, keeper, reputationPerHour }: ThrottleOptions): Throttles {
  const holds = new Map<string, Hold>();
  /** For each alignment that reads just now: what was told meanwhile. */
  const readings = new Set<Set<string>>();

  const holdOf = ({ environmentId, subTenantKey }: Sender): Hold | undefined =>
    holds.size === 0 ? undefined : holds.get(keyOf(environmentId, subTenantKey));
  const tatKey = ({ environmentId, subTenantKey }: Sender): string =>
    `throttle ${environmentId} ${subTenantKey}`;
  const tatOf = (sender: Sender): number | undefined => keeper.get(tatKey(sender)) as number | undefined;

  function rateFor(sender: Sender): RateLimit | null {
    const hold = holdOf(sender);
    return hold ? rateInForce(hold) : null;
  }

  function change(environmentId: number, tenantId: string, to: Partial<Hold>): void {
    const key = keyOf(environmentId, tenantId);
    for (const told of readings) told.add(key);
    put({ ...(holds.get(key) ?? noHold(environmentId, tenantId)), ...to });
  }

  function put(hold: Hold): void {
    const key = keyOf(hold.environmentId, hold.tenantId);
    if (isHeld(hold)) holds.set(key, hold);
    else holds.delete(key);
  }

  function fromRow(row: Restriction): Hold {
    const { environmentId, tenantId, isPaused, isSuspended } = row;
    return {
      environmentId,
      tenantId,
      owner: row.perHour === null ? null : rateOf(row.perHour),
      reputation: row.isThrottled ? rateOf(reputationPerHour) : null,
      isPaused,
      isSuspended,
    };
  }

  for (const row of initial) put(fromRow(row));

  return {
    stopped(sender) {
      const hold = holdOf(sender);
      if (!hold) return null;
      if (hold.isPaused) return 'paused';
      return hold.isSuspended ? 'suspended' : null;
    },
    room(sender, now) {
      const hold = holdOf(sender);
      const rate = hold ? rateInForce(hold) : null;
      if (!rate) return null;
      const tat = tatOf(sender);
      return {
        room: gcraRoom(tat, rate, now),
        until: gcraNextAt(tat, rate, now),
        perHour: rate.count,
        by: rate === hold?.reputation ? 'reputation' : 'owner',
      };
    },
    take(sender, now, count) {
      const rate = rateFor(sender);
      if (!rate) return;
      const tat = gcraTake(tatOf(sender), rate, now, count);
      // Before the claim that it is for: a kill between the two must not make room for one more in the hour.
      if (rate.count <= SLOW_PER_HOUR) keeper.putAtOnce(tatKey(sender), tat);
      else keeper.put(tatKey(sender), tat);
    },
    giveBack(sender, count) {
      const rate = rateFor(sender);
      const tat = tatOf(sender);
      if (!rate || tat === undefined) return false;
      keeper.put(tatKey(sender), gcraGiveBack(tat, rate, count));
      return true;
    },
    limit(environmentId, tenantId, cause, perHour) {
      const rate = perHour === null ? null : rateOf(perHour);
      change(environmentId, tenantId, cause === 'owner' ? { owner: rate } : { reputation: rate });
    },
    stop(environmentId, tenantId, cause, isStopped) {
      const to = cause === 'paused' ? { isPaused: isStopped } : { isSuspended: isStopped };
      change(environmentId, tenantId, to);
    },
    forget(tenantId) {
      for (const [key, hold] of holds) {
        if (hold.tenantId !== tenantId) continue;
        for (const told of readings) told.add(key);
        holds.delete(key);
      }
    },
    async align(read) {
      const toldMeanwhile = new Set<string>();
      readings.add(toldMeanwhile);
      try {
        const rows = new Map(
          (await read()).map((row) => [keyOf(row.environmentId, row.tenantId), fromRow(row)]),
        );
        let hasChanged = false;
        for (const key of new Set([...rows.keys(), ...holds.keys()])) {
          if (toldMeanwhile.has(key)) continue;
          const [before, after] = [holds.get(key), rows.get(key)];
          if (isSame(before, after)) continue;
          hasChanged = true;
          if (after) holds.set(key, after);
          else holds.delete(key);
        }
        return hasChanged;
      } finally {
        readings.delete(toldMeanwhile);
      }
    },
  };
}

function keyOf(environmentId: number, tenantId: string): string {
  return `${environmentId} ${tenantId}`;
}

function noHold(environmentId: number, tenantId: string): Hold {
  return {
    environmentId,
    tenantId,
    owner: null,
    reputation: null,
    isPaused: false,
    isSuspended: false,
  };
}

function isHeld({ owner, reputation, isPaused, isSuspended }: Hold): boolean {
  return owner !== null || reputation !== null || isPaused || isSuspended;
}

function isSame(a: Hold | undefined, b: Hold | undefined): boolean {
  return (
    a?.owner?.count === b?.owner?.count &&
    a?.reputation?.count === b?.reputation?.count &&
    a?.isPaused === b?.isPaused &&
    a?.isSuspended === b?.isSuspended
  );
}

function rateInForce({ owner, reputation }: Hold): RateLimit | null {
  if (owner === null || reputation === null) return owner ?? reputation;
  return reputation.count < owner.count ? reputation : owner;
}

/** Evenly: any trailing hour holds the number and no more. */
function rateOf(perHour: number): RateLimit {
  return { count: perHour, perMs: HOUR_MS, burst: 1 };
}
