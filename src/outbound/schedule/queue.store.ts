// Statements of the queue: due messages, claims with leases, and stale leases.
import { inList, rowsAs } from '../../database/sql.js';
import type { Committer } from '../../database/committer.js';
import type { RowOf } from '../../database/columns.js';
import type { Engine, Tx, Value } from '../../database/engine/engine.js';
import { gcraCapacity, gcraRelease, gcraTake, type RateLimit } from '../../lib/rate-limits/index.js';
import type { MessageStatus, MessageType, Mode, Provider, RouteSide } from '../../contract/names.js';
import type { Message } from '../../messages/messages.tables.js';
import type { queue, queues } from '../../messages/queue.tables.js';
import type { trafficState } from '../outbound.tables.js';
import { readTlsTerms, type TlsTerms } from '../../messages/tls-terms.rules.js';

/** Separates the node ID from the rest of the owner's name in message leases. */
export const OWNER_SEPARATOR = '/';

const FIRST_DUE = `SELECT l.id AS "queueId",
  (SELECT MIN(q.due_at) FROM queue q WHERE q.queue_id = l.id AND q.lease_until IS NULL) AS "dueAt" FROM queues l WHERE l.id IN`;
const LEASE = 'UPDATE queue SET lease_until = ?, lease_owner = ?, hold_reason = NULL WHERE message_id IN';
// Keeps the hold reason, which decides whether the message may wait longer, even after a crash.
const LEASE_AS_HELD = 'UPDATE queue SET lease_until = ?, lease_owner = ? WHERE message_id IN';
const MOVE_LEASE = 'UPDATE queue SET lease_until = ? WHERE lease_owner = ? AND message_id IN';
const END_CLAIM = 'UPDATE queue SET lease_until = 0 WHERE lease_until = ? AND lease_owner = ?';
const MAKE_STATE =
  'INSERT INTO traffic_state (key, state, updated_at) VALUES (?, ?, ?) ON CONFLICT (key) DO NOTHING';
const WRITE_STATE = 'UPDATE traffic_state SET state = ?, updated_at = ? WHERE key = ?';
const RELEASE_STATE = 'UPDATE traffic_state SET state = ? WHERE key = ?';
/** Ids of one statement. */
const MOST_IDS = 256;
/** Queues that are read in one turn of the event loop: about 2 ms. */
const QUEUES_OF_PAGE = 250;

/** A message claimed for delivery. */
export interface Claim {
  messageId: number;
  publicId: string;
  queueId: number;
  domain: string;
  rank: number;
  /** The side of a route with a share, from the message's queue. `null` if it is undecided. */
  side: RouteSide | null;
  environmentId: number;
  workspaceNumber: number;
  workspaceId: string;
  mode: Mode;
  type: MessageType;
  /** Attempts made before this one. */
  attempts: number;
  ambiguousAttempts: number;
  /** Attempts that ended with a permanent rejection of this server's address. */
  blockedAttempts: number;
  /** Steps of the retry schedule used up. */
  retryStep: number;
  /** The source of the last attempt. */
  source: string | null;
  /** When it was due, which is its position in the queue. */
  dueAt: number;
  expiresAt: number;
  createdAt: number;
  scheduledAt: number | null;
  /** JSON array. */
  tags: string;
  /** Why it was held before the claim; `null` if it was not held. */
  heldFor: string | null;
  /** RFC 8689: `required` demands verified TLS on every hop; `waived` ignores the receiver's policies. */
  tlsTerms: TlsTerms;
  subTenantId: string | null;
  toEmail: string;
  toKey: string;
  /** Campaign whose copy it is. */
  campaignId: string | null;
  status: MessageStatus;
  /** Set once the trail says `sent`. */
  provider: Provider | null;
  /** JSON: the DSN options of a relayed message. */
  dsn: string | null;
  /** Set for reports, whose rejection says nothing about the mailbox. */
  nullSender: boolean;
  /** Trace of the request that submitted it. */
  traceparent: string | null;
}

