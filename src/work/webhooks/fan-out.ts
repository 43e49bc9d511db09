// From the event chains to delivery rows: follows each workspace's chain by position and moves its cursor in the
// transaction that inserts what the endpoints are to get, so that no event is passed over or sent twice.
import type { WebhookEvent, WebhookPayload } from '../../contract/names.js';
import { endpointWants, webhookEventOf, webhookPayload } from '../../rules/webhook-event.js';
import type { Clock } from '../../runtime/clock.js';
import { newId } from '../../runtime/ids.js';
import { POSITIONS_PER_WORKSPACE } from '../../store/chains.js';
import type { Store } from '../../store/store.js';
import type { ChainLag, FanOutEvent, NewWebhookDelivery } from '../../store/webhook-queue.js';
import type { WebhookEndpoint } from '../../store/webhooks.js';

const MAX_EVENTS = 500;
/** With full payloads, which may be 100 KB each. */
const MAX_FULL_EVENTS = 100;
const MIN_EVENTS = 20;
const MAX_ROWS = 2_000;
/** Workspaces that move in one group commit. */
const TOGETHER = 16;

/**
 * The records that full payloads carry, by their public ids, as the API shows them to the environment; those that are gone are
 * left out.
 */
export type RecordsOf = (
  environmentId: number,
  publicIds: readonly string[],
) => Promise<ReadonlyMap<string, object>>;

export interface FanOutDeps {
  store: Pick<Store, 'webhooks'>;
  recordsOf: RecordsOf;
  clock: Clock;
  /** Deliveries were added. */
  onDeliveries: () => void;
}

/** One beat moves every chain that lags by one batch; true when one has more. */
export function createFanOut({ store, recordsOf, clock, onDeliveries }: FanOutDeps): () => Promise<boolean> {
  /** True when the chain has more than was passed now. */
  async function advance(lag: ChainLag): Promise<boolean> {
    const { workspaceNumber, fannedOutSeq: from, headSeq } = lag;
    // Read after the head: an endpoint that is not there yet is younger than every event up to it.
    const endpoints = await store.webhooks.endpointsOfWorkspace(lag.workspaceId);
    if (endpoints.length === 0) {
      await store.webhooks.fanOut({ workspaceNumber, from, to: headSeq }, []);
      return false;
    }
    const most = endpoints.some(({ payload }) => payload === 'full') ? MAX_FULL_EVENTS : MAX_EVENTS;
    const limit = Math.min(Math.max(Math.floor(MAX_ROWS / endpoints.length), MIN_EVENTS), most);
    const wanted = Math.min(limit, headSeq - from);
    const events = await store.webhooks.eventsToFanOut(workspaceNumber, from, wanted);
    const last = events.at(-1);
    if (!last) return false;
    const to = last.position - workspaceNumber * POSITIONS_PER_WORKSPACE;
    const wanting = await recipientsOf(events, endpoints.map(readSubscriber), recordsOf);
    const rows = deliveriesOf(wanting, clock());
    const hasMoved = await store.webhooks.fanOut({ workspaceNumber, from, to }, rows);
    if (hasMoved && rows.length > 0) onDeliveries();
    return hasMoved && to < headSeq;
  }

  return async () => {
    const lagging = await store.webhooks.lagging();
    let hasMore = false;
    for (let start = 0; start < lagging.length; start += TOGETHER) {
      const moved = await Promise.all(lagging.slice(start, start + TOGETHER).map(advance));
      hasMore ||= moved.some(Boolean);
    }
    return hasMore;
  };
}

/** What an endpoint wants to hear of. */
export interface Subscriber {
  id: string;
  environmentId: number;
  events: readonly WebhookEvent[] | null;
  subTenantId: string | null;
  payload: WebhookPayload;
  /** Events from before it are not sent. */
  createdAt: number;
}

export function readSubscriber(row: WebhookEndpoint): Subscriber {
  return {
    id: row.id,
    environmentId: row.environment_id,
    events: row.events === null ? null : (JSON.parse(row.events) as WebhookEvent[]), // written by the API only
    subTenantId: row.sub_tenant_id,
    payload: row.payload,
    createdAt: row.created_at,
  };
}

/** Whether an endpoint gets an event, whose name on the wire is `name`: one of its own environment that it wants. */
export function takes(endpoint: Subscriber, event: FanOutEvent, name: WebhookEvent): boolean {
  if (endpoint.environmentId !== event.environment_id) return false;
  return endpointWants(endpoint, { name, subTenantId: event.subTenantId, occurredAt: event.occurred_at });
}

/** An event that some endpoints get, and the record for those with full payloads. */
interface Wanted {
  event: FanOutEvent;
  name: WebhookEvent;
  takers: readonly Subscriber[];
  record: object | null;
}

/** The events that anybody gets; records are read for all of an environment at once, and only where they are asked for. */
async function recipientsOf(
  events: readonly FanOutEvent[],
  endpoints: readonly Subscriber[],
  recordsOf: RecordsOf,
): Promise<Wanted[]> {
  const wanted = events.flatMap((event) => {
    const name = webhookEventOf(event);
    if (name === null) return [];
    const takers = endpoints.filter((endpoint) => takes(endpoint, event, name));
    return takers.length === 0 ? [] : [{ event, name, takers, record: null }];
  });
  const isFull = ({ payload }: Subscriber): boolean => payload === 'full';
  if (!endpoints.some(isFull)) return wanted;
  const full = wanted.filter(({ takers }) => takers.some(isFull)).map(({ event }) => event);
  const records = await recordsOfEvents(full, recordsOf);
  return wanted.map((one) => ({ ...one, record: records.get(one.event.subject_id) ?? null }));
}

/** The records that events are about, whatever their environments. */
export async function recordsOfEvents(
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

/** In the chain's order, which is the order in which one subject's deliveries are attempted. */
function deliveriesOf(wanted: readonly Wanted[], now: number): NewWebhookDelivery[] {
  return wanted.flatMap(({ event, name, takers, record }) => {
    // What does not depend on the endpoint is worked out once.
    const made = new Map<WebhookPayload, ReturnType<typeof newDelivery>>();
    return takers.map(({ id, payload }) => {
      const same = made.get(payload);
      if (same) return { ...same, endpoint_id: id, public_id: newId('whd', now) };
      const delivery = deliveryOf(event, name, { endpointId: id, now, payload, record });
      made.set(payload, delivery);
      return delivery;
    });
  });
}

/** A delivery of an event that is due at once; `record` is for a full payload. */
export function deliveryOf(
  event: FanOutEvent,
  name: WebhookEvent,
  to: { endpointId: string; now: number; payload: WebhookPayload; record: object | null },
): ReturnType<typeof newDelivery> {
  const { environment_id: environmentId, position, subject_id: subjectId, occurred_at: occurredAt } = event;
  const { endpointId, now, record } = to;
  const payload = webhookPayload({
    name,
    subjectId,
    occurredAt,
    ...(to.payload === 'full' ? { record } : {}),
  });
  return newDelivery({ endpointId, now, environmentId, position, event: name, subjectId, payload });
}

/** A delivery that is due at once. `position` is null for an event that no chain holds (a test). */
export function newDelivery(input: {
  endpointId: string;
  environmentId: number;
  position: number | null;
  event: WebhookEvent;
  subjectId: string;
  payload: string;
  now: number;
}): NewWebhookDelivery & { public_id: string } {
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
    created_at: input.now,
  };
}
