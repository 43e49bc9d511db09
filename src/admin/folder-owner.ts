// Changes the owner of files that a command wrote as root, so that the server's user can open them.
import { lchown, lstat, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { hasCode } from '../lib/files/index.js';

const ROOT = 0;

/**
 * Gives root's files and folders below `folder` to the owner of `folder`. Does nothing for other users, or if root owns the
 * folder. Links are not followed, and files with several hard links are skipped, because one may be outside.
 */
export async function giveToOwner(folder: string): Promise<void> {
  if (process.getuid?.() !== ROOT) return;
  const path = resolve(folder);
  const top = await lstat(path).catch(unlessMissing);
  if (top === null || !top.isDirectory() || top.uid === ROOT) return;
  await giveBelow(path, top);
}

async function giveBelow(folder: string, owner: { uid: number; gid: number }): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    // The file may be gone, since a server may run beside the command.
    const facts = await lstat(path).catch(unlessMissing);
    if (facts === null) continue;
    const hasOtherNames = !facts.isDirectory() && facts.nlink > 1;
    if (facts.uid === ROOT && !hasOtherNames) {
      await lchown(path, owner.uid, owner.gid).catch(unlessMissing);
    }
    if (facts.isDirectory()) await giveBelow(path, owner);
  }
}

function unlessMissing(error: unknown): null {
  if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return null;
  throw error;
}
