// Computes how many claimed messages of a destination may be in memory: as many as it will soon accept, so slow destinations leave
// room for others.
import { BULK_RANK } from '../../messages/queue-rank.rules.js';

export interface InFlightSettings {
  start: number;
  min: number;
  /** Maximum for one destination, as a part of all claimed messages. */
  max: number;
  /**
   * A delivery that ends within `quickMs` of its claim speaks for a larger window, one that took more than `slowMs` for a
   * smaller. A window may have doubled before its first message shows, so with less than twice between them it swings.
   */
  quickMs: number;
  slowMs: number;
  /** The share of a window that bulk mail may fill. */
  bulkShare: number;
}

export const IN_FLIGHT_DEFAULTS: Omit<InFlightSettings, 'max'> = {
  start: 20,
  min: 5,
  quickMs: 10_000,
  slowMs: 30_000,
  bulkShare: 0.8,
};

/** JSON-serializable. */
export interface InFlightWindow {
  limit: number;
}

const within = (limit: number, { min, max }: InFlightSettings): InFlightWindow => ({
  limit: Math.min(Math.max(limit, min), max),
});

export function firstInFlight(settings: InFlightSettings): InFlightWindow {
  return within(settings.start, settings);
}

/** After an attempt has ended with an answer of the peer, `tookMs` after its claim. */
export function inFlightSettled(
  window: InFlightWindow,
  tookMs: number,
  settings: InFlightSettings,
): InFlightWindow {
  if (tookMs <= settings.quickMs) return within(window.limit + 1, settings);
  return within(window.limit - (tookMs > settings.slowMs ? 1 : 0), settings);
}

/**
 * Shrinks the window after messages were returned without an attempt or the destination was unreachable, once for messages that
 * return together.
 */
export function inFlightReturned(window: InFlightWindow, settings: InFlightSettings): InFlightWindow {
  return within(Math.floor(window.limit / 2), settings);
}

/** Messages of this rank that may be claimed now, beside the `inFlight` of any rank that are. */
export function inFlightRoom(
  window: InFlightWindow,
  { inFlight, rank }: { inFlight: number; rank: number },
  settings: InFlightSettings,
): number {
  const limit = rank >= BULK_RANK ? Math.max(1, Math.floor(window.limit * settings.bulkShare)) : window.limit;
  return Math.max(0, limit - inFlight);
}
