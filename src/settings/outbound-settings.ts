// Settings of outbound mail: queue and retries, sources and routes, DNS, TLS policies, and their checks.
import { count, port, type Setting, time, timeOrNone } from '../lib/config/index.js';

export const DELIVERY_SETTINGS = {
  smarthost: {
    env: 'MAILKEEL_SMARTHOST',
    kind: 'url',
    protocols: ['smtp:', 'smtps:'],
    default: null,
    secret: true,
    meaning: 'Relay for all outgoing mail instead of direct delivery: smtp[s]://user:password@host:port.',
  },
  sourceAddresses: {
    env: 'MAILKEEL_SOURCE_ADDRESSES',
    kind: 'string',
    default: null,
    meaning:
      'Sending addresses, separated by commas: ip, ip=ehlo.name or [v6]=ehlo.name, optionally prefixed with pool/.',
  },
  outbound: {
    env: 'MAILKEEL_OUTBOUND',
    kind: 'json',
    default: null,
    secret: true,
    meaning: 'JSON definition of sources, pools, smarthosts and routes. See docs/shaping.md.',
  },
  shaping: {
    env: 'MAILKEEL_SHAPING',
    kind: 'json',
    default: null,
    meaning: 'JSON limits and automation rules that override config/shaping.json. See docs/shaping.md.',
  },
  bounceDomain: {
    env: 'MAILKEEL_BOUNCE_DOMAIN',
    kind: 'hostname',
    default: null,
    derived: 'the host name',
    meaning: 'Domain of the return path.',
  },
  mtaWorkers: {
    env: 'MAILKEEL_MTA_WORKERS',
    ...count,
    max: 256,
    default: null,
    derived: 'number of CPU cores minus one, at least 1',
    meaning: 'Worker threads that compose, sign and deliver mail.',
  },
  destinationConnections: {
    env: 'MAILKEEL_DESTINATION_CONNECTIONS',
    ...count,
    default: '10',
    meaning:
      'Maximum connections from one source to one destination, unless the shaping rules set another limit.',
  },
  retryScheduleMs: {
    env: 'MAILKEEL_RETRY_SCHEDULE',
    kind: 'schedule',
    default: '1m,5m,15m,30m,1h,2h,4h…',
    meaning: 'Delays between attempts of deferred mail. The last delay repeats until the message expires.',
  },
  queueLifetimeMs: {
    env: 'MAILKEEL_QUEUE_LIFETIME',
    ...time,
    default: '48h',
    meaning: 'How long to retry a message before it bounces.',
  },
  marketingQueueLifetimeMs: {
    env: 'MAILKEEL_MARKETING_QUEUE_LIFETIME',
    ...time,
    default: '36h',
    meaning: 'How long to retry a marketing message, if shorter than `MAILKEEL_QUEUE_LIFETIME`.',
  },
  approvalTtlMs: {
    env: 'MAILKEEL_APPROVAL_TTL',
    ...time,
    default: '72h',
    meaning: 'How long a message waits for approval before it is canceled.',
  },
  ambiguousHoldMs: {
    env: 'MAILKEEL_AMBIGUOUS_HOLD',
    ...timeOrNone,
    default: '15m',
    meaning:
      'Minimum delay before a retry if the connection is lost between the final dot and the reply, so that delivery is uncertain.',
  },
  ambiguousTransactional: {
    env: 'MAILKEEL_AMBIGUOUS_TRANSACTIONAL',
    kind: 'enum',
    values: ['retry', 'leave_sent'],
    default: 'retry',
    meaning:
      'What to do with a transactional message whose delivery is uncertain: retry it and risk a duplicate, or leave it as sent.',
  },
  ambiguousMarketing: {
    env: 'MAILKEEL_AMBIGUOUS_MARKETING',
    kind: 'enum',
    values: ['retry', 'leave_sent'],
    default: 'leave_sent',
    meaning:
      'What to do with a marketing or sales message whose delivery is uncertain: retry it and risk a duplicate, or leave it as sent.',
  },
  mxPort: { env: 'MAILKEEL_MX_PORT', ...port, min: 1, default: '25', meaning: 'Port for direct delivery.' },
  allowPrivateMx: {
    env: 'MAILKEEL_ALLOW_PRIVATE_MX',
    kind: 'bool',
    default: 'false',
    meaning: 'Allow delivery to private and loopback addresses.',
  },
  smtpConnectTimeoutMs: {
    env: 'MAILKEEL_SMTP_CONNECT_TIMEOUT',
    ...time,
    default: '30s',
    meaning: 'Timeout for connecting to one address.',
  },
  smtpDotTimeoutMs: {
    env: 'MAILKEEL_SMTP_DOT_TIMEOUT',
    ...time,
    default: '600s',
    meaning: 'Timeout for the reply to the final dot. A short timeout can cause duplicates.',
  },
} as const satisfies Record<string, Setting>;

