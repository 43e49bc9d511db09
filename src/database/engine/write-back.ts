// Writes the log back into the database file in a thread, because no request would be answered during the tens of milliseconds that
// it takes. A first pass runs beside the writer, and a second, short one between two transactions, so that the next one can start
// the log again.
import { Worker } from 'node:worker_threads';
import { workerUrl } from '../../lib/runtime/index.js';
import type { FramesLeft, WriteBackData } from './write-back-port.js';

/** Frames after which the log is written back. */
const FULL_LOG = 2_000;
/** Most frames that the second pass is for. Readers of an earlier state of the file can prevent that more are written back. */
const SHORT_PASS = 1_000;
/** Commits between two checks of the log. */
const COMMITS_BETWEEN_LOOKS = 8;
/** Time (ms) without work after which the thread ends. */
const IDLE_MS = 30_000;

interface WriteBackOptions {
  /** The database file. */
  file: string;
  /** Frames of the log that are not in the database file yet. */
  framesLeft: () => number;
  /** Runs work between two transactions. */
  inOrder: (work: () => Promise<void>) => Promise<void>;
}

export class WriteBack {
  readonly #options: WriteBackOptions;
  #thread: Worker | null = null;
  #idle: NodeJS.Timeout | undefined;
  #answer: ((left: FramesLeft) => void) | null = null;
  #commits = 0;
  #isRunning = false;
  #isClosed = false;

  constructor(options: WriteBackOptions) {
    this.#options = options;
  }

  /** Called after each commit. */
  committed(): void {
    this.#commits += 1;
    if (this.#commits < COMMITS_BETWEEN_LOOKS || this.#isRunning || this.#isClosed) return;
    this.#commits = 0;
    if (this.#options.framesLeft() >= FULL_LOG) void this.#run();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idle);
    await this.#thread?.terminate();
  }

  /** If a pass fails, the next look starts another one. */
  async #run(): Promise<void> {
    this.#isRunning = true;
    const left = await this.#pass();
    if (left !== null && left <= SHORT_PASS)
      await this.#options.inOrder(async () => void (await this.#pass()));
    this.#isRunning = false;
  }

  #pass(): Promise<FramesLeft> {
    if (this.#isClosed) return Promise.resolve(null);
    clearTimeout(this.#idle);
    const thread = (this.#thread ??= this.#startThread());
    return new Promise<FramesLeft>((resolve) => {
      this.#answer = resolve;
      thread.postMessage(null);
    }).finally(() => {
      this.#idle = setTimeout(() => void thread.terminate(), IDLE_MS).unref();
    });
  }

  #startThread(): Worker {
    const data: WriteBackData = { file: this.#options.file };
    // The process's environment contains secrets, and its flags are not meant for a worker.
    const thread = new Worker(workerUrl('database/engine/write-back-worker.js'), {
      workerData: data,
      env: {},
      execArgv: [],
    });
    thread.unref();
    thread.on('message', (left: FramesLeft) => this.#answer?.(left));
    thread.on('error', () => undefined); // The end of the thread answers.
    thread.on('exit', () => {
      this.#thread = null;
      this.#answer?.(null);
    });
    return thread;
  }
}
