// SendGrid's authenticated domains: the workspace's senders that are domains. Their ids are Mailkeel's, not numbers.
import { Type } from 'typebox';
import type { SenderWire } from '../../domains/senders/sender.schema.js';
import { Refusal } from '../../contract/refusal.js';
import { closed } from '../../contract/schema.js';
import { LINE } from '../bounds.js';
import { MAX_OFFSET, pageByOffset } from '../pages.js';
import { compatRoute, notHere, type CompatRoute } from '../route.js';

const MADE = notHere(
  Type.Optional(Type.Unknown()),
  'Mailkeel creates the DNS records and returns them in the response. Omit it',
);

export const DOMAIN_ROUTES: readonly CompatRoute[] = [
  compatRoute({
    method: 'POST',
    path: '/v3/whitelabel/domains',
    permission: 'full',
    body: closed({
      domain: LINE,
      subdomain: MADE,
      ips: MADE,
      custom_spf: MADE,
      default: MADE,
      automatic_security: MADE,
      custom_dkim_selector: MADE,
    }),
    example: { domain: 'another.example' },
    async handle({ body, v1 }) {
      return { status: 201, body: domainOf(await v1.senders.create({ domain: body.domain })) };
    },
  }),
  compatRoute({
    method: 'GET',
    path: '/v3/whitelabel/domains',
    permission: 'read',
    query: closed({
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
      offset: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_OFFSET })),
    }),
    async handle({ query: { limit = 50, offset = 0 }, v1 }) {
      const wanted = { count: limit, offset };
      const { items } = await pageByOffset(v1.senders.list, wanted, ({ kind }) => kind === 'domain');
      return { body: items.map(domainOf) };
    },
  }),
  compatRoute({
    method: 'GET',
    path: '/v3/whitelabel/domains/:id',
    permission: 'read',
    async handle({ params: { id = '' }, v1 }) {
      const sender = await v1.senders.get(id);
      if (sender.kind !== 'domain') throw new Refusal('not_found');
      return { body: domainOf(sender) };
    },
  }),
  compatRoute({
    method: 'POST',
    path: '/v3/whitelabel/domains/:id/validate',
    permission: 'full',
    async handle({ params: { id = '' }, v1 }) {
      const sender = await v1.senders.verify(id);
      return {
        body: { id: sender.id, valid: sender.status === 'verified', validation_results: recordsOf(sender) },
      };
    },
  }),
  compatRoute({
    method: 'DELETE',
    path: '/v3/whitelabel/domains/:id',
    permission: 'full',
    async handle({ params: { id = '' }, v1 }) {
      await v1.senders.delete(id);
      return { status: 204 };
    },
  }),
];

function recordsOf({ dns_records: records }: SenderWire) {
  return Object.fromEntries(
    records.map(({ purpose, type, host, value, status }, at) => [
      `${purpose}_${at + 1}`,
      { valid: status === 'ok', type: type.toLowerCase(), host, data: value },
    ]),
  );
}

function domainOf(sender: SenderWire) {
  return {
    id: sender.id,
    domain: sender.domain,
    subdomain: null,
    valid: sender.status === 'verified',
    default: sender.is_default,
    automatic_security: false,
    dns: recordsOf(sender),
  };
}
