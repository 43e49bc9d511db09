// API schemas of /v1/sub-tenants.
import { Type, type Static } from 'typebox';
import { branding, brandingPatch } from '../../accounts/branding/branding.schema.js';
import { anyOf, createdQueryWith, partOf } from '../../contract/lists.js';
import { ACTORS, TENANT_TRAIL_EVENTS } from '../../contract/names.js';
import { DNS_RECORD_PURPOSES, DNS_RECORD_STATUSES, NAME_SETTINGS } from '../dns-records.rules.js';
import {
  closed,
  nameEnums,
  nameSchemas,
  nullable,
  oneOf,
  timestamp,
  sentence,
} from '../../contract/schema.js';

const SUB_TENANT_STATUSES = ['pending_verification', 'verified', 'failed', 'suspended', 'paused'] as const;
const REPUTATION_STATES = ['ok', 'warned', 'throttled', 'paused'] as const;

const name = Type.String({ minLength: 1, maxLength: 200 });
const externalId = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Your own ID for this customer.',
});

const throttle = Type.Integer({
  minimum: 1,
  maximum: 1_000_000,
  description:
    'Maximum number of live messages in any hour, spread evenly. Further messages wait in the queue. `null` if there is no limit.',
});

const customName = (what: string, label: string) =>
  nullable(
    Type.String({
      minLength: 1,
      maxLength: 300,
      description: `${what} Must be below the registered domain of the sending domain. \`null\` uses \`${label}.\` below the sending domain.`,
    }),
  );
const customNames = {
  return_path_domain: Type.Optional(customName('The return-path domain, which receives bounces.', 'bounce')),
  inbound_domain: Type.Optional(customName('The domain for replies.', 'reply')),
  tracking_domain: Type.Optional(customName('The domain of tracked links.', 'click')),
};

export const subTenantCreate = closed(
  {
    name,
    sending_domain: Type.String({
      minLength: 1,
      maxLength: 300,
      description: 'The domain of the From addresses. It cannot be changed later.',
    }),
    external_id: Type.Optional(nullable(externalId)),
    ...customNames,
    dkim: Type.Optional(
      oneOf(['txt', 'cname'], {
        description:
          'How DKIM keys are published in DNS. With `txt`, you publish each key. With `cname`, you publish aliases once, and Mailkeel changes the keys without further action. `cname` requires that the server hosts a DNS zone and is the default if it does. Not allowed for a domain below that zone, because nothing needs to be published.',
      }),
    ),
  },
  { examples: [{ name: 'Customer', sending_domain: 'customer.example', external_id: '4711' }] },
);

export const subTenantUpdate = closed(
  {
    name: Type.Optional(name),
    external_id: Type.Optional(nullable(externalId)),
    throttle_per_hour: Type.Optional(nullable(throttle)),
    ...customNames,
    branding: Type.Optional(brandingPatch),
  },
  {
    examples: [
      { name: 'Customer Ltd', throttle_per_hour: 600, branding: { name: 'Customer', language: 'de' } },
    ],
  },
);

const SUB_TENANT_ORDERS = ['created_at', '-created_at', '-complaint_rate', '-bounce_rate'] as const;
const leastRate = (what: string) =>
  Type.Optional(
    Type.Number({ minimum: 0, maximum: 1, description: `Minimum ${what}, as a fraction: 0.001 is 0.1%.` }),
  );

export const subTenantQuery = createdQueryWith({
  order: Type.Optional(
    oneOf(SUB_TENANT_ORDERS, {
      description:
        'Sort order. Defaults to newest first (`-created_at`). The rate orders put the highest rate of the last evaluation first and sub-tenants without mail in the period last.',
    }),
  ),
  reputation: anyOf(
    REPUTATION_STATES,
    'The reputation state. `paused` means paused automatically because of a rate, not on request.',
  ),
  min_complaint_rate: leastRate('complaint rate (complaints per delivered message)'),
  min_bounce_rate: leastRate('bounce rate (bounces per sent message)'),
  q: partOf('the name, sending domain or external ID'),
  status: anyOf(SUB_TENANT_STATUSES),
  external_id: Type.Optional(Type.String({ maxLength: 200 })),
});

