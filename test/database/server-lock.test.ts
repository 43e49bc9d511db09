// Tests the locks on a data folder with real processes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FolderLockError, lockDataFolder, withSetupLock } from '../../src/database/engine/server-lock.js';
import { temporaryFolder } from '../support/open-engines.js';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

it('allows one server on a data folder, and names the folder to a second one', () => {
  const lock = lockDataFolder(folder.path);
  expect(() => lockDataFolder(folder.path)).toThrow(FolderLockError);
  expect(() => lockDataFolder(folder.path)).toThrow(folder.path);
  lock.release();
  lockDataFolder(folder.path).release();
});

it('releases the lock when the process ends in any way', async () => {
  const url = new URL('../../dist/database/engine/server-lock.js', import.meta.url).href;
  const script = `import { lockDataFolder } from ${JSON.stringify(url)};
    globalThis.lock = lockDataFolder(${JSON.stringify(folder.path)});
    console.log('locked'); setInterval(() => undefined, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  expect(() => lockDataFolder(folder.path)).toThrow(FolderLockError);
  child.kill('SIGKILL');
  await once(child, 'exit');
  lockDataFolder(folder.path).release();
});

it('lets processes that set up a folder wait for each other, up to a limit', async () => {
  let inside = 0;
  let most = 0;
  const work = async (): Promise<void> => {
    most = Math.max(most, ++inside);
    await new Promise((resolve) => setImmediate(resolve));
    inside--;
  };
  await Promise.all([1, 2, 3].map(() => withSetupLock(folder.path, 10_000, work)));
  expect(most).toBe(1);
  await withSetupLock(folder.path, 0, async () => {
    await expect(withSetupLock(folder.path, 50, work)).rejects.toThrow(FolderLockError);
  });
});
