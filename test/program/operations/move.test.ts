// Moves a company's installation from SQLite to a PostgreSQL server, where it continues, and back: every row, with its archive,
// erased details and attachments. Needs the server of TEST_POSTGRES_URL.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createHash, randomBytes } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { apiKeySecretHash } from '../../../src/accounts/api-keys/api-key-secret.js';
import { openKeyFiles } from '../../../src/lib/secrets/index.js';
import { createLog, systemClock } from '../../../src/lib/runtime/index.js';
import { createFolderFiles } from '../../../src/lib/files/index.js';
import type { MovedFolder } from '../../../src/admin/move-files.js';
import { ACME_FILES } from '../../../src/operations/certificates/acme.js';
import { SELF_SIGNED_FILE } from '../../../src/operations/certificates/self-signed.js';
import { FILE_FOLDERS } from '../../../src/operations/files/installation-files.js';
import { PART_BYTES } from '../../../src/operations/files/stored-files.store.js';
import { archiveEvents } from '../../../src/operations/retention/event-archive.js';
import { createStore } from '../../../src/app/store.js';
import { testDisk } from '../../support/disk.js';
import { adminJson, createAppliance, serverEnds, type Appliance } from '../../support/appliance.js';
import { deleteMessage, longChain } from '../../support/archive-world.js';
import { startFilledProgram } from '../../support/dashboard-world.js';
import type { DashboardProgram } from '../../support/dashboard/program.js';
import { openSqliteFile } from '../../support/open-engines.js';
import {
  emptyPostgresDatabase,
  IS_ON_POSTGRES,
  POSTGRES_URL,
  runOnServer,
  type TestDatabase,
} from '../../support/postgres-databases.js';
import { waitFor } from '../../support/wait.js';

const COMMAND = fileURLToPath(new URL('../../../dist/admin/main.js', import.meta.url));
const BLOB_BYTES = 30 * 1024 * 1024;

let program: DashboardProgram;
let delivered = '';
let env: Record<string, string>;
let database: TestDatabase;
/** Programs that a test has started. */
let running: Appliance[] = [];
let folder = '';

interface MovedTable {
  name: string;
  rows: number;
  sha256: string;
}

if (POSTGRES_URL === undefined)
  console.warn('Moving to PostgreSQL is left out: TEST_POSTGRES_URL is not set.');

