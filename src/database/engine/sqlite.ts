// The SQLite engine: a write-ahead log, flushed after each commit, one writing connection, one reading connection, and reader
// threads for requests.
import { stat } from 'node:fs/promises';
import { Database, type Connection, type Statement } from './sqlite-driver.js';
import { refuseNul } from '../nul-text.js';
import { Kysely, sql } from 'kysely';
import type { Engine, FileUpkeep, Row, Spelling, Value } from './engine.js';
import { FlushFailed } from './commit-flush.js';
import { createDamageWatch } from './damage.js';
import { ReaderPool } from './reader-pool.js';
import { createReadings } from './reading.js';
import { idsAboveHighest } from './row-ids.js';
import { sqliteMessageSearch } from './message-search.js';
import { openReader, readingDialect, runPrepared, statementCache } from './sqlite-connection.js';
import { openSqliteWriter, type SqliteWriter, type WriterOptions } from './sqlite-writer.js';

/** A transaction accepts plans for this time (ms), so it exceeds it by one plan at most. */
const GROUP_MS = 20;
const DAMAGED = /^SQLITE_(CORRUPT|NOTADB)/;
const UNAVAILABLE = /^SQLITE_(FULL|BUSY|LOCKED|IOERR|READONLY|CANTOPEN|NOMEM)/;

const spelling: Spelling = {
  int: 'INTEGER',
  blob: 'BLOB',
  id: 'INTEGER PRIMARY KEY',
  lastingId: 'INTEGER PRIMARY KEY AUTOINCREMENT',
  continueIds: () => [],
  intKey: 'INTEGER PRIMARY KEY',
  clustered: 'WITHOUT ROWID',
  // Trigrams without positions, to keep the index small; each hit is checked against the contact's row. contact-search.ts
  // prepares the text, so that a search skips contacts of other environments and finds two letters at the start of a word.
  contactSearch: {
    create: [
      `CREATE VIRTUAL TABLE contact_search USING fts5(text, content='', contentless_delete=1, detail=none, tokenize='trigram')`,
    ],
    fill: [
      `INSERT INTO contact_search (contact_search) VALUES ('delete-all')`,
      `INSERT INTO contact_search (rowid, text)
        SELECT number, char(57344 + (environment_id >> 12 & 4095), 57344 + (environment_id & 4095), 63743, 63741, 63742) ||
          email_key || ' ' || char(63741, 63742) || REPLACE(COALESCE(name, ''), ' ', ' ' || char(63741, 63742))
        FROM contacts`,
    ],
    index: {
      add: 'INSERT INTO contact_search (rowid, text) VALUES (?, ?)',
      replace: 'INSERT OR REPLACE INTO contact_search (rowid, text) VALUES (?, ?)',
      remove: 'DELETE FROM contact_search WHERE rowid = ?',
      find: `SELECT rowid AS number FROM contact_search WHERE contact_search MATCH ? AND rowid < ?
        ORDER BY rowid DESC LIMIT ?`,
    },
  },
  messageSearch: sqliteMessageSearch,
  jsonText: (
    column,
    key,
  ) => sql`(SELECT CASE type WHEN 'text' THEN value WHEN 'true' THEN 'true' WHEN 'false' THEN 'false'
    WHEN 'integer' THEN CAST(value AS TEXT) WHEN 'real' THEN CAST(value AS TEXT) END
    FROM json_each(${sql.ref(column)}) WHERE key = ${key})`,
  appendOnly: (table, { fixed, erasable, deletableIf }) => {
    const refuse = `BEGIN SELECT RAISE(ABORT, '${table} is append-only'); END`;
    return [
      `CREATE TRIGGER ${table}_no_update BEFORE UPDATE OF ${fixed.join(', ')} ON ${table} ${refuse}`,
      `CREATE TRIGGER ${table}_only_erase BEFORE UPDATE OF ${erasable.join(', ')} ON ${table}
        WHEN ${erasable.map((column) => `NEW.${column} IS NOT NULL`).join(' OR ')} ${refuse}`,
      `CREATE TRIGGER ${table}_no_delete BEFORE DELETE ON ${table} WHEN NOT (${deletableIf}) ${refuse}`,
    ];
  },
  now: "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
  hasTable: "SELECT 1 AS found FROM sqlite_master WHERE type = 'table' AND name = ?",
  beforeMigration: [],
};

/** Leaves most of two cores to the main thread; one owner never uses more than one thread (reader-pool.ts). */
const READER_THREADS = 2;
const STATEMENT_LIMIT_MS = 5_000;
const READER_IDLE_MS = 30_000;
/** A smaller file is read faster than threads start, so requests read it in the main thread. */
const READERS_FROM_BYTES = 16 * 1024 * 1024;
const SIZE_AGE_MS = 1_000;
interface SqliteOptions extends WriterOptions {
  /** Opens no writing connection, for a worker thread that only reads. */
  readOnly?: boolean;
  /** Settings of the reader threads; defaults are the constants above. */
  readers?: { size?: number; statementLimitMs?: number; idleMs?: number; fromBytes?: number };
}

