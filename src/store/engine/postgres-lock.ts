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
/** Ends the former session of this process, which the server may take for alive still. */
const END_FORMER = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE pid = $1 AND application_name = $2 AND usename = current_user`;
const APPLICATION = 'posthorn server lock';
const CONNECT_MS = 5_000;
const POLL_MS = 1_000;
/** So often (ms) the session is asked whether it is there, and so long its answer may take: a session can end without a word. */
const PROBE_MS = 5_000;
/** After a restart of PostgreSQL the server that worked before comes first. */
const AFTER_LOSS_MS = 10_000;
/** Questions for the lock, a second apart, before it counts as taken: the former session takes a moment to end. */
const REGAIN_TRIES = 5;

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
  const first = await openSession(options.url).catch((error: unknown) => {
    throw new DatabaseServerError(options.url, error);
  });
  let session = await waitForLock(first, options);
  let isReleased = false;

  async function regain(former: Session, error: Error): Promise<void> {
    options.onLost(error);
    for (;;) {
      await pause(POLL_MS);
      if (isReleased) return;
      const next = await openSession(options.url).catch(() => null);
      // PostgreSQL is away still.
      if (next === null) continue;
      const isOurs = await takeOver(next, former).catch(() => null);
      if (isOurs === true) {
        hold(next);
        options.onRegained();
        return;
      }
      await next.close();
      if (isOurs === false) {
        options.onTaken();
        return;
      }
    }
  }

  function hold(next: Session): void {
    session = next;
    next.watch((error) => {
      if (!isReleased) void regain(next, error);
    });
  }

  hold(session);
  return {
    async release() {
      isReleased = true;
      await session.close();
    },
  };
}

/** Whether the lock is ours again; false: another server has it. */
async function takeOver(next: Session, former: Session): Promise<boolean> {
  await next.end(former);
  for (let tries = 1; ; tries += 1) {
    if (await next.tryLock()) return true;
    if (tries >= REGAIN_TRIES) return false;
    await pause(POLL_MS);
  }
}

/** The lock, if nobody has it: for a command that no server may disturb. */
export async function lockDatabaseNow(url: string): Promise<DatabaseLock | null> {
  const session = await openSession(url);
  let isOurs = false;
  try {
    isOurs = await session.tryLock();
  } finally {
    if (!isOurs) await session.close();
  }
  return isOurs ? { release: () => session.close() } : null;
}

/** With the session that has the lock. */
async function waitForLock(first: Session, { url, onWait }: DatabaseLockOptions): Promise<Session> {
  let session = first;
  let wasTold = false;
  for (;;) {
    try {
      if (await session.tryLock()) return session;
      if (!wasTold) onWait?.();
      wasTold = true;
      await pause(POLL_MS);
    } catch {
      // One that was asked in vain may get the lock later: it must be gone.
      await session.close();
      session = await reopen(url);
      await pause(AFTER_LOSS_MS);
    }
  }
}

/** As soon as PostgreSQL can be reached again. */
async function reopen(url: string): Promise<Session> {
  for (;;) {
    const session = await openSession(url).catch(() => null);
    if (session !== null) return session;
    await pause(POLL_MS);
  }
}

interface Session {
  tryLock(): Promise<boolean>;
  /** Ends another session on the server. */
  end(other: Session): Promise<void>;
  /** Of the server's process. */
  readonly pid: number | null;
  /** Calls the listener once, when the session has ended or does not answer, unless it was closed. */
  watch(listener: (error: Error) => void): void;
  /** Gives the lock up. Never rejects. */
  close(): Promise<void>;
}

async function openSession(url: string): Promise<Session> {
  const { default: pg } = await import('pg');
  const client: Client = new pg.Client({
    connectionString: url,
    application_name: APPLICATION,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: PROBE_MS,
  });
  // A connection that breaks tells so twice.
  let failure = new Error('The connection to PostgreSQL ended.');
  let probe: NodeJS.Timeout | null = null;
  client.on('error', (error: Error) => void (failure = error));
  const close = async (): Promise<void> => {
    if (probe) clearInterval(probe);
    // A statement whose answer does not come would keep it open.
    const cut = setTimeout(() => streamOf(client)?.destroy(), POLL_MS);
    await client.end().catch(() => undefined);
    clearTimeout(cut);
  };
  try {
    await client.connect();
    await client.query(KEEP_ALIVE);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    pid: processIdOf(client),
    async tryLock() {
      const { rows } = await client.query<{ taken: boolean }>(TRY_LOCK);
      return rows[0]?.taken === true;
    },
    async end({ pid }) {
      if (pid !== null) await client.query(END_FORMER, [pid, APPLICATION]);
    },
    watch(listener) {
      let isTold = false;
      const tell = (error: Error): void => {
        if (isTold) return;
        isTold = true;
        void close();
        listener(error);
      };
      client.once('end', () => tell(failure));
      probe = setInterval(() => void client.query('SELECT 1').catch(tell), PROBE_MS);
    },
    close,
  };
}

/** The types of `pg` leave these two out. */
function processIdOf(client: Client): number | null {
  return (client as unknown as { processID: number | null }).processID;
}
function streamOf(client: Client): { destroy(): void } | null {
  return (client as unknown as { connection?: { stream?: { destroy(): void } } }).connection?.stream ?? null;
}