export const TLS_POLICY_SETTINGS = {
  dane: {
    env: 'MAILKEEL_DANE',
    kind: 'bool',
    default: 'false',
    meaning:
      'Enforce the TLSA records of recipient domains (DANE). Requires a validating resolver on this machine.',
  },
  daneResolver: {
    env: 'MAILKEEL_DANE_RESOLVER',
    kind: 'string',
    default: null,
    meaning:
      'Validating resolver for DANE, as ip or ip:port. Defaults to the first of MAILKEEL_DNS_SERVERS or of the system.',
  },
  mtaStsPort: {
    env: 'MAILKEEL_MTA_STS_PORT',
    ...port,
    min: 1,
    default: '443',
    meaning: 'Port for fetching MTA-STS policies.',
  },
  mtaStsMode: {
    env: 'MAILKEEL_MTA_STS_MODE',
    kind: 'enum',
    values: ['testing', 'enforce', 'none'],
    default: 'testing',
    meaning: "Mode of the MTA-STS policy for Mailkeel's inbound domains. `none` withdraws the policy.",
  },
  tlsReports: {
    env: 'MAILKEEL_TLS_REPORTS',
    kind: 'bool',
    default: 'true',
    meaning: 'Send daily TLS reports to domains that request them.',
  },
  tlsReportAddress: {
    env: 'MAILKEEL_TLS_REPORT_ADDRESS',
    kind: 'string',
    default: null,
    meaning: 'Address where other servers send TLS reports about the inbound domains.',
  },
  tlsReportOrganization: {
    env: 'MAILKEEL_TLS_REPORT_ORGANIZATION',
    kind: 'string',
    default: null,
    meaning: 'Organization name in TLS reports. Defaults to the platform domain or the host name.',
  },
  tlsReportContact: {
    env: 'MAILKEEL_TLS_REPORT_CONTACT',
    kind: 'string',
    default: null,
    meaning: 'Contact address in TLS reports. Defaults to postmaster at the same domain.',
  },
} as const satisfies Record<string, Setting>;

export const DNS_SETTINGS = {
  dnsServers: {
    env: 'MAILKEEL_DNS_SERVERS',
    kind: 'servers',
    default: '',
    derived: "the system's servers",
    meaning: 'DNS servers for MX, address and TXT lookups, as ip or ip:port, separated by commas.',
  },
  dnsTimeoutMs: {
    env: 'MAILKEEL_DNS_TIMEOUT',
    ...time,
    default: '5s',
    meaning: 'Timeout for one query to one DNS server.',
  },
  dnsCacheMs: {
    env: 'MAILKEEL_DNS_CACHE',
    ...timeOrNone,
    default: '5m',
    meaning: 'Maximum time a DNS answer is cached.',
  },
  dnsNegativeCacheMs: {
    env: 'MAILKEEL_DNS_NEGATIVE_CACHE',
    ...timeOrNone,
    default: '1m',
    meaning: 'How long a missing DNS record is cached.',
  },
} as const satisfies Record<string, Setting>;

export const PREFLIGHT_SETTINGS = {
  preflight: {
    env: 'MAILKEEL_PREFLIGHT',
    kind: 'bool',
    default: 'true',
    meaning:
      'Check at startup and every hour whether mail can be sent: port 25, PTR, SPF, DNS records, disk space.',
  },
  preflightDomains: {
    env: 'MAILKEEL_PREFLIGHT_DOMAINS',
    kind: 'names',
    default: 'gmail.com,outlook.com,yahoo.com',
    meaning: 'Domains whose mail servers are used to test whether port 25 is open, separated by commas.',
  },
  preflightClockUrl: {
    env: 'MAILKEEL_PREFLIGHT_CLOCK_URL',
    kind: 'url',
    protocols: ['http:', 'https:'],
    default: null,
    meaning: 'Web server used to check the system clock.',
  },
  dnsbls: {
    env: 'MAILKEEL_DNSBLS',
    kind: 'names',
    default: null,
    meaning: 'DNS block lists to check the sending addresses against, separated by commas.',
  },
} as const satisfies Record<string, Setting>;
