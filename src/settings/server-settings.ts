// Settings of the server itself: data folder and ports, API, TLS, people, and retention.
import { NODE_ROLES } from '../contract/names.js';
import { count, port, type Setting, time, timeOrNone } from '../lib/config/index.js';

export const SERVER_SETTINGS = {
  dataDir: {
    env: 'MAILKEEL_DATA_DIR',
    kind: 'string',
    default: './data',
    meaning: 'Folder for the database, keys, spool and backups.',
  },
  databaseUrl: {
    env: 'MAILKEEL_DATABASE_URL',
    kind: 'url',
    protocols: ['postgres:', 'postgresql:'],
    default: null,
    secret: true,
    meaning:
      'PostgreSQL database (version 15 or newer) to use instead of SQLite in the data folder: `postgres://user:password@host:5432/database?sslmode=verify-full`.',
  },
  roles: {
    env: 'MAILKEEL_ROLES',
    kind: 'names',
    values: NODE_ROLES,
    default: NODE_ROLES.join(','),
    meaning:
      'Roles of this node if several nodes share a PostgreSQL database: `api` (HTTP), `relay` and `inbound` (SMTP), `mta` (delivery), `webhooks`, `schedules` (campaigns, sequences, imports, sweeps), `dns` (delegated zone). Each role must run on at least one node.',
  },
  moveTo: {
    env: 'MAILKEEL_MOVE_TO',
    kind: 'string',
    default: null,
    secret: true,
    meaning:
      'Default for `--to` of `mailkeel admin move`: a postgres:// URL with password, or the path of a data folder.',
  },
  masterKeyFile: {
    env: 'MAILKEEL_MASTER_KEY_FILE',
    kind: 'string',
    default: null,
    meaning:
      'File that contains the master key, such as a mounted secret. Defaults to a file in the data folder.',
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
    meaning: 'HTTP port of the API. 0 selects a free port.',
  },
  publicUrl: {
    env: 'MAILKEEL_PUBLIC_URL',
    kind: 'url',
    protocols: ['http:', 'https:'],
    default: null,
    derived: 'http://localhost and the HTTP port',
    meaning: 'Base URL of tracking, unsubscribe and share links.',
  },
  hostname: {
    env: 'MAILKEEL_HOSTNAME',
    kind: 'hostname',
    default: null,
    derived: "the machine's name",
    meaning: 'Name sent in EHLO. Should match the reverse DNS name of the sending address.',
  },
  platformDomain: {
    env: 'MAILKEEL_PLATFORM_DOMAIN',
    kind: 'hostname',
    default: null,
    meaning:
      "Mailkeel's own domain. Adds a second DKIM signature to all mail and is the sender domain of system mail.",
  },
  securityContact: {
    env: 'MAILKEEL_SECURITY_CONTACT',
    kind: 'string',
    default: null,
    meaning:
      'Email address or https URL for security reports, published in `/.well-known/security.txt`. The file is not served if unset.',
  },
  ownerEmail: {
    env: 'MAILKEEL_OWNER_EMAIL',
    kind: 'string',
    default: null,
    meaning: 'Email address of the owner account created at first start. Requires MAILKEEL_OWNER_PASSWORD.',
  },
  ownerPassword: {
    env: 'MAILKEEL_OWNER_PASSWORD',
    kind: 'string',
    default: null,
    secret: true,
    meaning: 'Password of the owner account created at first start.',
  },
  logLevel: {
    env: 'MAILKEEL_LOG_LEVEL',
    kind: 'enum',
    values: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    default: 'info',
    meaning: 'Minimum level of log messages.',
  },
  shutdownDrainMs: {
    env: 'MAILKEEL_SHUTDOWN_DRAIN',
    ...timeOrNone,
    default: '10s',
    meaning:
      'How long a stopping node keeps serving requests while /readyz returns 503, so that load balancers can remove it. Must be longer than they need to notice. Skipped if no other node is running.',
  },
  shutdownGraceMs: {
    env: 'MAILKEEL_SHUTDOWN_GRACE',
    ...timeOrNone,
    default: '60s',
    meaning:
      'How long a stopping server waits for open requests and for SMTP sessions past DATA, after the drain.',
  },
  minFreeDiskBytes: {
    env: 'MAILKEEL_MIN_FREE_DISK',
    kind: 'bytes',
    default: '200MiB',
    meaning:
      'Minimum free disk space in the data folder. Below it, new mail is refused (452, 503) and campaigns wait, but accepted mail is still delivered. Exports and imports stop at twice this value.',
  },
} as const satisfies Record<string, Setting>;

