// From the event chains to delivery rows: follows each workspace's chain by position and moves its cursor in the
// transaction that inserts what the endpoints are to get, so that no event is passed over or sent twice.
import type { Insertable } from 'kysely';
import type { WebhookEvent } from '../../contract/names.js';
import { endpointWants, webhookEventOf, webhookPayload } from '../../rules/webhook-event.js';
import type { Clock } from '../../runtime/clock.js';
import { newId } from '../../runtime/ids.js';
import { POSITIONS_PER_WORKSPACE } from '../../store/chains.js';
import type { Store } from '../../store/store.js';
import type { WebhookDeliveryTable } from '../../store/tables/webhooks.js';
import type { ChainLag, FanOutEvent, WebhookEndpoint } from '../../store/webhooks.js';

const MAX_EVENTS = 500;
const MIN_EVENTS = 20;
const MAX_ROWS = 2_000;
/** Workspaces that move in one group commit. */
const TOGETHER = 16;

export interface FanOutDeps {
  store: Pick<Store, 'webhooks'>;
  clock: Clock;
  /** Deliveries were added. */
  onDeliveries: () => void;
}

/** One beat moves every chain that lags by one batch; true when one has more. */
export function createFanOut({ store, clock, onDeliveries }: FanOutDeps): () => Promise<boolean> {
  /** True when the chain has more than was passed now. */
  async function advance(lag: ChainLag): Promise<boolean> {
    const { workspaceNumber, fannedOutSeq: from, headSeq } = lag;
    // Read after the head: an endpoint that is not there yet is younger than every event up to it.
    const endpoints = await store.webhooks.endpointsOfWorkspace(lag.workspaceId);
    if (endpoints.length === 0) {
      await store.webhooks.fanOut({ workspaceNumber, from, to: headSeq }, []);
      return false;
    }
    const limit = Math.min(Math.max(Math.floor(MAX_ROWS / endpoints.length), MIN_EVENTS), MAX_EVENTS);
    const wanted = Math.min(limit, headSeq - from);
    const events = await store.webhooks.eventsToFanOut(workspaceNumber, from, wanted);
    const last = events.at(-1);
    if (!last) return false;
    const to = last.position - workspaceNumber * POSITIONS_PER_WORKSPACE;
    const rows = deliveriesOf(events, endpoints.map(readEndpoint), clock());
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

interface Subscriber {
  id: string;
  events: readonly WebhookEvent[] | null;
  subTenantId: string | null;
  createdAt: number;
}

function readEndpoint(row: WebhookEndpoint): Subscriber {
  return {
    id: row.id,
    events: row.events === null ? null : (JSON.parse(row.events) as WebhookEvent[]), // written by the API only
    subTenantId: row.sub_tenant_id,
    createdAt: row.created_at,
  };
}

/** In the chain's order, which is the order in which one subject's deliveries are attempted. */
function deliveriesOf(
  events: readonly FanOutEvent[],
  endpoints: readonly Subscriber[],
  now: number,
): Insertable<WebhookDeliveryTable>[] {
  const rows: Insertable<WebhookDeliveryTable>[] = [];
  for (const event of events) {
    const name = webhookEventOf(event.event);
    if (name === null) continue;
    const occurredAt = event.occurred_at;
    const takers = endpoints.filter((endpoint) =>
      endpointWants(endpoint, { name, subTenantId: event.subTenantId, occurredAt }),
    );
    if (takers.length === 0) continue;
    const payload = webhookPayload({ name, subjectId: event.subject_id, occurredAt });
    for (const endpoint of takers) {
      rows.push(
        newDelivery({
          endpointId: endpoint.id,
          environmentId: event.environment_id,
          position: event.position,
          event: name,
          subjectId: event.subject_id,
          payload,
          now,
        }),
      );
    }
  }
  return rows;
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
}): Insertable<WebhookDeliveryTable> & { public_id: string } {
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
    created_at: input.now,
  };
}