/** A claim with the time (epoch ms) at which the intent to send the final dot was recorded. */
export interface LeasedClaim extends Claim {
  dotIntentAt: number | null;
}

type LeaseTerms = Pick<ClaimRequest, 'leaseUntil' | 'owner'>;

/** A destination in an environment or for one of its sub-tenants. */
export interface DestinationKey {
  environmentId: number;
  /** '' for the whole environment. */
  subTenantKey: string;
  domain: string;
}

/** A queue: the mail of one environment, sub-tenant, destination, rank and side. */
export interface QueueKey extends DestinationKey {
  queueId: number;
  mode: Mode;
  rank: number;
  /** The side of a route with a share that its messages take; null while that is not decided. */
  side: RouteSide | null;
}

export interface QueueState extends QueueKey {
  /** When its first waiting message is due; `null` if none waits. */
  dueAt: number | null;
}

/** A rate that nodes share, counted in a row of traffic_state. */
export interface ThrottleRow {
  key: string;
  rate: RateLimit;
}

export interface ClaimRequest {
  picks: readonly { queueId: number; limit: number; throttle?: ThrottleRow | null }[];
  now: number;
  leaseUntil: number;
  owner: string;
}

const QUEUES = `SELECT l.id AS "queueId", l.environment_id AS "environmentId", e.mode, l.sub_tenant_key AS "subTenantKey",
    l.domain, l.rank, NULLIF(l.side, '') AS side,
    (SELECT MIN(q.due_at) FROM queue q WHERE q.queue_id = l.id AND q.lease_until IS NULL) AS "dueAt"
  FROM queues l JOIN environments e ON e.id = l.environment_id WHERE l.id IN`;
/** Steps from queue to queue in the index, so that a million waiting rows cost as many steps as there are queues. */
const WAITING_QUEUES = `${QUEUES} (WITH RECURSIVE step (queue_id, place) AS (
    SELECT MIN(queue_id), 1 FROM queue WHERE lease_until IS NULL AND queue_id > ?
    UNION ALL
    SELECT (SELECT MIN(q.queue_id) FROM queue q WHERE q.lease_until IS NULL AND q.queue_id > step.queue_id), step.place + 1
    FROM step WHERE step.queue_id IS NOT NULL AND step.place < ?)
  SELECT queue_id FROM step WHERE queue_id IS NOT NULL)`;

const CLAIM_COLUMNS = `q.message_id, q.queue_id, q.attempts, q.ambiguous_attempts, q.blocked_attempts, q.retry_step, q.source,
  q.due_at, q.expires_at, q.dot_intent_at, q.hold_reason, m.public_id, m.environment_id, m.type, m.created_at, m.scheduled_at, m.tags, m.require_tls, m.dsn, m.null_sender, m.traceparent,
  m.sub_tenant_id, m.to_email, m.to_key, m.campaign_id, m.status, m.provider, l.domain, l.rank,
  l.side, e.mode, w.number AS workspace_number,
  w.id AS workspace_id`;
const CLAIM_SOURCE = `FROM queue q JOIN messages m ON m.id = q.message_id JOIN queues l ON l.id = q.queue_id
  JOIN environments e ON e.id = m.environment_id JOIN workspaces w ON w.id = e.workspace_id`;

const LIVE_MAIL = `SELECT ${CLAIM_COLUMNS} ${CLAIM_SOURCE} WHERE q.message_id > ? AND q.message_id <= ? AND e.mode = 'live'
  ORDER BY q.message_id LIMIT ?`;

const STALE_OF = `SELECT ${CLAIM_COLUMNS} ${CLAIM_SOURCE} WHERE q.lease_until IS NOT NULL AND q.lease_until < ?
  AND substr(q.lease_owner, 1, ?) = ? ORDER BY q.lease_until LIMIT ?`;
const STALE = `SELECT ${CLAIM_COLUMNS} ${CLAIM_SOURCE} WHERE q.lease_until IS NOT NULL AND q.lease_until < ?
  ORDER BY q.lease_until LIMIT ?`;

