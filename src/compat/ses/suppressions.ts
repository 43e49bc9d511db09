// Suppressed destinations of Amazon SES API v2: addresses that bounced or complained. Those that unsubscribed, or that were
// suppressed by hand, are not shown, because SES has no reason for them.
import { Type } from 'typebox';
import { Refusal } from '../../contract/refusal.js';
import { closed, oneOf } from '../../contract/schema.js';
import type { SuppressionWire } from '../../suppressions/suppression.schema.js';
import { LINE } from '../bounds.js';
import { given } from '../fields.js';
import { compatRoute, type CompatRoute } from '../route.js';
import { suppressionsOfAddress } from '../suppressed.js';
import type { V1 } from '../v1.js';

const REASONS = { BOUNCE: 'bounce', COMPLAINT: 'complaint' } as const;
const WORDS = ['BOUNCE', 'COMPLAINT'] as const;
const PATH = '/v2/email/suppression/addresses';
/** Most of one page; the client asks for the next. */
const PAGE = 100;

export const SUPPRESSION_ROUTES: readonly CompatRoute[] = [
  compatRoute({
    method: 'PUT',
    path: PATH,
    permission: 'full',
    body: closed({ EmailAddress: LINE, Reason: oneOf(WORDS) }),
    example: { EmailAddress: 'gone@example.com', Reason: 'BOUNCE' },
    async handle({ body, v1 }) {
      await v1.suppressions.create({ email: body.EmailAddress, reason: REASONS[body.Reason] });
      return { body: {} };
    },
  }),
  compatRoute({
    method: 'GET',
    path: PATH,
    permission: 'read',
    query: closed({
      Reason: Type.Optional(Type.Array(oneOf(WORDS), { maxItems: WORDS.length })),
      StartDate: Type.Optional(LINE),
      EndDate: Type.Optional(LINE),
      NextToken: Type.Optional(LINE),
      PageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
    }),
    async handle({ query: { Reason = WORDS, StartDate, EndDate, NextToken, PageSize = PAGE }, v1 }) {
      const { data, next_cursor: next } = await v1.suppressions.list({
        reason: Reason.map((word) => REASONS[word]),
        limit: Math.min(PageSize, PAGE),
        ...given('created_after', StartDate),
        ...given('created_before', EndDate),
        ...given('cursor', NextToken),
      });
      return { body: { SuppressedDestinationSummaries: data.map(summaryOf), ...given('NextToken', next) } };
    },
  }),
  compatRoute({
    method: 'GET',
    path: `${PATH}/:email`,
    permission: 'read',
    async handle({ params: { email = '' }, v1 }) {
      const [found] = await find(v1, email);
      if (found === undefined) throw new Refusal('not_found');
      const { message_id: messageId } = found;
      const attributes = messageId === null ? {} : { Attributes: { MessageId: messageId } };
      return { body: { SuppressedDestination: { ...summaryOf(found), ...attributes } } };
    },
  }),
  compatRoute({
    method: 'DELETE',
    path: `${PATH}/:email`,
    permission: 'full',
    async handle({ params: { email = '' }, v1 }) {
      const found = await find(v1, email);
      if (found.length === 0) throw new Refusal('not_found');
      for (const { id } of found) await v1.suppressions.delete(id);
      return { body: {} };
    },
  }),
];

async function find(v1: V1, email: string): Promise<SuppressionWire[]> {
  const found = await suppressionsOfAddress(v1, email);
  return found.filter(({ reason }) => reason === 'bounce' || reason === 'complaint');
}

function summaryOf({ email, reason, created_at }: SuppressionWire) {
  return {
    EmailAddress: email,
    Reason: reason === 'complaint' ? 'COMPLAINT' : 'BOUNCE',
    LastUpdateTime: Date.parse(created_at) / 1000,
  };
}
