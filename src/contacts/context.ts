// Dependencies that app gives contacts.
import type { Clock } from '../lib/runtime/index.js';
import type { ContactStores } from './stores.js';

export interface ContactContext {
  store: ContactStores;
  clock: Clock;
}
