// Sub-tenants that may send only so many messages an hour: one after the other, in their order.
import { gcraGiveBack, gcraNextAt, gcraRoom, gcraTake, type RateLimit } from '../../rules/gcra.js';
import type { StateKeeper } from './state-keeper.js';

const HOUR_MS = 3_600_000;

/** Whose messages; live and test have rates of their own. */
export interface Sender {
  environmentId: number;
  /** '' is the workspace's own mail, which is never throttled. */
  subTenantKey: string;
}

export interface Throttles {
  /** Messages that may go now; null: any number. */
  room(sender: Sender, now: number): { room: number; until: number; perHour: number } | null;
  take(sender: Sender, now: number, count: number): void;
  /** False when nothing holds the sender back. */
  giveBack(sender: Sender, count: number): boolean;
  /** Most messages of a sub-tenant an hour; null: no limit. */
  set(tenantId: string, perHour: number | null): void;
}

export function createThrottles(initial: ReadonlyMap<string, number>, keeper: StateKeeper): Throttles {
  const rates = new Map([...initial].map(([id, perHour]) => [id, rateOf(perHour)]));
  const keyOf = ({ environmentId, subTenantKey }: Sender): string =>
    `throttle ${environmentId} ${subTenantKey}`;
  const tatOf = (sender: Sender): number | undefined => keeper.get(keyOf(sender)) as number | undefined;

  return {
    room(sender, now) {
      const rate = rates.get(sender.subTenantKey);
      if (!rate) return null;
      const tat = tatOf(sender);
      return { room: gcraRoom(tat, rate, now), until: gcraNextAt(tat, rate, now), perHour: rate.count };
    },
    take(sender, now, count) {
      const rate = rates.get(sender.subTenantKey);
      if (rate) keeper.put(keyOf(sender), gcraTake(tatOf(sender), rate, now, count));
    },
    giveBack(sender, count) {
      const rate = rates.get(sender.subTenantKey);
      const tat = tatOf(sender);
      if (!rate || tat === undefined) return false;
      keeper.put(keyOf(sender), gcraGiveBack(tat, rate, count));
      return true;
    },
    set(tenantId, perHour) {
      if (perHour === null) rates.delete(tenantId);
      else rates.set(tenantId, rateOf(perHour));
    },
  };
}

/** Evenly: any trailing hour holds the number and no more. */
function rateOf(perHour: number): RateLimit {
  return { count: perHour, perMs: HOUR_MS, burst: 1 };
}
