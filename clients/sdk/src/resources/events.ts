// Events: everything that happens to messages and sub-tenants, as a list and as a stream.
import type { List } from '../list.js';
import { followEvents, type EventStreamOptions } from '../event-stream.js';
import type { RequestOptions } from '../request.js';
import { Resource } from '../resource.js';
import type { Query } from '../routes.js';
import type { Event, EventList } from '../types.js';

export class Events extends Resource {
  /**
   * Lists every event of the environment, newest first; `order: 'asc'` with `after` follows it.
   *
   * @example
   * for await (const event of mailkeel.events.list({ order: 'asc', after: 'evt_01kdyak3se4w5amvgkazjzkvb7' })) console.log(event.event);
   */
  list(params: Query<'events.list'> = {}, options?: RequestOptions): List<Event, EventList> {
    return this.pages('GET /v1/events', { query: params, options });
  }

  /**
   * Follows the events as they happen, each once and in order. After a cut it connects again by itself and
   * goes on where it was; it ends with the signal, or fails when the server refuses. Keep `event.id` to go
   * on after a restart.
   *
   * @example
   * for await (const event of mailkeel.events.stream({ types: ['message.bounced'], signal: AbortSignal.timeout(60_000) })) console.log(event.data.id);
   */
  stream(options: EventStreamOptions = {}): AsyncGenerator<Event, void, undefined> {
    return followEvents(this.config, options);
  }
}
