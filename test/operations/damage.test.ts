// Tests damaged pages of a real file, of a table and of an index: requests that read them are refused, and all others continue.
import { closeSync, openSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Connection, Database } from '../../src/database/engine/sqlite-driver.js';
import { openSqlite } from '../../src/database/engine/sqlite.js';
import { createStore, type Store } from '../../src/app/store.js';
import { createLog } from '../../src/lib/runtime/index.js';
import { fixedClock } from '../support/fixed-clock.js';
import { layMigratedFile } from '../support/migrated-file.js';
import { temporaryFolder } from '../support/open-engines.js';
import { backups } from '../../src/backups/backups.tables.js';
import { insert, upsert } from '../../src/database/rows.js';
import { marks } from '../../src/accounts/accounts.tables.js';
import { integrityJob, reportDamage } from '../../src/operations/index.js';

const DAY_MS = 86_400_000;
const ROWS = 2_000;

let folder: ReturnType<typeof temporaryFolder>;
let file: string;
let store: Store | null = null;
let lines: { msg: string; reason?: string }[] = [];
const time = fixedClock();
const log = createLog('info', { write: (line: string) => void lines.push(JSON.parse(line)) });

beforeEach(async () => {
  folder = temporaryFolder();
  file = join(folder.path, 'mail.db');
  lines = [];
  await layMigratedFile(file);
  const database = new Database(file);
  const addBackup = database.prepare(
    `INSERT INTO backups (name, place, started_at, ended_at, with_keys) VALUES (?, ?, ?, ?, 0)`,
  );
  database.transaction(() => {
    for (let i = 0; i < ROWS; i += 1) addBackup.run(`backup-${i}`, 'x'.repeat(50), i, i);
  })();
  database.pragma('wal_checkpoint(TRUNCATE)');
  database.close();
});
afterEach(async () => {
  await store?.close();
  store = null;
  folder.remove();
});

/** Overwrites all pages of a table or an index but the first, as a failing disk does. */
function damage(name: string): void {
  const database = new Database(file, { readonly: true });
  const pages = database
    .prepare('SELECT pageno FROM dbstat WHERE name = ? AND path <> ? ORDER BY pageno')
    .pluck()
    .all(name, '/') as number[];
  const size = Number(database.pragma('page_size', { simple: true }));
  database.close();
  expect(pages.length).toBeGreaterThan(2);
  const handle = openSync(file, 'r+');
  for (const page of pages) writeSync(handle, Buffer.alloc(size, 0xa5), 0, size, (page - 1) * size);
  closeSync(handle);
}

function forgetIndex(database: Connection): void {
  database.unsafeMode(true);
  database.pragma('writable_schema = ON');
  database.exec("DELETE FROM sqlite_master WHERE name = 'backups_by_time'");
  database.pragma('writable_schema = RESET');
}

function open(): Store {
  return (store = createStore(openSqlite({ file, busyTimeoutMs: 1000 }), { maxGroup: 10 }));
}

const jobOf = (of: Store) => integrityJob({ store: of, clock: time.now, log }, file);

const newBackup = (name: string) =>
  insert(backups, {
    row: { name, place: 'x', started_at: 1, ended_at: 9, size_bytes: 1, with_keys: 0, error: null },
    conflict: 'ignore',
  });
const PROBE = upsert(marks, {
  row: { name: 'write_probe', value: null, created_at: 0 },
  key: ['name'],
  set: { created_at: 0 },
});

it.each(['backups', 'backups_by_time'])(
  'a damaged page of %s is refused with its own class',
  async (name) => {
    damage(name);
    const opened = open();
    reportDamage(opened, log);
    expect(opened.damage.current()).toBeNull();
    // Both are in one group: the one that reads the page is refused, and the other is stored.
    const results = await Promise.allSettled([
      opened.commit([newBackup('backup-1000')]),
      opened.commit([newBackup('new')]),
      opened.commit([PROBE]),
    ]);
    const codes = results.map((one) => (one.status === 'fulfilled' ? null : String(one.reason.code)));
    expect(codes).toContain('database_damaged');
    expect(codes.at(-1)).toBeNull();
    expect(opened.damage.current()).toContain('malformed');
    // Logged once.
    await opened.commit([newBackup('again')]).catch(() => undefined);
    const said = lines.filter(({ msg }) => msg.startsWith('the database is damaged'));
    expect(said).toHaveLength(1);
    expect(said[0]?.msg).toContain('docs/runbook.md');
    expect((await opened.accounts.mark('write_probe'))?.created_at).toBe(0);
  },
);

it('the check of the whole file finds unread damage and a truncated end', async () => {
  const opened = open();
  const job = jobOf(opened);
  await job.run();
  expect(await opened.integrity()).toEqual({ damage: null, checkedAt: time.now() });
  damage('backups_by_time');
  // Not due for a day.
  await job.run();
  expect(opened.damage.current()).toBeNull();
  time.advance(DAY_MS);
  await job.run();
  expect(opened.damage.current()).toContain('SQLite integrity check failed');
  expect((await opened.integrity()).damage).toContain('SQLite integrity check failed');
  await opened.close();
  store = null;
  const repairing = new Database(file);
  // Removes and recreates the index, which cannot be dropped.
  const whole = join(folder.path, 'whole.db');
  forgetIndex(repairing);
  repairing.prepare('VACUUM INTO ?').run(whole);
  repairing.close();
  renameSync(whole, file);
  const mended = new Database(file);
  mended.exec('CREATE INDEX backups_by_time ON backups (ended_at)');
  mended.close();
  const again = open();
  // After a restart, health still shows it until the check, which is due immediately.
  expect((await again.integrity()).damage).toContain('SQLite integrity check failed');
  await jobOf(again).run();
  expect(await again.integrity()).toEqual({ damage: null, checkedAt: time.now() });
});

it('the check finds pages that belong to nothing', async () => {
  const database = new Database(file);
  forgetIndex(database);
  database.close();
  const opened = open();
  await jobOf(opened).run();
  // The index's pages no longer belong to anything.
  expect((await opened.integrity()).damage).toContain('never used');
});
