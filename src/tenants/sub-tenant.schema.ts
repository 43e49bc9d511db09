// Wire shapes of /v1/sub-tenants.
import { Type, type Static } from 'typebox';
import { branding, brandingPatch } from '../pages/branding.schema.js';
import { anyOf, createdQueryWith, partOf } from '../contract/lists.js';
import { ACTORS, TENANT_TRAIL_EVENTS } from '../contract/names.js';
import { DNS_RECORD_PURPOSES, DNS_RECORD_STATUSES, NAME_SETTINGS } from '../domains/dns-records.rules.js';
import { closed, nameEnums, nameSchemas, nullable, oneOf, timestamp } from '../contract/schema.js';

const SUB_TENANT_STATUSES = ['pending_verification', 'verified', 'failed', 'suspended', 'paused'] as const;
const REPUTATION_STATES = ['ok', 'warned', 'throttled', 'paused'] as const;

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
    'Most live messages in any hour, spread evenly; further ones wait in their order. Null: no limit.',
});

const ownName = (what: string, label: string) =>
  nullable(
    Type.String({
      minLength: 1,
      maxLength: 300,
      description: `${what} Below the registered domain of the sending domain; null: \`${label}.\` below the sending domain.`,
    }),
  );
const ownNames = {
  return_path_domain: Type.Optional(
    ownName('The domain for bounces, in the envelope of its mail.', 'bounce'),
  ),
  inbound_domain: Type.Optional(ownName('The domain for replies to its mail.', 'reply')),
  tracking_domain: Type.Optional(ownName('The domain of the tracked links in its mail.', 'click')),
};

