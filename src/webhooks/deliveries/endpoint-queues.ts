// State of each endpoint with deliveries in progress: its URL, open attempts and pace. Endpoints with similar behavior share slots.
// An attempt that waits long for a response gives up its slot, so that it does not delay others.
import {
  firstPace,
  paceAfterAttempt,
  attemptSlots,
  type EndpointManner,
  type EndpointPace,
} from './pace.rules.js';
import type { Target } from './attempt.js';

/** Deliveries claimed beyond the permitted attempts, so that a claim is worth its transaction. */
const AHEAD = 4;
/** Attempts of quick endpoints that are open, those that wait long included, as a multiple of their places. */
const MOST_OPEN = 4;

const MOST_KNOWN = 10_000;

interface EndpointQueue {
  target: Target;
  pace: EndpointPace;
  /** Attempts open now. */
  open: number;
  /** Claimed and not yet recorded, the open ones included. */
  held: number;
}

/** An open attempt. */
interface Ticket {
  readonly target: Target;
  readonly manner: EndpointManner;
  hasPlace: boolean;
}

interface EndpointQueueLimits {
  /** Places of the quick endpoints; the others have shares of as many. */
  total: number;
  perEndpoint: number;
}

/** Maximum number of attempts that are open at the same time. */
export function mostOpen({ total }: Pick<EndpointQueueLimits, 'total'>): number {
  const others = (['new', 'slow', 'silent'] as const).map((manner) => attemptSlots(manner, total));
  return total * MOST_OPEN + others.reduce((sum, places) => sum + places, 0);
}

export function createEndpointQueues(limits: EndpointQueueLimits) {
  const queues = new Map<string, EndpointQueue>();
  const places: Record<EndpointManner, number> = { new: 0, quick: 0, slow: 0, silent: 0 };
  let quickOpen = 0;

  function queueOf(endpointId: string): EndpointQueue {
    const queue = queues.get(endpointId);
    if (!queue) throw new Error(`Endpoint ${endpointId} has nothing in hand.`);
    return queue;
  }

  function leavePlace(ticket: Ticket): void {
    if (ticket.hasPlace) places[ticket.manner] -= 1;
    ticket.hasPlace = false;
  }

  return {
    /** An enabled endpoint as its row says now. */
    meet(target: Target, consecutiveFailures: number): void {
      const queue = queues.get(target.endpointId);
      if (queue) queue.target = target;
      else {
        queues.set(target.endpointId, { target, pace: firstPace({ consecutiveFailures }), open: 0, held: 0 });
      }
    },

    /** Number of further deliveries of this endpoint to claim; 0 until a worthwhile number may be claimed. */
    wanted(endpointId: string): number {
      const { pace, held } = queueOf(endpointId);
      const room = pace.limit * AHEAD - held;
      return held > 0 && room < pace.limit ? 0 : Math.max(room, 0);
    },

    hold(endpointId: string, deliveries: number): void {
      queueOf(endpointId).held += deliveries;
    },

    /** Deliveries were recorded or given back. */
    release(endpointId: string, deliveries: number): void {
      queueOf(endpointId).held -= deliveries;
    },

    mayOpen(endpointId: string): boolean {
      const { open, pace } = queueOf(endpointId);
      if (open >= pace.limit || places[pace.manner] >= attemptSlots(pace.manner, limits.total)) return false;
      return pace.manner !== 'quick' || quickOpen < limits.total * MOST_OPEN;
    },

    open(endpointId: string): Ticket {
      const queue = queueOf(endpointId);
      const { manner } = queue.pace;
      queue.open += 1;
      places[manner] += 1;
      if (manner === 'quick') quickOpen += 1;
      return { target: queue.target, manner, hasPlace: true };
    },

    /** Marks an attempt as waiting long for an answer. True when another may start now. */
    waitsLong(ticket: Ticket): boolean {
      if (ticket.manner !== 'quick' || !ticket.hasPlace) return false;
      leavePlace(ticket);
      return true;
    },

    /** Reports that an attempt ended; null after an internal error. */
    closed(ticket: Ticket, attempt: { answered: boolean; durationMs: number } | null): void {
      const queue = queueOf(ticket.target.endpointId);
      leavePlace(ticket);
      queue.open -= 1;
      if (ticket.manner === 'quick') quickOpen -= 1;
      if (attempt) queue.pace = paceAfterAttempt(queue.pace, { ...attempt, max: limits.perEndpoint });
    },

    /** Forgets idle endpoints when too many are known. Otherwise keeps them, because their pace is useful. */
    forgetIdle(): void {
      if (queues.size <= MOST_KNOWN) return;
      for (const [id, queue] of queues) if (queue.held === 0) queues.delete(id);
    },
  };
}
