// The main thread's heartbeat. It writes the time ten times a second to memory that the telemetry thread reads.

export const HEARTBEAT_MS = 100;
/** Longer than any work of the main thread, so the process is stuck. */
const STALLED_MS = 30_000;

/** Returns how late (ms) the main thread's heartbeat is; 0 if it is on time. */
export function stalledMs(heartbeatAt: number, now: number): number {
  return Math.max(0, now - heartbeatAt - HEARTBEAT_MS);
}

export function isStalled(ms: number): boolean {
  return ms > STALLED_MS;
}
