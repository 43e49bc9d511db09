// The session of a server on a PostgreSQL database: locks by which servers and commands know of each other, a heartbeat, and messages
// between nodes. PostgreSQL gives its locks up when the process ends, however it ends, or its machine is gone.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { machineClock, monotonicMs } from '../../lib/runtime/index.js';
import type { Row, Value } from './engine.js';
import { DatabaseServerError, streamOf } from './postgres-pool.js';

/** Two numbers of an advisory lock, which count within one database. Nodes share it; a command has it alone. */
const DATABASE_LOCK = "1886352500, hashtext('mailkeel ' || current_schema())";
/** The first number of the locks of nodes; each has a second one of its own. */
const NODE_LOCK = '1886352501';
/** A node that was seen so lately (ms) may live, whatever became of its session. */
const LIVING_MS = 6_000;
/** PostgreSQL takes this machine for dead 25 s after its last sign; the last of these where something waits to be sent to it. */
const KEEP_ALIVE = `SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3;
  SET tcp_user_timeout = 25000`;
/** Ends former connections of a session, which the server may take for alive still. */
const END_FORMER = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE pid <> pg_backend_pid() AND application_name = $1 AND usename = current_user`;
/** Ends the connections of a node but its session, whose lock tells that it lives. */
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
/** Reasons to wait. */
const READ_ONLY = 'the database is read-only or a replica';
const EARLY = 'PostgreSQL has just started; waiting for servers that were already running';
const TAKEN = 'a command or another starting server is using the database';
const SHARED_SESSIONS =
  'the connection goes through a pooler in transaction mode, which breaks locks and prepared statements. Connect directly, or set the pooler to session mode.';
/** A pooler may give the same session by chance. */
const SHARING_TRIES = 3;
/** Of `pg`, about a statement whose answer has not come in time. */
const NO_ANSWER = 'Query read timeout';
const CONNECT_MS = 5_000;
const MOST_MEASURED_MS = 500;
/** A server whose last heartbeat that was answered is older (ms) does nothing that is one node's. */
const FENCED_AFTER_MS = 5_000;
/** A heartbeat that waits for longer than this (ms) will hardly be answered. */
const UNANSWERED_MS = 2_500;
const POLL_MS = 1_000;
/** So often (ms) the heartbeat is written. A session can end without a word: its answer may take `CONNECT_MS`. */
const HEARTBEAT_MS = 2_000;
/** After a restart of PostgreSQL the servers that worked before come first. */
const AFTER_RESTART_MS = 10_000;
/** Questions for a lock, a second apart, before it counts as taken: the former session takes a moment to end. */
const REGAIN_TRIES = 5;

export interface SessionOptions {
  url: string;
  /** Called while the server has to wait, each time with the reason; the wait continues when it resolves. */
  onWait?: (reason: string) => Promise<void>;
  /** The connection is lost; it is opened again, at once and for as long as it takes. */
  onLost: (error: Error) => void;
  /** The locks were had again before anybody else took them. */
  onRegained: () => void;
  /** The machine's clock is this much (ms) ahead of the database's. */
  onClock: (offsetMs: number) => void;
  /** PostgreSQL does not answer, although the connection is open. */
  onSilent: () => void;
  /** Others have taken over: this server must end. */
  onTaken: () => void;
  /** A message of another node. */
  onMessage: (payload: string) => void;
}

/** A statement in PostgreSQL's own spelling. */
export interface Statement {
  text: string;
  values: readonly Value[];
}

export interface NodeEntry {
  lockNumber: number;
  /** Returns no row when others have found the node dead, else the database's time as `seen_at`. */
  heartbeat: Statement;
  /** Name of the channel of the nodes. */
  channel: string;
}

export interface ServerSession {
  /** No other server works on the database, and none begins to before `admitOthers`. */
  readonly isAlone: boolean;
  /** Lets go of the database, and waits for a turn again: for one that has to change the tables, and cannot beside others. */
  waitAgain(): Promise<void>;
  /** Holds the lock of a node, and writes its heartbeat. */
  enter(node: NodeEntry): Promise<void>;
  admitOthers(): Promise<void>;
  /** Whether the session of another node has ended. Rejects while the connection is lost. */
  isGone(lockNumber: number): Promise<boolean>;
  /** Ends the connections by which another node works, so that nobody waits for their locks. */
  endWork(nodeId: string): Promise<void>;
  /** Sends to all sessions, this one included. What is sent while the connection is lost is lost. */
  send(payload: string): void;
  /** By how much (ms) the machine's clock is ahead of the database's; null: not measured yet. */
  readonly clockOffsetMs: number | null;
  /** The last heartbeat that was answered is some seconds old: soon others may take this server's work over. */
  readonly isFenced: boolean;
  /** The database does not answer: a heartbeat has waited for some seconds, or the connection is lost. False when this process stood still. */
  readonly isAway: boolean;
  /** Since when this connection is open; of the monotonic clock. */
  readonly openSince: number;
  /** Gives the locks up. Never rejects. */
  release(): Promise<void>;
}

/** Resolves when this server may work on the database. Rejects with a DatabaseServerError when PostgreSQL cannot be reached at first. */
export async function openServerSession(options: SessionOptions): Promise<ServerSession> {
  const application = newApplication();
  const first = await openUnshared(options.url, application).catch((error: unknown) => {
    throw new DatabaseServerError(options.url, error);
  });
  const { connection, isAlone } = await waitForTurn(first, { ...options, application });
  return new Session({ ...options, application }, connection, isAlone);
}

/** The name of a node's connections in pg_stat_activity, but its session's. */
export function workOf(nodeId: string): string {
  return `mailkeel ${nodeId}`;
}

/** Of one session alone, so that it ends no connection of another. */
function newApplication(): string {
  return `mailkeel server ${randomUUID()}`;
}

/** With the name that its connections have in pg_stat_activity. */
type NamedOptions = SessionOptions & { application: string };

class Session implements ServerSession {
  readonly #options: NamedOptions;
  #connection: Connection;
  #isAlone: boolean;
  #node: NodeEntry | null = null;
  #aliveAt = monotonicMs();
  /** When the first heartbeat was sent, or the connection lost, since the last answer; null: nothing waits for one. */
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
        // A node that has lost its session for a moment comes back to it.
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
    await this.#connection.query(END_WORK, [workOf(nodeId)]);
  }

  send(payload: string): void {
    if (this.#node === null) return;
    // Others look for themselves, too.
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
    const rows = await connection.query(text, values);
    const [row] = rows;
    if (row !== undefined) {
      this.#answered(at);
      this.#measureClock(row, askedAt);
    } else if (!this.#isReleased) this.#options.onTaken();
  }

  /** A heartbeat that was sent then. */
  #answered(at: number): void {
    this.#aliveAt = at;
    this.#askedAt = null;
  }

  /** An answer that took long, as one that waits for a lock does, tells little of the time. */
  #measureClock(row: Row, askedAt: number): void {
    const answeredAt = machineClock();
    if (row['seen_at'] === undefined || answeredAt - askedAt > MOST_MEASURED_MS) return;
    this.#clockOffsetMs = (askedAt + answeredAt) / 2 - Number(row['seen_at']);
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
      // PostgreSQL is away still.
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

  /** Whether the locks are ours again; false: others have found the node dead, or a command has the database. */
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

/** Rejects where a pooler shares PostgreSQL's sessions among connections: a lock there would be anybody's. */
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

/** Whether another connection is given the session of this one, or this one another session while that is in a transaction. */
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

export interface DatabaseLock {
  release(): Promise<void>;
}

/** The database for itself, if no server works on it: for a command. */
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

/** Alone where nobody else works, else beside the others; waits for a command, or a server that changes the tables. */
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
      // A new connection may lead to the primary.
      if (reason === READ_ONLY) throw new Error(reason);
    } catch {
      // One that was asked in vain may get the lock later: it must be gone.
      await connection.close();
      connection = await reopen(url, application);
    }
  }
}

async function reasonToWait(connection: Connection): Promise<string | null> {
  if (await connection.isTrue(TAKES_NO_WRITES)) return READ_ONLY;
  return (await comesTooEarly(connection)) ? EARLY : null;
}

/** PostgreSQL has just started, and nodes that worked before come back within a second or two. */
async function comesTooEarly(connection: Connection): Promise<boolean> {
  const [row] = await connection.query(SERVER_AGE_MS, []);
  if (Number(row?.['age']) >= AFTER_RESTART_MS) return false;
  return (
    (await connection.isTrue(HAS_TABLE)) &&
    (await connection.isTrue('SELECT EXISTS (SELECT 1 FROM nodes) AS yes'))
  );
}

/** As soon as PostgreSQL can be reached again. */
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
  /** Called once, when the connection has ended or does not answer, unless it was closed. */
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
    // A connection that breaks says so twice.
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

  /** One after the other: `pg` takes no second statement before the first has ended. */
  query(text: string, values: readonly Value[]): Promise<Row[]> {
    const rows = this.#last.then(async () => (await this.#client.query<Row>(text, [...values])).rows);
    this.#last = rows.catch(() => undefined);
    return rows;
  }

  async isTrue(text: string, values: readonly Value[] = []): Promise<boolean> {
    const [row] = await this.query(text, values);
    return row?.['yes'] === true;
  }

  /** Of the process of PostgreSQL that answers. */
  async sessionId(): Promise<number> {
    const [row] = await this.query('SELECT pg_backend_pid() AS pid', []);
    return Number(row?.['pid']);
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

  /** From alone to shared, with nobody between the two. */
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
    // A statement whose answer does not come would keep it open.
    const cut = setTimeout(() => streamOf(this.#client)?.destroy(), POLL_MS);
    await this.#client.end().catch(() => undefined);
    clearTimeout(cut);
  }
}
