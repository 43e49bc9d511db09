// The session of a server on a PostgreSQL database: locks between servers and commands, a heartbeat, and messages between nodes.
// PostgreSQL releases the locks when the process or its machine dies.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { machineClock, monotonicMs } from '../../lib/runtime/index.js';
import { rowsAs } from '../sql.js';
import type { Row, Value } from './engine.js';
import { DatabaseServerError, findSocket } from './postgres-pool.js';

/** Two numbers of an advisory lock in this database. Nodes share the lock; a command holds it exclusively. */
const DATABASE_LOCK = "1886352500, hashtext('mailkeel ' || current_schema())";
/** First number of the locks of nodes; the second is the node's own. */
const NODE_LOCK = '1886352501';
/** A node seen within this time (ms) may be alive, even if its session has ended. */
const LIVING_MS = 6_000;
/** PostgreSQL considers this machine dead 25 s after its last sign of life. The last setting applies if data waits to be sent to it. */
const KEEP_ALIVE = `SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3;
  SET tcp_user_timeout = 25000`;
/** Ends former connections of a session that the server may still consider alive. */
const END_FORMER = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE pid <> pg_backend_pid() AND application_name = $1 AND usename = current_user`;
/** Ends a node's connections except its session, whose lock shows that the node is alive. */
const END_WORK = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE application_name = $1 AND datname = current_database() AND usename = current_user`;
const IS_GONE = `SELECT CASE WHEN pg_try_advisory_lock(${NODE_LOCK}, $1) THEN pg_advisory_unlock(${NODE_LOCK}, $1)
  ELSE false END AS yes`;
const SERVER_AGE_MS = `SELECT (EXTRACT(EPOCH FROM clock_timestamp() - pg_postmaster_start_time()) * 1000)::float8 AS age`;
const HAS_TABLE = `SELECT EXISTS (SELECT 1 FROM information_schema.tables
  WHERE table_schema = current_schema() AND table_name = 'nodes') AS yes`;
const HAS_LIVING = `SELECT EXISTS (SELECT 1 FROM nodes
  WHERE seen_at > EXTRACT(EPOCH FROM clock_timestamp()) * 1000 - ${LIVING_MS}) AS yes`;
const TAKES_NO_WRITES = `SELECT current_setting('transaction_read_only')::boolean AS yes`;
/** Reasons for waiting. */
const READ_ONLY = 'the database is read-only or a replica';
const EARLY = 'PostgreSQL has just started; waiting for servers that were already running';
const TAKEN = 'a command or another starting server is using the database';
const SHARED_SESSIONS =
  'the connection goes through a pooler in transaction mode, which breaks locks and prepared statements. Connect directly, or set the pooler to session mode.';
/** Number of checks, because a pooler may assign the same session by chance. */
const SHARING_TRIES = 3;
/** Message of `pg` for a statement without a timely response. */
const NO_ANSWER = 'Query read timeout';
const CONNECT_MS = 5_000;
const MOST_MEASURED_MS = 500;
/** A server whose last answered heartbeat is older than this (ms) does no exclusive work. */
const FENCED_AFTER_MS = 5_000;
/** A heartbeat that waits longer than this (ms) will probably not be answered. */
const UNANSWERED_MS = 2_500;
const POLL_MS = 1_000;
/** Interval (ms) of heartbeats. A session can end silently; noticing that may take `CONNECT_MS`. */
const HEARTBEAT_MS = 2_000;
/** Time (ms) after a restart of PostgreSQL in which previously active servers have priority. */
const AFTER_RESTART_MS = 10_000;
/** Attempts to get a lock, one second apart, before it counts as taken: the former session takes a moment to end. */
const REGAIN_TRIES = 5;