export const API_SETTINGS = {
  rateLimitLivePerMinute: {
    env: 'MAILKEEL_RATE_LIMIT_LIVE',
    kind: 'rate',
    default: '6000/min',
    meaning: 'Requests with live keys per workspace. A sub-tenant can use half of it. 0 disables the limit.',
  },
  rateLimitTestPerMinute: {
    env: 'MAILKEEL_RATE_LIMIT_TEST',
    kind: 'rate',
    default: '300/min',
    meaning: 'Requests with test keys per workspace. A sub-tenant can use half of it. 0 disables the limit.',
  },
  rateLimitAuthFailuresPerMinute: {
    env: 'MAILKEEL_RATE_LIMIT_AUTH_FAILURES',
    kind: 'rate',
    default: '30/min',
    meaning: 'Failed authentications per client address. 0 disables the limit.',
  },
  rateLimitNewKeysPerMinute: {
    env: 'MAILKEEL_RATE_LIMIT_NEW_KEYS',
    kind: 'rate',
    default: '30/min',
    meaning:
      'Requests that create DKIM keys (new sub-tenants, new senders, key rotations), per workspace or sub-tenant. Each key pair takes 0.25 s of CPU time. 0 disables the limit.',
  },
  trustedProxies: {
    env: 'MAILKEEL_TRUSTED_PROXIES',
    kind: 'ranges',
    default: null,
    meaning:
      'Addresses and ranges of trusted proxies, separated by commas. Their X-Forwarded-For header determines the client address.',
  },
  compat: {
    env: 'MAILKEEL_COMPAT',
    kind: 'names',
    values: ['on', 'off', 'resend', 'postmark', 'sendgrid', 'mailgun', 'ses'],
    default: 'on',
    meaning: 'Enable the compatibility APIs under /compat/: on, off, or vendor names separated by commas.',
  },
  mcp: {
    env: 'MAILKEEL_MCP',
    kind: 'bool',
    default: 'true',
    meaning: 'Enable the MCP server for AI agents at /mcp, and the OAuth sign-in of its clients.',
  },
  messageSizeLimitBytes: {
    env: 'MAILKEEL_MESSAGE_SIZE_LIMIT',
    kind: 'bytes',
    default: '35MiB',
    meaning: 'Maximum size of a composed message.',
  },
  renderThreads: {
    env: 'MAILKEEL_RENDER_THREADS',
    ...count,
    max: 64,
    default: '2',
    meaning:
      'Worker threads that render templates. With a single thread, a slow template delays all others until its time limit.',
  },
  importSizeLimitBytes: {
    env: 'MAILKEEL_IMPORT_SIZE_LIMIT',
    kind: 'bytes',
    default: '1GiB',
    meaning:
      'Maximum size of an imported file of contacts or suppressions. One million contacts take about 80 MB. The file also counts toward `MAILKEEL_FILE_QUOTA`.',
  },
  fileQuotaBytes: {
    env: 'MAILKEEL_FILE_QUOTA',
    kind: 'bytes',
    default: '5GiB',
    meaning:
      'Total size of import, export and bulk action files per workspace. A sub-tenant can use half of it.',
  },
} as const satisfies Record<string, Setting>;

