// Loads built modules into the test process: the first organization of a data folder, and the whole server for tests that neither
// kill it nor inspect its process. Modules are loaded once for all files of a worker, which is most of the cost of a start.
// Folder, ports and settings belong to the test.
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type * as bootstrapModule from '../../src/admin/bootstrap.js';
import type * as clockModule from '../../src/lib/runtime/clock.js';
import type * as loadModule from '../../src/settings/load.js';
import type * as logModule from '../../src/lib/runtime/log.js';
import type * as serverModule from '../../src/app/appliance.js';
import type * as stepsModule from '../../src/database/migrations/steps.js';
import type * as bannerModule from '../../src/app/start-up-banner.js';
import { sharedRenderer } from './shared-renderer.js';

const DIST = fileURLToPath(new URL('../../dist', import.meta.url));

const load = <T>(file: string): Promise<T> => import(`${DIST}/${file}.js`) as Promise<T>;

async function loadAll() {
  const [
    { startServer },
    { startUpBanner },
    { loadConfig },
    { createLog },
    { adminBootstrap },
    { systemClock },
  ] = await Promise.all([
    load<typeof serverModule>('app/appliance'),
    load<typeof bannerModule>('app/start-up-banner'),
    load<typeof loadModule>('settings/load'),
    load<typeof logModule>('lib/runtime/log'),
    load<typeof bootstrapModule>('admin/bootstrap'),
    load<typeof clockModule>('lib/runtime/clock'),
  ]);
  return { startServer, startUpBanner, loadConfig, createLog, adminBootstrap, systemClock };
}

let loaded: ReturnType<typeof loadAll> | null = null;

const built = (): ReturnType<typeof loadAll> => (loaded ??= loadAll());

export interface FirstKeys {
  live_key: string;
  test_key: string;
  workspace_id: string;
}

/** As `mailkeel admin bootstrap` does on a new folder. */
export async function bootstrapFolder(env: Record<string, string>): Promise<FirstKeys> {
  const { adminBootstrap, loadConfig, systemClock } = await built();
  const { liveKey, testKey, workspaceId } = await adminBootstrap(loadConfig({ env }).config, systemClock);
  if (liveKey === null || testKey === null) throw new Error('The data folder has keys already.');
  return { live_key: liveKey, test_key: testKey, workspace_id: workspaceId };
}

/** The migrations of the built program. */
export async function builtSteps(): Promise<stepsModule.Step[]> {
  return (await load<typeof stepsModule>('database/migrations/steps')).STEPS;
}

export interface ServerBeside {
  /** The output that the program would have printed. */
  written: { stdout: string; stderr: string };
  /** Other nodes have taken over its work; a separate program would have ended. */
  isTaken(): boolean;
  /** Graceful, as after SIGTERM. Repeated calls do nothing. */
  end(): Promise<void>;
}

/** Ready when it returns. Throws if the start fails. */
export async function startBeside(env: Record<string, string>): Promise<ServerBeside> {
  const { startServer, startUpBanner, loadConfig, createLog } = await built();
  const { config } = loadConfig({ env });
  const written = { stdout: '', stderr: '' };
  const lines = new Writable({
    decodeStrings: false,
    write(line, _encoding, done) {
      written.stdout += String(line);
      done();
    },
  });
  let isTaken = false;
  const server = await startServer(config, createLog(config.logLevel, lines), {
    readConfig: () => loadConfig({ env }).config,
    onDatabaseTaken: () => void (isTaken = true),
    renderer: sharedRenderer(),
  });
  written.stdout += `${startUpBanner(server, config)}\n`;
  let isEnded = false;
  return {
    written,
    isTaken: () => isTaken,
    async end() {
      if (isEnded) return;
      isEnded = true;
      for (const step of server.closing) await step.close();
    },
  };
}
