// Copies the database before a new release migrates it, so that the operator can return to the previous release.
import { mkdir, readdir, stat, statfs, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../lib/runtime/index.js';
import type { Job } from '../../lib/concurrency/index.js';
import { hasCode } from '../../lib/files/index.js';
import type { Config } from '../../settings/settings.js';
import { bytesToCopy, copyDatabase } from '../../database/engine/file-tasks.js';
import { isPart } from '../../database/engine/sqlite-backup.js';
import { compactTime } from './backup-names.rules.js';

const FOLDER = 'before-upgrade';
const NAME = /^backup-.+\.db$/;
const KEEP_MS = 14 * 86_400_000;
/** Age (ms) at which an unfinished copy is a leftover of a crash. */
const PART_MS = 6 * 3_600_000;
/** Number of copies that are retained. */
const KEEP = 2;

interface UpgradeCopySettings extends Partial<Pick<Config, 'upgradeCopy' | 'minFreeDiskBytes'>> {
  dataDir: string;
}

interface PlannedCopy {
  /** Absolute if `dataDir` is. */
  file: string;
  /** Bytes that the copy may need. */
  neededBytes: number;
  freeBytes: number;
  /** Why no copy will be made, or `null` if one will. */
  reason: string | null;
}

interface Facts {
  databaseFile: string;
  /** The last migration that ran. */
  schema: string;
  now: number;
}

/** Decides whether and where to make a copy. Makes nothing. */
export async function planUpgradeCopy(
  { dataDir, upgradeCopy = true, minFreeDiskBytes: spare = 0 }: UpgradeCopySettings,
  { databaseFile, schema, now }: Facts,
): Promise<PlannedCopy> {
  const file = join(dataDir, FOLDER, `backup-${compactTime(now)}-${schema}.db`);
  const neededBytes = await bytesToCopy(databaseFile);
  const { bavail, bsize } = await statfs(dataDir);
  const freeBytes = bavail * bsize;
  return {
    file,
    neededBytes,
    freeBytes,
    reason: reasonNotToCopy(upgradeCopy, { neededBytes, freeBytes, spare }),
  };
}

function reasonNotToCopy(
  isWanted: boolean,
  { neededBytes, freeBytes, spare }: { neededBytes: number; freeBytes: number; spare: number },
): string | null {
  if (!isWanted) return 'MAILKEEL_UPGRADE_COPY is false';
  if (freeBytes - neededBytes >= spare) return null;
  return `up to ${neededBytes} bytes are needed and ${freeBytes} bytes are free, of which ${spare} must stay free (MAILKEEL_MIN_FREE_DISK)`;
}

export interface MadeCopy {
  file: string;
  sizeBytes: number;
}

/** Makes the planned copy and removes surplus ones. Throws if the database is damaged or the disk fails. */
export async function makeUpgradeCopy(
  { file }: PlannedCopy,
  facts: Facts & { dataDir: string },
): Promise<MadeCopy> {
  try {
    await mkdir(join(facts.dataDir, FOLDER), { recursive: true, mode: 0o700 });
    const { sizeBytes } = await copyDatabase({ from: facts.databaseFile, to: file });
    await removeUpgradeCopies(facts.dataDir, facts.now);
    return { file, sizeBytes };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `Can't copy the database before the upgrade: ${reason} Nothing was changed. If the database is damaged, restore a backup (docs/runbook.md, "A damaged database"). To upgrade without a copy, set MAILKEEL_UPGRADE_COPY=false.`;
    throw new Error(message, { cause: error });
  }
}

/** Removes copies that are older than 14 days or surplus, and parts left by a crash. Returns the number of removed files. */
async function removeUpgradeCopies(dataDir: string, now: number): Promise<number> {
  const folder = join(dataDir, FOLDER);
  const names = await readdir(folder).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  });
  // Their names begin with the time.
  const copies = names
    .filter((name) => NAME.test(name))
    .sort()
    .reverse();
  const surplus = new Set(copies.slice(KEEP));
  let removed = 0;
  for (const name of names) {
    if (!NAME.test(name) && !isPart(name)) continue;
    const file = join(folder, name);
    const ageMs = now - (await stat(file)).mtimeMs;
    if (!surplus.has(name) && ageMs <= (isPart(name) ? PART_MS : KEEP_MS)) continue;
    await unlink(file);
    removed += 1;
  }
  return removed;
}

/** Removes old copies while the server runs. */
export function upgradeCopiesJob({ dataDir, clock }: { dataDir: string; clock: Clock }): Job {
  return {
    name: 'upgrade copies',
    at: 'hour',
    isOfEachNode: true,
    run: () => removeUpgradeCopies(dataDir, clock()).then(() => undefined),
  };
}
