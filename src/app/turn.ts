// Turns of servers on one PostgreSQL database. A server stands by while a command uses the database, another starting server
// changes its tables, or the database is a replica, and starts as soon as possible.
import type { Log } from '../lib/runtime/index.js';
import type { Config } from '../settings/settings.js';
import { openServerSession, type ServerSession } from '../database/engine/postgres-session.js';
import { hasPendingMigrations } from './installation/open-existing.js';
import type { Standby } from './standby.js';

export interface TurnDeps {
  config: Config;
  standby: Standby;
  log: Log;
  /** Other servers have taken over this one's work, so it must end. */
  onTaken: () => void;
  /** The connection was lost and is being reopened. */
  onLost: (error: Error) => void;
  /** Offset (ms) of the machine's clock from the database's; positive if ahead. */
  onClock: (offsetMs: number) => void;
  /** PostgreSQL does not respond although the connection is open. */
  onSilent: () => void;
  /** The connection is restored. */
  onRegained: () => void;
  /** A message from another node. */
  onMessage: (payload: string) => void;
}

/** Resolves when this server may use the database; null for a file, whose folder has a lock. */
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
  // Tables are changed only when no server of the previous release is running.
  while (!session.isAlone && (await hasPendingMigrations(config))) {
    await standby.begin(
      'this release changes the database schema while servers of the previous release are still running',
    );
    await session.waitAgain();
  }
  return session;
}
