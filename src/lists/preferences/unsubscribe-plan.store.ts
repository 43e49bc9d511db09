// Changes by which the recipient of a message leaves its list, and whether they have left all mail.
import type { ContactList } from '../../contacts/lists/lists.tables.js';
import { auditTrailEntry, auditTrailSubject } from '../../events/audit-trail-entry.store.js';
import { readDetail } from '../../events/events.store.js';
import type { SignedLinkTarget } from '../../messages/messages.store.js';
import type { ListStores } from '../stores.js';
import type { Change } from '../../database/change.js';
import type { EventDetail } from '../../events/append.store.js';
import { leaveList } from '../../contacts/contact-changes.store.js';

/** Unsubscribes the recipient of a message from one list, with an entry in the message's audit trail. */
export function unsubscribeFromList(
  { message, scope }: SignedLinkTarget,
  list: ContactList,
  { contactId, detail, at }: { contactId: string | null; detail: EventDetail; at: number },
): Change[] {
  const metadata = { ...detail.metadata, list_id: list.id };
  const { number: listNumber } = list;
  return [
    leaveList({ listNumber, emailKey: message.to_key, contactId, unsubscribed: true, at }),
    auditTrailEntry(auditTrailSubject(message, scope), {
      event: 'unsubscribed',
      actor: 'recipient',
      at,
      detail: { ...detail, metadata },
    }),
  ];
}

/** Returns whether the recipient unsubscribed from all mail by this message and is still suppressed. */
export async function hasLeft(
  store: Pick<ListStores, 'suppressions' | 'events'>,
  { message, scope }: SignedLinkTarget,
): Promise<boolean> {
  const rows = await store.suppressions.suppressionsOfExactly(scope, [message.to_key]);
  if (rows.length === 0) return false;
  const trail = await store.events.auditTrailOfMessage(message.id);
  // An entry for one list does not end other mail.
  return trail.some((entry) => entry.event === 'unsubscribed' && !isOfOneList(entry));
}

function isOfOneList(entry: Parameters<typeof readDetail>[0]): boolean {
  return readDetail(entry).metadata?.['list_id'] !== undefined;
}
