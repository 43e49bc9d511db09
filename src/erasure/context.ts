// The context of erasure, which src/app fills.
import type { WakeUps } from '../events/wake-ups.js';
import type { Clock } from '../lib/runtime/index.js';
import type { ErasureStores } from './stores.js';

export interface ErasureContext {
  store: ErasureStores;
  clock: Clock;
  wakeUps: Pick<WakeUps, 'events'>;
}
