// Routes of inboxes: create, list, read, change and delete them, and read their messages.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../../contract/refusal.js';
import { idParams } from '../../contract/schema.js';
import { wireOf } from '../../contract/codec.js';
import type { Page, PageRequest, Scope } from '../../database/scope.js';
import { messageSubmitter } from '../../http/access/caller.js';
import type { CallerRecheck } from '../../http/access/caller.js';
import type { Api } from '../../http/api.js';
import { readInstant } from '../../http/body/fields.js';
import { listAnswer, readPage } from '../../http/lists/pages.js';
import { resource } from '../../http/lists/resource.js';
import { addressKey } from '../../lib/mime/index.js';
import type { MessageContext } from '../context.js';
import { findMessage } from '../messages.routes.js';
import type { Message } from '../messages.tables.js';
import { presentReceivedMessage } from '../received.view.js';
import {
  inbox,
  inboxCreate,
  inboxesQuery,
  inboxMessageList,
  inboxMessagesQuery,
  type InboxMessagesQuery,
  inboxUpdate,
} from './inbox.schema.js';
import type { InboxWaits } from './inbox-waits.js';
import type { Inboxes } from './inboxes.js';
import type { Inbox } from './inboxes.tables.js';

interface InboxRoutes extends Pick<MessageContext, 'store'> {
  inboxes: Inboxes;
  waits: InboxWaits;
  recheck: CallerRecheck;
}

const tags = ['Inboxes'];
const config = { permission: 'send' } as const;
/** Total size of received texts in one response. */
const MAX_TEXT_BYTES = 4 * 1024 * 1024;
const RETRY_AFTER_SECONDS = 5;

const presentInbox = wireOf(inbox).from<Inbox>({ policy_key: 'policy_key_id' });

export function inboxRoutes(app: Api, context: InboxRoutes): void {
  app.addHook('preClose', () => context.waits.close());
  createRoute(app, context);
  standardRoutes(app, context);
  updateRoute(app, context);
  messagesRoute(app, context);
}

function createRoute(app: Api, { inboxes }: InboxRoutes): void {
  app.post(
    '/v1/inboxes',
    {
      config,
      schema: {
        operationId: 'inboxes.create',
        tags,
        summary: 'Create an inbox',
        description:
          'Creates an inbox for an address on a verified inbound domain, or for a new address. Repeating the request with the same `client_id` and parameters returns the same inbox with the status 200.',
        body: inboxCreate,
        response: { 200: inbox, 201: inbox },
      },
    },
    async ({ caller, body }, reply) => {
      const { inbox: row, isNew } = await inboxes.create(caller.scope, body, messageSubmitter(caller));
      return reply.status(isNew ? 201 : 200).send(presentInbox(row));
    },
  );
}

function standardRoutes(app: Api, { store, inboxes }: InboxRoutes): void {
  const standard = resource(app, {
    path: '/v1/inboxes',
    operations: 'inboxes',
    tag: 'Inboxes',
    object: 'inbox',
    schema: inbox,
  });
  standard.list({
    config,
    summary: 'List inboxes',
    query: inboxesQuery,
    read: ({ caller, query: { address } }, page) =>
      store.inboxes.inboxes(
        caller.scope,
        page,
        address === undefined ? {} : { addressKey: addressKey(address.trim()) },
      ),
    present: (row) => presentInbox(row),
  });
  standard.get({
    config,
    summary: 'Retrieve an inbox',
    find: ({ caller, params }) => store.inboxes.inbox(caller.scope, params.id),
    present: (row) => presentInbox(row),
  });
  standard.remove({
    config,
    summary: 'Delete an inbox',
    description:
      'Deletes the inbox with its name and settings. The address still receives mail. Messages and threads are not deleted. API keys with a send policy get 403 for inboxes of others, and for inboxes that forward mail.',
    remove: ({ caller, params }) => inboxes.remove(caller.scope, params.id, messageSubmitter(caller)),
  });
}

function updateRoute(app: Api, { inboxes }: InboxRoutes): void {
  app.patch(
    '/v1/inboxes/:id',
    {
      config,
      schema: {
        operationId: 'inboxes.update',
        tags,
        summary: 'Update an inbox',
        description:
          'Changes the name or the policy key. Fields that you omit keep their value. API keys with a send policy get 403 for inboxes of others.',
        params: idParams,
        body: inboxUpdate,
        response: { 200: inbox },
      },
    },
    async ({ caller, params, body }) =>
      presentInbox(await inboxes.change(caller.scope, params.id, body, messageSubmitter(caller))),
  );
}

