// Adds a message to a thread: the header fields that refer to its parent, and the change of the thread's row. RFC 5322 section
// 3.6.4.
import { Refusal } from '../../contract/refusal.js';
import {
  factsOfHeader,
  MAIL_LIMITS,
  type ParsedMail,
  readHeader,
  readMessageIds,
  replyHeaders,
} from '../../lib/mime/index.js';
import type { Content, Message } from '../messages.store.js';
import type { Scope } from '../../database/scope.js';
import type { MessageStores } from '../stores.js';
import { type Thread, threads } from './threads.tables.js';
import type { Change } from '../../database/change.js';
import { update } from '../../database/rows.js';

type Header = [name: string, value: string];
type ThreadReads = Pick<MessageStores, 'threads' | 'messages'>;

/** The message id of a parent ('' if it has none), and the ids that it refers to, oldest first. */
interface ParentIds {
  messageId: string;
  references: readonly string[];
}

type HeaderIds = Pick<ParsedMail, 'references' | 'inReplyTo'>;

/** Finds a thread of exactly this scope. Refuses with `not_found`, also for another sub-tenant's thread. */
export async function findThread(store: ThreadReads, scope: Scope, threadId: string): Promise<Thread> {
  const thread = await store.threads.thread(scope, threadId);
  if (thread?.sub_tenant_id === scope.subTenantId) return thread;
  throw new Refusal('not_found', 'The thread does not exist in the scope of this request.', {
    param: 'thread_id',
  });
}

/**
 * Returns In-Reply-To and References of the next message of a thread. They refer to the latest received message, or else to the
 * latest sent one. Fields that the caller set are not changed.
 */
export async function withParent(
  store: ThreadReads,
  scope: Scope,
  threadId: string,
  headers: readonly Header[],
): Promise<Header[]> {
  const given = new Set(headers.map(([name]) => name.toLowerCase()));
  const { sent, received } = await store.threads.latestOf(threadId);
  const parent = received ?? sent;
  if (!parent) return [...headers];
  const wanted = replyHeaders(await idsOf(store, scope, parent));
  return [...headers, ...wanted.filter(([name]) => !given.has(name.toLowerCase()))];
}

async function idsOf(store: ThreadReads, scope: Scope, parent: Message): Promise<ParentIds> {
  const [content, received] = await Promise.all([
    store.messages.content(parent),
    store.threads.originOf(parent.id),
  ]);
  const messageId = content.rfc_message_id;
  const listed = received === null ? [] : (JSON.parse(received.references_list) as string[]);
  const references = listed.length > 0 ? listed : await referencesOf(store, content);
  const answered = received?.in_reply_to_id ?? null;
  if (references.length > 0 || answered === null) return { messageId, references };
  // Without References, the signed reply address still identifies the original message.
  const [message] = await store.messages.messagesByRowId(scope, [answered]);
  if (!message) return { messageId, references };
  const earlier = await store.messages.content(message);
  return { messageId, references: [...(await referencesOf(store, earlier)), earlier.rfc_message_id] };
}

/** References in a message's stored header. Those of a relayed or received message are in its bytes. */
async function referencesOf(store: ThreadReads, content: Content): Promise<readonly string[]> {
  const { references, inReplyTo } =
    content.raw_id === null
      ? idsAmong(JSON.parse(content.headers) as Header[])
      : await idsInOctets(store, content.raw_id);
  if (references.length > 0) return references;
  // With several ids, the first message of the conversation is unknown.
  return inReplyTo.length === 1 ? inReplyTo : [];
}

function idsAmong(headers: readonly Header[]): HeaderIds {
  const idsIn = (wanted: string): string[] =>
    readMessageIds(headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? '');
  return { references: idsIn('references'), inReplyTo: idsIn('in-reply-to') };
}

async function idsInOctets(store: ThreadReads, rawId: number): Promise<HeaderIds> {
  const raw = await store.messages.raw(rawId);
  return raw ? factsOfHeader(readHeader(raw, MAIL_LIMITS)) : { references: [], inReplyTo: [] };
}

/** Sending a message in a thread opens it, marks it as read, and moves it to the top. */
export function threadMoves(threadId: string, now: number): Change {
  return update(threads, {
    set: { last_message_at: now, updated_at: now, status: 'open', unread: 0, search_due: 1 },
    where: { id: threadId },
  });
}
