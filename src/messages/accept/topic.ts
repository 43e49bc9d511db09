// Finds the list that is the topic of a single message, for consent per purpose.
import { Refusal } from '../../contract/refusal.js';
import type { Scope } from '../../database/scope.js';
import type { MessageStores } from '../stores.js';
import type { Draft } from './draft.js';

export interface Topic {
  id: string;
  name: string;
  number: number;
}

/**
 * Finds the list of a topic in exactly this scope; `null` for a message without one. Refuses with `list_not_found`, also for
 * the list of another sub-tenant.
 */
export async function findTopic(
  store: Pick<MessageStores, 'lists'>,
  scope: Scope,
  id: string | null,
): Promise<Topic | null> {
  if (id === null) return null;
  const list = await store.lists.list(scope, id);
  if (list?.sub_tenant_id !== scope.subTenantId) {
    throw new Refusal('list_not_found', 'The list does not exist for this sender.', { param: 'topic' });
  }
  return { id: list.id, name: list.name, number: list.number };
}

/** Returns the recipients who have unsubscribed from the message's topic, with the reason. */
export async function leftTopic(
  store: Pick<MessageStores, 'lists'>,
  { topic, recipients }: Pick<Draft, 'topic' | 'recipients'>,
): Promise<Map<string, string>> {
  if (topic === null) return new Map();
  const keys = recipients.map(({ key }) => key);
  const left = await store.lists.unsubscribedAmong(topic.number, keys);
  return new Map([...left].map((key) => [key, 'left_list']));
}
