// The files of imports and exports, where a backup has brought back the database without them.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTransferFiles } from '../../src/imports/transfer-files.js';
import { createFolderFiles } from '../../src/lib/runtime/stored-files.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'posthorn-transfers-'));
});
afterAll(() => rm(folder, { recursive: true }));

const octets = Buffer.from('further');

it('a file that goes on must be there, as long as it was', async () => {
  const files = createTransferFiles(createFolderFiles(folder));
  const place = { id: 'exp_1', kind: 'contacts', offset: 5 } as const;
  expect(await files.writeAt(place, octets)).toBe(false);
  expect(await files.read('exp_1', 'contacts', 0, 100)).toBeNull();
  expect(await files.writeAt({ ...place, offset: 0 }, Buffer.from('abc'))).toBe(true);
  expect(await files.writeAt(place, octets)).toBe(false);
  expect(await files.writeAt({ ...place, offset: 2 }, octets)).toBe(true);
  expect(Buffer.from((await files.read('exp_1', 'contacts', 0, 100)) ?? '').toString()).toBe('abfurther');
});
