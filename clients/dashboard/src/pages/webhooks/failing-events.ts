// The types of events that a receiver refuses, while it may take others.
import type { WebhookDelivery, WebhookEventName } from '@mailkeel/sdk';

export interface FailingEvent {
  event: WebhookEventName;
  /** Among the deliveries that were read. */
  failures: number;
  /** What the receiver answered last: a status, or the reason why there is none. */
  answer: string | null;
}

/**
 * The types whose newest delivery that ended has failed, those with most failures first. Both lists have the newest deliveries of their
 * kind first.
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

/** What the last attempt met: a status, or why there was none. */
export function answerOf({ attempts }: Pick<WebhookDelivery, 'attempts'>): string | null {
  const last = attempts.at(-1);
  if (last === undefined) return null;
  return last.response_status === null ? last.error : String(last.response_status);
}
