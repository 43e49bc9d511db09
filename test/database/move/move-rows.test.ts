// Tests copying all rows to another database. Both are SQLite files; test/program/operations/move.test.ts uses PostgreSQL.
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openAppliance } from '../../../src/app/installation/open-appliance.js';
import { openKeyFiles } from '../../../src/lib/secrets/index.js';
import { compareRows, copyRows } from '../../../src/database/move/move-rows.js';
import type { Side } from '../../../src/database/move/side.js';
import { openSqliteSide } from '../../../src/database/move/sqlite-side.js';
import {
  endMove,
  fillSearch,
  firstTable,
  hasUnfinishedMove,
  markUnfinishedMove,
} from '../../../src/database/move/unfinished-move.store.js';
import { createStore } from '../../../src/app/store.js';
import { newMessage, newWorld, onlyId } from '../contract/builders.js';
import { openMigratedFile, temporaryFolder, type OpenEngine } from '../../support/open-engines.js';
import { acceptMessage } from '../../../src/messages/accept/accept.store.js';
import { TABLES } from '../../../src/app/tables.js';

const LIMITS = { rows: 3, bytes: 100_000 };

let folder: ReturnType<typeof temporaryFolder>;
let from: OpenEngine;
let to: OpenEngine;
let source: Side;
let target: Side;

beforeEach(async () => {
  folder = temporaryFolder();
  const file = (name: string): string => join(folder.path, name);
  from = await openMigratedFile(file('from.db'));
  to = await openMigratedFile(file('to.db'));
  await fill();
  source = openSqliteSide(file('from.db'), { readOnly: true });
  target = openSqliteSide(file('to.db'), { readOnly: false });
});

afterEach(async () => {
  await source.close();
  await target.close();
  await from.close();
  await to.close();
  folder.remove();
});

/**
 * Messages, events with an erased detail, contacts of which the last is deleted, and blobs of which one is larger than a batch.
 */
async function fill(): Promise<void> {
  const store = createStore(from.engine, { maxGroup: 50 });
  const { live } = await newWorld(store);
  for (let n = 0; n < 7; n += 1) {
    const id = onlyId(await store.commit([acceptMessage({ message: newMessage(live) })]));
    if (n === 2) await from.raw('UPDATE events SET detail = NULL, salt = NULL WHERE message_id = ?', [id]);
  }
  for (const [n, bytes] of [10, 60_000, 250_000, 60_000, 0].entries()) {
    await from.raw('INSERT INTO blobs (workspace_id, sha256, size_bytes, content) VALUES (?, ?, ?, ?)', [
      ...[live.workspaceId, `sum ${n}`, bytes, Buffer.alloc(bytes, n)],
    ]);
  }
  for (const name of ['zoe', 'Ärger', 'emoji \u{1F600}', '']) {
    await from.raw(
      `INSERT INTO contacts (id, environment_id, email, email_key, name, tags, metadata, status, created_at, updated_at)
        VALUES (?, ?, 'a@b.example', ?, ?, '[]', '{}', 'active', 1, 1)`,
      [`cnt_${name}`, live.environmentId, `${name}@b.example`, name],
    );
  }
  await from.raw(`DELETE FROM contacts WHERE name = ''`);
}

async function move() {
  await source.beginReading();
  const moved = await copyRows({ source, target, tables: TABLES }, LIMITS);
  const isUnchanged = await source.endReading();
  return { moved, isUnchanged };
}

