// The SQLite engine: a write-ahead log, flushed after each commit, one writing connection, one reading connection, and reader
// threads for requests.
import { stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { Database, type Connection, type Statement } from './sqlite-driver.js';
import { refuseNul } from '../nul-text.js';
import { Kysely, sql, SqliteDialect } from 'kysely';
import type { Engine, FileUpkeep, Row, Spelling, Tx, Value } from './engine.js';
import { CommitFlush, FlushFailed, type FlushFile } from './commit-flush.js';
import { createDamageWatch } from './damage.js';
import { ReaderPool } from './reader-pool.js';
import { createReadings } from './reading.js';
import { idsAboveHighest } from './row-ids.js';
import { openReader, readingDialect, runPrepared, statementCache } from './sqlite-connection.js';

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

/** Time (ms) that SQLite itself may wait for a lock while it blocks the event loop. */
const SYNCHRONOUS_WAIT_MS = 20;
const BETWEEN_WAITS_MS = 20;
/** Leaves most of two cores to the main thread; one owner never uses more than one thread (reader-pool.ts). */
const READER_THREADS = 2;
const STATEMENT_LIMIT_MS = 5_000;
const READER_IDLE_MS = 30_000;
/** A smaller file is read faster than threads start, so requests read it in the main thread. */
const READERS_FROM_BYTES = 16 * 1024 * 1024;
const SIZE_AGE_MS = 1_000;
/** Pages in the log after which it is written back. */
const CHECKPOINT_PAGES = 2_000;

interface SqliteOptions {
  file: string;
  /** Time (ms) that a statement waits for another process's lock. */
  busyTimeoutMs: number;
  /** Opens no writing connection, for a worker thread that only reads. */
  readOnly?: boolean;
  /** The replica decides when the log is written back. */
  isReplicated?: boolean;
  flushFile?: FlushFile;
  /** Settings of the reader threads; defaults are the constants above. */
  readers?: { size?: number; statementLimitMs?: number; idleMs?: number; fromBytes?: number };
}

/** Opens the database file, creating it if missing. Throws if durability cannot be guaranteed. */
export function openSqlite(options: SqliteOptions): Engine {
  const writer = options.readOnly ? null : openWriter(options);
  const flush = writer ? new CommitFlush(options.file, options.flushFile) : null;
  const reader = openReader(options.file, options.busyTimeoutMs);
  const readings = createReadings();
  const pool = openReaders(options);
  const statements = writer ? statementCache(writer) : null;
  const write = statements ? kyselyOn(statements, () => (statementsRun += 1)) : null;
  const readStatements = statementCache(reader);
  const isSmall = smallUpTo(reader, options.readers?.fromBytes ?? READERS_FROM_BYTES);
  const damage = createDamageWatch(isDamage);
  let statementsRun = 0;
  const run = (statement: Statement, values: readonly Value[]): Row[] => {
    refuseNul(values);
    statementsRun += 1;
    return runPrepared(statement, values);
  };
  const rows = (statement: string, values: readonly Value[]): Row[] | Promise<Row[]> => {
    try {
      const reading = readings.current();
      if (reading === null || isSmall()) return run(readStatements(statement), values);
      refuseNul(values);
      return readings.during(reading, pool.rows(statement, values, reading)).catch(refuseDamage);
    } catch (error) {
      return refuseDamage(error);
    }
  };
  const refuseDamage = (error: unknown): never => {
    throw damage.refusalOf(error);
  };
  const read = new Kysely<unknown>({ dialect: readingDialect(rows) });
  const turns = new Turns(refuseDamage);

  async function transact<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    if (!writer || !write || !statements || !flush) throw new Error('This connection only reads.');
    const tx: Tx = {
      db: write,
      run: (statement, values) => run(statements(statement), values),
      post: (statement, values) => void run(statements(statement), values),
      settle: () => undefined,
    };
    flush.recover(() => isWrittenBack(writer));
    return inTransaction({ writer, flush, waitMs: options.busyTimeoutMs }, () => work(tx));
  }

  return {
    name: 'sqlite',
    spelling,
    forUpdate: '',
    forUpdateSkipLocked: () => '',
    read,
    rows,
    readings,
    get schema() {
      if (!write) throw new Error('This connection only reads.');
      return write;
    },
    groupMs: GROUP_MS,
    transaction: (work) => turns.take(() => transact(work)),
    flushed: () => flush?.ended() ?? Promise.resolve(),
    rowIds: idsAboveHighest,
    statements: () => statementsRun,
    isDamage,
    damage,
    isUnavailable,
    isOutcomeUnknown: (error) => error instanceof FlushFailed && error.wasCommitted,
    isUniqueViolation,
    missedConnections: () => null,
    cutOff: () => undefined,
    upkeep: fileUpkeep({
      ...{ file: options.file, reader, writer, isReplicated: options.isReplicated === true },
      inOrder: (work) => turns.take(work),
    }),
    async close() {
      await turns.end();
      await pool.close();
      reader.close();
      writer?.close();
      flush?.close();
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

/** Runs work sequentially, in the order of the calls. */
class Turns {
  readonly #onFailure: (error: unknown) => never;
  #last: Promise<unknown> = Promise.resolve();

  constructor(onFailure: (error: unknown) => never) {
    this.#onFailure = onFailure;
  }

  take<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work).catch(this.#onFailure);
    this.#last = result.catch(() => undefined); // The caller gets the error; the next work just takes its turn.
    return result;
  }

  async end(): Promise<void> {
    await this.#last;
  }
}

async function inTransaction<T>(
  { writer, flush, waitMs }: { writer: Connection; flush: CommitFlush; waitMs: number },
  work: () => Promise<T>,
): Promise<T> {
  await begin(writer, waitMs);
  try {
    const result = await work();
    writer.exec('COMMIT');
    await flush.flush();
    return result;
  } catch (error) {
    // A full disk may have ended the transaction already.
    if (writer.inTransaction) writer.exec('ROLLBACK');
    throw error;
  }
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

/** Waits asynchronously for another process's write lock, because waiting inside SQLite would block this process. */
async function begin(writer: Connection, waitMs: number): Promise<void> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    try {
      writer.exec('BEGIN IMMEDIATE');
      return;
    } catch (error) {
      const isBusy = error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY');
      if (!isBusy || performance.now() > deadline) throw error;
      await pause(BETWEEN_WAITS_MS);
    }
  }
}

function openWriter(options: SqliteOptions): Connection {
  const writer = new Database(options.file, { timeout: SYNCHRONOUS_WAIT_MS });
  // Applies only to a new, empty file; an existing file keeps its setting until it is rewritten.
  writer.pragma('auto_vacuum = INCREMENTAL');
  writer.pragma('journal_mode = WAL');
  // Flushes the log before it is written back, and the database file afterwards. CommitFlush flushes the commits.
  writer.pragma('synchronous = NORMAL');
  writer.pragma('foreign_keys = ON');
  writer.pragma('temp_store = MEMORY');
  writer.pragma('cache_size = -16000');
  writer.pragma(`wal_autocheckpoint = ${options.isReplicated === true ? 0 : CHECKPOINT_PAGES}`);
  writer.pragma('journal_size_limit = 67108864');
  const mode = writer.pragma('journal_mode', { simple: true });
  if (mode !== 'wal') {
    writer.close();
    throw new Error(
      `SQLite must run with journal_mode=wal, but ${options.file} has journal_mode=${String(mode)}. Check that the file system supports WAL.`,
    );
  }
  return writer;
}

function isWrittenBack(writer: Connection): boolean {
  const [result] = writer.pragma('wal_checkpoint(PASSIVE)') as [
    { busy: number; log: number; checkpointed: number },
  ];
  return result.busy === 0 && result.log === result.checkpointed;
}

/** Gives Kysely cached statements, because it would prepare one per query (11 instead of 38 µs per select). */
function kyselyOn(statements: ReturnType<typeof statementCache>, onStatement: () => void): Kysely<unknown> {
  return new Kysely<unknown>({
    dialect: new SqliteDialect({
      database: {
        prepare(text: string) {
          onStatement();
          const statement = statements(text);
          return {
            reader: statement.reader,
            all: (values) => {
              refuseNul(values);
              return statement.all(values);
            },
            run: (values) => {
              refuseNul(values);
              return statement.run(values);
            },
            iterate: (values) => statement.iterate(values),
          };
        },
        close: () => undefined,
      },
    }),
  });
}

const INCREMENTAL = 2;

function fileUpkeep({
  file,
  reader,
  writer,
  isReplicated,
  inOrder,
}: {
  file: string;
  reader: Connection;
  writer: Connection | null;
  isReplicated: boolean;
  inOrder: <T>(work: () => Promise<T>) => Promise<T>;
}): FileUpkeep {
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
    shrink: (pages) =>
      inOrder(() => {
        writer?.pragma(`incremental_vacuum(${Math.trunc(pages)})`);
        return Promise.resolve();
      }),
    checkpoint: () =>
      isReplicated
        ? Promise.resolve(true)
        : inOrder(() =>
            Promise.resolve(writer !== null && numberOf(writer, 'wal_checkpoint(TRUNCATE)') === 0),
          ),
    pauseWrites: (work) => inOrder(work),
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
