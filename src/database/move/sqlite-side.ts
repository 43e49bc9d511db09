// Reads or fills a SQLite file.
import type { Table } from '../columns.js';
import { columnNames } from '../columns.js';
import { Database, type Connection, type Statement } from '../engine/sqlite-driver.js';
import type { RowValues } from './row-bytes.rules.js';
import type { BatchLimits, Counter, Side } from './side.js';

/** Octets per commit; the log file grows to about twice as much. */
const COMMIT_BYTES = 64 * 1024 * 1024;
const BUSY_TIMEOUT_MS = 5_000;

/** The file must exist; before rows are written, its tables too. */
export function openSqliteSide(file: string, { readOnly }: { readOnly: boolean }): Side {
  const database = new Database(file, { readonly: readOnly, timeout: BUSY_TIMEOUT_MS, fileMustExist: true });
  database.pragma('cache_size = -64000');
  if (!readOnly) {
    database.pragma('journal_mode = WAL');
    // Rows are valid only once the mark of the unfinished move is removed, by a commit that waits for the disk.
    database.pragma('synchronous = NORMAL');
    database.pragma('foreign_keys = ON');
  }
  const dataVersion = (): unknown => database.pragma('data_version', { simple: true });
  let versionAtBegin: unknown = null;

  return {
    allowsNul: true,
    beginReading() {
      versionAtBegin = dataVersion();
      database.exec('BEGIN');
      // The first read takes the snapshot.
      database.prepare('SELECT COUNT(*) FROM sqlite_master').get();
    },
    endReading() {
      database.exec('COMMIT');
      return dataVersion() === versionAtBegin;
    },
    count({ name }) {
      return Number(database.prepare(`SELECT COUNT(*) FROM ${name}`).pluck().get());
    },
    key: (table) => readPrimaryKey(database, table),
    batches: (table, limits) => batches(database, table, limits),
    highest({ table, column }) {
      const present = database.prepare(`SELECT MAX(${column}) FROM ${table}`).pluck().get();
      const given = database.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').pluck().get(table);
      return Math.max(0, Number(present ?? 0), Number(given ?? 0));
    },
    references() {
      return database
        .prepare(
          `SELECT t.name AS "from", k."table" AS "to" FROM sqlite_master t JOIN pragma_foreign_key_list(t.name) k
            WHERE t.type = 'table'`,
        )
        .all() as { from: string; to: string }[];
    },
    counters() {
      return database
        .prepare(
          `SELECT t.name AS "table", c.name AS "column" FROM sqlite_master t JOIN pragma_table_info(t.name) c
            WHERE t.type = 'table' AND t.sql LIKE '%AUTOINCREMENT%' AND c.pk = 1`,
        )
        .all() as Counter[];
    },
    ...writing(database),
    close() {
      database.close();
    },
  };
}

type Writing = Pick<Side, 'beginTable' | 'write' | 'endTable' | 'continueAfter' | 'settle'>;

function writing(database: Connection): Writing {
  let insert: Statement | null = null;
  let uncommitted = 0;
  return {
    beginTable(table) {
      const columns = columnNames(table);
      insert = database.prepare(
        `INSERT INTO ${table.name} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
      );
      database.exec('BEGIN IMMEDIATE');
      uncommitted = 0;
    },
    write(rows, bytes) {
      for (const row of rows) insert?.run(row);
      uncommitted += bytes.length;
      if (uncommitted < COMMIT_BYTES) return;
      database.exec('COMMIT; BEGIN IMMEDIATE');
      uncommitted = 0;
    },
    endTable() {
      database.exec('COMMIT');
    },
    continueAfter({ table }, highest) {
      database.prepare('DELETE FROM sqlite_sequence WHERE name = ?').run(table);
      database.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(table, highest);
    },
    settle() {
      database.pragma('wal_checkpoint(TRUNCATE)');
    },
  };
}

function* batches(
  database: Connection,
  table: Table,
  { rows: mostRows, bytes: mostBytes }: BatchLimits,
): Generator<RowValues[]> {
  const key = readPrimaryKey(database, table);
  const query = `SELECT ${columnNames(table).join(', ')} FROM ${table.name} ORDER BY ${key.join(', ')}`;
  let batch: RowValues[] = [];
  let bytes = 0;
  for (const row of database.prepare(query).raw(true).iterate() as Iterable<RowValues>) {
    const size = rowSize(row);
    if (batch.length > 0 && bytes + size > mostBytes) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(row);
    bytes += size;
    if (batch.length < mostRows) continue;
    yield batch;
    [batch, bytes] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

function readPrimaryKey(database: Connection, { name }: Table): string[] {
  const query = 'SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk';
  return database.prepare(query).pluck().all(name) as string[];
}

function rowSize(row: RowValues): number {
  let bytes = 0;
  for (const value of row) {
    bytes += typeof value === 'string' || value instanceof Uint8Array ? value.length : 8;
  }
  return bytes;
}
