// Routes of threads: list, read, reply, close and reopen.
import { message, type MessageObject } from '../message.schema.js';
import { Refusal } from '../../contract/refusal.js';
import { idParams } from '../../contract/schema.js';
import {
  thread,
  threadInFull,
  threadList,
  threadReply,
  threadsQuery,
  threadUpdate,
  type ThreadsQuery,
} from './thread.schema.js';
import { readSearch } from '../../database/engine/search-words.rules.js';
import type { Scope } from '../../database/scope.js';
import type { Config } from '../../settings/settings.js';
import type { MessageContext } from '../context.js';
import type { MessageStores } from '../stores.js';
import type { ThreadFilter, ReceivedInFull } from './threads.store.js';
import type { Submission } from '../accept/accept.js';
import type { Api } from '../../http/api.js';
import { messageSubmitter } from '../../http/access/caller.js';
import { currentTraceparent } from '../../http/server/traces.js';
import { MESSAGE_MEMBERS } from '../../http/body/json-body.js';
import { listAnswer, readPage } from '../../http/lists/pages.js';
import { presentAccepted, presentMessage, type ShownMessage } from '../message.view.js';
import { addressKey } from '../../lib/mime/index.js';
import type { Mode } from '../../contract/names.js';
import type { Message } from '../messages.store.js';
import { presentReceivedMessage } from '../received.view.js';
import { presentThread, presentThreadSummary } from './thread.view.js';
import { updateThread } from './threads.js';
import type { Thread } from './threads.tables.js';

interface ConversationRows {
  messages: readonly Message[];
  received: ReadonlyMap<number, ReceivedInFull>;
  shownOf: (message: Message) => ShownMessage;
}

/** Keeps the order of the messages. Received messages are presented in full. */
function presentConversation(rows: ConversationRows, mode: Mode): MessageObject[] {
  return rows.messages.map((row) => {
    const shown = rows.shownOf(row);
    const received = rows.received.get(row.id);
    return received
      ? presentReceivedMessage({ message: row, received, shown }, mode)
      : presentMessage(row, shown, mode);
  });
}

interface ThreadRoutes extends MessageContext {
  config: MessageContext['config'] & Pick<Config, 'messageBodyLimitBytes'>;
  submission: Pick<Submission, 'reply'>;
}

const tags = ['Threads'];
const config = { permission: 'send' } as const;
const THREAD_ID = /^thr_[0-9a-z]{26}$/;
/** Limits the messages in the answer for one thread by their number and the total size of their texts. */
const RECENT = { limit: 25, maxBytes: 4 * 1024 * 1024 };

export function threadRoutes(app: Api, context: ThreadRoutes): void {
  listRoute(app, context);
  readRoute(app, context);
  replyRoute(app, context);
  updateRoute(app, context);
}

async function readThread(store: Pick<MessageStores, 'threads'>, scope: Scope, id: string): Promise<Thread> {
  const found = THREAD_ID.test(id) ? await store.threads.thread(scope, id) : null;
  if (!found) throw new Refusal('not_found');
  return found;
}

function listRoute(app: Api, { store }: ThreadRoutes): void {
  app.get(
    '/v1/threads',
    {
      config,
      schema: {
        operationId: 'threads.list',
        tags,
        summary: 'List threads',
        description:
          'Returns conversations, most recently active first. A new message moves its thread to the top, so a thread that becomes active while you paginate does not appear on later pages. Request the first page again to see it. No thread is returned twice.',
        querystring: threadsQuery,
        response: { 200: threadList },
      },
    },
    async (request) => {
      const { query } = request;
      const page = readPage(request);
      const wanted = readThreadFilter(query, request.caller.scope);
      const found =
        wanted === null
          ? { rows: [], next: null }
          : await store.threads.threads(wanted.scope, page, wanted.filter);
      if (query.view === 'summary') return listAnswer(request, found, presentThreadSummary);
      const summaries = await store.threads.summaries(found.rows.map(({ id }) => id));
      return listAnswer(request, found, (row) => presentThread(row, summaries.get(row.id)));
    },
  );
}

