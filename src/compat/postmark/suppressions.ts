// Postmark's suppressions, which apply to all mail of a workspace regardless of the stream.
import { Type } from 'typebox';
import { Refusal } from '../../contract/refusal.js';
import { closed, oneOf } from '../../contract/schema.js';
import type { SuppressionWire } from '../../suppressions/suppression.schema.js';
import { addressKey } from '../../lib/mime/index.js';
import { LINE } from '../bounds.js';
import { readEnd, given } from '../fields.js';
import { pageByOffset } from '../pages.js';
import { compatRoute, type CompatRoute } from '../route.js';

/** Most addresses of one request. */
const MAX_ENTRIES = 50;
/** Most addresses of one answer; GET /v1/suppressions/export returns longer lists. */
const MOST_SHOWN = 1900;

const REASONS: Record<SuppressionWire['reason'], string> = {
  bounce: 'HardBounce',
  complaint: 'SpamComplaint',
  manual: 'ManualSuppression',
  unsubscribe: 'ManualSuppression',
};
const WANTED = { HardBounce: 'bounce', SpamComplaint: 'complaint', ManualSuppression: 'manual,unsubscribe' };
const text = Type.Optional(LINE);
const query = closed({
  suppressionreason: Type.Optional(oneOf(['HardBounce', 'SpamComplaint', 'ManualSuppression'])),
  origin: Type.Optional(oneOf(['Recipient', 'Customer', 'Admin'])),
  emailaddress: text,
  fromdate: text,
  todate: text,
});
const entries = closed({
  Suppressions: Type.Array(closed({ EmailAddress: LINE }), { minItems: 1, maxItems: MAX_ENTRIES }),
});
const example = { Suppressions: [{ EmailAddress: 'gone@example.com' }] };

export const SUPPRESSION_ROUTES: readonly CompatRoute[] = [
  compatRoute({
    method: 'GET',
    path: '/message-streams/:stream/suppressions/dump',
    permission: 'read',
    query,
    async handle({ query: wanted, v1 }) {
      const reason = wanted.suppressionreason;
      const filters = {
        ...given('reason', reason === undefined ? undefined : WANTED[reason]),
        ...given('q', wanted.emailaddress),
        ...given('created_after', wanted.fromdate),
        ...given('created_before', wanted.todate === undefined ? undefined : readEnd(wanted.todate)),
      };
      const { items, total } = await pageByOffset(
        (page) => v1.suppressions.list({ ...filters, ...page }),
        { count: MOST_SHOWN, offset: 0 },
        (one) =>
          (wanted.origin === undefined || originOf(one) === wanted.origin) &&
          (wanted.emailaddress === undefined || addressKey(one.email) === addressKey(wanted.emailaddress)),
      );
      if (total > MOST_SHOWN) {
        throw new Refusal(
          'validation_error',
          `There are more than ${MOST_SHOWN} suppressions. Choose a shorter period with fromdate and todate, or use GET ` +
            '/v1/suppressions/export.',
        );
      }
      return {
        body: {
          Suppressions: items.map((one) => ({
            EmailAddress: one.email,
            SuppressionReason: REASONS[one.reason],
            Origin: originOf(one),
            CreatedAt: one.created_at,
          })),
        },
      };
    },
  }),
  compatRoute({
    method: 'POST',
    path: '/message-streams/:stream/suppressions',
    permission: 'full',
    body: entries,
    example,
    async handle({ body, v1 }) {
      v1.expect(body.Suppressions.length);
      return changed(body.Suppressions, 'Suppressed', (email) => v1.suppressions.create({ email }));
    },
  }),
  compatRoute({
    method: 'POST',
    path: '/message-streams/:stream/suppressions/delete',
    permission: 'full',
    body: entries,
    example,
    async handle({ body, v1 }) {
      v1.expect(body.Suppressions.length);
      return changed(body.Suppressions, 'Deleted', (email) => v1.suppressions.delete(email));
    },
  }),
];

function originOf({ reason }: SuppressionWire): string {
  return reason === 'manual' ? 'Customer' : 'Recipient';
}

/** Changes each address separately, so a refused one does not stop the others. An address that is not suppressed counts as deleted. */
async function changed(
  wanted: readonly { EmailAddress: string }[],
  done: 'Suppressed' | 'Deleted',
  change: (email: string) => Promise<unknown>,
) {
  const statuses: { EmailAddress: string; Status: string; Message: string | null }[] = [];
  for (const { EmailAddress } of wanted) {
    let refused: string | null = null;
    try {
      await change(EmailAddress);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const isGone = error.code === 'not_found' && done === 'Deleted';
      if (!isGone && error.code !== 'validation_error') throw error;
      refused = isGone ? null : error.message;
    }
    statuses.push({ EmailAddress, Status: refused === null ? done : 'Failed', Message: refused });
  }
  return { body: { Suppressions: statuses } };
}
