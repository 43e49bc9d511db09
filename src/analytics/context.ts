// The context of analytics, which src/app fills.
import type { Clock, Log } from '../lib/runtime/index.js';
import type { Room } from '../lib/concurrency/index.js';
import type { Config } from '../settings/settings.js';
import type { AnalyticStores } from './stores.js';

export interface AnalyticsContext {
  store: AnalyticStores;
  config: Pick<Config, 'rollupIntervalMs'>;
  /** Returns the mail provider of a domain, or `null` while it is not known. */
  providerOf: (domain: string) => string | null;
  /** Lets one of several nodes count. */
  room?: Room | undefined;
  clock: Clock;
  log: Log;
}
