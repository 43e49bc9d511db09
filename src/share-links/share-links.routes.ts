// Share links of messages and of the DNS records of domains.
import {
  DEFAULT_SHARE_DAYS,
  shareDns,
  shareLink,
  shareLinkMade,
  shareLinkQuery,
  shareMessage,
} from './share-link.schema.js';
import { wireOf } from '../contract/codec.js';
import { invalidFields, Refusal } from '../contract/refusal.js';
import { idParams } from '../contract/schema.js';
import type { ShareLinkContext } from './context.js';
import type { ShareLinkStores } from './stores.js';
import type { ShareLinks } from './share-links.js';
import type { Api } from '../http/api.js';
import { resource } from '../http/lists/resource.js';
import { findMessage } from '../messages/messages.routes.js';
import type { ShareLink } from './share-links.tables.js';

const tags = ['Share links'];
const config = { optionalBody: true, showsSecret: true } as const;
const ABOUT =
  'Anyone with the link can view the page without an API key until the link expires or is deleted. The page is read-only and shows nothing else. The URL is only returned once.';

export function shareLinkRoutes(
  app: Api,
  { store }: Pick<ShareLinkContext, 'store'>,
  shareLinks: ShareLinks,
): void {
  messageRoute(app, store, shareLinks);
  dnsRoutes(app, store, shareLinks);
  listRoutes(app, store, shareLinks);
}

const presentLink = wireOf(shareLink).from<ShareLink>();

function messageRoute(app: Api, store: ShareLinkStores, shareLinks: ShareLinks): void {
  app.post(
    '/v1/messages/:id/share',
    {
      config,
      schema: {
        operationId: 'shareLinks.createForMessage',
        tags,
        summary: "Share a message's delivery",
        description: `Creates a link to a page that shows the delivery of a message and the reasons for its status. ${ABOUT} The subject and text are hidden unless you set \`include_content\`.`,
        params: idParams,
        body: shareMessage,
        response: { 201: shareLinkMade },
      },
    },
    async (request, reply) => {
      const { scope } = request.caller;
      const { expires_in_days: days = DEFAULT_SHARE_DAYS, include_content: includeContent = false } =
        request.body;
      const found = await findMessage(store, scope, request.params.id);
      const { link, url } = await shareLinks.share(scope, {
        target: 'message',
        targetId: found.public_id,
        subTenantId: found.sub_tenant_id,
        days,
        includeContent,
      });
      return reply.status(201).send({ ...presentLink(link), url });
    },
  );
}

function dnsRoutes(app: Api, store: ShareLinkStores, shareLinks: ShareLinks): void {
  app.post(
    '/v1/sub-tenants/:id/share',
    {
      config,
      schema: {
        operationId: 'shareLinks.createForSubTenant',
        tags,
        summary: "Share a sub-tenant's DNS records",
        description: `Creates a link to a page with the current DNS records of the sub-tenant's domain. ${ABOUT}`,
        params: idParams,
        body: shareDns,
        response: { 201: shareLinkMade },
      },
    },
    async (request, reply) => {
      const { scope } = request.caller;
      const { expires_in_days: days = DEFAULT_SHARE_DAYS } = request.body;
      const tenant = await store.tenants.subTenant(scope, request.params.id);
      if (!tenant) throw new Refusal('not_found');
      const { id } = tenant;
      const wanted = {
        target: 'sub_tenant' as const,
        targetId: id,
        subTenantId: id,
        days,
        includeContent: false,
      };
      const { link, url } = await shareLinks.share(scope, wanted);
      return reply.status(201).send({ ...presentLink(link), url });
    },
  );

  app.post(
    '/v1/senders/:id/share',
    {
      config,
      schema: {
        operationId: 'shareLinks.createForSender',
        tags,
        summary: "Share a sender's DNS records",
        description: `Creates a link to a page with the current DNS records of the domain. ${ABOUT} Only available for senders that are domains, because an address has no DNS records.`,
        params: idParams,
        body: shareDns,
        response: { 201: shareLinkMade },
      },
    },
    async (request, reply) => {
      const { scope } = request.caller;
      const { expires_in_days: days = DEFAULT_SHARE_DAYS } = request.body;
      const sender = await store.domains.sender(scope, request.params.id);
      if (!sender) throw new Refusal('not_found');
      if (sender.kind !== 'domain') {
        throw invalidFields([{ path: 'id', message: 'is an email address. Only domains have DNS records' }]);
      }
      const { id, sub_tenant_id: subTenantId } = sender;
      const wanted = { target: 'sender' as const, targetId: id, subTenantId, days, includeContent: false };
      const { link, url } = await shareLinks.share(scope, wanted);
      return reply.status(201).send({ ...presentLink(link), url });
    },
  );
}

function listRoutes(app: Api, store: ShareLinkStores, shareLinks: ShareLinks): void {
  const plain = resource(app, {
    path: '/v1/share-links',
    operations: 'shareLinks',
    tag: 'Share links',
    object: 'share_link',
    schema: shareLink,
  });
  plain.list({
    summary: 'List share links',
    description: 'Returns share links, including those that ended in the last 30 days.',
    query: shareLinkQuery,
    read: ({ caller, query }, page) => {
      const { target_id: targetId } = query;
      return store.shareLinks.shareLinks(caller.scope, page, targetId === undefined ? {} : { targetId });
    },
    present: (row) => presentLink(row),
  });
  plain.remove({
    summary: 'Delete a share link',
    description: 'Deactivates a share link immediately. It stays in the list as revoked.',
    remove: ({ caller, params }) => shareLinks.revoke(caller.scope, params.id),
  });
}
