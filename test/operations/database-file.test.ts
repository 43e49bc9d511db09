// Tests a database file that releases free space while in use, and one that must be rewritten for that.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { Database } from '../../src/database/engine/sqlite-driver.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { adminVacuum } from '../../src/admin/vacuum-command.js';
import { systemClock } from '../../src/lib/runtime/index.js';
import { lockDataFolder } from '../../src/database/engine/server-lock.js';
import { openSqlite } from '../../src/database/engine/sqlite.js';
import { migrate } from '../../src/database/migrations/migrate.js';
import { createStore, type Store } from '../../src/app/store.js';
import { shrinkDatabaseFile } from '../../src/operations/retention/database-file.js';
import { layMigratedFile } from '../support/migrated-file.js';
import { temporaryFolder } from '../support/open-engines.js';
import { sized } from '../support/run-size.js';
import { raws } from '../../src/messages/messages.tables.js';
import { insert, remove } from '../../src/database/rows.js';

let folder: ReturnType<typeof temporaryFolder>;
let file: string;
beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder.path, 'mail.db');
});
afterEach(() => folder.remove());

async function open(): Promise<Store> {
  const engine = openSqlite({ file, busyTimeoutMs: 5000 });
  await migrate(engine);
  return createStore(engine, { maxGroup: 50 });
}

/** Four of them are kept as slack. */
const MEGABYTES = sized({ small: 16, full: 40 });
const GIVEN_BACK = (MEGABYTES - 10) * 1_000_000;

/** Writes and deletes data. */
async function comeAndGo(store: Store): Promise<void> {
  const content = Buffer.alloc(1_000_000, 1);
  for (let n = 0; n < MEGABYTES; n += 1) {
    await store.commit([insert(raws, { row: { size_bytes: content.length, content } })]);
  }
  const ids = Array.from({ length: MEGABYTES }, (_, n) => n + 1);
  await store.commit([remove(raws, { where: { id: ids } })]);
}

const shrink = (of: Store, signal?: AbortSignal) =>
  shrinkDatabaseFile({ store: of, clock: systemClock }, signal);

describe('a new file', () => {
  beforeEach(() => layMigratedFile(file));

  it('returns nearly all unused space while it keeps working', async () => {
    const store = await open();
    await comeAndGo(store);
    expect((await store.size()).file).toMatchObject({ canShrink: true });
    const given = shrink(store);
    for (let n = 0; n < 20; n += 1) {
      const row = { size_bytes: 1, content: Buffer.from([n]) };
      await store.commit([insert(raws, { row })]);
    }
    expect(await given).toBeGreaterThan(GIVEN_BACK);
    expect(statSync(file).size).toBeLessThan(8_000_000);
    const { freeBytes = 0, logBytes } = (await store.size()).file ?? {};
    expect([freeBytes > 3_000_000, logBytes]).toEqual([true, 0]);
    expect(await shrink(store)).toBe(0);
    await store.close();
  });

  it('stops on request', async () => {
    const store = await open();
    await comeAndGo(store);
    const stop = new AbortController();
    stop.abort();
    expect(await shrink(store, stop.signal)).toBe(0);
    await store.close();
  });
});

describe('a file of an older release', () => {
  beforeEach(() => {
    const older = new Database(file);
    older.pragma('journal_mode = WAL');
    older.exec('CREATE TABLE older (a); DROP TABLE older');
    older.close();
  });

  it('keeps its size until it is rewritten, and can shrink from then on', async () => {
    const first = await open();
    await comeAndGo(first);
    const { bytes: before = 0, canShrink } = (await first.size()).file ?? {};
    expect([before > MEGABYTES * 1_000_000, canShrink]).toEqual([true, false]);
    expect(await shrink(first)).toBe(0);
    await first.close();
    const { after } = await adminVacuum({ dataDir: folder.path });
    expect(after).toBeLessThan(2_000_000);
    expect(statSync(file).size).toBe(after);
    const store = await open();
    await comeAndGo(store);
    expect((await store.size()).file).toMatchObject({ canShrink: true });
    expect(await shrink(store)).toBeGreaterThan(GIVEN_BACK);
    await store.close();
  });

  it('is not rewritten while a server runs', async () => {
    await (await open()).close();
    const lock = lockDataFolder(folder.path);
    await expect(adminVacuum({ dataDir: folder.path })).rejects.toThrow('Another Mailkeel server');
    lock.release();
    await adminVacuum({ dataDir: folder.path });
  });
});
