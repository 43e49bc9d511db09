// The engines that the store's contract tests run on: SQLite in a file, PGlite, and PostgreSQL if there is a server.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { Database } from '../../src/database/engine/sqlite-driver.js';
import type { PostgresPool } from 'kysely';
import type { Engine, Row, Value } from '../../src/database/engine/engine.js';
import { openEngine } from '../../src/database/engine/place.js';
import { connectPostgres } from '../../src/database/engine/postgres-pool.js';
import { openPostgres } from '../../src/database/engine/postgres.js';
import { openSqlite } from '../../src/database/engine/sqlite.js';
import { migrate } from '../../src/database/migrations/migrate.js';
import {
  emptyPostgresDatabase,
  migratedPostgresDatabase,
  POSTGRES_URL,
  type TestDatabase,
} from './postgres-databases.js';
import { layMigratedFile } from './migrated-file.js';

export interface OpenEngine {
  engine: Engine;
  /** Runs a statement behind the store's back. Placeholders are written as the engine has them. */
  raw(statement: string, values?: readonly Value[]): Promise<Row[]>;
  close(): Promise<void>;
}

export interface EngineKind {
  name: string;
  /** Without tables. */
  open(): Promise<OpenEngine>;
  /** With the newest schema and without rows. */
  openMigrated(): Promise<OpenEngine>;
}

const INT8 = 20;

/** A folder that is deleted by `remove`. */
export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'mailkeel-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

export function openSqliteFile(file: string, busyTimeoutMs = 5000): OpenEngine {
  const engine = openSqlite({ file, busyTimeoutMs });
  const other = new Database(file);
  return {
    engine,
    // eslint-disable-next-line @typescript-eslint/require-await -- the driver throws at once; a promise rejects
    async raw(statement, values = []) {
      const prepared = other.prepare(statement);
      if (prepared.reader) return prepared.all(values) as Row[];
      prepared.run(values);
      return [];
    },
    async close() {
      other.close();
      await engine.close();
    },
  };
}

/** Of a new file, with the newest schema and without rows. */
export async function openMigratedFile(file: string): Promise<OpenEngine> {
  if (!existsSync(file)) await layMigratedFile(file);
  return openSqliteFile(file);
}

/** Starting a PGlite takes longer than most tests, and so do the migrations, so all suites share one. */
interface Lasting {
  database: PGlite;
  /** The schema it has, without rows; null if it has no tables. */
  schema: string | null;
}

let idle: Lasting | null = null;

/** A second simultaneous one gets another instance. */
async function takePglite(): Promise<Lasting> {
  const taken = idle ?? {
    database: await PGlite.create({ parsers: { [INT8]: Number } }),
    schema: null,
  };
  idle = null;
  return taken;
}

async function openPglite(): Promise<OpenEngine> {
  const taken = await takePglite();
  if (taken.schema !== null) await dropAll(taken);
  return openTaken(taken);
}

async function openMigratedPglite(): Promise<OpenEngine> {
  const taken = await takePglite();
  const opened = openTaken(taken);
  if (taken.schema === null) {
    await migrate(opened.engine);
    taken.schema = await schemaOf(taken.database);
  }
  return opened;
}

function openTaken(taken: Lasting): OpenEngine {
  const { database } = taken;
  const pool = poolOfOne(database);
  return {
    engine: openPostgres(pool),
    async raw(statement, values = []) {
      const client = await pool.connect();
      try {
        return (await client.query<Row>(statement, values)).rows;
      } finally {
        client.release();
      }
    },
    async close() {
      // Pending users of the connection are served first.
      const client = await pool.connect();
      client.release();
      if (idle) return database.close();
      await database.exec('ROLLBACK');
      if (taken.schema !== null && (await schemaOf(database)) === taken.schema) await deleteRows(database);
      else await dropAll(taken);
      idle = taken;
    },
  };
}

