// Wire shapes of /v1/senders.
import { Type, type Static } from 'typebox';
import { orderedQueryWith, partOf } from '../../contract/lists.js';
import { closed, nameEnums, nameSchemas, nullable, oneOf, timestamp } from '../../contract/schema.js';
import { dnsDrift, dnsRecord, domainAuthenticationFields } from '../../tenants/sub-tenant.schema.js';

const SENDER_STATUSES = ['pending_verification', 'verified', 'failed', 'suspended'] as const;

export const senderCreate = closed(
  {
    email: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 400,
        description: 'An address; its owner confirms it by a mailed link.',
      }),
    ),
    name: Type.Optional(
      nullable(Type.String({ maxLength: 200, description: 'Display name of the address.' })),
    ),
    domain: Type.Optional(
      Type.String({ minLength: 1, maxLength: 300, description: 'A domain; DNS records prove it.' }),
    ),
    sub_tenant_id: Type.Optional(nullable(Type.String())),
  },
  {
    description: 'Either `email` (with `name`) or `domain`.',
    examples: [{ domain: 'customer.example' }],
  },
);

export const sender = Type.Object({
  id: Type.String(),
  object: Type.Literal('sender'),
  kind: oneOf(['address', 'domain']),
  email: nullable(Type.String({ description: 'Of an address.' })),
  domain: Type.String({ description: 'The domain, or that of the address.' }),
  name: nullable(Type.String()),
  status: oneOf(SENDER_STATUSES, {
    description:
      '`suspended`: DNS has not shown the key that signs for longer than the grace, or another workspace has proved the domain since; its mail waits. An address that only its domain vouches for has the status of the domain.',
  }),
  is_default: Type.Boolean(),
  sub_tenant_id: nullable(Type.String()),
  dns: nullable(dnsDrift),
  dns_records: Type.Array(dnsRecord, { description: 'Of a domain; an address has none.' }),
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
    domain: Type.String({ description: 'The domain, or that of the address.' }),
    status: oneOf(SENDER_STATUSES),
    dns: nullable(dnsDrift),
    ...domainAuthenticationFields,
  },
  { description: 'An address has no keys and no records: its owner confirms it by mail.' },
);
export type SenderAuthenticationWire = Static<typeof senderAuthentication>;

export const senderQuery = orderedQueryWith({ q: partOf('the address or domain, or of the name') });
nameSchemas({
  SenderCreate: senderCreate,
  Sender: sender,
  SenderAuthentication: senderAuthentication,
});

nameEnums({ SenderStatus: SENDER_STATUSES, SenderKind: ['address', 'domain'] });
