// Reads or fills a PostgreSQL server over a single connection.
import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { ClientBase, Connection, Pool } from 'pg';
import type { Column, Table } from '../columns.js';
import { columnNames } from '../columns.js';
import { connectPostgres } from '../engine/postgres-pool.js';
import type { RowValues } from './row-bytes.rules.js';
import type { BatchLimits, Counter, Side } from './side.js';

/** Number of row sizes that are read ahead. */
const SIZES_AHEAD = 2_000;
const CHUNK_BYTES = 1024 * 1024;
/** Time limit (ms) for other transactions to end. */
const LOCK_WAIT_MS = 10_000;

/** Header and trailer of a binary COPY: signature, no flags, no extension; and -1 instead of a number of columns. */
const COPY_HEAD = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const COPY_END = Buffer.from([0xff, 0xff]);

interface PostgresSide extends Side {
  /** Returns the names of other Mailkeel processes connected to the database. */
  others(): Promise<string[]>;
}

/** `tables` are the declared ones. Rejects if the server cannot be reached. */
export async function openPostgresSide(url: string, tables: readonly Table[]): Promise<PostgresSide> {
  const pool = (await connectPostgres({
    ...{ url, maxConnections: 1, applicationName: 'mailkeel move' },
    onLost: () => undefined, // the next statement says so
  })) as unknown as Pool; // the same thing, with its own types
  const client = await pool.connect().catch(async (error: unknown) => {
    await pool.end();
    throw error;
  });
  const ask = async (text: string, values: readonly unknown[] = []): Promise<unknown[][]> =>
    (await client.query({ text, values: [...values], rowMode: 'array' })).rows;
  const one = async (text: string, values?: readonly unknown[]): Promise<unknown> =>
    (await ask(text, values))[0]?.[0];
  // Sorting a large table takes long, and a source waits while its rows are written.
  await ask('SET statement_timeout = 0');
  await ask('SET idle_in_transaction_session_timeout = 0');
  await ask(`SET lock_timeout = ${LOCK_WAIT_MS}`);
  await ask(`SET work_mem = '64MB'`);
  await ask('SET cursor_tuple_fraction = 1');

  return {
    allowsNul: false,
    async others() {
      const found = await ask(
        `SELECT application_name || ' from ' || COALESCE(host(client_addr), 'this machine') FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name LIKE 'mailkeel%'`,
      );
      return found.map(([name]) => String(name));
    },
    async beginReading() {
      await ask('BEGIN ISOLATION LEVEL REPEATABLE READ');
      // Prevents writes by others until the transaction ends, but not reads.
      await ask(`LOCK TABLE ${tables.map(({ name }) => name).join(', ')} IN SHARE MODE`);
    },
    async endReading() {
      await ask('COMMIT');
      return true;
    },
    async count({ name }) {
      return Number(await one(`SELECT COUNT(*) FROM ${name}`));
    },
    key: (table) => readPrimaryKey(ask, table),
    batches: (table, limits) => batches(ask, table, limits),
    async highest({ table, column }) {
      const present = await one(`SELECT MAX(${column}) FROM ${table}`);
      const sequence = await one('SELECT pg_get_serial_sequence($1, $2)', [table, column]);
      const given =
        typeof sequence === 'string'
          ? await one(`SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END FROM ${sequence}`)
          : 0;
      return Math.max(0, Number(present ?? 0), Number(given));
    },
    async references() {
      const found = await ask(
        `SELECT f.relname, t.relname FROM pg_constraint c JOIN pg_class f ON f.oid = c.conrelid
          JOIN pg_class t ON t.oid = c.confrelid
          WHERE c.contype = 'f' AND f.relnamespace = current_schema()::regnamespace`,
      );
      return found.map(([from, to]) => ({ from: String(from), to: String(to) }));
    },
    async counters() {
      const found = await ask(
        `SELECT table_name, column_name FROM information_schema.columns
          WHERE table_schema = current_schema() AND is_identity = 'YES' ORDER BY table_name`,
      );
      const known = new Set<string>(tables.map(({ name }) => name));
      return found
        .map(([table, column]): Counter => ({ table: String(table), column: String(column) }))
        .filter(({ table }) => known.has(table));
    },
    ...(await writing(client, ask, tables)),
    async close() {
      // Also ends an open transaction.
      (client as ClientBase & { release(isUseless: boolean): void }).release(true);
      await pool.end();
    },
  };
}

type Ask = (text: string, values?: readonly unknown[]) => Promise<unknown[][]>;

type Writing = Pick<Side, 'beginTable' | 'write' | 'endTable' | 'continueAfter' | 'settle'>;