interface SessionOptions {
  url: string;
  /** Called with the reason each time the server has to wait. The wait continues when it resolves. */
  onWait?: (reason: string) => Promise<void>;
  /** The connection was lost. It is reopened immediately, however long that takes. */
  onLost: (error: Error) => void;
  /** The locks were regained before anyone else took them. */
  onRegained: () => void;
  /** Offset (ms) of the machine's clock from the database's; positive if ahead. */
  onClock: (offsetMs: number) => void;
  /** PostgreSQL does not respond although the connection is open. */
  onSilent: () => void;
  /** Other servers have taken over, so this one must end. */
  onTaken: () => void;
  /** A message from another node. */
  onMessage: (payload: string) => void;
}

/** A statement in PostgreSQL's own syntax. */
interface Statement {
  text: string;
  values: readonly Value[];
}

interface HeartbeatRow {
  /** Missing if the session has no node. Text, because these clients do not parse int8. */
  seen_at?: string;
}

interface NodeEntry {
  lockNumber: number;
  /** Returns no row if other nodes have declared this one dead, otherwise the database's time as `seen_at`. */
  heartbeat: Statement;
  /** The notification channel of the nodes. */
  channel: string;
}

export interface ServerSession {
  /** True if no other server uses the database, and none can start before `admitOthers`. */
  readonly isAlone: boolean;
  /** Releases the database and waits for another turn, for a server that must change the tables and cannot do so beside others. */
  waitAgain(): Promise<void>;
  /** Takes the lock of a node and starts its heartbeat. */
  enter(node: NodeEntry): Promise<void>;
  admitOthers(): Promise<void>;
  /** Whether another node's session has ended. Rejects while the connection is lost. */
  isGone(lockNumber: number): Promise<boolean>;
  /** Ends another node's working connections, so that its locks are released. */
  endWork(nodeId: string): Promise<void>;
  /** Sends a message to all sessions, including this one. Messages are lost while the connection is lost. */
  send(payload: string): void;
  /** Offset (ms) of the machine's clock from the database's, positive if ahead; null if not measured yet. */
  readonly clockOffsetMs: number | null;
  /** True if the last answered heartbeat is seconds old, so other nodes may soon take over this server's work. */
  readonly isFenced: boolean;
  /** True if a heartbeat has waited for seconds or the connection is lost. False if this process itself was suspended. */
  readonly isAway: boolean;
  /** When this connection was opened (monotonic clock). */
  readonly openSince: number;
  /** Releases the locks. Never rejects. */
  release(): Promise<void>;
}

/** Resolves when this server may use the database. Rejects with a DatabaseServerError if PostgreSQL cannot be reached at first. */
export async function openServerSession(options: SessionOptions): Promise<ServerSession> {
  const application = newApplication();
  const first = await openUnshared(options.url, application).catch((error: unknown) => {
    throw new DatabaseServerError(options.url, error);
  });
  const { connection, isAlone } = await waitForTurn(first, { ...options, application });
  return new Session({ ...options, application }, connection, isAlone);
}

/** Returns the name of a node's connections, other than its session, in pg_stat_activity. */
export function connectionName(nodeId: string): string {
  return `mailkeel ${nodeId}`;
}

/** Returns a name unique to one session, so that it ends no other session's connections. */
function newApplication(): string {
  return `mailkeel server ${randomUUID()}`;
}

/** With the name of its connections in pg_stat_activity. */
type NamedOptions = SessionOptions & { application: string };

class Session implements ServerSession {
  readonly #options: NamedOptions;
  #connection: Connection;
  #isAlone: boolean;
  #node: NodeEntry | null = null;
  #aliveAt = monotonicMs();
  /** When the first unanswered heartbeat was sent or the connection was lost; null if no answer is pending. */
  #askedAt: number | null = null;
  #clockOffsetMs: number | null = null;
  #openSince = monotonicMs();
  #isReleased = false;

  constructor(options: NamedOptions, connection: Connection, isAlone: boolean) {
    this.#options = options;
    this.#connection = connection;
    this.#isAlone = isAlone;
    this.#watch(connection);
  }

  get isAlone(): boolean {
    return this.#isAlone;
  }

  get clockOffsetMs(): number | null {
    return this.#clockOffsetMs;
  }

  get isFenced(): boolean {
    return monotonicMs() - this.#aliveAt > FENCED_AFTER_MS;
  }

