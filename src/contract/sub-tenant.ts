// Wire shapes of /v1/sub-tenants.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { pageQueryWith } from './lists.js';
import { ACTORS, TENANT_TRAIL_EVENTS } from './names.js';
import { closed, nullable, oneOf, timestamp } from './schema.js';

const SUB_TENANT_STATUSES = ['pending_verification', 'verified', 'failed', 'suspended', 'paused'] as const;
const RECORD_STATUSES = ['pending', 'ok', 'missing', 'mismatch'] as const;
const PURPOSES = ['dkim', 'return_path', 'spf', 'dmarc', 'inbound', 'tracking'] as const;

const name = Type.String({ minLength: 1, maxLength: 200 });
const externalId = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Your own id of this customer.',
});

const throttle = Type.Integer({
  minimum: 1,
  maximum: 1_000_000,
  description:
    'Most live messages in any hour, spread evenly; what is over it waits in its order. Null: no limit.',
});

export const subTenantCreate = closed(
  {
    name,
    sending_domain: Type.String({
      minLength: 1,
      maxLength: 300,
      description: 'The domain of its From addresses. It cannot be changed later.',
    }),
    external_id: Type.Optional(nullable(externalId)),
  },
  { examples: [{ name: 'Customer', sending_domain: 'customer.example', external_id: '4711' }] },
);

export const subTenantUpdate = closed({
  name: Type.Optional(name),
  external_id: Type.Optional(nullable(externalId)),
  throttle_per_hour: Type.Optional(nullable(throttle)),
});

export const subTenantQuery = pageQueryWith({
  status: Type.Optional(oneOf(SUB_TENANT_STATUSES)),
  external_id: Type.Optional(Type.String({ maxLength: 200 })),
});

const dnsRecordFields = {
  purpose: oneOf(PURPOSES),
  type: oneOf(['TXT', 'MX', 'CNAME']),
  host: Type.String({ description: 'The full name, without a final dot.' }),
  value: Type.String({ description: 'What to publish: the text in one piece, or the target host.' }),
  priority: Type.Optional(Type.Integer({ description: 'Of an MX record.' })),
  required: Type.Boolean({ description: 'Whether `verified` needs it.' }),
  status: oneOf(RECORD_STATUSES, { description: '`pending`: nobody has answered yet.' }),
  found: Type.Array(Type.String(), { description: 'What the last check found there.' }),
};
export const dnsRecord = Type.Object(dnsRecordFields);
export type DnsRecordWire = Static<typeof dnsRecord>;

const dns = Type.Object(
  {
    drifting: Type.Boolean(),
    failing_since: nullable(timestamp),
    detail: nullable(Type.String()),
  },
  {
    description:
      'Whether the DKIM record, seen before, is gone or wrong. In this release a drifting sub-tenant stays ' +
      '`verified` and its key goes on signing.',
  },
);

const dkim = Type.Object({
  selector: Type.String(),
  algorithm: Type.String(),
  rotation: Type.Null({ description: 'Keys are not rotated in this release.' }),
});

export const subTenant = Type.Object({
  id: Type.String(),
  object: Type.Literal('sub_tenant'),
  name: Type.String(),
  external_id: nullable(Type.String()),
  sending_domain: Type.String(),
  status: oneOf(SUB_TENANT_STATUSES),
  throttle_per_hour: nullable(throttle),
  reputation: Type.Null({ description: 'Reputation is not measured in this release.' }),
  dns,
  dkim: nullable(dkim),
  dns_records: Type.Array(dnsRecord),
  verified_at: nullable(timestamp),
  last_checked_at: nullable(timestamp),
  created_at: timestamp,
  updated_at: timestamp,
});
export type SubTenantWire = Static<typeof subTenant>;

export const subTenantAuthentication = Type.Object({
  object: Type.Literal('sub_tenant_authentication'),
  sub_tenant_id: Type.String(),
  sending_domain: Type.String(),
  status: oneOf(SUB_TENANT_STATUSES),
  dns,
  keys: Type.Array(
    Type.Object({
      selector: Type.String(),
      algorithm: oneOf(['rsa-sha256', 'ed25519-sha256']),
      state: oneOf(['pending', 'published', 'active', 'retiring', 'revoked', 'retired'], {
        description: 'Only an `active` key signs; one becomes active when DNS shows its record.',
      }),
      created_at: timestamp,
    }),
  ),
  records: Type.Array(
    Type.Object({
      ...dnsRecordFields,
      advice: nullable(Type.String({ description: 'What to do about it; null when it is right.' })),
    }),
  ),
  last_checked_at: nullable(timestamp),
});
export type SubTenantAuthenticationWire = Static<typeof subTenantAuthentication>;

export const subTenantAudit = Type.Object({
  sub_tenant_id: Type.String(),
  status: oneOf(SUB_TENANT_STATUSES),
  trail: Type.Array(
    Type.Object({
      event: oneOf(TENANT_TRAIL_EVENTS),
      actor: oneOf(ACTORS),
      timestamp,
      metadata: Type.Record(Type.String(), Type.Unknown()),
    }),
    { description: 'In time order; the last 1,000 entries.' },
  ),
});
export type SubTenantAuditWire = Static<typeof subTenantAudit>;
