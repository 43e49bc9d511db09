// What is known of each endpoint that has deliveries in hand: where they go, how many are open, at what pace.
import { firstPace, paceAfterAttempt } from '../../rules/webhook-pace.js';
import type { EndpointPace } from '../../rules/webhook-pace.js';
import type { Target } from './attempt.js';

/** Claimed ahead of what may be open, so that a claim is worth its transaction. */
const AHEAD = 4;
/** Slow endpoints together get this share of all attempts. */
const SLOW_SHARE = 0.5;

interface Lane {
  target: Target;
  pace: EndpointPace;
  /** Attempts open now. */
  open: number;
  /** Claimed and not yet recorded, the open ones included. */
  held: number;
}

export interface LaneLimits {
  /** Attempts open at once, all endpoints together. */
  total: number;
  perEndpoint: number;
}

export function createLanes(limits: LaneLimits) {
  const lanes = new Map<string, Lane>();
  const slowTotal = Math.max(Math.floor(limits.total * SLOW_SHARE), 1);
  let open = 0;
  let slowOpen = 0;

  function laneOf(endpointId: string): Lane {
    const lane = lanes.get(endpointId);
    if (!lane) throw new Error(`Endpoint ${endpointId} has nothing in hand.`);
    return lane;
  }

  return {
    /** An enabled endpoint as its row says now. */
    meet(target: Target, consecutiveFailures: number): void {
      const lane = lanes.get(target.endpointId);
      if (lane) lane.target = target;
      else {
        const pace = firstPace({ consecutiveFailures, max: limits.perEndpoint });
        lanes.set(target.endpointId, { target, pace, open: 0, held: 0 });
      }
    },

    /** How many more of this endpoint's deliveries to claim; 0 until there is room for a worthwhile number. */
    wish(endpointId: string): number {
      const { pace, held } = laneOf(endpointId);
      const room = pace.limit * AHEAD - held;
      return held > 0 && room < pace.limit ? 0 : Math.max(room, 0);
    },

    hold(endpointId: string, deliveries: number): void {
      laneOf(endpointId).held += deliveries;
    },

    /** Deliveries were recorded or given back. */
    letGo(endpointId: string, deliveries: number): void {
      laneOf(endpointId).held -= deliveries;
    },

    mayOpen(endpointId: string): boolean {
      const lane = laneOf(endpointId);
      if (open >= limits.total || lane.open >= lane.pace.limit) return false;
      return !lane.pace.isSlow || slowOpen < slowTotal;
    },

    open(endpointId: string): Target {
      const lane = laneOf(endpointId);
      lane.open += 1;
      open += 1;
      if (lane.pace.isSlow) slowOpen += 1;
      return lane.target;
    },

    /** An attempt ended; null when it was a fault of ours. */
    closed(endpointId: string, attempt: { answered: boolean; durationMs: number } | null): void {
      const lane = laneOf(endpointId);
      const before = lane.pace;
      if (attempt) lane.pace = paceAfterAttempt(before, { ...attempt, max: limits.perEndpoint });
      const wasSlow = before.isSlow ? lane.open : 0;
      lane.open -= 1;
      open -= 1;
      slowOpen += (lane.pace.isSlow ? lane.open : 0) - wasSlow;
    },

    /** Forgets endpoints with nothing in hand, except slow ones, whose pace is worth knowing. */
    forgetIdle(): void {
      for (const [id, lane] of lanes) if (lane.held === 0 && !lane.pace.isSlow) lanes.delete(id);
    },
  };
}
