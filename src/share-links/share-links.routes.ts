// Share links: made for a message or for the DNS records of a domain, listed, and ended.
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
import type { Store } from '../store/store.js';
import type { ShareLinks } from './share-links.js';
import type { Api } from '../api/api.js';
import { resource } from '../api/lists/resource.js';
import { findMessage } from '../messages/messages.routes.js';
import type { ShareLink } from './share-links.tables.js';

export interface ShareLinkRouteDeps {
  store: Pick<Store, 'shareLinks' | 'messages' | 'tenants'>;
  shareLinks: Pick<ShareLinks, 'share' | 'revoke'>;
}

const tags = ['Share links'];
const config = { optionalBody: true, showsSecret: true } as const;
const ABOUT =
  'Anybody with the link sees the page, without a key, until the link expires or is deleted. The page shows nothing else and changes nothing. The link is shown once.';

export function shareLinkRoutes(app: Api, deps: ShareLinkRouteDeps): void {
  messageRoute(app, deps);
  dnsRoutes(app, deps);
  listRoutes(app, deps);
}

const presentLink = wireOf(shareLink).from<ShareLink>();

function messageRoute(app: Api, { store, shareLinks }: ShareLinkRouteDeps): void {
  app.post(
    '/v1/messages/:id/share',
    {
      config,
      schema: {
        operationId: 'shareLinks.createForMessage',
        tags,
        summary: 'Make a link to a page that shows the delivery of a message, with reasons',
        description: `${ABOUT} Without \`include_content\` it shows neither subject nor text.`,
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

function dnsRoutes(app: Api, { store, shareLinks }: ShareLinkRouteDeps): void {
  const summary = 'Make a link to a page with the DNS records of its domain, as they are found at the moment';

  app.post(
    '/v1/sub-tenants/:id/share',
    {
      config,
      schema: {
        operationId: 'shareLinks.createForSubTenant',
        tags,
        summary,
        description: ABOUT,
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
        summary,
        description: `${ABOUT} Only for senders that are domains: an address has no records.`,
        params: idParams,
        body: shareDns,
        response: { 201: shareLinkMade },
      },
    },
    async (request, reply) => {
      const { scope } = request.caller;
      const { expires_in_days: days = DEFAULT_SHARE_DAYS } = request.body;
      const sender = await store.tenants.sender(scope, request.params.id);
      if (!sender) throw new Refusal('not_found');
      if (sender.kind !== 'domain') {
        throw invalidFields([{ path: 'id', message: 'is an address; only domains have DNS records' }]);
      }
      const { id, sub_tenant_id: subTenantId } = sender;
      const wanted = { target: 'sender' as const, targetId: id, subTenantId, days, includeContent: false };
      const { link, url } = await shareLinks.share(scope, wanted);
      return reply.status(201).send({ ...presentLink(link), url });
    },
  );
}

function listRoutes(app: Api, { store, shareLinks }: ShareLinkRouteDeps): void {
  const plain = resource(app, {
    path: '/v1/share-links',
    operations: 'shareLinks',
    tag: 'Share links',
    object: 'share_link',
    schema: shareLink,
  });
  plain.list({
    summary: 'List share links, those that ended in the last 30 days included',
    query: shareLinkQuery,
    read: ({ caller, query }, page) => {
      const { target_id: targetId } = query;
      return store.shareLinks.shareLinks(caller.scope, page, targetId === undefined ? {} : { targetId });
    },
    present: (row) => presentLink(row),
  });
  plain.remove({
    summary: 'End a share link at once; it stays in the list as revoked',
    remove: ({ caller, params }) => shareLinks.revoke(caller.scope, params.id),
  });
}
