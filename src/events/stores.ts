// The stores that events works with.
import type { Engine } from '../store/engine/engine.js';
import type { EventStore } from './events.store.js';

export interface EventStores {
  events: EventStore;
  readings: Engine['readings'];
}
