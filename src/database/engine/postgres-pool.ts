// A pool of connections to a PostgreSQL server that recognizes dead ones. The package `pg` is loaded only if a server is used.
import { monotonicMs, systemClock } from '../../lib/runtime/index.js';
import type { Pool, PoolClient, PoolConfig } from 'pg';
import type { PostgresPool } from 'kysely';

const INT8 = 20;
/** Time limit (ms) for connecting, and for waiting while all connections are in use. */
const CONNECT_MS = 5_000;
/** Messages of `pg` when that limit is exceeded. */
const TOO_LATE = /^(timeout exceeded when trying to connect|Connection terminated due to connection timeout)/;
/** The server aborts a statement after this time (ms). Migrations lift the limit. */
const STATEMENT_MS = 30_000;
/** A statement without a response within this time (ms) will never get one, because the connection is dead. */
const SILENCE_MS = STATEMENT_MS + 5_000;
/** The server aborts a transaction that is idle for this time (ms), because its process hangs while others wait for its locks. */
const IDLE_IN_TRANSACTION_MS = 2_500;
/** A statement that waits longer than this (ms) for a lock fails, and its transaction is retried. Migrations lift the limit. */
const LOCK_MS = 4_000;
/** The server closes a connection if the client does not acknowledge data within this time (ms). */
const UNCONFIRMED_MS = 5_000;
const KEEP_ALIVE_AFTER_MS = 10_000;
/** A connection that is unused for this time (ms) is closed. */
const IDLE_MS = 10_000;
/** A connection that was idle longer than this (ms) is tested before use. */
const RESTED_MS = 1_000;
const ANSWER_MS = 3_000;
/**
 * Set by a statement, because poolers in session mode accept few connection parameters. LZ4 compresses mail bodies in a quarter
 * of the default method's time; PostgreSQL supports it since 14 if built with it.
 */
const SETTINGS = `SELECT set_config('statement_timeout', '${STATEMENT_MS}', false),
  set_config('idle_in_transaction_session_timeout', '${IDLE_IN_TRANSACTION_MS}', false),
  set_config('lock_timeout', '${LOCK_MS}', false), set_config('tcp_user_timeout', '${UNCONFIRMED_MS}', false),
  (SELECT set_config(name, 'lz4', false) FROM pg_settings
    WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals))`;

export interface PostgresServer {
  /** `postgres://user:password@host:port/database?sslmode=verify-full`. */
  url: string;
  maxConnections: number;
  /** Shown in pg_stat_activity. */
  applicationName: string;
  /** Called when an idle connection breaks. */
  onLost: (error: Error) => void;
  /** If false, the server may be unavailable at first. Default: a first connection is made. */
  isChecked?: boolean;
}

/** Failed attempts to get a connection in time since the start. */
export interface MissedConnections {
  count: number;
  /** Epoch ms; null if there was none. */
  lastAt: number | null;
}

/** A pool in the form that Kysely expects. */
export type ServerPool = PostgresPool & {
  readonly missed: Readonly<MissedConnections>;
  /** Closes all connections; running statements fail as if the connection was lost. */
  cutOff(): void;
};

/** Returns the host and port, or the folder of the socket. */
export function serverName(url: string): string {
  const { host, searchParams } = new URL(url);
  return searchParams.get('host') ?? host;
}

/** A server cannot be used. The message says which server and why, without the password. */
export class DatabaseServerError extends Error {
  constructor(url: string, cause: unknown) {
    const database = decodeURIComponent(new URL(url).pathname.slice(1));
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`The database ${database} of the PostgreSQL server ${serverName(url)} cannot be used: ${reason}`, {
      cause,
    });
    this.name = 'DatabaseServerError';
  }
}

/** Rejects with a DatabaseServerError if the first connection fails. */
export async function connectPostgres(server: PostgresServer): Promise<ServerPool> {
  const { default: pg } = await import('pg');
  const options: PoolConfig = {
    connectionString: server.url,
    application_name: server.applicationName,
    max: server.maxConnections,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: IDLE_MS,
    query_timeout: SILENCE_MS,
    // Statements are sent without waiting for previous answers.
    pipeline: true,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    types: {
      // Row numbers, times and sizes are below 2^53.
      getTypeParser: (oid: number, format?: string) =>
        oid === INT8 ? Number : (pg.types.getTypeParser(oid, format as 'text') as (text: string) => unknown),
    },
  };
  const pool: Pool = new pg.Pool(options);
  // Without a listener, a connection closed by the server would end the process.
  pool.on('error', (error) => server.onLost(error));
  // Connections in use need a listener too; the statement reports the error.
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    // Runs before any other statement. An error here also fails the next statement, which reports it.
    client.query(SETTINGS).catch(() => undefined);
  });
  const missed: MissedConnections = { count: 0, lastAt: null };
  const connections: ServerPool = Object.assign(liveConnections(pool, missed), {
    ...{ missed, cutOff: cutterOf(pool) },
  });
  if (server.isChecked === false) return connections;
  try {
    (await connections.connect()).release();
  } catch (error) {
    await connections.end();
    throw new DatabaseServerError(server.url, error);
  }
  return connections;
}

function cutterOf(pool: Pool): () => void {
  const open = new Set<PoolClient>();
  pool.on('connect', (client) => void open.add(client));
  pool.on('remove', (client) => void open.delete(client));
  return () => {
    for (const client of open) findSocket(client)?.destroy();
  };
}

/** Returns the socket of a connection, which the types of `pg` omit. */
export function findSocket(client: object): { destroy(): void } | null {
  return (client as { connection?: { stream?: { destroy(): void } } }).connection?.stream ?? null;
}

/**
 * Keeps only live connections. A firewall or a vanished machine can leave dead connections without notice, so the first one
 * that does not respond also closes all that were idle at the same time.
 */
function liveConnections(
  pool: Pool,
  missed: MissedConnections,
): {
  connect(): Promise<PoolClient>;
  end(): Promise<void>;
  options: object;
} {
  const usedAt = new WeakMap<PoolClient, number>();
  let deadBefore = -Infinity;

  async function isLive(client: PoolClient): Promise<boolean> {
    const at = usedAt.get(client);
    if (at === undefined) return true;
    const now = monotonicMs();
    if (at <= deadBefore) return false;
    if (now - at < RESTED_MS) return true;
    try {
      await client.query({ text: 'SELECT 1', query_timeout: ANSWER_MS } as { text: string });
      return true;
    } catch {
      deadBefore = Math.max(deadBefore, now);
      return false;
    }
  }

  return {
    async connect() {
      for (;;) {
        const client = await pool.connect().catch((error: unknown) => {
          if (error instanceof Error && TOO_LATE.test(error.message)) {
            missed.count += 1;
            missed.lastAt = systemClock();
          }
          throw error;
        });
        const release = client.release.bind(client);
        if (!(await isLive(client))) {
          release(true);
          continue;
        }
        client.release = (isUseless) => {
          const now = monotonicMs();
          // If a connection breaks in use, others probably broke too.
          if (isUseless === true) deadBefore = Math.max(deadBefore, now - RESTED_MS);
          usedAt.set(client, now);
          release(isUseless);
        };
        return client;
      }
    },
    end: () => pool.end(),
    options: pool.options,
  };
}
