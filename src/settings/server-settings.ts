// Settings of the server itself: its folder and ports, the API, TLS, people, and how long records are kept.
import { ROLES } from '../nodes/assignment.rules.js';
import { count, port, time, timeOrNone, type Setting } from '../lib/config/setting.js';

export const SERVER_SETTINGS = {
  dataDir: {
    env: 'MAILKEEL_DATA_DIR',
    kind: 'string',
    default: './data',
    meaning: 'Folder of the database, keys, spool and backups.',
  },
  databaseUrl: {
    env: 'MAILKEEL_DATABASE_URL',
    kind: 'url',
    protocols: ['postgres:', 'postgresql:'],
    default: null,
    secret: true,
    meaning:
      'PostgreSQL server (15 or newer) and database that keep the data, instead of SQLite in the data folder: ' +
      '`postgres://user:password@host:5432/database?sslmode=verify-full`.',
  },
  roles: {
    env: 'MAILKEEL_ROLES',
    kind: 'names',
    values: ROLES,
    default: ROLES.join(','),
    meaning:
      'What this node does, where several work on one PostgreSQL database: `api` (HTTP), `relay` and `inbound` (SMTP), `mta` (delivery), ' +
      '`webhooks`, `schedules` (campaigns, sequences, imports, sweeps), `dns` (the delegated zone). Some node must have each.',
  },
  moveTo: {
    env: 'MAILKEEL_MOVE_TO',
    kind: 'string',
    default: null,
    secret: true,
    meaning:
      'Target of `mailkeel admin move`, in place of `--to`: a postgres:// URL with its password, or the path of a data folder.',
  },
  masterKeyFile: {
    env: 'MAILKEEL_MASTER_KEY_FILE',
    kind: 'string',
    default: null,
    meaning:
      'File with the master key, such as a secret of the supervisor; otherwise it is in the data folder.',
  },
  httpHost: {
    env: 'MAILKEEL_HTTP_HOST',
    kind: 'string',
    default: '0.0.0.0',
    meaning: 'Address that the API listens on.',
  },
  httpPort: {
    env: 'MAILKEEL_HTTP_PORT',
    ...port,
    default: '8080',
    meaning: 'Port of the API; 0 takes a free one.',
  },
  publicUrl: {
    env: 'MAILKEEL_PUBLIC_URL',
    kind: 'url',
    protocols: ['http:', 'https:'],
    default: null,
    derived: 'http://localhost and the HTTP port',
    meaning: 'Base of the tracking, unsubscribe and share links in mail.',
  },
  hostname: {
    env: 'MAILKEEL_HOSTNAME',
    kind: 'hostname',
    default: null,
    derived: "the machine's name",
    meaning: 'Name given in EHLO; should be the reverse DNS name of the sending address.',
  },
  platformDomain: {
    env: 'MAILKEEL_PLATFORM_DOMAIN',
    kind: 'hostname',
    default: null,
    meaning:
      "The appliance's own domain: a second DKIM signature on all mail, and the sender of its own mail.",
  },
  securityContact: {
    env: 'MAILKEEL_SECURITY_CONTACT',
    kind: 'string',
    default: null,
    meaning:
      'Mail address or https page for reports of security problems; shown in `/.well-known/security.txt`, which is absent without it.',
  },
  ownerEmail: {
    env: 'MAILKEEL_OWNER_EMAIL',
    kind: 'string',
    default: null,
    meaning: 'With the password: the account of the owner, made at the first start.',
  },
  ownerPassword: {
    env: 'MAILKEEL_OWNER_PASSWORD',
    kind: 'string',
    default: null,
    secret: true,
    meaning: 'Password of the owner at the first start.',
  },
  logLevel: {
    env: 'MAILKEEL_LOG_LEVEL',
    kind: 'enum',
    values: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    default: 'info',
    meaning: 'Least severe level that is logged.',
  },
  shutdownDrainMs: {
    env: 'MAILKEEL_SHUTDOWN_DRAIN',
    ...timeOrNone,
    default: '10s',
    meaning:
      'How long a stopping node goes on answering, with /readyz 503, so that load balancers notice; longer than their checks take. A server without living peers does not wait.',
  },
  shutdownGraceMs: {
    env: 'MAILKEEL_SHUTDOWN_GRACE',
    ...timeOrNone,
    default: '60s',
    meaning: 'How long a stopping server then waits for requests and for sessions past DATA.',
  },
  minFreeDiskBytes: {
    env: 'MAILKEEL_MIN_FREE_DISK',
    kind: 'bytes',
    default: '200MiB',
    meaning:
      'Free space of the data folder below which nothing new is stored: mail is refused (452, 503), and campaigns wait. Exports and imports stop at twice that. Accepted mail is still delivered.',
  },
} as const satisfies Record<string, Setting>;

