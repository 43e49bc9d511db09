// Tests that an upgrade of a database file is announced, and waits until the announcement has been handled.
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openAppliance } from '../../src/app/installation/open-appliance.js';
import { MADE_UP, withStep } from '../support/made-up-step.js';
import { layDataFolder } from '../support/migrated-file.js';
import { temporaryFolder } from '../support/open-engines.js';

let folder: ReturnType<typeof temporaryFolder>;
let dataDir = '';

beforeEach(async () => {
  folder = temporaryFolder();
  dataDir = join(folder.path, 'data');
  await layDataFolder(dataDir);
});
afterEach(() => folder.remove());

/** Opens the folder; returns the notifications of the upgrade, in order. */
async function opened(): Promise<unknown[]> {
  const told: unknown[] = [];
  const config = { dataDir, groupCommitMaxPlans: 10, upgradeCopy: true, minFreeDiskBytes: 0 };
  const { store } = await openAppliance(config, {
    async announced({ steps, bytes }) {
      told.push(`announced ${steps}`, bytes !== null && bytes > 0);
      await new Promise((resolve) => setImmediate(resolve));
      told.push('heard');
    },
    copied: () => void told.push('copied'),
    begins: ({ name }) => void told.push(`begins ${name}`),
    ended: ({ name }) => void told.push(`ended ${name}`),
  });
  await store.close();
  return told;
}

it('copies the database before the first step', async () => {
  const { name } = MADE_UP;
  expect(await withStep(opened)).toEqual([
    ...['announced 1', true, 'heard', 'copied', `begins ${name}`, `ended ${name}`],
  ]);
});

it('copies nothing without changes, or for a new folder', async () => {
  expect(await opened()).toEqual([]);
  dataDir = join(folder.path, 'new');
  expect(await opened()).toEqual([]);
});
