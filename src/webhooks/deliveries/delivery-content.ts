// Content of a delivery: the payload, and the body in the format of another vendor where an endpoint asks for one.
import type { WebhookEvent, WebhookFormat } from '../../contract/names.js';
import { webhookPayload } from '../event.rules.js';
import { messageEventOf } from '../format.rules.js';
import { newId } from '../../lib/runtime/ids.js';
import type { WebhookStores } from '../stores.js';
import type { FanOutEvent, NewWebhookDelivery } from './queue.store.js';
import type { Subscriber, Wanted } from './fan-out.js';

/**
 * The records that deliveries carry, by their public ids, as the API shows them to the environment; those that are gone are
 * left out.
 */
export type RecordsOf = (
  environmentId: number,
  publicIds: readonly string[],
) => Promise<ReadonlyMap<string, object>>;

/** Subject of an event, and the trail's facts about it. */
export interface Subject {
  /** Null when it is gone, or nobody asks for it. */
  record: object | null;
  /** JSON; null when there is none, or nobody asks for it. */
  detail: string | null;
}
export type SubjectOf = (event: FanOutEvent) => Subject;

/** Reads records for all of an environment at once, and only where they are asked for. */
export function createSubjects({
  store,
  recordsOf,
}: {
  store: Pick<WebhookStores, 'webhooks'>;
  recordsOf: RecordsOf;
}): (wanted: readonly Pick<Wanted, 'event' | 'takers'>[]) => Promise<SubjectOf> {
  return async (wanted) => {
    const asking = (isAsked: (taker: Subscriber) => boolean): FanOutEvent[] =>
      wanted.filter(({ takers }) => takers.some(isAsked)).map(({ event }) => event);
    const inVendorFormat = asking(({ vendor }) => vendor !== null);
    const records = await recordsOfEvents(
      asking(({ needsRecord }) => needsRecord),
      recordsOf,
    );
    const details = await store.webhooks.detailsOfEvents(inVendorFormat.map(({ position }) => position));
    return ({ subject_id, position }) => ({
      record: records.get(subject_id) ?? null,
      detail: details.get(position) ?? null,
    });
  };
}

/** The records that events are about, whatever their environments. */
async function recordsOfEvents(
  events: readonly FanOutEvent[],
  recordsOf: RecordsOf,
): Promise<ReadonlyMap<string, object>> {
  const found = new Map<string, object>();
  for (const environmentId of new Set(events.map(({ environment_id: id }) => id))) {
    const own = events.filter(({ environment_id: id }) => id === environmentId);
    const records = await recordsOf(environmentId, [...new Set(own.map(({ subject_id: id }) => id))]);
    for (const [id, record] of records) found.set(id, record);
  }
  return found;
}

/** A delivery of an event that is due at once; null where the format of the endpoint has no form for it. */
export function deliveryOf(
  event: FanOutEvent,
  name: WebhookEvent,
  to: { endpoint: Subscriber; now: number; subject: Subject },
): ReturnType<typeof newDelivery> | null {
  const { environment_id: environmentId, position, subject_id: subjectId, occurred_at: occurredAt } = event;
  const { endpoint, now, subject } = to;
  const content = contentOf({ name, subjectId, occurredAt }, endpoint, subject);
  if (content === null) return null;
  const { traceparent } = event;
  const about = { environmentId, position, event: name, subjectId, traceparent };
  return newDelivery({ endpointId: endpoint.id, now, ...about, ...content });
}

export interface DeliveryContent {
  payload: string;
  /** Null, as when it is left out, where the payload is the body. */
  vendor?: { format: WebhookFormat; body: string } | null;
}

/** Null where the format of the endpoint has no form for the event. */
export function contentOf(
  event: { name: WebhookEvent; subjectId: string; occurredAt: number },
  { payload, format, vendor }: Pick<Subscriber, 'payload' | 'format' | 'vendor'>,
  { record, detail }: Subject,
): DeliveryContent | null {
  if (vendor === null) {
    return { payload: webhookPayload({ ...event, ...(payload === 'full' ? { record } : {}) }) };
  }
  // Formats of others tell of messages alone, and a record is what the GET of a message shows.
  const inFull = messageEventOf(event, record, detail);
  const body = vendor.events.includes(event.name) ? vendor.bodyOf(inFull) : null;
  if (body === null) return null;
  return { payload: webhookPayload(event), vendor: { format, body: JSON.stringify(body) } };
}

/** A delivery that is due at once. `position` is null for an event that no chain holds (a test). */
export function newDelivery(
  input: {
    endpointId: string;
    environmentId: number;
    position: number | null;
    event: WebhookEvent;
    subjectId: string;
    /** Of the message's request; absent: none. */
    traceparent?: string | null;
    now: number;
  } & DeliveryContent,
): NewWebhookDelivery & { public_id: string } {
  return {
    public_id: newId('whd', input.now),
    endpoint_id: input.endpointId,
    environment_id: input.environmentId,
    event_position: input.position,
    event: input.event,
    subject_id: input.subjectId,
    payload: input.payload,
    status: 'pending',
    attempts: 0,
    due_at: input.now,
    lease_until: null,
    replay_of: null,
    format: input.vendor?.format ?? null,
    body: input.vendor?.body ?? null,
    traceparent: input.traceparent ?? null,
    created_at: input.now,
  };
}