export const API_SETTINGS = {
  rateLimitLivePerMinute: {
    env: 'MAILKEEL_RATE_LIMIT_LIVE',
    kind: 'rate',
    default: '6000/min',
    meaning: 'Requests of all live keys of a workspace together, and half of it of one sub-tenant; 0 is off.',
  },
  rateLimitTestPerMinute: {
    env: 'MAILKEEL_RATE_LIMIT_TEST',
    kind: 'rate',
    default: '300/min',
    meaning: 'Requests of all test keys of a workspace together, and half of it of one sub-tenant; 0 is off.',
  },
  rateLimitAuthFailuresPerMinute: {
    env: 'MAILKEEL_RATE_LIMIT_AUTH_FAILURES',
    kind: 'rate',
    default: '30/min',
    meaning: 'Failed authentications of one client address; 0 is off.',
  },
  rateLimitNewKeysPerMinute: {
    env: 'MAILKEEL_RATE_LIMIT_NEW_KEYS',
    kind: 'rate',
    default: '30/min',
    meaning:
      'Requests of one workspace, or of one of its sub-tenants, that make DKIM keys: new sub-tenants, new senders and key rotations. Each key pair takes a quarter of a second of a core; 0 is off.',
  },
  trustedProxies: {
    env: 'MAILKEEL_TRUSTED_PROXIES',
    kind: 'ranges',
    default: null,
    meaning: 'Addresses and ranges, separated by commas, of proxies whose X-Forwarded-For names the client.',
  },
  compat: {
    env: 'MAILKEEL_COMPAT',
    kind: 'names',
    values: ['on', 'off', 'resend', 'postmark', 'sendgrid', 'mailgun'],
    default: 'on',
    meaning:
      "Whether clients of other vendors are served below /compat/: on, off, or the vendors' names, separated by commas.",
  },
  messageSizeLimitBytes: {
    env: 'MAILKEEL_MESSAGE_SIZE_LIMIT',
    kind: 'bytes',
    default: '35MiB',
    meaning: 'Largest composed message on the wire.',
  },
  renderThreads: {
    env: 'MAILKEEL_RENDER_THREADS',
    ...count,
    max: 64,
    default: '2',
    meaning: 'Worker threads for templates; with one, a bad template delays everybody for its time limit.',
  },
  importSizeLimitBytes: {
    env: 'MAILKEEL_IMPORT_SIZE_LIMIT',
    kind: 'bytes',
    default: '1GiB',
    meaning:
      'Largest file of contacts or suppressions that an import takes. A million contacts are about 80 MB; the file also counts towards the file quota.',
  },
  fileQuotaBytes: {
    env: 'MAILKEEL_FILE_QUOTA',
    kind: 'bytes',
    default: '5GiB',
    meaning:
      'Files of imports, exports and bulk actions of a workspace together, and half of it of one sub-tenant.',
  },
} as const satisfies Record<string, Setting>;

