// Stores that the code of this folder uses. src/app/store.ts opens them.
import type { Commits } from '../database/committer.js';
import type { EventStore } from '../events/events.store.js';
import type { MessageStore } from '../messages/messages.store.js';

export interface TrackingStores extends Commits {
  events: EventStore;
  messages: MessageStore;
}
