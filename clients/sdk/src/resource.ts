// Base of the resource classes: turns a method into a call.
import { ApiPromise } from './api-promise.js';
import type { Config } from './config.js';
import { List, type Envelope } from './list.js';
import { send, type Call } from './request.js';
import type { Answer, Route } from './routes.js';

type Parts = Omit<Call, 'route' | 'asFile'>;

export abstract class Resource {
  declare protected readonly config: Config;

  constructor(config: Config) {
    // Not enumerable, so that printing the client does not reveal the key.
    Object.defineProperty(this, 'config', { value: config });
  }

  /** `parts` may still be being made, as of files that are read. */
  protected call<R extends Route>(route: R, parts: Parts | Promise<Parts>): ApiPromise<Answer<R>> {
    const answer = Promise.resolve(parts).then((made) => send<Answer<R>>(this.config, { ...made, route }));
    return ApiPromise.of(answer);
  }

  /** Returns the Response of a file with its body unread. */
  protected download(route: Route, parts: Parts): ApiPromise<Response> {
    return ApiPromise.of(send<Response>(this.config, { ...parts, route, asFile: true }));
  }

  protected pages<Item, E extends Envelope<Item> = Envelope<Item>>(
    route: Route,
    parts: Parts,
  ): List<Item, E> {
    return new List<Item, E>(async (cursor) => {
      const query = cursor === null ? parts.query : { ...parts.query, cursor };
      const { data } = await send<E>(this.config, {
        ...parts,
        route,
        ...(query === undefined ? {} : { query }),
      });
      return data;
    });
  }
}