/** Reads all queues with waiting mail in pages, and awaits `between` after each. */
export async function* waitingPages(
  store: Pick<QueueStore, 'waitingQueues'>,
  between: () => Promise<unknown>,
): AsyncGenerator<QueueState[]> {
  for (let after = 0; ;) {
    const page = await store.waitingQueues({ after, limit: QUEUES_OF_PAGE });
    yield page;
    const last = page.at(-1);
    if (!last || page.length < QUEUES_OF_PAGE) return;
    after = last.queueId;
    await between();
  }
}

type ClaimRow = Omit<RowOf<typeof queue>, 'lease_until' | 'lease_owner'> &
  Pick<RowOf<typeof queues>, 'domain' | 'rank' | 'side'> &
  Pick<
    Message,
    'public_id' | 'environment_id' | 'type' | 'created_at' | 'scheduled_at' | 'tags' | 'require_tls' | 'dsn'
  > &
  Pick<
    Message,
    | 'null_sender'
    | 'traceparent'
    | 'sub_tenant_id'
    | 'to_email'
    | 'to_key'
    | 'campaign_id'
    | 'status'
    | 'provider'
  > & { mode: Mode; workspace_number: number; workspace_id: string };

function readClaim(row: ClaimRow): LeasedClaim {
  return {
    messageId: row.message_id,
    publicId: row.public_id,
    queueId: row.queue_id,
    domain: row.domain,
    rank: row.rank,
    side: row.side === '' ? null : row.side,
    environmentId: row.environment_id,
    workspaceNumber: row.workspace_number,
    workspaceId: row.workspace_id,
    mode: row.mode,
    type: row.type,
    attempts: row.attempts,
    ambiguousAttempts: row.ambiguous_attempts,
    blockedAttempts: row.blocked_attempts,
    retryStep: row.retry_step,
    source: row.source,
    dueAt: row.due_at,
    expiresAt: row.expires_at,
    createdAt: row.created_at,
    scheduledAt: row.scheduled_at,
    tags: row.tags,
    heldFor: row.hold_reason,
    tlsTerms: readTlsTerms(row.require_tls),
    subTenantId: row.sub_tenant_id,
    toEmail: row.to_email,
    toKey: row.to_key,
    campaignId: row.campaign_id,
    status: row.status,
    provider: row.provider,
    dsn: row.dsn,
    nullSender: row.null_sender === 1,
    traceparent: row.traceparent,
    dotIntentAt: row.dot_intent_at,
  };
}

type StateRow = Pick<RowOf<typeof trafficState>, 'state'>;

/** Returns 0 if nothing was taken yet. */
function readTat(row: StateRow | undefined): number {
  return row === undefined ? 0 : Number(JSON.parse(row.state));
}

function claimedIds(claimed: readonly Claim[]): number[] {
  return claimed.map(({ messageId }) => messageId);
}

export type QueueStore = ReturnType<typeof createQueueStore>;

export function createQueueStore(engine: Engine, committer: Committer) {
  return { ...queueReads(engine), ...claims(engine, committer), ...leases(engine, committer) };
}

function queueReads(engine: Engine) {
  return {
    /** The queues, and when their waiting mail is due. */
    async queues(queueIds: readonly number[]): Promise<QueueState[]> {
      const found: QueueState[] = [];
      for (let i = 0; i < queueIds.length; i += MOST_IDS) {
        const { marks, values } = inList(queueIds.slice(i, i + MOST_IDS));
        found.push(...(await rowsAs<QueueState>(engine.rows(`${QUEUES} (${marks})`, values))));
      }
      return found;
    },

    /** The first `limit` queues with waiting mail whose IDs are greater than `after`, by ID. */
    async waitingQueues({ after, limit }: { after: number; limit: number }): Promise<QueueState[]> {
      const rows = await rowsAs<QueueState>(engine.rows(WAITING_QUEUES, [after, limit]));
      return rows.sort((a, b) => a.queueId - b.queueId);
    },

    /** Live mail in the queue, leased or not, with row IDs greater than `after` and up to `upTo`. */
    async liveMail({
      after,
      upTo,
      limit,
    }: {
      after: number;
      upTo: number;
      limit: number;
    }): Promise<LeasedClaim[]> {
      return (await rowsAs<ClaimRow>(engine.rows(LIVE_MAIL, [after, upTo, limit]))).map(readClaim);
    },
  };
}

