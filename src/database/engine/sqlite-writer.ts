// The writing connection of the SQLite engine: runs one transaction at a time, and flushes each commit.
import { setTimeout as pause } from 'node:timers/promises';
import { Kysely, SqliteDialect } from 'kysely';
import { refuseNul } from '../nul-text.js';
import { CommitFlush, type FlushFile } from './commit-flush.js';
import type { Row, Tx, Value } from './engine.js';
import { countFramesLeft, matchCase, statementCache, writeBack } from './sqlite-connection.js';
import { Database, type Connection, type Statement } from './sqlite-driver.js';
import { WriteBack } from './write-back.js';

/** Time (ms) that SQLite itself may wait for a lock while it blocks the event loop. */
const SYNCHRONOUS_WAIT_MS = 20;
const BETWEEN_WAITS_MS = 20;
/** Pages in the log after which SQLite writes it back in a commit, because no thread has. */
const LONG_LOG = 20_000;

export interface WriterOptions {
  file: string;
  /** Time (ms) that a statement waits for another process's lock. */
  busyTimeoutMs: number;
  /** The replica decides when the log is written back. */
  isReplicated?: boolean;
  flushFile?: FlushFile;
}

interface WriterContext {
  run: (statement: Statement, values: readonly Value[]) => Row[];
  /** Called for each statement that Kysely runs. */
  onStatement: () => void;
  onFailure: (error: unknown) => never;
}

export interface SqliteWriter {
  /** Outside transactions; for migrations. */
  readonly db: Kysely<unknown>;
  /**
   * Statements for reads, null while a transaction is open. Its pages stay cached after each commit, while those of other connections
   * have to be read again.
   */
  readStatements(): ((text: string) => Statement) | null;
  /** Resolves when the commit is on disk. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Runs work between two transactions. */
  inOrder<T>(work: (writer: { connection: Connection }) => Promise<T>): Promise<T>;
  /** Resolves when the flush that is in progress has ended. */
  flushed(): Promise<void>;
  /** Resolves when all transactions have ended. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

export function openSqliteWriter(options: WriterOptions, context: WriterContext): SqliteWriter {
  const { file, busyTimeoutMs, isReplicated = false } = options;
  const connection = openConnection(options);
  const flush = new CommitFlush(file, options.flushFile);
  const turns = new Turns(context.onFailure);
  const inOrder = <T>(work: () => Promise<T>): Promise<T> => turns.take(work);
  const writesBack = isReplicated
    ? null
    : new WriteBack({ file, framesLeft: countFramesLeft(connection), inOrder });
  const statements = statementCache(connection);
  const db = kyselyOn(statements, context.onStatement);
  const tx: Tx = {
    db,
    run: (statement, values) => context.run(statements(statement), values),
    post: (statement, values) => void context.run(statements(statement), values),
    settle: () => undefined,
  };
  return {
    db,
    readStatements: () => (connection.inTransaction ? null : statements),
    transaction: (work) =>
      inOrder(async () => {
        flush.recover(() => writeBack(connection) === 0);
        const result = await inTransaction({ connection, flush, waitMs: busyTimeoutMs }, () => work(tx));
        writesBack?.committed();
        return result;
      }),
    inOrder: (work) => inOrder(() => work({ connection })),
    flushed: () => flush.ended(),
    drain: () => turns.end(),
    async close() {
      await writesBack?.close();
      connection.close();
      flush.close();
    },
  };
}

function openConnection(options: WriterOptions): Connection {
  const writer = new Database(options.file, { timeout: SYNCHRONOUS_WAIT_MS });
  // Applies only to a new, empty file; an existing file keeps its setting until it is rewritten.
  writer.pragma('auto_vacuum = INCREMENTAL');
  writer.pragma('journal_mode = WAL');
  // Flushes the log before it is written back, and the database file afterwards. CommitFlush flushes the commits.
  writer.pragma('synchronous = NORMAL');
  writer.pragma('foreign_keys = ON');
  matchCase(writer);
  writer.pragma('temp_store = MEMORY');
  writer.pragma('cache_size = -16000');
  writer.pragma(`wal_autocheckpoint = ${options.isReplicated === true ? 0 : LONG_LOG}`);
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
  { connection, flush, waitMs }: { connection: Connection; flush: CommitFlush; waitMs: number },
  work: () => Promise<T>,
): Promise<T> {
  await begin(connection, waitMs);
  try {
    const result = await work();
    connection.exec('COMMIT');
    await flush.flush();
    return result;
  } catch (error) {
    // A full disk may have ended the transaction already.
    if (connection.inTransaction) connection.exec('ROLLBACK');
    throw error;
  }
}

/** Waits asynchronously for another process's write lock, because waiting inside SQLite would block this process. */
async function begin(connection: Connection, waitMs: number): Promise<void> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    try {
      connection.exec('BEGIN IMMEDIATE');
      return;
    } catch (error) {
      const isBusy = error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY');
      if (!isBusy || performance.now() > deadline) throw error;
      await pause(BETWEEN_WAITS_MS);
    }
  }
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
