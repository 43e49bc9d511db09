// When a failed webhook attempt is repeated, and when an endpoint is given up.

const JITTER = 0.2;

/**
 * Time (epoch ms) of the attempt after attempt number `attempt` (from 1) failed, spread by ±20 % with
 * `jitter` in [0,1); null when that was the last and the delivery has failed.
 */
export function nextWebhookAttemptAt(input: {
  attempt: number;
  scheduleMs: readonly number[];
  now: number;
  jitter: number;
}): number | null {
  const stepMs = input.scheduleMs[input.attempt - 1];
  if (stepMs === undefined) return null;
  return input.now + Math.round(stepMs * (1 - JITTER + 2 * JITTER * input.jitter));
}

export interface EndpointHealth {
  consecutiveFailures: number;
  /** True when this delivery disables the endpoint. */
  disable: boolean;
}

/**
 * An endpoint's count of failed deliveries in a row after one more delivery ended; `disableAfter` is 10 by
 * default.
 */
export function endpointAfterDelivery(input: {
  consecutiveFailures: number;
  succeeded: boolean;
  disableAfter: number;
}): EndpointHealth {
  if (input.succeeded) return { consecutiveFailures: 0, disable: false };
  const consecutiveFailures = input.consecutiveFailures + 1;
  return { consecutiveFailures, disable: consecutiveFailures >= input.disableAfter };
}
