// Stores that this folder uses. src/app/store.ts opens them.
import type { Engine } from '../database/engine/engine.js';
import type { createIdempotencyStore } from './idempotency/idempotency.store.js';

export interface HttpStores {
  idempotency: ReturnType<typeof createIdempotencyStore>;
  readings: Engine['readings'];
}
