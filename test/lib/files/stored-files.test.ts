// Tests stored files in a folder: the contract, and their permissions.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createFolderFiles } from '../../../src/lib/files/stored-files.js';
import { temporaryFolder } from '../../support/open-engines.js';
import { storedFilesContract } from '../../support/stored-files-contract.js';

const folder = temporaryFolder();
afterAll(() => folder.remove());

describe('stored files in a folder', () => {
  const files = createFolderFiles(join(folder.path, 'files'));
  storedFilesContract(() => files);

  it('are private', async () => {
    await files.replace('one', 'x');
    await files.writeAt('two', 0, Buffer.of(1));
    expect(statSync(join(folder.path, 'files')).mode & 0o777).toBe(0o700);
    for (const name of ['one', 'two']) expect(statSync(files.placeOf(name)).mode & 0o777).toBe(0o600);
  });
});