export const TLS_SETTINGS = {
  https: {
    env: 'MAILKEEL_HTTPS',
    kind: 'bool',
    default: 'true',
    meaning: 'Also serve the API over HTTPS.',
  },
  httpsPort: {
    env: 'MAILKEEL_HTTPS_PORT',
    ...port,
    default: '8443',
    meaning: 'HTTPS port of the API. 0 selects a free port.',
  },
  tlsCertFile: {
    env: 'MAILKEEL_TLS_CERT',
    kind: 'string',
    default: null,
    meaning:
      'PEM file with the certificate chain for HTTPS and SMTP. Mailkeel creates a self-signed certificate if unset.',
  },
  tlsKeyFile: {
    env: 'MAILKEEL_TLS_KEY',
    kind: 'string',
    default: null,
    meaning: 'PEM file with the private key of the certificate.',
  },
  acmeEmail: {
    env: 'MAILKEEL_ACME_EMAIL',
    kind: 'string',
    default: null,
    meaning:
      'Contact address for ACME. If set, Mailkeel gets a certificate by ACME (HTTP-01) and accepts the terms of service.',
  },
  acmeDomains: {
    env: 'MAILKEEL_ACME_DOMAINS',
    kind: 'names',
    default: null,
    meaning:
      'Names in the certificate, separated by commas. Defaults to the host name and the host of the public URL.',
  },
  acmePort: {
    env: 'MAILKEEL_ACME_PORT',
    ...port,
    default: '80',
    meaning:
      'Port on MAILKEEL_INBOUND_HOST for the HTTP-01 challenge. With 0, only the API port answers the challenge, for use behind a proxy.',
  },
  acmeDirectory: {
    env: 'MAILKEEL_ACME_DIRECTORY',
    kind: 'url',
    protocols: ['https:'],
    default: 'https://acme-v02.api.letsencrypt.org/directory',
    meaning: 'Directory URL of the ACME server.',
  },
  extraCaFile: {
    env: 'MAILKEEL_EXTRA_CA_FILE',
    kind: 'string',
    default: null,
    meaning:
      'PEM file of additional trusted certificate authorities for mail servers, policy hosts, webhooks, links, reports, ACME and backups. NODE_EXTRA_CA_CERTS is ignored if this is set.',
  },
} as const satisfies Record<string, Setting>;

export const PEOPLE_SETTINGS = {
  workspaceLimit: {
    env: 'MAILKEEL_WORKSPACES',
    kind: 'int',
    min: 1,
    max: 100_000,
    default: '1000',
    meaning: 'Maximum number of workspaces.',
  },
  sessionLifetimeMs: {
    env: 'MAILKEEL_SESSION_LIFETIME',
    ...time,
    default: '30d',
    meaning: 'Maximum lifetime of a user session.',
  },
  sessionIdleMs: {
    env: 'MAILKEEL_SESSION_IDLE',
    ...time,
    default: '3d',
    meaning: 'Time without requests after which a user session ends.',
  },
  signInFailures: {
    env: 'MAILKEEL_SIGN_IN_FAILURES',
    ...count,
    default: '10',
    meaning: 'Consecutive failed sign-ins before further attempts from unknown locations are delayed.',
  },
  signInLockMs: {
    env: 'MAILKEEL_SIGN_IN_LOCK',
    ...time,
    default: '15m',
    meaning:
      'Maximum delay after failed sign-ins. The first delay is 1/16 of it and doubles with each failure.',
  },
} as const satisfies Record<string, Setting>;

export const RETENTION_SETTINGS = {
  retentionDays: {
    env: 'MAILKEEL_RETENTION_DAYS',
    kind: 'int',
    min: 0,
    max: 36_500,
    default: '0',
    meaning: 'Days to keep message content, unless the workspace sets its own retention. 0 keeps it forever.',
  },
  retentionMode: {
    env: 'MAILKEEL_RETENTION_MODE',
    kind: 'enum',
    values: ['redact', 'delete'],
    default: 'redact',
    meaning:
      'What to remove when the retention period ends: content and personal data (`redact`), or everything except event digests (`delete`).',
  },
  unsubscribeKeepMs: {
    env: 'MAILKEEL_UNSUBSCRIBE_KEEP',
    ...timeOrNone,
    default: '60d',
    meaning:
      'Minimum time to keep the recipients of marketing and sales mail, so that their unsubscribe links work.',
  },
  eventArchive: {
    env: 'MAILKEEL_EVENT_ARCHIVE',
    kind: 'bool',
    default: 'true',
    meaning:
      'Move the events of deleted messages from the database to signed files in the archive folder. If disabled, events stay in the database forever.',
  },
  attemptKeepMs: {
    env: 'MAILKEEL_ATTEMPT_KEEP',
    ...time,
    default: '90d',
    meaning: 'How long to keep the SMTP conversations of delivery attempts.',
  },
  webhookKeepMs: {
    env: 'MAILKEEL_WEBHOOK_KEEP',
    ...time,
    default: '30d',
    meaning: 'How long to keep finished webhook deliveries.',
  },
  inboundKeepMs: {
    env: 'MAILKEEL_INBOUND_KEEP',
    ...time,
    default: '30d',
    meaning:
      'How long to keep the raw content of inbound mail that did not become a message, such as bounces and complaints.',
  },
  transferKeepMs: {
    env: 'MAILKEEL_TRANSFER_KEEP',
    ...time,
    default: '7d',
    meaning: 'How long to keep the files of finished imports and exports.',
  },
  requestLogKeepMs: {
    env: 'MAILKEEL_REQUEST_LOG_KEEP',
    ...timeOrNone,
    default: '30d',
    meaning:
      'How long to keep the API request log, which contains no secrets or personal data. 0 disables the log.',
  },
  auditKeepMs: {
    env: 'MAILKEEL_AUDIT_KEEP',
    ...time,
    default: '730d',
    meaning: 'How long to keep the audit log.',
  },
} as const satisfies Record<string, Setting>;