function readRoute(app: Api, { store }: ThreadRoutes): void {
  app.get(
    '/v1/threads/:id',
    {
      config,
      schema: {
        operationId: 'threads.get',
        tags,
        summary: 'Retrieve a thread',
        description:
          'Returns a conversation with its latest messages, up to 25. To list all of them, use `GET /v1/messages?thread_id=`.',
        params: idParams,
        response: { 200: threadInFull },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      const found = await readThread(store, scope, request.params.id);
      const messages = await store.threads.recentOf(found.id, RECENT);
      const [summaries, received, shownOf] = await Promise.all([
        store.threads.summaries([found.id]),
        store.threads.receivedInFull(messages.map(({ id }) => id)),
        store.messages.shownContents(messages),
      ]);
      return {
        ...presentThread(found, summaries.get(found.id)),
        recent: presentConversation({ messages, received, shownOf }, scope.mode),
      };
    },
  );
}

function replyRoute(app: Api, { submission, config: { messageBodyLimitBytes } }: ThreadRoutes): void {
  app.post(
    '/v1/threads/:id/reply',
    {
      config: { ...config, audit: false, idempotency: 'own', jsonMembers: MESSAGE_MEMBERS },
      bodyLimit: messageBodyLimitBytes,
      schema: {
        operationId: 'threads.reply',
        tags,
        summary: 'Reply to a thread',
        description:
          "Sends a transactional message, on behalf of the thread's sub-tenant, to the correspondent or to `to`. In-Reply-To and References refer to the last message of the thread. Replying reopens a closed thread.",
        params: idParams,
        body: threadReply,
        response: { 202: message },
      },
    },
    async (request, reply) => {
      const { scope } = request.caller;
      const { id } = request.params;
      if (!THREAD_ID.test(id)) throw new Refusal('not_found');
      const header = request.headers['idempotency-key'];
      const accepted = await submission.reply(scope, id, request.body, {
        ...messageSubmitter(request.caller),
        traceparent: currentTraceparent(request),
        idempotencyHeader: header === undefined ? null : String(header),
      });
      if (accepted.replayed) reply.header('Idempotent-Replayed', 'true');
      return reply.status(202).send(presentAccepted(accepted, scope.mode));
    },
  );
}

function updateRoute(app: Api, context: ThreadRoutes): void {
  const { store } = context;
  app.patch(
    '/v1/threads/:id',
    {
      config,
      schema: {
        operationId: 'threads.update',
        tags,
        summary: 'Update a thread',
        description:
          'Sets the status, labels and assignee of a thread, or marks it as read. A closed thread reopens automatically when either side sends another message.',
        params: idParams,
        body: threadUpdate,
        response: { 200: thread },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      const found = await readThread(store, scope, request.params.id);
      const row = await updateThread(context, scope, found, request.body);
      const summaries = await store.threads.summaries([row.id]);
      return presentThread(row, summaries.get(row.id));
    },
  );
}

/** Returns `null` if nothing can match because the query names another sub-tenant than the caller's. */
function readThreadFilter(
  query: ThreadsQuery,
  callerScope: Scope,
): { scope: Scope; filter: ThreadFilter } | null {
  const { status, correspondent: wanted, q, sub_tenant_id: tenant, inbox_id: inboxId } = query;
  const { unread: isUnread, label, assigned_to: assignedTo } = query;
  const filter: ThreadFilter = {
    ...(status === undefined ? {} : { status }),
    ...(q === undefined ? {} : { phrases: readSearch(q) }),
    ...(inboxId === undefined ? {} : { inboxId }),
    ...(isUnread === undefined ? {} : { isUnread }),
    ...(label === undefined ? {} : { label }),
    ...(assignedTo === undefined ? {} : { assignedTo }),
    ...(wanted === undefined ? {} : { correspondentKey: addressKey(wanted.trim()) }),
  };
  if (tenant === undefined || tenant === callerScope.subTenantId) return { scope: callerScope, filter };
  if (callerScope.subTenantId !== null) return null;
  return { scope: { ...callerScope, subTenantId: tenant }, filter };
}
