// Fetches the database of a replica for a restore: the newest state, or that of a time.
import { rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Refusal } from '../../contract/refusal.js';
import { checkDatabase } from '../../database/engine/file-tasks.js';
import type { Clock } from '../../lib/runtime/index.js';
import { claimGeneration, newestClaim, readClaim } from '../../replica/claims.js';
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
    // A replica that these keys do not decrypt is refused later, because the request was not for an older backup.
    return (await hasReplica(storage, keySetId)) || (await hasReplica(storage, null));
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
    const file = join(stage, 'mail.db');
    const made = takesOver
      ? await fromWarmStandby(source, { dataDir, file, clock })
      : await fromPlace(source, { file, until });
    const problem = await checkDatabase(file);
    if (problem !== null)
      throw new Refusal('validation_error', `The database of the replica is damaged: ${problem}.`);
    const { generation, increment, until: createdAt } = made.reached;
    const gap = made.gap ?? (await laterGeneration(source, generation, until));
    return {
      ...{ name: `replica generation ${generation}, increment ${increment}`, createdAt, gap },
      ...{ keySetId: null, hasSealedKeys: false },
      replica: {
        restored: takesOver || gap !== null || until !== null ? 'earlier' : { generation, increment },
        ...(made.server === null ? {} : { server: made.server }),
      },
      openArchive: () => Promise.resolve(archiveOf(openReplicaStorage(settings, replicaTo))),
    };
  } catch (error) {
    if (error instanceof ReplicaError) throw new Refusal('not_found', error.message);
    throw error;
  } finally {
    await storage.close();
  }
}

interface Made extends Pick<ReplicaCopy, 'reached'> {
  gap: string | null;
  /** Has claimed the replica; null if it was only read. */
  server: string | null;
}

async function fromPlace(
  source: ReplicaSource,
  { file, until }: { file: string; until: number | null },
): Promise<Made> {
  const copy = await ReplicaCopy.make(source, file, until);
  try {
    const gap = await copy.advance(until);
    refuseIncomplete(copy, gap);
    copy.sync();
    return { reached: copy.reached, gap, server: null };
  } finally {
    copy.close();
  }
}

/** Continues the file of `admin follow`, if there is one, and ends the server that writes the replica. */
async function fromWarmStandby(
  source: ReplicaSource,
  { dataDir, file, clock }: { dataDir: string; file: string; clock: Clock },
): Promise<Made> {
  const folder = followFolder(dataDir);
  const standby = await WarmStandby.open(source, folder);
  try {
    // Before the claim, so that the other server continues if its replica cannot be restored.
    refuseIncomplete(standby, await standby.advance());
    // From here on the other server confirms nothing that is not read below.
    const server = newServer();
    await claimGeneration(source.storage, source.names, { server, clock });
    const gap = await standby.advance();
    refuseIncomplete(standby, gap);
    const { reached } = standby;
    await rename(standby.file, file);
    await rm(folder, { recursive: true });
    return { reached, gap, server };
  } finally {
    standby.close();
  }
}

function refuseIncomplete({ isConsistent }: { isConsistent: boolean }, gap: string | null): void {
  if (isConsistent) return;
  throw new ReplicaError(`The replica cannot be restored: ${gap ?? 'increments are missing'}.`);
}

/** Says which later generation has increments that no base copy of that time makes usable; null if none has. */
async function laterGeneration(
  { storage, names }: ReplicaSource,
  generation: number,
  until: number | null,
): Promise<string | null> {
  const newest = (await newestClaim(storage, names))?.generation ?? generation;
  for (let later = generation + 1; later <= newest; later++) {
    const claim = await readClaim(storage, names.claim(later));
    if (until !== null && claim !== null && Date.parse(claim.begun_at) > until) continue;
    if ((await storage.list(names.increments(later))).length === 0) continue;
    const when = until === null ? '' : ' at that time';
    return `generation ${later} has no complete base copy${when}, so what it contains is missing`;
  }
  return null;
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
