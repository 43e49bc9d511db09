// The event feed: every event of the environment, newest first, or oldest first to catch up.
import { event, eventFilters, readFeedEventNames } from './event.schema.js';
import { listOf } from '../contract/lists.js';
import { invalidFields, Refusal } from '../contract/refusal.js';
import { auditTrailEntriesOf, type WantedEntries } from '../webhooks/event.rules.js';
import type { FastifyRequest } from 'fastify';
import type { Store } from '../store/store.js';
import type { Api } from '../api/api.js';
import { listAnswer, pageQueryWith, readPage } from '../api/lists/pages.js';
import { presentEvent } from './event.view.js';

export interface EventDeps {
  store: Pick<Store, 'events'>;
}

export function eventRoutes(app: Api, { store }: EventDeps): void {
  app.get(
    '/v1/events',
    {
      schema: {
        operationId: 'events.list',
        tags: ['Events'],
        summary: 'List every event of the environment',
        description:
          'Follow it with `order=asc&after=<id of the last event seen>`. A page may be shorter than `limit` while ' +
          '`has_more` is true.',
        querystring: pageQueryWith(eventFilters),
        response: { 200: listOf(event) },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      const { order = 'desc', after } = request.query;
      const page = readPage(request);
      if (after !== undefined && (order !== 'asc' || page.after !== null)) {
        throw invalidFields([{ path: 'after', message: 'goes with order=asc and without cursor' }]);
      }
      const start = after === undefined ? page.after : String(positionAfter(request, after, 'after'));
      const events = wantedEvents(request.query.events);
      const found = await store.events.feed(scope, { limit: page.limit, after: start, order, events });
      return listAnswer(request, found, (row) => presentEvent(row, scope, app.cursors));
    },
  );
}

/** The events that a query names, as the trail calls them; null for all. Refused when it names one that is none. */
export function wantedEvents(names: string | undefined): WantedEntries | null {
  if (names === undefined) return null;
  const read = readFeedEventNames(names);
  if (!read.ok) {
    const message = `${JSON.stringify(read.name.slice(0, 100))} is not an event`;
    throw invalidFields([{ path: 'events', message }]);
  }
  return auditTrailEntriesOf(read.names);
}

/** The place in the chain that an event id names. Refused with `invalid_cursor` when it is none of this workspace. */
export function positionAfter(
  { server, caller }: Pick<FastifyRequest, 'server' | 'caller'>,
  id: string,
  param: string,
): number {
  const place = server.cursors.eventPlace(caller.scope.workspaceNumber, id);
  if (!place) {
    throw new Refusal('invalid_cursor', 'This is not the id of an event of the workspace.', { param });
  }
  return place.position;
}
