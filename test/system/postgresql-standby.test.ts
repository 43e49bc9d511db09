// Two servers on one PostgreSQL database: one works, the other stands by and takes over, with nothing of the first but its master key.
import { copyFileSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { adminJson, createAppliance, posthorn, serverEnds, type Appliance } from '../support/appliance.js';
import { contactsCsv, fileText, sendImport, transferWhen } from '../support/imported-contacts.js';
import { ensurePostgres, startPostgres, type PostgresServer } from '../support/postgres-server.js';
import { startSlowProxy } from '../support/slow-proxy.js';
import { waitFor } from '../support/wait.js';

const skipReason = ensurePostgres();
if (skipReason !== null) console.warn(`skipped: two servers on PostgreSQL: ${skipReason}`);

const HOLDER = `SELECT pid FROM pg_stat_activity WHERE application_name = 'posthorn server lock' AND pid IN
  (SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted)`;
const DRAFT = { from: 'me@example.com', to: 'delivered@example.com', subject: 'Hello', text: 'It works.' };

describe.skipIf(skipReason !== null)('two servers on one database', () => {
  let server: PostgresServer;
  let url = '';
  let folders: string[] = [];
  let running: Appliance[] = [];

  beforeAll(async () => {
    server = await startPostgres();
  });
  afterEach(async () => {
    for (const one of running) await one.close();
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
    [running, folders] = [[], []];
  });
  afterAll(() => server.close());

  function newFolder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'posthorn-standby-'));
    folders.push(folder);
    return folder;
  }

  /** One that works on a new database. */
  async function startFirst(): Promise<Appliance> {
    ({ url } = await server.makeDatabase());
    const first = await createAppliance({ dataDir: newFolder(), env: { POSTHORN_DATABASE_URL: url } });
    running.push(first);
    await first.start();
    return first;
  }

  /** One on the same database, with an empty folder and the master key. `isReady` rejects when it ends. */
  async function startSecond(
    first: Appliance,
    more: Record<string, string> = {},
  ): Promise<{ second: Appliance; isReady: Promise<void> }> {
    const masterKey = join(newFolder(), 'master.key');
    copyFileSync(join(first.dataDir, 'keys', 'master.json'), masterKey);
    const env = { ...more, POSTHORN_DATABASE_URL: url, POSTHORN_MASTER_KEY_FILE: masterKey };
    const second = await createAppliance({ dataDir: newFolder(), env, keys: first.keys });
    running.push(second);
    return { second, isReady: second.start() };
  }

  const statusOf = (of: Appliance, path: string): Promise<number> =>
    fetch(`${of.url}${path}`).then(
      ({ status }) => status,
      () => 0,
    );

  const statusIs = (of: Appliance, path: string, status: number): Promise<number> =>
    waitFor(
      `${path} to answer ${status}`,
      () => statusOf(of, path),
      (found) => found === status,
    );

  it('the second takes over when the first is killed, and has all that was accepted', async () => {
    const first = await startFirst();
    const { second, isReady } = await startSecond(first);
    await statusIs(second, '/healthz', 200);
    expect(await statusOf(second, '/readyz')).toBe(503);
    const accepted = await first.api('POST', '/v1/messages', { body: DRAFT, key: first.keys.test_key });
    expect(accepted.status).toBe(202);
    await first.end('SIGKILL');
    await isReady;
    const path = `/v1/messages/${String(accepted.json.id)}`;
    await waitFor(
      'the delivery',
      () => second.api('GET', path, { key: first.keys.test_key }),
      ({ json }) => json.status === 'delivered',
    );
    // It makes proofs that the first would have made.
    const { json: proof } = await second.api('GET', `${path}/proof`, { key: first.keys.test_key });
    const verified = await second.api('POST', '/v1/proof/verify', { body: proof, key: '' });
    expect([verified.status, verified.json.valid]).toEqual([200, true]);
  });

  it('the second goes on with the files of the first: imports, exports, certificate', async () => {
    ({ url } = await server.makeDatabase());
    const ROWS = 8_000;
    const env = {
      ...{ POSTHORN_DATABASE_URL: url, POSTHORN_TLS_CERT: '', POSTHORN_TLS_KEY: '' },
      POSTHORN_RATE_LIMIT_LIVE: '0',
    };
    const first = await createAppliance({ dataDir: newFolder(), env });
    running.push(first);
    await first.start();
    const { second, isReady } = await startSecond(first, env);
    const imported = `/v1/imports/${await sendImport(first, contactsCsv(1_000), '?tags=early')}`;
    await transferWhen(first, imported, (one) => one['finished_at'] !== null);
    const made = await first.api('POST', '/v1/exports', { body: { format: 'csv' } });
    const exported = `/v1/exports/${(made.json as { id: string }).id}`;
    await transferWhen(first, exported, (one) => one['finished_at'] !== null);
    const file = await fileText(first, `${exported}/file`);
    const path = `/v1/imports/${await sendImport(first, contactsCsv(ROWS), '?tags=late')}`;
    await transferWhen(first, path, (one) => Number(one['processed']) >= ROWS / 10);
    await first.end('SIGKILL');
    await isReady;
    const seen = await transferWhen(second, path, () => true);
    expect(seen).toMatchObject({ finished_at: null });
    const done = await transferWhen(second, path, (one) => one['finished_at'] !== null);
    expect(done).toMatchObject({ status: 'completed', processed: ROWS, failed: ROWS / 100 });
    const refused = (await fileText(second, `${path}/rejected`)).trimEnd().split('\r\n');
    expect([refused.length, new Set(refused).size]).toEqual([1 + ROWS / 100, 1 + ROWS / 100]);
    expect(await fileText(second, `${exported}/file`)).toBe(file);
    expect(file.split('\r\n').length).toBeGreaterThan(900);
    const [one, two] = [first, second].map((of) => /"fingerprint":"([^"]+)"/.exec(of.output())?.[1]);
    expect([one !== undefined, two]).toEqual([true, one]);
    const kept = [first, second].flatMap(({ dataDir }) => readdirSync(dataDir));
    expect(kept.filter((name) => ['transfers', 'tls', 'archive'].includes(name))).toEqual([]);
    const { stdout } = await posthorn(['doctor', '--json'], second.env);
    const { checks } = JSON.parse(stdout) as { checks: { name: string; observed: string }[] };
    expect(checks.find(({ name }) => name === 'certificate')?.observed).toMatch(/self-signed/);
  });

  it('another master key is refused in a sentence', async () => {
    const first = await startFirst();
    await first.end();
    const wrong = join(newFolder(), 'wrong.key');
    writeFileSync(wrong, Buffer.alloc(32, 7).toString('base64'));
    const ended = await serverEnds({
      ...first.env,
      POSTHORN_DATA_DIR: newFolder(),
      POSTHORN_MASTER_KEY_FILE: wrong,
    });
    expect([ended.code, ended.stderr]).toEqual([
      1,
      expect.stringContaining('the master key is not the one of the database'),
    ]);
  });

  it('commands that need the database for themselves are refused beside them', async () => {
    const first = await startFirst();
    const env = { ...first.env, POSTHORN_DATA_DIR: newFolder() };
    copyFileSync(join(first.dataDir, 'keys', 'master.json'), join(env.POSTHORN_DATA_DIR, 'master.key'));
    const held = await adminJson(
      { ...env, POSTHORN_MASTER_KEY_FILE: join(env.POSTHORN_DATA_DIR, 'master.key') },
      ...['restore', '--hold'],
    );
    expect([held.code === 0, held.error]).toEqual([false, expect.stringContaining('works on this database')]);
  });

  it('a server whose lock session breaks has it again, and goes on', async () => {
    const first = await startFirst();
    const [before] = await server.run(HOLDER);
    await server.run(`SELECT pg_terminate_backend(${String(before?.['pid'])})`);
    const [after] = await waitFor(
      'another session with the lock',
      () => server.run(HOLDER),
      (rows) => rows.length === 1 && rows[0]?.['pid'] !== before?.['pid'],
    );
    expect(after).toBeDefined();
    expect(await statusOf(first, '/readyz')).toBe(200);
    expect(first.output()).toContain('connection to the database regained');
  });

  it('a server whose lock session ends without a word has it again', async () => {
    const { url: direct } = await server.makeDatabase();
    const proxy = await startSlowProxy(server.port);
    url = direct.replace(/:\d+\//, `:${proxy.port}/`);
    const first = await createAppliance({ dataDir: newFolder(), env: { POSTHORN_DATABASE_URL: url } });
    running.push(first);
    await first.start();
    const [before] = await server.run(HOLDER);
    // What is open leads nowhere from here on; what comes later is passed on.
    proxy.forget();
    await waitFor(
      'another session with the lock',
      () => server.run(HOLDER),
      (rows) => rows.length === 1 && rows[0]?.['pid'] !== before?.['pid'],
      60_000,
    );
    await waitFor(
      'the line',
      () => Promise.resolve(first.output()),
      (text) => text.includes('connection to the database regained'),
    );
    const accepted = await first.api('POST', '/v1/messages', { body: DRAFT, key: first.keys.test_key });
    expect(accepted.status).toBe(202);
    await proxy.close();
  });

  it('a server that finds the lock with another ends, so that it can stand by', async () => {
    const first = await startFirst();
    const ended = new Promise<number | null>((resolve) =>
      first.process().once('exit', (code) => resolve(code)),
    );
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const [holder] = await server.run(HOLDER);
    // It waits in line, and so is the next.
    const taken = client.query('SELECT pg_advisory_lock(1886352500, 1752133230)');
    await server.run(`SELECT pg_terminate_backend(${String(holder?.['pid'])})`);
    await taken;
    expect(await ended).toBe(1);
    expect(first.output()).toContain('another server has taken over the database');
    await client.end();
  });
});
