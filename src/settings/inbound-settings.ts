// Settings of inbound mail: the listener for the Internet, and the relay for programs that send by SMTP.
import { count, port, type Setting, time } from '../lib/config/index.js';

export const INBOUND_SETTINGS = {
  inbound: {
    env: 'MAILKEEL_INBOUND',
    kind: 'bool',
    default: 'true',
    meaning: 'Accept inbound mail: bounces, complaints, replies and unsubscribe requests.',
  },
  inboundHost: {
    env: 'MAILKEEL_INBOUND_HOST',
    kind: 'string',
    default: '0.0.0.0',
    meaning: 'Address that the inbound listener and the SMTP relay listen on.',
  },
  inboundPort: {
    env: 'MAILKEEL_INBOUND_PORT',
    ...port,
    default: '25',
    meaning:
      'Port of the inbound listener. Falls back to 2525 if port 25 is unavailable. 0 selects a free port.',
  },
  inboundDomain: {
    env: 'MAILKEEL_INBOUND_DOMAIN',
    kind: 'hostname',
    default: null,
    derived: 'the host name',
    meaning: 'Domain of the reply and unsubscribe addresses.',
  },
  feedbackAddresses: {
    env: 'MAILKEEL_FEEDBACK_ADDRESSES',
    kind: 'names',
    default: 'fbl,feedback,abuse,postmaster',
    meaning: 'Local parts that accept complaints at the bounce and inbound domains, separated by commas.',
  },
  feedbackSources: {
    env: 'MAILKEEL_FEEDBACK_SOURCES',
    kind: 'ranges',
    default: null,
    meaning: 'Addresses and ranges trusted to send complaints without a signature, separated by commas.',
  },
  replyAddresses: {
    env: 'MAILKEEL_REPLY_ADDRESSES',
    kind: 'bool',
    default: 'true',
    meaning:
      'Add a signed Reply-To address to API messages without `reply_to`, so that Mailkeel receives the replies.',
  },
  authenticateMail: {
    env: 'MAILKEEL_AUTHENTICATE_MAIL',
    kind: 'bool',
    default: 'true',
    meaning:
      'Check SPF, DKIM, DMARC and ARC of inbound mail. If disabled, complaints cannot be trusted by their signature.',
  },
  inboundThreads: {
    env: 'MAILKEEL_INBOUND_THREADS',
    ...count,
    max: 64,
    default: '2',
    meaning: 'Worker threads that parse and authenticate inbound mail.',
  },
  inboundSizeLimitBytes: {
    env: 'MAILKEEL_INBOUND_SIZE_LIMIT',
    kind: 'bytes',
    default: '35MiB',
    meaning: 'Maximum size of an inbound message.',
  },
  inboundOldTls: {
    env: 'MAILKEEL_INBOUND_OLD_TLS',
    kind: 'bool',
    default: 'false',
    meaning:
      'Accept TLS 1.0 and 1.1 on the inbound listener, for servers that do not support newer versions.',
  },
  inboundConnections: {
    env: 'MAILKEEL_INBOUND_CONNECTIONS',
    ...count,
    default: '500',
    meaning: 'Maximum concurrent inbound sessions.',
  },
  inboundConnectionsPerAddress: {
    env: 'MAILKEEL_INBOUND_CONNECTIONS_PER_ADDRESS',
    ...count,
    default: '20',
    meaning: 'Maximum concurrent inbound sessions per client address.',
  },
  inboundConnectionsPerNetwork: {
    env: 'MAILKEEL_INBOUND_CONNECTIONS_PER_NETWORK',
    ...count,
    default: '50',
    meaning: 'Maximum concurrent inbound sessions per client network (IPv4 /24, IPv6 /48).',
  },
  inboundScarceIdleTimeoutMs: {
    env: 'MAILKEEL_INBOUND_SCARCE_IDLE_TIMEOUT',
    ...time,
    default: '15s',
    meaning:
      'Idle time after which a session is closed when 80% of all sessions are in use. Also applies to the relay.',
  },
  inboundDataRate: {
    env: 'MAILKEEL_INBOUND_DATA_RATE',
    kind: 'int',
    min: 0,
    default: '500',
    meaning:
      'Minimum transfer rate of a message in bytes per second. Sessions that are slower for 30 seconds are closed. 0 disables the limit. Also applies to the relay.',
  },
  inboundConnectionRate: {
    env: 'MAILKEEL_INBOUND_CONNECTION_RATE',
    kind: 'rate',
    default: '600/min',
    meaning:
      'New inbound sessions per client address. The limit per network is five times as high. 0 disables the limit.',
  },
  inboundMessageRate: {
    env: 'MAILKEEL_INBOUND_MESSAGE_RATE',
    kind: 'rate',
    default: '3000/min',
    meaning:
      'Inbound messages per client address. The limit per network is five times as high. 0 disables the limit.',
  },
  inboundUnlimitedClients: {
    env: 'MAILKEEL_INBOUND_UNLIMITED_CLIENTS',
    kind: 'ranges',
    default: '127.0.0.0/8,::1',
    meaning: 'Addresses and ranges exempt from the limits per client, separated by commas.',
  },
} as const satisfies Record<string, Setting>;

