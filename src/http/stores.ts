// The stores that api works with.
import type { Engine } from '../database/engine/engine.js';
import type { createIdempotencyStore } from './idempotency/idempotency.store.js';

export interface HttpStores {
  idempotency: ReturnType<typeof createIdempotencyStore>;
  readings: Engine['readings'];
}
