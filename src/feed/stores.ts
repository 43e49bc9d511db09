// Stores that the code of this folder uses. src/app/store.ts opens them.
import type { Engine } from '../database/engine/engine.js';
import type { FeedStore } from './feed.store.js';

export interface FeedStores {
  feed: FeedStore;
  readings: Engine['readings'];
}
