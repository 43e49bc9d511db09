// Settings of the process, the API and the webhooks.
import { count, port, time, timeOrNone, type Setting } from '../lib/config/setting.js';

export const SERVER_SETTINGS = {
  dataDir: {
    env: 'POSTHORN_DATA_DIR',
    kind: 'string',
    default: './data',
    meaning: 'Folder of the database, keys, spool and backups.',
  },
  httpHost: {
    env: 'POSTHORN_HTTP_HOST',
    kind: 'string',
    default: '0.0.0.0',
    meaning: 'Address that the API listens on.',
  },
  httpPort: {
    env: 'POSTHORN_HTTP_PORT',
    ...port,
    default: '8080',
    meaning: 'Port of the API; 0 takes a free one.',
  },
  httpConnections: {
    env: 'POSTHORN_HTTP_CONNECTIONS',
    ...count,
    default: '5000',
    meaning:
      'Connections to the API at once; one client network (IPv4 /24, IPv6 /56) may have a fifth of them.',
  },
  publicUrl: {
    env: 'POSTHORN_PUBLIC_URL',
    kind: 'url',
    protocols: ['http:', 'https:'],
    default: null,
    derived: 'http://localhost and the HTTP port',
    meaning: 'Base of the tracking, unsubscribe and share links in mail.',
  },
  hostname: {
    env: 'POSTHORN_HOSTNAME',
    kind: 'hostname',
    default: null,
    derived: "the machine's name",
    meaning: 'Name given in EHLO; should be the reverse DNS name of the sending address.',
  },
  bounceDomain: {
    env: 'POSTHORN_BOUNCE_DOMAIN',
    kind: 'hostname',
    default: null,
    derived: 'the host name',
    meaning: "Domain of the platform's return path.",
  },
  platformDomain: {
    env: 'POSTHORN_PLATFORM_DOMAIN',
    kind: 'hostname',
    default: null,
    meaning:
      "The appliance's own domain: a second DKIM signature on all mail, and the sender of its own mail.",
  },
  logLevel: {
    env: 'POSTHORN_LOG_LEVEL',
    kind: 'enum',
    values: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    default: 'info',
    meaning: 'Least severe level that is logged.',
  },
  shutdownGraceMs: {
    env: 'POSTHORN_SHUTDOWN_GRACE',
    ...timeOrNone,
    default: '60s',
    meaning: 'How long a stopping server waits for requests and for sessions past DATA.',
  },
  groupCommitMaxPlans: {
    env: 'POSTHORN_GROUP_COMMIT_MAX_PLANS',
    ...count,
    default: '200',
    meaning: 'Most waiting plans that share one durable transaction.',
  },

  messageBodyLimitBytes: {
    env: 'POSTHORN_MESSAGE_BODY_LIMIT',
    kind: 'bytes',
    default: '30MiB',
    meaning: 'Largest JSON body of POST /v1/messages and of the batch.',
  },
  bodyLimitBytes: {
    env: 'POSTHORN_BODY_LIMIT',
    kind: 'bytes',
    default: '1MiB',
    meaning: 'Largest JSON body of every other operation.',
  },
  importBodyLimitBytes: {
    env: 'POSTHORN_IMPORT_BODY_LIMIT',
    kind: 'bytes',
    default: '50MiB',
    meaning: 'Largest body of an import.',
  },
  bodiesInFlightBytes: {
    env: 'POSTHORN_BODIES_IN_FLIGHT',
    kind: 'bytes',
    default: '128MiB',
    meaning:
      'Octets of JSON bodies held at once, half of them for one key; more is answered 503 for the moment.',
  },
  messageSizeLimitBytes: {
    env: 'POSTHORN_MESSAGE_SIZE_LIMIT',
    kind: 'bytes',
    default: '35MiB',
    meaning: 'Largest composed message on the wire.',
  },
  attachmentLimit: {
    env: 'POSTHORN_ATTACHMENT_LIMIT',
    ...count,
    default: '50',
    meaning: 'Most attachments of one message.',
  },
  recipientLimit: {
    env: 'POSTHORN_RECIPIENT_LIMIT',
    ...count,
    default: '50',
    meaning: 'Most recipients (to, cc and bcc) of one request.',
  },
  batchLimit: {
    env: 'POSTHORN_BATCH_LIMIT',
    ...count,
    default: '1000',
    meaning: 'Most messages of one batch.',
  },
  rateLimitLivePerMinute: {
    env: 'POSTHORN_RATE_LIMIT_LIVE',
    kind: 'rate',
    default: '6000/min',
    meaning: 'Requests of all live keys of a workspace together, and half of it of one sub-tenant; 0 is off.',
  },
  rateLimitTestPerMinute: {
    env: 'POSTHORN_RATE_LIMIT_TEST',
    kind: 'rate',
    default: '300/min',
    meaning: 'Requests of all test keys of a workspace together, and half of it of one sub-tenant; 0 is off.',
  },
  compat: {
    env: 'POSTHORN_COMPAT',
    kind: 'names',
    values: ['on', 'off', 'resend', 'postmark', 'sendgrid', 'mailgun'],
    default: 'on',
    meaning:
      "Whether clients of other vendors are served below /compat/: on, off, or the vendors' names, separated by commas.",
  },
  trustedProxies: {
    env: 'POSTHORN_TRUSTED_PROXIES',
    kind: 'ranges',
    default: null,
    meaning: 'Addresses and ranges, separated by commas, of proxies whose X-Forwarded-For names the client.',
  },
  credentialCacheMs: {
    env: 'POSTHORN_CREDENTIAL_CACHE',
    ...time,
    default: '5s',
    meaning: 'How long a key that was revoked by another process may still work in this one.',
  },
  rateLimitAuthFailuresPerMinute: {
    env: 'POSTHORN_RATE_LIMIT_AUTH_FAILURES',
    kind: 'rate',
    default: '30/min',
    meaning: 'Failed authentications of one client address; 0 is off.',
  },
  renderTimeLimitMs: {
    env: 'POSTHORN_RENDER_TIME_LIMIT',
    ...time,
    default: '2s',
    meaning: 'Longest time that one template may take to render.',
  },
  renderThreads: {
    env: 'POSTHORN_RENDER_THREADS',
    ...count,
    max: 64,
    default: '2',
    meaning: 'Worker threads for templates; with one, a bad template delays everybody for its time limit.',
  },

  webhookScheduleMs: {
    env: 'POSTHORN_WEBHOOK_SCHEDULE',
    kind: 'durations',
    default: '10s,1m,5m,30m,2h,6h,12h',
    meaning: 'Waits after failed attempts; the delivery has failed after the last.',
  },
  webhookTimeoutMs: {
    env: 'POSTHORN_WEBHOOK_TIMEOUT',
    ...time,
    default: '10s',
    meaning: 'Longest time of one attempt.',
  },
  webhookParallelism: {
    env: 'POSTHORN_WEBHOOK_PARALLELISM',
    ...count,
    default: '128',
    meaning:
      'Attempts open at once to endpoints that answer quickly; new, slow and silent ones have shares of as many besides.',
  },
  webhookDisableAfter: {
    env: 'POSTHORN_WEBHOOK_DISABLE_AFTER',
    ...count,
    default: '10',
    meaning: 'Failed deliveries in a row that disable an endpoint.',
  },
  webhookAllowPrivate: {
    env: 'POSTHORN_WEBHOOK_ALLOW_PRIVATE',
    kind: 'bool',
    default: 'false',
    meaning: 'Lets webhooks go to private and loopback addresses.',
  },
} as const satisfies Record<string, Setting>;
