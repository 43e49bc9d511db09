// Finds the scope, the original message and the thread of a received message. It never crosses sub-tenants: a token fixes the
// sub-tenant, and other look-ups stay within the sub-tenant of the recipient address.
import {
  addressKey,
  type ParsedMail,
  subjectKey as keyOfSubject,
  threadCandidates,
} from '../../lib/mime/index.js';
import type { Message } from '../../messages/messages.store.js';
import type { Scope } from '../../database/scope.js';
import type { Thread } from '../../messages/threads/threads.tables.js';
import type { InboundMail } from '../inbound.tables.js';
import type { InboundStores } from '../stores.js';

/** How long an equal subject joins messages into one thread. */
const SUBJECT_WINDOW_MS = 30 * 86_400_000;

export interface Place {
  scope: Scope;
  /** The original message; `null` if there is none, or only the thread is known. */
  parent: Message | null;
  /** `null` if the message may start a new thread. */
  thread: Thread | null;
  /** The inbox of the address it was sent to. */
  inboxId: string | null;
}

type Found = Omit<Place, 'inboxId'>;

type PlaceStore = Pick<InboundStores, 'inbound' | 'inboxes' | 'messages' | 'threads'>;
type AddressedMail = Pick<InboundMail, 'kind' | 'target' | 'rcpt_to' | 'received_at'>;

/** Returns `null` if the recipient's message, sub-tenant or sender no longer exists. */
export async function placeReply(
  store: PlaceStore,
  mail: AddressedMail,
  parsed: ParsedMail,
): Promise<Place | null> {
  const found = await findPlace(store, mail, parsed);
  if (found === null) return null;
  const { environmentId, subTenantId } = found.scope;
  const inbox =
    mail.kind === 'mailbox'
      ? await store.inboxes.inboxAt({ environmentId, addressKey: addressKey(mail.rcpt_to) })
      : null;
  return { ...found, inboxId: inbox?.sub_tenant_id === subTenantId ? inbox.id : null };
}

async function findPlace(store: PlaceStore, mail: AddressedMail, parsed: ParsedMail): Promise<Found | null> {
  if (mail.kind === 'reply') {
    const target = await store.messages.forToken(mail.target);
    return target && (await placed(store, target.scope, target.message));
  }
  const scope = await store.inbound.scopeOfOwner(mail.target);
  if (!scope) return null;
  const parent = await store.threads.byRfcMessageIds(
    scope,
    threadCandidates(parsed).map(({ rfcMessageId }) => rfcMessageId),
  );
  if (parent) return placed(store, scope, parent);
  return bySubject(store, scope, parsed, mail.received_at - SUBJECT_WINDOW_MS);
}

async function placed(store: PlaceStore, scope: Scope, parent: Message): Promise<Found> {
  const thread = parent.thread_id === null ? null : await store.threads.thread(scope, parent.thread_id);
  return { scope, parent, thread };
}

/** Finds a recent message with the same subject between the same correspondents. */
async function bySubject(
  store: PlaceStore,
  scope: Scope,
  { subject, from }: ParsedMail,
  since: number,
): Promise<Found> {
  const subjectKey = keyOfSubject(subject);
  if (from === null || subjectKey === '') return { scope, parent: null, thread: null };
  const correspondentKey = addressKey(from.email);
  const thread = await store.threads.byCorrespondent(scope, { correspondentKey, subjectKey, since });
  if (thread) return { scope, parent: null, thread };
  const sent = await store.threads.sentTo(scope, correspondentKey, since);
  const parent = sent.find((message) => keyOfSubject(message.subject) === subjectKey);
  return parent ? placed(store, scope, parent) : { scope, parent: null, thread: null };
}
