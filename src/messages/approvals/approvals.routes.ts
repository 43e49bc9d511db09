// Routes of approvals: list and read them, and decide about them as a signed-in person.
import type { FastifyRequest } from 'fastify';
import { lineProblem, textProblem } from '../../contract/plain-text.js';
import { invalidFields, Refusal } from '../../contract/refusal.js';
import { idParams } from '../../contract/schema.js';
import { narrowedTo } from '../../database/scope.js';
import type { Api } from '../../http/api.js';
import { resource } from '../../http/lists/resource.js';
import type { Config } from '../../settings/settings.js';
import type { MessageContext } from '../context.js';
import {
  approval,
  approvalApprove,
  approvalCount,
  approvalDetail,
  approvalPatch,
  approvalReject,
  approvalsQuery,
} from './approval.schema.js';
import { presentApproval, presentApprovalDetail } from './approval.view.js';
import type { Approvals } from './approvals.js';

interface ApprovalRoutes extends Pick<MessageContext, 'store'> {
  config: Pick<Config, 'messageBodyLimitBytes'>;
  approvals: Approvals;
}

const tags = ['Approvals'];
/** A key with permission to send can read approvals. */
const reading = { permission: 'send', role: 'viewer' } as const;
const deciding = { permission: 'send', role: 'member' } as const;
const FOR_KEYS = 'API keys cannot approve or reject messages. Only a signed-in person can.';

export function approvalRoutes(app: Api, context: ApprovalRoutes): void {
  const { store } = context;
  resource(app, {
    path: '/v1/approvals',
    operations: 'approvals',
    tag: 'Approvals',
    object: 'approval',
    schema: approval,
  }).list({
    config: reading,
    summary: 'List approvals',
    description: 'Returns pending and decided approvals, newest first.',
    query: approvalsQuery,
    async read({ caller, query }, page) {
      const { status, api_key_id: apiKeyId, sub_tenant_id } = query;
      const scope = narrowedTo(caller.scope, sub_tenant_id);
      if (scope === null) return { rows: [], next: null };
      return store.approvals.approvals(scope, page, {
        ...(status === undefined ? {} : { status }),
        ...(apiKeyId === undefined ? {} : { apiKeyId }),
      });
    },
    present: (row) => presentApproval(row),
  });
  countRoute(app, context);
  getRoute(app, context);
  decisionRoutes(app, context);
  editRoute(app, context);
}

function countRoute(app: Api, { store }: ApprovalRoutes): void {
  app.get(
    '/v1/approvals/count',
    {
      config: reading,
      schema: {
        operationId: 'approvals.count',
        tags,
        summary: 'Count pending approvals',
        description: 'Returns the number of pending approvals. A message and its copies count once.',
        response: { 200: approvalCount },
      },
    },
    async ({ caller }) => ({
      object: 'approval_count' as const,
      pending: await store.approvals.countPending(caller.scope),
    }),
  );
}

function getRoute(app: Api, context: ApprovalRoutes): void {
  app.get(
    '/v1/approvals/:id',
    {
      config: reading,
      schema: {
        operationId: 'approvals.get',
        tags,
        summary: 'Retrieve an approval',
        description:
          'Returns the message with its recipients and content, who sent it, how it differs from the send policy, and the decision.',
        params: idParams,
        response: { 200: approvalDetail },
      },
    },
    (request) => showDetail(context, request),
  );
}

