// Tests the targets of `mailkeel admin move`, and its output about a target that has a password.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { placeName, readTarget } from '../../src/admin/move-target.js';
import { runCommandLine } from '../../src/admin/program.js';
import { systemClock } from '../../src/lib/runtime/index.js';
import { loadConfig } from '../../src/settings/load.js';
import { layDataFolder } from '../support/migrated-file.js';

const URL_WITH_PASSWORD =
  'postgres://mailkeel:top%20secret@db.example:5433/mail?sslmode=verify-full&password=other';
/** A port without a listener. */
const NOBODY = 'postgres://mailkeel:secret@127.0.0.1:9/mail';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mailkeel-move-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('a target is a server or a folder, and is shown without its password', async () => {
  const server = await readTarget(` ${URL_WITH_PASSWORD}\n`);
  expect(server).toEqual({ place: { kind: 'server', url: URL_WITH_PASSWORD }, folder: null });
  expect(placeName(server.place)).toBe('postgres://db.example:5433/mail');
  const bySocket = await readTarget('postgres://user:secret@localhost/mail?host=/run/postgresql');
  expect(placeName(bySocket.place)).toBe('postgres:///run/postgresql/mail');
  for (const given of [`file://${folder}/new`, `${folder}/new`]) {
    const { place } = await readTarget(given);
    expect(placeName(place)).toBe(join(folder, 'new', 'mail.db'));
  }
});

it('an invalid target is refused without repeating it', async () => {
  const file = join(folder, 'mail.db');
  writeFileSync(file, '');
  await expect(readTarget(file)).rejects.toThrow('Pass the data folder');
  await expect(readTarget('mysql://user:secret@host/db')).rejects.toThrow(/^(?!.*secret).*postgres:\/\/ URL/);
  await expect(readTarget('postgres://user:secret@ho st/db')).rejects.toThrow(/^(?!.*secret).*is invalid/);
});

it('refuses the current engine, a folder without a database, and a missing target', async () => {
  const env = { MAILKEEL_DATA_DIR: join(folder, 'data') };
  const errorOf = async (extra: Record<string, string>, ...args: string[]): Promise<unknown> => {
    let stderr = '';
    const code = await runCommandLine(['admin', 'move', ...args, '--json'], {
      stdout: { write: () => undefined, isTTY: false },
      stderr: { write: (text) => (stderr += text) },
      readStdin: () => Promise.resolve(''),
      loadConfig: () => loadConfig({ env: { ...env, ...extra } }),
      clock: systemClock,
      exitCode: 0,
    });
    expect(stderr).not.toContain('secret');
    return [code, (JSON.parse(stderr) as { error: { message: string } }).error.message];
  };
  expect(await errorOf({})).toEqual([5, 'No target given. Pass --to or --to-file, or set MAILKEEL_MOVE_TO.']);
  expect(await errorOf({ MAILKEEL_MOVE_TO: NOBODY })).toEqual([
    5,
    `No database found in ${env.MAILKEEL_DATA_DIR}.`,
  ]);
  await layDataFolder(env.MAILKEEL_DATA_DIR);
  expect(await errorOf({}, '--to', folder)).toEqual([
    5,
    'The data is already in a SQLite file. To copy it, run "mailkeel admin backup".',
  ]);
  const withUrl = await errorOf({ MAILKEEL_DATABASE_URL: NOBODY }, '--to', NOBODY);
  expect(withUrl).toEqual([
    5,
    'The data is already on a PostgreSQL server. To copy it, use pg_dump and pg_restore.',
  ]);
  const target = join(folder, 'target');
  writeFileSync(target, `${NOBODY}\n`);
  expect(await errorOf({}, '--to-file', target)).toEqual([
    1,
    'The database mail of the PostgreSQL server 127.0.0.1:9 cannot be used: connect ECONNREFUSED 127.0.0.1:9.',
  ]);
  expect(await errorOf({}, '--to-file', target, '--batch', '0')).toEqual([
    5,
    '--batch must be a number from 1 to 100000.',
  ]);
});
