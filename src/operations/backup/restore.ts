// Replaces the data folder's database with a backup, which is verified and has its outbound mail held. Everything is prepared
// next to the old files. The final exchange is a few renames, which `finishRestore` resumes after a crash.
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Config } from '../../settings/settings.js';
import { Refusal } from '../../contract/refusal.js';
import { createSegmentReads } from '../../events/archive/segments.store.js';
import { isSegmentFile } from '../../events/archive/segment.rules.js';
import type { Clock } from '../../lib/runtime/index.js';
import {
  describeDataFolder,
  hasCode,
  prepareDataFolder,
  readIfThere,
  replaceFile,
  RESTORE_MARKER,
  syncFolder,
} from '../../lib/files/index.js';
import {
  KeyFileError,
  readKeySetId,
  openKeyFiles,
  openWithPassphrase,
  readKeyFiles,
  writeKeyFiles,
} from '../../lib/secrets/index.js';
import type { Engine } from '../../database/engine/engine.js';
import { checkDatabase } from '../../database/engine/file-tasks.js';
import { lockDataFolder, withSetupLock } from '../../database/engine/server-lock.js';
import { openSqlite } from '../../database/engine/sqlite.js';
import { sha256OfFile } from '../../database/engine/sqlite-backup.js';
import { migrate } from '../../database/migrations/migrate.js';
import { archiveFolder } from '../retention/event-archive.js';
import {
  compactTime,
  manifestFile,
  readManifest,
  completeBackups,
  type StoredFile,
} from './backup-names.rules.js';
import { isBucket } from '../../backups/bucket.js';
import { type BackupStorage, openBackupStorage, type BackupStorageSettings } from './storage.js';
import { type RestoredState, writeRestored } from '../../replica/identity.js';
import type { ReplicaStorageSettings } from '../../replica/replica-storage.js';
import { asksForReplica, fetchReplica } from './restore-replica.js';
import { type HeldRestore, holdRestored } from './restored-database.store.js';

const STAGE = 'restore.part';
const DATABASE = 'mail.db';
/** Segments per read. */
const ARCHIVE_PAGE = 1_000;
const SETUP_WAIT_MS = 10_000;
const BUSY_TIMEOUT_MS = 5_000;
/** Moved aside with the old database. Other files remain, such as certificates and backups. */
const REPLICA = 'replica';
const OLD_FILES = [DATABASE, `${DATABASE}-wal`, `${DATABASE}-shm`, 'keys', 'transfers', REPLICA];
/** Files of the stage, in the order in which they are put in place. */
const NEW_FILES = ['keys', REPLICA, DATABASE];

export interface RestoreRequest {
  settings: BackupStorageSettings & ReplicaStorageSettings & Pick<Config, 'masterKeyFile'>;
  /** `latest`, s3://bucket/prefix/name, or the path of a backup's file. `latest` is the replica if there is one. */
  copy: string;
  /** Restores the replica's state at this time (epoch ms). `null` for its newest state. */
  until: number | null;
  /** Ends the server that writes the replica, and uses the file of `admin follow`. */
  takesOver: boolean;
  /** Unseals the backup's keys. `null` if they come from elsewhere. */
  passphrase: string | null;
  /** Folder with the keys of the backup. `null` if they are sealed in it, or are those of the data folder. */
  keysFolder: string | null;
  /** Moves an existing database aside. */
  isForced: boolean;
  clock: Clock;
}

interface Restored extends HeldRestore {
  copy: string;
  /** Folder with the previous files. `null` if there were none. */
  putAside: string | null;
  migrated: string[];
  /** Archive files that are in neither the data folder nor the storage. */
  missingArchive: string[];
  /** Why later increments of the replica are not in it; null if it is complete. */
  gap: string | null;
}

/** A copy in the stage. */
export interface FetchedCopy {
  name: string;
  /** When it was made, in epoch ms; null if unknown. */
  createdAt: number | null;
  /** Null if unknown. */
  keySetId: string | null;
  /** Whether the place has its keys, sealed under the passphrase. */
  hasSealedKeys: boolean;
  gap: string | null;
  /** Notes for the server that replicates the restored folder. */
  replica: { restored: RestoredState; server?: string };
  /** Opens the storage with the files of the event archive. The caller closes it. */
  openArchive: () => Promise<ArchiveSource>;
}

/** Copies archive files from a place. `get` resolves to false if it has none of that name. */
interface ArchiveSource {
  get: (name: string, to: string) => Promise<boolean>;
  close: () => Promise<void>;
}

