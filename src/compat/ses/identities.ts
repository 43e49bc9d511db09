// Identities of Amazon SES: the workspace's senders, by their domain or address.
import { Type } from 'typebox';
import { Refusal } from '../../contract/refusal.js';
import { closed } from '../../contract/schema.js';
import type { SenderWire } from '../../domains/senders/sender.schema.js';
import { LINE } from '../bounds.js';
import { given } from '../fields.js';
import { compatRoute, notHere, type CompatRoute } from '../route.js';
import type { V1, WireList } from '../v1.js';

const PATH = '/v2/email/identities';
const PAGE = 100;
/** Most pages of a search for one identity. */
const MAX_PAGES = 20;
const absent = (sentence: string) => notHere(Type.Optional(Type.Unknown()), sentence);

export const IDENTITY_ROUTES: readonly CompatRoute[] = [
  compatRoute({
    method: 'GET',
    path: PATH,
    permission: 'read',
    query: closed({
      NextToken: Type.Optional(LINE),
      PageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
    }),
    async handle({ query: { NextToken, PageSize = PAGE }, v1 }) {
      const { data, next_cursor: next } = await v1.senders.list({
        limit: Math.min(PageSize, PAGE),
        ...given('cursor', NextToken),
      });
      return {
        body: {
          EmailIdentities: data.map((one) => ({
            IdentityType: one.kind === 'domain' ? 'DOMAIN' : 'EMAIL_ADDRESS',
            IdentityName: identityName(one),
            SendingEnabled: isVerified(one),
            VerificationStatus: statusOf(one),
          })),
          ...given('NextToken', next),
        },
      };
    },
  }),
  compatRoute({
    method: 'POST',
    path: PATH,
    permission: 'full',
    body: closed({
      EmailIdentity: LINE,
      Tags: absent('senders have no tags. Omit it'),
      DkimSigningAttributes: absent(
        'Mailkeel creates the keys. Publish the records of GET /v1/senders/:id. Omit it',
      ),
      ConfigurationSetName: absent('senders have no configuration set. Set it for each message'),
    }),
    example: { EmailIdentity: 'another.example' },
    async handle({ body: { EmailIdentity: name }, v1 }) {
      const made = await v1.senders.create(name.includes('@') ? { email: name } : { domain: name });
      const { IdentityType, VerifiedForSendingStatus, DkimAttributes } = detailsOf(made);
      return { body: { IdentityType, VerifiedForSendingStatus, DkimAttributes } };
    },
  }),
  compatRoute({
    method: 'GET',
    path: `${PATH}/:name`,
    permission: 'read',
    async handle({ params: { name = '' }, v1 }) {
      return { body: detailsOf(await findIdentity(v1, name)) };
    },
  }),
  compatRoute({
    method: 'DELETE',
    path: `${PATH}/:name`,
    permission: 'full',
    async handle({ params: { name = '' }, v1 }) {
      const { id } = await findIdentity(v1, name);
      await v1.senders.delete(id);
      return { body: {} };
    },
  }),
];

/** Refuses with `not_found`. */
export async function findIdentity(v1: V1, name: string): Promise<SenderWire> {
  const wanted = name.toLowerCase();
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const found: WireList<SenderWire> = await v1.senders.list({
      q: wanted,
      limit: PAGE,
      ...given('cursor', cursor),
    });
    const match = found.data.find((one) => identityName(one).toLowerCase() === wanted);
    if (match !== undefined) return match;
    cursor = found.next_cursor;
    if (cursor === null) break;
  }
  throw new Refusal('not_found', `The identity ${name.slice(0, 100)} does not exist.`);
}

export function identityName({ email, domain }: SenderWire): string {
  return email ?? domain;
}

export function isVerified({ status }: SenderWire): boolean {
  return status === 'verified';
}

function statusOf({ status }: SenderWire): string {
  if (status === 'verified') return 'SUCCESS';
  return status === 'pending_verification' ? 'PENDING' : 'FAILED';
}

/** Has no DKIM tokens, because the names of Mailkeel's records are not derived from tokens. */
function detailsOf(sender: SenderWire) {
  const isDomain = sender.kind === 'domain';
  return {
    IdentityType: isDomain ? 'DOMAIN' : 'EMAIL_ADDRESS',
    FeedbackForwardingStatus: false,
    VerifiedForSendingStatus: isVerified(sender),
    VerificationStatus: statusOf(sender),
    DkimAttributes: {
      SigningEnabled: isDomain,
      Status: isDomain ? statusOf(sender) : 'NOT_STARTED',
      Tokens: [],
      SigningAttributesOrigin: 'EXTERNAL',
    },
    Policies: {},
    Tags: [],
  };
}
