// Resend's suppressions. Unsubscribed addresses are included, with the origin `manual`.
import { Type } from 'typebox';
import { invalidFields, Refusal } from '../../contract/refusal.js';
import { closed, oneOf } from '../../contract/schema.js';
import { addressProblem } from '../../lib/mime/index.js';
import type { SuppressionWire } from '../../suppressions/suppression.schema.js';
import { LINE } from '../bounds.js';
import { pageById } from '../pages.js';
import { compatRoute, type CompatRoute } from '../route.js';
import { suppressionsOfAddress } from '../suppressed.js';
import type { V1 } from '../v1.js';
import { DEFAULT_LIMIT, listQuery } from './emails.js';

const REASONS = { bounce: ['bounce'], complaint: ['complaint'], manual: ['manual', 'unsubscribe'] } as const;
/** Most addresses of one request, as with the vendor. */
const MAX_BATCH = 100;
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const query = closed({
  ...listQuery.properties,
  origin: Type.Optional(oneOf(['bounce', 'complaint', 'manual'])),
});

export const SUPPRESSION_ROUTES: readonly CompatRoute[] = [
  compatRoute({
    method: 'POST',
    path: '/suppressions',
    permission: 'full',
    body: closed({ email: LINE }),
    example: { email: 'gone@example.com' },
    async handle({ body, v1 }) {
      const { id } = await v1.suppressions.create({ email: body.email });
      return { status: 201, body: { object: 'suppression', id } };
    },
  }),
  compatRoute({
    method: 'POST',
    path: '/suppressions/batch/add',
    permission: 'full',
    body: closed({ emails: Type.Array(LINE, { minItems: 1, maxItems: MAX_BATCH }) }),
    example: { emails: ['gone@example.com'] },
    async handle({ body: { emails }, v1 }) {
      refuseAddresses(emails);
      v1.expect(emails.length);
      const data: object[] = [];
      for (const email of emails) {
        const { id } = await v1.suppressions.create({ email });
        data.push({ object: 'suppression', id });
      }
      return { status: 201, body: { data } };
    },
  }),
  compatRoute({
    method: 'POST',
    path: '/suppressions/batch/remove',
    permission: 'full',
    body: closed({
      emails: Type.Optional(Type.Array(LINE, { maxItems: MAX_BATCH })),
      ids: Type.Optional(Type.Array(LINE, { maxItems: MAX_BATCH })),
    }),
    example: { emails: ['gone@example.com'] },
    async handle({ body: { emails = [], ids = [] }, v1 }) {
      const wanted = [...ids, ...emails];
      if (wanted.length === 0) throw invalidFields([{ path: 'emails', message: 'is required' }]);
      v1.expect(wanted.length);
      const data: object[] = [];
      for (const one of wanted) data.push(await removed(v1, one));
      return { body: { data } };
    },
  }),
  compatRoute({
    method: 'GET',
    path: '/suppressions',
    permission: 'read',
    query,
    async handle({ query: { origin, limit = DEFAULT_LIMIT, after, before }, v1 }) {
      const list: V1['suppressions']['list'] = (wanted) =>
        v1.suppressions.list({
          ...wanted,
          ...(origin === undefined ? {} : { reason: REASONS[origin].join(',') }),
        });
      const { items, hasMore } = await pageById({ list, find: decodeCreation }, { limit, after, before });
      return { body: { object: 'list', has_more: hasMore, data: items.map(suppressionOf) } };
    },
  }),
  compatRoute({
    method: 'GET',
    path: '/suppressions/:id',
    permission: 'read',
    async handle({ params: { id = '' }, v1 }) {
      return { body: { object: 'suppression', ...suppressionOf(await oneSuppression(v1, id)) } };
    },
  }),
  compatRoute({
    method: 'DELETE',
    path: '/suppressions/:id',
    permission: 'full',
    async handle({ params: { id = '' }, v1 }) {
      return { body: { object: 'suppression', id: (await v1.suppressions.delete(id)).id, deleted: true } };
    },
  }),
];

/** All addresses are checked before the first is suppressed. */
function refuseAddresses(emails: readonly string[]): void {
  const problems = emails.flatMap((email, at) => {
    const problem = addressProblem(email, { utf8Local: true });
    return problem === null ? [] : [{ path: `emails.${at}`, message: problem }];
  });
  if (problems.length > 0) throw invalidFields(problems.slice(0, 20));
}

/** An address that is not suppressed is reported as such; the others are still removed. */
async function removed(v1: V1, wanted: string) {
  try {
    const { id } = await v1.suppressions.delete(wanted);
    return { object: 'suppression', id, deleted: true };
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'not_found') throw error;
    return { object: 'suppression', id: wanted, deleted: false };
  }
}

/** Returns the creation time that an id contains. */
function decodeCreation(id: string): Promise<{ id: string; created_at: string }> {
  const [, time = ''] = /^sup_([0-9a-hjkmnp-tv-z]{10})[0-9a-hjkmnp-tv-z]{16}$/.exec(id) ?? [];
  if (time === '') return Promise.reject(new Refusal('not_found'));
  let at = 0;
  for (const letter of time) at = at * ALPHABET.length + ALPHABET.indexOf(letter);
  return Promise.resolve({ id, created_at: new Date(at).toISOString() });
}

/** Finds a suppression by address, because /v1 accepts ids for deletion only. */
async function oneSuppression(v1: V1, email: string): Promise<SuppressionWire> {
  if (!email.includes('@')) {
    throw invalidFields([
      { path: 'id', message: 'suppressions are identified by address. Pass the address' },
    ]);
  }
  const [found] = await suppressionsOfAddress(v1, email);
  if (!found) throw new Refusal('not_found');
  return found;
}

function suppressionOf({ id, email, reason, message_id, created_at }: SuppressionWire) {
  return {
    id,
    email,
    origin: reason === 'unsubscribe' ? 'manual' : reason,
    source_id: message_id,
    created_at,
  };
}