const dnsRecordFields = {
  purpose: oneOf(DNS_RECORD_PURPOSES),
  type: oneOf(['TXT', 'MX', 'CNAME']),
  host: Type.String({ description: 'The full host name without a trailing dot.' }),
  value: nullable(
    Type.String({
      description:
        'The value to publish: the complete text or the target host. `null` if the status is `host_unnamed`.',
    }),
  ),
  priority: Type.Optional(Type.Integer({ description: 'The priority of an MX record.' })),
  required: Type.Boolean({ description: 'Whether the status `verified` requires this record.' }),
  status: oneOf(DNS_RECORD_STATUSES, {
    description:
      'The result of the last check. `pending` means that there is no answer yet. `host_unnamed` means that the record would refer to this server, which has no public host name yet. Such a record is not checked or counted.',
  }),
  found: Type.Array(Type.String(), { description: 'Values found by the last check.' }),
  missing_setting: nullable(
    oneOf(NAME_SETTINGS, {
      description: 'The setting that the operator must configure before a `host_unnamed` record has a value.',
    }),
  ),
};
export const dnsRecord = Type.Object(dnsRecordFields);
export type DnsRecordWire = Static<typeof dnsRecord>;

/** Drift of a sub-tenant's or sender's domain. */
export const dnsDrift = Type.Object(
  {
    drifting: Type.Boolean(),
    failing_since: nullable(timestamp),
    detail: nullable(sentence()),
  },
  {
    description:
      "Whether the signing key's DKIM record was found before and is now missing or wrong. Sending continues for a grace period. After that, the status is `suspended` until the record is correct again. `detail` also mentions if another workspace has verified the domain.",
  },
);

const DKIM_MODES = ['txt', 'cname', 'zone'] as const;
const KEY_STATES = ['pending', 'published', 'active', 'retiring', 'revoked', 'retired'] as const;

const dkimRotation = Type.Object(
  {
    state: oneOf(['pending', 'published'], { description: 'The state of the key that will sign next.' }),
    started_at: timestamp,
    selector: Type.String(),
    waiting_for: oneOf(['dns_record', 'settling'], {
      description:
        "`dns_record` if the new key's record has not been found yet; `settling` if it has been found but not for long enough.",
    }),
  },
  { description: 'A rotation in progress. New keys replace the current ones when it is complete.' },
);

const dkim = Type.Object({
  selector: Type.String({
    description: 'The selector of the signing key, or of the first key that will sign.',
  }),
  algorithm: Type.String(),
  mode: oneOf(DKIM_MODES, {
    description:
      "How the keys are published in DNS. With `txt`, the owner publishes a record for each key. With `cname`, the owner publishes aliases once. With `zone`, the server itself hosts the domain's zone.",
  }),
  rotation: nullable(dkimRotation),
});

export const dkimRotate = closed({
  mode: Type.Optional(
    oneOf(['txt', 'cname'], {
      description:
        'How new keys are published in DNS. Applies to the new keys and to all later keys. Omit to keep the current mode.',
    }),
  ),
  emergency: Type.Optional(
    Type.Boolean({
      description:
        'Set to `true` if the current keys may be compromised. They stop signing immediately and their records are emptied. Mail waits until the new records are found in DNS.',
    }),
  ),
});

const rate = (description: string) => nullable(Type.Number({ minimum: 0, description }));
const complaintRate = rate(
  'Complaints per delivered message, as a fraction. `null` if nothing was delivered.',
);
const bounceRate = rate('Bounces per sent message, as a fraction. `null` if nothing was sent.');
const count = Type.Integer({ minimum: 0 });
const reputationState = oneOf(['ok', 'warned', 'throttled', 'paused'], {
  description:
    'The reputation state. `warned` and `throttled` end automatically when the rate falls. A sub-tenant that was `paused` because of a rate must be resumed manually.',
});
const windowDays = Type.Number({
  description: 'Number of past days covered by the rates, by time of the events.',
});

const reputation = Type.Object(
  {
    state: reputationState,
    complaint_rate: complaintRate,
    bounce_rate: bounceRate,
    delivered: count,
    window_days: windowDays,
    changed_at: nullable(timestamp),
  },
  { description: "Reputation in the key's environment at the last evaluation." },
);

