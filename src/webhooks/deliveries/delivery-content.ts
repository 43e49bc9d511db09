// Content of a delivery: the payload, and the body in another vendor's format if the endpoint uses one.
import type { WebhookEvent, WebhookFormat } from '../../contract/names.js';
import { webhookPayload } from '../event.rules.js';
import { buildMessageEvent } from '../format.rules.js';
import { newId } from '../../lib/runtime/index.js';
import type { ReadRecords, WebhookContext } from '../context.js';
import type { FanOutEvent, NewWebhookDelivery } from './queue.store.js';
import type { Subscriber, Wanted } from './fan-out.js';

/** Subject of an event, and the trail's facts about it. */
export interface Subject {
  /** `null` if it was deleted, or if no endpoint needs it. */
  record: object | null;
  /** JSON; `null` if there is none, or if no endpoint needs it. */
  detail: string | null;
}

/** Reads the subjects of events, with one read of records per environment, and only for endpoints that need them. */
export async function readSubjects(
  { store, readRecords }: Pick<WebhookContext, 'store' | 'readRecords'>,
  wanted: readonly Pick<Wanted, 'event' | 'takers'>[],
): Promise<(event: FanOutEvent) => Subject> {
  const eventsFor = (isNeeded: (taker: Subscriber) => boolean): FanOutEvent[] =>
    wanted.filter(({ takers }) => takers.some(isNeeded)).map(({ event }) => event);
  const inVendorFormat = eventsFor(({ vendor }) => vendor !== null);
  const records = await readRecordsOfEvents(
    eventsFor(({ needsRecord }) => needsRecord),
    readRecords,
  );
  const details = await store.webhooks.detailsOfEvents(inVendorFormat.map(({ position }) => position));
  return ({ subject_id, position }) => ({
    record: records.get(subject_id) ?? null,
    detail: details.get(position) ?? null,
  });
}

/** Reads the records that events are about, of any environment. */
async function readRecordsOfEvents(
  events: readonly FanOutEvent[],
  readRecords: ReadRecords,
): Promise<ReadonlyMap<string, object>> {
  const found = new Map<string, object>();
  for (const environmentId of new Set(events.map(({ environment_id: id }) => id))) {
    const own = events.filter(({ environment_id: id }) => id === environmentId);
    const records = await readRecords(environmentId, [...new Set(own.map(({ subject_id: id }) => id))]);
    for (const [id, record] of records) found.set(id, record);
  }
  return found;
}

/** Returns a delivery that is due now, or `null` if the endpoint's format does not have the event. */
export function deliveryOfEvent(
  event: FanOutEvent,
  name: WebhookEvent,
  to: { endpoint: Subscriber; now: number; subject: Subject },
): ReturnType<typeof newDelivery> | null {
  const { environment_id: environmentId, position, subject_id: subjectId, occurred_at: occurredAt } = event;
  const { endpoint, now, subject } = to;
  const content = deliveryContent({ name, subjectId, occurredAt }, endpoint, subject);
  if (content === null) return null;
  const { traceparent } = event;
  const about = { environmentId, position, event: name, subjectId, traceparent };
  return newDelivery({ endpointId: endpoint.id, now, ...about, ...content });
}

interface DeliveryContent {
  payload: string;
  /** Absent or `null` if the payload is the body. */
  vendor?: { format: WebhookFormat; body: string } | null;
}

/** Returns `null` if the endpoint's format does not have the event. */
export function deliveryContent(
  event: { name: WebhookEvent; subjectId: string; occurredAt: number },
  { payload, format, vendor }: Pick<Subscriber, 'payload' | 'format' | 'vendor'>,
  { record, detail }: Subject,
): DeliveryContent | null {
  if (vendor === null) {
    return { payload: webhookPayload({ ...event, ...(payload === 'full' ? { record } : {}) }) };
  }
  // Vendor formats only have events of messages, and the record is the message as its GET shows it.
  const inFull = buildMessageEvent(event, record, detail);
  const body = vendor.events.includes(event.name) ? vendor.bodyOf(inFull) : null;
  if (body === null) return null;
  return { payload: webhookPayload(event), vendor: { format, body: JSON.stringify(body) } };
}

/** Returns a delivery that is due now. `position` is `null` for a test event, which is in no chain. */
export function newDelivery(
  input: {
    endpointId: string;
    environmentId: number;
    position: number | null;
    event: WebhookEvent;
    subjectId: string;
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
