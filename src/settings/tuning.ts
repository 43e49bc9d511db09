// Constants that operators need not set: limits, batches, intervals and timeouts. Tests shorten them by MAILKEEL_TUNING, a JSON
// object with these names; times in milliseconds, sizes in bytes, rates per minute.
import { nearest } from '../lib/config/index.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const KIB = 1024;
const MIB = 1024 * KIB;
const GIB = 1024 * MIB;

const TUNING = {
  // API
  /** Maximum simultaneous API connections. One client network (IPv4 /24, IPv6 /56) may have a fifth of them. */
  httpConnections: 5000,
  /** Size of the write-ahead log from which a replicated database writes it back. */
  replicaLogBytes: 32 * MIB,
  /** Maximum octets that wait on this machine for an unreachable replica. Beyond them, the replica starts over with a full copy. */
  replicaWaitingBytes: GIB,
  /** Time after which a request that waits for the replica gets 503. */
  replicaWaitMs: 10 * SECOND,
  /** Time without an answer of the replica's storage, or for which a commit waits, after which commits are refused at once. */
  replicaAwayMs: 10 * SECOND,
  /** Most waiting plans that share one durable transaction. */
  groupCommitMaxPlans: 200,
  /** Largest JSON body of POST /v1/messages and of the batch. */
  messageBodyLimitBytes: 30 * MIB,
  /** Largest JSON body of every other operation. */
  bodyLimitBytes: MIB,
  /** Most octets of JSON bodies in memory, half of them for one key. Further requests get 503. */
  bodiesInFlightBytes: 128 * MIB,
  /** Most attachments of one message. */
  attachmentLimit: 50,
  /** Most recipients (to, cc and bcc) of one request. */
  recipientLimit: 50,
  /** Most messages of one batch. */
  batchLimit: 1000,
  /** Time that another process may still accept a key after it was revoked. */
  credentialCacheMs: 5 * SECOND,
  /** Time limit for rendering one template. */
  renderTimeLimitMs: 2 * SECOND,
  /** Most concurrent attempts to endpoints that answer quickly. New, slow and silent endpoints share as many again. */
  webhookParallelism: 128,
  /** Minimum time between database reads for the metrics. */
  metricsReadMs: 15 * SECOND,
  // Delivery
  /** Time after its lifetime until a message that cannot be attempted bounces. */
  expiryGraceMs: 5 * MINUTE,
  /** Lease of a claimed message, which exceeds all SMTP timeouts together. */
  queueLeaseMs: 30 * MINUTE,
  /** Most messages claimed in one step. */
  queueClaimBatch: 200,
  /** Interval at which the queue is polled for mail that no notification announced. */
  queuePollMs: 30 * SECOND,
  /** Most retries after connections lost between the final dot and the reply. */
  ambiguousRetryLimit: 2,
  /** Shortest wait after a greylisting reply; the longest is twice as long. */
  greylistRetryMs: 5 * MINUTE,
  /** Wait after a peer has permanently refused the sending IP (a block list). */
  blockedRetryMs: 2 * HOUR,
  /** Most retries after refusals of the sending IP. */
  blockedRetries: 3,
  /** Age of a message from which deferrals report that it is delayed. */
  delayWarningMs: 4 * HOUR,
  /** Time until a domain that DNS reports as dead is looked up again, before its addresses are suppressed. */
  deadDomainRecheckMs: 4 * HOUR,
  /** Pauses in attempts to an unreachable destination after consecutive failures. */
  breakerPausesMs: [5 * SECOND, 15 * SECOND, 2 * MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE],
  /** Time that port 25 must appear blocked for a source, and pauses of the source after that; other sources may take over. */
  sourcePausesMs: [5 * MINUTE, 15 * MINUTE, 30 * MINUTE],
  /** Time that a claimed message waits for a connection before it returns to the queue. */
  readyWaitMs: 10 * SECOND,
  /** Most messages in progress in the delivery workers. */
  mtaInFlight: 2000,
  /** Interval at which a held message (no signing key, tenant suspended) is checked again. */
  holdMs: MINUTE,
  /** Most claimed messages of one destination in memory. */
  destinationInFlight: 100,
  /** Most messages per connection if shaping sets no other limit. */
  messagesPerConnection: 50,
  /** Time that an idle connection stays open if shaping sets no other limit. */
  idleConnectionMs: 20 * SECOND,
  // Receivers and DNS
  /** Time limit for fetching an MTA-STS policy. */
  mtaStsFetchTimeoutMs: 60 * SECOND,
  /** Longest time that mail waits for the first check of its domain's MTA-STS policy. */
  mtaStsWaitMs: 10 * SECOND,
  /** Time that senders may cache the MTA-STS policy of the inbound domains. */
  mtaStsMaxAgeMs: 7 * DAY,
  /** A name whose NS records are certainly signed. The resolver must report them as authenticated at start. */
  daneProbe: '.',
  /** Longest wait for the greeting. */
  smtpGreetingTimeoutMs: 300 * SECOND,
  /** Longest wait for the reply to EHLO. */
  smtpEhloTimeoutMs: 300 * SECOND,
  /** Longest wait for STARTTLS and the handshake. */
  smtpStarttlsTimeoutMs: 30 * SECOND,
  /** Longest wait for the reply to AUTH, MAIL or RCPT. */
  smtpCommandTimeoutMs: 300 * SECOND,
  /** Longest wait for the reply to DATA. */
  smtpDataTimeoutMs: 120 * SECOND,
  /** Longest wait while the peer accepts no data. */
  smtpBlockTimeoutMs: 180 * SECOND,
  /** DNS queries per server. */
  dnsTries: 2,
  /** Time limit of all preflight checks together. */
  preflightTimeLimitMs: 10 * SECOND,
  /** Most concurrent DNS queries. */
  dnsParallel: 128,
  // Inbound mail, relay and certificates
  /** Message octets per hour of one client address, for each recipient; its network may send five times as many. */
  inboundBytesPerHour: 2 * GIB,
  /** Most octets of incoming messages in memory. Further messages are deferred. */
  inboundMemoryBytes: 128 * MIB,
  /** Refused recipients after which an inbound session is closed. */
  inboundWrongRecipients: 10,
  /** Most recipients of one inbound transaction. */
  inboundRecipients: 100,
  /** Longest silence of an inbound client, as required by RFC 5321 section 4.5.3.2.7. */
  inboundIdleTimeoutMs: 5 * MINUTE,
  /** Longest inbound session. */
  inboundSessionLimitMs: 30 * MINUTE,
  /** Time limit for the data of one message. */
  inboundDataLimitMs: 10 * MINUTE,
  /** Period over which the minimum data rate of a message is measured. */
  inboundDataWindowMs: 30 * SECOND,
  /** Number of Received fields from which a message counts as a mail loop. */
  inboundMaxReceived: 50,
  /** Time limit for parsing one received message. */
  parseTimeLimitMs: 10 * SECOND,
  /** Most recipients of one relayed transaction; each becomes a message. */
  relayRecipients: 100,
  /** Most delivery reports per minute to one envelope sender; further ones wait. 0 disables the limit. */
  relayDsnRate: 60,
  /** Interval at which the certificate files are checked for changes. */
  tlsReloadMs: 30 * SECOND,
  /** Time before expiry at which a certificate is renewed, at most a third of its lifetime. 0 means a third. */
  acmeRenewBeforeMs: 30 * DAY,
  // Campaigns, sequences and tracking
  /** Lifetime of a sign-up confirmation link. */
  confirmationLifetimeMs: 7 * DAY,
  /** Interval at which scheduled and sending campaigns are checked without a notification. */
  campaignIntervalMs: SECOND,
  /** Recipients of a campaign whose copies are created and committed together. */
  campaignBatch: 50,
  /** Interval at which due sequence steps are searched. */
  sequenceIntervalMs: SECOND,
  /** Due enrolments of one sequence that are processed before another sequence gets its turn. */
  sequenceBatch: 100,
  /** Most steps of one enrolment, so that a cycle of branches ends. */
  sequenceMaxSteps: 1000,
  /** Gmail clips HTML beyond this size; the check before a campaign warns about it. */
  clipLimitBytes: 102 * KIB,
  /** Most distinct links of a campaign that are checked before it is sent; 0 checks none. */
  linkChecks: 50,
  /** Time limit for the response of a checked link. */
  linkCheckTimeoutMs: 5 * SECOND,
  /** Most opens and clicks recorded per message; further ones are answered but not recorded. */
  trackingEventsPerMessage: 1000,
  /** Interval at which new events are added to the statistics. */
  rollupIntervalMs: SECOND,
  // Sub-tenants, DNS zone, webhooks and people
  /** Period of a sub-tenant's reputation score, in whole hours. */
  reputationWindowMs: 7 * DAY,
  /** A warning or throttle ends when the rate falls below this share of its threshold. */
  reputationClear: 0.8,
  /** Sending domains of sub-tenants whose DNS is checked per minute, and the same number for senders. */
  domainChecksPerMinute: 1000,
  /** Time that a replaced key's record stays published for mail in transit. */
  dkimOverlapMs: 14 * DAY,
  /** Time that DNS shows a replaced key as revoked before its selector may be reused. */
  dkimRevokedKeepMs: 30 * DAY,
  /** Answers per minute of the name server to one client network by UDP, and the same number by TCP; 0 disables the limit. */
  dnsRatePerMinute: 100 * 60,
  /** Most UDP queries per minute that the name server answers in total, so that a flood does not stop mail; 0 disables the limit. */
  dnsTotalRatePerMinute: 2000 * 60,
  /** Most TCP connections to the name server. One client network may have a fifth of them. */
  dnsConnections: 100,
  /** Time that a TCP connection to the name server may be idle. */
  dnsIdleMs: 10 * SECOND,
  /** Time that a webhook endpoint's previous secret also signs. */
  webhookSecretOverlapMs: 24 * HOUR,
  /** Interval of heartbeats on an idle event stream. */
  eventStreamHeartbeatMs: 15 * SECOND,
  /** Most open event streams. */
  eventStreams: 200,
  /** Minimum duration of a refused sign-in, so that its time does not reveal the reason. */
  signInRefusalMs: 250,
  /** Lifetime of an invitation link. */
  invitationLifetimeMs: 7 * DAY,
  /** Lifetime of a password reset link. */
  passwordResetLifetimeMs: HOUR,
  /** Time that a rotated API key works beside the new one. */
  keyOverlapMs: 24 * HOUR,

  // Account imports
  /** Origin that replaces the host names of vendors; empty for their own. */
  vendorOrigin: '',
  /** Shortest time between two requests to a vendor that permits only a few per second. */
  vendorIntervalMs: 550,

  // Jobs
  /** Cron pattern of the jobs that run each minute. */
  minuteJobs: '* * * * *',
  /** Cron pattern of the retention of messages, their records and their events. */
  retentionJob: '41 * * * *',
} as const;

