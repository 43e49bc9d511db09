// From the event chains to delivery rows: follows each workspace's chain by position and moves its cursor in the
// transaction that inserts what the endpoints are to get, so that no event is passed over or sent twice.
import type { WebhookEvent, WebhookFormat, WebhookPayload } from '../../contract/names.js';
import { endpointWants } from '../event.rules.js';
import { webhookEventOf } from '../../events/event-names.rules.js';
import type { VendorFormat, VendorFormats } from '../format.rules.js';
import type { Clock } from '../../lib/runtime/clock.js';
import { newId } from '../../lib/runtime/ids.js';
import { isOurs, type DividedRoom } from '../../lib/runtime/room.js';
import { POSITIONS_PER_WORKSPACE } from '../../events/chains.store.js';
import type { WebhookStores } from '../stores.js';
import type { ChainLag, FanOutEvent, NewWebhookDelivery } from './queue.store.js';
import { createSubjects, deliveryOf, type RecordsOf, type SubjectOf } from './delivery-content.js';
import type { WebhookEndpoint } from '../webhooks.tables.js';

const MAX_EVENTS = 200;
/** With full payloads, which may be 100 KB each. */
const MAX_FULL_EVENTS = 100;
const MIN_EVENTS = 5;
/** Written in one transaction, which holds the main thread. */
const MAX_ROWS = 500;
/** Workspaces that move in one group commit. */
const TOGETHER = 16;

export interface FanOutDeps {
  store: Pick<WebhookStores, 'webhooks'>;
  recordsOf: RecordsOf;
  formats: VendorFormats;
  /** Of several nodes one makes the deliveries of a workspace. */
  room?: DividedRoom | undefined;
  clock: Clock;
  /** Deliveries were added. */
  onDeliveries: () => void;
}

export interface FanOutRun {
  /** A chain has more than was passed now. */
  hasMore: boolean;
  /** Chains were moved, and no workspace of theirs has an endpoint. */
  isUnheard: boolean;
}

/** One run moves every chain that lags by one batch. */
export function createFanOut(deps: FanOutDeps): () => Promise<FanOutRun> {
  const { store, formats, room, clock, onDeliveries } = deps;
  const subjectsOf = createSubjects(deps);
  async function advance(lag: ChainLag): Promise<{ hasMore: boolean; hasEndpoints: boolean }> {
    const { workspaceNumber, fannedOutSeq: from, headSeq } = lag;
    // Read after the head: an endpoint that is not there yet is younger than every event up to it.
    const endpoints = await store.webhooks.endpointsOfWorkspace(lag.workspaceId);
    if (endpoints.length === 0) {
      await store.webhooks.fanOut({ workspaceNumber, from, to: headSeq }, []);
      return { hasMore: false, hasEndpoints: false };
    }
    const subscribers = endpoints.map((endpoint) => readSubscriber(endpoint, formats));
    const most = subscribers.some(({ needsRecord }) => needsRecord) ? MAX_FULL_EVENTS : MAX_EVENTS;
    const limit = Math.min(Math.max(Math.floor(MAX_ROWS / endpoints.length), MIN_EVENTS), most);
    const events = await store.webhooks.eventsToFanOut(
      workspaceNumber,
      from,
      Math.min(limit, headSeq - from),
    );
    const last = events.at(-1);
    if (!last) return { hasMore: false, hasEndpoints: true };
    const to = last.position - workspaceNumber * POSITIONS_PER_WORKSPACE;
    const wanted = wantedOf(events, subscribers);
    const rows = deliveriesOf(wanted, await subjectsOf(wanted), clock());
    const hasMoved = await store.webhooks.fanOut({ workspaceNumber, from, to }, rows);
    if (hasMoved && rows.length > 0) onDeliveries();
    return { hasMore: hasMoved && to < headSeq, hasEndpoints: true };
  }

  return async () => {
    const chains = await store.webhooks.lagging();
    const lagging = chains.filter(({ workspaceNumber }) => isOurs(room, workspaceNumber));
    const run: FanOutRun = { hasMore: false, isUnheard: lagging.length > 0 };
    for (let start = 0; start < lagging.length; start += TOGETHER) {
      const moved = await Promise.all(lagging.slice(start, start + TOGETHER).map(advance));
      run.hasMore ||= moved.some(({ hasMore }) => hasMore);
      run.isUnheard &&= !moved.some(({ hasEndpoints }) => hasEndpoints);
    }
    return run;
  };
}

/** Endpoint with the events that it wants, and their form. */
export interface Subscriber {
  id: string;
  environmentId: number;
  events: readonly WebhookEvent[] | null;
  subTenantId: string | null;
  payload: WebhookPayload;
  format: WebhookFormat;
  /** Where the format is another vendor's. */
  vendor: VendorFormat | null;
  /** Whether its deliveries say more of a message than its id. */
  needsRecord: boolean;
  /** Events from before it are not sent. */
  createdAt: number;
}

export function readSubscriber(row: WebhookEndpoint, formats: VendorFormats): Subscriber {
  const vendor = formats[row.format] ?? null;
  return {
    id: row.id,
    environmentId: row.environment_id,
    events: row.events === null ? null : (JSON.parse(row.events) as WebhookEvent[]), // written by the API only
    subTenantId: row.sub_tenant_id,
    payload: row.payload,
    format: row.format,
    vendor,
    needsRecord: vendor !== null || row.payload === 'full',
    createdAt: row.created_at,
  };
}

/** Whether an endpoint gets an event, whose name on the wire is `name`: one of its own environment that it wants. */
export function takes(endpoint: Subscriber, event: FanOutEvent, name: WebhookEvent): boolean {
  if (endpoint.environmentId !== event.environment_id) return false;
  if (endpoint.vendor?.events.includes(name) === false) return false;
  return endpointWants(endpoint, { name, subTenantId: event.subTenantId, occurredAt: event.occurred_at });
}

/** An event that some endpoints get. */
export interface Wanted {
  event: FanOutEvent;
  name: WebhookEvent;
  takers: readonly Subscriber[];
}

function wantedOf(events: readonly FanOutEvent[], endpoints: readonly Subscriber[]): Wanted[] {
  return events.flatMap((event) => {
    const name = webhookEventOf(event);
    if (name === null) return [];
    const takers = endpoints.filter((endpoint) => takes(endpoint, event, name));
    return takers.length === 0 ? [] : [{ event, name, takers }];
  });
}

/** In the chain's order, which is the order in which one subject's deliveries are attempted. */
function deliveriesOf(wanted: readonly Wanted[], subjectOf: SubjectOf, now: number): NewWebhookDelivery[] {
  return wanted.flatMap(({ event, name, takers }) => {
    // Parts that do not depend on the endpoint are made once.
    const made = new Map<string, ReturnType<typeof deliveryOf>>();
    return takers.flatMap((endpoint) => {
      const kind = endpoint.vendor === null ? endpoint.payload : endpoint.format;
      const same = made.get(kind);
      if (same) return [{ ...same, endpoint_id: endpoint.id, public_id: newId('whd', now) }];
      if (same === null) return [];
      const delivery = deliveryOf(event, name, { endpoint, now, subject: subjectOf(event) });
      made.set(kind, delivery);
      return delivery === null ? [] : [delivery];
    });
  });
}
