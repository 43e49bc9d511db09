// `mailkeel admin follow` and `mailkeel admin promote`: a second machine that keeps a copy of the replica, and takes over.
import type { Command } from 'commander';
import { setTimeout as pause } from 'node:timers/promises';
import { join, resolve } from 'node:path';
import { Refusal } from '../contract/refusal.js';
import { lockDataFolder } from '../database/engine/server-lock.js';
import { prepareDataFolder } from '../lib/files/index.js';
import { type PlainAnswer, servePlain } from '../lib/http/index.js';
import { createLog, type Log } from '../lib/runtime/index.js';
import { followFolder, WarmStandby } from '../replica/warm-standby.js';
import { openReplicaStorage } from '../replica/replica-storage.js';
import { openReplicaSource } from '../replica/source.js';
import type { Config } from '../settings/settings.js';
import { restore, type RestoreOptions } from './restore-command.js';
import type { Terminal } from './terminal.js';

const RETRY_MS = 5_000;

export function addAdminReplica(admin: Command, terminal: Terminal): void {
  admin
    .command('follow')
    .description(
      'Keep a copy of the replica on this machine until stopped, ready for "mailkeel admin promote"',
    )
    .option('--keys <folder>', 'Folder with the keys, if they are not included in the replica')
    .action(async (options: { keys?: string }) => {
      const { config } = terminal.loadConfig();
      await follow(config, { keysFolder: options.keys ?? null, clock: terminal.clock });
    });
  admin
    .command('promote')
    .description(
      'Take over from the server that writes the replica, and hold outgoing mail as after a restore',
    )
    .option('--force', 'Move an existing database to a folder next to it')
    .option('--keys <folder>', 'Folder with the keys, if they are not included in the replica')
    .option(
      '--passphrase-file <file>',
      'File with the passphrase of the included keys (default: MAILKEEL_BACKUP_PASSPHRASE)',
    )
    .option('--json', 'Output JSON')
    .action(async (options: RestoreOptions) => {
      const { config } = terminal.loadConfig();
      await restore(terminal, config, { copy: 'latest', options, takesOver: true });
    });
}

/** Answer to probes. */
interface Following {
  generation: number;
  increment: number;
  until: number;
  problem: string | null;
}

async function follow(
  config: Config,
  { keysFolder, clock }: { keysFolder: string | null; clock: () => number },
): Promise<void> {
  const { replicaTo, masterKeyFile, backupPassphrase: passphrase, httpHost: host, httpPort: port } = config;
  if (replicaTo === null)
    throw new Refusal('validation_error', 'Set MAILKEEL_REPLICA_TO to the replica to follow.');
  const { path } = await prepareDataFolder(config.dataDir);
  const log = createLog(config.logLevel);
  const lock = lockDataFolder(path);
  const storage = openReplicaStorage(config, replicaTo);
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  process.once('SIGTERM', stop).once('SIGINT', stop);
  let state: Following | null = null;
  const server = await servePlain(
    { host, port },
    probes(() => state, clock),
  );
  try {
    const source = await openReplicaSource(storage, {
      ...{ folder: resolve(keysFolder ?? join(path, 'keys')), masterKeyFile, passphrase },
      stagedFolder: join(path, 'keys'),
    });
    const standby = await WarmStandby.open(source, followFolder(path));
    log.info({ storage: storage.name, folder: followFolder(path) }, 'following the replica');
    while (!stopping.signal.aborted) {
      const problem = await advance(standby, log, state?.problem ?? null);
      state = { ...standby.reached, problem };
      const waitMs = problem === null ? config.replicaIntervalMs : RETRY_MS;
      await pause(waitMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
    standby.close();
  } finally {
    await server.close();
    await storage.close();
    lock.release();
  }
}

/** Returns what keeps the copy from being current; null if it is. */
async function advance(standby: WarmStandby, log: Log, before: string | null): Promise<string | null> {
  let problem: string | null;
  try {
    problem = await standby.advance();
  } catch (error) {
    problem = error instanceof Error ? error.message : String(error);
  }
  if (problem !== before) {
    if (problem === null) log.info(standby.reached, 'following the replica again');
    else log.error({ reason: problem }, 'cannot follow the replica');
  }
  return problem;
}

function probes(readState: () => Following | null, clock: () => number) {
  const answer = (status: number, body: object): PlainAnswer => ({
    ...{ status, contentType: 'application/json; charset=utf-8', body: `${JSON.stringify(body)}\n` },
  });
  return {
    '/healthz': () => answer(200, { status: 'following' }),
    '/readyz': () => {
      const state = readState();
      if (state === null)
        return answer(503, { status: 'following', reason: 'the base copy is being fetched' });
      const { generation, increment, until, problem } = state;
      const behind = Math.max(0, Math.round((clock() - until) / 1000));
      return answer(503, {
        ...{ status: 'following', generation, increment, until: new Date(until).toISOString() },
        ...{
          seconds_since_last_change: behind,
          reason: problem ?? 'this machine follows the replica of another server',
        },
      });
    },
  };
}