// It begins with programs on SQLite.
describe.skipIf(POSTGRES_URL === undefined || IS_ON_POSTGRES)('mailkeel admin move', () => {
  beforeEach(async () => {
    const filled = await startFilledProgram();
    program = filled.program;
    delivered = filled.world.live['delivered'] ?? '';
    await program.appliance.end();
    env = { ...program.appliance.env };
    await addHardRows();
    database = await emptyPostgresDatabase();
    folder = mkdtempSync(join(tmpdir(), 'mailkeel-moved-'));
  });

  afterEach(async () => {
    for (const appliance of running) await appliance.end('SIGTERM');
    running = [];
    await program.close();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('moves everything to a server and back, and the program runs at both places', async () => {
    const original = sha256Of(join(program.appliance.dataDir, 'mail.db'));
    // The first rows are written by then.
    const refusal = await outcomeOf({}, '--to', database.url);
    expect(refusal).toMatch(/Column phone of contacts contains a NUL character.* in the row with number 1/);
    expect(refusal).toContain('run the command again with --restart');
    const there = await moved({}, '--to', database.url, '--restart', '--drop-nul');
    expect(there.rows).toBeGreaterThan(10_000);
    expect(sha256Of(join(program.appliance.dataDir, 'mail.db'))).toBe(original);
    expect(there.next[0]).toMatch(/^Set MAILKEEL_DATABASE_URL to postgres:/);
    expect(there.staying).toEqual(['keys']);
    expect(there.files.map(({ folder: name, files, differ }) => [name, files, differ])).toEqual([
      ['transfers', 7, []],
      ['archive', 2, []],
      ['tls', 4, []],
    ]);
    // From here on, the folder has none of them.
    const files = join(folder, 'files');
    mkdirSync(files);
    for (const name of FILE_FOLDERS) renameSync(join(program.appliance.dataDir, name), join(files, name));
    expect(await outcomeOf({}, '--to', database.url)).toMatch(/is not empty: table \w+ has rows/);

    // Moves back immediately: the same bytes, table by table.
    const onServer = { MAILKEEL_DATABASE_URL: database.url };
    const first = join(folder, 'first');
    expect(digestsOf((await moved(onServer, '--to', first)).tables)).toEqual(digestsOf(there.tables));
    expect(contentsOf(first)).toEqual(contentsOf(files));
    expect(statSync(join(first, 'tls', 'acme-account.pem')).mode & 0o777).toBe(0o600);
    const sealed = `SELECT COUNT(*) AS files FROM stored_files WHERE folder = 'tls' AND octets LIKE '%PRIVATE%'::bytea`;
    expect(await runOnServer(sealed, database.url)).toEqual([{ files: '0' }]);

    for (const name of FILE_FOLDERS)
      cpSync(join(files, name), join(program.appliance.dataDir, name), { recursive: true });
    const before = await readOld(await started({}));
    await running.pop()?.end();
    for (const name of FILE_FOLDERS) rmSync(join(program.appliance.dataDir, name), { recursive: true });
    const server = await started(onServer);
    expect(await outcomeOf(onServer, '--to', join(folder, 'beside'))).toMatch(
      /Another Mailkeel server is using/,
    );
    expect(await readOld(server)).toEqual(before);
    const sent = await send(server, 'On PostgreSQL');
    await running.pop()?.end();
    expect(await verified(onServer)).toBe(true);

    const second = join(folder, 'second');
    const back = await moved({ ...onServer, MAILKEEL_MOVE_TO: `file://${second}` });
    expect(back.next.join(' ')).toContain(`start the server with MAILKEEL_DATA_DIR=${second}`);
    for (const name of back.staying)
      cpSync(join(program.appliance.dataDir, name), join(second, name), { recursive: true });
    const home = await started({}, second);
    expect(await readOld(home)).toEqual(before);
    expect((await home.api('GET', `/v1/messages/${sent}`)).json).toMatchObject({ subject: 'On PostgreSQL' });
    await send(home, 'At home');
    const found = await home.api('GET', '/v1/contacts?q=posteo&limit=3');
    expect((found.json as { data: unknown[] }).data.length).toBeGreaterThan(0);
    await running.pop()?.end();
    expect(await verified({ MAILKEEL_DATA_DIR: second })).toBe(true);
  }, 240_000);

  it('a killed move leaves the source unchanged and a target that no server starts on', async () => {
    const original = sha256Of(join(program.appliance.dataDir, 'mail.db'));
    await killedMove({}, database.url, async () => {
      const [row] = await runOnServer(
        `SELECT to_regclass('unfinished_move') IS NOT NULL AS is_marked`,
        database.url,
      );
      const [table] = await runOnServer(
        `SELECT to_regclass('event_segments') IS NOT NULL AS is_made`,
        database.url,
      );
      if (row?.['is_marked'] !== true || table?.['is_made'] !== true) return false;
      const [count] = await runOnServer('SELECT COUNT(*) AS rows FROM contacts', database.url);
      return Number(count?.['rows']) > 0;
    });
    expect(sha256Of(join(program.appliance.dataDir, 'mail.db'))).toBe(original);
    const onServer = { MAILKEEL_DATABASE_URL: database.url };
    const ended = await serverEnds({ ...env, ...onServer });
    expect([ended.code, ended.stderr]).toEqual([1, expect.stringContaining('rows may be missing')]);
    expect(await outcomeOf(onServer, '--to', join(folder, 'new'))).toMatch(/rows may be missing/);
    expect(await outcomeOf({}, '--to', database.url)).toMatch(/did not finish\. .* pass --restart/);
    const there = await moved({}, '--to', database.url, '--restart', '--drop-nul');

    // The same on the way back.
    const target = join(folder, 'back');
    await killedMove(onServer, target, () => {
      const log = join(target, 'mail.db-wal');
      return Promise.resolve(existsSync(log) && statSync(log).size > 4_000_000);
    });
    expect((await serverEnds({ ...env, MAILKEEL_DATA_DIR: target })).stderr).toContain('rows may be missing');
    expect(await outcomeOf(onServer, '--to', target)).toMatch(/did not finish/);
    const back = await moved(onServer, '--to', target, '--restart');
    expect(digestsOf(back.tables)).toEqual(digestsOf(there.tables));
  }, 240_000);

  it('refuses a server that another program uses, and foreign tables', async () => {
    const server = await started({ MAILKEEL_DATABASE_URL: database.url }, join(folder, 'another'));
    expect(await outcomeOf({}, '--to', database.url)).toMatch(
      /is in use by mailkeel.*\. Stop these processes first/,
    );
    await server.end();
    running = [];
    const other = await emptyPostgresDatabase();
    await runOnServer('CREATE TABLE users (name TEXT)', other.url);
    expect(await outcomeOf({}, '--to', other.url)).toMatch(
      /contains a table that does not belong to Mailkeel: users/,
    );
    await other.drop();
  }, 120_000);
});

/** Adds an archive of two messages' events of which one is deleted, and attachments of which one has the maximum size. */
async function addHardRows(): Promise<void> {
  const { dataDir } = program.appliance;
  const opened = openSqliteFile(join(dataDir, 'mail.db'));
  const store = createStore(opened.engine, { maxGroup: 600 });
  const owner = await store.accounts.credential(apiKeySecretHash(program.appliance.keys.live_key));
  const { messages } = await longChain(store, 5, owner?.scope);
  await deleteMessage(store, opened.engine, messages[0]);
  const { proofKeys } = await openKeyFiles(dataDir, { databaseExists: true });
  const files = createFolderFiles(join(dataDir, 'archive'));
  const log = createLog('silent');
  const archive = { store, files, key: proofKeys.active, disk: testDisk(), clock: systemClock, log };
  await archiveEvents(archive);
  for (const bytes of [0, 5, BLOB_BYTES, 1_000_000]) {
    const content = Buffer.alloc(bytes, 'octets of every kind \0\x80\xff', 'latin1');
    await opened.raw('INSERT INTO blobs (workspace_id, sha256, size_bytes, content) VALUES (?, ?, ?, ?)', [
      ...['ws_of_nobody', `sum ${bytes}`, bytes, content],
    ]);
  }
  await addFiles(dataDir);
  // The API refuses it in this field, but accepts it in some names.
  await opened.raw(`UPDATE contacts SET phone = '+49' || char(0) || '40' WHERE number = 1`);
  await opened.raw('PRAGMA wal_checkpoint(TRUNCATE)');
  await opened.close();
}

/** Files of an export and of certificates; those of the archive exist already. */
async function addFiles(dataDir: string): Promise<void> {
  const transfers = createFolderFiles(join(dataDir, 'transfers'));
  await transfers.replace('exp_1.contacts', randomBytes(2 * PART_BYTES + 1_000));
  await transfers.replace('imp_1.rejected', '');
  const tls = createFolderFiles(join(dataDir, 'tls'));
  for (const name of [SELF_SIGNED_FILE, ...ACME_FILES]) await tls.replace(name, `-----PRIVATE ${name}\n`);
}

/** Digests of the files that are moved with the rows. */
function contentsOf(dataDir: string): Record<string, string> {
  const names = FILE_FOLDERS.flatMap((of) => readdirSync(join(dataDir, of)).map((name) => join(of, name)));
  return Object.fromEntries(names.toSorted().map((name) => [name, sha256Of(join(dataDir, name))]));
}

async function moved(
  extra: Record<string, string>,
  ...args: string[]
): Promise<{ rows: number; tables: MovedTable[]; files: MovedFolder[]; next: string[]; staying: string[] }> {
  const { code, error, value } = await adminJson({ ...env, ...extra }, 'move', ...args);
  expect(error).toBe('');
  expect({ code, good: value.good, proofs: value.proofs.failed }).toEqual({
    code: 0,
    good: true,
    proofs: [],
  });
  expect(value.workspaces.filter((one: { broken: unknown }) => one.broken !== null)).toEqual([]);
  return value;
}

/** The error of a command that must not succeed. */
async function outcomeOf(extra: Record<string, string>, ...args: string[]): Promise<string> {
  const { code, error } = await adminJson({ ...env, ...extra }, 'move', ...args);
  expect(code).not.toBe(0);
  return (JSON.parse(error) as { error: { message: string } }).error.message;
}

/** Moves row by row until `isUnderWay`, and kills it. */
async function killedMove(
  extra: Record<string, string>,
  to: string,
  isUnderWay: () => Promise<boolean>,
): Promise<void> {
  const child = spawn(
    process.execPath,
    [COMMAND, 'admin', 'move', '--to', to, '--batch', '1', '--drop-nul'],
    {
      env: { PATH: process.env['PATH'], ...env, ...extra },
      stdio: 'ignore',
    },
  );
  const ended = once(child, 'exit');
  await waitFor('rows in the target', isUnderWay, (isSo) => isSo, 60_000);
  child.kill('SIGKILL');
  expect(await ended).toEqual([null, 'SIGKILL']);
}

async function started(
  extra: Record<string, string>,
  dataDir = program.appliance.dataDir,
): Promise<Appliance> {
  const { keys } = program.appliance;
  const appliance = await createAppliance({ dataDir, keys, env: { ...withoutPlace(env), ...extra } });
  running.push(appliance);
  await appliance.start();
  return appliance;
}

/** The settings without folder and port, which the rig sets. */
function withoutPlace(all: Record<string, string>): Record<string, string> {
  const given = ['MAILKEEL_DATA_DIR', 'MAILKEEL_HTTP_PORT'];
  return Object.fromEntries(Object.entries(all).filter(([name]) => !given.includes(name)));
}

async function send(appliance: Appliance, subject: string): Promise<string> {
  const body = { from: 'news@fernhill.example', to: 'later@posteo.example', subject, text: 'Hello' };
  const { json } = await appliance.api('POST', '/v1/messages', { body });
  const { id } = json as { id: string };
  await waitFor(
    `${subject} to be delivered`,
    async () => (await appliance.api('GET', `/v1/messages/${id}`)).json as { status: string },
    ({ status }) => status === 'delivered',
    30_000,
  );
  return id;
}

/** Reads earlier objects through the API. */
async function readOld(appliance: Appliance): Promise<unknown> {
  const paths = [
    `/v1/messages/${delivered}`,
    `/v1/messages/${delivered}/content`,
    '/v1/lists',
    '/v1/templates',
  ];
  const answers = await Promise.all(paths.map((path) => appliance.api('GET', path)));
  expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 200));
  const proof = (await appliance.api('GET', `/v1/messages/${delivered}/proof`)).json as Record<
    string,
    unknown
  >;
  const check = await appliance.api('POST', '/v1/proof/verify', { body: proof });
  expect(check.json).toMatchObject({ valid: true });
  return answers.map(({ json }) => json);
}

async function verified(extra: Record<string, string>): Promise<boolean> {
  const { value } = await adminJson({ ...env, ...extra }, 'audit', 'verify');
  return value.valid as boolean;
}

function digestsOf(tables: readonly MovedTable[]): Record<string, string> {
  return Object.fromEntries(
    [...tables].map(({ name, rows, sha256 }) => [name, `${rows} ${sha256}`] as const).sort(),
  );
}

function sha256Of(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
