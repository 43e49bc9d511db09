// The place of an account import in its source, and the place after a step.
import type { ImportKind } from './kinds.rules.js';

/** Written to the row as JSON. */
export interface Place {
  kind: ImportKind;
  /** The vendor's page; null for the first one. */
  cursor: string | null;
  /** Objects of the page that are written. */
  done: number;
}

/** The place of a row; null if there is nothing to import. */
export function placeOf(position: string | null, kinds: readonly ImportKind[]): Place | null {
  if (position !== null) return JSON.parse(position) as Place; // as `nextPlace` made it
  const [kind] = kinds;
  return kind === undefined ? null : { kind, cursor: null, done: 0 };
}

/** The place after objects of a page up to `done` are written; null at the end. */
export function nextPlace(
  place: Place,
  {
    done,
    total,
    next,
    kinds,
  }: { done: number; total: number; next: string | null; kinds: readonly ImportKind[] },
): Place | null {
  if (done < total) return { ...place, done };
  if (next !== null) return { ...place, cursor: next, done: 0 };
  const kind = kinds[kinds.indexOf(place.kind) + 1];
  return kind === undefined ? null : { kind, cursor: null, done: 0 };
}

const BASE_MS = 5_000;
const MAX_MS = 10 * 60_000;
/** Consecutive requests without an answer after which an import fails: about an hour. */
export const MAX_ATTEMPTS = 12;

/** Time (ms) to wait after so many requests without an answer. */
export function retryDelay(attempts: number): number {
  return Math.min(BASE_MS * 2 ** (attempts - 1), MAX_MS);
}
