// API schemas of /v1/senders.
import { Type, type Static } from 'typebox';
import { orderedQueryWith, partOf } from '../../contract/lists.js';
import { closed, nameEnums, nameSchemas, nullable, oneOf, timestamp } from '../../contract/schema.js';
import { dnsDrift, dnsRecord, domainAuthenticationFields } from '../sub-tenants/sub-tenant.schema.js';

export const SENDER_STATUSES = ['pending_verification', 'verified', 'failed', 'suspended'] as const;

export const senderCreate = closed(
  {
    email: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 400,
        description: 'An email address. Its owner confirms it by following a link sent to it.',
      }),
    ),
    name: Type.Optional(
      nullable(Type.String({ maxLength: 200, description: 'The display name. Only for an address.' })),
    ),
    domain: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 300,
        description: 'A domain, which you verify by publishing DNS records.',
      }),
    ),
    sub_tenant_id: Type.Optional(nullable(Type.String())),
  },
  {
    description: 'Pass either `email` (optionally with `name`) or `domain`.',
    examples: [{ domain: 'customer.example' }],
  },
);

export const sender = Type.Object({
  id: Type.String(),
  object: Type.Literal('sender'),
  kind: oneOf(['address', 'domain']),
  email: nullable(Type.String({ description: 'The email address. `null` for a domain.' })),
  domain: Type.String({ description: 'The domain, or the domain of the address.' }),
  name: nullable(Type.String()),
  status: oneOf(SENDER_STATUSES, {
    description:
      "The verification status. `suspended` means that the signing key's DKIM record has been missing for longer than the grace period or that another workspace has verified the domain; mail waits in the queue. An address that is only verified through its domain has the domain's status.",
  }),
  is_default: Type.Boolean(),
  sub_tenant_id: nullable(Type.String()),
  dns: nullable(dnsDrift),
  dns_records: Type.Array(dnsRecord, {
    description: 'DNS records to publish for a domain. Empty for an address.',
  }),
  confirmation_expires_at: nullable(timestamp),
  verified_at: nullable(timestamp),
  last_checked_at: nullable(timestamp),
  created_at: timestamp,
  updated_at: timestamp,
});
export type SenderWire = Static<typeof sender>;

export const senderAuthentication = Type.Object(
  {
    object: Type.Literal('sender_authentication'),
    sender_id: Type.String(),
    domain: Type.String({ description: 'The domain, or the domain of the address.' }),
    status: oneOf(SENDER_STATUSES),
    dns: nullable(dnsDrift),
    ...domainAuthenticationFields,
  },
  {
    description:
      'DKIM keys and DNS records of a sender. An address has neither, because its owner confirms it by email.',
  },
);
export type SenderAuthenticationWire = Static<typeof senderAuthentication>;

export const senderQuery = orderedQueryWith({ q: partOf('the address, domain or name') });
nameSchemas({
  SenderCreate: senderCreate,
  Sender: sender,
  SenderAuthentication: senderAuthentication,
});

nameEnums({ SenderStatus: SENDER_STATUSES, SenderKind: ['address', 'domain'] });
