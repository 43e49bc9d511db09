// Reads the machine's monotonic clock, which all threads of a process share and date corrections don't
// affect.

/** Returns milliseconds since an arbitrary moment in the past. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
