// Set up once for a whole run: a folder for all files of the tests, in memory if the machine permits, because database commits
// would otherwise wait for the disk, which no test is about. It contains the database of migrated-file.ts and the RSA keys of
// ready-keys.ts.
import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeMigratedFile } from './migrated-file.js';
import { makeReadyKeys } from './ready-keys.js';

const IN_MEMORY = '/dev/shm';
/** Some containers only have 64 MB there. */
const ENOUGH_BYTES = 2 * 1024 ** 3;

/** Workers get `TMPDIR` with the environment. Returns a function that removes everything. */
export async function setup(): Promise<() => Promise<void>> {
  const parent = (await hasRoom(IN_MEMORY)) ? IN_MEMORY : tmpdir();
  const folder = await mkdtemp(join(parent, 'mailkeel-run-'));
  // Other users may traverse it to reach their files, as in /tmp.
  await chmod(folder, 0o711);
  await Promise.all([makeReadyKeys(), makeMigratedFile(folder)]);
  process.env['TMPDIR'] = folder;
  return () => rm(folder, { recursive: true, force: true });
}

async function hasRoom(folder: string): Promise<boolean> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize >= ENOUGH_BYTES;
  } catch {
    // Not Linux.
    return false;
  }
}
