// Mailgun's domains API: domain senders of the workspace, identified by name.
import { Type } from 'typebox';
import { Refusal } from '../../contract/refusal.js';
import { closed } from '../../contract/schema.js';
import type { SenderWire } from '../../domains/senders/sender.schema.js';
import { toForm, readSingle, type TakenFields } from '../form-body.js';
import { MAX_OFFSET, pageByOffset } from '../pages.js';
import { compatRoute, notHere, type CompatRoute } from '../route.js';
import type { V1 } from '../v1.js';

const STATES: Record<SenderWire['status'], string> = {
  pending_verification: 'unverified',
  verified: 'active',
  failed: 'unverified',
  suspended: 'disabled',
};

const UNSET = 'cannot be set. Pass only the name, and see the records in the response';
const CREATE: TakenFields = {
  name: true,
  smtp_password: UNSET,
  spam_action: UNSET,
  wildcard: UNSET,
  dkim_key_size: UNSET,
  dkim_selector: UNSET,
  dkim_host_name: UNSET,
  force_dkim_authority: UNSET,
  force_root_dkim_host: UNSET,
  use_automatic_sender_security: UNSET,
  mailfrom_host: UNSET,
  encrypt_incoming_message: UNSET,
  web_scheme: UNSET,
  web_prefix: UNSET,
  ips: UNSET,
  pool_id: UNSET,
};

/** Older clients use version 3 of the same operations. */
const versioned = (version: 'v3' | 'v4'): CompatRoute[] => [
  compatRoute({
    method: 'GET',
    path: `/${version}/domains`,
    permission: 'read',
    query: closed({
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
      skip: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_OFFSET })),
    }),
    async handle({ query: { limit = 100, skip = 0 }, v1 }) {
      const wanted = { count: limit, offset: skip };
      const { items, total } = await pageByOffset(v1.senders.list, wanted, ({ kind }) => kind === 'domain');
      return { body: { total_count: total, items: items.map(domainOf) } };
    },
  }),
  compatRoute({
    method: 'POST',
    path: `/${version}/domains`,
    permission: 'full',
    body: Type.Unknown(),
    form: CREATE,
    example: { name: 'another.example' },
    async handle({ body, v1 }) {
      const sender = await v1.senders.create({ domain: readSingle(toForm(body), 'name') ?? '' });
      return { body: { message: 'Domain has been created', ...fullOf(sender) } };
    },
  }),
  compatRoute({
    method: 'GET',
    path: `/${version}/domains/:domain`,
    permission: 'read',
    query: closed({
      'h:extended': Type.Optional(
        Type.Union([
          Type.Literal(false),
          notHere(Type.Literal(true), 'there are no extended details of a domain. Omit it'),
        ]),
      ),
      'h:with_dns': Type.Optional(Type.Boolean()),
    }),
    async handle({ params: { domain = '' }, query: { 'h:with_dns': hasRecords = true }, v1 }) {
      const sender = await fetchSender(v1, domain);
      return { body: hasRecords ? fullOf(sender) : { domain: domainOf(sender) } };
    },
  }),
  compatRoute({
    method: 'PUT',
    path: `/${version}/domains/:domain/verify`,
    permission: 'full',
    async handle({ params: { domain = '' }, v1 }) {
      const { id } = await fetchSender(v1, domain);
      return {
        body: { message: 'Domain DNS records have been checked', ...fullOf(await v1.senders.verify(id)) },
      };
    },
  }),
];

export const DOMAIN_ROUTES: readonly CompatRoute[] = [
  ...versioned('v4'),
  ...versioned('v3'),
  compatRoute({
    method: 'DELETE',
    path: '/v3/domains/:domain',
    permission: 'full',
    async handle({ params: { domain = '' }, v1 }) {
      await v1.senders.delete((await fetchSender(v1, domain)).id);
      return { body: { message: 'Domain has been deleted' } };
    },
  }),
];

async function fetchSender(v1: V1, domain: string): Promise<SenderWire> {
  const { data } = await v1.senders.list({ q: domain, limit: 100 });
  const found = data.find((one) => one.kind === 'domain' && one.domain === domain.toLowerCase());
  if (!found) throw new Refusal('not_found');
  return found;
}

function domainOf({ id, domain, status, created_at }: SenderWire) {
  return {
    id,
    name: domain,
    state: STATES[status],
    type: 'custom',
    created_at: new Date(created_at).toUTCString(),
    is_disabled: status === 'suspended',
  };
}

function fullOf(sender: SenderWire) {
  const records = sender.dns_records.map(({ purpose, type, host, value, priority, status, found }) => ({
    is_receiving: purpose === 'inbound',
    record_type: type,
    name: host,
    value,
    valid: status === 'ok' ? 'valid' : status === 'pending' ? 'unknown' : 'invalid',
    cached: found,
    ...(priority === undefined ? {} : { priority: String(priority) }),
  }));
  return {
    domain: domainOf(sender),
    receiving_dns_records: records.filter((one) => one.is_receiving),
    sending_dns_records: records.filter((one) => !one.is_receiving),
  };
}
