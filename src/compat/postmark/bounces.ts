// Postmark's bounces. A bounce's ID is that of its message, not a number.
import { Type } from 'typebox';
import type { MessageObject } from '../../messages/message.schema.js';
import { invalidFields, Refusal } from '../../contract/refusal.js';
import { closed, oneOf } from '../../contract/schema.js';
import { LINE } from '../bounds.js';
import { readEnd, given, mailboxText } from '../fields.js';
import { pageByOffset } from '../pages.js';
import { compatRoute, notHere, type CompatRoute } from '../route.js';
import type { V1 } from '../v1.js';
import { pageFields } from './messages.js';
import { BOUNCE_TYPES } from './webhook-format.js';

const text = Type.Optional(LINE);
const query = closed({
  ...pageFields,
  type: Type.Optional(oneOf(['HardBounce', 'SoftBounce', 'SpamComplaint'])),
  inactive: notHere(
    Type.Optional(Type.Unknown()),
    'is not supported as a filter. Use suppressions to find inactive addresses',
  ),
  emailfilter: text,
  tag: text,
  messageid: text,
  fromdate: text,
  todate: text,
  messagestream: Type.Optional(Type.Literal('outbound')),
});

export const BOUNCE_ROUTES: readonly CompatRoute[] = [
  compatRoute({
    method: 'GET',
    path: '/bounces',
    permission: 'send',
    query,
    async handle({ query: wanted, v1 }) {
      const { count = 100, offset = 0 } = wanted;
      if (wanted.messageid !== undefined) {
        const other = (['type', 'emailfilter', 'tag', 'fromdate', 'todate'] as const).find(
          (name) => wanted[name] !== undefined,
        );
        if (other !== undefined) {
          const message = 'cannot be combined with messageid, which identifies a single bounce. Omit it';
          throw invalidFields([{ path: other, message }]);
        }
        const only = await bounceOrNull(v1, wanted.messageid);
        const found = only === null || offset > 0 ? [] : [only];
        return { body: { TotalCount: only === null ? 0 : 1, Bounces: found } };
      }
      const filters = {
        status:
          wanted.type === 'SpamComplaint'
            ? 'complained'
            : wanted.type === undefined
              ? 'bounced,complained'
              : 'bounced',
        ...given('to', wanted.emailfilter),
        ...given('tag', wanted.tag),
        ...given('created_after', wanted.fromdate),
        ...given('created_before', wanted.todate === undefined ? undefined : readEnd(wanted.todate)),
      };
      const { items, total } = await pageByOffset(
        (page) => v1.messages.list({ ...filters, ...page }),
        { count, offset },
        (message) => wanted.type === undefined || typeOf(message) === wanted.type,
      );
      return { body: { TotalCount: total, Bounces: items.map(bounceOf) } };
    },
  }),
  compatRoute({
    method: 'GET',
    path: '/bounces/:id',
    permission: 'send',
    async handle({ params: { id = '' }, v1 }) {
      return { body: await oneBounce(v1, id) };
    },
  }),
  compatRoute({
    method: 'GET',
    path: '/bounces/:id/dump',
    permission: 'send',
    async handle({ params: { id = '' }, v1 }) {
      const { Details } = await oneBounce(v1, id);
      return { body: { Body: Details } };
    },
  }),
  compatRoute({
    method: 'PUT',
    path: '/bounces/:id/activate',
    permission: 'full',
    async handle({ params: { id = '' }, v1 }) {
      const bounce = await oneBounce(v1, id);
      if (!bounce.CanActivate) {
        throw new Refusal('conflict', 'A spam complaint cannot be reactivated. Ask the recipient first.');
      }
      await lift(v1, bounce.Email);
      return { body: { Message: 'OK', Bounce: { ...bounce, Inactive: false } } };
    },
  }),
];

/** Reactivates an address; does nothing if it is not suppressed. */
async function lift(v1: V1, email: string): Promise<void> {
  try {
    await v1.suppressions.delete(email);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'not_found') throw error;
  }
}

async function bounceOrNull(v1: V1, id: string) {
  try {
    return await oneBounce(v1, id);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not_found') return null;
    throw error;
  }
}

/** Refuses with `not_found`, also for a message that did not bounce. */
async function oneBounce(v1: V1, id: string) {
  const message = await v1.messages.get(id);
  if (message.status !== 'bounced' && message.status !== 'complained') throw new Refusal('not_found');
  return bounceOf(message);
}

function typeOf({ status, error }: MessageObject): keyof typeof BOUNCE_TYPES {
  if (status === 'complained') return 'SpamComplaint';
  return error?.type === 'hard' ? 'HardBounce' : 'SoftBounce';
}

function bounceOf(message: MessageObject) {
  const type = typeOf(message);
  const { code, name } = BOUNCE_TYPES[type];
  return {
    RecordType: 'Bounce',
    ID: message.id,
    Type: type,
    TypeCode: code,
    Name: name,
    Tag: message.tags[0] ?? null,
    MessageID: message.id,
    InternetMessageID: message.internet_message_id,
    ServerID: null,
    MessageStream: message.type === 'transactional' ? 'outbound' : 'broadcast',
    Description: message.error?.category ?? 'complaint',
    Details: message.error?.message ?? '',
    Email: message.to,
    From: mailboxText(message.from),
    BouncedAt: message.error?.occurred_at ?? message.updated_at,
    DumpAvailable: true,
    Inactive: type !== 'SoftBounce',
    CanActivate: type === 'HardBounce',
    Subject: message.subject,
  };
}
