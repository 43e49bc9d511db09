// The main thread's side of telemetry: counts in memory, and hands what came together to the telemetry thread. The thread is started
// only where a setting asks for something that it does. What it cannot take in time is dropped and counted: no mail waits for it.
import { Worker } from 'node:worker_threads';
import type { Log } from '../../lib/runtime/log.js';
import { monotonicMs } from '../../lib/runtime/monotonic.js';
import { workerUrl } from '../../lib/runtime/package-root.js';
import { threadEnded } from '../../lib/runtime/thread-ends.js';
import { HEARTBEAT_MS } from './heartbeat.rules.js';
import { Meters } from './meters.js';
import type { FromTelemetry, TelemetrySettings, ToTelemetry } from './telemetry-messages.js';

/** Between two batches, where nobody asks sooner. */
const BATCH_MS = 500;
const RESTART_MS = 1_000;
const END_MS = 5_000;
/** Lines and spans that wait for the thread; about 5 MB. */
const MAX_WAITING = 10_000;
/** Lines of one batch. */
const MAX_BATCH = 1_000;

export interface TelemetryDeps {
  settings: Omit<TelemetrySettings, 'heartbeat'>;
  /** Brings the gauges up to date before somebody sees them; it must not take long, and may be called again meanwhile. */
  measure: (meters: Meters) => Promise<void>;
  log: Log;
}

export class Telemetry {
  readonly meters = new Meters();
  readonly #deps: TelemetryDeps;
  readonly #heartbeat = new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT);
  #thread: Worker | null = null;
  #timers: NodeJS.Timeout[] = [];
  #lines: string[] = [];
  #spans: string[] = [];
  /** Lines that the thread has and did not acknowledge. */
  #isWriting = false;
  #isStopping = false;
  #ended: (() => void) | null = null;

  constructor(deps: TelemetryDeps) {
    this.#deps = deps;
  }

  /** The port of the metrics; null without one, or where it cannot be had. */
  async start(): Promise<number | null> {
    this.#watchLoop();
    this.#timers.push(setInterval(() => this.#flush(null), BATCH_MS).unref());
    try {
      return await this.#startThread();
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /** A line of the delivery log. */
  line(text: string): void {
    if (this.#lines.length < MAX_WAITING) this.#lines.push(text);
    else this.meters.count('posthorn_telemetry_dropped_total', ['lines']);
  }

  /** A span of OTLP, as JSON. */
  span(text: string): void {
    if (this.#spans.length < MAX_WAITING) this.#spans.push(text);
    else this.meters.count('posthorn_telemetry_dropped_total', ['spans']);
  }

  /** Hands over what there is and ends the thread; gives up after some seconds. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const timer of this.#timers) clearInterval(timer);
    const thread = this.#thread;
    if (thread === null) return;
    const ended = new Promise<void>((resolve) => (this.#ended = resolve));
    this.#isWriting = false;
    while (this.#lines.length > 0 || this.#spans.length > 0) this.#flush(null);
    this.#post({ kind: 'end' });
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([ended, new Promise((resolve) => (timer = setTimeout(resolve, END_MS)))]);
    clearTimeout(timer);
    await thread.terminate();
  }

  /** Tells the thread that this one runs, and how late its timers are. */
  #watchLoop(): void {
    const heartbeat = new Float64Array(this.#heartbeat);
    let due = monotonicMs() + HEARTBEAT_MS;
    heartbeat[0] = monotonicMs();
    const timer = setInterval(() => {
      const now = monotonicMs();
      heartbeat[0] = now;
      this.meters.observe('posthorn_event_loop_lag_seconds', [], Math.max(0, now - due) / 1000);
      due = now + HEARTBEAT_MS;
    }, HEARTBEAT_MS);
    this.#timers.push(timer.unref());
  }

  /** Resolves with its port. */
  #startThread(): Promise<number | null> {
    const workerData: TelemetrySettings = { ...this.#deps.settings, heartbeat: this.#heartbeat };
    const thread = new Worker(workerUrl('operations/telemetry/telemetry-worker.js'), {
      workerData,
      // The process's environment holds secrets, and its flags are not meant for a worker.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 4 },
    });
    thread.unref();
    this.#thread = thread;
    this.#isWriting = false;
    thread.on('error', (error) => this.#deps.log.error({ err: error }, 'telemetry fault'));
    return new Promise((resolve, reject) => {
      thread.on('message', (message: FromTelemetry) => {
        if (message.kind !== 'ready') {
          this.#take(message);
          return;
        }
        const { port, problem } = message;
        if (problem !== null) {
          this.#deps.log.warn({ reason: problem }, 'no metrics: POSTHORN_METRICS_PORT gives another port');
        }
        resolve(port);
      });
      thread.on('exit', () => {
        this.#thread = null;
        this.#ended?.();
        reject(new Error('The telemetry thread ended before it listened.'));
        if (!this.#isStopping) this.#restartLater();
      });
    });
  }

  #restartLater(): void {
    threadEnded.tell({ kind: 'telemetry' });
    const timer = setTimeout(() => {
      if (this.#isStopping) return;
      this.#startThread().catch((error: unknown) => {
        this.#deps.log.error({ err: error }, 'telemetry fault');
        void this.#thread?.terminate();
      });
    }, RESTART_MS);
    this.#timers.push(timer.unref());
  }

  #take(message: Exclude<FromTelemetry, { kind: 'ready' }>): void {
    const { log, measure } = this.#deps;
    switch (message.kind) {
      case 'pull':
        measure(this.meters)
          .catch((error: unknown) => log.error({ err: error }, 'metrics fault'))
          .finally(() => this.#flush(message.id));
        return;
      case 'done':
        this.#isWriting = false;
        return;
      case 'problem':
        log.error({ reason: message.reason }, message.message);
        return;
      case 'ended':
        this.#ended?.();
    }
  }

  #flush(pull: number | null): void {
    const lines = this.#isWriting || this.#thread === null ? [] : this.#lines.splice(0, MAX_BATCH);
    const spans = this.#spans.splice(0, MAX_BATCH);
    if (lines.length > 0 && !this.#isStopping) this.#isWriting = true;
    this.#post({ kind: 'batch', meters: this.meters.take(), lines, spans, pull });
  }

  /** Without a thread, what was counted is lost with it; Prometheus sees its counters begin anew. */
  #post(message: ToTelemetry): void {
    this.#thread?.postMessage(message);
  }
}
