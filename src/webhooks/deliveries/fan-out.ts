// Turns events into deliveries. Follows each workspace's chain and moves its cursor in the transaction that inserts the
// deliveries, so that no event is skipped or delivered twice.
import type { WebhookEvent, WebhookFormat, WebhookPayload } from '../../contract/names.js';
import { endpointWants } from '../event.rules.js';
import { webhookEventName } from '../../events/event-names.rules.js';
import type { VendorFormat, VendorFormats } from '../format.rules.js';
import { newId } from '../../lib/runtime/index.js';
import { isOurs } from '../../lib/concurrency/index.js';
import { POSITIONS_PER_WORKSPACE } from '../../events/chains.store.js';
import type { WebhookContext } from '../context.js';
import type { ChainLag, FanOutEvent, NewWebhookDelivery } from './queue.store.js';
import { deliveryOfEvent, readSubjects, type Subject } from './delivery-content.js';
import type { WebhookEndpoint } from '../webhooks.tables.js';

const MAX_EVENTS = 200;
/** With full payloads, which may be 100 KB each. */
const MAX_FULL_EVENTS = 100;
const MIN_EVENTS = 5;
/** Written in one transaction, which holds the main thread. */
const MAX_ROWS = 500;
/** Workspaces that move in one group commit. */
const TOGETHER = 16;

export type FanOutContext = Pick<
  WebhookContext,
  'store' | 'readRecords' | 'formats' | 'room' | 'clock' | 'notifyDeliveries'
>;

interface FanOutRun {
  /** A chain has more events. */
  hasMore: boolean;
  /** Chains were moved, and none of their workspaces has an endpoint. */
  isUnheard: boolean;
}

/** Moves every chain that lags by one batch. */
export async function fanOut(context: FanOutContext): Promise<FanOutRun> {
  const { store, room } = context;
  const chains = await store.webhooks.lagging();
  const lagging = chains.filter(({ workspaceNumber }) => isOurs(room, workspaceNumber));
  const run: FanOutRun = { hasMore: false, isUnheard: lagging.length > 0 };
  for (let start = 0; start < lagging.length; start += TOGETHER) {
    const batch = lagging.slice(start, start + TOGETHER);
    const moved = await Promise.all(batch.map((lag) => advance(context, lag)));
    run.hasMore ||= moved.some(({ hasMore }) => hasMore);
    run.isUnheard &&= !moved.some(({ hasEndpoints }) => hasEndpoints);
  }
  return run;
}

async function advance(
  context: FanOutContext,
  lag: ChainLag,
): Promise<{ hasMore: boolean; hasEndpoints: boolean }> {
  const { store, formats, clock, notifyDeliveries } = context;
  const { workspaceNumber, fannedOutSeq: from, headSeq } = lag;
  // Read after the head, so an endpoint that is not found yet is younger than every event up to it.
  const endpoints = await store.webhooks.endpointsOfWorkspace(lag.workspaceId);
  if (endpoints.length === 0) {
    await store.webhooks.fanOut({ workspaceNumber, from, to: headSeq }, []);
    return { hasMore: false, hasEndpoints: false };
  }
  const subscribers = endpoints.map((endpoint) => readSubscriber(endpoint, formats));
  const most = subscribers.some(({ needsRecord }) => needsRecord) ? MAX_FULL_EVENTS : MAX_EVENTS;
  const limit = Math.min(Math.max(Math.floor(MAX_ROWS / endpoints.length), MIN_EVENTS), most);
  const events = await store.webhooks.eventsToFanOut(workspaceNumber, from, Math.min(limit, headSeq - from));
  const last = events.at(-1);
  if (!last) return { hasMore: false, hasEndpoints: true };
  const to = last.position - workspaceNumber * POSITIONS_PER_WORKSPACE;
  const wanted = wantedEvents(events, subscribers);
  const rows = deliveriesOf(wanted, await readSubjects(context, wanted), clock());
  const hasMoved = await store.webhooks.fanOut({ workspaceNumber, from, to }, rows);
  if (hasMoved && rows.length > 0) notifyDeliveries();
  return { hasMore: hasMoved && to < headSeq, hasEndpoints: true };
}

/** Endpoint with the events that it wants, and their form. */
export interface Subscriber {
  id: string;
  environmentId: number;
  events: readonly WebhookEvent[] | null;
  /** Limit `message.received`; `null` for all received mail. */
  inboxIds: readonly string[] | null;
  subTenantId: string | null;
  payload: WebhookPayload;
  format: WebhookFormat;
  /** `null` if the format is not another vendor's. */
  vendor: VendorFormat | null;
  /** Its deliveries contain the record and not only its ID. */
  needsRecord: boolean;
  /** Earlier events are not sent. */
  createdAt: number;
}

export function readSubscriber(row: WebhookEndpoint, formats: VendorFormats): Subscriber {
  const vendor = formats[row.format] ?? null;
  return {
    id: row.id,
    environmentId: row.environment_id,
    events: row.events === null ? null : (JSON.parse(row.events) as WebhookEvent[]), // written by the API only
    inboxIds: row.inbox_ids === null ? null : (JSON.parse(row.inbox_ids) as string[]), // as above
    subTenantId: row.sub_tenant_id,
    payload: row.payload,
    format: row.format,
    vendor,
    needsRecord: vendor !== null || row.payload === 'full',
    createdAt: row.created_at,
  };
}

/** Whether an endpoint receives an event. `name` is its name on the wire. */
export function takes(endpoint: Subscriber, event: FanOutEvent, name: WebhookEvent): boolean {
  if (endpoint.environmentId !== event.environment_id) return false;
  if (endpoint.vendor?.events.includes(name) === false) return false;
  const { inboxId, subTenantId, occurred_at: occurredAt } = event;
  return endpointWants(endpoint, { name, inboxId, subTenantId, occurredAt });
}

/** An event that some endpoints get. */
export interface Wanted {
  event: FanOutEvent;
  name: WebhookEvent;
  takers: readonly Subscriber[];
}

function wantedEvents(events: readonly FanOutEvent[], endpoints: readonly Subscriber[]): Wanted[] {
  return events.flatMap((event) => {
    const name = webhookEventName(event);
    if (name === null) return [];
    const takers = endpoints.filter((endpoint) => takes(endpoint, event, name));
    return takers.length === 0 ? [] : [{ event, name, takers }];
  });
}

/** Returns the deliveries in the order of the chain, in which the deliveries of one subject are attempted. */
function deliveriesOf(
  wanted: readonly Wanted[],
  subjectOf: (event: FanOutEvent) => Subject,
  now: number,
): NewWebhookDelivery[] {
  return wanted.flatMap(({ event, name, takers }) => {
    // The content is made once for all endpoints of one kind.
    const made = new Map<string, ReturnType<typeof deliveryOfEvent>>();
    return takers.flatMap((endpoint) => {
      const kind = endpoint.vendor === null ? endpoint.payload : endpoint.format;
      const same = made.get(kind);
      if (same) return [{ ...same, endpoint_id: endpoint.id, public_id: newId('whd', now) }];
      if (same === null) return [];
      const delivery = deliveryOfEvent(event, name, { endpoint, now, subject: subjectOf(event) });
      made.set(kind, delivery);
      return delivery === null ? [] : [delivery];
    });
  });
}
