// The engines that the store's contract suite runs on: SQLite in a file, PGlite, and PostgreSQL where there is one.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { Database } from '../../src/store/engine/sqlite-driver.js';
import type { PostgresPool } from 'kysely';
import type { Engine, Row, Value } from '../../src/store/engine/engine.js';
import { openEngine } from '../../src/store/engine/place.js';
import { connectPostgres } from '../../src/store/engine/postgres-pool.js';
import { openPostgres } from '../../src/store/engine/postgres.js';
import { openSqlite } from '../../src/store/engine/sqlite.js';
import { emptyPostgresDatabase, POSTGRES_URL } from './postgres-databases.js';
import { layMigratedFile } from './migrated-file.js';

export interface OpenEngine {
  engine: Engine;
  /** Runs a statement behind the store's back. Placeholders are written as the engine has them. */
  raw(statement: string, values?: readonly Value[]): Promise<Row[]>;
  close(): Promise<void>;
}

export interface EngineKind {
  name: string;
  open(): Promise<OpenEngine>;
}

const INT8 = 20;

/** A folder that is deleted by `remove`. */
export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'posthorn-test-'));
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

/** Of a file that is not there yet: with the newest schema and without rows. */
export async function openMigratedFile(file: string): Promise<OpenEngine> {
  if (!existsSync(file)) await layMigratedFile(file);
  return openSqliteFile(file);
}

/** Making a PGlite takes longer than most of what is asked of it: one for all suites. */
let idle: PGlite | null = null;

/** Empty. Whoever opens a second one meanwhile gets another. */
async function openPglite(): Promise<OpenEngine> {
  const database = idle ?? (await PGlite.create({ parsers: { [INT8]: Number } }));
  idle = null;
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
      // Whoever still waits for the connection is served before.
      const client = await pool.connect();
      client.release();
      if (idle) return database.close();
      await database.exec('ROLLBACK; DROP SCHEMA public CASCADE; CREATE SCHEMA public');
      idle = database;
    },
  };
}

/** PGlite is one connection: who wants it waits until it is given back. */
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

async function openPostgresServer(): Promise<OpenEngine> {
  const database = await emptyPostgresDatabase();
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

export const SQLITE: EngineKind = {
  name: 'SQLite',
  open() {
    const folder = temporaryFolder();
    const opened = openSqliteFile(join(folder.path, 'posthorn.db'));
    const close = async (): Promise<void> => {
      await opened.close();
      folder.remove();
    };
    return Promise.resolve({ ...opened, close });
  },
};

/**
 * The engines that a suite runs on here: SQLite in `npm test`, PGlite in `npm run test:program`, where one serves all suites
 * (test/program/store/store-on-postgres.test.ts), and in both the PostgreSQL of `TEST_POSTGRES_URL`.
 */
export function engineKinds(): EngineKind[] {
  const kinds = [process.env['TEST_ENGINE'] === 'PGlite' ? { name: 'PGlite', open: openPglite } : SQLITE];
  if (POSTGRES_URL === undefined) {
    console.warn('PostgreSQL is left out: TEST_POSTGRES_URL is not set.');
    return kinds;
  }
  kinds.push({ name: 'PostgreSQL', open: openPostgresServer });
  return kinds;
}
