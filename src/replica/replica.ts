// The server's side of the replica of the embedded database: starts the thread that follows the log, and resolves what waits for
// it.
import { Worker } from 'node:worker_threads';
import { setTimeout as pause } from 'node:timers/promises';
import type { FileUpkeep } from '../database/engine/engine.js';
import { type Log, systemClock, workerUrl } from '../lib/runtime/index.js';
import type { FromShipper, ReportedState, ShipperSettings, ToShipper } from './shipper-port.js';

/** Pause (ms) before a failed thread is restarted. */
const RESTART_MS = 1_000;
/** Longest turn (ms); then the thread has failed. */
const TURN_MS = 10_000;

interface ReplicaOptions {
  settings: ShipperSettings;
  upkeep: Pick<FileUpkeep, 'pauseWrites'>;
  log: Log;
  /**
   * Another server writes the replica, in this generation, so this server must stop. `isBehind` if it lacks changes of the other.
   */
  onFenced: (by: { generation: number; isBehind: boolean }) => void;
}

export class Replica {
  readonly #options: ReplicaOptions;
  /** Calls of `store` in order; times as in `performance`. */
  readonly #waiting = new Map<number, { since: number; resolve: () => void }>();
  #thread: Worker | null = null;
  #state: ReportedState | null = null;
  #tokens = 0;
  #isClosing = false;
  #turnIsOver: () => void = () => undefined;
  #stopped: () => void = () => undefined;

  constructor(options: ReplicaOptions) {
    this.#options = options;
  }

  /** Null until the thread has reported. */
  get state(): ReportedState | null {
    return this.#state;
  }

  /** Time (ms) for which the oldest commit has waited for the storage; 0 if none waits. */
  get waitedMs(): number {
    const [oldest] = this.#waiting.values();
    return oldest === undefined ? 0 : performance.now() - oldest.since;
  }

  /** Resolves when the thread holds the log of the database, before anything is written. */
  open(): Promise<void> {
    return new Promise((resolve, reject) => {
      const { settings } = this.#options;
      const thread = new Worker(workerUrl('replica/shipper-worker.js'), {
        workerData: settings,
        env: {},
        execArgv: [],
      });
      this.#thread = thread;
      thread.on('message', (message: FromShipper) => {
        if (message.kind === 'held') {
          for (const token of this.#waiting.keys()) this.#post({ kind: 'store', token });
          resolve();
        } else this.#receive(message);
      });
      thread.on('error', (error: Error) => {
        this.#options.log.error({ err: error }, 'replica thread failed');
        reject(error);
      });
      thread.on('exit', () => {
        this.#turnIsOver();
        this.#stopped();
        this.#noteFailure();
        if (this.#thread === thread) void this.#reopen();
      });
    });
  }

  /** Resolves when the storage has everything that was committed before the call. */
  store(): Promise<void> {
    const token = (this.#tokens += 1);
    return new Promise((resolve) => {
      this.#waiting.set(token, { since: performance.now(), resolve });
      this.#post({ kind: 'store', token });
    });
  }

  /** Stores the rest, for a few seconds at most. Nothing is written afterwards. */
  async close(): Promise<void> {
    this.#isClosing = true;
    if (this.#thread === null) return;
    const stopped = new Promise<void>((resolve) => {
      this.#stopped = resolve;
    });
    this.#post({ kind: 'stop' });
    await stopped;
    this.#thread = null;
  }

  #receive(message: Exclude<FromShipper, { kind: 'held' }>): void {
    switch (message.kind) {
      case 'turn':
        void this.#options.upkeep.pauseWrites(() => this.#turn());
        break;
      case 'turn_over':
        this.#turnIsOver();
        break;
      case 'stored':
        this.#waiting.get(message.token)?.resolve();
        this.#waiting.delete(message.token);
        break;
      case 'state':
        this.#state = message.state;
        break;
      case 'fenced':
        this.#options.onFenced(message);
        break;
      case 'stopped':
        this.#stopped();
    }
  }

  #turn(): Promise<void> {
    return new Promise((resolve) => {
      const late = setTimeout(() => void this.#thread?.terminate(), TURN_MS);
      this.#turnIsOver = () => {
        clearTimeout(late);
        resolve();
      };
      this.#post({ kind: 'turn_begun' });
    });
  }

  /** Records the failure, because nothing is stored until the thread runs again. */
  #noteFailure(): void {
    if (this.#state === null || this.#isClosing) return;
    const away = { since: this.#state.away?.since ?? systemClock(), reason: 'the replica thread failed' };
    this.#state = { ...this.#state, away, waitingSince: this.#state.waitingSince ?? away.since };
  }

  async #reopen(): Promise<void> {
    this.#thread = null;
    await pause(RESTART_MS);
    if (this.#isClosing) return;
    await this.open().catch(() => undefined); // its end opens it again
  }

  #post(message: ToShipper): void {
    this.#thread?.postMessage(message);
  }
}
