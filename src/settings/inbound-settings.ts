// Settings of mail that comes in: the listener for the Internet, and the relay for programs that send by SMTP.
import { count, port, time, type Setting } from '../lib/config/setting.js';

export const INBOUND_SETTINGS = {
  inbound: {
    env: 'MAILKEEL_INBOUND',
    kind: 'bool',
    default: 'true',
    meaning: 'Listens for bounces, complaints, replies and unsubscribe mail.',
  },
  inboundHost: {
    env: 'MAILKEEL_INBOUND_HOST',
    kind: 'string',
    default: '0.0.0.0',
    meaning: 'Address that the inbound listener and the relay listen on.',
  },
  inboundPort: {
    env: 'MAILKEEL_INBOUND_PORT',
    ...port,
    default: '25',
    meaning: 'Port of the inbound listener; 2525 is taken when 25 cannot be. 0 takes a free one.',
  },
  inboundDomain: {
    env: 'MAILKEEL_INBOUND_DOMAIN',
    kind: 'hostname',
    default: null,
    derived: 'the host name',
    meaning: "Domain of the platform's reply and unsubscribe addresses.",
  },
  feedbackAddresses: {
    env: 'MAILKEEL_FEEDBACK_ADDRESSES',
    kind: 'names',
    default: 'fbl,feedback,abuse,postmaster',
    meaning: 'Local parts, separated by commas, at our bounce and inbound domains that take complaints.',
  },
  feedbackSources: {
    env: 'MAILKEEL_FEEDBACK_SOURCES',
    kind: 'ranges',
    default: null,
    meaning: 'Addresses and ranges, separated by commas, whose complaints are believed without a signature.',
  },
  replyAddresses: {
    env: 'MAILKEEL_REPLY_ADDRESSES',
    kind: 'bool',
    default: 'true',
    meaning: 'Gives mail of the API without reply_to a signed reply address, so that replies come back here.',
  },
  authenticateMail: {
    env: 'MAILKEEL_AUTHENTICATE_MAIL',
    kind: 'bool',
    default: 'true',
    meaning:
      'Looks up SPF, DKIM, DMARC and ARC of received mail; without it no complaint is believed by its signature.',
  },
  inboundThreads: {
    env: 'MAILKEEL_INBOUND_THREADS',
    ...count,
    max: 64,
    default: '2',
    meaning: 'Worker threads that parse and authenticate received mail.',
  },
  inboundSizeLimitBytes: {
    env: 'MAILKEEL_INBOUND_SIZE_LIMIT',
    kind: 'bytes',
    default: '35MiB',
    meaning: 'Largest message that the inbound listener takes.',
  },
  inboundOldTls: {
    env: 'MAILKEEL_INBOUND_OLD_TLS',
    kind: 'bool',
    default: 'false',
    meaning: 'The inbound listener also accepts TLS 1.0 and 1.1, for servers that know no newer version.',
  },
  inboundConnections: {
    env: 'MAILKEEL_INBOUND_CONNECTIONS',
    ...count,
    default: '500',
    meaning: 'Most sessions at once, of all clients.',
  },
  inboundConnectionsPerAddress: {
    env: 'MAILKEEL_INBOUND_CONNECTIONS_PER_ADDRESS',
    ...count,
    default: '20',
    meaning: 'Most sessions at once of one client address.',
  },
  inboundConnectionsPerNetwork: {
    env: 'MAILKEEL_INBOUND_CONNECTIONS_PER_NETWORK',
    ...count,
    default: '50',
    meaning: 'Most sessions at once of one client network (IPv4 /24, IPv6 /48).',
  },
  inboundScarceIdleTimeoutMs: {
    env: 'MAILKEEL_INBOUND_SCARCE_IDLE_TIMEOUT',
    ...time,
    default: '15s',
    meaning:
      'Time without progress after which a session is closed while 80 % of the places are taken; the relay has it, too.',
  },
  inboundDataRate: {
    env: 'MAILKEEL_INBOUND_DATA_RATE',
    kind: 'int',
    min: 0,
    default: '500',
    meaning:
      'Least bytes of a message in a second; a session that is slower for half a minute is closed. 0 is off. The relay has it, too.',
  },
  inboundConnectionRate: {
    env: 'MAILKEEL_INBOUND_CONNECTION_RATE',
    kind: 'rate',
    default: '600/min',
    meaning: 'New sessions of one client address; five times as many of its network; 0 is off.',
  },
  inboundMessageRate: {
    env: 'MAILKEEL_INBOUND_MESSAGE_RATE',
    kind: 'rate',
    default: '3000/min',
    meaning: 'Messages of one client address; five times as many of its network; 0 is off.',
  },
  inboundUnlimitedClients: {
    env: 'MAILKEEL_INBOUND_UNLIMITED_CLIENTS',
    kind: 'ranges',
    default: '127.0.0.0/8,::1',
    meaning: 'Addresses and ranges, separated by commas, that the limits per client do not hold.',
  },
} as const satisfies Record<string, Setting>;

