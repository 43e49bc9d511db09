// Resend's domains API: the workspace's senders that are domains.
import { Type } from 'typebox';
import type { SenderWire } from '../../domains/senders/sender.schema.js';
import { closed } from '../../contract/schema.js';
import { LINE } from '../bounds.js';
import { without } from '../fields.js';
import { pageById } from '../pages.js';
import { compatRoute, notHere, type CompatRoute } from '../route.js';
import { DEFAULT_LIMIT, listQuery } from './emails.js';

const SETTINGS =
  'is set for the whole organization with PATCH /v1/organization, or per message with track_opens and track_clicks';
const unsettable = (sentence: string) => notHere(Type.Optional(Type.Unknown()), sentence);

const STATUSES: Record<SenderWire['status'], string> = {
  pending_verification: 'pending',
  verified: 'verified',
  failed: 'failed',
  suspended: 'temporary_failure',
};

export const DOMAIN_ROUTES: readonly CompatRoute[] = [
  compatRoute({
    method: 'POST',
    path: '/domains',
    permission: 'full',
    body: closed({
      name: LINE,
      region: unsettable('regions are not supported. Omit it'),
      custom_return_path: unsettable('is created by Mailkeel. See the records in the response'),
      capabilities: unsettable(
        'capabilities cannot be set. Domains can always send, and receive mail if their MX record points to Mailkeel. Omit it',
      ),
      open_tracking: unsettable(SETTINGS),
      click_tracking: unsettable(SETTINGS),
      tls: unsettable('is set per message with require_tls in POST /v1/messages'),
      tracking_subdomain: unsettable('is created by Mailkeel. See the records in the response'),
    }),
    example: { name: 'another.example' },
    async handle({ body, v1 }) {
      return { status: 201, body: domainOf(await v1.senders.create({ domain: body.name })) };
    },
  }),
  compatRoute({
    method: 'GET',
    path: '/domains',
    permission: 'read',
    query: listQuery,
    async handle({ query, v1 }) {
      const { limit = DEFAULT_LIMIT, after, before } = query;
      const { items, hasMore } = await pageById(
        { list: v1.senders.list, find: v1.senders.get, isShown: ({ kind }) => kind === 'domain' },
        { limit, after, before },
      );
      const data = items.map((one) => without(domainOf(one), 'records'));
      return { body: { object: 'list', has_more: hasMore, data } };
    },
  }),
  compatRoute({
    method: 'GET',
    path: '/domains/:id',
    permission: 'read',
    async handle({ params: { id = '' }, v1 }) {
      return { body: { object: 'domain', ...domainOf(await v1.senders.get(id)) } };
    },
  }),
  compatRoute({
    method: 'POST',
    path: '/domains/:id/verify',
    permission: 'full',
    async handle({ params: { id = '' }, v1 }) {
      return { body: { object: 'domain', id: (await v1.senders.verify(id)).id } };
    },
  }),
  compatRoute({
    method: 'DELETE',
    path: '/domains/:id',
    permission: 'full',
    async handle({ params: { id = '' }, v1 }) {
      return { body: { object: 'domain', id: (await v1.senders.delete(id)).id, deleted: true } };
    },
  }),
];

function domainOf(sender: SenderWire) {
  return {
    id: sender.id,
    name: sender.domain,
    status: STATUSES[sender.status],
    created_at: sender.created_at,
    region: null,
    capabilities: { sending: 'enabled', receiving: 'disabled' },
    records: sender.dns_records.map(({ purpose, type, host, value, priority, status }) => ({
      record: purpose === 'dkim' ? 'DKIM' : purpose === 'dmarc' ? 'DMARC' : 'SPF',
      name: host,
      type,
      ttl: 'Auto',
      status: status === 'ok' ? 'verified' : status === 'pending' ? 'pending' : 'failed',
      value,
      ...(priority === undefined ? {} : { priority }),
    })),
  };
}