it('every row is in the target, and numbers continue', async () => {
  const { moved, isUnchanged } = await move();
  await fillSearch(to.engine);
  expect(isUnchanged).toBe(true);
  const compared = await compareRows({ source, target, tables: TABLES }, moved, LIMITS);
  expect(compared.filter(({ difference }) => difference !== null)).toEqual([]);
  const rowsOf = (name: string): number | undefined => compared.find((one) => one.name === name)?.rows;
  expect([rowsOf('messages'), rowsOf('blobs'), rowsOf('contacts')]).toEqual([7, 5, 3]);
  const query = 'SELECT * FROM events ORDER BY position';
  expect(await to.raw(query)).toEqual(await from.raw(query));
  const search = `SELECT rowid FROM contact_search WHERE contact_search MATCH '"zoe"'`;
  expect(await to.raw(search)).toHaveLength(1);
  // The fourth contact is deleted, and its number is not reused.
  await to.raw(`INSERT INTO contacts (id, environment_id, email, email_key, tags, metadata, status, created_at, updated_at)
    VALUES ('cnt_new', 1, 'n@b.example', 'n@b.example', '[]', '{}', 'active', 1, 1)`);
  expect(await to.raw(`SELECT number FROM contacts WHERE id = 'cnt_new'`)).toEqual([{ number: 5 }]);
});

it('batches are limited by rows and octets, and a large row is alone', async () => {
  await source.beginReading();
  const blobs = (await import('../../../src/messages/messages.tables.js')).blobs;
  const sizes: number[][] = [];
  for await (const batch of source.batches(blobs, LIMITS)) {
    sizes.push(batch.map((row) => (row.at(-1) as Uint8Array).length));
  }
  expect(sizes).toEqual([[10, 60_000], [250_000], [60_000, 0]]);
});

it.each([
  [
    'blobs',
    'UPDATE blobs SET content = zeroblob(length(content)) WHERE size_bytes = 250000',
    'values differ',
  ],
  ['messages', `DELETE FROM messages WHERE id = 3`, '7 rows before, 6 rows after'],
  [
    'contacts',
    `UPDATE sqlite_sequence SET seq = 3 WHERE name = 'contacts'`,
    'the next number is 3 instead of 4',
  ],
])('a target that differs in %s is detected', async (table, statement, difference) => {
  const { moved } = await move();
  await to.raw(statement);
  const compared = await compareRows({ source, target, tables: TABLES }, moved, LIMITS);
  const differing = compared.filter((one) => one.difference !== null);
  expect(differing.map((one) => [one.name, one.difference])).toEqual([[table, difference]]);
});

it('a value that the target cannot store is named without the rest of its row', async () => {
  await from.raw(`UPDATE contacts SET phone = 'a' || char(0) || 'b' WHERE number = 2`);
  await source.beginReading();
  const strict = { ...target, allowsNul: false };
  await expect(copyRows({ source, target: strict, tables: TABLES }, LIMITS)).rejects.toThrow(
    'Column phone of contacts contains a NUL character, which PostgreSQL cannot store in text (strip it with --drop-nul) in the row with number 2.',
  );
  await target.endTable();
});

it('NUL characters are stripped on request, and counted', async () => {
  await from.raw(`UPDATE contacts SET phone = 'a' || char(0) || 'b' WHERE number = 2`);
  await source.beginReading();
  const strict = { ...target, allowsNul: false };
  const moved = await copyRows({ source, target: strict, tables: TABLES }, { ...LIMITS, dropsNul: true });
  expect(moved.filter(({ droppedNul }) => droppedNul > 0).map(({ name }) => name)).toEqual(['contacts']);
});

it('a source that changes during the move is detected', async () => {
  await source.beginReading();
  await from.raw(`UPDATE contacts SET phone = '1' WHERE number = 2`);
  expect(await source.endReading()).toBe(false);
});

it('a partially filled database cannot be opened', async () => {
  const dataDir = join(folder.path, 'data');
  await openKeyFiles(dataDir);
  const other = await openMigratedFile(join(dataDir, 'mail.db'));
  const config = { dataDir, groupCommitMaxPlans: 50 };
  expect(await firstTable(other.engine, TABLES, { withRows: true })).toBeNull();
  expect(await firstTable(other.engine, TABLES, { withRows: false })).toBe('environments');
  await markUnfinishedMove(other.engine);
  await expect(openAppliance(config)).rejects.toThrow(
    'rows may be missing. Run the move again with --restart',
  );
  await endMove(other.engine);
  expect(await hasUnfinishedMove(other.engine)).toBe(false);
  await other.close();
  await (await openAppliance(config)).store.close();
});
