// Flushes commits to disk outside the main thread. SQLite could do it within COMMIT, but every request would wait for the disk.
import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';

/** The disk did not confirm a commit. */
export class FlushFailed extends Error {
  /** False if it was an earlier commit, so the work did not begin. */
  readonly wasCommitted: boolean;

  constructor(reason: string, { wasCommitted, cause }: { wasCommitted: boolean; cause?: unknown }) {
    super(`The disk did not confirm a commit: ${reason}`, { cause });
    this.name = 'FlushFailed';
    this.wasCommitted = wasCommitted;
  }
}

/** Flushes the octets of an open file to disk. */
export type FlushFile = (descriptor: number) => Promise<void>;

export class CommitFlush {
  readonly #flushFile: FlushFile;
  readonly #file: string;
  #log: number | null = null;
  #last: Promise<void> = Promise.resolve();
  #hasFailed = false;

  /** `file`: the database file. */
  constructor(file: string, flushFile: FlushFile = promisify(fdatasync)) {
    this.#file = file;
    this.#flushFile = flushFile;
  }

  /** Called after a commit. Resolves when it is on disk; rejects with FlushFailed. */
  flush(): Promise<void> {
    const flushing = this.#flushLog().catch((error: unknown) => {
      this.#hasFailed = true;
      throw new FlushFailed(error instanceof Error ? error.message : String(error), {
        wasCommitted: true,
        cause: error,
      });
    });
    this.#last = flushing.catch(() => undefined); // The writer of the commit gets the error.
    return flushing;
  }

  /** Resolves when the flush that is in progress has ended. */
  ended(): Promise<void> {
    return this.#last;
  }

  /**
   * After a failed flush, the log may lack octets on disk that later commits depend on. `writeBack` writes the whole log into the
   * database file and flushes that, which makes the log irrelevant; false if that was not possible.
   */
  recover(writeBack: () => boolean): void {
    if (!this.#hasFailed) return;
    if (!writeBack()) throw new FlushFailed('the log is still in use', { wasCommitted: false });
    this.#hasFailed = false;
  }

  close(): void {
    if (this.#log !== null) closeSync(this.#log);
    this.#log = null;
  }

  async #flushLog(): Promise<void> {
    // SQLite deletes the log only when the last connection closes, so the descriptor stays valid. Closing it releases no locks,
    // because SQLite locks other files.
    this.#log ??= openSync(`${this.#file}-wal`, 'r');
    await this.#flushFile(this.#log);
  }
}
