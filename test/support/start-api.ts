// The API on a real database file: bootstrapped, with its first keys, called by fastify's inject or over a socket.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DestinationStream } from 'pino';
import type { Mode } from '../../src/contract/names.js';
import { createCredentialCache, type CredentialCache } from '../../src/accounts/api-keys/credential-cache.js';
import { createCursors } from '../../src/http/lists/cursors.js';
import { createApiServer, type ApiServerDeps, type ApiServerSettings } from '../../src/app/http-server.js';
import type { Routes } from '../../src/http/api.js';
import { type Clock, createLog, systemClock } from '../../src/lib/runtime/index.js';
import { layMigratedFile } from './migrated-file.js';
import { TOKEN_KEY, withAccount } from './program.js';
import { openSqlite } from '../../src/database/engine/sqlite.js';
import { createStore, type Store } from '../../src/app/store.js';
import { bootstrap } from '../../src/accounts/bootstrap.js';

export interface StartApiOptions {
  clock?: Clock;
  settings?: Partial<ApiServerSettings>;
  /** Additional routes, created once the store is open. */
  routes?: (store: Store, credentials: CredentialCache) => Routes[];
  logLevel?: string;
  logTo?: DestinationStream;
  /** Called with the server's dependencies; the return value replaces them. */
  deps?: (deps: ApiServerDeps) => ApiServerDeps;
}

export type StartedApi = Omit<Awaited<ReturnType<typeof startApi>>, 'inNewWorkspace'>;

export async function startApi(options: StartApiOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'mailkeel-api-'));
  const clock = options.clock ?? systemClock;
  const file = join(folder, 'mail.db');
  await layMigratedFile(file);
  const engine = openSqlite({ file, busyTimeoutMs: 5000 });
  const store = createStore(engine, { maxGroup: 200 });
  const { organizationId, workspaceId, liveKey, testKey } = await bootstrap(store, { clock });
  if (liveKey === null || testKey === null) throw new Error('The new database has keys already.');
  const credentials = createCredentialCache(store, { ttlMs: 5000 });
  const deps: ApiServerDeps = {
    store,
    credentials,
    clock,
    log: createLog(options.logLevel ?? 'silent', options.logTo),
    settings: {
      publicUrl: 'https://mail.example.test',
      securityContact: null,
      bodyLimitBytes: 1024 * 1024,
      importSizeLimitBytes: 50 * 1024 * 1024,
      rateLimitLivePerMinute: 0,
      rateLimitTestPerMinute: 0,
      rateLimitAuthFailuresPerMinute: 0,
      rateLimitNewKeysPerMinute: 0,
      sessionLifetimeMs: 86_400_000,
      sessionIdleMs: 3_600_000,
      keyOverlapMs: 86_400_000,
      workspaceLimit: 1000,
      requestLogKeepMs: 86_400_000,
      accessLogShare: 0,
      otlpUrl: null,
      otlpShare: 0,
      bodiesInFlightBytes: 128 * 1024 * 1024,
      httpConnections: 5000,
      ...options.settings,
    },
    masterKey: Buffer.alloc(32, 3),
    cursors: createCursors(Buffer.alloc(32, 5)),
    tokenKeys: [TOKEN_KEY],
    wakeUps: { events: () => undefined },
    routes: options.routes?.(store, credentials) ?? [],
  };
  const app = await createApiServer(options.deps?.(deps) ?? deps);
  await app.ready();

  async function close(): Promise<void> {
    await app.close();
    await store.close();
    await rm(folder, { recursive: true, force: true });
  }

  const started = { clock, app, store, credentials, close };
  const first = withAccount(started, { organizationId, workspaceId, liveKey, testKey });

  /** The same server in a new workspace, with its own keys, for tests that share a slow start. */
  async function inNewWorkspace() {
    const made = await first.ask('POST', '/v1/workspaces', { body: { name: 'Another', api_keys: true } });
    const { id, api_keys: keys } = made.json as {
      id: string;
      api_keys: { mode: Mode; secret: string }[];
    };
    const secretOf = (mode: Mode) => keys.find((key) => key.mode === mode)?.secret ?? '';
    return withAccount(started, {
      organizationId,
      workspaceId: id,
      liveKey: secretOf('live'),
      testKey: secretOf('test'),
    });
  }

  return { ...first, inNewWorkspace };
}