async function writing(client: ClientBase, ask: Ask, tables: readonly Table[]): Promise<Writing> {
  const { CopyIn } = await loadCopy();
  let copy = '';
  return {
    async beginTable(table) {
      await ask('BEGIN');
      copy = `COPY ${table.name} (${columnNames(table).join(', ')}) FROM STDIN (FORMAT binary)`;
    },
    write: (_rows, bytes) =>
      new Promise((resolve, reject) => {
        client.query(
          new CopyIn(copy, [COPY_HEAD, bytes, COPY_END], (error) => {
            if (error) reject(error);
            else resolve();
          }),
        );
      }),
    async endTable() {
      await ask('COMMIT');
    },
    async continueAfter({ table, column }, highest) {
      const sequence = 'pg_get_serial_sequence($1, $2)';
      await ask(`SELECT setval(${sequence}, GREATEST($3::bigint, 1), $3::bigint > 0)`, [
        table,
        column,
        highest,
      ]);
    },
    async settle() {
      // Without statistics, the first queries would be planned for empty tables.
      for (const { name } of tables) await ask(`ANALYZE ${name}`);
    },
  };
}

/** Reads by a cursor, so that the server sorts once. If rows can be large, a second cursor reads their sizes ahead. */
async function* batches(ask: Ask, table: Table, limits: BatchLimits): AsyncGenerator<RowValues[]> {
  const columns = Object.entries<Column>(table.columns);
  const order = await readKeyOrder(ask, table);
  const sizes = columns
    .filter(([, { kind }]) => kind !== 'int')
    .map(([name]) => `COALESCE(octet_length(${name}), 0)`);
  const size = [...sizes, '8'].join(' + ');
  const names = columns.map(([name]) => name).join(', ');
  const [[largest] = []] = await ask(`SELECT COALESCE(MAX(${size}), 0) FROM ${table.name}`);
  const isWide = Number(largest) * limits.rows > limits.bytes;
  await ask(`DECLARE moved_rows NO SCROLL CURSOR FOR SELECT ${names} FROM ${table.name} ORDER BY ${order}`);
  if (isWide)
    await ask(`DECLARE moved_sizes NO SCROLL CURSOR FOR SELECT ${size} FROM ${table.name} ORDER BY ${order}`);
  const nextCount = isWide ? countsWithin(ask, limits) : () => Promise.resolve(limits.rows);
  for (;;) {
    const count = await nextCount();
    const rows = count === 0 ? [] : await ask(`FETCH ${count} FROM moved_rows`);
    if (rows.length > 0) yield rows;
    if (rows.length < count || count === 0) break;
  }
  await ask('CLOSE moved_rows');
  if (isWide) await ask('CLOSE moved_sizes');
}

/** Returns how many of the next rows fit the limits: at least one, none at the end. */
function countsWithin(ask: Ask, limits: BatchLimits): () => Promise<number> {
  let ahead: number[] = [];
  let isEnd = false;
  return async () => {
    if (ahead.length < limits.rows && !isEnd) {
      const read = await ask(`FETCH ${Math.max(SIZES_AHEAD, limits.rows)} FROM moved_sizes`);
      isEnd = read.length === 0;
      ahead = [...ahead, ...read.map(([size]) => Number(size))];
    }
    let count = 0;
    let bytes = 0;
    for (const size of ahead.slice(0, limits.rows)) {
      if (count > 0 && bytes + size > limits.bytes) break;
      count += 1;
      bytes += size;
    }
    ahead = ahead.slice(count);
    return count;
  };
}

/** Returns the primary key with texts in byte order, which is SQLite's order. */
async function readKeyOrder(ask: Ask, table: Table): Promise<string> {
  const columns: Readonly<Record<string, Column>> = table.columns;
  const key = await readPrimaryKey(ask, table);
  return key.map((name) => `${name}${columns[name]?.kind === 'text' ? ' COLLATE "C"' : ''}`).join(', ');
}

async function readPrimaryKey(ask: Ask, { name }: Table): Promise<string[]> {
  const found = await ask(
    `SELECT a.attname FROM pg_index i JOIN LATERAL unnest(i.indkey) WITH ORDINALITY AS k (number, place) ON true
      JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number
      WHERE i.indisprimary AND i.indrelid = $1::regclass ORDER BY k.place`,
    [name],
  );
  return found.map(([column]) => String(column));
}

/** The package `pg` is loaded only where a server is used. */
async function loadCopy() {
  const { default: pg } = await import('pg');
  /** COPY FROM STDIN, for which the client has no method; it passes the server's request for data to the query. */
  class CopyIn extends pg.Query {
    readonly #chunks: readonly Buffer[];

    constructor(text: string, chunks: readonly Buffer[], done: (error: Error | undefined) => void) {
      super(text, done);
      this.#chunks = chunks;
    }

    handleCopyInResponse(connection: Connection): void {
      const copy = connection as CopyConnection;
      // If the connection breaks, the client reports that to the query.
      sendAll(copy, this.#chunks).catch(() => undefined);
    }
  }
  return { CopyIn };
}

/** The part of a connection that the types omit. */
type CopyConnection = Connection & {
  readonly stream: Socket;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
};

/** Sends no faster than the server receives, because the client copies the data. */
async function sendAll(connection: CopyConnection, chunks: readonly Buffer[]): Promise<void> {
  for (const chunk of chunks) {
    for (let from = 0; from < chunk.length; from += CHUNK_BYTES) {
      connection.sendCopyFromChunk(chunk.subarray(from, from + CHUNK_BYTES));
      if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain');
    }
  }
  connection.endCopyFrom();
}