export const TLS_SETTINGS = {
  https: {
    env: 'MAILKEEL_HTTPS',
    kind: 'bool',
    default: 'true',
    meaning: 'Serves the API over TLS too.',
  },
  httpsPort: {
    env: 'MAILKEEL_HTTPS_PORT',
    ...port,
    default: '8443',
    meaning: 'Port of the API over TLS; 0 takes a free one.',
  },
  tlsCertFile: {
    env: 'MAILKEEL_TLS_CERT',
    kind: 'string',
    default: null,
    meaning: 'PEM file of the certificate chain for HTTPS and SMTP; without it a self-signed one is made.',
  },
  tlsKeyFile: {
    env: 'MAILKEEL_TLS_KEY',
    kind: 'string',
    default: null,
    meaning: 'PEM file of its private key.',
  },
  acmeEmail: {
    env: 'MAILKEEL_ACME_EMAIL',
    kind: 'string',
    default: null,
    meaning:
      'Fetches a certificate by ACME (HTTP-01) with this contact address; agrees to the terms of service.',
  },
  acmeDomains: {
    env: 'MAILKEEL_ACME_DOMAINS',
    kind: 'names',
    default: null,
    meaning:
      'Names of the certificate, separated by commas; without it the host name and that of the public URL.',
  },
  acmePort: {
    env: 'MAILKEEL_ACME_PORT',
    ...port,
    default: '80',
    meaning:
      'Port on MAILKEEL_INBOUND_HOST that answers the HTTP-01 challenge; 0: only the API port does, behind a proxy.',
  },
  acmeDirectory: {
    env: 'MAILKEEL_ACME_DIRECTORY',
    kind: 'url',
    protocols: ['https:'],
    default: 'https://acme-v02.api.letsencrypt.org/directory',
    meaning: 'Directory of the ACME server.',
  },
  extraCaFile: {
    env: 'MAILKEEL_EXTRA_CA_FILE',
    kind: 'string',
    default: null,
    meaning:
      'PEM file of certificate authorities trusted besides the public ones: of mail servers, policy hosts, webhooks, links, reports, ACME and backups. NODE_EXTRA_CA_CERTS does not count then.',
  },
} as const satisfies Record<string, Setting>;

export const PEOPLE_SETTINGS = {
  workspaceLimit: {
    env: 'MAILKEEL_WORKSPACES',
    kind: 'int',
    min: 1,
    max: 100_000,
    default: '1000',
    meaning: 'Most workspaces of the appliance.',
  },
  sessionLifetimeMs: {
    env: 'MAILKEEL_SESSION_LIFETIME',
    ...time,
    default: '30d',
    meaning: 'How long a person stays signed in at most.',
  },
  sessionIdleMs: {
    env: 'MAILKEEL_SESSION_IDLE',
    ...time,
    default: '3d',
    meaning: 'How long a person stays signed in without a request.',
  },
  signInFailures: {
    env: 'MAILKEEL_SIGN_IN_FAILURES',
    ...count,
    default: '10',
    meaning:
      'Failed sign-ins in a row after which each further one has to wait, from places that never signed in before.',
  },
  signInLockMs: {
    env: 'MAILKEEL_SIGN_IN_LOCK',
    ...time,
    default: '15m',
    meaning: 'The longest such wait; the first is a sixteenth of it, and each failure doubles it.',
  },
} as const satisfies Record<string, Setting>;