function decisionRoutes(app: Api, context: ApprovalRoutes): void {
  const { approvals } = context;
  app.post(
    '/v1/approvals/:id/approve',
    {
      config: deciding,
      schema: {
        operationId: 'approvals.approve',
        tags,
        summary: 'Approve a message',
        description:
          'Queues the message and its copies for delivery, immediately or at the scheduled time. Fails with `conflict` if `content_hash` does not match the content, or if the request was already decided. Requires a signed-in person who can approve messages.',
        params: idParams,
        body: approvalApprove,
        response: { 200: approvalDetail },
      },
    },
    async (request) => {
      const { caller, params, body } = request;
      const userId = personOf(request);
      await approvals.approve(caller.scope, params.id, userId, {
        contentHash: body.content_hash,
        note: readNote(body.note),
      });
      return showDetail(context, request);
    },
  );

  app.post(
    '/v1/approvals/:id/reject',
    {
      config: { ...deciding, optionalBody: true },
      schema: {
        operationId: 'approvals.reject',
        tags,
        summary: 'Reject a message',
        description:
          'Cancels the message and its copies. Fails with `conflict` if the request was already decided. Requires a signed-in person who can approve messages.',
        params: idParams,
        body: approvalReject,
        response: { 200: approvalDetail },
      },
    },
    async (request) => {
      const { caller, params, body } = request;
      const userId = personOf(request);
      await approvals.reject(caller.scope, params.id, userId, { note: readNote(body.note) });
      return showDetail(context, request);
    },
  );
}

function editRoute(app: Api, context: ApprovalRoutes): void {
  app.patch(
    '/v1/approvals/:id',
    {
      config: deciding,
      bodyLimit: context.config.messageBodyLimitBytes,
      schema: {
        operationId: 'approvals.update',
        tags,
        summary: 'Edit a message before its approval',
        description:
          'Changes the subject or the body and creates a new version with a new `content_hash`. The audit trail of the message records both hashes. Fails with `conflict` for messages submitted as MIME, because they are sent unchanged. Requires a signed-in person who can approve messages.',
        params: idParams,
        body: approvalPatch,
        response: { 200: approvalDetail },
      },
    },
    async (request) => {
      const { caller, params } = request;
      const { subject, html, text } = request.body;
      const userId = personOf(request);
      refuseProblems({
        subject: subject === undefined ? null : lineProblem(subject),
        html: html === undefined ? null : textProblem(html),
        text: text === undefined ? null : textProblem(text),
      });
      await context.approvals.edit(caller.scope, params.id, userId, { subject, html, text });
      return showDetail(context, request);
    },
  );
}

async function showDetail(
  { store, approvals }: ApprovalRoutes,
  { caller, params }: Pick<FastifyRequest<{ Params: { id: string } }>, 'caller' | 'params'>,
) {
  const { scope, actor } = caller;
  const row = await store.approvals.approval(scope, params.id);
  if (!row) throw new Refusal('not_found');
  const copies = await store.messages.copies(scope, row.content_id, row.message_id);
  const [first] = copies;
  if (first === undefined) throw new Refusal('not_found');
  const problem =
    actor.kind === 'user'
      ? await approvals.problem(scope, row, { userId: actor.id, action: 'approve' })
      : FOR_KEYS;
  const { mode } = scope;
  const content = await store.messages.content(first);
  const [raw, shown, restoredAt] = await Promise.all([
    content.raw_id === null ? null : store.messages.raw(content.raw_id),
    store.messages.shownContent(first),
    mode === 'live' && row.status === 'pending' ? store.backups.restoredWith(first.id) : null,
  ]);
  return presentApprovalDetail(row, { copies, content, raw: raw ?? null, shown, mode, restoredAt, problem });
}

/** Refuses API keys with `session_required`. */
function personOf({ caller: { actor } }: Pick<FastifyRequest, 'caller'>): string {
  if (actor.kind !== 'user') throw new Refusal('session_required', FOR_KEYS);
  return actor.id;
}

function readNote(note: string | undefined): string | null {
  const text = note?.trim() ?? '';
  refuseProblems({ note: textProblem(text) });
  return text === '' ? null : text;
}

function refuseProblems(problems: Readonly<Record<string, string | null>>): void {
  const found = Object.entries(problems).flatMap(([path, message]) =>
    message === null ? [] : [{ path, message }],
  );
  if (found.length > 0) throw invalidFields(found);
}
