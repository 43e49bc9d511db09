// Servers that work on one PostgreSQL database. One that cannot begin yet, since a command has the database, or another one that starts
// changes its tables, stands by: it says so to health checks, and begins as soon as it may.
import { servePlain, type PlainAnswer, type PlainServer } from '../lib/http/plain-server.js';
import type { Log } from '../lib/runtime/log.js';
import type { Config } from '../settings/settings.js';
import { openServerSession, type ServerSession } from '../store/engine/postgres-session.js';
import { hasPendingMigrations } from '../admin/open-existing.js';

export interface TurnDeps {
  config: Config;
  log: Log;
  /** Others have taken over this server's work: it must end. */
  onTaken: () => void;
  /** The connection is back. */
  onRegained: () => void;
  /** A message of another node. */
  onMessage: (payload: string) => void;
}

const RETRY_SECONDS = 5;

/** Resolves when this server may work on the database; null: it is a file, whose folder has a lock. */
export async function waitForTurn({
  config,
  log,
  onTaken,
  onRegained,
  onMessage,
}: TurnDeps): Promise<ServerSession | null> {
  const { databaseUrl: url } = config;
  if (url === null) return null;
  const standby = new Standby(config, log);
  const session = await openServerSession({
    url,
    onMessage,
    onWait: () => standby.begin('the database is not to be had yet: standing by'),
    onLost: (error) => log.warn({ reason: error.message }, 'connection to the database lost'),
    onRegained() {
      log.info('connection to the database regained');
      onRegained();
    },
    onTaken,
  });
  // Tables are changed when no server of the release before works any more.
  while (!session.isAlone && (await hasPendingMigrations(config))) {
    standby.begin(
      'this release changes tables, and other servers work on them: standing by until they have ended',
    );
    await session.waitAgain();
  }
  await standby.end();
  return session;
}

class Standby {
  readonly #place: { host: string; port: number };
  readonly #log: Log;
  #server: Promise<PlainServer | null> | null = null;

  constructor({ httpHost: host, httpPort: port }: Pick<Config, 'httpHost' | 'httpPort'>, log: Log) {
    this.#place = { host, port };
    this.#log = log;
  }

  begin(why: string): void {
    if (this.#server !== null) return;
    this.#log.warn(why);
    this.#server = servePlain(this.#place, { '/healthz': alive, '/readyz': notReady }).catch(
      (error: unknown) => {
        // A server that cannot be asked for its health may be needed all the same.
        this.#log.error({ err: error }, 'the standby cannot be asked for its health');
        return null;
      },
    );
  }

  async end(): Promise<void> {
    if (this.#server === null) return;
    await (await this.#server)?.close();
    this.#log.info('the database is to be had: beginning');
  }
}

const alive = (): Promise<PlainAnswer> => Promise.resolve(jsonAnswer(200, { status: 'standby' }));
const notReady = (): Promise<PlainAnswer> =>
  Promise.resolve(jsonAnswer(503, { status: 'standby', retry_after: RETRY_SECONDS }));

function jsonAnswer(status: number, body: unknown): PlainAnswer {
  return { status, contentType: 'application/json', body: `${JSON.stringify(body)}\n` };
}
