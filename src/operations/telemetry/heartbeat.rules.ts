// The main thread's heartbeat: it notes the time ten times a second where the telemetry thread can read it.

export const HEARTBEAT_MS = 100;
/** Longer than any work of the main thread may take: the process is of no use. */
const STALLED_MS = 30_000;

/** Time that the main thread has been late with its heartbeat; 0 when it is on time. */
export function stalledMs(heartbeatAt: number, now: number): number {
  return Math.max(0, now - heartbeatAt - HEARTBEAT_MS);
}

export function isStalled(ms: number): boolean {
  return ms > STALLED_MS;
}