export const subTenantCreate = closed(
  {
    name,
    sending_domain: Type.String({
      minLength: 1,
      maxLength: 300,
      description: 'The domain of its From addresses. It cannot be changed later.',
    }),
    external_id: Type.Optional(nullable(externalId)),
    ...ownNames,
    dkim: Type.Optional(
      oneOf(['txt', 'cname'], {
        description:
          'How its DKIM keys come into DNS: `txt`, each key is published by hand; `cname`, aliases are published ' +
          'once and keys change without you. `cname` needs the service to have a zone, and is the default where it ' +
          'has one. Not for a domain below that zone: there is nothing to publish.',
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
    ...ownNames,
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
    Type.Number({ minimum: 0, maximum: 1, description: `${what} at least this share: 0.001 is 0.1 %.` }),
  );

export const subTenantQuery = createdQueryWith({
  order: Type.Optional(
    oneOf(SUB_TENANT_ORDERS, {
      description:
        'Newest first (`-created_at`) without it. By a rate: the worst first, as the last sweep counted them; those without ' +
        'mail in the window come last.',
    }),
  ),
  reputation: anyOf(REPUTATION_STATES, 'Its reputation state; `paused`: for a rate, not by request.'),
  min_complaint_rate: leastRate('Complaints of delivered messages,'),
  min_bounce_rate: leastRate('Bounces of sent messages,'),
  q: partOf('the name, the sending domain or the external id'),
  status: anyOf(SUB_TENANT_STATUSES),
  external_id: Type.Optional(Type.String({ maxLength: 200 })),
});

const dnsRecordFields = {
  purpose: oneOf(DNS_RECORD_PURPOSES),
  type: oneOf(['TXT', 'MX', 'CNAME']),
  host: Type.String({ description: 'The full name, without a final dot.' }),
  value: nullable(
    Type.String({
      description:
        'The value to publish: the text in one piece, or the target host. `null` if the status is `host_unnamed`.',
    }),
  ),
  priority: Type.Optional(Type.Integer({ description: 'Of an MX record.' })),
  required: Type.Boolean({ description: 'Whether `verified` needs it.' }),
  status: oneOf(DNS_RECORD_STATUSES, {
    description:
      '`pending`: no answer yet. `host_unnamed`: the record would name this server, which has no public name yet; it is neither checked nor counted.',
  }),
  found: Type.Array(Type.String(), { description: 'What the last check found there.' }),
  missing_setting: nullable(
    oneOf(NAME_SETTINGS, {
      description: 'The setting that the operator has to set before a `host_unnamed` record has a value.',
    }),
  ),
};
export const dnsRecord = Type.Object(dnsRecordFields);
export type DnsRecordWire = Static<typeof dnsRecord>;

/** Of a sub-tenant or a sender. */
export const dnsDrift = Type.Object(
  {
    drifting: Type.Boolean(),
    failing_since: nullable(timestamp),
    detail: nullable(Type.String()),
  },
  {
    description:
      'Whether the DKIM record of the key that signs, seen before, is gone or wrong. Mail goes on for a grace; then the ' +
      'status is `suspended` until the record is right again. `detail` says so too when another workspace has proved the domain.',
  },
);

const DKIM_MODES = ['txt', 'cname', 'zone'] as const;
const KEY_STATES = ['pending', 'published', 'active', 'retiring', 'revoked', 'retired'] as const;

const dkimRotation = Type.Object(
  {
    state: oneOf(['pending', 'published'], { description: 'That of the key that is to sign next.' }),
    started_at: timestamp,
    selector: Type.String(),
    waiting_for: oneOf(['dns_record', 'settling'], {
      description:
        '`dns_record`: the record of the new key was not seen; `settling`: it was, and must have been for a while.',
    }),
  },
  { description: 'New keys that wait to sign in place of others.' },
);

const dkim = Type.Object({
  selector: Type.String({ description: 'Of the key that signs, or is to be the first that does.' }),
  algorithm: Type.String(),
  mode: oneOf(DKIM_MODES, {
    description:
      'How its keys come into DNS. `txt`: it publishes the record of each; `cname`: it publishes aliases once; ' +
      '`zone`: this service answers for its domain.',
  }),
  rotation: nullable(dkimRotation),
});

export const dkimRotate = closed({
  mode: Type.Optional(
    oneOf(['txt', 'cname'], { description: 'From now on, and for the new keys; as before when absent.' }),
  ),
  emergency: Type.Optional(
    Type.Boolean({
      description:
        'True when the keys may be known to others: they stop signing at once, and their records are emptied. Mail waits until DNS shows the new ones.',
    }),
  ),
});

const rate = (description: string) => nullable(Type.Number({ minimum: 0, description }));
const complaintRate = rate(
  'Complaints of delivered messages, a share of 1; null when nothing was delivered.',
);
const bounceRate = rate('Bounces of sent messages, a share of 1; null when nothing was sent.');
const count = Type.Integer({ minimum: 0 });
const reputationState = oneOf(['ok', 'warned', 'throttled', 'paused'], {
  description:
    '`warned` and `throttled` end by themselves when the rate falls; `paused`, by a rate, when somebody resumes it.',
});
const windowDays = Type.Number({
  description: 'Trailing days that the figures are of, by the time of the events.',
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
  { description: "In the key's environment, as the last sweep saw it." },
);

export const subTenantReputation = Type.Object({
  object: Type.Literal('sub_tenant_reputation'),
  sub_tenant_id: Type.String(),
  state: reputationState,
  complaint_rate: complaintRate,
  bounce_rate: bounceRate,
  sent: count,
  delivered: count,
  bounced: count,
  complained: count,
  window_days: windowDays,
  scored_at: nullable(
    Type.String({ format: 'date-time', description: 'When a sweep last saw other figures than before.' }),
  ),
  changed_at: nullable(timestamp),
  paused: nullable(
    Type.Object({ at: timestamp, cause: oneOf(['requested', 'complaint_rate', 'bounce_rate']) }),
  ),
  throttle_per_hour: nullable(
    Type.Integer({ description: 'Messages that it may send in any hour now; null: no limit.' }),
  ),
  levels: Type.Object({
    min_delivered: Type.Integer({
      description: 'With fewer delivered messages the state does not get worse.',
    }),
    warn: Type.Number({ description: 'Complaint rate from which it is warned.' }),
    throttle: Type.Number({ description: 'Complaint rate from which it is throttled.' }),
    throttle_per_hour: Type.Integer({ description: 'Messages in any hour when it is throttled.' }),
    recovery_ratio: Type.Number({ description: 'A level ends when the rate is below this share of it.' }),
    pause_complaint: nullable(
      Type.Number({ description: 'Complaint rate from which it is paused; null: never.' }),
    ),
    pause_bounce: nullable(Type.Number({ description: 'Bounce rate from which it is paused; null: never.' })),
  }),
  days: Type.Array(
    Type.Object({
      date: Type.String({ format: 'date' }),
      sent: count,
      delivered: count,
      bounced: count,
      complained: count,
      complaint_rate: complaintRate,
      bounce_rate: bounceRate,
    }),
    { description: 'One row for each day (UTC), oldest first, today last.' },
  ),
  changes: Type.Array(
    Type.Object({
      event: oneOf(['tenant_warned', 'tenant_throttled', 'tenant_paused', 'tenant_recovered']),
      actor: oneOf(ACTORS),
      timestamp,
      metadata: Type.Record(Type.String(), Type.Unknown()),
    }),
    { description: 'Changes of the state, in time order, within those days.' },
  ),
});
export type SubTenantReputationWire = Static<typeof subTenantReputation>;

export const subTenantReputationQuery = closed({
  days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 90,
      default: 30,
      description: 'Days (UTC) of history, today included.',
    }),
  ),
});

export const subTenant = Type.Object({
  id: Type.String(),
  object: Type.Literal('sub_tenant'),
  name: Type.String(),
  external_id: nullable(Type.String()),
  sending_domain: Type.String(),
  return_path_domain: Type.String({
    description: 'Used once its MX record points here; until then the name of the service is used.',
  }),
  inbound_domain: Type.String({ description: 'Likewise.' }),
  tracking_domain: Type.String({
    description: 'Likewise, once its CNAME does and links under it can be followed.',
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

/** Of a domain: its keys, and its records with what to do about them. */
export const domainAuthenticationFields = {
  keys: Type.Array(
    Type.Object({
      selector: Type.String(),
      algorithm: oneOf(['rsa-sha256', 'ed25519-sha256']),
      state: oneOf(KEY_STATES, {
        description:
          'pending: its record was not seen; published: it was, and settles; active: it signs; retiring: another ' +
          'signs, its record stays for mail on its way; revoked: its record is to be empty; retired: it may go.',
      }),
      host: Type.String({ description: 'Where verifiers look.' }),
      value: nullable(
        Type.String({
          description: 'The text of the TXT record there, or the target of its alias; null: none any more.',
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
      advice: nullable(Type.String({ description: 'What to do; null when the record is right.' })),
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
    { description: 'In time order; the last 1,000 entries.' },
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
  SubTenantReputation: subTenantReputation,
  ReputationPause: subTenantReputation.properties.paused.anyOf[0],
  ReputationLevels: subTenantReputation.properties.levels,
  ReputationDay: subTenantReputation.properties.days.items,
  ReputationChange: subTenantReputation.properties.changes.items,
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
  ReputationPauseCause: ['requested', 'complaint_rate', 'bounce_rate'],
  ReputationEvent: ['tenant_warned', 'tenant_throttled', 'tenant_paused', 'tenant_recovered'],
});
