// The context of the feed, which webhooks/index.ts fills.
import type { Clock, Log } from '../lib/runtime/index.js';
import type { Config } from '../settings/settings.js';
import type { FeedStores } from './stores.js';

export interface FeedContext {
  store: FeedStores;
  config: Pick<Config, 'eventStreams' | 'eventStreamHeartbeatMs'>;
  clock: Clock;
  log: Log;
}
