// Finds the event types that a receiver refuses, even if it accepts others.
import type { WebhookDelivery, WebhookEventName } from '@mailkeel/sdk';

export interface FailingEvent {
  event: WebhookEventName;
  /** Among the deliveries that were read. */
  failures: number;
  /** The receiver's last response: a status, or the reason why there is none. */
  answer: string | null;
}

/**
 * Returns the types whose newest finished delivery has failed, those with most failures first. Both lists contain the newest
 * deliveries of their kind first.
 */
export function failingEvents(
  failed: readonly WebhookDelivery[],
  succeeded: readonly WebhookDelivery[],
): FailingEvent[] {
  const lastSuccess = new Map<string, string>();
  for (const { event, created_at: at } of succeeded) if (!lastSuccess.has(event)) lastSuccess.set(event, at);
  const found = new Map<WebhookEventName, FailingEvent>();
  for (const delivery of failed) {
    const { event, created_at: at } = delivery;
    if (at <= (lastSuccess.get(event) ?? '')) continue;
    const known = found.get(event);
    if (known === undefined) found.set(event, { event, failures: 1, answer: answerOf(delivery) });
    else known.failures += 1;
  }
  return [...found.values()].toSorted((a, b) => b.failures - a.failures);
}

/** The result of the last attempt: a status, or the reason why there is none. */
export function answerOf({ attempts }: Pick<WebhookDelivery, 'attempts'>): string | null {
  const last = attempts.at(-1);
  if (last === undefined) return null;
  return last.response_status === null ? last.error : String(last.response_status);
}
