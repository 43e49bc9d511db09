// Values that the program gives tracking.
import type { WakeUps } from '../events/wake-ups.js';
import type { Clock, Log } from '../lib/runtime/index.js';
import type { Keys } from '../lib/secrets/index.js';
import type { Config } from '../settings/settings.js';
import type { TrackingStores } from './stores.js';

export interface TrackingContext {
  store: TrackingStores;
  config: Pick<Config, 'trackingEventsPerMessage'>;
  keys: Keys;
  wakeUps: Pick<WakeUps, 'events'>;
  clock: Clock;
  log: Pick<Log, 'warn' | 'error'>;
}
