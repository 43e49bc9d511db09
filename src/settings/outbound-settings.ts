// Settings of how mail leaves: the queue and its retries, sources and routes, DNS, TLS policies, and the checks of all of them.
import { count, port, time, timeOrNone, type Setting } from '../lib/config/setting.js';

export const DELIVERY_SETTINGS = {
  smarthost: {
    env: 'MAILKEEL_SMARTHOST',
    kind: 'url',
    protocols: ['smtp:', 'smtps:'],
    default: null,
    secret: true,
    meaning: 'smtp[s]://user:password@host:port of a relay that takes all mail instead of direct delivery.',
  },
  sourceAddresses: {
    env: 'MAILKEEL_SOURCE_ADDRESSES',
    kind: 'string',
    default: null,
    meaning:
      'Addresses that mail leaves from, by commas: ip, ip=ehlo.name, [v6]=ehlo.name; pool/ may stand before.',
  },
  outbound: {
    env: 'MAILKEEL_OUTBOUND',
    kind: 'json',
    default: null,
    secret: true,
    meaning: 'Sources, pools, smarthosts and routes; see docs/shaping.md.',
  },
  shaping: {
    env: 'MAILKEEL_SHAPING',
    kind: 'json',
    default: null,
    meaning: 'Limits and automation rules that lie over those of config/shaping.json; see docs/shaping.md.',
  },
  bounceDomain: {
    env: 'MAILKEEL_BOUNCE_DOMAIN',
    kind: 'hostname',
    default: null,
    derived: 'the host name',
    meaning: "Domain of the platform's return path.",
  },
  mtaWorkers: {
    env: 'MAILKEEL_MTA_WORKERS',
    ...count,
    max: 256,
    default: null,
    derived: 'the number of cores less one, at least 1',
    meaning: 'Worker threads that compose, sign and deliver.',
  },
  destinationConnections: {
    env: 'MAILKEEL_DESTINATION_CONNECTIONS',
    ...count,
    default: '10',
    meaning: 'Most connections of a source to a destination for which the shaping says nothing else.',
  },
  retryScheduleMs: {
    env: 'MAILKEEL_RETRY_SCHEDULE',
    kind: 'schedule',
    default: '1m,5m,15m,30m,1h,2h,4h…',
    meaning: 'Waits between the attempts of deferred mail; the last repeats until the lifetime ends.',
  },
  queueLifetimeMs: {
    env: 'MAILKEEL_QUEUE_LIFETIME',
    ...time,
    default: '48h',
    meaning: 'How long delivery of a message is tried before it bounces.',
  },
  marketingQueueLifetimeMs: {
    env: 'MAILKEEL_MARKETING_QUEUE_LIFETIME',
    ...time,
    default: '36h',
    meaning: 'The same for marketing messages, when it is the shorter one.',
  },
  ambiguousHoldMs: {
    env: 'MAILKEEL_AMBIGUOUS_HOLD',
    ...timeOrNone,
    default: '15m',
    meaning: 'Shortest wait after a connection was lost between the final dot and the reply.',
  },
  ambiguousTransactional: {
    env: 'MAILKEEL_AMBIGUOUS_TRANSACTIONAL',
    kind: 'enum',
    values: ['retry', 'leave_sent'],
    default: 'retry',
    meaning: 'After such a loss: try again (a second copy is possible) or leave the message sent.',
  },
  ambiguousMarketing: {
    env: 'MAILKEEL_AMBIGUOUS_MARKETING',
    kind: 'enum',
    values: ['retry', 'leave_sent'],
    default: 'leave_sent',
    meaning: 'The same for marketing and sales messages.',
  },
  mxPort: { env: 'MAILKEEL_MX_PORT', ...port, min: 1, default: '25', meaning: 'Port of direct delivery.' },
  allowPrivateMx: {
    env: 'MAILKEEL_ALLOW_PRIVATE_MX',
    kind: 'bool',
    default: 'false',
    meaning: 'Lets delivery connect to private and loopback addresses.',
  },
  smtpConnectTimeoutMs: {
    env: 'MAILKEEL_SMTP_CONNECT_TIMEOUT',
    ...time,
    default: '30s',
    meaning: 'Longest wait for a connection to one address.',
  },
  smtpDotTimeoutMs: {
    env: 'MAILKEEL_SMTP_DOT_TIMEOUT',
    ...time,
    default: '600s',
    meaning: 'Longest wait for the reply to the final dot; a short one makes duplicates.',
  },
} as const satisfies Record<string, Setting>;