/** Throws a Refusal with the reason and leaves the data folder unchanged. */
export async function restoreBackup(request: RestoreRequest): Promise<Restored> {
  const { path } = await prepareDataFolder(request.settings.dataDir);
  const lock = lockDataFolder(path);
  try {
    return await withSetupLock(path, SETUP_WAIT_MS, async () => {
      await refuseOverData(path, request.isForced);
      const stage = join(path, STAGE);
      await rm(stage, { recursive: true, force: true });
      await mkdir(stage, { mode: 0o700 });
      try {
        const isReplica = await asksForReplica(request);
        const fetched = await (isReplica ? fetchReplica : fetchCopy)(request, { stage, dataDir: path });
        await stageKeys(request, { stage, dataDir: path, fetched });
        const file = join(stage, DATABASE);
        const { held, migrated, missingArchive } = await prepare(request, { file, fetched, dataDir: path });
        await writeRestored(join(stage, REPLICA), fetched.replica);
        const putAside = await exchange(path, request);
        const gap = isReplica ? fetched.gap : replicaIsMissing(request);
        return { ...held, copy: fetched.name, putAside, migrated, missingArchive, gap };
      } catch (error) {
        // Once the marker exists, only `finishRestore` may change the folder.
        if ((await readIfThere(join(path, RESTORE_MARKER))) === null)
          await rm(stage, { recursive: true, force: true });
        throw error;
      }
    });
  } finally {
    lock.release();
  }
}

/** `latest` is a backup although the settings name a replica. */
function replicaIsMissing({ settings: { replicaTo }, copy }: RestoreRequest): string | null {
  if (copy !== 'latest' || replicaTo === null) return null;
  return `${replicaTo} has no replica, so what was changed after this backup is missing`;
}

/** Completes an exchange that a crash interrupted. Refuses with `conflict` if there is none. */
export async function finishRestore(dataDir: string): Promise<string | null> {
  const { path } = await prepareDataFolder(dataDir);
  const lock = lockDataFolder(path);
  try {
    const marker = await readIfThere(join(path, RESTORE_MARKER));
    if (marker === null) throw new Refusal('conflict', 'No interrupted restore found in this data folder.');
    return await exchangeAs(path, marker.trim());
  } finally {
    lock.release();
  }
}

async function refuseOverData(path: string, isForced: boolean): Promise<void> {
  if ((await readIfThere(join(path, RESTORE_MARKER))) !== null) {
    const message =
      'A restore in this data folder was interrupted. Run "mailkeel admin restore --finish" first.';
    throw new Refusal('conflict', message);
  }
  if (isForced || !(await describeDataFolder(path)).databaseExists) return;
  const message = `A database already exists in ${path}. To move it to a folder next to it, pass --force.`;
  throw new Refusal('conflict', message);
}

/** Copies the database and sealed keys into the stage and verifies them. */
async function fetchCopy(request: RestoreRequest, { stage }: { stage: string }): Promise<FetchedCopy> {
  const { settings, copy, passphrase, keysFolder } = request;
  const { storage, name, file } = await locate({ settings, copy, keysFolder });
  try {
    const text = name === null ? null : await storage.read(manifestFile(name));
    const manifest = text === null ? null : readManifest(text);
    if (text !== null && manifest === null) {
      throw new Refusal('validation_error', `Can't read the manifest of ${name ?? copy}.`);
    }
    if (manifest === null && file === null) {
      throw new Refusal('not_found', `Backup ${name ?? copy} not found in ${storage.name}.`);
    }
    const to = join(stage, DATABASE);
    await getFile(storage, manifest?.database.file ?? file ?? '', to);
    if (manifest !== null) await verify(to, manifest.database);
    const problem = await checkDatabase(to);
    if (problem !== null) throw new Refusal('validation_error', `The backup is damaged: ${problem}.`);
    if (manifest?.keys && passphrase !== null && keysFolder === null) {
      const sealed = join(stage, 'keys.sealed');
      await getFile(storage, manifest.keys.file, sealed);
      await verify(sealed, manifest.keys);
      const files = JSON.parse(
        (await openWithPassphrase(passphrase, await readFile(sealed, 'utf8'))).toString(),
      ) as Record<string, unknown>;
      await writeKeyFiles(join(stage, 'keys'), files);
      await rm(sealed);
    }
    return {
      ...{ name: manifest?.name ?? basename(copy), createdAt: manifest?.createdAt ?? null, gap: null },
      ...{ keySetId: manifest?.keySetId ?? null, hasSealedKeys: Boolean(manifest?.keys) },
      replica: { restored: 'earlier' },
      openArchive: async () => archiveAt((await locate(request)).storage),
    };
  } finally {
    await storage.close();
  }
}

