// Settings of product features: sending domains and their DNS, reputation, webhooks, lists and sequences.
import { count, port, type Setting, time, timeOrNone } from '../lib/config/index.js';

export const DOMAIN_SETTINGS = {
  spfMechanisms: {
    env: 'MAILKEEL_SPF',
    kind: 'string',
    default: null,
    meaning:
      'SPF mechanisms for the DNS records of customers, for example include:_spf.example.com. Derived from the known sending addresses if unset.',
  },
  dnsCheckIntervalMs: {
    env: 'MAILKEEL_DNS_CHECK_INTERVAL',
    ...time,
    default: '1h',
    meaning: 'How often to check the DNS records of verified sending domains.',
  },
  dnsDriftGraceMs: {
    env: 'MAILKEEL_DNS_DRIFT_GRACE',
    ...time,
    default: '6h',
    meaning:
      'How long a sub-tenant can keep sending after its DKIM record disappears, before it is suspended.',
  },
  dnsDriftCheckIntervalMs: {
    env: 'MAILKEEL_DNS_DRIFT_CHECK_INTERVAL',
    ...time,
    default: '5m',
    meaning:
      'How often to check the domain of a sub-tenant with missing or wrong records, or of a suspended one.',
  },
  dkimRotationMs: {
    env: 'MAILKEEL_DKIM_ROTATION',
    ...timeOrNone,
    default: '180d',
    meaning: 'Age at which DKIM keys are rotated. 0 disables automatic rotation.',
  },
  dkimSettleMs: {
    env: 'MAILKEEL_DKIM_SETTLE',
    ...timeOrNone,
    default: '1h',
    meaning: 'How long a new DKIM key must be visible in DNS before it replaces the old one.',
  },
  dkimCheckIntervalMs: {
    env: 'MAILKEEL_DKIM_CHECK_INTERVAL',
    ...time,
    default: '5m',
    meaning: 'How often to check DNS for a new DKIM key that is not visible yet.',
  },
} as const satisfies Record<string, Setting>;

export const ZONE_SETTINGS = {
  dnsZone: {
    env: 'MAILKEEL_DNS_ZONE',
    kind: 'hostname',
    default: null,
    meaning:
      'DNS zone delegated to this server. Mailkeel answers for sub-tenants in the zone and hosts the keys that aliases point to.',
  },
  dnsHost: {
    env: 'MAILKEEL_DNS_HOST',
    kind: 'string',
    default: '0.0.0.0',
    meaning: 'Address that the name server listens on (UDP and TCP).',
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
    meaning: 'Host names of the name servers, as delegated by the parent zone. Defaults to the host name.',
  },
  dnsAddresses: {
    env: 'MAILKEEL_DNS_ADDRESSES',
    kind: 'ranges',
    default: null,
    meaning: 'Public addresses of this server for names in the zone. Defaults to the sending addresses.',
  },
  dnsTtlMs: {
    env: 'MAILKEEL_DNS_TTL',
    ...time,
    default: '5m',
    meaning: 'TTL of DNS answers.',
  },
  dnsDmarc: {
    env: 'MAILKEEL_DNS_DMARC',
    kind: 'string',
    default: 'v=DMARC1; p=quarantine',
    meaning: 'DMARC record of sub-tenants in the zone.',
  },
} as const satisfies Record<string, Setting>;

export const REPUTATION_SETTINGS = {
  sweepSchedule: {
    env: 'MAILKEEL_SWEEP_SCHEDULE',
    kind: 'cron',
    default: '*/15 * * * *',
    meaning: 'When to evaluate sub-tenant reputation (cron expression, UTC).',
  },
  reputationMinDelivered: {
    env: 'MAILKEEL_REPUTATION_MIN_DELIVERED',
    ...count,
    default: '20',
    meaning: 'Minimum delivered messages before a sub-tenant is evaluated.',
  },
  reputationWarnComplaint: {
    env: 'MAILKEEL_REPUTATION_WARN_COMPLAINT',
    kind: 'share',
    default: '0.1%',
    meaning: 'Complaint rate (complaints per delivered message) at which a sub-tenant is warned.',
  },
  reputationThrottleComplaint: {
    env: 'MAILKEEL_REPUTATION_THROTTLE_COMPLAINT',
    kind: 'share',
    default: '0.3%',
    meaning: 'Complaint rate at which a sub-tenant is throttled.',
  },
  reputationThrottlePerHour: {
    env: 'MAILKEEL_REPUTATION_THROTTLE_PER_HOUR',
    ...count,
    default: '60',
    meaning: 'Messages per hour that a throttled sub-tenant can send.',
  },
  reputationPauseComplaint: {
    env: 'MAILKEEL_REPUTATION_PAUSE_COMPLAINT',
    kind: 'share',
    default: null,
    meaning: 'Complaint rate at which a sub-tenant is paused until someone resumes it. Never if unset.',
  },
  reputationPauseBounce: {
    env: 'MAILKEEL_REPUTATION_PAUSE_BOUNCE',
    kind: 'share',
    default: null,
    meaning:
      'Bounce rate (bounces per sent message) at which a sub-tenant is paused until someone resumes it. Never if unset.',
  },
} as const satisfies Record<string, Setting>;

export const WEBHOOK_SETTINGS = {
  webhookScheduleMs: {
    env: 'MAILKEEL_WEBHOOK_SCHEDULE',
    kind: 'durations',
    default: '10s,1m,5m,30m,2h,6h,12h',
    meaning: 'Delays after failed attempts. The delivery fails after the last attempt.',
  },
  webhookTimeoutMs: {
    env: 'MAILKEEL_WEBHOOK_TIMEOUT',
    ...time,
    default: '10s',
    meaning: 'Timeout of one attempt.',
  },
  webhookDisableAfter: {
    env: 'MAILKEEL_WEBHOOK_DISABLE_AFTER',
    ...count,
    default: '10',
    meaning: 'Consecutive failed deliveries before an endpoint is disabled.',
  },
  webhookAllowPrivate: {
    env: 'MAILKEEL_WEBHOOK_ALLOW_PRIVATE',
    kind: 'bool',
    default: 'false',
    meaning: 'Allow webhooks and account imports to use private and loopback addresses.',
  },
} as const satisfies Record<string, Setting>;

export const AUDIENCE_SETTINGS = {
  signUpRate: {
    env: 'MAILKEEL_SIGN_UP_RATE',
    kind: 'rate',
    default: '10/min',
    meaning: 'Sign-ups per client address. 0 disables the limit.',
  },
  sequenceMinIntervalMs: {
    env: 'MAILKEEL_SEQUENCE_MIN_INTERVAL',
    ...timeOrNone,
    default: '1h',
    meaning:
      'Minimum time between two messages of a sequence to the same person, and minimum wait in a loop of steps. 0 disables the limit.',
  },
  tenantTrackingDomains: {
    env: 'MAILKEEL_TENANT_TRACKING_DOMAINS',
    kind: 'bool',
    default: 'true',
    meaning: "Use a sub-tenant's own click domain for tracked links once its DNS points to Mailkeel.",
  },
} as const satisfies Record<string, Setting>;