export const RETENTION_SETTINGS = {
  retentionDays: {
    env: 'MAILKEEL_RETENTION_DAYS',
    kind: 'int',
    min: 0,
    max: 36_500,
    default: '0',
    meaning: 'Days that the content of messages is kept, where the workspace does not say; 0: for ever.',
  },
  retentionMode: {
    env: 'MAILKEEL_RETENTION_MODE',
    kind: 'enum',
    values: ['redact', 'delete'],
    default: 'redact',
    meaning:
      'What happens to messages then: their content and persons go (redact), or all but the digests of their events (delete).',
  },
  unsubscribeKeepMs: {
    env: 'MAILKEEL_UNSUBSCRIBE_KEEP',
    ...timeOrNone,
    default: '60d',
    meaning:
      'How long the recipient of marketing and sales mail is kept at least, so that its link to unsubscribe works.',
  },
  eventArchive: {
    env: 'MAILKEEL_EVENT_ARCHIVE',
    kind: 'bool',
    default: 'true',
    meaning:
      'Moves the events of deleted messages from the database into signed files of the folder archive; without it they stay for ever.',
  },
  attemptKeepMs: {
    env: 'MAILKEEL_ATTEMPT_KEEP',
    ...time,
    default: '90d',
    meaning: 'How long the SMTP dialogues of delivery attempts are kept.',
  },
  webhookKeepMs: {
    env: 'MAILKEEL_WEBHOOK_KEEP',
    ...time,
    default: '30d',
    meaning: 'How long ended webhook deliveries are kept.',
  },
  inboundKeepMs: {
    env: 'MAILKEEL_INBOUND_KEEP',
    ...time,
    default: '30d',
    meaning: 'How long the octets of bounces, complaints and other mail that became no message are kept.',
  },
  transferKeepMs: {
    env: 'MAILKEEL_TRANSFER_KEEP',
    ...time,
    default: '7d',
    meaning: 'How long the files of finished imports and exports are kept.',
  },
  requestLogKeepMs: {
    env: 'MAILKEEL_REQUEST_LOG_KEEP',
    ...timeOrNone,
    default: '30d',
    meaning: 'How long requests to the API are kept, without secrets and persons; 0 keeps none.',
  },
  auditKeepMs: {
    env: 'MAILKEEL_AUDIT_KEEP',
    ...time,
    default: '730d',
    meaning: 'How long the audit log is kept.',
  },
} as const satisfies Record<string, Setting>;

export const BACKUP_SETTINGS = {
  upgradeCopy: {
    env: 'MAILKEEL_UPGRADE_COPY',
    kind: 'bool',
    default: 'true',
    meaning:
      'Copies the database to the folder before-upgrade before a new release changes its tables, where there is room.',
  },
  backupSchedule: {
    env: 'MAILKEEL_BACKUP_SCHEDULE',
    kind: 'cron',
    default: null,
    meaning:
      'When backups are made, a cron pattern in UTC such as `17 3 * * *`; without it only by hand: mailkeel admin backup.',
  },
  backupTo: {
    env: 'MAILKEEL_BACKUP_TO',
    kind: 'string',
    default: null,
    derived: 'the folder backups in the data folder',
    meaning: 'Folder of the backups, or s3://bucket/prefix. A folder on another disk survives this one.',
  },
  backupKeep: {
    env: 'MAILKEEL_BACKUP_KEEP',
    kind: 'int',
    min: 1,
    max: 10_000,
    default: '7',
    meaning:
      'Backups of this appliance that are kept in that place; older ones are removed after a new one is good.',
  },
  backupPassphrase: {
    env: 'MAILKEEL_BACKUP_PASSPHRASE',
    kind: 'string',
    default: null,
    secret: true,
    meaning:
      'Puts the key files into each backup, sealed under this passphrase of at least 12 characters. Keep it elsewhere.',
  },
  backupS3Endpoint: {
    env: 'MAILKEEL_BACKUP_S3_ENDPOINT',
    kind: 'url',
    protocols: ['http:', 'https:'],
    default: null,
    meaning: "Address of the S3-compatible store; without it AWS's own of the region.",
  },
  backupS3Region: {
    env: 'MAILKEEL_BACKUP_S3_REGION',
    kind: 'string',
    default: 'us-east-1',
    meaning: 'Region of the bucket.',
  },
  backupS3AccessKeyId: {
    env: 'MAILKEEL_BACKUP_S3_ACCESS_KEY_ID',
    kind: 'string',
    default: null,
    meaning: 'Access key that may list, read, write and delete below the prefix.',
  },
  backupS3SecretAccessKey: {
    env: 'MAILKEEL_BACKUP_S3_SECRET_ACCESS_KEY',
    kind: 'string',
    default: null,
    secret: true,
    meaning: 'Its secret.',
  },
} as const satisfies Record<string, Setting>;
