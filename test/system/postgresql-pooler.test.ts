// Tests a server behind PgBouncer: session mode works, and transaction mode is refused before the server stores anything.
import { spawn } from 'node:child_process';
import { chownSync, existsSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createAppliance, serverEnds } from '../support/appliance.js';
import { ensurePackages } from '../support/apt.js';
import { freePort } from '../support/free-port.js';
import { temporaryFolder } from '../support/open-engines.js';
import { runOnServer } from '../support/postgres-databases.js';
import { ensurePostgres, startPostgres, userOf, type PostgresServer } from '../support/postgres-server.js';
import { waitFor } from '../support/wait.js';

const PROGRAM = '/usr/sbin/pgbouncer';
const skipReason =
  ensurePostgres() ?? ensurePackages({ packages: ['pgbouncer'], isThere: () => existsSync(PROGRAM) });
if (skipReason !== null) console.warn(`skipped: PostgreSQL behind a pooler: ${skipReason}`);

describe.skipIf(skipReason !== null)('with a connection pooler', () => {
  let server: PostgresServer;
  const folder = temporaryFolder();
  const closing: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    server = await startPostgres();
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });
  afterAll(async () => {
    await server.close();
    folder.remove();
  });

  /** A database through a pooler of that mode. */
  async function pooled(mode: 'session' | 'transaction'): Promise<string> {
    const { url, owner } = await server.makeDatabase('empty');
    const user = userOf();
    const place = await mkdtemp(join(tmpdir(), 'mailkeel-pooler-'));
    const port = await freePort();
    const file = join(place, 'pgbouncer.ini');
    const settings = [
      '[databases]',
      `* = host=127.0.0.1 port=${server.port} user=${owner} password=${new URL(url).password}`,
      ...['[pgbouncer]', 'listen_addr = 127.0.0.1', `listen_port = ${port}`, 'unix_socket_dir ='],
      ...['auth_type = any', `pool_mode = ${mode}`, 'default_pool_size = 50'],
    ];
    writeFileSync(file, settings.join('\n'));
    if (user.uid !== undefined) chownSync(place, user.uid, user.gid ?? user.uid);
    const child = spawn(PROGRAM, [file], { ...user, stdio: 'ignore' });
    closing.push(async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGQUIT');
      await ended;
      await rm(place, { recursive: true, force: true });
    });
    const through = url.replace(/:\d+\//, `:${port}/`);
    await waitFor(
      'the pooler to answer',
      () => runOnServer('SELECT 1', through).catch(() => []),
      (rows) => rows.length === 1,
    );
    return through;
  }

  it('in transaction mode the start is refused with one sentence, and leaves no lock behind', async () => {
    const url = await pooled('transaction');
    const { code, stderr, stdout } = await serverEnds({
      MAILKEEL_DATA_DIR: join(folder.path, 'data'),
      MAILKEEL_HTTP_HOST: '127.0.0.1',
      MAILKEEL_HTTP_PORT: '0',
      MAILKEEL_DATABASE_URL: url,
    });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringMatching(/pooler in transaction mode.* set the pooler to session mode\.$/),
    ]);
    expect(await server.run("SELECT 1 FROM pg_locks WHERE locktype = 'advisory'")).toEqual([]);
  });

  it('in session mode it starts', async () => {
    const node = await createAppliance({ env: { MAILKEEL_DATABASE_URL: await pooled('session') } });
    closing.push(() => node.close());
    await node.start();
    expect((await node.api('GET', '/v1/messages')).status).toBe(200);
  });
});
