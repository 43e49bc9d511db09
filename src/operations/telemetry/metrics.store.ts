// Values of the metrics from the database, one statement each. They are read rarely, and by a reader thread if there is one, so that
// a queue of a million messages delays nothing.
import type { Engine } from '../../database/engine/engine.js';
import { rowsAs } from '../../database/sql.js';

interface QueueFigures {
  mode: string;
  rank: number;
  state: 'in_flight' | 'held' | 'due' | 'later';
  messages: number;
  /** Earliest due time, past or future, in epoch ms. */
  oldestDueAt: number;
}

export interface StoredFigures {
  queue: QueueFigures[];
  approvals: { mode: string; pending: number; oldestAt: number }[];
  inDoubt: number;
  /** True while outbound mail is held after a restore. */
  isOutboundHeld: boolean;
  inboundWaiting: number;
  inboundParked: number;
  /** Deliveries to enabled endpoints only. */
  webhooks: { pending: number; oldestDueAt: number | null };
  /** `goodAt` is when the last good backup ended (epoch ms). `null` if a database server keeps the rows. */
  backups: { goodAt: number | null; hasFailed: boolean } | null;
  /** Events behind the heads of the chains, by consumer. */
  consumerLag: { consumer: string; events: number }[];
  tenants: { state: string; count: number }[];
  /** Sub-tenants that are held back for their reputation or by request, by environment. */
  heldTenants: { mode: string; state: string; count: number }[];
  dkimKeys: { state: string; count: number }[];
  /** `null` if a database server stores the rows. */
  freeBytes: number | null;
}

const QUEUE = `SELECT e.mode, l.rank, s.state, SUM(s.n) AS n, MIN(s.oldest) AS oldest FROM (
    SELECT q.queue_id, CASE WHEN q.lease_until IS NOT NULL THEN 'in_flight' WHEN q.hold_reason IS NOT NULL THEN 'held'
      WHEN q.due_at <= ? THEN 'due' ELSE 'later' END AS state, COUNT(*) AS n, MIN(q.due_at) AS oldest
    FROM queue q GROUP BY 1, 2) s
  JOIN queues l ON l.id = s.queue_id JOIN environments e ON e.id = l.environment_id GROUP BY e.mode, l.rank, s.state`;
const APPROVALS = `SELECT e.mode, COUNT(*) AS n, MIN(a.created_at) AS oldest FROM approvals a
  JOIN environments e ON e.id = a.environment_id WHERE a.status = 'pending' GROUP BY e.mode`;
const IN_DOUBT = 'SELECT COUNT(*) AS n FROM messages WHERE in_doubt_at IS NOT NULL';
const UNRELEASED = 'SELECT COUNT(*) AS n FROM restores WHERE released_at IS NULL';
const INBOUND_WAITING = "SELECT COUNT(*) AS n FROM inbound_messages WHERE state = 'waiting'";
const INBOUND_PARKED = "SELECT COUNT(*) AS n FROM inbound_messages WHERE state = 'failed'";
const WEBHOOKS = `SELECT COUNT(*) AS n, MIN(d.due_at) AS oldest FROM webhook_deliveries d
  JOIN webhook_endpoints p ON p.id = d.endpoint_id WHERE d.status = 'pending' AND p.status = 'enabled'`;
const LAST_BACKUP = 'SELECT error FROM backups ORDER BY ended_at DESC LIMIT 1';
const GOOD_BACKUP = 'SELECT MAX(ended_at) AS n FROM backups WHERE error IS NULL';
const WEBHOOK_LAG = 'SELECT SUM(head_seq - fanned_out_seq) AS n FROM chains';
const CONSUMER_LAG = `SELECT k.name, SUM(c.head_seq - k.seq) AS n FROM consumers k
  JOIN chains c ON c.workspace_number = k.workspace_number GROUP BY k.name`;
const TENANTS =
  'SELECT status AS state, COUNT(*) AS n FROM sub_tenants WHERE deleted_at IS NULL GROUP BY status';
const HELD_TENANTS = `SELECT e.mode, CASE WHEN r.paused_at IS NOT NULL THEN 'paused' ELSE r.state END AS state, COUNT(*) AS n
  FROM tenant_reputations r JOIN environments e ON e.id = r.environment_id
  JOIN sub_tenants s ON s.id = r.sub_tenant_id AND s.deleted_at IS NULL
  WHERE r.paused_at IS NOT NULL OR r.state <> 'ok'
  GROUP BY e.mode, CASE WHEN r.paused_at IS NOT NULL THEN 'paused' ELSE r.state END`;
const DKIM_KEYS = 'SELECT state, COUNT(*) AS n FROM dkim_keys GROUP BY state';

/** COUNT returns a number, and SUM of PostgreSQL a text. */
type Sum = number | string;

interface QueueRow extends Pick<QueueFigures, 'mode' | 'rank' | 'state'> {
  n: Sum;
  oldest: number;
}

interface StateRow {
  state: string;
  n: number;
}

/** Reads within the caller's read transaction, if there is one. `now` is in epoch ms. */
export async function storedFigures(engine: Engine, now: number): Promise<StoredFigures> {
  const rows = async <T extends object>(statement: string, ...values: number[]): Promise<T[]> =>
    rowsAs<T>(engine.rows(statement, values));
  const number = async (statement: string): Promise<number> =>
    Number((await rows<{ n: Sum | null }>(statement))[0]?.n ?? 0);
  const byState = async (statement: string): Promise<{ state: string; count: number }[]> =>
    (await rows<StateRow>(statement)).map(({ state, n }) => ({ state, count: n }));
  const queue = (await rows<QueueRow>(QUEUE, now)).map(({ n, oldest, ...row }): QueueFigures => ({
    ...row,
    messages: Number(n),
    oldestDueAt: oldest,
  }));
  const [webhooks] = await rows<{ n: number; oldest: number | null }>(WEBHOOKS);
  const lag = (await rows<{ name: string; n: Sum }>(CONSUMER_LAG)).map(({ name, n }) => ({
    consumer: name,
    events: Number(n),
  }));
  const backupsOf = async () => ({
    goodAt: (await rows<{ n: number | null }>(GOOD_BACKUP))[0]?.n ?? null,
    hasFailed: ((await rows<{ error: string | null }>(LAST_BACKUP))[0]?.error ?? null) !== null,
  });
  return {
    queue,
    approvals: (await rows<{ mode: string; n: Sum; oldest: number }>(APPROVALS)).map(
      ({ mode, n, oldest: oldestAt }) => ({ mode, pending: Number(n), oldestAt }),
    ),
    inDoubt: await number(IN_DOUBT),
    isOutboundHeld: (await number(UNRELEASED)) > 0,
    inboundWaiting: await number(INBOUND_WAITING),
    inboundParked: await number(INBOUND_PARKED),
    webhooks: {
      pending: webhooks?.n ?? 0,
      oldestDueAt: webhooks?.oldest ?? null,
    },
    backups: engine.upkeep ? await backupsOf() : null,
    consumerLag: [{ consumer: 'webhooks', events: await number(WEBHOOK_LAG) }, ...lag],
    tenants: await byState(TENANTS),
    heldTenants: (await rows<StateRow & { mode: string }>(HELD_TENANTS)).map(({ n, ...row }) => ({
      ...row,
      count: n,
    })),
    dkimKeys: await byState(DKIM_KEYS),
    freeBytes: (await engine.upkeep?.size())?.freeBytes ?? null,
  };
}
