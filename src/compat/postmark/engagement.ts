// Postmark's opens and clicks of one message, newest first.
import type { AuditTrail, MessageObject } from '../../messages/message.schema.js';
import { closed } from '../../contract/schema.js';
import { compatRoute, type CompatRoute } from '../route.js';
import { pageFields, streamOf } from './messages.js';
import { readerOf } from './webhook-format.js';

type TrailEntry = AuditTrail['trail'][number];

const query = closed(pageFields);

export const ENGAGEMENT_ROUTES: readonly CompatRoute[] = [
  compatRoute({
    method: 'GET',
    path: '/messages/outbound/opens/:id',
    permission: 'send',
    query,
    async handle({ params: { id = '' }, query: wanted, v1 }) {
      const [message, { trail }] = await Promise.all([v1.messages.get(id), v1.messages.trail(id)]);
      const opens = trail.filter(({ event }) => event === 'opened');
      const shown = opens.map((entry) => ({
        ...eventOf(message, entry),
        FirstOpen: entry === opens[0],
        // Unknown.
        ReadSeconds: 0,
      }));
      return { body: { TotalCount: opens.length, Opens: pageOf(shown, wanted) } };
    },
  }),
  compatRoute({
    method: 'GET',
    path: '/messages/outbound/clicks/:id',
    permission: 'send',
    query,
    async handle({ params: { id = '' }, query: wanted, v1 }) {
      const [message, { trail }] = await Promise.all([v1.messages.get(id), v1.messages.trail(id)]);
      const clicks = trail
        .filter(({ event }) => event === 'clicked')
        .map((entry) => ({
          ...eventOf(message, entry),
          ClickLocation: 'HTML',
          OriginalLink: linkOf(entry),
        }));
      return { body: { TotalCount: clicks.length, Clicks: pageOf(clicks, wanted) } };
    },
  }),
];

function linkOf({ metadata }: TrailEntry): string {
  const { url } = metadata;
  return typeof url === 'string' ? url : '';
}

function eventOf(message: MessageObject, { timestamp, ip, user_agent: userAgent }: TrailEntry) {
  return {
    MessageID: message.id,
    MessageStream: streamOf(message),
    Recipient: message.to,
    Tag: message.tags[0] ?? null,
    ReceivedAt: timestamp,
    ...readerOf({ ip: ip ?? null, userAgent: userAgent ?? null }),
  };
}

function pageOf<T>(
  items: readonly T[],
  { count = 100, offset = 0 }: { count?: number; offset?: number },
): T[] {
  return items.toReversed().slice(offset, offset + count);
}
