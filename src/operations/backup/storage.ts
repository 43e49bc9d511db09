// The storage of backups: a folder, or a bucket of an S3-compatible store.
import { constants } from 'node:fs';
import { copyFile, mkdir, open, readdir, rename, stat, unlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type BucketSettings, isBucket, openBucket } from '../../backups/bucket.js';
import { freeDiskBytes, hasCode, readIfThere, syncFolder } from '../../lib/files/index.js';
import type { Config } from '../../settings/settings.js';
import { isPart } from '../../database/engine/sqlite-backup.js';

/** Age (ms) at which parts are removed as leftovers of a crash. No backup in progress is that old. */
const PART_AGE_MS = 6 * 3_600_000;

export type BackupStorageSettings = BucketSettings & Pick<Config, 'dataDir' | 'backupTo'>;

export interface BackupStorage {
  /** For people; no secrets. */
  name: string;
  /** Local folder in which a backup is built before it is stored. */
  stagingFolder: string;
  /** Free bytes of the staging folder. */
  freeBytes(): Promise<number>;
  /** Moves a finished file from the staging folder to the storage under a name. */
  put(name: string, file: string): Promise<void>;
  /** Copies a stored file to a new local file. */
  get(name: string, to: string): Promise<void>;
  /** Reads a small file. Returns `null` if there is none. */
  read(name: string): Promise<string | null>;
  /** Returns the size in bytes, or `null` if the file does not exist. */
  size(name: string): Promise<number | null>;
  list(): Promise<string[]>;
  remove(name: string): Promise<void>;
  close(): Promise<void>;
}

/** Opens `s3://bucket/prefix`, or a folder that the first backup creates. Refuses with `validation_error` if settings are missing. */
export function openBackupStorage(
  settings: BackupStorageSettings,
  at: string = settings.backupTo,
): BackupStorage {
  return isBucket(at) ? bucketStorage(settings, at) : folderStorage(resolve(at));
}

async function measureFreeBytes(folder: string): Promise<number> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return freeDiskBytes(folder);
}

async function readSize(file: string): Promise<number | null> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

function folderStorage(folder: string): BackupStorage {
  return {
    name: folder,
    stagingFolder: folder,
    freeBytes: () => measureFreeBytes(folder),
    async put(name, file) {
      await rename(file, join(folder, name));
      await syncFolder(folder);
    },
    async get(name, to) {
      await copyFile(join(folder, name), to, constants.COPYFILE_EXCL);
      const handle = await open(to, 'r+');
      try {
        await handle.chmod(0o600);
        await handle.sync();
      } finally {
        await handle.close();
      }
    },
    read: (name) => readIfThere(join(folder, name)),
    size: (name) => readSize(join(folder, name)),
    async list() {
      try {
        return await readdir(folder);
      } catch (error) {
        if (hasCode(error, 'ENOENT')) return [];
        throw error;
      }
    },
    async remove(name) {
      await unlink(join(folder, name));
    },
    close: () => Promise.resolve(),
  };
}

function bucketStorage(settings: BackupStorageSettings, at: string): BackupStorage {
  const s3 = openBucket(settings, { at, setting: 'MAILKEEL_BACKUP_TO' });
  const stagingFolder = join(resolve(settings.dataDir), 'backups');
  return {
    name: at,
    stagingFolder,
    freeBytes: () => measureFreeBytes(stagingFolder),
    async put(name, file) {
      await s3.put(name, file);
      await unlink(file);
    },
    get: (name, to) => s3.get(name, to),
    read: (name) => s3.read(name),
    size: (name) => s3.size(name),
    list: () => s3.list(),
    remove: (name) => s3.remove(name),
    close: () => s3.close(),
  };
}

/** Removes parts that a crash has left in the staging folder. */
export async function removeOldParts({ stagingFolder }: BackupStorage, now: number): Promise<void> {
  for (const name of await readdir(stagingFolder)) {
    const file = join(stagingFolder, name);
    if (isPart(name) && now - (await stat(file)).mtimeMs > PART_AGE_MS) await unlink(file);
  }
}
