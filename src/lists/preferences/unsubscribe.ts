// Unsubscribes a recipient (RFC 8058, RFC 2369) from all mail, by a suppression, or from the list that brought the message,
// which remembers it. Either is one transaction with the contact and the audit trail.
import { ownContact } from '../../contacts/person.js';
import type { ContactList } from '../../contacts/lists/lists.tables.js';
import { isErasedAddress } from '../../contract/erased-address.js';
import type { EventDetail } from '../../events/append.store.js';
import { createKeyedMutex } from '../../lib/concurrency/index.js';
import type { Message } from '../../messages/messages.tables.js';
import { messageRecipient, unsubscribe } from '../../suppressions/suppression-plan.store.js';
import type { MessageLinkContext } from '../context.js';
import { hasLeft, unsubscribeFromList } from './unsubscribe-plan.store.js';

type UnsubscribeContext = Omit<MessageLinkContext, 'tokenKeys'>;

/** Reads the list that a message came by: its campaign's, or its topic. Null without one, or if it was deleted. */
export async function listOfMessage(
  { store, listOfCampaign }: Pick<MessageLinkContext, 'store' | 'listOfCampaign'>,
  { campaign_id: campaignId, topic_id: topicId }: Pick<Message, 'campaign_id' | 'topic_id'>,
): Promise<ContactList | null> {
  if (campaignId !== null) return listOfCampaign(campaignId);
  return topicId === null ? null : store.lists.listOf(topicId);
}

export class Unsubscribes {
  readonly #context: UnsubscribeContext;
  /** Requests for one message run one after the other. */
  readonly #inTurn = createKeyedMutex();

  constructor(context: UnsubscribeContext) {
    this.#context = context;
  }

  /**
   * Suppresses the recipient of a message for its sub-tenant, or for the workspace if it has none, in the message's
   * environment. Repeating it changes nothing. Returns false if there is no such message.
   */
  leaveAll(messagePublicId: string, detail: EventDetail): Promise<boolean> {
    return this.#inTurn(messagePublicId, async () => {
      const { store, clock, wakeUps } = this.#context;
      const target = await store.messages.forToken(messagePublicId);
      if (!target || isErasedAddress(target.message.to_email)) return false;
      if (await hasLeft(store, target)) return true;
      await store.commit(unsubscribe(messageRecipient(target), detail, clock()));
      wakeUps.events();
      return true;
    });
  }

  /**
   * Removes the recipient from the list through which the message was sent. Repeating it changes nothing. Returns the list; null if
   * the message has none, or if it was deleted.
   */
  leaveList(messagePublicId: string, detail: EventDetail): Promise<ContactList | null> {
    return this.#inTurn(messagePublicId, async () => {
      const { store, clock, wakeUps } = this.#context;
      const target = await store.messages.forToken(messagePublicId);
      const list = target && (await listOfMessage(this.#context, target.message));
      if (!target || !list || isErasedAddress(target.message.to_email)) return null;
      const { message, scope } = target;
      if ((await store.lists.leftAt(list.number, message.to_key)) !== null) return list;
      const contact = await ownContact(store, { ...scope, subTenantId: list.sub_tenant_id }, message.to_key);
      const leaving = { contactId: contact?.id ?? null, detail, at: clock() };
      await store.commit(unsubscribeFromList(target, list, leaving));
      wakeUps.events();
      return list;
    });
  }
}