async function dropAll(taken: Lasting): Promise<void> {
  await taken.database.exec('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  taken.schema = null;
}

/** Deletes everything except the record of applied migrations. */
async function deleteRows(database: PGlite): Promise<void> {
  const { rows } = await database.query<{ tables: string }>(
    `SELECT string_agg(quote_ident(tablename), ', ') AS tables FROM pg_tables
     WHERE schemaname = 'public' AND tablename <> 'schema_steps'`,
  );
  await database.exec(`TRUNCATE ${rows[0]?.tables ?? ''} RESTART IDENTITY CASCADE`);
}

/** Differs with any table, column, index, trigger and migration, because a test may have dropped some. */
async function schemaOf(database: PGlite): Promise<string> {
  const { rows } = await database.query<{ schema: string }>(
    `SELECT md5(string_agg(entry, ' ' ORDER BY entry)) AS schema FROM (
       SELECT table_name || '.' || column_name || data_type || is_nullable FROM information_schema.columns
       WHERE table_schema = 'public'
       UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
       UNION ALL SELECT pg_get_constraintdef(oid) || conname FROM pg_constraint
       UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger
       UNION ALL SELECT name FROM schema_steps
     ) AS parts (entry)`,
  );
  return rows[0]?.schema ?? '';
}

/** PGlite has one connection, so users wait until it is released. */
function poolOfOne(database: PGlite): PostgresPool {
  let free: Promise<void> = Promise.resolve();
  const query = async (statement: string, values: readonly unknown[]) => {
    const result = await database.query(statement, [...values]);
    const command = statement.trimStart().split(/\s/, 1)[0]?.toUpperCase() ?? '';
    const isWrite = ['INSERT', 'UPDATE', 'DELETE'].includes(command);
    return {
      command,
      rowCount: isWrite ? (result.affectedRows ?? 0) : result.rows.length,
      rows: result.rows,
    };
  };
  const client: { query: typeof query; release: () => void } = { query, release: () => undefined };
  const pool = {
    async connect() {
      const before = free;
      let release: () => void = () => undefined;
      free = new Promise((resolve) => {
        release = resolve;
      });
      await before;
      client.release = release;
      return client;
    },
    end: () => Promise.resolve(),
  };
  return pool as unknown as PostgresPool; // the part of a `pg` pool that the engine uses
}

async function openPostgresServer(making: Promise<TestDatabase>): Promise<OpenEngine> {
  const database = await making;
  const engine = await openEngine({ kind: 'server', url: database.url }, { busyTimeoutMs: 0 });
  const other = await connectPostgres({
    ...{ url: database.url, maxConnections: 1, applicationName: 'test', onLost: () => undefined },
  });
  const raw = async (statement: string, values: readonly Value[] = []): Promise<Row[]> => {
    const client = await other.connect();
    try {
      return (await client.query<Row>(statement, values)).rows;
    } finally {
      client.release();
    }
  };
  return {
    engine,
    raw,
    async close() {
      await other.end();
      await engine.close();
      await database.drop();
    },
  };
}

async function openOwnFile(open: (file: string) => Promise<OpenEngine>): Promise<OpenEngine> {
  const folder = temporaryFolder();
  const opened = await open(join(folder.path, 'mail.db'));
  const close = async (): Promise<void> => {
    await opened.close();
    folder.remove();
  };
  return { ...opened, close };
}

export const SQLITE: EngineKind = {
  name: 'SQLite',
  open: () => openOwnFile((file) => Promise.resolve(openSqliteFile(file))),
  openMigrated: () => openOwnFile(openMigratedFile),
};

const PGLITE: EngineKind = { name: 'PGlite', open: openPglite, openMigrated: openMigratedPglite };

const POSTGRES: EngineKind = {
  name: 'PostgreSQL',
  open: () => openPostgresServer(emptyPostgresDatabase()),
  openMigrated: () => openPostgresServer(migratedPostgresDatabase()),
};

/**
 * The engines that a suite runs on: SQLite in `npm test`, PGlite in `npm run test:program`, where one instance serves all suites
 * (test/program/database/store-on-postgres.test.ts), and in both the PostgreSQL of `TEST_POSTGRES_URL`.
 */
export function engineKinds(): EngineKind[] {
  const kinds = [process.env['TEST_ENGINE'] === 'PGlite' ? PGLITE : SQLITE];
  if (POSTGRES_URL === undefined) {
    console.warn('PostgreSQL is left out: TEST_POSTGRES_URL is not set.');
    return kinds;
  }
  kinds.push(POSTGRES);
  return kinds;
}
