// Follows the write-ahead log of a database file: reads what was committed since a position, and keeps SQLite from restarting the
// log until its frames have been read. A read transaction achieves this, because SQLite, in any process, reuses a log only when no
// one reads from it, and writes nothing into the database file while a reader relies on an empty log.
import { closeSync, fdatasyncSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { writeBack } from './sqlite-connection.js';
import { Database, type Connection } from './sqlite-driver.js';
import {
  FRAME_HEADER_BYTES,
  parseFrame,
  parseWalHeader,
  WAL_HEADER_BYTES,
  type WalHeader,
  type WalSum,
} from './wal.rules.js';

/** Frames per read. */
const READ_FRAMES = 64;
/** Time (ms) that a checkpoint waits for readers while writers wait for it. */
const CHECKPOINT_WAIT_MS = 100;
/** Time (ms) between checks whether the readers have ended. */
const READERS_WAIT_MS = 5;

/** End of a transaction in a log. */
export interface WalPosition {
  salt: string;
  /** Number of frames up to here. */
  frame: number;
  sum: WalSum;
}

/** Pages committed between two positions. */
export interface CommittedPages {
  from: WalPosition | null;
  to: WalPosition;
  pageBytes: number;
  /** Size of the database in pages. */
  databasePages: number;
  /** Offset in the log (octets) of the newest image of each page. */
  offsets: ReadonlyMap<number, number>;
}

export class WalTail {
  readonly #file: string;
  /** The connection whose read transaction holds the log. */
  #holder: Connection;
  #idle: Connection;
  #log: number | null = null;
  /** End of the log at the last read under the current hold; null before. If the log restarts, it was not longer. */
  #end: WalPosition | null = null;

  /** Holds the log of the file. */
  constructor(file: string) {
    this.#file = file;
    this.#holder = new Database(file, { fileMustExist: true, timeout: CHECKPOINT_WAIT_MS });
    this.#idle = new Database(file, { fileMustExist: true, timeout: CHECKPOINT_WAIT_MS });
    beginReading(this.#holder);
  }

  /**
   * Writes the log's frames up to now into the database file, but keeps the log. `readAll` reads what was committed, and returns
   * the end. Returns the number of frames that remain: later ones, and those that a long read transaction holds; Infinity
   * while another connection writes the log back.
   */
  writeBack(readAll: () => WalPosition | null): number {
    beginReading(this.#idle);
    this.#end = readAll();
    this.#holder.exec('COMMIT');
    [this.#holder, this.#idle] = [this.#idle, this.#holder];
    return writeBack(this.#idle);
  }

  /**
   * Writes the rest into the database file, so that the next writer starts the log again. `readAll` reads what was committed,
   * while no process can commit more, and returns the end. False if a reader or writer prevented it. The caller keeps the writers
   * of this process away. The file of the log keeps its size, because truncating it takes longer than the rest.
   */
  empty(readAll: () => WalPosition | null): boolean {
    if (!beginWriting(this.#idle)) return false;
    try {
      this.#end = readAll();
      this.#holder.exec('COMMIT');
      try {
        return isWrittenBack(this.#holder);
      } finally {
        beginReading(this.#holder);
      }
    } finally {
      this.#idle.exec('ROLLBACK');
    }
  }

  /** Returns the header of the log; null if it is empty. */
  header(): WalHeader | null {
    const octets = Buffer.alloc(WAL_HEADER_BYTES);
    return this.#read(octets, 0) === octets.length ? parseWalHeader(octets) : null;
  }

  /** Size in octets of the log up to a position. */
  bytesUpTo(position: WalPosition): number {
    const header = this.header();
    return header === null ? 0 : frameOffset(header, position.frame);
  }

  /** Size in octets of the log's file. */
  fileBytes(): number {
    const log = this.#openLog();
    return log === null ? 0 : fstatSync(log).size;
  }

  /** Whether the log is intact up to the position. */
  contains(position: WalPosition): boolean {
    const header = this.header();
    if (header?.salt !== position.salt) return false;
    const step = FRAME_HEADER_BYTES + header.pageBytes;
    const octets = Buffer.alloc(step);
    let { sum } = header;
    for (let frame = 0; frame < position.frame; frame++) {
      if (this.#read(octets, frameOffset(header, frame)) < step) return false;
      const found = parseFrame(octets, header, sum);
      if (found === null) return false;
      ({ sum } = found);
    }
    return sum[0] === position.sum[0] && sum[1] === position.sum[1];
  }

  /**
   * Returns what was committed since a position and is on disk, null if nothing. `since` is null for the start of the log. Throws
   * if the log was started again since the position, unless it ended there.
   */
  committedSince(since: WalPosition | null): CommittedPages | null {
    const header = this.header();
    if (header === null) return null;
    const isSameLog = since === null || since.salt === header.salt;
    if (!isSameLog && !isSame(since, this.#end)) throw new LogStartedAgain();
    const from = isSameLog ? since : null;
    const step = FRAME_HEADER_BYTES + header.pageBytes;
    const octets = Buffer.alloc(step * READ_FRAMES);
    const offsets = new Map<number, number>();
    const open = new Map<number, number>();
    let sum = from?.sum ?? header.sum;
    let to: WalPosition | null = null;
    let databasePages = 0;
    const end = (): CommittedPages | null => {
      if (to !== null || isSameLog) this.#end = to ?? from;
      if (to === null) return null;
      // Another thread may still be flushing these commits.
      if (this.#log !== null) fdatasyncSync(this.#log);
      for (const page of offsets.keys()) if (page > databasePages) offsets.delete(page);
      return { from, to, pageBytes: header.pageBytes, databasePages, offsets };
    };
    for (let frame = from?.frame ?? 0; ;) {
      const start = frameOffset(header, frame);
      const whole = Math.floor(this.#read(octets, start) / step);
      for (let i = 0; i < whole; i++) {
        const found = parseFrame(octets.subarray(i * step, (i + 1) * step), header, sum);
        if (found === null) return end();
        frame += 1;
        ({ sum } = found);
        open.set(found.page, start + i * step + FRAME_HEADER_BYTES);
        if (found.databasePages === 0) continue;
        for (const [page, offset] of open) offsets.set(page, offset);
        open.clear();
        ({ databasePages } = found);
        to = { salt: header.salt, frame, sum };
      }
      if (whole < READ_FRAMES) return end();
    }
  }

  /** Reads the image of a page at an offset of the log. */
  readPage(offset: number, into: Buffer): void {
    if (this.#read(into, offset) !== into.length) throw new Error('The write-ahead log became shorter.');
  }

  close(): void {
    this.#holder.close();
    this.#idle.close();
    if (this.#log !== null) closeSync(this.#log);
  }

  #read(into: Buffer, offset: number): number {
    const log = this.#openLog();
    if (log === null) return 0;
    let filled = 0;
    while (filled < into.length) {
      const count = readSync(log, into, filled, into.length - filled, offset + filled);
      if (count === 0) break;
      filled += count;
    }
    return filled;
  }

  #openLog(): number | null {
    // SQLite deletes the log only when the last connection closes, so the descriptor stays valid.
    if (this.#log === null && statSync(`${this.#file}-wal`, { throwIfNoEntry: false }) !== undefined) {
      this.#log = openSync(`${this.#file}-wal`, 'r');
    }
    return this.#log;
  }
}

/** The frames after a position are lost, because something other than the replica emptied the log. */
export class LogStartedAgain extends Error {
  constructor() {
    super('The write-ahead log was started again before its frames were read.');
    this.name = 'LogStartedAgain';
  }
}

/** False if another process writes for longer than a checkpoint waits. */
function beginWriting(connection: Connection): boolean {
  try {
    connection.exec('BEGIN IMMEDIATE');
    return true;
  } catch (error) {
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) return false;
    throw error;
  }
}

/** Writes the log into the database file. False if a reader still needs an earlier state of the file. */
function isWrittenBack(connection: Connection): boolean {
  const until = performance.now() + CHECKPOINT_WAIT_MS;
  for (;;) {
    if (writeBack(connection) === 0) return true;
    if (performance.now() > until) return false;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, READERS_WAIT_MS);
  }
}

function beginReading(connection: Connection): void {
  connection.exec('BEGIN');
  connection.prepare('SELECT COUNT(*) FROM sqlite_schema').get();
}

function isSame(one: WalPosition, other: WalPosition | null): boolean {
  return one.salt === other?.salt && one.frame === other.frame;
}

function frameOffset({ pageBytes }: WalHeader, frame: number): number {
  return WAL_HEADER_BYTES + frame * (FRAME_HEADER_BYTES + pageBytes);
}
