// Values that the program gives tracking.
import type { WakeUps } from '../events/wake-ups.js';
import type { Clock } from '../lib/runtime/clock.js';
import type { Keys } from '../lib/runtime/key-files.js';
import type { Log } from '../lib/runtime/log.js';
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
