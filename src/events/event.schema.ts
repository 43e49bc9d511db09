// Schemas of the event feed of /v1, which lists every event of an environment by cursor.
import { Type, type Static } from 'typebox';
import { ACTORS, ALL_WEBHOOK_EVENTS, MESSAGE_TRAIL_EVENTS, type WebhookEvent } from '../contract/names.js';
import { rangeFields } from '../contract/lists.js';
import { closed, metadata, nameEnums, nameSchemas, nullable, oneOf, timestamp } from '../contract/schema.js';

const OF_WEBHOOKS: ReadonlySet<string> = new Set(ALL_WEBHOOK_EVENTS);

export function isWebhookEvent(name: string): name is WebhookEvent {
  return OF_WEBHOOKS.has(name);
}

/** Events of messages that webhooks omit. */
const FEED_ONLY_EVENTS = MESSAGE_TRAIL_EVENTS.map((event) => `message.${event}` as const).filter(
  (name) => !isWebhookEvent(name),
);
export const FEED_EVENTS = [...ALL_WEBHOOK_EVENTS, ...FEED_ONLY_EVENTS] as const;
export type FeedEventName = (typeof FEED_EVENTS)[number];

export const event = Type.Object(
  {
    id: Type.String({ description: 'The event ID. Also in webhook delivery records as `event_id`.' }),
    object: Type.Literal('event'),
    event: oneOf(FEED_EVENTS),
    occurred_at: timestamp,
    actor: oneOf(ACTORS),
    data: Type.Object(
      {
        id: Type.String({
          description:
            'The ID of the record that the event is about: a message, or another record depending on the event name.',
        }),
        event: oneOf(FEED_EVENTS),
        occurred_at: timestamp,
        metadata: Type.Record(Type.String(), Type.Unknown(), {
          description:
            "Details of the audit trail entry, for example the reply of the recipient's mail server.",
        }),
        provider: Type.Optional(Type.String()),
        provider_message_id: Type.Optional(Type.String()),
        ip: Type.Optional(Type.String()),
        user_agent: Type.Optional(Type.String()),
      },
      { description: 'The same data as in the webhook body, plus the details of the audit trail entry.' },
    ),
    tags: Type.Array(Type.String(), { description: 'The tags of the message.' }),
    metadata,
    sub_tenant_id: nullable(Type.String()),
    sandbox: Type.Boolean(),
  },
  { description: 'An event of a message, a sub-tenant or another record.' },
);
export type EventObject = Static<typeof event>;

const eventNames = Type.Optional(
  Type.String({
    maxLength: 2_000,
    description:
      'Comma-separated event names to return. Events of contacts, suppressions, domains, campaigns, imports, exports and bulk actions are only included if you list them.',
    examples: ['message.delivered,message.bounced'],
  }),
);

/** Returns the unique names of a comma-separated list, or the first name that is not an event of the feed. */
export function readFeedEventNames(
  text: string,
): { ok: true; names: FeedEventName[] } | { ok: false; name: string } {
  const names = new Set<FeedEventName>();
  for (const given of text.split(',').map((part) => part.trim())) {
    const known = FEED_EVENTS.find((one) => one === given);
    if (known === undefined) return { ok: false, name: given };
    names.add(known);
  }
  return { ok: true, names: [...names] };
}

export const eventStreamQuery = closed({
  events: eventNames,
  after: Type.Optional(
    Type.String({
      maxLength: 64,
      description:
        'The ID of the last event you have seen. The stream starts after it. The `Last-Event-ID` header has the same effect and takes precedence. If you set neither, the stream starts with new events.',
    }),
  ),
});

export const eventFilters = {
  events: eventNames,
  ...rangeFields,
  sub_tenant_id: Type.Optional(
    Type.String({ maxLength: 200, description: 'Returns only events of this sub-tenant.' }),
  ),
  order: Type.Optional(
    oneOf(['desc', 'asc'], {
      description: 'Sort order: `desc` (newest first) or `asc`. Defaults to `desc`.',
    }),
  ),
  after: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'The ID of the last event you have seen. The page starts after it. Requires `order=asc`.',
    }),
  ),
};

nameSchemas({
  Event: event,
  EventData: event.properties.data,
});

nameEnums({ FeedEventName: FEED_EVENTS });
