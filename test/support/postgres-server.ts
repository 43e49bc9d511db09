// A real PostgreSQL server: Debian's package, a cluster in a temporary folder, a free port of loopback. Its database owners sign
// in with a password; `postgres` needs none.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensurePackages } from './apt.js';
import { freePort } from './free-port.js';
import { connectTo, migrateDatabase, runOnServer } from './postgres-databases.js';
import { waitFor } from './wait.js';

const VERSIONS = '/usr/lib/postgresql';
const OF_PACKAGE = '/etc/postgresql-common';
const PASSWORD = 'a-lamp-on-the-left';
const UP_MS = 30_000;

export interface OwnDatabase {
  /** With the password of its owner. */
  url: string;
  /** The same by the server's socket, a file that is not there while the server is away. */
  socketUrl: string;
  owner: string;
}

export interface PostgresServer {
  port: number;
  /** Of the superuser and the database `postgres`. */
  url: string;
  /** Creates a database with its own owner, without rows, and without tables if `empty`. */
  makeDatabase(how?: 'migrated' | 'empty'): Promise<OwnDatabase>;
  /** As the superuser. */
  run(statement: string): Promise<Record<string, unknown>[]>;
  /** Ends it as `pg_ctl stop -m fast` does, or by SIGKILL, and waits for the end. */
  stop(how?: 'fast' | 'SIGKILL'): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Returns null if PostgreSQL is installed, otherwise the reason. Installed without a cluster, so nothing is started. */
export function ensurePostgres(): string | null {
  if (binary('initdb') === null && process.getuid?.() === 0 && !existsSync(OF_PACKAGE)) {
    mkdirSync(OF_PACKAGE);
    writeFileSync(join(OF_PACKAGE, 'createcluster.conf'), 'create_main_cluster = false\n');
  }
  return ensurePackages({ packages: ['postgresql'], isThere: () => binary('initdb') !== null });
}

/** Of the newest installed version. */
export function binary(name: string): string | null {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS).sort((a, b) => Number(b) - Number(a)) : [];
  const found = versions
    .map((version) => join(VERSIONS, version, 'bin', name))
    .find((file) => existsSync(file));
  return found ?? null;
}

/** It does not run as root. */
export function userOf(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const ask = (flag: string) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);
  return { uid: ask('-u'), gid: ask('-g') };
}

/** Created once per process, because a copy takes a tenth of the time of initdb. */
let cluster: string | null = null;

function emptyCluster(user: { uid?: number; gid?: number }): string {
  if (cluster !== null) return cluster;
  const folder = mkdtempSync(join(tmpdir(), 'mailkeel-cluster-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid ?? user.uid);
  const data = join(folder, 'data');
  const terms = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  runAs(user, binary('initdb') ?? '', ['-D', data, ...terms]);
  return (cluster = data);
}

function runAs(user: { uid?: number; gid?: number }, program: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(program, args, { ...user, cwd: tmpdir(), encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} failed: ${stderr}`);
}

const nameOf = ({ url }: OwnDatabase): string => new URL(url).pathname.slice(1);

export async function startPostgres(): Promise<PostgresServer> {
  const user = userOf();
  const folder = await mkdtemp(join(tmpdir(), 'mailkeel-postgres-'));
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid ?? user.uid);
  const data = join(folder, 'data');
  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  let running: ChildProcess | null = null;
  let log = '';
  let made = 0;
  let template: Promise<OwnDatabase> | null = null;
  let session: ReturnType<typeof connectTo> | null = null;

  initialize();

  /**
   * A copy takes a tenth of the time of the migrations. The template belongs to postgres, because REASSIGN OWNED in a copy would
   * also reassign databases of its first owner.
   */
  async function makeTemplate(): Promise<OwnDatabase> {
    const database = await server.makeDatabase('empty');
    await migrateDatabase(database.url);
    await server.run(`ALTER DATABASE ${nameOf(database)} OWNER TO postgres`);
    return database;
  }

  function initialize(): void {
    runAs(user, 'cp', ['-a', emptyCluster(user), data]);
    const rules = [
      'host all,replication postgres 127.0.0.1/32 trust',
      'host all all 127.0.0.1/32 scram-sha-256',
      'local all all scram-sha-256',
    ];
    writeFileSync(join(data, 'pg_hba.conf'), `${rules.join('\n')}\n`);
    const settings = [
      `port = ${port}`,
      "listen_addresses = '127.0.0.1'",
      `unix_socket_directories = '${folder}'`,
      'max_connections = 300',
      // Killed processes lose nothing that the kernel has; only a power failure would.
      'fsync = off',
    ];
    const file = join(data, 'postgresql.conf');
    writeFileSync(file, `${readFileSync(file, 'utf8')}\n${settings.join('\n')}\n`);
  }

  const server: PostgresServer = {
    port,
    url,
    async run(statement) {
      const asked = (session ??= connectTo(url));
      try {
        return (await (await asked).query<Record<string, unknown>>(statement)).rows;
      } catch (error) {
        session = null;
        throw error;
      }
    },
    async makeDatabase(how = 'migrated') {
      const from = how === 'migrated' ? await (template ??= makeTemplate()) : null;
      made += 1;
      const owner = `owner_${made}`;
      const name = `data_${made}`;
      await server.run(`CREATE ROLE ${owner} LOGIN PASSWORD '${PASSWORD}'`);
      await server.run(
        `CREATE DATABASE ${name} OWNER ${owner} ${from === null ? '' : `TEMPLATE ${nameOf(from)}`}`,
      );
      if (from !== null) {
        await runOnServer(`REASSIGN OWNED BY ${from.owner} TO ${owner}`, url.replace(/postgres$/, name));
      }
      const place = `postgres://${owner}:${PASSWORD}@127.0.0.1:${port}/${name}`;
      return { owner, url: place, socketUrl: `${place}?host=${folder}` };
    },
    async start() {
      // A killed server leaves processes that are still ending, and the next one does not start until they have.
      await waitFor(
        'PostgreSQL answers',
        async () => {
          if (running === null || running.exitCode !== null || running.signalCode !== null) launch();
          return server.run('SELECT 1').then(
            () => true,
            () => false,
          );
        },
        Boolean,
        UP_MS,
      ).catch((error: unknown) => {
        throw new Error(`${String(error)}\n${log}`);
      });
    },
    async stop(how = 'fast') {
      const child = running;
      if (child === null || child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      child.kill(how === 'fast' ? 'SIGINT' : 'SIGKILL');
      await ended;
    },
    async close() {
      await server.stop();
      process.off('exit', kill);
      await rm(folder, { recursive: true, force: true });
    },
  };

  function launch(): void {
    const child = spawn(binary('postgres') ?? '', ['-D', data], {
      ...user,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child.stderr.on('data', (bytes: Buffer) => (log = (log + bytes.toString()).slice(-10_000)));
    running = child;
  }

  function kill(): void {
    running?.kill('SIGQUIT');
  }

  process.once('exit', kill);
  await server.start();
  return server;
}
