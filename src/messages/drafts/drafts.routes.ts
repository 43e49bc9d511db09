// Routes of drafts: create, list, read, change, delete and send them.
import { requestAuditEntry } from '../../accounts/access/audit.js';
import { idParams } from '../../contract/schema.js';
import { narrowedTo } from '../../database/scope.js';
import { messageSubmitter } from '../../http/access/caller.js';
import type { Api } from '../../http/api.js';
import { MESSAGE_MEMBERS } from '../../http/body/json-body.js';
import { REPLAYED } from '../../http/idempotency/idempotency.js';
import { resource } from '../../http/lists/resource.js';
import { currentTraceparent } from '../../http/server/traces.js';
import type { Config } from '../../settings/settings.js';
import type { Submission } from '../accept/accept.js';
import type { MessageContext } from '../context.js';
import { message } from '../message.schema.js';
import { presentAccepted } from '../message.view.js';
import { draft, draftCreate, draftSend, draftsQuery, draftUpdate } from './draft.schema.js';
import { presentDraft } from './draft.view.js';
import type { Drafts } from './drafts.js';

interface DraftRoutes extends Pick<MessageContext, 'store' | 'clock'> {
  config: Pick<Config, 'messageBodyLimitBytes'>;
  drafts: Drafts;
  submission: Pick<Submission, 'sendDraft'>;
}

const tags = ['Drafts'];
const config = { permission: 'send' } as const;
/** Characters of the fields in one answer. */
const MAX_LENGTH = 4 * 1024 * 1024;

export function draftRoutes(app: Api, context: DraftRoutes): void {
  writeRoutes(app, context);
  standardRoutes(app, context);
  sendRoute(app, context);
}

function writeRoutes(app: Api, { drafts, config: { messageBodyLimitBytes } }: DraftRoutes): void {
  const writing = {
    config: { ...config, jsonMembers: MESSAGE_MEMBERS },
    bodyLimit: messageBodyLimitBytes,
  };
  app.post(
    '/v1/threads/:id/drafts',
    {
      ...writing,
      schema: {
        operationId: 'drafts.create',
        tags,
        summary: 'Create a draft',
        description:
          'Stores a reply in the thread without sending it. A person or an API key can change and send it later. The send policy of an API key is checked when the draft is sent.',
        params: idParams,
        body: draftCreate,
        response: { 201: draft },
      },
    },
    async ({ caller, params, body }, reply) => {
      const row = await drafts.create(caller.scope, params.id, body, { by: caller.actor.id });
      return reply.status(201).send(presentDraft(row));
    },
  );

  app.patch(
    '/v1/drafts/:id',
    {
      ...writing,
      schema: {
        operationId: 'drafts.update',
        tags,
        summary: 'Update a draft',
        description:
          'Replaces the given fields and keeps the others. Fails with `conflict` if the draft was sent or `version` is outdated. API keys with a send policy get 403 for drafts of others.',
        params: idParams,
        body: draftUpdate,
        response: { 200: draft },
      },
    },
    async ({ caller, params, body }) =>
      presentDraft(
        await drafts.change(caller.scope, params.id, body, {
          ...messageSubmitter(caller),
          by: caller.actor.id,
        }),
      ),
  );
}

function standardRoutes(app: Api, { store, drafts }: DraftRoutes): void {
  const standard = resource(app, {
    path: '/v1/drafts',
    operations: 'drafts',
    tag: 'Drafts',
    object: 'draft',
    schema: draft,
  });
  standard.list({
    config,
    summary: 'List drafts',
    description: 'Returns drafts, newest first. A page may be shorter than `limit` if texts are long.',
    query: draftsQuery,
    async read({ caller, query }, page) {
      const { thread_id: threadId, state, sub_tenant_id: subTenantId } = query;
      const scope = narrowedTo(caller.scope, subTenantId);
      if (scope === null) return { rows: [], next: null };
      return store.drafts.drafts(scope, page, {
        ...(threadId === undefined ? {} : { threadId }),
        ...(state === undefined ? {} : { isSent: state === 'sent' }),
        maxLength: MAX_LENGTH,
      });
    },
    present: presentDraft,
  });
  standard.get({
    config,
    summary: 'Retrieve a draft',
    find: ({ caller, params }) => store.drafts.shownDraft(caller.scope, params.id),
    present: presentDraft,
  });
  standard.remove({
    config,
    summary: 'Delete a draft',
    description:
      'Deletes the draft. If the draft was sent, its message is not deleted. API keys with a send policy get 403 for drafts of others.',
    remove: ({ caller, params }) => drafts.remove(caller.scope, params.id, messageSubmitter(caller)),
  });
}

function sendRoute(app: Api, { submission, clock }: DraftRoutes): void {
  app.post(
    '/v1/drafts/:id/send',
    {
      config: { ...config, audit: false, idempotency: 'own', optionalBody: true },
      schema: {
        operationId: 'drafts.send',
        tags,
        summary: 'Send a draft',
        description:
          'Sends the draft as a reply in its thread. A draft is sent only once; repeating the request returns the same message with the header `Idempotent-Replayed: true`. The send policy of the caller or of the inbox applies. If the message is refused, the draft stays open. Fails with `conflict` if `version` is outdated. API keys with a send policy get 403 for drafts of others.',
        params: idParams,
        body: draftSend,
        response: { 202: message },
      },
    },
    async (request, reply) => {
      const { caller, params, body } = request;
      const header = request.headers['idempotency-key'];
      const accepted = await submission.sendDraft(
        caller.scope,
        { id: params.id, version: body.version, entry: requestAuditEntry(request, clock()) },
        {
          ...messageSubmitter(caller),
          traceparent: currentTraceparent(request),
          idempotencyHeader: header === undefined ? null : String(header),
        },
      );
      if (accepted.replayed) reply.header(REPLAYED, 'true');
      return reply.status(202).send(presentAccepted(accepted, caller.scope.mode));
    },
  );
}
