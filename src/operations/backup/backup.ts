// Makes one backup: looks at the free space, copies the database while it is written to, checks the copy, seals the keys,
// stores all of it with a manifest, and removes backups that are too many.
import { createHash, randomBytes } from 'node:crypto';
import { open, readdir, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Refusal } from '../../contract/refusal.js';
import type { Clock } from '../../lib/runtime/clock.js';
import { keySetIdOf, readKeyFiles } from '../../lib/runtime/key-files.js';
import { sealWithPassphrase } from '../../lib/runtime/passphrase.js';
import { posthornVersion } from '../../lib/runtime/version.js';
import type { Config } from '../../settings/settings.js';
import { bytesToCopy, copyDatabase } from '../../store/engine/file-tasks.js';
import { partOf } from '../../store/engine/sqlite-backup.js';
import { LATEST_SCHEMA } from '../../store/migrations/migrate.js';
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
import { type BackupPlace, openPlace, type PlaceSettings, removeOldParts } from './places.js';

export type BackupSettings = PlaceSettings &
  Pick<Config, 'backupKeep' | 'backupPassphrase' | 'minFreeDiskBytes' | 'masterKeyFile'>;

export interface MadeBackup {
  name: string;
  place: string;
  startedAt: number;
  endedAt: number;
  manifest: Manifest;
  /** Files of older backups that were removed. */
  removed: number;
}

export interface BackupDeps {
  folder: { databaseFile: string; keysFolder: string };
  settings: BackupSettings;
  clock: Clock;
  signal?: AbortSignal;
}

/** Throws a Refusal `conflict` without room, an S3Error, or the error of the file. Nothing that it leaves passes for a backup. */
export async function makeBackup({ folder, settings, clock, signal }: BackupDeps): Promise<MadeBackup> {
  const startedAt = clock();
  const place = openPlace(settings);
  const name = backupName(startedAt, randomBytes(2).toString('hex'));
  const staged: string[] = [];
  const stage = (file: string): string => {
    const path = partOf(join(place.stagingFolder, file));
    staged.push(path);
    return path;
  };
  try {
    await refuseWithoutRoom(place, folder.databaseFile, settings.minFreeDiskBytes);
    await removeOldParts(place, startedAt);
    const copy = stage(databaseFile(name));
    const keySetId = await keySetIdOf(folder.keysFolder, settings.masterKeyFile);
    if (keySetId === null) throw new Error(`There are no keys in ${folder.keysFolder}.`);
    const copied = await copyDatabase({ from: folder.databaseFile, to: copy }, signal);
    const keys = await stageKeys(folder.keysFolder, settings, () => stage(keysFile(name)));
    const manifest: Manifest = {
      ...{ name, version: posthornVersion(), createdAt: startedAt, schema: LATEST_SCHEMA, keySetId },
      database: { file: databaseFile(name), ...copied },
      keys: keys && { ...keys.stored, file: keysFile(name) },
    };
    await putChecked(place, manifest.database, copy);
    if (keys !== null && manifest.keys !== null) await putChecked(place, manifest.keys, keys.path);
    const written = stage(manifestFile(name));
    await writeWhole(written, manifestText(manifest));
    await place.put(manifestFile(name), written);
    await confirm(place, name);
    const removed = await rotate(place, settings.backupKeep);
    return { name, place: place.name, startedAt, endedAt: clock(), manifest, removed };
  } finally {
    await removeParts(place.stagingFolder, staged);
    await place.close();
  }
}

async function refuseWithoutRoom(place: BackupPlace, file: string, spare: number): Promise<void> {
  const needed = await bytesToCopy(file);
  const free = await place.freeBytes();
  if (free - needed >= spare) return;
  const message =
    `Not enough free disk space in ${place.stagingFolder}: the copy needs up to ${needed} bytes, ${free} are free, and ` +
    `${spare} must stay free (POSTHORN_MIN_FREE_DISK).`;
  throw new Refusal('conflict', message);
}

/** Null without a passphrase. */
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

async function writeWhole(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function putChecked(place: BackupPlace, { file, sizeBytes }: StoredFile, path: string): Promise<void> {
  await place.put(file, path);
  const stored = await place.size(file);
  if (stored !== sizeBytes)
    throw new Error(`${file} has ${String(stored)} bytes in ${place.name}, not ${sizeBytes}.`);
}

/** The manifest is read back: from then on the backup is there. */
async function confirm(place: BackupPlace, name: string): Promise<void> {
  const text = await place.read(manifestFile(name));
  if (text === null || readManifest(text)?.name !== name) {
    throw new Error(`The manifest of ${name} cannot be read back from ${place.name}.`);
  }
}

async function rotate(place: BackupPlace, keep: number): Promise<number> {
  const surplus = surplusFiles(await place.list(), keep);
  for (const file of surplus) await place.remove(file);
  return surplus.length;
}

/** A copy that was stopped has left a part of its own, whose name begins alike. */
async function removeParts(folder: string, parts: readonly string[]): Promise<void> {
  if (parts.length === 0) return;
  const names = parts.map((path) => basename(path));
  for (const file of await readdir(folder)) {
    if (names.some((name) => file.startsWith(name))) await unlink(join(folder, file));
  }
}