function archiveAt(storage: BackupStorage): ArchiveSource {
  return {
    async get(name, to) {
      if ((await storage.size(name)) === null) return false;
      await storage.get(name, to);
      return true;
    },
    close: () => storage.close(),
  };
}

/** Finds the storage of a backup, and its name or the file without a manifest. */
async function locate({
  settings,
  copy,
  keysFolder,
}: Pick<RestoreRequest, 'settings' | 'copy' | 'keysFolder'>): Promise<{
  storage: BackupStorage;
  name: string | null;
  file: string | null;
}> {
  if (copy === 'latest') {
    const storage = openBackupStorage(settings);
    try {
      const folder = keysFolder ?? join(settings.dataDir, 'keys');
      const keySetId = await readableKeySetId(resolve(folder), settings.masterKeyFile);
      return { storage, name: latestOf(await storage.list(), keySetId, storage.name), file: null };
    } catch (error) {
      await storage.close();
      throw error;
    }
  }
  const isInBucket = isBucket(copy);
  const path = isInBucket ? copy : resolve(copy);
  const name = basename(path).replace(/\.(json|db|keys)$/, '');
  const storage = openBackupStorage(
    settings,
    isInBucket ? copy.slice(0, copy.lastIndexOf('/')) : dirname(path),
  );
  const isWhole =
    completeBackups([manifestFile(name)]).length > 0 && (await storage.size(manifestFile(name))) !== null;
  const file = isWhole || (await storage.size(basename(path))) === null ? null : basename(path);
  return { storage, name: isWhole ? name : null, file };
}

/** Returns `null` if the keys are missing or damaged, because a restore may replace them. */
async function readableKeySetId(folder: string, masterKeyFile: string | null): Promise<string | null> {
  try {
    return await readKeySetId(folder, masterKeyFile);
  } catch (error) {
    if (error instanceof KeyFileError) return null;
    throw error;
  }
}

/**
 * Returns the newest backup with these keys, or the newest one if the storage has only one set of keys. Refuses if the choice is
 * ambiguous.
 */
function latestOf(files: readonly string[], keySetId: string | null, storageName: string): string {
  const all = completeBackups(files);
  const own = all.filter((backup) => backup.keySetId === keySetId);
  const [newest, ...others] = new Map(
    (own.length > 0 ? own : all).toReversed().map((backup) => [backup.keySetId, backup.name]),
  ).values();
  if (newest === undefined) throw new Refusal('not_found', `No backups found in ${storageName}.`);
  if (others.length === 0) return newest;
  const message = `${storageName} contains backups of several installations, and none of them matches the keys on this machine. Choose a backup by name. Newest backup of each installation: ${[newest, ...others].join(', ')}`;
  throw new Refusal('conflict', message);
}

async function getFile(storage: BackupStorage, file: string, to: string): Promise<void> {
  try {
    await storage.get(file, to);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) throw new Refusal('not_found', `${file} not found in ${storage.name}.`);
    throw error;
  }
}

async function verify(path: string, { file, sizeBytes, sha256 }: StoredFile): Promise<void> {
  const { size } = await stat(path);
  if (size === sizeBytes && (await sha256OfFile(path)) === sha256) return;
  throw new Refusal(
    'validation_error',
    `${file} does not match its manifest. The backup is damaged or incomplete.`,
  );
}

/** Stages the keys of the backup. Refuses if they are missing or belong to another installation. */
async function stageKeys(
  { settings: { masterKeyFile }, keysFolder, passphrase }: RestoreRequest,
  { stage, dataDir, fetched }: { stage: string; dataDir: string; fetched: FetchedCopy },
): Promise<void> {
  const staged = join(stage, 'keys');
  if ((await readKeySetId(staged, masterKeyFile)) === null) {
    const from = keysFolder === null ? join(dataDir, 'keys') : resolve(keysFolder);
    if ((await readKeySetId(from, masterKeyFile)) === null) {
      const hint =
        fetched.hasSealedKeys && passphrase === null
          ? 'They are encrypted in the backup. Set MAILKEEL_BACKUP_PASSPHRASE.'
          : 'Pass the folder that contains them with --keys.';
      throw new Refusal('validation_error', `The keys of the backup are missing. ${hint}`);
    }
    await writeKeyFiles(staged, await readKeyFiles(from, masterKeyFile));
  }
  const found = await readKeySetId(staged, masterKeyFile);
  if (fetched.keySetId === null || found === fetched.keySetId) return;
  throw new Refusal(
    'validation_error',
    'The keys do not match the backup. Pass the correct folder with --keys.',
  );
}

