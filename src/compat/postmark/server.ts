// Postmark's server, which is the environment of the key, and its message streams.
import { Type } from 'typebox';
import { Refusal } from '../../contract/refusal.js';
import { closed } from '../../contract/schema.js';
import { LINE } from '../bounds.js';
import { compatRoute, notHere, type CompatRoute } from '../route.js';

const STREAMS = [
  { id: 'outbound', name: 'Transactional', kind: 'Transactional', unsubscribe: 'None' },
  { id: 'broadcast', name: 'Broadcasts', kind: 'Broadcasts', unsubscribe: 'Postmark' },
] as const;

export const SERVER_ROUTES: readonly CompatRoute[] = [
  compatRoute({
    method: 'GET',
    path: '/server',
    permission: 'send',
    async handle({ v1, mode, baseUrl }) {
      const { workspace } = await v1.me();
      return {
        body: {
          ...{ ID: 0, Name: workspace.name ?? '', ApiTokens: [], ServerLink: new URL('/', baseUrl).href },
          ...{ SmtpApiActivated: true, RawEmailEnabled: false, TrackOpens: false, TrackLinks: 'None' },
          DeliveryType: mode === 'live' ? 'Live' : 'Sandbox',
        },
      };
    },
  }),
  compatRoute({
    method: 'GET',
    path: '/message-streams',
    permission: 'send',
    query: closed({
      messagestreamtype: Type.Optional(LINE),
      includearchivedstreams: Type.Optional(
        Type.Union([Type.Literal(false), notHere(Type.Literal(true), 'streams cannot be archived. Omit it')]),
      ),
    }),
    async handle({ query: { messagestreamtype: kind = 'All' }, v1 }) {
      const createdAt = await createdOf(v1.me());
      const wanted = STREAMS.filter((one) => [one.kind.toLowerCase(), 'all'].includes(kind.toLowerCase()));
      const MessageStreams = wanted.map((one) => streamOf(one, createdAt));
      return { body: { MessageStreams, TotalCount: MessageStreams.length } };
    },
  }),
  compatRoute({
    method: 'GET',
    path: '/message-streams/:stream',
    permission: 'send',
    async handle({ params: { stream = '' }, v1 }) {
      const found = STREAMS.find(({ id }) => id === stream);
      if (found === undefined) throw new Refusal('not_found');
      return { body: streamOf(found, await createdOf(v1.me())) };
    },
  }),
];

/** Streams exist as long as their key. */
async function createdOf(me: Promise<{ api_key: { created_at: string } | null }>): Promise<string | null> {
  return (await me).api_key?.created_at ?? null;
}

function streamOf({ id, name, kind, unsubscribe }: (typeof STREAMS)[number], createdAt: string | null) {
  return {
    ...{ ID: id, ServerID: 0, Name: name, Description: '', MessageStreamType: kind },
    ...{ CreatedAt: createdAt, UpdatedAt: null, ArchivedAt: null, ExpectedPurgeDate: null },
    SubscriptionManagementConfiguration: { UnsubscribeHandlingType: unsubscribe },
  };
}
