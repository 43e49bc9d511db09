// Appends lines to a log file with rotation by size: `name` is written, `name.1` is the newest full file.
// Also writes to standard output. Another program may rotate the file too; a removed or replaced file is
// opened again.
import { constants, type Stats } from 'node:fs';
import { open, rename, stat, unlink, type FileHandle } from 'node:fs/promises';
import { write } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const STANDARD_OUTPUT = '-';
const STDOUT_FD = 1;
const LINE_END = 0x0a;
/**
 * A pipe takes this many octets in one piece (POSIX PIPE_BUF), so that other writers' lines don't interleave.
 */
const PIECE_BYTES = 4_096;
const FULL_PIPE_PAUSE_MS = 20;
/** Time that a reader of standard output may stall before lines are given up. */
const FULL_PIPE_LIMIT_MS = 5_000;
/** Readable by owner and group only, because lines reveal who writes to whom. */
const FILE_MODE = 0o640;

interface LineFile {
  /**
   * Appends the lines. If it rejects with the system's error, some of them may be written. Make one call at a
   * time.
   */
  append(lines: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

export function openLineFile(options: { path: string; maxBytes: number; files: number }): LineFile {
  return options.path === STANDARD_OUTPUT ? standardOutput() : new RotatedFile(options);
}

class RotatedFile implements LineFile {
  readonly #path: string;
  readonly #maxBytes: number;
  readonly #files: number;
  #handle: FileHandle | null = null;
  #opened: Stats | null = null;
  #size = 0;

  constructor({ path, maxBytes, files }: { path: string; maxBytes: number; files: number }) {
    this.#path = path;
    this.#maxBytes = maxBytes;
    this.#files = files;
  }

  async append(lines: readonly string[]): Promise<void> {
    try {
      const handle = await this.#current();
      const octets = Buffer.from(`${lines.join('\n')}\n`);
      await handle.appendFile(octets);
      this.#size += octets.length;
      if (this.#size >= this.#maxBytes) await this.#rotate();
    } catch (error) {
      // After a full disk or a lost file system, the next call checks the file again.
      await this.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = null;
    await handle?.close();
  }

  async #current(): Promise<FileHandle> {
    if (this.#handle !== null && !(await this.#isReplaced())) return this.#handle;
    await this.close();
    const { O_APPEND, O_CREAT, O_RDWR } = constants;
    const handle = await open(this.#path, O_APPEND | O_CREAT | O_RDWR, FILE_MODE);
    this.#handle = handle;
    this.#opened = await handle.stat();
    this.#size = this.#opened.size;
    await this.#endBrokenLine(handle);
    return handle;
  }

  /** A crash or a full disk may have cut the last line, so the next one starts on its own line. */
  async #endBrokenLine(handle: FileHandle): Promise<void> {
    if (this.#size === 0) return;
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(1), 0, 1, this.#size - 1);
    if (bytesRead === 1 && buffer[0] !== LINE_END) await handle.appendFile('\n');
  }

  async #isReplaced(): Promise<boolean> {
    try {
      const { ino, dev, size } = await stat(this.#path);
      // Another program may have truncated it (logrotate's copytruncate).
      if (size < this.#size) this.#size = size;
      return ino !== this.#opened?.ino || dev !== this.#opened.dev;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return true;
      throw error;
    }
  }

  /** Renames `name.1` to `name.2` and so on; removes the oldest. */
  async #rotate(): Promise<void> {
    await this.close();
    const last = this.#files - 1;
    if (last === 0) {
      await unlink(this.#path);
      return;
    }
    for (let number = last; number >= 1; number--) {
      const from = number === 1 ? this.#path : `${this.#path}.${number - 1}`;
      await rename(from, `${this.#path}.${number}`).catch((error: unknown) => {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
      });
    }
  }
}

function standardOutput(): LineFile {
  async function writePiece(piece: Buffer): Promise<void> {
    const deadline = performance.now() + FULL_PIPE_LIMIT_MS;
    let offset = 0;
    while (offset < piece.length) {
      try {
        offset += await writeSome(piece, offset);
      } catch (error) {
        const isFull = error instanceof Error && 'code' in error && error.code === 'EAGAIN';
        if (!isFull || performance.now() > deadline) throw error;
        await pause(FULL_PIPE_PAUSE_MS);
      }
    }
  }

  return {
    async append(lines) {
      let piece = '';
      for (const line of lines) {
        const next = `${line}\n`;
        if (piece !== '' && Buffer.byteLength(piece) + Buffer.byteLength(next) > PIECE_BYTES) {
          await writePiece(Buffer.from(piece));
          piece = '';
        }
        piece += next;
      }
      if (piece !== '') await writePiece(Buffer.from(piece));
    },
    close: () => Promise.resolve(),
  };
}

function writeSome(octets: Buffer, offset: number): Promise<number> {
  return new Promise((resolve, reject) => {
    write(STDOUT_FD, octets, offset, null, (error, written) => {
      if (error) reject(error);
      else resolve(written);
    });
  });
}
