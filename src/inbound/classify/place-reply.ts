// Finds the scope, the answered message and the thread of a received message. Never across
// sub-tenants: a token fixes the sub-tenant, and everything else is searched for within the one that was written to.
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

/** A subject says that two messages belong together for so long. */
const SUBJECT_WINDOW_MS = 30 * 86_400_000;

export interface Place {
  scope: Scope;
  /** The message that it answers; null when it answers none, or only its thread is known. */
  parent: Message | null;
  /** Null: it starts one, if it is to be in one. */
  thread: Thread | null;
}

export type PlaceStore = Pick<InboundStores, 'inbound' | 'messages' | 'threads'>;

/** Null when whoever it was for is gone. */
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

/** The same subject between the same two, lately. */
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