function messagesRoute(app: Api, context: InboxRoutes): void {
  const { store } = context;
  app.get(
    '/v1/inboxes/:id/messages',
    {
      config,
      schema: {
        operationId: 'inboxes.listMessages',
        tags,
        summary: 'List messages of an inbox',
        description:
          'Returns received messages with their text, newest first. A page can be shorter than `limit`, or empty, if texts are long or few messages match; continue while `has_more` is `true`. With `after`, returns the messages received after that message, oldest first. With `wait`, waits until there is one.',
        params: idParams,
        querystring: inboxMessagesQuery,
        response: { 200: inboxMessageList },
      },
    },
    async (request, reply) => {
      const { caller, params, query } = request;
      const found = await store.inboxes.inbox(caller.scope, params.id);
      if (found === null) throw new Refusal('not_found');
      const scope = { ...caller.scope, subTenantId: found.sub_tenant_id };
      const page = await readMessagePage(context, { scope, inbox: found, query }, readPage(request));
      const rows =
        query.wait === undefined ? await page.read() : await waitFor(context, { request, reply }, page);
      const [received, shownOf] = await Promise.all([
        store.threads.receivedInFull(rows.rows.map(({ id }) => id)),
        store.messages.shownContents(rows.rows),
      ]);
      return listAnswer(request, rows, (message) => {
        const full = received.get(message.id);
        if (full === undefined) throw new Error(`The message ${message.public_id} was not received.`);
        return presentReceivedMessage({ message, received: full, shown: shownOf(message) }, scope.mode);
      });
    },
  );
}

interface MessagePage {
  inbox: Inbox;
  read: () => Promise<Page<Message>>;
}

interface InboxRead {
  scope: Scope;
  inbox: Inbox;
  query: InboxMessagesQuery;
}

/** With `after` or `wait`, the page continues after a message; otherwise, it starts with the newest. */
async function readMessagePage(
  { store }: Pick<InboxRoutes, 'store'>,
  { scope, inbox: found, query }: InboxRead,
  asked: PageRequest,
): Promise<MessagePage> {
  const { from, since, unread: isUnread, label, after, wait } = query;
  const received = {
    status: ['received' as const],
    toKeys: [found.address_key],
    ...(from === undefined ? {} : { from: [from.trim().toLowerCase()] }),
    ...(isUnread === undefined ? {} : { isUnread }),
    ...(label === undefined ? {} : { label }),
    ...(since === undefined ? {} : { createdAfter: readInstant('since', since) }),
  };
  const goesOn = after !== undefined || wait !== undefined;
  const start = after === undefined ? null : (await findMessage(store, scope, after)).id;
  const page: PageRequest = goesOn ? { ...asked, order: 'asc' } : asked;
  if (goesOn && asked.after === null) {
    page.after = String(start ?? (await newestIn(store, found)));
  }
  return {
    inbox: found,
    async read() {
      const { rows, next } = await store.messages.messages(scope, page, received);
      const kept = await store.threads.firstWithin(rows, MAX_TEXT_BYTES);
      const last = kept.at(-1);
      return kept.length < rows.length && last ? { rows: kept, next: String(last.id) } : { rows, next };
    },
  };
}

async function newestIn({ inboxes }: InboxRoutes['store'], found: Inbox): Promise<number> {
  const { environment_id: environmentId, address_key: key } = found;
  return (await inboxes.newestAt([{ environmentId, addressKey: key }]))[0] ?? 0;
}

/**
 * Reads the page again whenever a message may have arrived, until the page has one, the time is over or the client has
 * disconnected. Refused if the key was revoked or the inbox was deleted in the meantime.
 */
async function waitFor(
  { waits, store, recheck }: InboxRoutes,
  { request, reply }: { request: FastifyRequest<{ Querystring: InboxMessagesQuery }>; reply: FastifyReply },
  page: MessagePage,
): Promise<Page<Message>> {
  const { scope, actor } = request.caller;
  const ms = (request.query.wait ?? 0) * 1000;
  const wait = { callerId: actor.id, addressKey: page.inbox.address_key, ms };
  const place = enter(waits, [scope, wait], reply);
  reply.raw.once('close', place.leave);
  try {
    let found = await page.read();
    for (let goesOn = true; goesOn && found.rows.length === 0;) {
      goesOn = await place.next();
      if (!(await recheck(request))) throw new Refusal('unauthorized');
      if ((await store.inboxes.inbox(scope, page.inbox.id)) === null) throw new Refusal('not_found');
      found = await page.read();
    }
    return found;
  } finally {
    place.leave();
    reply.raw.off('close', place.leave);
  }
}

function enter(waits: InboxWaits, place: Parameters<InboxWaits['enter']>, reply: FastifyReply) {
  try {
    return waits.enter(...place);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'rate_limited') {
      reply.header('Retry-After', String(RETRY_AFTER_SECONDS));
    }
    throw error;
  }
}
