// The stores that feed works with.
import type { Engine } from '../database/engine/engine.js';
import type { FeedStore } from './feed.store.js';

export interface FeedStores {
  feed: FeedStore;
  readings: Engine['readings'];
}
