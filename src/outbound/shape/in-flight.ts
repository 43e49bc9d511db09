// How many claimed messages are on their way to each group of destinations, and how many may be.
import { LRUCache } from 'lru-cache';
import {
  firstInFlight,
  inFlightReturned,
  inFlightRoom,
  inFlightSettled,
  type InFlightSettings,
  type InFlightWindow,
} from './in-flight-window.rules.js';

/** A group that is forgotten begins again with a small window. */
const MAX_GROUPS = 20_000;

export interface InFlight {
  count(place: string): number;
  add(place: string, count: number): void;
  take(place: string, count: number): void;
  /** What of this rank may be claimed for the group now. */
  room(group: string, rank: number): number;
  /** The peer has answered, so long after the message was planned. */
  settled(group: string, tookMs: number): void;
  /** It came back unstarted, or nobody was reached. */
  returned(group: string): void;
}

export function createInFlight(settings: InFlightSettings): InFlight {
  const counts = new Map<string, number>();
  const windows = new LRUCache<string, InFlightWindow>({ max: MAX_GROUPS });
  const windowOf = (group: string): InFlightWindow => windows.get(group) ?? firstInFlight(settings);

  return {
    count: (place) => counts.get(place) ?? 0,
    add: (place, count) => void counts.set(place, (counts.get(place) ?? 0) + count),
    take(place, count) {
      const left = (counts.get(place) ?? 0) - count;
      if (left > 0) counts.set(place, left);
      else counts.delete(place);
    },
    room: (group, rank) =>
      inFlightRoom(windowOf(group), { inFlight: counts.get(group) ?? 0, rank }, settings),
    settled: (group, tookMs) => void windows.set(group, inFlightSettled(windowOf(group), tookMs, settings)),
    returned: (group) => void windows.set(group, inFlightReturned(windowOf(group), settings)),
  };
}
