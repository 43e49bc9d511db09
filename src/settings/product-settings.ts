// Settings of what customers use: sending domains and their DNS, reputation, webhooks, lists and sequences.
import { count, port, time, timeOrNone, type Setting } from '../lib/config/setting.js';

export const DOMAIN_SETTINGS = {
  spfMechanisms: {
    env: 'MAILKEEL_SPF',
    kind: 'string',
    default: null,
    meaning:
      'The SPF mechanisms that cover what mail leaves from, as customers publish them, e.g. ' +
      'include:_spf.example.com; from the known addresses when unset.',
  },
  dnsCheckIntervalMs: {
    env: 'MAILKEEL_DNS_CHECK_INTERVAL',
    ...time,
    default: '1h',
    meaning: 'How often the records of a verified sending domain are checked again.',
  },
  dnsDriftGraceMs: {
    env: 'MAILKEEL_DNS_DRIFT_GRACE',
    ...time,
    default: '6h',
    meaning: 'How long a sub-tenant whose DKIM record is gone goes on sending before it is suspended.',
  },
  dnsDriftCheckIntervalMs: {
    env: 'MAILKEEL_DNS_DRIFT_CHECK_INTERVAL',
    ...time,
    default: '5m',
    meaning: 'How often the domain of a drifting or suspended sub-tenant is checked.',
  },
  dkimRotationMs: {
    env: 'MAILKEEL_DKIM_ROTATION',
    ...timeOrNone,
    default: '180d',
    meaning: 'Age at which a DKIM key is replaced; 0 leaves it to requests.',
  },
  dkimSettleMs: {
    env: 'MAILKEEL_DKIM_SETTLE',
    ...timeOrNone,
    default: '1h',
    meaning: 'How long DNS must have shown a new key before it signs in place of another.',
  },
  dkimCheckIntervalMs: {
    env: 'MAILKEEL_DKIM_CHECK_INTERVAL',
    ...time,
    default: '5m',
    meaning: 'How often DNS is asked for a new key that waits to be seen.',
  },
} as const satisfies Record<string, Setting>;

export const ZONE_SETTINGS = {
  dnsZone: {
    env: 'MAILKEEL_DNS_ZONE',
    kind: 'hostname',
    default: null,
    meaning:
      'The zone that is delegated to this appliance: it answers for sub-tenants below it, and holds the keys of those with aliases.',
  },
  dnsHost: {
    env: 'MAILKEEL_DNS_HOST',
    kind: 'string',
    default: '0.0.0.0',
    meaning: 'Address that the name server listens on, for UDP and TCP.',
  },
  dnsPort: {
    env: 'MAILKEEL_DNS_PORT',
    ...port,
    default: '53',
    meaning: 'Port of the name server.',
  },
  dnsNameServers: {
    env: 'MAILKEEL_DNS_NAME_SERVERS',
    kind: 'names',
    default: null,
    meaning:
      'Names of the name servers of the zone, as its parent delegates to them; the host name when unset.',
  },
  dnsAddresses: {
    env: 'MAILKEEL_DNS_ADDRESSES',
    kind: 'ranges',
    default: null,
    meaning:
      'Public addresses of this appliance, for names in the zone that lead to it; those of its sources when unset.',
  },
  dnsTtlMs: {
    env: 'MAILKEEL_DNS_TTL',
    ...time,
    default: '5m',
    meaning: 'How long others may cache the answers of the name server.',
  },
  dnsDmarc: {
    env: 'MAILKEEL_DNS_DMARC',
    kind: 'string',
    default: 'v=DMARC1; p=quarantine',
    meaning: 'The DMARC record of sub-tenants in the zone.',
  },
} as const satisfies Record<string, Setting>;

export const REPUTATION_SETTINGS = {
  sweepSchedule: {
    env: 'MAILKEEL_SWEEP_SCHEDULE',
    kind: 'cron',
    default: '*/15 * * * *',
    meaning: 'When sub-tenants are scored (cron, UTC).',
  },
  reputationMinDelivered: {
    env: 'MAILKEEL_REPUTATION_MIN_DELIVERED',
    ...count,
    default: '20',
    meaning: 'Delivered messages below which a sub-tenant is not scored.',
  },
  reputationWarnComplaint: {
    env: 'MAILKEEL_REPUTATION_WARN_COMPLAINT',
    kind: 'share',
    default: '0.1%',
    meaning: 'Complaints of delivered messages from which a sub-tenant is warned.',
  },
  reputationThrottleComplaint: {
    env: 'MAILKEEL_REPUTATION_THROTTLE_COMPLAINT',
    kind: 'share',
    default: '0.3%',
    meaning: 'Complaints of delivered messages from which a sub-tenant is throttled.',
  },
  reputationThrottlePerHour: {
    env: 'MAILKEEL_REPUTATION_THROTTLE_PER_HOUR',
    ...count,
    default: '60',
    meaning: 'Messages that a throttled sub-tenant may send in any hour.',
  },
  reputationPauseComplaint: {
    env: 'MAILKEEL_REPUTATION_PAUSE_COMPLAINT',
    kind: 'share',
    default: null,
    meaning:
      'Complaints of delivered messages from which a sub-tenant is paused until somebody resumes it; unset: never.',
  },
  reputationPauseBounce: {
    env: 'MAILKEEL_REPUTATION_PAUSE_BOUNCE',
    kind: 'share',
    default: null,
    meaning:
      'Bounces of sent messages from which a sub-tenant is paused until somebody resumes it; unset: never.',
  },
} as const satisfies Record<string, Setting>;

export const WEBHOOK_SETTINGS = {
  webhookScheduleMs: {
    env: 'MAILKEEL_WEBHOOK_SCHEDULE',
    kind: 'durations',
    default: '10s,1m,5m,30m,2h,6h,12h',
    meaning: 'Waits after failed attempts; the delivery has failed after the last.',
  },
  webhookTimeoutMs: {
    env: 'MAILKEEL_WEBHOOK_TIMEOUT',
    ...time,
    default: '10s',
    meaning: 'Longest time of one attempt.',
  },
  webhookDisableAfter: {
    env: 'MAILKEEL_WEBHOOK_DISABLE_AFTER',
    ...count,
    default: '10',
    meaning: 'Failed deliveries in a row that disable an endpoint.',
  },
  webhookAllowPrivate: {
    env: 'MAILKEEL_WEBHOOK_ALLOW_PRIVATE',
    kind: 'bool',
    default: 'false',
    meaning: 'Lets webhooks go to private and loopback addresses.',
  },
} as const satisfies Record<string, Setting>;

export const AUDIENCE_SETTINGS = {
  signUpRate: {
    env: 'MAILKEEL_SIGN_UP_RATE',
    kind: 'rate',
    default: '10/min',
    meaning: 'Sign-ups that one client address may send; 0 is off.',
  },
  sequenceMinIntervalMs: {
    env: 'MAILKEEL_SEQUENCE_MIN_INTERVAL',
    ...timeOrNone,
    default: '1h',
    meaning:
      'Shortest time between two mails of one sequence to one person, and the least that a circle of its steps must wait; 0 is off.',
  },
  tenantTrackingDomains: {
    env: 'MAILKEEL_TENANT_TRACKING_DOMAINS',
    kind: 'bool',
    default: 'true',
    meaning: "Puts tracked links on a sub-tenant's own click domain once that leads here.",
  },
} as const satisfies Record<string, Setting>;
