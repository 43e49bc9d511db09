// Makes one backup: checks the free space, copies the database while it is in use, verifies the copy, seals the keys, stores
// everything with a manifest, and removes surplus backups.
import { createHash, randomBytes } from 'node:crypto';
import { open, readdir, readFile, stat, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Refusal } from '../../contract/refusal.js';
import { isSegmentFile } from '../../events/archive/segment.rules.js';
import { hasCode } from '../../lib/files/index.js';
import { readKeySetId, readKeyFiles, sealWithPassphrase } from '../../lib/secrets/index.js';
import { productVersion } from '../../lib/runtime/index.js';
import type { Config } from '../../settings/settings.js';
import { bytesToCopy, copyDatabase } from '../../database/engine/file-tasks.js';
import { partName } from '../../database/engine/sqlite-backup.js';
import { latestSchema } from '../../database/migrations/steps.js';
import type { OperationContext } from '../context.js';
import { archiveFolder } from '../retention/event-archive.js';
import {
  backupName,
  databaseFile,
  keysFile,
  manifestFile,
  manifestText,
  readManifest,
  surplusFiles,
  type Manifest,
  type StoredFile,
} from './backup-names.rules.js';
import {
  type BackupStorage,
  openBackupStorage,
  type BackupStorageSettings,
  removeOldParts,
} from './storage.js';

export type BackupSettings = BackupStorageSettings &
  Pick<Config, 'backupKeep' | 'backupPassphrase' | 'minFreeDiskBytes' | 'masterKeyFile'>;

export interface MadeBackup {
  name: string;
  place: string;
  startedAt: number;
  endedAt: number;
  manifest: Manifest;
  /** Removed files of older backups. */
  removed: number;
  /** Archive segments that the storage did not have yet. */
  archived: number;
}

export interface BackupContext extends Pick<OperationContext, 'clock'> {
  folder: { databaseFile: string; keysFolder: string };
  config: BackupSettings;
}

/**
 * Throws a `conflict` refusal if space is short, an S3Error, or a file error. A failed backup leaves no manifest, so it cannot
 * pass for a complete one.
 */
export async function makeBackup(
  { folder, config, clock }: BackupContext,
  signal?: AbortSignal,
): Promise<MadeBackup> {
  const startedAt = clock();
  const storage = openBackupStorage(config);
  const staged: string[] = [];
  const stage = (file: string): string => {
    const path = partName(join(storage.stagingFolder, file));
    staged.push(path);
    return path;
  };
  try {
    const archive = archiveFolder(config.dataDir);
    await refuseWithoutRoom(storage, { ...config, archive, file: folder.databaseFile });
    await removeOldParts(storage, startedAt);
    const keySetId = await readKeySetId(folder.keysFolder, config.masterKeyFile);
    if (keySetId === null) throw new Error(`No keys found in ${folder.keysFolder}.`);
    const name = backupName(startedAt, { keySetId, random: randomBytes(2).toString('hex') });
    const copy = stage(databaseFile(name));
    const copied = await copyDatabase({ from: folder.databaseFile, to: copy }, signal);
    const keys = await stageKeys(folder.keysFolder, config, () => stage(keysFile(name)));
    const manifest: Manifest = {
      name,
      version: productVersion(),
      createdAt: startedAt,
      schema: latestSchema(),
      keySetId,
      database: { file: databaseFile(name), ...copied },
      keys: keys && { ...keys.stored, file: keysFile(name) },
    };
    // Archive files are written before the database names them, so these are all that the copy needs.
    const archived = await putArchive(storage, archive, stage);
    await putChecked(storage, manifest.database, copy);
    if (keys !== null && manifest.keys !== null) await putChecked(storage, manifest.keys, keys.path);
    const written = stage(manifestFile(name));
    await writeWhole(written, manifestText(manifest));
    await storage.put(manifestFile(name), written);
    await confirm(storage, name);
    const removed = await rotate(storage, { keep: config.backupKeep, keySetId });
    return { name, place: storage.name, startedAt, endedAt: clock(), manifest, removed, archived };
  } finally {
    await removeParts(storage.stagingFolder, staged);
    await storage.close();
  }
}

