// The stores that api works with.
import type { Engine } from '../store/engine/engine.js';
import type { createIdempotencyStore } from './idempotency/idempotency.store.js';

export interface ApiStores {
  idempotency: ReturnType<typeof createIdempotencyStore>;
  readings: Engine['readings'];
}