type TuningKey = keyof typeof TUNING;
type Widened<T> = T extends number ? number : T extends string ? string : readonly number[];
export type Tuning = { readonly [K in TuningKey]: Widened<(typeof TUNING)[K]> };

/** Variable with the JSON object of changed constants. */
export const TUNING_ENV = 'MAILKEEL_TUNING';

/** Constants that may be 0. For an interval, a lease or a batch, 0 would stop the program or cause a busy loop. */
const MAY_BE_ZERO: readonly string[] = ['signInRefusalMs'];

/**
 * Returns the constants with the changes of `text`, a JSON object such as `{"queuePollMs":50}`, or null for none. Unknown names
 * and values of the wrong type are added to `problems`, one sentence each.
 */
export function readTuning(text: string | null, problems: string[]): Tuning {
  if (text === null) return TUNING;
  let changes: unknown;
  try {
    changes = JSON.parse(text);
  } catch {
    changes = null;
  }
  if (typeof changes !== 'object' || changes === null || Array.isArray(changes)) {
    problems.push(`${TUNING_ENV} must be a JSON object`);
    return TUNING;
  }
  for (const [name, value] of Object.entries(changes) as [string, unknown][]) {
    const problem = problemOf(name, value);
    if (problem !== null) problems.push(`${TUNING_ENV}: ${name} ${problem}`);
  }
  // Each value was compared with the type of its constant.
  return { ...TUNING, ...(changes as Partial<Tuning>) };
}

function problemOf(name: string, value: unknown): string | null {
  if (!Object.hasOwn(TUNING, name)) {
    const guess = nearest(name, Object.keys(TUNING));
    return `is not a known name${guess === undefined ? '' : `. Did you mean ${guess}?`}`;
  }
  const constant = TUNING[name as TuningKey];
  if (typeof constant === 'number') {
    const isFraction = !Number.isInteger(constant);
    const isInRange = isAmount(value) && (isFraction || Number.isInteger(value));
    const isTooLittle = value === 0 && !MAY_BE_ZERO.includes(name);
    return isInRange && !isTooLittle ? null : `must be a ${isFraction ? '' : 'whole '}number greater than 0`;
  }
  if (typeof constant === 'string') return typeof value === 'string' ? null : 'must be a string';
  // A pause of 0 would cause a busy loop of retries.
  const isList = Array.isArray(value) && value.length > 0 && value.every((one) => isAmount(one) && one > 0);
  return isList ? null : 'must be a list of numbers greater than 0';
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER;
}
