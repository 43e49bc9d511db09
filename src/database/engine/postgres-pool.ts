// Connections to a PostgreSQL server, and which of them are of use. The package `pg` is loaded only where a server is used.
import { monotonicMs, systemClock } from '../../lib/runtime/index.js';
import type { Pool, PoolClient, PoolConfig } from 'pg';
import type { PostgresPool } from 'kysely';

const INT8 = 20;
/** Time (ms) to reach the server, and to get one of the connections when all are in use. */
const CONNECT_MS = 5_000;
/** Of `pg`, about a connection that was not there by then. */
const TOO_LATE = /^(timeout exceeded when trying to connect|Connection terminated due to connection timeout)/;
/** The server ends a statement after this time (ms). Migrations lift it. */
const STATEMENT_MS = 30_000;
/** A statement whose answer has not come by then (ms) will have none: the connection leads nowhere. */
const SILENCE_MS = STATEMENT_MS + 5_000;
/** The server ends a transaction in which nothing was asked for this time (ms): its program hangs, and others wait for its locks. */
const IDLE_IN_TRANSACTION_MS = 2_500;
/** A statement that waits for a lock for longer than this (ms) fails; its transaction is tried again. Migrations lift it. */
const LOCK_MS = 4_000;
/** The server gives a connection up when the machine has not confirmed what it sent for this time (ms). */
const UNCONFIRMED_MS = 5_000;
const KEEP_ALIVE_AFTER_MS = 10_000;
/** A connection that nobody has used for this time (ms) is closed. */
const IDLE_MS = 10_000;
/** A connection that rested for longer than this (ms) is asked whether it still leads to the server. */
const RESTED_MS = 1_000;
const ANSWER_MS = 3_000;
/**
 * Set by a statement: poolers in session mode take few parameters of a connection. Bodies of mail are compressed by LZ4, which takes a
 * quarter of the time of the server's default, where the server has it (since PostgreSQL 14, as it was built).
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
  /** Hears of connections that broke while nobody used them. */
  onLost: (error: Error) => void;
  /** False: the server may be away at first. Default: a first connection is made. */
  isChecked?: boolean;
}

/** Connections that were not available in time, since the start. */
export interface MissedConnections {
  count: number;
  /** Epoch ms; null: none. */
  lastAt: number | null;
}

/** A pool in the form that Kysely takes. */
export type ServerPool = PostgresPool & {
  readonly missed: Readonly<MissedConnections>;
  /** Ends all connections; statements under way fail as after a lost connection. */
  cutOff(): void;
};

/** Its host and port, or the folder of its socket. */
export function serverName(url: string): string {
  const { host, searchParams } = new URL(url);
  return searchParams.get('host') ?? host;
}

/** A server that cannot be used; the message says which and why, without the password. */
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

/** Rejects with a DatabaseServerError when the first connection cannot be made. */
export async function connectPostgres(server: PostgresServer): Promise<ServerPool> {
  const { default: pg } = await import('pg');
  const options: PoolConfig = {
    connectionString: server.url,
    application_name: server.applicationName,
    max: server.maxConnections,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: IDLE_MS,
    query_timeout: SILENCE_MS,
    // Statements are sent without waiting for the answers to those before.
    pipeline: true,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    types: {
      // Numbers of rows, times and sizes are below 2^53.
      getTypeParser: (oid: number, format?: string) =>
        oid === INT8 ? Number : (pg.types.getTypeParser(oid, format as 'text') as (text: string) => unknown),
    },
  };
  const pool: Pool = new pg.Pool(options);
  // Without a listener a connection that the server closes would end the process.
  pool.on('error', (error) => server.onLost(error));
  // The same for one that is in use: whoever uses it gets the error from its statement.
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    // Asked before anything else. Whatever hinders it hinders what follows, too, and that has somebody who hears of it.
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
    for (const client of open) streamOf(client)?.destroy();
  };
}

/** The socket of a connection, which the types of `pg` leave out. */
export function streamOf(client: object): { destroy(): void } | null {
  return (client as { connection?: { stream?: { destroy(): void } } }).connection?.stream ?? null;
}

/**
 * Connections that lead to the server. A firewall or a machine that is gone leaves some of which nobody tells that they lead
 * nowhere: the first that does not answer has all closed that rested at the same time.
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
          // One that was cut off in the middle is seldom alone.
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
