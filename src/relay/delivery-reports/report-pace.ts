// How fast one envelope sender gets delivery reports: whoever sends a lot at once asks for as many reports at once.
import { LRUCache } from 'lru-cache';
import { gcraNextAt, gcraRoom, gcraTake, type RateLimit } from '../../lib/runtime/gcra.rules.js';

const MAX_SENDERS = 10_000;
const HOUR_MS = 3_600_000;

interface Used {
  tat: number | undefined;
  /** The last time that was given to a report which had to wait. */
  lastSlot: number;
}

export interface ReportPace {
  /** `now` when the report may go, which counts it; otherwise when it may ask again, a time of its own. */
  timeFor(senderKey: string, now: number): number;
}

/** `perMinute` 0 is no limit. A burst is a minute's worth; a restart forgets what was used up. */
export function createReportPace(perMinute: number): ReportPace {
  if (perMinute === 0) return { timeFor: (_, now) => now };
  const count = Math.max(1, Math.round(perMinute * 60));
  const limit: RateLimit = { count, perMs: HOUR_MS, burst: Math.max(1, Math.floor(perMinute)) };
  const intervalMs = Math.ceil(HOUR_MS / count);
  const senders = new LRUCache<string, Used>({ max: MAX_SENDERS });
  return {
    timeFor(senderKey, now) {
      const used = senders.get(senderKey) ?? { tat: undefined, lastSlot: 0 };
      const mayGo = gcraRoom(used.tat, limit, now) > 0;
      const slot = mayGo ? now : Math.max(gcraNextAt(used.tat, limit, now), used.lastSlot + intervalMs);
      const tat = mayGo ? gcraTake(used.tat, limit, now) : used.tat;
      senders.set(senderKey, { tat, lastSlot: mayGo ? used.lastSlot : slot });
      return slot;
    },
  };
}
