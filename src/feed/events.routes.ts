// The event feed: every event of the environment, newest first, or oldest first to catch up.
import { event, eventFilters, readFeedEventNames } from '../events/event.schema.js';
import { listOf } from '../contract/lists.js';
import { invalidFields, Refusal } from '../contract/refusal.js';
import { selectTrailEntries, type WantedEntries } from '../events/event-names.rules.js';
import type { FastifyRequest } from 'fastify';
import type { FeedStores } from './stores.js';
import type { Api } from '../http/api.js';
import { narrowedTo } from '../database/scope.js';
import { listAnswer, pageQueryWith, readPage, readRange } from '../http/lists/pages.js';
import type { DecodedPosition } from '../contract/event-ids.js';
import { presentEvent } from './event.view.js';

export function eventRoutes(app: Api, { store }: { store: Pick<FeedStores, 'feed'> }): void {
  app.get(
    '/v1/events',
    {
      schema: {
        operationId: 'events.list',
        tags: ['Events'],
        summary: 'List events',
        description:
          'Returns the events of the environment. To poll for new events, use `order=asc&after=<ID of the last event seen>`. A page may have fewer than `limit` events while `has_more` is `true`. If a restore from a backup has removed the event you continue from, the request fails with `cursor_ahead`. Resume from `details.resume_after`.',
        querystring: pageQueryWith(eventFilters),
        response: { 200: listOf(event) },
      },
    },
    async (request) => {
      const { order = 'desc', after, sub_tenant_id: subTenantId } = request.query;
      const scope = narrowedTo(request.caller.scope, subTenantId);
      const page = readPage(request);
      if (after !== undefined && (order !== 'asc' || page.after !== null)) {
        throw invalidFields([
          { path: 'after', message: 'can only be used with order=asc and without `cursor`' },
        ]);
      }
      const { cursors } = app;
      if (scope === null) return listAnswer(request, { rows: [], next: null }, (row) => row);
      const number = scope.workspaceNumber;
      const from = after === undefined ? null : positionAfter(request, after, 'after');
      const place = page.after === null ? from : cursors.readPlace(page.after, number);
      if (place !== null) await refuseAhead(request, store, place);
      const events = wantedEvents(request.query.events);
      const start = place === null ? null : String(place.position);
      const range = readRange(request.query);
      const found = await store.feed.page(scope, {
        limit: page.limit,
        after: start,
        order,
        events,
        ...range,
      });
      const next = found.next === null ? null : cursors.placeText(Number(found.next), number);
      return listAnswer(request, { ...found, next }, (row) => presentEvent(row, scope, cursors));
    },
  );
}

/** Returns the trail entries of the events that a query names, or `null` for all. Refuses unknown names. */
export function wantedEvents(names: string | undefined): WantedEntries | null {
  if (names === undefined) return null;
  const read = readFeedEventNames(names);
  if (!read.ok) {
    const message = `${JSON.stringify(read.name.slice(0, 100))} is not a known event`;
    throw invalidFields([{ path: 'events', message }]);
  }
  return selectTrailEntries(read.names);
}

/** A consumer's position in the chain. */
type ChainPosition = Omit<DecodedPosition, 'occurredAt'>;

/**
 * Returns the position from which a consumer must resume if the chain does not have its position, or `null` if it does. Later
 * events are new to the consumer.
 */
export async function resumeAfter(
  { server, caller }: Pick<FastifyRequest, 'server' | 'caller'>,
  store: Pick<FeedStores, 'feed'>,
  { position, lostAfter }: ChainPosition,
): Promise<{ position: number; id: string } | null> {
  const number = caller.scope.workspaceNumber;
  const head = (await store.feed.headPositions([number])).get(number) ?? 0;
  // One position beyond the end is the cursor of a list that was read to its end, newest first.
  if (lostAfter === null && position <= head + 1) return null;
  const at = Math.min(lostAfter ?? head, head);
  const occurredAt = (await store.feed.occurredAt(at)) ?? 0;
  return { position: at, id: server.cursors.eventId(number, { occurredAt, position: at }) };
}

async function refuseAhead(
  request: FastifyRequest,
  store: Pick<FeedStores, 'feed'>,
  place: ChainPosition,
): Promise<void> {
  const resume = await resumeAfter(request, store, place);
  if (resume !== null) throw new Refusal('cursor_ahead', undefined, { details: { resume_after: resume.id } });
}

/** Returns the position of an event by its ID. Refused with `invalid_cursor` if it does not belong to this workspace. */
export function positionAfter(
  { server, caller }: Pick<FastifyRequest, 'server' | 'caller'>,
  id: string,
  param: string,
): ChainPosition {
  const place = server.cursors.eventPlace(caller.scope.workspaceNumber, id);
  if (!place) {
    throw new Refusal('invalid_cursor', 'The ID does not belong to an event of this workspace.', { param });
  }
  return place;
}
