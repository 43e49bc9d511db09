// Settings of tenants and people: reputation, the DNS of sending domains, keys, webhooks, sign-in, what is kept how long.
import { count, port, time, timeOrNone, type Setting } from '../lib/config/setting.js';

export const TENANCY_SETTINGS = {
  sweepSchedule: {
    env: 'POSTHORN_SWEEP_SCHEDULE',
    kind: 'cron',
    default: '*/15 * * * *',
    meaning: 'When sub-tenants are scored (cron, UTC).',
  },
  reputationWindowMs: {
    env: 'POSTHORN_REPUTATION_WINDOW',
    ...time,
    default: '7d',
    meaning: 'How far back the score of a sub-tenant looks, in whole hours.',
  },
  reputationMinDelivered: {
    env: 'POSTHORN_REPUTATION_MIN_DELIVERED',
    ...count,
    default: '20',
    meaning: 'Delivered messages below which a sub-tenant is not judged.',
  },
  reputationWarnComplaint: {
    env: 'POSTHORN_REPUTATION_WARN_COMPLAINT',
    kind: 'share',
    default: '0.1%',
    meaning: 'Complaints of delivered messages from which a sub-tenant is warned.',
  },
  reputationThrottleComplaint: {
    env: 'POSTHORN_REPUTATION_THROTTLE_COMPLAINT',
    kind: 'share',
    default: '0.3%',
    meaning: 'Complaints of delivered messages from which a sub-tenant is throttled.',
  },
  reputationThrottlePerHour: {
    env: 'POSTHORN_REPUTATION_THROTTLE_PER_HOUR',
    ...count,
    default: '60',
    meaning: 'Messages that a throttled sub-tenant may send in any hour.',
  },
  reputationClear: {
    env: 'POSTHORN_REPUTATION_CLEAR',
    kind: 'share',
    default: '80%',
    meaning: 'A warning or throttle ends when the rate is below this share of the level that set it.',
  },
  reputationPauseComplaint: {
    env: 'POSTHORN_REPUTATION_PAUSE_COMPLAINT',
    kind: 'share',
    default: null,
    meaning:
      'Complaints of delivered messages from which a sub-tenant is paused until somebody resumes it; unset: never.',
  },
  reputationPauseBounce: {
    env: 'POSTHORN_REPUTATION_PAUSE_BOUNCE',
    kind: 'share',
    default: null,
    meaning:
      'Bounces of sent messages from which a sub-tenant is paused until somebody resumes it; unset: never.',
  },

  dnsDriftGraceMs: {
    env: 'POSTHORN_DNS_DRIFT_GRACE',
    ...time,
    default: '6h',
    meaning: 'How long a sub-tenant whose DKIM record is gone goes on sending before it is suspended.',
  },
  dnsDriftCheckIntervalMs: {
    env: 'POSTHORN_DNS_DRIFT_CHECK_INTERVAL',
    ...time,
    default: '5m',
    meaning: 'How often the domain of a drifting or suspended sub-tenant is looked at.',
  },
  domainChecksPerMinute: {
    env: 'POSTHORN_DNS_CHECKS_PER_MINUTE',
    ...count,
    default: '1000',
    meaning: 'Sending domains of sub-tenants, and as many of senders, whose DNS is looked at in one minute.',
  },
  spfMechanisms: {
    env: 'POSTHORN_SPF',
    kind: 'string',
    default: null,
    meaning:
      'The SPF mechanisms that cover what mail leaves from, as customers publish them, e.g. ' +
      'include:_spf.example.com; from the known addresses when unset.',
  },
  dkimRotationMs: {
    env: 'POSTHORN_DKIM_ROTATION',
    ...timeOrNone,
    default: '180d',
    meaning: 'Age at which a DKIM key is replaced; 0 leaves it to requests.',
  },
  dkimSettleMs: {
    env: 'POSTHORN_DKIM_SETTLE',
    ...timeOrNone,
    default: '1h',
    meaning: 'How long DNS must have shown a new key before it signs in place of another.',
  },
  dkimOverlapMs: {
    env: 'POSTHORN_DKIM_OVERLAP',
    ...time,
    default: '14d',
    meaning: 'How long the record of a replaced key stays for mail that is on its way.',
  },
  dkimRevokedKeepMs: {
    env: 'POSTHORN_DKIM_REVOKED_KEEP',
    ...time,
    default: '30d',
    meaning: 'How long DNS says of a replaced key that it is revoked, before its name is free again.',
  },
  dkimCheckIntervalMs: {
    env: 'POSTHORN_DKIM_CHECK_INTERVAL',
    ...time,
    default: '5m',
    meaning: 'How often DNS is asked for a new key that waits to be seen.',
  },

  dnsZone: {
    env: 'POSTHORN_DNS_ZONE',
    kind: 'hostname',
    default: null,
    meaning:
      'The zone that is delegated to this appliance: it answers for sub-tenants below it, and holds the keys of those with aliases.',
  },
  dnsHost: {
    env: 'POSTHORN_DNS_HOST',
    kind: 'string',
    default: '0.0.0.0',
    meaning: 'Address that the name server listens on, for UDP and TCP.',
  },
  dnsPort: {
    env: 'POSTHORN_DNS_PORT',
    ...port,
    default: '53',
    meaning: 'Port of the name server.',
  },
  dnsNameServers: {
    env: 'POSTHORN_DNS_NAME_SERVERS',
    kind: 'names',
    default: null,
    meaning:
      'Names of the name servers of the zone, as its parent delegates to them; the host name when unset.',
  },
  dnsAddresses: {
    env: 'POSTHORN_DNS_ADDRESSES',
    kind: 'ranges',
    default: null,
    meaning:
      'Public addresses of this appliance, for names in the zone that lead to it; those of its sources when unset.',
  },
  dnsTtlMs: {
    env: 'POSTHORN_DNS_TTL',
    ...time,
    default: '5m',
    meaning: 'How long others may keep what the name server said.',
  },
  dnsRatePerMinute: {
    env: 'POSTHORN_DNS_RATE',
    kind: 'rate',
    default: '100/s',
    meaning: 'Answers that the name server gives one client network by UDP, and as many by TCP; 0 is off.',
  },
  dnsTotalRatePerMinute: {
    env: 'POSTHORN_DNS_TOTAL_RATE',
    kind: 'rate',
    default: '2000/s',
    meaning:
      'Questions by UDP that the name server looks at at all, so that mail goes on in a flood; 0 is off.',
  },
  dnsConnections: {
    env: 'POSTHORN_DNS_CONNECTIONS',
    ...count,
    default: '100',
    meaning: 'TCP connections to the name server at once; one client network may have a fifth of them.',
  },
  dnsIdleMs: {
    env: 'POSTHORN_DNS_IDLE',
    ...time,
    default: '10s',
    meaning: 'How long such a connection may be without a question.',
  },
  dnsDmarc: {
    env: 'POSTHORN_DNS_DMARC',
    kind: 'string',
    default: 'v=DMARC1; p=quarantine',
    meaning: 'The DMARC record of sub-tenants in the zone.',
  },

  webhookSecretOverlapMs: {
    env: 'POSTHORN_WEBHOOK_SECRET_OVERLAP',
    ...timeOrNone,
    default: '24h',
    meaning: 'How long the former secret of a webhook endpoint signs beside the new one.',
  },
  webhookKeepMs: {
    env: 'POSTHORN_WEBHOOK_KEEP',
    ...time,
    default: '30d',
    meaning: 'How long ended webhook deliveries are kept.',
  },
  eventStreamHeartbeatMs: {
    env: 'POSTHORN_EVENT_STREAM_HEARTBEAT',
    ...time,
    default: '15s',
    meaning: 'How often an event stream without events says that it is alive.',
  },
  eventStreams: {
    env: 'POSTHORN_EVENT_STREAMS',
    ...count,
    default: '200',
    meaning: 'Event streams that are open at once.',
  },

  ownerEmail: {
    env: 'POSTHORN_OWNER_EMAIL',
    kind: 'string',
    default: null,
    meaning: 'With the password: the account of the owner, made at the first start.',
  },
  ownerPassword: {
    env: 'POSTHORN_OWNER_PASSWORD',
    kind: 'string',
    default: null,
    secret: true,
    meaning: 'Password of the owner at the first start.',
  },
  sessionLifetimeMs: {
    env: 'POSTHORN_SESSION_LIFETIME',
    ...time,
    default: '30d',
    meaning: 'How long a person stays signed in at most.',
  },
  sessionIdleMs: {
    env: 'POSTHORN_SESSION_IDLE',
    ...time,
    default: '3d',
    meaning: 'How long a person stays signed in without a request.',
  },
  signInFailures: {
    env: 'POSTHORN_SIGN_IN_FAILURES',
    ...count,
    default: '10',
    meaning:
      'Failed sign-ins in a row after which each further one has to wait, from places that never signed in before.',
  },
  signInLockMs: {
    env: 'POSTHORN_SIGN_IN_LOCK',
    ...time,
    default: '15m',
    meaning: 'The longest such wait; the first is a sixteenth of it, and each failure doubles it.',
  },
  signInRefusalMs: {
    env: 'POSTHORN_SIGN_IN_REFUSAL',
    ...timeOrNone,
    default: '250ms',
    meaning: 'How long a refused sign-in takes at least, so that its time does not tell why.',
  },
  invitationLifetimeMs: {
    env: 'POSTHORN_INVITATION_LIFETIME',
    ...time,
    default: '7d',
    meaning: 'How long the link of an invitation works.',
  },
  passwordResetLifetimeMs: {
    env: 'POSTHORN_PASSWORD_RESET_LIFETIME',
    ...time,
    default: '1h',
    meaning: 'How long the link to choose a new password works.',
  },
  keyOverlapMs: {
    env: 'POSTHORN_KEY_OVERLAP',
    ...timeOrNone,
    default: '24h',
    meaning: 'How long a rotated API key works beside the new one.',
  },
  workspaceLimit: {
    env: 'POSTHORN_WORKSPACES',
    kind: 'int',
    min: 1,
    max: 100_000,
    default: '1000',
    meaning: 'Workspaces that the appliance has at most.',
  },

  retentionDays: {
    env: 'POSTHORN_RETENTION_DAYS',
    kind: 'int',
    min: 0,
    max: 36_500,
    default: '0',
    meaning: 'Days that the content of messages is kept, where the workspace does not say; 0: for ever.',
  },
  retentionMode: {
    env: 'POSTHORN_RETENTION_MODE',
    kind: 'enum',
    values: ['redact', 'delete'],
    default: 'redact',
    meaning:
      'What happens to messages then: their content and persons go (redact), or all but the digests of their events (delete).',
  },
  unsubscribeKeepMs: {
    env: 'POSTHORN_UNSUBSCRIBE_KEEP',
    ...timeOrNone,
    default: '60d',
    meaning:
      'How long the recipient of marketing and sales mail is kept at least, so that its link to unsubscribe works.',
  },
  attemptKeepMs: {
    env: 'POSTHORN_ATTEMPT_KEEP',
    ...time,
    default: '90d',
    meaning: 'How long the conversations of delivery attempts are kept.',
  },
  auditKeepMs: {
    env: 'POSTHORN_AUDIT_KEEP',
    ...time,
    default: '730d',
    meaning: 'How long it is kept who changed what.',
  },
  requestLogKeepMs: {
    env: 'POSTHORN_REQUEST_LOG_KEEP',
    ...timeOrNone,
    default: '30d',
    meaning: 'How long requests to the API are kept, without secrets and persons; 0 keeps none.',
  },
} as const satisfies Record<string, Setting>;
