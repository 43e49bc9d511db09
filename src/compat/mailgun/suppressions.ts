// Mailgun's suppressions: bounces, complaints and unsubscribes, in linked pages.
import { Type } from 'typebox';
import { invalidFields, Refusal } from '../../contract/refusal.js';
import { closed } from '../../contract/schema.js';
import type { SuppressionReply, SuppressionWire } from '../../suppressions/suppression.schema.js';
import { addressProblem } from '../../lib/mime/index.js';
import { LINE } from '../bounds.js';
import { given } from '../fields.js';
import { toForm, readSingle, type Form, type TakenFields } from '../form-body.js';
import { compatRoute, type CompatRoute } from '../route.js';
import { suppressionsOfAddress } from '../suppressed.js';
import type { V1 } from '../v1.js';

type Reason = SuppressionWire['reason'];

/** Most addresses of one request. */
const MAX_ENTRIES = 1000;
const NOW = 'is always the time of the request. Omit it';
const ENTRY: TakenFields = { address: true, created_at: NOW };
const BOUNCE: TakenFields = { ...ENTRY, code: true, error: true };
const UNSUBSCRIBE: TakenFields = { ...ENTRY, tag: true, tags: true };
const DEFAULT_CODE = '550';
const query = closed({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  page: Type.Optional(Type.Literal('next')),
  /** Cursor of the page. */
  address: Type.Optional(LINE),
});

interface Kind {
  reason: Reason;
  fields: TakenFields;
  present: (one: SuppressionWire) => object;
}

const routesOf = (path: string, { reason, fields, present }: Kind): CompatRoute[] => [
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
      // The last page links to itself.
      const paging = { first, last: first, previous: first, next: next === null ? own : at(next) };
      return { body: { items: data.map(present), paging } };
    },
  }),
  compatRoute({
    method: 'GET',
    path: `/v3/:domain/${path}/:address`,
    permission: 'read',
    async handle({ params: { address = '' }, v1 }) {
      return { body: present(await fetchSuppression(v1, address, reason)) };
    },
  }),
  compatRoute({
    method: 'POST',
    path: `/v3/:domain/${path}`,
    permission: 'full',
    body: Type.Unknown(),
    form: fields,
    example: [{ address: 'gone@example.com' }],
    async handle({ body, v1 }) {
      const entries = entriesOf(body);
      v1.expect(entries.length);
      for (const entry of entries) await v1.suppressions.create({ ...entry, reason });
      const many = `${entries.length} addresses have been added to the ${path} table`;
      return { body: { message: many, type: path, value: entries[0]?.email } };
    },
  }),
  compatRoute({
    method: 'DELETE',
    path: `/v3/:domain/${path}/:address`,
    permission: 'full',
    async handle({ params: { address = '' }, v1 }) {
      const { id, email } = await fetchSuppression(v1, address, reason);
      await v1.suppressions.delete(id);
      return { body: { message: `The address has been removed from the ${path} table`, address: email } };
    },
  }),
];

export const SUPPRESSION_ROUTES: readonly CompatRoute[] = [
  ...routesOf('bounces', {
    reason: 'bounce',
    fields: BOUNCE,
    present: (one) => ({
      ...shownOf(one),
      code: String(one.reply?.code ?? DEFAULT_CODE),
      error: one.reply?.message ?? '',
    }),
  }),
  ...routesOf('complaints', { reason: 'complaint', fields: ENTRY, present: shownOf }),
  ...routesOf('unsubscribes', {
    reason: 'unsubscribe',
    fields: UNSUBSCRIBE,
    present: (one) => ({ ...shownOf(one), tags: ['*'] }),
  }),
];

function shownOf({ email, created_at }: SuppressionWire) {
  return { address: email, created_at: new Date(created_at).toUTCString() };
}

async function fetchSuppression(v1: V1, address: string, reason: Reason): Promise<SuppressionWire> {
  const [found] = await suppressionsOfAddress(v1, address, { reason });
  if (!found) throw new Refusal('not_found');
  return found;
}

interface Entry {
  email: string;
  reply?: SuppressionReply;
}

/** Reads one entry or a list; all are validated before any is stored. */
function entriesOf(body: unknown): Entry[] {
  const entries = Array.isArray(body) ? (body as unknown[]) : [body];
  if (entries.length === 0 || entries.length > MAX_ENTRIES) {
    throw invalidFields([{ path: '', message: `give 1 to ${MAX_ENTRIES} addresses` }]);
  }
  return entries.map((entry, at) => entryOf(toForm(entry), Array.isArray(body) ? `${at}.` : ''));
}

function entryOf(form: Form, place: string): Entry {
  const refuse = (name: string, message: string) => invalidFields([{ path: `${place}${name}`, message }]);
  for (const name of ['tag', 'tags']) {
    if ((form.fields.get(name) ?? []).some((tag) => tag !== '*')) {
      const message = 'suppressions apply to all mail. For a single purpose, use a topic (the ID of a list)';
      throw refuse(name, message);
    }
  }
  const address = readSingle(form, 'address');
  const problem = address === undefined ? 'is required' : addressProblem(address, { utf8Local: true });
  if (address === undefined || problem !== null) throw refuse('address', problem ?? 'is required');
  const [code, error] = [readSingle(form, 'code'), readSingle(form, 'error')];
  if (code !== undefined && !/^[1-9]\d\d$/.test(code)) {
    throw refuse('code', 'must be an SMTP reply code, such as 550');
  }
  if (code === undefined && error === undefined) return { email: address };
  return {
    email: address,
    reply: { code: Number(code ?? DEFAULT_CODE), enhanced_code: null, message: error ?? null },
  };
}
