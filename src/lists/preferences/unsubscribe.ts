// Unsubscribes a recipient (RFC 8058, RFC 2369): all mail, by a suppression; or the list that brought the message, which
// remembers it. Each with the contact and the trail in one transaction.
import { isErasedAddress } from '../../contract/erased-address.js';
import type { Clock } from '../../lib/runtime/clock.js';
import { createKeyedMutex } from '../../lib/runtime/keyed-mutex.js';
import type { ListStore } from '../../contacts/lists/lists.store.js';
import type { ContactList } from '../../contacts/lists/lists.tables.js';
import type { ListStores } from '../stores.js';
import type { Message } from '../../messages/messages.tables.js';
import { recipientOf, unsubscribe } from '../../suppressions/suppression-plan.store.js';
import { hasLeft, leaveListOf } from './unsubscribe-plan.store.js';
import { ownContact } from '../../contacts/person.js';
import type { EventDetail } from '../../events/append.store.js';

export interface UnsubscribeDeps {
  store: Pick<ListStores, 'suppressions' | 'events' | 'messages' | 'commit'>;
  clock: Clock;
  wakeUps: { events(): void };
}

/** Done again it changes nothing. Answers false when there is no such message. */
export type Unsubscribe = (messagePublicId: string, detail: EventDetail) => Promise<boolean>;

/**
 * Suppresses the recipient of a message for its sub-tenant, or for the workspace when it has none; in the message's
 * environment, with the contact of that environment.
 */
export function createUnsubscribe({ store, clock, wakeUps }: UnsubscribeDeps): Unsubscribe {
  const inTurn = createKeyedMutex();
  const leave: Unsubscribe = async (messagePublicId, detail) => {
    const target = await store.messages.forToken(messagePublicId);
    if (!target || isErasedAddress(target.message.to_email)) return false;
    if (await hasLeft(store, target)) return true;
    await store.commit(unsubscribe(recipientOf(target), detail, clock()));
    wakeUps.events();
    return true;
  };
  return (messagePublicId, detail) => inTurn(messagePublicId, () => leave(messagePublicId, detail));
}

/** Returns the list that a message came by: its campaign's, or its topic. Null without one, or if it was deleted. */
export type ListOfMessage = (
  message: Pick<Message, 'campaign_id' | 'topic_id'>,
) => Promise<ContactList | null>;

/** `listOfCampaign` returns the list that a campaign goes to; null if the list was deleted. */
export function createListOfMessage(
  lists: Pick<ListStore, 'listOf'>,
  listOfCampaign: (campaignId: string) => Promise<ContactList | null>,
): ListOfMessage {
  return async ({ campaign_id: campaignId, topic_id: topicId }) => {
    if (campaignId !== null) return listOfCampaign(campaignId);
    return topicId === null ? null : lists.listOf(topicId);
  };
}

export interface LeaveListDeps {
  store: Pick<ListStores, 'contacts' | 'lists' | 'messages' | 'commit'>;
  listOfMessage: ListOfMessage;
  clock: Clock;
  wakeUps: { events(): void };
}

/**
 * The recipient leaves the list of the message's campaign, or the one that the message stands for, alone. Done again it
 * changes nothing. Answers the list; null when the message has none, or the list is gone.
 */
export type LeaveList = (messagePublicId: string, detail: EventDetail) => Promise<ContactList | null>;

export function createLeaveList({ store, listOfMessage, clock, wakeUps }: LeaveListDeps): LeaveList {
  const inTurn = createKeyedMutex();
  const leave: LeaveList = async (messagePublicId, detail) => {
    const target = await store.messages.forToken(messagePublicId);
    const list = target && (await listOfMessage(target.message));
    if (!target || !list || isErasedAddress(target.message.to_email)) return null;
    if ((await store.lists.leftAt(list.number, target.message.to_key)) !== null) return list;
    const contact = await ownContact(
      store,
      { ...target.scope, subTenantId: list.sub_tenant_id },
      target.message.to_key,
    );
    const at = clock();
    await store.commit(leaveListOf(target, list, { contactId: contact?.id ?? null, detail, at }));
    wakeUps.events();
    return list;
  };
  return (messagePublicId, detail) => inTurn(messagePublicId, () => leave(messagePublicId, detail));
}