export const TLS_POLICY_SETTINGS = {
  dane: {
    env: 'MAILKEEL_DANE',
    kind: 'bool',
    default: 'false',
    meaning: 'Holds receivers to their TLSA records; needs a validating resolver on this machine.',
  },
  daneResolver: {
    env: 'MAILKEEL_DANE_RESOLVER',
    kind: 'string',
    default: null,
    meaning: 'ip or ip:port of that resolver; without it the first of MAILKEEL_DNS_SERVERS or of the system.',
  },
  mtaStsPort: {
    env: 'MAILKEEL_MTA_STS_PORT',
    ...port,
    min: 1,
    default: '443',
    meaning: 'Port that MTA-STS policies are fetched from.',
  },
  mtaStsMode: {
    env: 'MAILKEEL_MTA_STS_MODE',
    kind: 'enum',
    values: ['testing', 'enforce', 'none'],
    default: 'testing',
    meaning: 'Mode of the MTA-STS policy of our own inbound domains; none withdraws it.',
  },
  tlsReports: {
    env: 'MAILKEEL_TLS_REPORTS',
    kind: 'bool',
    default: 'true',
    meaning: 'Sends daily TLS reports to the domains that ask for them.',
  },
  tlsReportAddress: {
    env: 'MAILKEEL_TLS_REPORT_ADDRESS',
    kind: 'string',
    default: null,
    meaning: 'Where others send TLS reports about our inbound domains.',
  },
  tlsReportOrganization: {
    env: 'MAILKEEL_TLS_REPORT_ORGANIZATION',
    kind: 'string',
    default: null,
    meaning: 'Who the reports say they come from; without it the platform domain, or the host name.',
  },
  tlsReportContact: {
    env: 'MAILKEEL_TLS_REPORT_CONTACT',
    kind: 'string',
    default: null,
    meaning: 'Address in the reports for questions; without it postmaster at that domain.',
  },
} as const satisfies Record<string, Setting>;

export const DNS_SETTINGS = {
  dnsServers: {
    env: 'MAILKEEL_DNS_SERVERS',
    kind: 'servers',
    default: '',
    derived: "the system's",
    meaning: 'ip or ip:port, separated by commas, asked for MX, address and TXT records.',
  },
  dnsTimeoutMs: {
    env: 'MAILKEEL_DNS_TIMEOUT',
    ...time,
    default: '5s',
    meaning: 'Longest wait for one answer of one server.',
  },
  dnsCacheMs: {
    env: 'MAILKEEL_DNS_CACHE',
    ...timeOrNone,
    default: '5m',
    meaning: 'How long an answer is reused.',
  },
  dnsNegativeCacheMs: {
    env: 'MAILKEEL_DNS_NEGATIVE_CACHE',
    ...timeOrNone,
    default: '1m',
    meaning: 'How long a missing record is remembered.',
  },
} as const satisfies Record<string, Setting>;

export const PREFLIGHT_SETTINGS = {
  preflight: {
    env: 'MAILKEEL_PREFLIGHT',
    kind: 'bool',
    default: 'true',
    meaning: 'Checks at the start and every hour whether mail can leave: port 25, PTR, SPF, records, disk.',
  },
  preflightDomains: {
    env: 'MAILKEEL_PREFLIGHT_DOMAINS',
    kind: 'names',
    default: 'gmail.com,outlook.com,yahoo.com',
    meaning: 'Domains, separated by commas, whose mail hosts tell whether port 25 is open.',
  },
  preflightClockUrl: {
    env: 'MAILKEEL_PREFLIGHT_CLOCK_URL',
    kind: 'url',
    protocols: ['http:', 'https:'],
    default: null,
    meaning: 'A web server whose time the clock is compared with.',
  },
  dnsbls: {
    env: 'MAILKEEL_DNSBLS',
    kind: 'names',
    default: null,
    meaning: 'Zones of DNS block lists, separated by commas, that the source addresses are looked up in.',
  },
} as const satisfies Record<string, Setting>;
