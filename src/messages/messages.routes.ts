// Routes of messages: send one or a batch, list and read them, and change queued ones.
import type { Config } from '../settings/settings.js';
import type { MessageContext } from './context.js';
import {
  batchAnswer,
  createBatch,
  createMessage,
  message,
  messageList,
  rescheduleMessage,
  auditTrail,
  messageContent,
  messagesQuery,
} from './message.schema.js';
import { fieldsOfRefusal, Refusal } from '../contract/refusal.js';
import { idParams } from '../contract/schema.js';
import type { Message } from './messages.store.js';
import type { Scope } from '../database/scope.js';
import type { MessageStores } from './stores.js';
import type { Submission } from './accept/accept.js';
import type { Reconsider } from './reconsider.js';
import type { Api } from '../http/api.js';
import { BATCH_ITEM_MEMBERS, MESSAGE_MEMBERS } from '../http/body/json-body.js';
import { REPLAYED } from '../http/idempotency/idempotency.js';
import { createBatchAnswerer } from './batch.routes.js';
import { createRefuseInFull } from './problems.routes.js';
import { readMessageFilter } from './filter.routes.js';
import { listAnswer, readPage } from '../http/lists/pages.js';
import { presentContent, presentMessage, presentMessageSummary, presentAuditTrail } from './message.view.js';
import { presentReceivedMessage } from './received.view.js';
import { trailActor } from '../http/access/caller.js';
import { answerAccepted, submittedBy } from './submitted-by.routes.js';

interface MessageRoutes extends MessageContext {
  config: MessageContext['config'] & Pick<Config, 'messageBodyLimitBytes' | 'batchLimit'>;
  submission: Submission;
  reconsider: Reconsider;
}

const tags = ['Messages'];
const config = { permission: 'send' } as const;
/** The sender is in the message's audit trail. */
const sending = { ...config, audit: false, idempotency: 'own' } as const;
const MESSAGE_ID = /^msg_[0-9a-z]{26}$/;

export function messageRoutes(app: Api, context: MessageRoutes): void {
  sendRoutes(app, context);
  batchRoute(app, context);
  listRoute(app, context);
  readRoutes(app, context);
  changeRoutes(app, context);
}

/** Reads a message by its id. Refused with `not_found` if the id is invalid or outside the scope. */
export async function findMessage(
  store: Pick<MessageStores, 'messages'>,
  scope: Scope,
  id: string,
): Promise<Message> {
  const found = MESSAGE_ID.test(id) ? await store.messages.message(scope, id) : null;
  if (!found) throw new Refusal('not_found');
  return found;
}

/** The Idempotency-Key header; null without one. */
function readIdempotencyHeader(headers: Record<string, string | string[] | undefined>): string | null {
  const value = headers['idempotency-key'];
  return value === undefined ? null : String(value);
}

function sendRoutes(app: Api, { submission, config: limits }: MessageRoutes): void {
  const refuseInFull = createRefuseInFull(submission);
  app.post(
    '/v1/messages',
    {
      config: { ...sending, jsonMembers: MESSAGE_MEMBERS },
      // The handler repeats the checks of the schema, so that the refusal lists all problems.
      attachValidation: true,
      bodyLimit: limits.messageBodyLimitBytes,
      schema: {
        operationId: 'messages.create',
        tags,
        summary: 'Send a message',
        description:
          'Sends an email immediately or at `send_at`, and returns a message with the status `queued`. Repeating a request with the same idempotency key returns the first response with the header `Idempotent-Replayed: true`. A recipient who has unsubscribed gets no further email, **including transactional email**, unless the organization sets `unsubscribe_blocks` to `marketing` (`PATCH /v1/organization`). The status of a blocked message becomes `suppressed`, and its audit trail has the reason. With a `topic`, unsubscribing only blocks email for that list.',
        body: createMessage,
        response: { 202: message },
      },
    },
    async (request, reply) => {
      const { scope } = request.caller;
      const { validationError } = request;
      if (validationError) {
        const fields = fieldsOfRefusal(validationError);
        if (fields === null) throw validationError;
        return refuseInFull(request.body, fields, request);
      }
      const accepted = await submission.accept(scope, request.body, {
        ...submittedBy(request),
        idempotencyHeader: readIdempotencyHeader(request.headers),
      });
      if (accepted.replayed) reply.header(REPLAYED, 'true');
      return reply.status(202).send(answerAccepted(request, accepted));
    },
  );

  app.post(
    '/v1/messages/:id/resend',
    {
      config: sending,
      schema: {
        operationId: 'messages.resend',
        tags,
        summary: 'Resend a message',
        description:
          'Sends the same content, headers, tags and metadata to the same recipient immediately, as a new message with a new ID. The schedule and expiry of the original are not copied. Fails with `conflict` if the original was suppressed before its content was created.',
        params: idParams,
        response: { 202: message },
      },
    },
    async (request, reply) => {
      const { scope } = request.caller;
      if (!MESSAGE_ID.test(request.params.id)) throw new Refusal('not_found');
      const accepted = await submission.resend(scope, request.params.id, {
        ...submittedBy(request),
        idempotencyHeader: readIdempotencyHeader(request.headers),
      });
      if (accepted.replayed) reply.header(REPLAYED, 'true');
      return reply.status(202).send(answerAccepted(request, accepted));
    },
  );
}