/** Result of a claim. */
interface Claimed {
  claims: Claim[];
  /** Next due time of each queue. */
  queues: { queueId: number; dueAt: number | null }[];
  /** States of throttles, by key. */
  tats: ReadonlyMap<string, number>;
}

function claims(engine: Engine, committer: Committer) {
  const dueInQueue = `SELECT ${CLAIM_COLUMNS} ${CLAIM_SOURCE} WHERE q.queue_id = ? AND q.lease_until IS NULL AND q.due_at <= ?
    ORDER BY q.due_at, q.message_id LIMIT ? ${engine.forUpdateSkipLocked('q')}`;
  const readState = `SELECT state FROM traffic_state WHERE key = ? ${engine.forUpdate}`;

  /** Due mail of throttled queues, as far as each throttle allows. Locks the throttles until the claim is committed. */
  async function dueWithin(tx: Tx, picks: ClaimRequest['picks'], now: number) {
    const rows: ClaimRow[] = [];
    const tats = new Map<string, number>();
    const throttled = picks.flatMap(({ queueId, limit, throttle }) =>
      throttle ? [{ queueId, limit, throttle }] : [],
    );
    // Sorted, so that two nodes cannot deadlock.
    for (const { queueId, limit, throttle } of throttled.sort((a, b) =>
      a.throttle.key < b.throttle.key ? -1 : 1,
    )) {
      const { key, rate } = throttle;
      const before = tats.get(key) ?? (await throttleState(tx, key, now));
      const most = Math.min(limit, gcraCapacity(before, rate, now));
      const found = most === 0 ? [] : await rowsAs<ClaimRow>(tx.run(dueInQueue, [queueId, now, most]));
      rows.push(...found);
      tats.set(key, found.length === 0 ? (before ?? 0) : gcraTake(before, rate, now, found.length));
    }
    for (const [key, tat] of tats) tx.post(WRITE_STATE, [JSON.stringify(tat), now, key]);
    return { rows, tats };
  }

  /** Locks the row of a throttle, which it creates if needed. */
  async function throttleState(tx: Tx, key: string, now: number): Promise<number | undefined> {
    await tx.run(MAKE_STATE, [key, '0', now]);
    const [row] = await rowsAs<StateRow>(tx.run(readState, [key]));
    const tat = readTat(row);
    return tat === 0 ? undefined : tat;
  }

  return {
    /** Leases due messages, as far as throttles allow. */
    claim: ({ picks, now, leaseUntil, owner }: ClaimRequest): Promise<Claimed> =>
      committer.commit(async ({ tx }) => {
        const found = new Map<number, Claim>();
        const free = picks.filter(({ throttle = null }) => throttle === null);
        // Sent together, so that they share a round trip to a server.
        const due = await Promise.all(
          free.map(async ({ queueId, limit }) => rowsAs<ClaimRow>(tx.run(dueInQueue, [queueId, now, limit]))),
        );
        const { rows, tats } = await dueWithin(tx, picks, now);
        for (const row of [...due.flat(), ...rows]) {
          const claim = readClaim(row);
          found.set(claim.messageId, claim);
        }
        updateAll(tx, LEASE, [leaseUntil, owner], [...found.keys()]);
        if (picks.length === 0) return { claims: [], queues: [], tats };
        const { marks, values } = inList(picks.map(({ queueId }) => queueId));
        const dueTimes = await rowsAs<Claimed['queues'][number]>(tx.run(`${FIRST_DUE} (${marks})`, values));
        return { claims: [...found.values()], queues: dueTimes, tats };
      }),

    /** Returns `count` unsent messages to the throttle. Resolves to its state, or to `null` if its row was deleted. */
    releaseThrottle: ({ key, rate }: ThrottleRow, count: number): Promise<number | null> =>
      committer.commit(async ({ tx }) => {
        const [row] = await rowsAs<StateRow>(tx.run(readState, [key]));
        if (row === undefined) return null;
        const tat = gcraRelease(readTat(row), rate, count);
        tx.post(RELEASE_STATE, [JSON.stringify(tat), key]);
        return tat;
      }),
  };
}

