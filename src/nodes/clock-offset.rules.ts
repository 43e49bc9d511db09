// How far a node's clock may be from the database's, and by how much it is corrected. Due times of mail are compared across nodes, so all
// of them go by the database's clock.

/** From here on (ms) the operator is warned. */
export const CLOCK_WARN_MS = 1_000;
/** From here on (ms) the node is not ready. */
export const CLOCK_FAIL_MS = 10_000;
/** Precision (ms) of a measurement over the network. */
const PRECISION_MS = 250;

/**
 * Returns the correction (ms) to apply after a measurement. It does not change while measurements confirm it, so that time advances
 * evenly.
 */
export function nextCorrection(appliedMs: number, offsetMs: number): number {
  if (Math.abs(offsetMs - appliedMs) <= PRECISION_MS) return appliedMs;
  return Math.abs(offsetMs) <= PRECISION_MS ? 0 : Math.round(offsetMs);
}

/** `90.0 s ahead of the database`. */
export function clockOffsetText(offsetMs: number): string {
  const seconds = (Math.abs(offsetMs) / 1000).toFixed(1);
  return `${seconds} s ${offsetMs < 0 ? 'behind' : 'ahead of'} the database`;
}
