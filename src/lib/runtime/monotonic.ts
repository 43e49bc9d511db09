// Time of the machine's monotonic clock, which all threads of a process share and no correction of the date moves.

/** Milliseconds since some moment of the past. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