function batchRoute(app: Api, { submission, config: limits }: MessageRoutes): void {
  const answerBatch = createBatchAnswerer(submission, limits.batchLimit);
  app.post(
    '/v1/messages/batch',
    {
      config: {
        ...sending,
        idempotency: 'resumable',
        jsonMembers: limits.batchLimit * BATCH_ITEM_MEMBERS,
      },
      bodyLimit: limits.messageBodyLimitBytes,
      schema: {
        operationId: 'messages.createBatch',
        tags,
        summary: 'Send a batch of messages',
        description:
          "Sends several independent messages. Invalid items do not affect the others unless `atomic` is `true`; their entry in `data` is an `{error}`. The `Idempotency-Key` header covers the whole batch. Items without an `idempotency_key` get the header's value followed by a slash and their position, starting at 0.",
        body: createBatch,
        response: { 202: batchAnswer },
      },
    },
    async (request, reply) => {
      const { messages, atomic = false } = request.body;
      const key = readIdempotencyHeader(request.headers);
      const data = await answerBatch(messages, { request, key, atomic });
      return reply.status(202).send({ object: 'list', data });
    },
  );
}

function listRoute(app: Api, { store }: MessageRoutes): void {
  app.get(
    '/v1/messages',
    {
      config,
      schema: {
        operationId: 'messages.list',
        tags,
        summary: 'List messages',
        description:
          'Returns sent and received messages, newest first. Use `view=summary` for compact objects.',
        querystring: messagesQuery,
        response: { 200: messageList },
      },
    },
    async (request) => {
      const { query } = request;
      const page = readPage(request);
      const wanted = readMessageFilter(query, request.caller.scope);
      const found =
        wanted === null
          ? { rows: [], next: null }
          : await store.messages.messages(wanted.scope, page, wanted.filter);
      const { mode } = request.caller.scope;
      if (query.view === 'summary') {
        const attempts = await store.messages.lastAttempts(found.rows.map(({ id }) => id));
        return listAnswer(request, found, (row) =>
          presentMessageSummary(row, { mode, lastAttempt: attempts.get(row.id) ?? null }),
        );
      }
      const shown = await store.messages.shownContents(found.rows);
      return listAnswer(request, found, (row) => presentMessage(row, shown(row), mode));
    },
  );
}

function readRoutes(app: Api, { store }: MessageRoutes): void {
  app.get(
    '/v1/messages/:id',
    {
      config,
      schema: {
        operationId: 'messages.get',
        tags,
        summary: 'Retrieve a message',
        description:
          'Returns a message with its status, latest attempt and error. For received mail, the response also has the `received` part.',
        params: idParams,
        response: { 200: message },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      const found = await findMessage(store, scope, request.params.id);
      const shown = await store.messages.shownContent(found);
      const received = (await store.threads.receivedInFull([found.id])).get(found.id);
      return received
        ? presentReceivedMessage({ message: found, received, shown }, scope.mode)
        : presentMessage(found, shown, scope.mode);
    },
  );

  app.get(
    '/v1/messages/:id/content',
    {
      config,
      schema: {
        operationId: 'messages.getContent',
        tags,
        summary: "Retrieve a message's content",
        description:
          'Returns the subject, bodies, addressees and additional headers of a message as rendered for its recipient.',
        params: idParams,
        response: { 200: messageContent },
      },
    },
    async (request) => {
      const found = await findMessage(store, request.caller.scope, request.params.id);
      return presentContent(await store.messages.content(found), found);
    },
  );

  app.get(
    '/v1/messages/:id/audit',
    {
      config: { ...config, speaks: ['trail.explanation', 'trail.metadata.message', 'trail.metadata.why'] },
      schema: {
        operationId: 'messages.getAudit',
        tags,
        summary: "Retrieve a message's audit trail",
        description:
          'Returns the events of a message in the order in which they occurred, with actor, time and details.',
        params: idParams,
        response: { 200: auditTrail },
      },
    },
    async (request) => {
      const found = await findMessage(store, request.caller.scope, request.params.id);
      return presentAuditTrail(found, await store.events.auditTrailOfMessage(found.id));
    },
  );
}

function changeRoutes(app: Api, { store, reconsider }: MessageRoutes): void {
  app.post(
    '/v1/messages/:id/cancel',
    {
      config,
      schema: {
        operationId: 'messages.cancel',
        tags,
        summary: 'Cancel a message',
        description:
          'Cancels a scheduled or queued message before its first delivery attempt. Fails with `message_not_cancelable` once delivery has begun.',
        params: idParams,
        response: { 200: message },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      const { public_id: id } = await findMessage(store, scope, request.params.id);
      const canceled = await reconsider.cancel(scope, id, trailActor(request.caller));
      return presentMessage(canceled, await store.messages.shownContent(canceled), scope.mode);
    },
  );

  app.patch(
    '/v1/messages/:id',
    {
      config,
      schema: {
        operationId: 'messages.update',
        tags,
        summary: 'Reschedule a message',
        description:
          "Changes the time at which a scheduled or queued message is sent. Fails with `message_not_cancelable` once delivery has begun, and with `validation_error` if the new time is not before the message's `expires_at`.",
        params: idParams,
        body: rescheduleMessage,
        response: { 200: message },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      const { public_id: id } = await findMessage(store, scope, request.params.id);
      const actor = trailActor(request.caller);
      const moved = await reconsider.reschedule(scope, id, request.body.send_at, actor);
      return presentMessage(moved, await store.messages.shownContent(moved), scope.mode);
    },
  );
}
