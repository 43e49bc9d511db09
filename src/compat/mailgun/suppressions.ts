// Suppressions of Mailgun: bounces, complaints and unsubscribes, in pages that lead to each other.
import { Type } from 'typebox';
import { invalidFields, Refusal } from '../../contract/refusal.js';
import { closed } from '../../contract/schema.js';
import type { SuppressionWire } from '../../suppressions/suppression.schema.js';
import { addressProblem } from '../../lib/mime/address.js';
import { LINE } from '../bounds.js';
import { given } from '../fields.js';
import { formOf } from '../form-body.js';
import { compatRoute, type CompatRoute } from '../route.js';
import { suppressionsOfAddress } from '../suppressed.js';
import type { V1 } from '../v1.js';

type Reason = SuppressionWire['reason'];

/** Addresses of one request. */
const MAX_ENTRIES = 1000;
const KNOWN = ['address', 'code', 'error', 'tag', 'tags', 'created_at'];
const query = closed({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  page: Type.Optional(Type.Literal('next')),
  /** The cursor of the page. */
  address: Type.Optional(LINE),
});

const routesOf = (path: string, reason: Reason, present: (one: SuppressionWire) => object): CompatRoute[] => [
  compatRoute({
    method: 'GET',
    path: `/v3/:domain/${path}`,
    permission: 'read',
    query,
    async handle({ params: { domain = '' }, query: { limit = 100, address }, v1, baseUrl }) {
      const { data, next_cursor: next } = await v1.suppressions.list({
        reason,
        limit,
        ...given('cursor', address),
      });
      const first = `${baseUrl}/v3/${encodeURIComponent(domain)}/${path}?limit=${limit}`;
      const at = (cursor: string): string => `${first}&page=next&address=${encodeURIComponent(cursor)}`;
      const own = address === undefined ? first : at(address);
      // The last page leads to itself.
      const paging = { first, last: first, previous: first, next: next === null ? own : at(next) };
      return { body: { items: data.map(present), paging } };
    },
  }),
  compatRoute({
    method: 'GET',
    path: `/v3/:domain/${path}/:address`,
    permission: 'read',
    async handle({ params: { address = '' }, v1 }) {
      return { body: present(await suppressionOf(v1, address, reason)) };
    },
  }),
  compatRoute({
    method: 'POST',
    path: `/v3/:domain/${path}`,
    permission: 'full',
    body: Type.Unknown(),
    example: [{ address: 'gone@example.com' }],
    async handle({ body, v1 }) {
      const addresses = addressesOf(body);
      v1.expect(addresses.length);
      for (const email of addresses) await v1.suppressions.create({ email, reason });
      const many = `${addresses.length} addresses have been added to the ${path} table`;
      return { body: { message: many, type: path, value: addresses[0] } };
    },
  }),
  compatRoute({
    method: 'DELETE',
    path: `/v3/:domain/${path}/:address`,
    permission: 'full',
    async handle({ params: { address = '' }, v1 }) {
      const { id, email } = await suppressionOf(v1, address, reason);
      await v1.suppressions.delete(id);
      return { body: { message: `The address has been removed from the ${path} table`, address: email } };
    },
  }),
];

export const SUPPRESSION_ROUTES: readonly CompatRoute[] = [
  ...routesOf('bounces', 'bounce', (one) => ({ ...shownOf(one), code: '550', error: '' })),
  ...routesOf('complaints', 'complaint', (one) => shownOf(one)),
  ...routesOf('unsubscribes', 'unsubscribe', (one) => ({ ...shownOf(one), tags: ['*'] })),
];

function shownOf({ email, created_at }: SuppressionWire) {
  return { address: email, created_at: new Date(created_at).toUTCString() };
}

async function suppressionOf(v1: V1, address: string, reason: Reason): Promise<SuppressionWire> {
  const [found] = await suppressionsOfAddress(v1, address, { reason });
  if (!found) throw new Refusal('not_found');
  return found;
}

/** Of one entry or a list of them; all is read before anything is kept. */
function addressesOf(body: unknown): string[] {
  const entries = Array.isArray(body) ? (body as unknown[]) : [body];
  if (entries.length === 0 || entries.length > MAX_ENTRIES) {
    throw invalidFields([{ path: '', message: `give 1 to ${MAX_ENTRIES} addresses` }]);
  }
  return entries.map((entry, at) => {
    const { fields } = formOf(entry);
    const place = (name: string): string => (Array.isArray(body) ? `${at}.${name}` : name);
    const unknown = [...fields.keys()].find((name) => !KNOWN.includes(name));
    if (unknown !== undefined)
      throw invalidFields([{ path: place(unknown.slice(0, 80)), message: 'is not a known field' }]);
    for (const name of ['tag', 'tags']) {
      const tags = fields.get(name) ?? ['*'];
      if (tags.some((tag) => tag !== '*')) {
        const message =
          'an address is suppressed for all mail; for one purpose use a topic, the id of a list';
        throw invalidFields([{ path: place(name), message }]);
      }
    }
    const [address] = fields.get('address') ?? [];
    const problem = address === undefined ? 'is required' : addressProblem(address, { utf8Local: true });
    if (address === undefined || problem !== null) {
      throw invalidFields([{ path: place('address'), message: problem ?? 'is required' }]);
    }
    return address;
  });
}