export const subTenant = Type.Object({
  id: Type.String(),
  object: Type.Literal('sub_tenant'),
  name: Type.String(),
  external_id: nullable(Type.String()),
  sending_domain: Type.String(),
  return_path_domain: Type.String({
    description:
      "The return-path domain. Used once its MX record points to this server; until then, the server's own domain is used.",
  }),
  inbound_domain: Type.String({
    description:
      "The domain for replies. Used once its MX record points to this server; until then, the server's own domain is used.",
  }),
  tracking_domain: Type.String({
    description:
      "The domain of tracked links. Used once its CNAME points to this server and its links work; until then, the server's own domain is used.",
  }),
  status: oneOf(SUB_TENANT_STATUSES),
  throttle_per_hour: nullable(throttle),
  reputation,
  dns: dnsDrift,
  dkim: nullable(dkim),
  dns_records: Type.Array(dnsRecord),
  branding,
  verified_at: nullable(timestamp),
  last_checked_at: nullable(timestamp),
  created_at: timestamp,
  updated_at: timestamp,
});
export type SubTenantWire = Static<typeof subTenant>;

/** Authentication of a domain: its keys, and its records with advice. */
export const domainAuthenticationFields = {
  keys: Type.Array(
    Type.Object({
      selector: Type.String(),
      algorithm: oneOf(['rsa-sha256', 'ed25519-sha256']),
      state: oneOf(KEY_STATES, {
        description:
          '`pending`: the record has not been found in DNS. `published`: the record has been found and the waiting period is running. `active`: the key signs. `retiring`: another key signs, and the record stays for mail in transit. `revoked`: the record must be emptied. `retired`: the record can be removed.',
      }),
      host: Type.String({ description: 'The host name at which verifiers look up the key.' }),
      value: nullable(
        Type.String({
          description:
            'The value of the TXT record or the target of its alias. `null` if no record is needed anymore.',
        }),
      ),
      published_at: nullable(timestamp),
      activated_at: nullable(timestamp),
      retiring_at: nullable(timestamp),
      revoked_at: nullable(timestamp),
      created_at: timestamp,
    }),
  ),
  records: Type.Array(
    Type.Object({
      ...dnsRecordFields,
      advice: nullable(sentence({ description: 'The recommended fix. `null` if the record is correct.' })),
    }),
  ),
  last_checked_at: nullable(timestamp),
};

export const subTenantAuthentication = Type.Object({
  object: Type.Literal('sub_tenant_authentication'),
  sub_tenant_id: Type.String(),
  sending_domain: Type.String(),
  status: oneOf(SUB_TENANT_STATUSES),
  dns: dnsDrift,
  ...domainAuthenticationFields,
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
    { description: 'Events in chronological order, limited to the last 1,000.' },
  ),
});
export type SubTenantAuditWire = Static<typeof subTenantAudit>;

nameSchemas({
  SubTenantCreate: subTenantCreate,
  SubTenantUpdate: subTenantUpdate,
  DnsRecord: dnsRecord,
  DnsDrift: dnsDrift,
  DkimRotation: dkimRotation,
  SubTenantDkim: dkim,
  DkimRotate: dkimRotate,
  Reputation: reputation,
  SubTenant: subTenant,
  SubTenantAuthentication: subTenantAuthentication,
  DkimKey: subTenantAuthentication.properties.keys.items,
  DnsRecordAdvice: subTenantAuthentication.properties.records.items,
  SubTenantAudit: subTenantAudit,
  SubTenantAuditEntry: subTenantAudit.properties.trail.items,
});

nameEnums({
  SubTenantStatus: SUB_TENANT_STATUSES,
  DnsRecordStatus: DNS_RECORD_STATUSES,
  DnsRecordPurpose: DNS_RECORD_PURPOSES,
  DnsNameSetting: NAME_SETTINGS,
  DnsRecordType: ['TXT', 'MX', 'CNAME'],
  DkimMode: DKIM_MODES,
  DkimKeyState: KEY_STATES,
  DkimAlgorithm: ['rsa-sha256', 'ed25519-sha256'],
  ReputationState: REPUTATION_STATES,
  SubTenantOrder: SUB_TENANT_ORDERS,
});