/** Migrates the copy to this version, holds its mail, and fetches the archive files that it names. */
async function prepare(
  request: RestoreRequest,
  { file, fetched, dataDir }: { file: string; fetched: FetchedCopy; dataDir: string },
): Promise<{ held: HeldRestore; migrated: string[]; missingArchive: string[] }> {
  const engine = openSqlite({ file, busyTimeoutMs: BUSY_TIMEOUT_MS });
  try {
    const migrated = await migrate(engine);
    const held = await holdRestored(engine, {
      copyName: fetched.name,
      copiedAt: fetched.createdAt,
      now: request.clock(),
    });
    const missingArchive = await fetchArchive(fetched, engine, archiveFolder(dataDir));
    if ((await engine.upkeep?.checkpoint()) !== true)
      throw new Error("Can't write back the log of the backup.");
    return { held, migrated, missingArchive };
  } finally {
    await engine.close();
  }
}

/** Returns the names of files that are missing, or differ from the database's records. Existing files stay. */
async function fetchArchive({ openArchive }: FetchedCopy, engine: Engine, folder: string): Promise<string[]> {
  const segments = createSegmentReads(engine);
  const missing: string[] = [];
  let page = await segments.after(0, ARCHIVE_PAGE);
  if (page.length === 0) return missing;
  const source = await openArchive();
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (; page.length > 0; page = await segments.after(page.at(-1)?.first_position ?? 0, ARCHIVE_PAGE)) {
      for (const { file, sha256 } of page) {
        if (!isSegmentFile(file) || !(await fetchSegment(source, join(folder, file), sha256)))
          missing.push(file);
      }
    }
    await syncFolder(folder);
  } finally {
    await source.close();
  }
  return missing;
}

async function fetchSegment(source: ArchiveSource, path: string, sha256: string): Promise<boolean> {
  if ((await isThere(path)) && (await sha256OfFile(path)) === sha256) return true;
  const part = `${path}.part`;
  await rm(part, { force: true });
  if (!(await source.get(basename(path), part))) return false;
  const isGood = (await sha256OfFile(part)) === sha256;
  if (isGood) await rename(part, path);
  else await rm(part);
  return isGood;
}

async function exchange(path: string, { settings, clock }: RestoreRequest): Promise<string | null> {
  // Opened as the server does, so that damaged keys are found before the old files are moved.
  const { masterKeyFile } = settings;
  await openKeyFiles(join(path, STAGE), { databaseExists: true, masterKeyFile });
  const aside = `before-restore-${compactTime(clock())}`;
  await replaceFile(join(path, RESTORE_MARKER), `${aside}\n`);
  return exchangeAs(path, aside);
}

/** Can be repeated at any point, because files that have left the stage are in place. Returns the folder of the old files. */
async function exchangeAs(path: string, aside: string): Promise<string | null> {
  const stage = join(path, STAGE);
  const old = join(path, aside);
  let hasOld = false;
  for (const name of OLD_FILES) {
    // The new file is in place once it has left the stage.
    const isNew = NEW_FILES.includes(name) && !(await isThere(join(stage, name)));
    // The log belongs to the database, so once the new database is in place, the log is new too.
    const isLogOfNew = name.startsWith(`${DATABASE}-`) && !(await isThere(join(stage, DATABASE)));
    if (isNew || isLogOfNew || !(await isThere(join(path, name)))) continue;
    // An empty keys folder belongs to a data folder that was never used.
    if (name === 'keys' && (await readdir(join(path, name))).length === 0) {
      await rm(join(path, name), { recursive: true });
      continue;
    }
    await mkdir(old, { recursive: true, mode: 0o700 });
    await rename(join(path, name), join(old, name));
    hasOld = true;
  }
  for (const name of NEW_FILES) {
    if (await isThere(join(stage, name))) await rename(join(stage, name), join(path, name));
  }
  await syncFolder(path);
  await rm(stage, { recursive: true, force: true });
  await rm(join(path, RESTORE_MARKER));
  await syncFolder(path);
  return hasOld || (await isThere(old)) ? old : null;
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}
