// Contract of an installation's files in rows: the contract of stored files, sealed files, and visibility between nodes.
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createAcmeChallenges } from '../../../src/lib/acme/index.js';
import { createDatabaseFiles, installationFiles } from '../../../src/operations/files/installation-files.js';
import { PART_BYTES } from '../../../src/operations/files/stored-files.store.js';
import { storedFilesContract } from '../../support/stored-files-contract.js';
import type { Bench } from './builders.js';

export function storedFileContract(given: () => Bench): void {
  describe('stored files', () => {
    storedFilesContract(() =>
      createDatabaseFiles(given().store.files, { folder: 'transfers', clock: Date.now }),
    );

    it('parts are of one size, and folders apart', async () => {
      const { store, opened } = given();
      const [one, two] = ['one', 'two'].map((folder) =>
        createDatabaseFiles(store.files, { folder, clock: () => 5 }),
      );
      await one?.receive('a', Readable.from([Buffer.alloc(PART_BYTES + 1), Buffer.alloc(PART_BYTES)]));
      const rows = await opened.raw(
        `SELECT part, LENGTH(octets) AS size, updated_at FROM stored_files WHERE folder = 'one' ORDER BY part`,
      );
      expect(rows.map((row) => [row['part'], row['size'], row['updated_at']])).toEqual([
        [0, PART_BYTES, 5],
        [1, PART_BYTES, 5],
        [2, 1, 5],
      ]);
      expect(await two?.names()).toEqual([]);
      await one?.remove('a');
      expect(await opened.raw(`SELECT part FROM stored_files WHERE folder = 'one'`)).toEqual([]);
    });

    const node = (masterKey: number) =>
      installationFiles({
        ...{ place: { kind: 'server', url: 'postgres://nowhere' }, dataFolder: '/nowhere', clock: Date.now },
        ...{ store: given().store.files, masterKey: Buffer.alloc(32, masterKey) },
      });

    it('certificates are sealed by the master key', async () => {
      const { opened } = given();
      const { tls } = node(1);
      expect(await tls.createOnce('key.pem', 'the secret')).toBe('the secret');
      expect(await tls.createOnce('key.pem', 'another')).toBe('the secret');
      const [row] = await opened.raw(`SELECT octets FROM stored_files WHERE folder = 'tls'`);
      expect(Buffer.from(row?.['octets'] as Uint8Array).toString()).not.toMatch(/secret/);
      expect(Buffer.from((await tls.read('key.pem')) ?? []).toString()).toBe('the secret');
      await expect(node(2).tls.read('key.pem')).rejects.toThrow('cannot be decrypted with this master key');
      // One file's bytes cannot be used as another's.
      await opened.raw(`UPDATE stored_files SET name = 'other.pem' WHERE folder = 'tls'`);
      await expect(tls.read('other.pem')).rejects.toThrow('cannot be decrypted');
      await opened.raw(`DELETE FROM stored_files WHERE folder = 'tls'`);
    });

    it('an open challenge is answered by any node, and one that a dead node left goes', async () => {
      let now = Date.now();
      const challenges = () =>
        createAcmeChallenges({
          shared: createDatabaseFiles(given().store.files, { folder: 'challenges', clock: () => now }),
          clock: () => now,
        });
      const [one, two, dead] = [challenges(), challenges(), challenges()];
      await dead.open('-left', 'dead');
      await one.open('token', 'token.thumb');
      expect([await one.answer('token'), await two.answer('token')]).toEqual(['token.thumb', 'token.thumb']);
      for (const none of ['other', '../x', '', '__proto__']) expect(await two.answer(none)).toBeNull();
      await one.close('token');
      expect(await two.answer('token')).toBeNull();
      now += 3_700_000;
      await one.open('next', 'next.thumb');
      expect([await two.answer('-left'), await two.answer('next')]).toEqual([null, 'next.thumb']);
      await one.closeAll();
      expect(await two.answer('next')).toBeNull();
    });
  });
}
