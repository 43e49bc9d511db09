// Routes of the addresses that an inbox forwards to.
import { deleted, idParams } from '../../contract/schema.js';
import { trailActor } from '../../http/access/caller.js';
import type { Api } from '../../http/api.js';
import { inboxForward, inboxForwardCreate, inboxForwardList, inboxForwardParams } from './forward.schema.js';
import { presentForward } from './forward.view.js';
import type { Forwards } from './forwards.js';
import type { InboxForward } from './forwards.tables.js';

const tags = ['Inboxes'];
const config = { permission: 'send' } as const;
const PATH = '/v1/inboxes/:id/forwards';

/** An address that is not confirmed yet. */
const presentPending = (row: InboxForward) => presentForward(row, { isSuppressed: false });

export function forwardRoutes(app: Api, forwards: Forwards): void {
  createRoute(app, forwards);
  listRoute(app, forwards);
  deleteRoute(app, forwards);
  confirmRoute(app, forwards);
}

function createRoute(app: Api, forwards: Forwards): void {
  app.post(
    PATH,
    {
      config,
      schema: {
        operationId: 'inboxes.createForward',
        tags,
        summary: 'Forward an inbox to an address',
        description:
          'Adds an address and emails a confirmation link to it. Nothing is forwarded until its owner confirms. API keys with a send policy get 403.',
        params: idParams,
        body: inboxForwardCreate,
        response: { 201: inboxForward },
      },
    },
    async ({ caller, params, body }, reply) => {
      const { policy, scope } = caller;
      const row = await forwards.create(scope, params.id, { address: body.address, policy });
      return reply.status(201).send(presentPending(row));
    },
  );
}

function listRoute(app: Api, forwards: Forwards): void {
  app.get(
    PATH,
    {
      config,
      schema: {
        operationId: 'inboxes.listForwards',
        tags,
        summary: 'List the forwarding addresses of an inbox',
        description: 'Returns all forwarding addresses of the inbox (up to 10) with their state.',
        params: idParams,
        response: { 200: inboxForwardList },
      },
    },
    async ({ caller, params }) => {
      const rows = await forwards.list(caller.scope, params.id);
      const suppressed = await forwards.suppressedAmong(caller.scope, rows);
      const data = rows.map((row) => presentForward(row, { isSuppressed: suppressed.has(row.address_key) }));
      return { object: 'list' as const, data, has_more: false, next_cursor: null };
    },
  );
}

function deleteRoute(app: Api, forwards: Forwards): void {
  app.delete(
    `${PATH}/:forward_id`,
    {
      config,
      schema: {
        operationId: 'inboxes.deleteForward',
        tags,
        summary: 'Stop forwarding an inbox to an address',
        description:
          'Removes the address and cancels queued messages to it. API keys with a send policy get 403.',
        params: inboxForwardParams,
        response: { 200: deleted('inbox_forward') },
      },
    },
    async ({ caller, params: { id: inboxId, forward_id: forwardId } }) => {
      const { scope, policy } = caller;
      await forwards.remove(scope, { inboxId, id: forwardId, policy, actor: trailActor(caller) });
      return { id: forwardId, object: 'inbox_forward' as const, deleted: true as const };
    },
  );
}

function confirmRoute(app: Api, forwards: Forwards): void {
  app.post(
    `${PATH}/:forward_id/confirm-mail`,
    {
      config,
      schema: {
        operationId: 'inboxes.confirmForward',
        tags,
        summary: 'Send the confirmation email of a forwarding address again',
        description:
          'Sends a new link, which replaces the old one. An address gets up to 5 of these emails per hour. API keys with a send policy get 403.',
        params: inboxForwardParams,
        response: { 200: inboxForward },
      },
    },
    async ({ caller: { scope, policy }, params: { id: inboxId, forward_id: id } }) =>
      presentPending(await forwards.confirmAgain(scope, { inboxId, id, policy })),
  );
}
