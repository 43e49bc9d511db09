// For how long a webhook delivery is leased to the process that attempts it.

/** Between an attempt's latest end and the end of its lease (ms), for writing it down. */
export const LEASE_MARGIN_MS = 5_000;

/**
 * Duration (ms) of a lease: a delivery may wait for another attempt before its own begins. `timeoutMs` is the limit of one attempt.
 */
export function webhookLeaseMs(timeoutMs: number): number {
  return 2 * (timeoutMs + LEASE_MARGIN_MS);
}
