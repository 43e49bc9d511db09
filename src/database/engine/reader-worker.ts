// A reader thread with one read-only connection, which runs one statement at a time.
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { Database, type Statement } from './sqlite-driver.js';
import { openReader, statementCache } from './sqlite-connection.js';
import type { ReadAnswer, ReaderData, ReadJob } from './reader-port.js';

/** Scheduling weight of a third of a normal thread's when both need the processor. */
const NICENESS = 5;
/** Larger values are transferred instead of copied. */
const TRANSFER_BYTES = 64 * 1024;

const port = parentPort;
if (port === null) throw new Error('This is the entry of a worker thread.');
// Linux has priorities per thread, so readers yield to mail; elsewhere this would affect the whole process.
if (process.platform === 'linux') setPriority(0, NICENESS);

const { file, busyTimeoutMs } = workerData as ReaderData;
const database = openReader(file, busyTimeoutMs);
const statements = statementCache(database);
const columnsOf = new WeakMap<Statement, string[]>();

port.on('message', (job: ReadJob) => {
  const answer = read(job);
  port.postMessage(answer, answer.kind === 'rows' ? largeValues(answer.rows) : []);
});

function read({ statement: text, values }: ReadJob): ReadAnswer {
  try {
    const statement = statements(text);
    let columns = columnsOf.get(statement);
    if (columns === undefined) {
      columns = statement.columns().map(({ name }) => name);
      columnsOf.set(statement, columns);
    }
    return { kind: 'rows', columns, rows: statement.raw(true).all(values) as unknown[][] };
  } catch (error) {
    if (error instanceof Database.SqliteError) {
      return { kind: 'error', code: error.code, message: error.message };
    }
    return { kind: 'error', code: null, message: error instanceof Error ? error.message : String(error) };
  }
}

function largeValues(rows: readonly unknown[][]): ArrayBuffer[] {
  const found: ArrayBuffer[] = [];
  for (const row of rows) {
    for (const cell of row) {
      if (!(cell instanceof Uint8Array) || cell.byteLength < TRANSFER_BYTES) continue;
      const { buffer } = cell;
      if (buffer instanceof ArrayBuffer && buffer.byteLength === cell.byteLength) found.push(buffer);
    }
  }
  return found;
}