export const BACKUP_SETTINGS = {
  upgradeCopy: {
    env: 'MAILKEEL_UPGRADE_COPY',
    kind: 'bool',
    default: 'true',
    meaning:
      'Copy the database to the before-upgrade folder before a new release changes its tables, if there is enough disk space.',
  },
  backupSchedule: {
    env: 'MAILKEEL_BACKUP_SCHEDULE',
    kind: 'cron',
    default: null,
    meaning:
      'Backup schedule (cron expression in UTC), for example `17 3 * * *`. If unset, create backups with `mailkeel admin backup`.',
  },
  backupTo: {
    env: 'MAILKEEL_BACKUP_TO',
    kind: 'string',
    default: null,
    derived: 'the backups folder in the data folder',
    meaning: 'Folder for backups, or s3://bucket/prefix. Use another disk or S3 to survive a disk failure.',
  },
  backupKeep: {
    env: 'MAILKEEL_BACKUP_KEEP',
    kind: 'int',
    min: 1,
    max: 10_000,
    default: '7',
    meaning: 'Number of backups to keep. Older backups are deleted after each successful backup.',
  },
  backupPassphrase: {
    env: 'MAILKEEL_BACKUP_PASSPHRASE',
    kind: 'string',
    min: 12,
    default: null,
    secret: true,
    meaning:
      'Passphrase (at least 12 characters) that encrypts the key files in each backup. Key files are not backed up if unset. Store the passphrase elsewhere.',
  },
  backupS3Endpoint: {
    env: 'MAILKEEL_BACKUP_S3_ENDPOINT',
    kind: 'url',
    protocols: ['http:', 'https:'],
    default: null,
    meaning: 'URL of the S3-compatible store. Defaults to the AWS endpoint of the region.',
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
    meaning: 'Access key ID with permission to list, read, write and delete under the prefix.',
  },
  backupS3SecretAccessKey: {
    env: 'MAILKEEL_BACKUP_S3_SECRET_ACCESS_KEY',
    kind: 'string',
    default: null,
    secret: true,
    meaning: 'Secret of the access key.',
  },
} as const satisfies Record<string, Setting>;

export const REPLICA_SETTINGS = {
  replicaTo: {
    env: 'MAILKEEL_REPLICA_TO',
    kind: 'string',
    default: null,
    meaning:
      'Folder on another disk, or s3://bucket/prefix, that receives every change of the embedded database. Buckets use the S3 settings of backups.',
  },
  replicaWait: {
    env: 'MAILKEEL_REPLICA_WAIT',
    kind: 'bool',
    default: 'false',
    meaning:
      'Accept a message only when the replica has it. While the replica cannot be reached, requests that write get 503 and SMTP clients 451.',
  },
  replicaIntervalMs: {
    env: 'MAILKEEL_REPLICA_INTERVAL',
    kind: 'duration',
    min: 100,
    max: 60_000,
    default: '1s',
    meaning:
      'How often changes are stored in the replica. Without MAILKEEL_REPLICA_WAIT, losing the machine loses the changes of this interval.',
  },
  replicaCopyMs: {
    env: 'MAILKEEL_REPLICA_COPY_EVERY',
    ...time,
    default: '1d',
    meaning:
      'How often the replica gets a new full copy. More frequent copies make restores faster but need more requests and storage.',
  },
  replicaKeepMs: {
    env: 'MAILKEEL_REPLICA_KEEP',
    ...time,
    default: '2d',
    meaning: 'How far back the database can be restored to any second.',
  },
} as const satisfies Record<string, Setting>;
