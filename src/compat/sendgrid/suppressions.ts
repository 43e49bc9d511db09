// SendGrid's suppressions: bounces, spam reports and unsubscribes; and blocks, which are messages that bounced for another
// reason than the address.
import { Type, type Static } from 'typebox';
import { Refusal } from '../../contract/refusal.js';
import type { MessageObject } from '../../messages/message.schema.js';
import { closed } from '../../contract/schema.js';
import type { SuppressionWire } from '../../suppressions/suppression.schema.js';
import { addressKey } from '../../lib/mime/index.js';
import { LINE } from '../bounds.js';
import { given } from '../fields.js';
import { MAX_OFFSET, pageByOffset } from '../pages.js';
import { compatRoute, type CompatRoute } from '../route.js';
import { suppressionsOfAddress } from '../suppressed.js';
import type { V1 } from '../v1.js';
import { replyReason, replyStatus } from '../smtp-reply.js';

type Reason = SuppressionWire['reason'];

const time = Type.Optional(Type.Integer({ minimum: 0, maximum: 9_999_999_999 }));
const query = closed({
  start_time: time,
  end_time: time,
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_OFFSET })),
  email: Type.Optional(LINE),
});
type Query = Static<typeof query>;
/** Most addresses of one request. */
const MAX_EMAILS = 100;
const emails = closed({ emails: Type.Array(LINE, { minItems: 1, maxItems: MAX_EMAILS }) });
const recipients = closed({
  recipient_emails: Type.Array(LINE, { minItems: 1, maxItems: MAX_EMAILS }),
});
const DEFAULT_LIMIT = 100;

function timesOf({ start_time, end_time }: Query) {
  const iso = (seconds: number | undefined) =>
    seconds === undefined ? undefined : new Date(seconds * 1000).toISOString();
  return { ...given('created_after', iso(start_time)), ...given('created_before', iso(end_time)) };
}

const suppressionRoutes = (path: string, reason: Reason, words: string): CompatRoute[] => [
  compatRoute({
    method: 'GET',
    path,
    permission: 'read',
    query,
    async handle({ query: wanted, v1 }) {
      const { items } = await pageByOffset(
        (page) => v1.suppressions.list({ reason, ...timesOf(wanted), ...given('q', wanted.email), ...page }),
        { count: wanted.limit ?? DEFAULT_LIMIT, offset: wanted.offset ?? 0 },
        ({ email }) => wanted.email === undefined || isSame(email, wanted.email),
      );
      return { body: items.map((one) => suppressionOf(one, words)) };
    },
  }),
  compatRoute({
    method: 'GET',
    path: `${path}/:email`,
    permission: 'read',
    async handle({ params: { email = '' }, v1 }) {
      const found = await suppressionsOfAddress(v1, email, { reason });
      return { body: found.map((one) => suppressionOf(one, words)) };
    },
  }),
  compatRoute({
    method: 'DELETE',
    path: `${path}/:email`,
    permission: 'full',
    async handle({ params: { email = '' }, v1 }) {
      await lift(v1, [email], reason);
      return { status: 204 };
    },
  }),
  compatRoute({
    method: 'DELETE',
    path,
    permission: 'full',
    body: emails,
    example: { emails: ['gone@example.com'] },
    async handle({ body, v1 }) {
      await lift(v1, body.emails, reason);
      return { status: 204 };
    },
  }),
];

export const SUPPRESSION_ROUTES: readonly CompatRoute[] = [
  ...suppressionRoutes('/v3/suppression/bounces', 'bounce', 'The address bounced.'),
  ...suppressionRoutes('/v3/suppression/spam_reports', 'complaint', 'The recipient reported spam.'),
  ...suppressionRoutes('/v3/suppression/unsubscribes', 'unsubscribe', 'The recipient unsubscribed.'),
  ...suppressionRoutes('/v3/asm/suppressions/global', 'unsubscribe', 'The recipient unsubscribed.').filter(
    ({ method, path }) => method === 'DELETE' && path.endsWith(':email'),
  ),
  compatRoute({
    method: 'POST',
    path: '/v3/asm/suppressions/global',
    permission: 'full',
    body: recipients,
    example: { recipient_emails: ['gone@example.com'] },
    async handle({ body: { recipient_emails: wanted }, v1 }) {
      v1.expect(wanted.length);
      for (const email of wanted) await v1.suppressions.create({ email, reason: 'unsubscribe' });
      return { status: 201, body: { recipient_emails: wanted } };
    },
  }),
  compatRoute({
    method: 'GET',
    path: '/v3/asm/suppressions/global/:email',
    permission: 'read',
    async handle({ params: { email = '' }, v1 }) {
      const [found] = await suppressionsOfAddress(v1, email, { reason: 'unsubscribe' });
      return { body: found === undefined ? {} : { recipient_email: found.email } };
    },
  }),
  compatRoute({
    method: 'GET',
    path: '/v3/suppression/blocks',
    permission: 'send',
    query,
    async handle({ query: wanted, v1 }) {
      const { items } = await pageByOffset(
        (page) =>
          v1.messages.list({ status: 'bounced', ...timesOf(wanted), ...given('to', wanted.email), ...page }),
        { count: wanted.limit ?? DEFAULT_LIMIT, offset: wanted.offset ?? 0 },
        ({ error }) => error?.type === 'soft',
      );
      return { body: items.map(blockOf) };
    },
  }),
  compatRoute({
    method: 'GET',
    path: '/v3/suppression/blocks/:email',
    permission: 'send',
    async handle({ params: { email = '' }, v1 }) {
      const { data } = await v1.messages.list({ status: 'bounced', to: email, limit: DEFAULT_LIMIT });
      return { body: data.filter(({ error }) => error?.type === 'soft').map(blockOf) };
    },
  }),
];

function blockOf({ to, error, updated_at }: MessageObject) {
  return {
    created: secondsOf(error?.occurred_at ?? updated_at),
    email: to,
    ...bounceDetails(error, ''),
  };
}

function isSame(a: string, b: string): boolean {
  return addressKey(a) === addressKey(b);
}

/** Lifts the suppressions with this reason. Refuses with `not_found` if there are none. */
async function lift(v1: V1, wanted: readonly string[], reason: Reason): Promise<void> {
  v1.expect(wanted.length);
  let lifted = 0;
  for (const email of wanted) {
    const [found] = await suppressionsOfAddress(v1, email, { reason });
    if (found === undefined) continue;
    await v1.suppressions.delete(found.id);
    lifted++;
  }
  if (lifted === 0) throw new Refusal('not_found');
}

function suppressionOf({ email, created_at, reply }: SuppressionWire, words: string) {
  return { created: secondsOf(created_at), email, ...bounceDetails(reply, words) };
}

/** Formats a server's reply in the vendor's way, with the code before the text. */
function bounceDetails(reply: SuppressionWire['reply'] | MessageObject['error'], words: string) {
  const { code = null, enhanced_code: enhancedCode = null, message } = reply ?? {};
  const text = message ?? '';
  return {
    reason: text === '' && code === null ? words : replyReason({ code, text }),
    status: replyStatus({ code, enhancedCode }),
  };
}

function secondsOf(isoTime: string): number {
  return Math.floor(Date.parse(isoTime) / 1000);
}
