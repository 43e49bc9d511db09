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
}

type PlaceStore = Pick<InboundStores, 'inbound' | 'messages' | 'threads'>;

/** Returns `null` if the recipient's message, sub-tenant or sender no longer exists. */
export async function placeReply(
  store: PlaceStore,
  mail: Pick<InboundMail, 'kind' | 'target' | 'received_at'>,
  parsed: ParsedMail,
): Promise<Place | null> {
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

async function placed(store: PlaceStore, scope: Scope, parent: Message): Promise<Place> {
  const thread = parent.thread_id === null ? null : await store.threads.thread(scope, parent.thread_id);
  return { scope, parent, thread };
}

/** Finds a recent message with the same subject between the same correspondents. */
async function bySubject(
  store: PlaceStore,
  scope: Scope,
  { subject, from }: ParsedMail,
  since: number,
): Promise<Place> {
  const subjectKey = keyOfSubject(subject);
  if (from === null || subjectKey === '') return { scope, parent: null, thread: null };
  const correspondentKey = addressKey(from.email);
  const thread = await store.threads.byCorrespondent(scope, { correspondentKey, subjectKey, since });
  if (thread) return { scope, parent: null, thread };
  const sent = await store.threads.sentTo(scope, correspondentKey, since);
  const parent = sent.find((message) => keyOfSubject(message.subject) === subjectKey);
  return parent ? placed(store, scope, parent) : { scope, parent: null, thread: null };
}
