// Rates as /v1 shows them: shares, rounded to six places.

/** Returns null if there is nothing to have a share of. */
export function share(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 1e6) / 1e6;
}

/** Returns a share as a whole number of parts per million, as tables hold it. */
export function inMillion(rate: number | null): number | null {
  return rate === null ? null : Math.round(rate * 1_000_000);
}
