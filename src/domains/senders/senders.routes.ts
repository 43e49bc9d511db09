// Senders: addresses and domains for From, in addition to a sub-tenant's own domain.
import { invalidFields } from '../../contract/refusal.js';
import { idParams } from '../../contract/schema.js';
import { sender, senderAuthentication, senderCreate, senderQuery } from './sender.schema.js';
import type { DomainContext } from '../context.js';
import type { NewSender, Senders } from './senders.js';
import type { Api } from '../../http/api.js';
import { resource } from '../../http/lists/resource.js';
import { presentSender, presentSenderAuthentication } from './sender.view.js';
import { scopeWithField } from '../../tenants/scope.routes.js';
import type { Sender } from '../domains.tables.js';

const tags = ['Senders'];
const SENDERS = {
  path: '/v1/senders',
  operations: 'senders',
  tag: 'Senders',
  object: 'sender',
  schema: sender,
} as const;

export function senderRoutes(app: Api, context: DomainContext, senders: Senders): void {
  collectionRoutes(app, context, senders);
  objectRoutes(app, context, senders);
}

function presenter({ store, settings }: DomainContext) {
  return async (row: Sender) => presentSender(row, await store.domains.dkimKeys([row.id]), settings);
}

function collectionRoutes(app: Api, context: DomainContext, senders: Senders): void {
  const { store, settings } = context;
  const present = presenter(context);

  app.post(
    '/v1/senders',
    {
      config: { makesKeys: true },
      schema: {
        operationId: 'senders.create',
        tags,
        summary: 'Create a sender',
        description:
          'Adds an email address or a domain to send from. An address on a verified domain is verified immediately; otherwise its owner receives a confirmation link. For a domain, Mailkeel creates DKIM keys and returns the DNS records to publish.',
        body: senderCreate,
        response: { 201: sender },
      },
    },
    async (request, reply) => {
      const { body, caller } = request;
      const input = newSender(body);
      const scope = await scopeWithField(store.tenants, caller.scope, body.sub_tenant_id);
      return reply.status(201).send(await present(await senders.create(scope, input)));
    },
  );

  resource(app, SENDERS).list({
    summary: 'List senders',
    description: 'Returns the addresses and domains that you can send from, newest first.',
    query: senderQuery,
    async read({ caller, query: { q } }, wanted) {
      const page = await store.domains.senders(caller.scope, wanted, q === undefined ? {} : { q });
      const keys = await store.domains.dkimKeys(page.rows.map((row) => row.id));
      return {
        ...page,
        rows: page.rows.map((row) => ({ row, keys: keys.filter((key) => key.owner_id === row.id) })),
      };
    },
    present: ({ row, keys }) => presentSender(row, keys, settings),
  });
}

function newSender(body: { email?: string; name?: string | null; domain?: string }): NewSender {
  const { email, domain, name = null } = body;
  if (email !== undefined && domain === undefined) return { kind: 'address', email, name };
  if (domain === undefined || email !== undefined) {
    throw invalidFields([{ path: 'email', message: 'specify either `email` or `domain`' }]);
  }
  if (name !== null) throw invalidFields([{ path: 'name', message: 'only an address can have a name' }]);
  return { kind: 'domain', domain };
}

function objectRoutes(app: Api, context: DomainContext, senders: Senders): void {
  const { store, settings } = context;
  const present = presenter(context);

  const plain = resource(app, SENDERS);
  plain.get({
    summary: 'Retrieve a sender',
    description: 'Returns a sender. For a domain, includes the DNS records to publish.',
    find: ({ caller, params }) => senders.read(caller.scope, params.id),
    present,
  });

  app.get(
    '/v1/senders/:id/authentication',
    {
      schema: {
        operationId: 'senders.getAuthentication',
        tags,
        summary: "Retrieve a sender's DNS checks",
        description:
          "Returns the domain's DKIM keys and the last check result of each DNS record, with advice. To run the checks again, use `POST /v1/senders/{id}/verify`.",
        params: idParams,
        response: { 200: senderAuthentication },
      },
    },
    async (request) => {
      const row = await senders.read(request.caller.scope, request.params.id);
      return presentSenderAuthentication(row, await store.domains.dkimKeys([row.id]), settings);
    },
  );

  app.post(
    '/v1/senders/:id/verify',
    {
      schema: {
        operationId: 'senders.verify',
        tags,
        summary: 'Verify a sender',
        description:
          "Checks a domain's DNS records immediately. For an unconfirmed address, sends its owner a new confirmation link.",
        params: idParams,
        response: { 200: sender },
      },
    },
    async (request) => present(await senders.verify(request.caller.scope, request.params.id)),
  );

  app.post(
    '/v1/senders/:id/default',
    {
      schema: {
        operationId: 'senders.makeDefault',
        tags,
        summary: 'Set the default sender',
        description:
          'Makes an address the default From address of its workspace or sub-tenant, replacing the previous default. Fails with `conflict` for a domain.',
        params: idParams,
        response: { 200: sender },
      },
    },
    async (request) => present(await senders.makeDefault(request.caller.scope, request.params.id)),
  );

  plain.remove({
    summary: 'Delete a sender',
    description:
      'Removes a sender. For a domain, Mailkeel stops signing with its keys and no longer accepts mail from it.',
    remove: ({ caller, params }) => senders.remove(caller.scope, params.id),
  });
}
