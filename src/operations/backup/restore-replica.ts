// Fetches the database of a replica for a restore: the newest state, or that of a time.
import { rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Refusal } from '../../contract/refusal.js';
import { checkDatabase } from '../../database/engine/file-tasks.js';
import { claimGeneration, newestClaim } from '../../replica/claims.js';
import { newServer } from '../../replica/identity.js';
import { followFolder, WarmStandby } from '../../replica/warm-standby.js';
import { ReplicaCopy, type ReplicaSource } from '../../replica/replica-copy.js';
import { ReplicaError } from '../../replica/replica-json.js';
import { openReplicaStorage, type ReplicaStorage } from '../../replica/replica-storage.js';
import { hasReplica, openReplicaSource } from '../../replica/source.js';
import { readKeySetId } from '../../lib/secrets/index.js';
import type { FetchedCopy, RestoreRequest } from './restore.js';

const MOST_ARCHIVE_BYTES = 16 * 1024 * 1024;

/** Whether the request is for the replica and not for a backup. */
export async function asksForReplica({
  settings,
  copy,
  until,
  keysFolder,
  takesOver,
}: RestoreRequest): Promise<boolean> {
  if (copy !== 'latest' || settings.replicaTo === null) {
    if (until === null && !takesOver) return false;
    throw new Refusal(
      'validation_error',
      'A time needs the replica. Set MAILKEEL_REPLICA_TO, and restore "latest".',
    );
  }
  if (until !== null || takesOver) return true;
  const storage = openReplicaStorage(settings, settings.replicaTo);
  try {
    const folder = keysFolder ?? join(settings.dataDir, 'keys');
    const keySetId = await readKeySetId(resolve(folder), settings.masterKeyFile).catch(() => null);
    return await hasReplica(storage, keySetId);
  } finally {
    await storage.close();
  }
}

/** Puts the database into the stage, and the keys if they are in the replica. */
export async function fetchReplica(
  request: RestoreRequest,
  { stage, dataDir }: { stage: string; dataDir: string },
): Promise<FetchedCopy> {
  const { settings, passphrase, keysFolder, takesOver, until, clock } = request;
  const { replicaTo, masterKeyFile } = settings;
  if (replicaTo === null) throw new Error('There is no replica.');
  const storage = openReplicaStorage(settings, replicaTo);
  try {
    const source = await openReplicaSource(storage, {
      ...{ folder: resolve(keysFolder ?? join(dataDir, 'keys')), masterKeyFile, passphrase },
      stagedFolder: join(stage, 'keys'),
    });
    // From here on the other server confirms nothing that is not read below.
    if (takesOver) {
      await claimGeneration(storage, source.names, { server: newServer(), clock });
    }
    const file = join(stage, 'mail.db');
    const made = takesOver
      ? await fromWarmStandby(source, { dataDir, file })
      : await fromPlace(source, { file, until });
    const problem = await checkDatabase(file);
    if (problem !== null)
      throw new Refusal('validation_error', `The database of the replica is damaged: ${problem}.`);
    const { generation, increment, until: createdAt } = made.reached;
    const gap = made.gap ?? (takesOver ? null : await laterGeneration(source, generation, until));
    return {
      ...{ name: `replica generation ${generation}, increment ${increment}`, createdAt, gap },
      ...{ keySetId: null, hasSealedKeys: false },
      openArchive: () => Promise.resolve(archiveOf(openReplicaStorage(settings, replicaTo))),
    };
  } catch (error) {
    if (error instanceof ReplicaError) throw new Refusal('not_found', error.message);
    throw error;
  } finally {
    await storage.close();
  }
}

type Made = Pick<ReplicaCopy, 'reached'> & { gap: string | null };

async function fromPlace(
  source: ReplicaSource,
  { file, until }: { file: string; until: number | null },
): Promise<Made> {
  const copy = await ReplicaCopy.make(source, file, until);
  try {
    const gap = await copy.advance(until);
    if (!copy.isConsistent)
      throw new ReplicaError(`The replica cannot be restored: ${gap ?? 'increments are missing'}.`);
    copy.sync();
    return { reached: copy.reached, gap };
  } finally {
    copy.close();
  }
}

/** Continues the file of `admin follow`, if there is one. */
async function fromWarmStandby(
  source: ReplicaSource,
  { dataDir, file }: { dataDir: string; file: string },
): Promise<Made> {
  const folder = followFolder(dataDir);
  const standby = await WarmStandby.open(source, folder);
  try {
    const gap = await standby.advance();
    if (!standby.isConsistent)
      throw new ReplicaError(`The replica cannot be restored: ${gap ?? 'increments are missing'}.`);
    const { reached } = standby;
    await rename(standby.file, file);
    await rm(folder, { recursive: true });
    return { reached, gap };
  } finally {
    standby.close();
  }
}

async function laterGeneration(
  { storage, names }: ReplicaSource,
  generation: number,
  until: number | null,
): Promise<string | null> {
  if (until !== null) return null;
  const newest = (await newestClaim(storage, names))?.generation ?? generation;
  return newest === generation
    ? null
    : `generation ${newest} has no complete base copy, so what it contains is missing`;
}

function archiveOf(storage: ReplicaStorage) {
  return {
    async get(name: string, to: string) {
      const octets = await storage.get(name, MOST_ARCHIVE_BYTES);
      if (octets === null) return false;
      await writeFile(to, octets, { flag: 'wx', mode: 0o600 });
      return true;
    },
    close: () => storage.close(),
  };
}
