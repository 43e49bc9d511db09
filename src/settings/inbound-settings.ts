// Settings of mail that comes in: the listener for the Internet, the relay for legacy senders, and certificates.
import { count, port, time, timeOrNone, type Setting } from '../lib/config/setting.js';

export const MAIL_IN_SETTINGS = {
  inbound: {
    env: 'POSTHORN_INBOUND',
    kind: 'bool',
    default: 'true',
    meaning: 'Listens for bounces, complaints, replies and unsubscribe mail.',
  },
  inboundHost: {
    env: 'POSTHORN_INBOUND_HOST',
    kind: 'string',
    default: '0.0.0.0',
    meaning: 'Address that the inbound listener and the relay listen on.',
  },
  inboundPort: {
    env: 'POSTHORN_INBOUND_PORT',
    ...port,
    default: '25',
    meaning: 'Port of the inbound listener; 2525 is taken when 25 cannot be. 0 takes a free one.',
  },
  inboundDomain: {
    env: 'POSTHORN_INBOUND_DOMAIN',
    kind: 'hostname',
    default: null,
    derived: 'the host name',
    meaning: "Domain of the platform's reply and unsubscribe addresses.",
  },
  feedbackAddresses: {
    env: 'POSTHORN_FEEDBACK_ADDRESSES',
    kind: 'names',
    default: 'fbl,feedback,abuse,postmaster',
    meaning: 'Local parts, separated by commas, at our bounce and inbound domains that take complaints.',
  },
  feedbackSources: {
    env: 'POSTHORN_FEEDBACK_SOURCES',
    kind: 'ranges',
    default: null,
    meaning: 'Addresses and ranges, separated by commas, whose complaints are believed without a signature.',
  },
  replyAddresses: {
    env: 'POSTHORN_REPLY_ADDRESSES',
    kind: 'bool',
    default: 'true',
    meaning: 'Gives mail of the API without reply_to a signed reply address, so that replies come back here.',
  },
  relayReplyAddresses: {
    env: 'POSTHORN_RELAY_REPLY_ADDRESSES',
    kind: 'bool',
    default: 'false',
    meaning: 'Does the same for relayed mail without a Reply-To field.',
  },
  inboundSizeLimitBytes: {
    env: 'POSTHORN_INBOUND_SIZE_LIMIT',
    kind: 'bytes',
    default: '35MiB',
    meaning: 'Largest message that the inbound listener takes.',
  },
  inboundConnections: {
    env: 'POSTHORN_INBOUND_CONNECTIONS',
    ...count,
    default: '500',
    meaning: 'Most sessions at once, of all clients.',
  },
  inboundConnectionsPerAddress: {
    env: 'POSTHORN_INBOUND_CONNECTIONS_PER_ADDRESS',
    ...count,
    default: '20',
    meaning: 'Most sessions at once of one client address.',
  },
  inboundConnectionsPerNetwork: {
    env: 'POSTHORN_INBOUND_CONNECTIONS_PER_NETWORK',
    ...count,
    default: '50',
    meaning: 'Most sessions at once of one network (IPv4 /24, IPv6 /48).',
  },
  inboundConnectionRate: {
    env: 'POSTHORN_INBOUND_CONNECTION_RATE',
    kind: 'rate',
    default: '600/min',
    meaning: 'New sessions of one client address; five times as many of its network; 0 is off.',
  },
  inboundMessageRate: {
    env: 'POSTHORN_INBOUND_MESSAGE_RATE',
    kind: 'rate',
    default: '3000/min',
    meaning: 'Messages of one client address; five times as many of its network; 0 is off.',
  },
  inboundBytesPerHour: {
    env: 'POSTHORN_INBOUND_BYTES_PER_HOUR',
    kind: 'bytes',
    default: '2GiB',
    meaning:
      'Message octets of one client address an hour, for each recipient; five times as many of its network.',
  },
  inboundUnlimitedClients: {
    env: 'POSTHORN_INBOUND_UNLIMITED_CLIENTS',
    kind: 'ranges',
    default: '127.0.0.0/8,::1',
    meaning: 'Addresses and ranges, separated by commas, that the limits per client do not hold.',
  },
  inboundMemoryBytes: {
    env: 'POSTHORN_INBOUND_MEMORY',
    kind: 'bytes',
    default: '128MiB',
    meaning: 'Octets of messages being received that are held at once; more are asked to come later.',
  },
  inboundWrongRecipients: {
    env: 'POSTHORN_INBOUND_WRONG_RECIPIENTS',
    ...count,
    default: '10',
    meaning: 'Refused recipients after which a session is closed.',
  },
  inboundRecipients: {
    env: 'POSTHORN_INBOUND_RECIPIENTS',
    ...count,
    default: '100',
    meaning: 'Most recipients of one transaction.',
  },
  inboundIdleTimeoutMs: {
    env: 'POSTHORN_INBOUND_IDLE_TIMEOUT',
    ...time,
    default: '5m',
    meaning: 'Longest silence of a client, as RFC 5321 section 4.5.3.2.7 asks.',
  },
  inboundSessionLimitMs: {
    env: 'POSTHORN_INBOUND_SESSION_LIMIT',
    ...time,
    default: '30m',
    meaning: 'Longest session.',
  },
  inboundDataLimitMs: {
    env: 'POSTHORN_INBOUND_DATA_LIMIT',
    ...time,
    default: '10m',
    meaning: 'Longest time for the data of one message.',
  },
  inboundMaxReceived: {
    env: 'POSTHORN_INBOUND_MAX_RECEIVED',
    ...count,
    default: '50',
    meaning: 'Received fields from which a message counts as going round in circles.',
  },
  minFreeDiskBytes: {
    env: 'POSTHORN_MIN_FREE_DISK',
    kind: 'bytes',
    default: '200MiB',
    meaning: 'Free space of the data folder under which no mail is taken (452).',
  },
  inboundThreads: {
    env: 'POSTHORN_INBOUND_THREADS',
    ...count,
    max: 64,
    default: '2',
    meaning: 'Worker threads that parse and authenticate received mail.',
  },
  parseTimeLimitMs: {
    env: 'POSTHORN_PARSE_TIME_LIMIT',
    ...time,
    default: '10s',
    meaning: 'Longest time that one received message may take to parse.',
  },
  authenticateMail: {
    env: 'POSTHORN_AUTHENTICATE_MAIL',
    kind: 'bool',
    default: 'true',
    meaning:
      'Looks up SPF, DKIM, DMARC and ARC of received mail; without it no complaint is believed by its signature.',
  },
  inboundKeepMs: {
    env: 'POSTHORN_INBOUND_KEEP',
    ...time,
    default: '30d',
    meaning: 'How long the octets of bounces, complaints and other mail that became no message are kept.',
  },

  relay: {
    env: 'POSTHORN_RELAY',
    kind: 'bool',
    default: 'true',
    meaning: 'Takes mail by SMTP from senders with an API key.',
  },
  relayPort: {
    env: 'POSTHORN_RELAY_PORT',
    ...port,
    default: '587',
    meaning: 'Port of the relay with STARTTLS; 2587 is taken when 587 cannot be. 0 takes a free one.',
  },
  relayTlsPort: {
    env: 'POSTHORN_RELAY_TLS_PORT',
    ...port,
    default: '465',
    meaning:
      'Port of the relay with TLS from the start; 2465 is taken when 465 cannot be. 0 takes a free one.',
  },
  relayAllowInsecureAuth: {
    env: 'POSTHORN_RELAY_ALLOW_INSECURE_AUTH',
    kind: 'bool',
    default: 'false',
    meaning: "Lets the relay's clients sign in without TLS, for one's own network.",
  },
  relayRecipients: {
    env: 'POSTHORN_RELAY_RECIPIENTS',
    ...count,
    default: '100',
    meaning: 'Most recipients of one relayed transaction; each becomes a message.',
  },
  relayConnections: {
    env: 'POSTHORN_RELAY_CONNECTIONS',
    ...count,
    default: '200',
    meaning: 'Most sessions at once on the two ports of the relay together.',
  },
  relayConnectionsPerAddress: {
    env: 'POSTHORN_RELAY_CONNECTIONS_PER_ADDRESS',
    ...count,
    default: '50',
    meaning: 'Most relay sessions at once of one client address.',
  },
  relayAuthFailures: {
    env: 'POSTHORN_RELAY_AUTH_FAILURES',
    ...count,
    default: '10',
    meaning: 'Failed sign-ins of one client address after which it is locked out.',
  },
  relayLockoutMs: {
    env: 'POSTHORN_RELAY_LOCKOUT',
    ...time,
    default: '15m',
    meaning: 'How long it is locked out, counted from its last failure.',
  },
  relayChecksSender: {
    env: 'POSTHORN_RELAY_CHECK_SENDER',
    kind: 'bool',
    default: 'true',
    meaning:
      'Refuses an envelope sender that is no verified sender. Otherwise it is taken, and delivery reports go there.',
  },
  relayDsn: {
    env: 'POSTHORN_RELAY_DSN',
    kind: 'enum',
    values: ['asked', 'failure', 'never'],
    default: 'asked',
    meaning:
      'Delivery reports by mail to the envelope sender of relayed mail: when NOTIFY asks for them; also on failure without NOTIFY; never.',
  },
  relayDsnRate: {
    env: 'POSTHORN_RELAY_DSN_RATE',
    kind: 'rate',
    default: '60/min',
    meaning: 'Delivery reports to one envelope sender; more wait. 0 is no limit.',
  },

  httpsPort: {
    env: 'POSTHORN_HTTPS_PORT',
    ...port,
    default: '8443',
    meaning: 'Port of the API over TLS; 0 takes a free one.',
  },
  https: {
    env: 'POSTHORN_HTTPS',
    kind: 'bool',
    default: 'true',
    meaning: 'Serves the API over TLS too.',
  },
  tlsCertFile: {
    env: 'POSTHORN_TLS_CERT',
    kind: 'string',
    default: null,
    meaning: 'PEM file of the certificate chain for HTTPS and SMTP; without it a self-signed one is made.',
  },
  tlsKeyFile: {
    env: 'POSTHORN_TLS_KEY',
    kind: 'string',
    default: null,
    meaning: 'PEM file of its private key.',
  },
  tlsReloadMs: {
    env: 'POSTHORN_TLS_RELOAD',
    ...time,
    default: '30s',
    meaning: 'How often the two files are looked at for changes.',
  },
  acmeEmail: {
    env: 'POSTHORN_ACME_EMAIL',
    kind: 'string',
    default: null,
    meaning:
      'Fetches a certificate by ACME (HTTP-01) with this contact address; agrees to the terms of service.',
  },
  acmeDirectory: {
    env: 'POSTHORN_ACME_DIRECTORY',
    kind: 'url',
    protocols: ['https:'],
    default: 'https://acme-v02.api.letsencrypt.org/directory',
    meaning: 'Directory of the ACME server.',
  },
  acmeDomains: {
    env: 'POSTHORN_ACME_DOMAINS',
    kind: 'names',
    default: null,
    meaning:
      'Names of the certificate, separated by commas; without it the host name and that of the public URL.',
  },
  acmePort: {
    env: 'POSTHORN_ACME_PORT',
    ...port,
    default: '80',
    meaning:
      'Port on POSTHORN_INBOUND_HOST that answers the HTTP-01 challenge; 0: only the API port does, behind a proxy.',
  },
  acmeRenewBeforeMs: {
    env: 'POSTHORN_ACME_RENEW_BEFORE',
    ...timeOrNone,
    default: '30d',
    meaning:
      'How long before its end a certificate is renewed, a third of its life at the most; 0: that third.',
  },
} as const satisfies Record<string, Setting>;
