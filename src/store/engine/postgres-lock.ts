// The lock by which one server at a time works on a PostgreSQL database. It belongs to a session: the server gives it up when the
// process ends, however it ends, or its machine is gone.
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { DatabaseServerError } from './postgres-pool.js';

/** `posthorn` in the two numbers of an advisory lock, which count within one database. */
const TRY_LOCK = 'SELECT pg_try_advisory_lock(1886352500, 1752133230) AS taken';
/** PostgreSQL takes this machine for dead 25 s after its last sign. */
const KEEP_ALIVE =
  'SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3';
const CONNECT_MS = 5_000;
const POLL_MS = 1_000;
/** After a restart of PostgreSQL the server that worked before comes first. */
const AFTER_LOSS_MS = 10_000;

export interface DatabaseLockOptions {
  url: string;
  /** Called once when another server has the lock. */
  onWait?: () => void;
  /** The connection is lost; the lock is asked for again, at once and for as long as it takes. */
  onLost: (error: Error) => void;
  /** The lock was had again before anybody else took it. */
  onRegained: () => void;
  /** Another server has it now: this one must end. */
  onTaken: () => void;
}

export interface DatabaseLock {
  release(): Promise<void>;
}

/** Resolves when the lock is ours. Rejects with a DatabaseServerError when PostgreSQL cannot be reached at first. */
export async function lockDatabase(options: DatabaseLockOptions): Promise<DatabaseLock> {
  let session = await openSession(options.url).catch((error: unknown) => {
    throw new DatabaseServerError(options.url, error);
  });
  let isReleased = false;

  async function regain(error: Error): Promise<void> {
    options.onLost(error);
    for (;;) {
      await pause(POLL_MS);
      if (isReleased) return;
      try {
        const next = await openSession(options.url);
        if (!(await next.tryLock())) {
          await next.close();
          options.onTaken();
          return;
        }
        hold(next);
        options.onRegained();
        return;
      } catch {
        // PostgreSQL is away still.
      }
    }
  }

  function hold(next: Session): void {
    session = next;
    session.onEnd((error) => {
      if (!isReleased) void regain(error);
    });
  }

  session = await waitForLock(session, options);
  hold(session);
  return {
    async release() {
      isReleased = true;
      await session.close();
    },
  };
}

/** The lock, if nobody has it: for a command that no server may disturb. */
export async function lockDatabaseNow(url: string): Promise<DatabaseLock | null> {
  const session = await openSession(url);
  if (await session.tryLock()) return { release: () => session.close() };
  await session.close();
  return null;
}

/** With the session that has the lock. */
async function waitForLock(first: Session, { url, onWait }: DatabaseLockOptions): Promise<Session> {
  let session = first;
  for (let isFirst = true; ; isFirst = false) {
    try {
      if (await session.tryLock()) return session;
      if (isFirst) onWait?.();
      await pause(POLL_MS);
    } catch {
      await pause(AFTER_LOSS_MS);
      session = await openSession(url).catch(() => session);
    }
  }
}

interface Session {
  tryLock(): Promise<boolean>;
  /** Called once, when it ends without `close`. */
  onEnd(listener: (error: Error) => void): void;
  close(): Promise<void>;
}

async function openSession(url: string): Promise<Session> {
  const { default: pg } = await import('pg');
  const client: Client = new pg.Client({
    connectionString: url,
    application_name: 'posthorn server lock',
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: CONNECT_MS,
    keepAlive: true,
  });
  // A connection that breaks tells so twice.
  let failure = new Error('The connection to PostgreSQL ended.');
  client.on('error', (error: Error) => void (failure = error));
  try {
    await client.connect();
    await client.query(KEEP_ALIVE);
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
  return {
    async tryLock() {
      const { rows } = await client.query<{ taken: boolean }>(TRY_LOCK);
      return rows[0]?.taken === true;
    },
    onEnd: (listener) => void client.once('end', () => listener(failure)),
    close: () => client.end(),
  };
}
