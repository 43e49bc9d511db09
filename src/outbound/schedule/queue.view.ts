// The queue, its destinations and its limits as /v1 shows them.
import type { QueueDestinationObject, QueueObject, QueueOverrideObject } from './queue.schema.js';
import { cleanReplyText } from '../../lib/smtp-replies/index.js';
import { obstacleOfAttempt, situationOfLimit } from '../explain/explain.rules.js';
import { CAUSE_TEXTS, fillIn, SITUATIONS } from '../explain/explain-advice.rules.js';
import { causeOf } from '../explain/explain-cause.rules.js';
import type { LimitCode, LimitReason } from '../explain/explain-facts.rules.js';
import type { Attempt } from '../../messages/attempts.store.js';
import type { Destination } from './queue-snapshots.js';
import { iso, isoOrNull } from '../../contract/time.js';
import type { LimitOverride } from '../outbound.tables.js';

/** Marketing and sales mail has this rank or a higher one. */
const BULK_RANK = 3;

interface DestinationFacts {
  destination: Destination;
  provider: string | null;
  /** Limit on its fullest queue. */
  limitReason: LimitReason | null;
  lastAttempt: Attempt | null;
  /** Time (epoch ms) at which the oldest message was accepted. */
  oldestAt: number | null;
}

export function presentQueue(destinations: readonly Destination[], oldestAt: number | null): QueueObject {
  const sum = (of: (destination: Destination) => number): number =>
    destinations.reduce((total, destination) => total + of(destination), 0);
  const queues = destinations.flatMap((destination) => destination.queues);
  const depthOf = (wanted: (rank: number) => boolean): number =>
    queues.reduce((total, queue) => (wanted(queue.rank) ? total + queue.waiting + queue.leased : total), 0);
  const depth = sum((one) => one.depth);
  const due = sum((one) => one.due);
  const leased = sum((one) => one.leased);
  const next = destinations.flatMap(({ nextDueAt }) => (nextDueAt === null ? [] : [nextDueAt]));
  return {
    object: 'queue',
    depth,
    due,
    scheduled: depth - due - leased,
    leased,
    held: sum((one) => one.held),
    transactional: depthOf((rank) => rank < BULK_RANK),
    bulk: depthOf((rank) => rank >= BULK_RANK),
    destinations: destinations.filter((one) => one.depth > 0).length,
    oldest_at: isoOrNull(oldestAt),
    next_attempt_at: isoOrNull(next.length === 0 ? null : Math.min(...next)),
  };
}

export function presentDestination(facts: DestinationFacts): QueueDestinationObject {
  const { destination, provider, lastAttempt, oldestAt, limitReason } = facts;
  const { domain, depth, due, leased, held, nextDueAt } = destination;
  const { state, reason } = destinationState(facts);
  return {
    object: 'queue_destination',
    domain,
    provider,
    depth,
    due,
    leased,
    held,
    oldest_at: isoOrNull(oldestAt),
    next_attempt_at: isoOrNull(nextDueAt === null ? null : Math.max(nextDueAt, limitReason?.until ?? 0)),
    state,
    reason,
    pauses: destination.pauses.map((pause) => ({
      sub_tenant_id: pause.sub_tenant_key === '' ? null : pause.sub_tenant_key,
      reason: pause.reason,
      created_at: iso(pause.created_at),
    })),
    last_reply: lastAttempt === null ? null : presentReply(lastAttempt),
  };
}

function presentReply({ at, detail }: Attempt): QueueDestinationObject['last_reply'] {
  const { code, enhanced_code, reply, host } = detail;
  return { at: iso(at), code, enhanced_code, text: cleanReplyText(reply), host };
}

type State = Pick<QueueDestinationObject, 'state' | 'reason'>;

function destinationState({ destination, limitReason, lastAttempt }: DestinationFacts): State {
  const { domain, leased, due, held, nextDueAt } = destination;
  const pause = coveringPause(destination);
  if (pause) {
    const text =
      pause.reason === ''
        ? `Delivery to ${domain} is paused.`
        : `Delivery to ${domain} is paused: ${pause.reason}`;
    return { state: 'paused', reason: { code: 'destination_paused', text, until: null } };
  }
  if (limitReason)
    return { state: LIMIT_STATES[limitReason.code], reason: reasonOfLimit(limitReason, domain) };
  if (leased > 0) return { state: 'flowing', reason: null };
  if (held > 0) {
    const text = `${held} ${held === 1 ? 'message is' : 'messages are'} on hold.`;
    return { state: 'waiting', reason: { code: 'held', text, until: null } };
  }
  if (due > 0 || !lastAttempt) return { state: 'waiting', reason: null };
  const cause = causeOf(obstacleOfAttempt(lastAttempt.detail));
  const text = fillIn(CAUSE_TEXTS[cause][0], { domain });
  return { state: 'deferred', reason: { code: `deferred_${cause}`, text, until: isoOrNull(nextDueAt) } };
}

/** The pause that covers all waiting mail. A pause of a sub-tenant does not cover the mail of others. */
function coveringPause({ queues, pauses }: Destination): Destination['pauses'][number] | null {
  const whole = pauses.find((pause) => pause.sub_tenant_key === '');
  if (whole) return whole;
  const paused = new Set(pauses.map((pause) => pause.sub_tenant_key));
  return queues.every((queue) => paused.has(queue.subTenantKey)) ? (pauses[0] ?? null) : null;
}

const LIMIT_STATES = {
  outbound_held: 'paused',
  paused: 'paused',
  tenant_paused: 'paused',
  tenant_dns_suspended: 'suspended',
  destination_suspended: 'suspended',
  tenant_suspended: 'suspended',
  circuit_open: 'suspended',
  source_unreachable: 'suspended',
  source_suspended: 'suspended',
  no_source: 'suspended',
  rate_limited: 'limited',
  concurrency_limited: 'limited',
  tenant_throttled: 'limited',
  warm_up: 'limited',
} as const satisfies Record<LimitCode, QueueDestinationObject['state']>;

function reasonOfLimit(
  { code, until, detail }: LimitReason,
  domain: string,
): QueueDestinationObject['reason'] {
  const known = situationOfLimit(code);
  const sentence = fillIn(SITUATIONS[known][0], { domain });
  const text = detail === '' ? sentence : `${sentence} (${detail})`;
  return { code: known, text, until: isoOrNull(until) };
}

/** `withReply` is for the operator. Other customers must not see a reply to one customer's mail. */
export function presentOverride(row: LimitOverride, withReply: boolean): QueueOverrideObject {
  return {
    id: row.id,
    object: 'queue_override',
    path: row.path,
    provider: row.provider,
    site: row.site,
    source: row.source,
    kind: row.kind,
    value: onTheWire(JSON.parse(row.value)),
    sub_tenant_id: row.sub_tenant_key === '' ? null : row.sub_tenant_key,
    rule: row.rule,
    reason: row.reason,
    reply: withReply ? row.reply : null,
    created_at: iso(row.created_at),
    expires_at: iso(row.expires_at),
  };
}

/** Numbers of these names are times. */
const TIMES = ['openUntil', 'probeAt'];

/** Stored state, with the names and times of the API. */
function onTheWire(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]): [string, unknown] => [
      key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      TIMES.includes(key) && typeof part === 'number' ? iso(part) : onTheWire(part),
    ]),
  );
}