export const RELAY_SETTINGS = {
  relay: {
    env: 'MAILKEEL_RELAY',
    kind: 'bool',
    default: 'true',
    meaning: 'Takes mail by SMTP from senders with an API key.',
  },
  relayPort: {
    env: 'MAILKEEL_RELAY_PORT',
    ...port,
    default: '587',
    meaning: 'Port of the relay with STARTTLS; 2587 is taken when 587 cannot be. 0 takes a free one.',
  },
  relayTlsPort: {
    env: 'MAILKEEL_RELAY_TLS_PORT',
    ...port,
    default: '465',
    meaning:
      'Port of the relay with TLS from the start; 2465 is taken when 465 cannot be. 0 takes a free one.',
  },
  relayAllowInsecureAuth: {
    env: 'MAILKEEL_RELAY_ALLOW_INSECURE_AUTH',
    kind: 'bool',
    default: 'false',
    meaning: "Lets the relay's clients sign in without TLS, for one's own network.",
  },
  relayChecksSender: {
    env: 'MAILKEEL_RELAY_CHECK_SENDER',
    kind: 'bool',
    default: 'true',
    meaning:
      'Refuses an envelope sender that is no verified sender. Otherwise it is taken, and delivery reports go there.',
  },
  relayReplyAddresses: {
    env: 'MAILKEEL_RELAY_REPLY_ADDRESSES',
    kind: 'bool',
    default: 'false',
    meaning: 'Does the same for relayed mail without a Reply-To field.',
  },
  relayDsn: {
    env: 'MAILKEEL_RELAY_DSN',
    kind: 'enum',
    values: ['asked', 'failure', 'never'],
    default: 'asked',
    meaning:
      'Delivery reports by mail to the envelope sender of relayed mail: when NOTIFY asks for them; also on failure without NOTIFY; never.',
  },
  relayConnections: {
    env: 'MAILKEEL_RELAY_CONNECTIONS',
    ...count,
    default: '200',
    meaning:
      'Most sessions at once on the two ports of the relay together; half of them for one workspace, and half for clients that have not signed in.',
  },
  relayConnectionsPerAddress: {
    env: 'MAILKEEL_RELAY_CONNECTIONS_PER_ADDRESS',
    ...count,
    default: '50',
    meaning: 'Most relay sessions at once of one client address.',
  },
  relayConnectionsPerNetwork: {
    env: 'MAILKEEL_RELAY_CONNECTIONS_PER_NETWORK',
    ...count,
    default: '100',
    meaning: 'Most relay sessions at once of one client network (IPv4 /24, IPv6 /48).',
  },
  relaySignInTimeoutMs: {
    env: 'MAILKEEL_RELAY_SIGN_IN_TIMEOUT',
    ...time,
    default: '30s',
    meaning: 'Time that a client of the relay has to sign in.',
  },
  relayAuthFailures: {
    env: 'MAILKEEL_RELAY_AUTH_FAILURES',
    ...count,
    default: '10',
    meaning: 'Failed sign-ins of one client address after which it is locked out.',
  },
  relayLockoutMs: {
    env: 'MAILKEEL_RELAY_LOCKOUT',
    ...time,
    default: '15m',
    meaning: 'How long it is locked out, counted from its last failure.',
  },
} as const satisfies Record<string, Setting>;