/** Opens the database file, creating it if missing. Throws if durability cannot be guaranteed. */
export function openSqlite(options: SqliteOptions): Engine {
  const damage = createDamageWatch(isDamage);
  const refuseDamage = (error: unknown): never => {
    throw damage.refusalOf(error);
  };
  let statementsRun = 0;
  const run = (statement: Statement, values: readonly Value[]): Row[] => {
    refuseNul(values);
    statementsRun += 1;
    return runPrepared(statement, values);
  };
  const writer = options.readOnly
    ? null
    : openSqliteWriter(options, { run, onStatement: () => (statementsRun += 1), onFailure: refuseDamage });
  const writing = (): SqliteWriter => {
    if (!writer) throw new Error('This connection only reads.');
    return writer;
  };
  const reader = openReader(options.file, options.busyTimeoutMs);
  const readings = createReadings();
  const pool = openReaders(options);
  const readStatements = statementCache(reader);
  const isSmall = smallUpTo(reader, options.readers?.fromBytes ?? READERS_FROM_BYTES);
  const rows = (statement: string, values: readonly Value[]): Row[] | Promise<Row[]> => {
    try {
      const reading = readings.current();
      if (reading === null || isSmall()) {
        const prepared = (writer?.readStatements() ?? readStatements)(statement);
        if (!prepared.readonly) throw new Error('Only transactions write.');
        return run(prepared, values);
      }
      refuseNul(values);
      return readings.during(reading, pool.rows(statement, values, reading)).catch(refuseDamage);
    } catch (error) {
      return refuseDamage(error);
    }
  };

  return {
    name: 'sqlite',
    spelling,
    forUpdate: '',
    forUpdateSkipLocked: () => '',
    read: new Kysely<unknown>({ dialect: readingDialect(rows) }),
    rows,
    readings,
    get schema() {
      return writing().db;
    },
    groupMs: GROUP_MS,
    transaction: async (work) => writing().transaction(work),
    flushed: () => writer?.flushed() ?? Promise.resolve(),
    rowIds: idsAboveHighest,
    statements: () => statementsRun,
    isDamage,
    damage,
    isUnavailable,
    isOutcomeUnknown: (error) => error instanceof FlushFailed && error.wasCommitted,
    isUniqueViolation,
    missedConnections: () => null,
    cutOff: () => undefined,
    upkeep: fileUpkeep({ file: options.file, reader, writer, isReplicated: options.isReplicated === true }),
    async close() {
      await writer?.drain();
      await pool.close();
      reader.close();
      await writer?.close();
    },
  };
}

function isUnavailable(error: unknown): boolean {
  return (
    error instanceof FlushFailed || (error instanceof Database.SqliteError && UNAVAILABLE.test(error.code))
  );
}

function isUniqueViolation(error: unknown): boolean {
  return (
    error instanceof Database.SqliteError &&
    (error.code === 'SQLITE_CONSTRAINT_UNIQUE' || error.code === 'SQLITE_CONSTRAINT_PRIMARYKEY')
  );
}

function openReaders({ file, busyTimeoutMs, readers }: SqliteOptions): ReaderPool {
  return new ReaderPool({
    size: READER_THREADS,
    statementLimitMs: STATEMENT_LIMIT_MS,
    idleMs: READER_IDLE_MS,
    ...readers,
    file,
    busyTimeoutMs,
  });
}

function isDamage(error: unknown): boolean {
  return error instanceof Database.SqliteError && DAMAGED.test(error.code);
}

/** Returns whether the file is smaller than this; once it is not, it is never checked again. */
function smallUpTo(reader: Connection, bytes: number): () => boolean {
  const pages = reader.prepare('PRAGMA page_count').pluck();
  const pageBytes = Number(reader.pragma('page_size', { simple: true }));
  let isSmall = bytes > 0;
  let lookedAt = -Infinity;
  return () => {
    if (isSmall && performance.now() - lookedAt > SIZE_AGE_MS) {
      lookedAt = performance.now();
      isSmall = Number(pages.get()) * pageBytes < bytes;
    }
    return isSmall;
  };
}

const INCREMENTAL = 2;

interface UpkeepContext {
  file: string;
  reader: Connection;
  writer: SqliteWriter | null;
  isReplicated: boolean;
}

function fileUpkeep({ file, reader, writer, isReplicated }: UpkeepContext): FileUpkeep {
  const numberOf = (database: Connection, pragma: string): number =>
    Number(database.pragma(pragma, { simple: true }));
  return {
    async size() {
      const pageBytes = numberOf(reader, 'page_size');
      return {
        pageBytes,
        bytes: numberOf(reader, 'page_count') * pageBytes,
        freeBytes: numberOf(reader, 'freelist_count') * pageBytes,
        logBytes: await readFileSize(`${file}-wal`),
        canShrink: numberOf(reader, 'auto_vacuum') === INCREMENTAL,
      };
    },
    async shrink(pages) {
      await writer?.inOrder(({ connection }) => {
        connection.pragma(`incremental_vacuum(${Math.trunc(pages)})`);
        return Promise.resolve();
      });
    },
    async checkpoint() {
      if (isReplicated) return true;
      const left = await writer?.inOrder(({ connection }) =>
        Promise.resolve(numberOf(connection, 'wal_checkpoint(TRUNCATE)')),
      );
      return left === 0;
    },
    pauseWrites: (work) => (writer ? writer.inOrder(work) : work()),
  };
}

async function readFileSize(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    // There is no log before the first write.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0;
    throw error;
  }
}
