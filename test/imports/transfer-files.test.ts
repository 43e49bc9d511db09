// Tests the files of imports and exports, in a folder and in rows: if a backup restored the database without them, and if they no
// longer belong to a row.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createTransferFiles,
  removeOrphanFiles,
  type TransferFiles,
} from '../../src/imports/transfer-files.js';
import { createFolderFiles } from '../../src/lib/files/index.js';
import { createDatabaseFiles } from '../../src/operations/files/installation-files.js';
import { createStore, type Store } from '../../src/app/store.js';
import { openMigratedFile, temporaryFolder, type OpenEngine } from '../support/open-engines.js';

const folder = temporaryFolder();
let opened: OpenEngine;
let store: Store;
beforeAll(async () => {
  opened = await openMigratedFile(join(folder.path, 'mail.db'));
  store = createStore(opened.engine, { maxGroup: 50 });
});
afterAll(async () => {
  await store.drain();
  await opened.close();
  folder.remove();
});

const octets = Buffer.from('further');

describe.each([
  { where: 'a folder', files: () => createFolderFiles(join(folder.path, 'transfers')) },
  {
    where: 'the rows',
    files: () => createDatabaseFiles(store.files, { folder: 'transfers', clock: Date.now }),
  },
])('in $where', ({ files: of }) => {
  let files: TransferFiles;
  beforeAll(() => {
    files = createTransferFiles(of());
  });

  it('a file to continue must exist with its previous length', async () => {
    const place = { id: 'exp_1', kind: 'contacts', offset: 5 } as const;
    expect(await files.writeAt(place, octets)).toBe(false);
    expect(await files.read('exp_1', 'contacts', 0, 100)).toBeNull();
    expect(await files.writeAt({ ...place, offset: 0 }, Buffer.from('abc'))).toBe(true);
    expect(await files.writeAt(place, octets)).toBe(false);
    expect(await files.writeAt({ ...place, offset: 2 }, octets)).toBe(true);
    expect(Buffer.from((await files.read('exp_1', 'contacts', 0, 100)) ?? '').toString()).toBe('abfurther');
  });

  it('files without a row are deleted when they are old', async () => {
    await files.writeAt({ id: 'exp_1', kind: 'contacts', offset: 0 }, octets);
    await files.writeAt({ id: 'blk_1', kind: 'items', offset: 0 }, octets);
    const hour = 3_600_000;
    expect((await files.idsBefore(Date.now() + hour)).toSorted()).toEqual(['blk_1', 'exp_1']);
    await removeOrphanFiles({ store, files, otherFiles: store.accountImports }, Date.now() - hour);
    expect(await files.read('exp_1', 'contacts', 0, 100)).toEqual(octets);
    await removeOrphanFiles({ store, files, otherFiles: store.accountImports }, Date.now() + hour);
    expect(await files.idsBefore(Date.now() + hour)).toEqual([]);
  });
});