function leases(engine: Engine, committer: Committer) {
  const overdue = `SELECT ${CLAIM_COLUMNS} ${CLAIM_SOURCE} WHERE q.expires_at < ? AND q.lease_until IS NULL
    ORDER BY q.expires_at, q.message_id LIMIT ? OFFSET ? ${engine.forUpdateSkipLocked('q')}`;
  const waitingAmong = (marks: string): string =>
    `SELECT ${CLAIM_COLUMNS} ${CLAIM_SOURCE} WHERE q.message_id IN (${marks}) AND q.lease_until IS NULL
    ${engine.forUpdateSkipLocked('q')}`;

  return {
    /** Sets the end of leases that the owner still holds; 0 gives them up. */
    moveLeases: (messageIds: readonly number[], owner: string, leaseUntil: number): Promise<void> =>
      committer.commit(({ tx }) => {
        updateAll(tx, MOVE_LEASE, [leaseUntil, owner], messageIds);
        return Promise.resolve();
      }),

    /** Ends the leases of a claim that may or may not have been committed. */
    endClaim: ({ leaseUntil, owner }: LeaseTerms): Promise<void> =>
      committer.commit(({ tx }) => {
        tx.post(END_CLAIM, [leaseUntil, owner]);
        return Promise.resolve();
      }),

    /** Leases waiting mail that expired before `before`, without the first `skip` messages. */
    claimOverdue: ({
      before,
      leaseUntil,
      owner,
      limit,
      skip,
    }: LeaseTerms & { before: number; limit: number; skip: number }): Promise<Claim[]> =>
      committer.commit(async ({ tx }) => {
        const found = (await rowsAs<ClaimRow>(tx.run(overdue, [before, limit, skip]))).map(readClaim);
        updateAll(tx, LEASE_AS_HELD, [leaseUntil, owner], claimedIds(found));
        return found;
      }),

    /** Leases the messages that still wait, due or not. */
    claimWaiting: ({
      messageIds,
      leaseUntil,
      owner,
    }: LeaseTerms & { messageIds: readonly number[] }): Promise<Claim[]> =>
      committer.commit(async ({ tx }) => {
        const { marks, values } = inList(messageIds);
        const found = (await rowsAs<ClaimRow>(tx.run(waitingAmong(marks), values))).map(readClaim);
        updateAll(tx, LEASE_AS_HELD, [leaseUntil, owner], claimedIds(found));
        return found;
      }),

    /** Claims whose leases have expired. `owner`: prefix of the owners' names. */
    staleLeases: ({
      before,
      limit,
      owner,
    }: {
      before: number;
      limit: number;
      owner: string | null;
    }): Promise<LeasedClaim[]> =>
      committer.commit(async ({ tx }) => {
        const rows =
          owner === null
            ? tx.run(STALE, [before, limit])
            : tx.run(STALE_OF, [before, owner.length, owner, limit]);
        return (await rowsAs<ClaimRow>(rows)).map(readClaim);
      }),
  };
}

/** Runs one statement for many messages; `first` are its other values. */
function updateAll(tx: Tx, statement: string, first: readonly Value[], messageIds: readonly number[]): void {
  for (let i = 0; i < messageIds.length; i += MOST_IDS) {
    const { marks, values } = inList(messageIds.slice(i, i + MOST_IDS));
    tx.post(`${statement} (${marks})`, [...first, ...values]);
  }
}
