// Constants that no operator has to choose: limits, batches, intervals and timeouts that are right for every appliance. Tests
// shorten them by MAILKEEL_TUNING, one JSON object with these names; times in milliseconds, sizes in bytes, rates per minute.
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
  /** Connections to the API at once; one client network (IPv4 /24, IPv6 /56) may have a fifth of them. */
  httpConnections: 5000,
  /** Most waiting plans that share one durable transaction. */
  groupCommitMaxPlans: 200,
  /** Largest JSON body of POST /v1/messages and of the batch. */
  messageBodyLimitBytes: 30 * MIB,
  /** Largest JSON body of every other operation. */
  bodyLimitBytes: MIB,
  /** Octets of JSON bodies held at once, half of them for one key; more is answered 503 for the moment. */
  bodiesInFlightBytes: 128 * MIB,
  /** Most attachments of one message. */
  attachmentLimit: 50,
  /** Most recipients (to, cc and bcc) of one request. */
  recipientLimit: 50,
  /** Most messages of one batch. */
  batchLimit: 1000,
  /** Time that a key which another process revoked may still work in this one. */
  credentialCacheMs: 5 * SECOND,
  /** Longest time that one template may take to render. */
  renderTimeLimitMs: 2 * SECOND,
  /** Attempts open at once to endpoints that answer quickly; new, slow and silent ones have shares of as many besides. */
  webhookParallelism: 128,
  /** Shortest time between two reads of the database for the metrics. */
  metricsReadMs: 15 * SECOND,
  // Delivery
  /** Time after the end of its lifetime that a message which cannot be attempted waits before it bounces. */
  expiryGraceMs: 5 * MINUTE,
  /** Lease of a claimed message; longer than the SMTP timeouts together. */
  queueLeaseMs: 30 * MINUTE,
  /** Most messages claimed in one step. */
  queueClaimBatch: 200,
  /** Interval at which the queue is searched for mail that no notification announced. */
  queuePollMs: 30 * SECOND,
  /** Most retries after connections that were lost between the final dot and the reply. */
  ambiguousRetryLimit: 2,
  /** Shortest wait after a reply that means greylisting; the longest is twice as long. */
  greylistRetryMs: 5 * MINUTE,
  /** Wait after a peer has refused our address for good (a block list). */
  blockedRetryMs: 2 * HOUR,
  /** Most retries after refusals of our address. */
  blockedRetries: 3,
  /** From this age on the deferrals of a message say that it is delayed. */
  delayWarningMs: 4 * HOUR,
  /** When a domain that the DNS called dead is looked up again before its addresses are suppressed. */
  deadDomainRecheckMs: 4 * HOUR,
  /** Time without attempts to an unreachable destination after each failure in a row. */
  breakerPausesMs: [5 * SECOND, 15 * SECOND, 2 * MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE],
  /** Time that port 25 must look blocked for a source, and that it is left unused then; others may take over. */
  sourcePausesMs: [5 * MINUTE, 15 * MINUTE, 30 * MINUTE],
  /** Time that a claimed message waits for a connection before it goes back to the queue. */
  readyWaitMs: 10 * SECOND,
  /** Most messages that the delivery workers have at once. */
  mtaInFlight: 2000,
  /** Time that a held message (no signing key, tenant suspended) waits before it is checked again. */
  holdMs: MINUTE,
  /** Most claimed messages that wait in memory for one destination. */
  destinationInFlight: 100,
  /** Messages sent on one connection before it is closed, where the shaping says nothing else. */
  messagesPerConnection: 50,
  /** Time that an idle connection stays open, where the shaping sets no other. */
  idleConnectionMs: 20 * SECOND,
  // Receivers and DNS
  /** Longest time for fetching one MTA-STS policy. */
  mtaStsFetchTimeoutMs: 60 * SECOND,
  /** Longest time that mail waits for the first check of the MTA-STS policy of its domain. */
  mtaStsWaitMs: 10 * SECOND,
  /** Time that others may cache the MTA-STS policy of our inbound domains. */
  mtaStsMaxAgeMs: 7 * DAY,
  /** A name whose NS records are signed for sure: the resolver must call them authentic at the start. */
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
  /** Longest wait while the peer takes no data. */
  smtpBlockTimeoutMs: 180 * SECOND,
  /** DNS queries per server. */
  dnsTries: 2,
  /** Longest time of all preflight checks together. */
  preflightTimeLimitMs: 10 * SECOND,
  /** Most DNS queries open at once. */
  dnsParallel: 128,
  // Inbound mail, relay and certificates
  /** Message octets of one client address an hour, for each recipient; five times as many of its network. */
  inboundBytesPerHour: 2 * GIB,
  /** Octets of messages being received that are held at once; more are asked to come later. */
  inboundMemoryBytes: 128 * MIB,
  /** Refused recipients after which an inbound session is closed. */
  inboundWrongRecipients: 10,
  /** Most recipients of one inbound transaction. */
  inboundRecipients: 100,
  /** Longest silence of an inbound client, as RFC 5321 section 4.5.3.2.7 asks. */
  inboundIdleTimeoutMs: 5 * MINUTE,
  /** Longest inbound session. */
  inboundSessionLimitMs: 30 * MINUTE,
  /** Longest time for the data of one message. */
  inboundDataLimitMs: 10 * MINUTE,
  /** Period over which the least rate of a message is measured. */
  inboundDataWindowMs: 30 * SECOND,
  /** Received fields from which a message counts as a mail loop. */
  inboundMaxReceived: 50,
  /** Longest time that one received message may take to parse. */
  parseTimeLimitMs: 10 * SECOND,
  /** Most recipients of one relayed transaction; each becomes a message. */
  relayRecipients: 100,
  /** Delivery reports to one envelope sender a minute; more wait. 0 is no limit. */
  relayDsnRate: 60,
  /** Interval at which the certificate files are checked for changes. */
  tlsReloadMs: 30 * SECOND,
  /** Time before its end at which a certificate is renewed, a third of its life at the most; 0: that third. */
  acmeRenewBeforeMs: 30 * DAY,
  // Campaigns, sequences and tracking
  /** Time that the link of a sign-up confirmation works. */
  confirmationLifetimeMs: 7 * DAY,
  /** Interval at which scheduled and sending campaigns are checked when no notification wakes them. */
  campaignIntervalMs: SECOND,
  /** Recipients of a campaign whose copies are made and committed together. */
  campaignBatch: 50,
  /** Interval at which due steps of sequences are searched. */
  sequenceIntervalMs: SECOND,
  /** Due enrolments of one sequence that are taken together, before another sequence has its turn. */
  sequenceBatch: 100,
  /** Steps that one enrolment may take in all, so that a circle of branches ends. */
  sequenceMaxSteps: 1000,
  /** HTML beyond this size is cut off by Gmail; the check before a campaign warns of it. */
  clipLimitBytes: 102 * KIB,
  /** Different links of a campaign that are asked whether they work before it is sent; 0 asks none. */
  linkChecks: 50,
  /** Time that a checked link may take to answer. */
  linkCheckTimeoutMs: 5 * SECOND,
  /** Opens and clicks of one message that are recorded; more are answered and forgotten. */
  trackingEventsPerMessage: 1000,
  /** Interval at which new events are added to the counted statistics. */
  rollupIntervalMs: SECOND,
  // Sub-tenants, DNS zone, webhooks and people
  /** Period that the score of a sub-tenant covers, in whole hours. */
  reputationWindowMs: 7 * DAY,
  /** A warning or throttle ends when the rate is below this share of the level that set it. */
  reputationClear: 0.8,
  /** Sending domains of sub-tenants, and as many of senders, whose DNS is checked in one minute. */
  domainChecksPerMinute: 1000,
  /** Time that the record of a replaced key stays for mail that is in transit. */
  dkimOverlapMs: 14 * DAY,
  /** Time that DNS shows a replaced key as revoked before its selector is free again. */
  dkimRevokedKeepMs: 30 * DAY,
  /** Answers that the name server gives one client network by UDP, and as many by TCP; 0 is off. Per minute. */
  dnsRatePerMinute: 100 * 60,
  /** Queries by UDP that the name server answers in all, so that mail goes on in a flood; 0 is off. Per minute. */
  dnsTotalRatePerMinute: 2000 * 60,
  /** TCP connections to the name server at once; one client network may have a fifth of them. */
  dnsConnections: 100,
  /** Time that a TCP connection to the name server may be idle. */
  dnsIdleMs: 10 * SECOND,
  /** Time that the former secret of a webhook endpoint signs beside the new one. */
  webhookSecretOverlapMs: 24 * HOUR,
  /** Interval of heartbeats on an event stream without events. */
  eventStreamHeartbeatMs: 15 * SECOND,
  /** Event streams that are open at once. */
  eventStreams: 200,
  /** Minimum time of a refused sign-in, so that its time does not tell why. */
  signInRefusalMs: 250,
  /** Time that the link of an invitation works. */
  invitationLifetimeMs: 7 * DAY,
  /** Time that the link to choose a new password works. */
  passwordResetLifetimeMs: HOUR,
  /** Time that a rotated API key works beside the new one. */
  keyOverlapMs: 24 * HOUR,

  // Jobs
  /** Cron pattern of the jobs that run each minute. */
  minuteJobs: '* * * * *',
} as const;

type TuningKey = keyof typeof TUNING;
type Widened<T> = T extends number ? number : T extends string ? string : readonly number[];
export type Tuning = { readonly [K in TuningKey]: Widened<(typeof TUNING)[K]> };

/** Names the JSON object of changed constants. */
export const TUNING_ENV = 'MAILKEEL_TUNING';

/** An interval, a lease or a batch of 0 would stop the program or let it spin. */
const MAY_BE_ZERO: readonly string[] = ['signInRefusalMs'];

/**
 * The constants with the changes of `text`, a JSON object such as `{"queuePollMs":50}`, or null for none. Unknown names and
 * values of another kind are added to `problems`, a sentence each.
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
  // Each value was compared with the kind of its constant.
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
  // A pause of 0 would make a hot loop of the retries.
  const isList = Array.isArray(value) && value.length > 0 && value.every((one) => isAmount(one) && one > 0);
  return isList ? null : 'must be a list of numbers greater than 0';
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER;
}
