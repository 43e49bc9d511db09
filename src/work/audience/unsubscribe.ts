// A recipient leaves (RFC 8058, RFC 2369): suppression, contact and trail in one transaction.
import type { Clock } from '../../runtime/clock.js';
import type { EventDetail } from '../../store/plan.js';
import type { Store } from '../../store/store.js';
import { hasLeft, recipientOf, unsubscribe } from '../../store/suppression-plan.js';

export interface UnsubscribeDeps {
  store: Pick<Store, 'audience' | 'events' | 'messages' | 'commit'>;
  clock: Clock;
  bells: { events(): void };
}

/** Done again it changes nothing. Answers false when there is no such message. */
export type Unsubscribe = (messagePublicId: string, detail: EventDetail) => Promise<boolean>;

/**
 * Suppresses the recipient of a message for its sub-tenant, or for the workspace when it has none. The contact changes
 * with live mail only: contacts are shared by both environments, and nothing in test changes live.
 */
export function createUnsubscribe({ store, clock, bells }: UnsubscribeDeps): Unsubscribe {
  return async (messagePublicId, detail) => {
    const target = await store.messages.forToken(messagePublicId);
    if (!target) return false;
    if (await hasLeft(store, target)) return true;
    await store.commit(unsubscribe(recipientOf(target), detail, clock()));
    bells.events();
    return true;
  };
}
