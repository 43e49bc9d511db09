// Settings of the queue and of how mail leaves.
import { count, time, timeOrNone, type Setting } from '../lib/config/setting.js';

export const DELIVERY_SETTINGS = {
  retryScheduleMs: {
    env: 'POSTHORN_RETRY_SCHEDULE',
    kind: 'schedule',
    default: '1m,5m,15m,30m,1h,2h,4h…',
    meaning: 'Waits between the attempts of deferred mail; the last repeats until the lifetime ends.',
  },
  queueLifetimeMs: {
    env: 'POSTHORN_QUEUE_LIFETIME',
    ...time,
    default: '48h',
    meaning: 'How long delivery of a message is tried before it bounces.',
  },
  marketingQueueLifetimeMs: {
    env: 'POSTHORN_MARKETING_QUEUE_LIFETIME',
    ...time,
    default: '36h',
    meaning: 'The same for marketing messages, when it is the shorter one.',
  },
  expiryGraceMs: {
    env: 'POSTHORN_EXPIRY_GRACE',
    ...time,
    default: '5m',
    meaning:
      'How long after the end of its lifetime a message that cannot be attempted waits before it bounces.',
  },
  queueLeaseMs: {
    env: 'POSTHORN_QUEUE_LEASE',
    ...time,
    default: '30m',
    meaning: 'How long a claimed message stays with its worker; longer than the SMTP timeouts together.',
  },
  queueClaimBatch: {
    env: 'POSTHORN_QUEUE_CLAIM_BATCH',
    ...count,
    default: '200',
    meaning: 'Most messages claimed in one step.',
  },
  queuePollMs: {
    env: 'POSTHORN_QUEUE_POLL_INTERVAL',
    ...time,
    default: '30s',
    meaning: 'How often the queue is searched for mail that no bell announced.',
  },
  mtaWorkers: {
    env: 'POSTHORN_MTA_WORKERS',
    ...count,
    max: 256,
    default: null,
    derived: 'the number of cores less one, at least 1',
    meaning: 'Worker threads that compose, sign and deliver.',
  },
  ambiguousHoldMs: {
    env: 'POSTHORN_AMBIGUOUS_HOLD',
    ...timeOrNone,
    default: '15m',
    meaning: 'Shortest wait after a connection was lost between the final dot and the reply.',
  },
  ambiguousTransactional: {
    env: 'POSTHORN_AMBIGUOUS_TRANSACTIONAL',
    kind: 'enum',
    values: ['retry', 'leave_sent'],
    default: 'retry',
    meaning: 'After such a loss: try again (a second copy is possible) or leave the message sent.',
  },
  ambiguousMarketing: {
    env: 'POSTHORN_AMBIGUOUS_MARKETING',
    kind: 'enum',
    values: ['retry', 'leave_sent'],
    default: 'leave_sent',
    meaning: 'The same for marketing and sales messages.',
  },
  ambiguousRetryLimit: {
    env: 'POSTHORN_AMBIGUOUS_RETRY_LIMIT',
    kind: 'int',
    min: 0,
    max: 100,
    default: '2',
    meaning: 'Most retries after such losses.',
  },

  destinationConnections: {
    env: 'POSTHORN_DESTINATION_CONNECTIONS',
    ...count,
    default: '10',
    meaning: 'Most connections of a source to a destination for which the shaping says nothing else.',
  },
  greylistRetryMs: {
    env: 'POSTHORN_GREYLIST_RETRY',
    ...time,
    default: '5m',
    meaning: 'Shortest wait after a reply that means greylisting; the longest is twice as long.',
  },
  blockedRetryMs: {
    env: 'POSTHORN_BLOCKED_RETRY',
    ...time,
    default: '2h',
    meaning: 'Wait after a peer has refused our address for good (a block list).',
  },
  blockedRetries: {
    env: 'POSTHORN_BLOCKED_RETRIES',
    kind: 'int',
    min: 0,
    max: 20,
    default: '3',
    meaning: 'Most retries after such refusals.',
  },
  delayWarningMs: {
    env: 'POSTHORN_DELAY_WARNING',
    ...time,
    default: '4h',
    meaning: 'From this age on the deferrals of a message say that it is delayed.',
  },
  deadDomainRecheckMs: {
    env: 'POSTHORN_DEAD_DOMAIN_RECHECK',
    ...time,
    default: '4h',
    meaning:
      'When a domain that the DNS called dead is looked up again, before its addresses are suppressed.',
  },
  breakerPausesMs: {
    env: 'POSTHORN_BREAKER_PAUSES',
    kind: 'schedule',
    default: '5s,15s,2m,5m,15m,30m…',
    meaning: 'How long a destination that cannot be reached is left alone after each failure in a row.',
  },
  sourcePausesMs: {
    env: 'POSTHORN_SOURCE_PAUSES',
    kind: 'schedule',
    default: '5m,15m,30m…',
    meaning:
      'How long port 25 must look blocked for a source, and how long it is left alone then; others may take over.',
  },
  readyWaitMs: {
    env: 'POSTHORN_READY_WAIT',
    ...time,
    default: '10s',
    meaning: 'How long a claimed message waits for a connection before it goes back to the queue.',
  },
  mtaInFlight: {
    env: 'POSTHORN_MTA_IN_FLIGHT',
    ...count,
    default: '2000',
    meaning: 'Most messages in the hands of the delivery workers at once.',
  },
  holdMs: {
    env: 'POSTHORN_HOLD',
    ...time,
    default: '1m',
    meaning: 'How long a held message (no signing key, tenant suspended) waits before it is looked at again.',
  },
  destinationInFlight: {
    env: 'POSTHORN_DESTINATION_IN_FLIGHT',
    ...count,
    default: '100',
    meaning: 'Most claimed messages that wait in memory for one destination.',
  },
  messagesPerConnection: {
    env: 'POSTHORN_MESSAGES_PER_CONNECTION',
    ...count,
    default: '50',
    meaning: 'Messages sent on one connection before it is closed, where the shaping says nothing else.',
  },
  idleConnectionMs: {
    env: 'POSTHORN_IDLE_CONNECTION',
    ...timeOrNone,
    default: '20s',
    meaning: 'How long an idle connection is kept, where the shaping says nothing else.',
  },
  smarthost: {
    env: 'POSTHORN_SMARTHOST',
    kind: 'url',
    protocols: ['smtp:', 'smtps:'],
    default: null,
    secret: true,
    meaning: 'smtp[s]://user:password@host:port of a relay that takes all mail instead of direct delivery.',
  },
  sourceAddresses: {
    env: 'POSTHORN_SOURCE_ADDRESSES',
    kind: 'string',
    default: null,
    meaning:
      'Addresses that mail leaves from, by commas: ip, ip=ehlo.name, [v6]=ehlo.name; pool/ may stand before.',
  },
  outbound: {
    env: 'POSTHORN_OUTBOUND',
    kind: 'json',
    default: null,
    secret: true,
    meaning: 'Sources, pools, smarthosts and routes; see docs/shaping.md.',
  },
  shaping: {
    env: 'POSTHORN_SHAPING',
    kind: 'json',
    default: null,
    meaning: 'Limits and automation rules that lie over those of config/shaping.json; see docs/shaping.md.',
  },
} as const satisfies Record<string, Setting>;
