// Events: everything that happens to messages and sub-tenants, as a list and as a stream.
import type { List } from '../list.js';
import { followEvents, type EventStreamOptions } from '../event-stream.js';
import type { RequestOptions } from '../request.js';
import { Resource } from '../resource.js';
import type { Query } from '../routes.js';
import type { Event, EventList } from '../types.js';

export class Events extends Resource {
  /**
   * Lists the events of the environment, newest first. To read new events in order, use `order: 'asc'` with `after`.
   *
   * @example
   * for await (const event of mailkeel.events.list({ order: 'asc', after: 'evt_01kdyak3se4w5amvgkazjzkvb7' })) console.log(event.event);
   */
  list(params: Query<'events.list'> = {}, options?: RequestOptions): List<Event, EventList> {
    return this.pages('GET /v1/events', { query: params, options });
  }

  /**
   * Streams events as they happen, each one once and in order. Reconnects and resumes automatically after a dropped
   * connection. Ends when the signal is aborted and throws if the server refuses the request. To resume after a
   * restart, store `event.id` and pass it as `lastEventId`.
   *
   * @example
   * for await (const event of mailkeel.events.stream({ types: ['message.bounced'], signal: AbortSignal.timeout(60_000) })) console.log(event.data.id);
   */
  stream(options: EventStreamOptions = {}): AsyncGenerator<Event, void, undefined> {
    return followEvents(this.config, options);
  }
}
