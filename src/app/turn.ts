// Servers that work on one PostgreSQL database. One that may not begin yet, since a command has the database, another one that starts
// changes its tables, or the database is a replica, stands by and begins as soon as it may.
import type { Log } from '../lib/runtime/index.js';
import type { Config } from '../settings/settings.js';
import { openServerSession, type ServerSession } from '../database/engine/postgres-session.js';
import { hasPendingMigrations } from './installation/open-existing.js';
import type { Standby } from './standby.js';

export interface TurnDeps {
  config: Config;
  standby: Standby;
  log: Log;
  /** Others have taken over this server's work: it must end. */
  onTaken: () => void;
  /** The connection is lost; it is opened again. */
  onLost: (error: Error) => void;
  /** The machine's clock is this much (ms) ahead of the database's. */
  onClock: (offsetMs: number) => void;
  /** PostgreSQL does not answer, although the connection is open. */
  onSilent: () => void;
  /** The connection is back. */
  onRegained: () => void;
  /** A message of another node. */
  onMessage: (payload: string) => void;
}

/** Resolves when this server may work on the database; null: it is a file, whose folder has a lock. */
export async function waitForTurn({
  config,
  standby,
  log,
  onTaken,
  onLost,
  onClock,
  onSilent,
  onRegained,
  onMessage,
}: TurnDeps): Promise<ServerSession | null> {
  const { databaseUrl: url } = config;
  if (url === null) return null;
  const session = await openServerSession({
    url,
    onMessage,
    onWait: (reason) => standby.begin(reason),
    onLost,
    onRegained() {
      log.info('database connection restored');
      onRegained();
    },
    onClock,
    onSilent,
    onTaken,
  });
  // Tables are changed when no server of the release before works any more.
  while (!session.isAlone && (await hasPendingMigrations(config))) {
    await standby.begin(
      'this release changes the database schema while servers of the previous release are still running',
    );
    await session.waitAgain();
  }
  return session;
}
