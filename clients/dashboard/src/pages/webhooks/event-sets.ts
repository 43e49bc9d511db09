// The events that an endpoint can receive, by group, and the default events.
import type { FeedEventName, WebhookEventName } from '@mailkeel/sdk';
import { EVENT_NAMES } from '../../texts/event-names.js';
import type { WebhooksTexts } from '../../texts/webhooks.js';

export type EventGroup = keyof WebhooksTexts['groups'];

/** Only in the event feed. No endpoint receives them. */
const FEED_ONLY: readonly FeedEventName[] = [
  ...(['message.queued', 'message.sending', 'message.canceled'] as const),
  ...(['message.auto_replied', 'message.rescheduled'] as const),
  ...(['message.approval_requested', 'message.approval_changed', 'message.approved'] as const),
  ...(['message.rejected', 'message.approval_expired'] as const),
];
const NOT_USUAL: readonly FeedEventName[] = ['message.deferred', 'message.unsubscribed'];
const USUAL_GROUPS: readonly EventGroup[] = ['message', 'recipient', 'tenant'];

export const WEBHOOK_EVENTS = EVENT_NAMES.filter((name) => !FEED_ONLY.includes(name)) as WebhookEventName[];

function groupOf(name: string): EventGroup {
  return name.split('.', 1)[0] as EventGroup;
}

export const USUAL_EVENTS = WEBHOOK_EVENTS.filter(
  (name) => USUAL_GROUPS.includes(groupOf(name)) && !NOT_USUAL.includes(name),
);

export const EVENT_GROUPS: readonly { group: EventGroup; names: WebhookEventName[] }[] = [
  ...new Set(WEBHOOK_EVENTS.map(groupOf)),
].map((group) => ({ group, names: WEBHOOK_EVENTS.filter((name) => groupOf(name) === group) }));

export function isDefaultSet(events: readonly WebhookEventName[]): boolean {
  return events.length === USUAL_EVENTS.length && USUAL_EVENTS.every((name) => events.includes(name));
}