export const RELAY_SETTINGS = {
  relay: {
    env: 'MAILKEEL_RELAY',
    kind: 'bool',
    default: 'true',
    meaning: 'Enable the SMTP relay for senders with an API key.',
  },
  relayPort: {
    env: 'MAILKEEL_RELAY_PORT',
    ...port,
    default: '587',
    meaning:
      'Port of the relay with STARTTLS. Falls back to 2587 if port 587 is unavailable. 0 selects a free port.',
  },
  relayTlsPort: {
    env: 'MAILKEEL_RELAY_TLS_PORT',
    ...port,
    default: '465',
    meaning:
      'Port of the relay with implicit TLS. Falls back to 2465 if port 465 is unavailable. 0 selects a free port.',
  },
  relayAllowInsecureAuth: {
    env: 'MAILKEEL_RELAY_ALLOW_INSECURE_AUTH',
    kind: 'bool',
    default: 'false',
    meaning: 'Allow relay clients to sign in without TLS. Only use this on a trusted network.',
  },
  relayChecksSender: {
    env: 'MAILKEEL_RELAY_CHECK_SENDER',
    kind: 'bool',
    default: 'true',
    meaning:
      'Refuse envelope senders that are not verified senders. If disabled, Mailkeel accepts them and sends delivery reports to them.',
  },
  relayReplyAddresses: {
    env: 'MAILKEEL_RELAY_REPLY_ADDRESSES',
    kind: 'bool',
    default: 'false',
    meaning: 'Add a signed Reply-To address to relayed messages without a Reply-To header.',
  },
  relayDsn: {
    env: 'MAILKEEL_RELAY_DSN',
    kind: 'enum',
    values: ['asked', 'failure', 'never'],
    default: 'asked',
    meaning:
      'When to send delivery reports to the envelope sender of relayed mail: only if requested with NOTIFY (`asked`), also on failure without NOTIFY (`failure`), or never (`never`).',
  },
  relayConnections: {
    env: 'MAILKEEL_RELAY_CONNECTIONS',
    ...count,
    default: '200',
    meaning:
      'Maximum concurrent sessions on both relay ports together. One workspace can use half of them, and so can clients that have not signed in.',
  },
  relayConnectionsPerAddress: {
    env: 'MAILKEEL_RELAY_CONNECTIONS_PER_ADDRESS',
    ...count,
    default: '50',
    meaning: 'Maximum concurrent relay sessions per client address.',
  },
  relayConnectionsPerNetwork: {
    env: 'MAILKEEL_RELAY_CONNECTIONS_PER_NETWORK',
    ...count,
    default: '100',
    meaning: 'Maximum concurrent relay sessions per client network (IPv4 /24, IPv6 /48).',
  },
  relaySignInTimeoutMs: {
    env: 'MAILKEEL_RELAY_SIGN_IN_TIMEOUT',
    ...time,
    default: '30s',
    meaning: 'Time a relay client has to sign in.',
  },
  relayAuthFailures: {
    env: 'MAILKEEL_RELAY_AUTH_FAILURES',
    ...count,
    default: '10',
    meaning: 'Failed sign-ins before a client address is locked out.',
  },
  relayLockoutMs: {
    env: 'MAILKEEL_RELAY_LOCKOUT',
    ...time,
    default: '15m',
    meaning: 'Duration of the lockout after the last failed sign-in.',
  },
} as const satisfies Record<string, Setting>;