  get isAway(): boolean {
    const askedAt = this.#askedAt;
    return this.isFenced && askedAt !== null && monotonicMs() - askedAt > UNANSWERED_MS;
  }

  get openSince(): number {
    return this.#openSince;
  }

  async waitAgain(): Promise<void> {
    await this.#connection.unlockShared();
    for (;;) {
      await pause(POLL_MS);
      if (await this.#connection.tryAlone()) {
        this.#isAlone = true;
        // A living node that lost its session returns to it shortly.
        if (!(await this.#connection.isTrue(HAS_LIVING))) return;
        await this.#connection.unlockAlone();
        this.#isAlone = false;
        continue;
      }
      if (await this.#connection.tryShared()) return;
    }
  }

  async enter(node: NodeEntry): Promise<void> {
    this.#node = node;
    if (!(await this.#connection.tryNode(node.lockNumber)))
      throw new Error('Another node uses the same number.');
    await this.#connection.listen(node.channel);
    await this.#writeHeartbeat(this.#connection);
  }

  async admitOthers(): Promise<void> {
    if (!this.#isAlone) return;
    await this.#connection.shareLock();
    this.#isAlone = false;
  }

  isGone(lockNumber: number): Promise<boolean> {
    return this.#connection.isTrue(IS_GONE, [lockNumber]);
  }

  async endWork(nodeId: string): Promise<void> {
    await this.#connection.query(END_WORK, [connectionName(nodeId)]);
  }

  send(payload: string): void {
    if (this.#node === null) return;
    // Other nodes also poll, so a lost message is harmless.
    this.#connection.query('SELECT pg_notify($1, $2)', [this.#node.channel, payload]).catch(() => undefined);
  }

  async release(): Promise<void> {
    this.#isReleased = true;
    await this.#connection.close();
  }

  #watch(connection: Connection): void {
    this.#connection = connection;
    this.#openSince = monotonicMs();
    connection.watch({
      heartbeat: () => this.#writeHeartbeat(connection),
      onMessage: this.#options.onMessage,
      onEnd: (error) => {
        if (!this.#isReleased) void this.#regain(error);
      },
    });
  }

  async #writeHeartbeat(connection: Connection): Promise<void> {
    const at = monotonicMs();
    this.#askedAt ??= at;
    const { text, values } = this.#node?.heartbeat ?? { text: 'SELECT 1', values: [] };
    const askedAt = machineClock();
    const [row] = await rowsAs<HeartbeatRow>(connection.query(text, values));
    if (row !== undefined) {
      this.#answered(at);
      this.#measureClock(row, askedAt);
    } else if (!this.#isReleased) this.#options.onTaken();
  }

  /** Records the answer to a heartbeat sent at `at`. */
  #answered(at: number): void {
    this.#aliveAt = at;
    this.#askedAt = null;
  }

  /** Ignores slow answers, such as those that waited for a lock, because they do not give a precise time. */
  #measureClock({ seen_at: seenAt }: HeartbeatRow, askedAt: number): void {
    const answeredAt = machineClock();
    if (seenAt === undefined || answeredAt - askedAt > MOST_MEASURED_MS) return;
    this.#clockOffsetMs = (askedAt + answeredAt) / 2 - Number(seenAt);
    this.#options.onClock(this.#clockOffsetMs);
  }

  async #regain(error: Error): Promise<void> {
    const { url, application, onLost, onSilent } = this.#options;
    this.#askedAt ??= monotonicMs();
    onLost(error);
    if (error.message === NO_ANSWER) onSilent();
    for (;;) {
      await pause(POLL_MS);
      if (this.#isReleased) return;
      const next = await Connection.open(url, application).catch(() => null);
      // PostgreSQL is still unavailable.
      if (next === null) continue;
      const isOurs = await this.#takeUp(next).catch(() => null);
      if (isOurs === true) {
        this.#watch(next);
        this.#options.onRegained();
        return;
      }
      await next.close();
      if (isOurs === false) {
        this.#options.onTaken();
        return;
      }
    }
  }

  /** Takes the locks again. Resolves to false if other nodes have declared this one dead or a command holds the database. */
  async #takeUp(next: Connection): Promise<boolean> {
    await next.endFormer(this.#options.application);
    for (let tries = 1; !(await this.#lockAgain(next)); tries += 1) {
      if (tries >= REGAIN_TRIES) return false;
      await pause(POLL_MS);
    }
    if (this.#node === null) {
      this.#answered(monotonicMs());
      return true;
    }
    const { channel, heartbeat } = this.#node;
    await next.listen(channel);
    const at = monotonicMs();
    const isKept = (await next.query(heartbeat.text, heartbeat.values)).length > 0;
    if (isKept) this.#answered(at);
    return isKept;
  }

  async #lockAgain(next: Connection): Promise<boolean> {
    if (this.#isAlone) return next.tryAlone();
    if (!(await next.tryShared())) return false;
    return this.#node === null || next.tryNode(this.#node.lockNumber);
  }
}

/** Rejects if a pooler shares PostgreSQL sessions among connections, because a lock would then not belong to this one. */
async function openUnshared(url: string, application: string): Promise<Connection> {
  const connection = await Connection.open(url, application);
  try {
    if (await isShared(connection, url, application)) throw new Error(SHARED_SESSIONS);
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** Whether another connection gets this one's session, or this one gets another session during the other's transaction. */
async function isShared(connection: Connection, url: string, application: string): Promise<boolean> {
  const other = await Connection.open(url, application);
  try {
    for (let tries = 0; tries < SHARING_TRIES; tries += 1) {
      const own = await connection.sessionId();
      await other.query('BEGIN', []);
      if ((await other.sessionId()) === own || (await connection.sessionId()) !== own) return true;
      await other.query('ROLLBACK', []);
    }
    return false;
  } finally {
    await other.close();
  }
}

interface DatabaseLock {
  release(): Promise<void>;
}

/** Locks the database for a command, if no server uses it. */
export async function lockDatabaseNow(url: string): Promise<DatabaseLock | null> {
  const connection = await openUnshared(url, newApplication());
  const isAlone = await connection.tryAlone().catch(async (error: unknown) => {
    await connection.close();
    throw error;
  });
  if (isAlone) return { release: () => connection.close() };
  await connection.close();
  return null;
}

/** Waits for a command, or for a server that changes the tables. The lock is exclusive if no other server works, otherwise shared. */
async function waitForTurn(
  first: Connection,
  { url, application, onWait }: NamedOptions,
): Promise<{ connection: Connection; isAlone: boolean }> {
  let connection = first;
  for (;;) {
    try {
      const reason = await reasonToWait(connection);
      if (reason === null && (await connection.tryAlone())) return { connection, isAlone: true };
      if (reason === null && (await connection.tryShared())) return { connection, isAlone: false };
      await onWait?.(reason ?? TAKEN);
      await pause(POLL_MS);
      // A new connection may reach the primary.
      if (reason === READ_ONLY) throw new Error(reason);
    } catch {
      // The pending request may still get the lock later, so the connection must be closed.
      await connection.close();
      connection = await reopen(url, application);
    }
  }
}

async function reasonToWait(connection: Connection): Promise<string | null> {
  if (await connection.isTrue(TAKES_NO_WRITES)) return READ_ONLY;
  return (await comesTooEarly(connection)) ? EARLY : null;
}

/** Whether PostgreSQL has just started, so previously active nodes will return within a second or two. */
async function comesTooEarly(connection: Connection): Promise<boolean> {
  const [row] = await rowsAs<{ age: number }>(connection.query(SERVER_AGE_MS, []));
  if (row !== undefined && row.age >= AFTER_RESTART_MS) return false;
  return (
    (await connection.isTrue(HAS_TABLE)) &&
    (await connection.isTrue('SELECT EXISTS (SELECT 1 FROM nodes) AS yes'))
  );
}

/** Reconnects as soon as PostgreSQL can be reached. */
async function reopen(url: string, application: string): Promise<Connection> {
  for (;;) {
    const connection = await Connection.open(url, application).catch(() => null);
    if (connection !== null) return connection;
    await pause(POLL_MS);
  }
}

interface Watcher {
  heartbeat: () => Promise<void>;
  onMessage: (payload: string) => void;
  /** Called once when the connection ends or does not respond, unless it was closed. */
  onEnd: (error: Error) => void;
}

class Connection {
  readonly #client: Client;
  #failure = new Error('The connection to PostgreSQL ended.');
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;
  #last: Promise<unknown> = Promise.resolve();

  private constructor(client: Client) {
    this.#client = client;
    // A broken connection reports two errors.
    client.on('error', (error: Error) => void (this.#failure = error));
  }

  static async open(url: string, application: string): Promise<Connection> {
    const { default: pg } = await import('pg');
    const client = new pg.Client({
      connectionString: url,
      application_name: application,
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: CONNECT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: CONNECT_MS,
    });
    const connection = new Connection(client);
    try {
      await client.connect();
      await client.query(KEEP_ALIVE);
    } catch (error) {
      await connection.close();
      throw error;
    }
    return connection;
  }

  /** Runs one statement at a time, because `pg` accepts no second one before the first has ended. */
  query(text: string, values: readonly Value[]): Promise<Row[]> {
    const rows = this.#last.then(async () => (await this.#client.query<Row>(text, [...values])).rows);
    this.#last = rows.catch(() => undefined);
    return rows;
  }

  async isTrue(text: string, values: readonly Value[] = []): Promise<boolean> {
    const [row] = await rowsAs<{ yes: boolean }>(this.query(text, values));
    return row?.yes === true;
  }

  /** Returns the id of the PostgreSQL process that serves the connection. */
  async sessionId(): Promise<number> {
    const [row] = await rowsAs<{ pid: number }>(this.query('SELECT pg_backend_pid() AS pid', []));
    return Number(row?.pid);
  }

  tryAlone(): Promise<boolean> {
    return this.isTrue(`SELECT pg_try_advisory_lock(${DATABASE_LOCK}) AS yes`);
  }

  tryShared(): Promise<boolean> {
    return this.isTrue(`SELECT pg_try_advisory_lock_shared(${DATABASE_LOCK}) AS yes`);
  }

  tryNode(lockNumber: number): Promise<boolean> {
    return this.isTrue(`SELECT pg_try_advisory_lock(${NODE_LOCK}, $1) AS yes`, [lockNumber]);
  }

  async unlockShared(): Promise<void> {
    await this.query(`SELECT pg_advisory_unlock_shared(${DATABASE_LOCK})`, []);
  }

  async unlockAlone(): Promise<void> {
    await this.query(`SELECT pg_advisory_unlock(${DATABASE_LOCK})`, []);
  }

  /** Downgrades an exclusive lock to a shared one without a gap. */
  async shareLock(): Promise<void> {
    await this.query(`SELECT pg_advisory_lock_shared(${DATABASE_LOCK})`, []);
    await this.query(`SELECT pg_advisory_unlock(${DATABASE_LOCK})`, []);
  }

  async listen(channel: string): Promise<void> {
    await this.query(`LISTEN ${this.#client.escapeIdentifier(channel)}`, []);
  }

  async endFormer(application: string): Promise<void> {
    await this.query(END_FORMER, [application]);
  }

  watch({ heartbeat, onMessage, onEnd }: Watcher): void {
    let hasEnded = false;
    const end = (error: Error): void => {
      if (hasEnded || this.#isClosed) return;
      hasEnded = true;
      void this.close();
      onEnd(error);
    };
    this.#client.on('notification', ({ payload }) => onMessage(payload ?? ''));
    this.#client.once('end', () => end(this.#failure));
    this.#timer = setInterval(() => void heartbeat().catch(end), HEARTBEAT_MS);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer) clearInterval(this.#timer);
    // A statement without a response would keep the connection open.
    const cut = setTimeout(() => findSocket(this.#client)?.destroy(), POLL_MS);
    await this.#client.end().catch(() => undefined);
    clearTimeout(cut);
  }
}
