// One server at a time works on a PostgreSQL database. A second one stands by: it tells health checks so, and takes over when the
// first has ended.
import { servePlain, type PlainAnswer } from '../lib/http/plain-server.js';
import type { Log } from '../lib/runtime/log.js';
import type { Config } from '../settings/settings.js';
import { lockDatabase, type DatabaseLock } from '../store/engine/postgres-lock.js';

export interface StandbyDeps {
  config: Pick<Config, 'databaseUrl' | 'httpHost' | 'httpPort'>;
  log: Log;
  /** Another server works on the database now: this one must end. */
  onTaken: () => void;
}

const RETRY_SECONDS = 5;

/** Resolves when this server may work on the database; null: it is a file, whose folder has a lock. */
export async function waitForTurn({ config, log, onTaken }: StandbyDeps): Promise<DatabaseLock | null> {
  const { databaseUrl, httpHost: host, httpPort: port } = config;
  if (databaseUrl === null) return null;
  let standby: ReturnType<typeof servePlain> | null = null;
  const lock = await lockDatabase({
    url: databaseUrl,
    onWait() {
      log.warn('another server works on this database: standing by until it ends');
      standby = servePlain({ host, port }, { '/healthz': alive, '/readyz': notReady });
      // A server that cannot be asked for its health may be needed all the same.
      standby.catch((error: unknown) =>
        log.error({ err: error }, 'the standby cannot be asked for its health'),
      );
    },
    onLost: (error) => log.warn({ reason: error.message }, 'connection to the database lost'),
    onRegained: () => log.info('connection to the database regained'),
    onTaken() {
      log.error('another server has taken over the database while it could not be reached: this one ends');
      onTaken();
    },
  });
  const server = await (standby as ReturnType<typeof servePlain> | null)?.catch(() => null);
  await server?.close();
  if (server) log.info('the other server has ended: taking over');
  return lock;
}

const alive = (): Promise<PlainAnswer> => Promise.resolve(jsonAnswer(200, { status: 'standby' }));
const notReady = (): Promise<PlainAnswer> =>
  Promise.resolve(jsonAnswer(503, { status: 'standby', retry_after: RETRY_SECONDS }));

function jsonAnswer(status: number, body: unknown): PlainAnswer {
  return { status, contentType: 'application/json', body: `${JSON.stringify(body)}\n` };
}
