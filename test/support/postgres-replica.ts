// A streaming replica of a PostgreSQL server, which can lag behind and then take over.
import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, chownSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.js';
import { runOnServer } from './postgres-databases.js';
import { binary, userOf, type PostgresServer } from './postgres-server.js';
import { waitFor } from './wait.js';

const UP_MS = 30_000;

export interface PostgresReplica {
  port: number;
  /** Stops replication, so that later commits are missing. */
  leaveBehind(): Promise<void>;
  /** Promotes it to a primary. */
  promote(): Promise<void>;
  close(): Promise<void>;
}

export async function startReplica(of: PostgresServer): Promise<PostgresReplica> {
  const user = userOf();
  const folder = await mkdtemp(join(tmpdir(), 'mailkeel-replica-'));
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid ?? user.uid);
  const data = join(folder, 'data');
  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const from = ['-h', '127.0.0.1', '-p', String(of.port), '-U', 'postgres'];
  const { status, stderr } = spawnSync(
    binary('pg_basebackup') ?? '',
    [...from, '-D', data, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'],
    { ...user, cwd: folder, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`pg_basebackup failed: ${stderr}`);
  appendFileSync(join(data, 'postgresql.conf'), `port = ${port}\n`);
  const child = spawn(binary('postgres') ?? '', ['-D', data], { ...user, cwd: folder, stdio: 'ignore' });
  const kill = (): void => void child.kill('SIGQUIT');
  process.once('exit', kill);
  await waitFor(
    'the replica to answer',
    () =>
      runOnServer('SELECT 1', url).then(
        () => true,
        () => false,
      ),
    Boolean,
    UP_MS,
  );
  return {
    port,
    async leaveBehind() {
      await runOnServer("ALTER SYSTEM SET primary_conninfo = ''", url);
      await runOnServer('SELECT pg_reload_conf()', url);
      await waitFor(
        'the replica to be left behind',
        async () => (await runOnServer('SELECT 1 FROM pg_stat_wal_receiver', url)).length === 0,
        Boolean,
        UP_MS,
      );
    },
    async promote() {
      await runOnServer('SELECT pg_promote()', url);
    },
    async close() {
      process.off('exit', kill);
      const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      child.kill('SIGINT');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
