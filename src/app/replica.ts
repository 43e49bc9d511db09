// Opens the replica of the embedded database, as the settings say.
import { isAbsolute, relative, resolve } from 'node:path';
import { isBucket } from '../backups/bucket.js';
import type { DataFolder } from '../lib/files/index.js';
import { type Log, systemClock } from '../lib/runtime/index.js';
import type { Engine } from '../database/engine/engine.js';
import type { CommitReplica } from '../database/committer.js';
import { archiveFolder } from '../operations/retention/event-archive.js';
import { replicaFolder } from '../replica/identity.js';
import { openReplicaStorage } from '../replica/replica-storage.js';
import { Replica } from '../replica/replica.js';
import type { ReplicaFacts } from '../replica/replica-health.rules.js';
import { ConfigProblems } from '../settings/load.js';
import type { Config } from '../settings/settings.js';

export type ReplicaOpener = (opened: { engine: Engine; folder: DataFolder }) => Promise<Replica>;

/** Returns null if the settings name no replica. Throws ConfigProblems if they do not fit. */
export function replicaOpener(
  config: Config,
  { log, onFenced }: { log: Log; onFenced: () => void },
): ReplicaOpener | null {
  const { replicaTo: to, databaseUrl } = config;
  if (to === null) {
    if (!config.replicaWait) return null;
    throw new ConfigProblems(['MAILKEEL_REPLICA_WAIT requires MAILKEEL_REPLICA_TO.']);
  }
  if (databaseUrl !== null) {
    throw new ConfigProblems([
      'MAILKEEL_REPLICA_TO replicates the embedded database. With MAILKEEL_DATABASE_URL, use a standby of PostgreSQL and unset it.',
    ]);
  }
  refuseBesideDatabase(to, config.dataDir);
  void openReplicaStorage(config, to).close();
  return async ({ engine: { upkeep }, folder }) => {
    if (upkeep === null) throw new Error('A replica needs a database file.');
    const replica = new Replica({
      settings: {
        ...{ file: folder.databaseFile, folder: replicaFolder(folder.path), keysFolder: folder.keysFolder },
        ...{ archiveFolder: archiveFolder(folder.path), masterKeyFile: config.masterKeyFile },
        ...{
          passphrase: config.backupPassphrase,
          storage: storageSettings(config),
          to,
          logLevel: config.logLevel,
        },
        timing: {
          ...{ intervalMs: config.replicaIntervalMs, logBytes: config.replicaLogBytes },
          ...{
            waitingBytes: config.replicaWaitingBytes,
            copyMs: config.replicaCopyMs,
            keepMs: config.replicaKeepMs,
          },
        },
      },
      upkeep,
      log,
      onFenced({ generation, isBehind }) {
        if (isBehind)
          log.error(
            { generation },
            'the replica has changes that this data folder lacks: restore them, or set another MAILKEEL_REPLICA_TO. Shutting down',
          );
        else log.error({ generation }, 'another server has taken over the replica: shutting down');
        onFenced();
      },
    });
    await replica.open();
    return replica;
  };
}

/** A folder in the data folder is lost with it, and a relative path is mostly a mistyped bucket. */
function refuseBesideDatabase(to: string, dataDir: string): void {
  if (isBucket(to)) return;
  const fromData = relative(resolve(dataDir), resolve(to));
  const isInside = fromData === '' || !(fromData.startsWith('..') || isAbsolute(fromData));
  if (isAbsolute(to) && !isInside) return;
  throw new ConfigProblems([
    'MAILKEEL_REPLICA_TO must be s3://bucket/prefix, or the absolute path of a folder outside MAILKEEL_DATA_DIR, on another disk.',
  ]);
}

/** Returns the replica if commits wait for it; otherwise null. */
export function commitReplica(
  replica: Replica | null,
  {
    replicaWait,
    replicaWaitMs: waitMs,
    replicaAwayMs,
  }: Pick<Config, 'replicaWait' | 'replicaWaitMs' | 'replicaAwayMs'>,
): CommitReplica | null {
  if (replica === null || !replicaWait) return null;
  return {
    waitMs,
    store: () => replica.store(),
    problem: () => problemOf(replica, replicaAwayMs),
  };
}

/** The replica as operators see it. */
export interface ReplicaView {
  /** Null until its thread has reported. */
  facts: () => ReplicaFacts | null;
  /** Why commits are refused; null if they are not. */
  problem: () => string | null;
}

/** Returns null without a replica. */
export function replicaView(
  replica: Replica | null,
  {
    replicaTo: storage,
    replicaWait: waits,
    replicaAwayMs,
  }: Pick<Config, 'replicaTo' | 'replicaWait' | 'replicaAwayMs'>,
): ReplicaView | null {
  if (replica === null || storage === null) return null;
  return {
    facts: () => replica.state && { ...replica.state, storage, waits },
    problem: () => (waits ? problemOf(replica, replicaAwayMs) : null),
  };
}

function problemOf(
  { state, waitedMs }: Pick<Replica, 'state' | 'waitedMs'>,
  replicaAwayMs: number,
): string | null {
  const away = state?.away ?? null;
  const awayMs = away === null ? 0 : systemClock() - away.since;
  // Storage that is silent or slow is not away, and before the first full copy nothing counts as stored.
  if (Math.max(awayMs, waitedMs) < replicaAwayMs) return null;
  if (away !== null) return `the replica does not respond (${away.reason})`;
  return state?.phase === 'copying'
    ? 'the replica has no complete full copy yet'
    : `the replica has been behind for ${Math.floor(waitedMs / 1000)} seconds`;
}

function storageSettings(config: Config) {
  const { replicaTo, backupS3Endpoint, backupS3Region, extraCaFile } = config;
  const { backupS3AccessKeyId, backupS3SecretAccessKey } = config;
  return {
    replicaTo,
    backupS3Endpoint,
    backupS3Region,
    extraCaFile,
    backupS3AccessKeyId,
    backupS3SecretAccessKey,
  };
}