async function refuseWithoutRoom(
  storage: BackupStorage,
  { file, archive, minFreeDiskBytes: spare }: { file: string; archive: string; minFreeDiskBytes: number },
): Promise<void> {
  // Also creates the staging folder.
  const free = await storage.freeBytes();
  let needed = await bytesToCopy(file);
  for (const segment of await notStored(storage, archive))
    needed += (await stat(join(archive, segment))).size;
  if (free - needed >= spare) return;
  const message = `Not enough free disk space in ${storage.stagingFolder}. The backup needs up to ${needed} bytes and ${free} bytes are free, of which ${spare} must stay free (MAILKEEL_MIN_FREE_DISK).`;
  throw new Refusal('conflict', message);
}

/** Returns `null` without a passphrase. */
async function stageKeys(
  keysFolder: string,
  { backupPassphrase: passphrase, masterKeyFile }: BackupSettings,
  stage: () => string,
): Promise<{ path: string; stored: Omit<StoredFile, 'file'> } | null> {
  if (passphrase === null) return null;
  const text = await sealWithPassphrase(
    passphrase,
    Buffer.from(JSON.stringify(await readKeyFiles(keysFolder, masterKeyFile))),
  );
  const path = stage();
  await writeWhole(path, text);
  const sha256 = createHash('sha256').update(text).digest('hex');
  return { path, stored: { sizeBytes: Buffer.byteLength(text), sha256 } };
}

async function writeWhole(path: string, content: string | Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function putChecked(
  storage: BackupStorage,
  { file, sizeBytes }: StoredFile,
  path: string,
): Promise<void> {
  await storage.put(file, path);
  const stored = await storage.size(file);
  if (stored !== sizeBytes)
    throw new Error(`${file} in ${storage.name} has ${String(stored)} bytes instead of ${sizeBytes}.`);
}

/** Uploads segments that the storage lacks, and returns their number. Segments never change, and backups share them. */
async function putArchive(
  storage: BackupStorage,
  folder: string,
  stage: (file: string) => string,
): Promise<number> {
  const missing = await notStored(storage, folder);
  for (const file of missing) {
    const content = await readFile(join(folder, file));
    const path = stage(file);
    await writeWhole(path, content);
    const sha256 = createHash('sha256').update(content).digest('hex');
    await putChecked(storage, { file, sizeBytes: content.length, sha256 }, path);
  }
  return missing.length;
}

/** Returns the archive files that the storage lacks. */
async function notStored(storage: BackupStorage, folder: string): Promise<string[]> {
  const files = (await filesIn(folder)).filter(isSegmentFile);
  if (files.length === 0) return [];
  const known = new Set(await storage.list());
  return files.filter((file) => !known.has(file));
}

async function filesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}

/** Completes the backup by reading its manifest back. */
async function confirm(storage: BackupStorage, name: string): Promise<void> {
  const text = await storage.read(manifestFile(name));
  if (text === null || readManifest(text)?.name !== name) {
    throw new Error(`Can't read back the manifest of ${name} from ${storage.name}.`);
  }
}

async function rotate(storage: BackupStorage, wanted: { keep: number; keySetId: string }): Promise<number> {
  const surplus = surplusFiles(await storage.list(), wanted);
  for (const file of surplus) await storage.remove(file);
  return surplus.length;
}

/** Removes the parts, and leftovers of interrupted copies, whose names begin with those of the parts. */
async function removeParts(folder: string, parts: readonly string[]): Promise<void> {
  if (parts.length === 0) return;
  const names = parts.map((path) => basename(path));
  for (const file of await readdir(folder)) {
    if (names.some((name) => file.startsWith(name))) await unlink(join(folder, file));
  }
}
