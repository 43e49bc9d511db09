// The event feed: every event of the environment, newest first, or oldest first to catch up.
import { event, eventFilters } from '../../../contract/event.js';
import { eventPlaceOf } from '../../../contract/event-id.js';
import { listOf } from '../../../contract/lists.js';
import { invalidFields, Refusal } from '../../../contract/refusal.js';
import type { Store } from '../../../store/store.js';
import type { Api } from '../api.js';
import { listAnswer, pageQueryWith, readPage, ROW_NUMBER } from '../pages.js';
import { presentEvent } from '../present/event.js';

export interface EventDeps {
  store: Pick<Store, 'events'>;
}

export function eventRoutes(app: Api, { store }: EventDeps): void {
  app.get(
    '/v1/events',
    {
      schema: {
        operationId: 'listEvents',
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
      const page = readPage(request.query, ROW_NUMBER);
      if (after !== undefined && (order !== 'asc' || page.after !== null)) {
        throw invalidFields([{ path: 'after', message: 'goes with order=asc and without cursor' }]);
      }
      const start = after === undefined ? page.after : placeOf(after);
      const found = await store.events.feed(scope, { limit: page.limit, after: start, order });
      return listAnswer(found, (row) => presentEvent(row, scope.mode));
    },
  );
}

function placeOf(id: string): string {
  const place = eventPlaceOf(id);
  if (!place) throw new Refusal('invalid_cursor', 'This is not the id of an event.', { param: 'after' });
  return String(place.position);
}
