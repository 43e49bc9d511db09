// The main thread's side of telemetry. It counts in memory and passes batches to the telemetry thread. The thread needs 20 MB, so
// it starts immediately only if it writes the delivery log or sends spans, and otherwise with the first connection to the metrics
// port (docs/adr/0119-the-telemetry-thread-starts-when-asked.md). Items beyond its capacity are dropped and counted, so that mail
// never waits for it. The delivery log has a line where lines were dropped.
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type FirstConnectionListener, listenForFirstConnection } from '../../lib/http/index.js';
import { type Clock, type Log, monotonicMs, workerUrl } from '../../lib/runtime/index.js';
import { threadEnded } from '../../lib/threads/index.js';
import type { OperationContext } from '../context.js';
import { gapLine } from './delivery-line.rules.js';
import { HEARTBEAT_MS } from './heartbeat.rules.js';
import { Meters } from './meters.js';
import type { FromTelemetry, TelemetrySettings, ToTelemetry } from './telemetry-messages.js';

/** Longest time (ms) between two batches. */
const BATCH_MS = 500;
const RESTART_MS = 1_000;
const END_MS = 5_000;
/** Maximum number of queued lines and spans, about 5 MB. */
const MAX_WAITING = 10_000;
/** Lines per batch. */
const MAX_BATCH = 1_000;

interface TelemetryContext extends Pick<OperationContext, 'clock' | 'log'> {
  settings: Omit<TelemetrySettings, 'heartbeat'>;
  /** Updates the gauges before a scrape. It must not take long, and may be called again while it runs. */
  measure: (meters: Meters) => Promise<void>;
  /** Default: the thread of telemetry-worker.ts. */
  openThread?: (settings: TelemetrySettings) => TelemetryThread;
}

/** The part of a worker thread that is used. */
interface TelemetryThread {
  on(event: 'message', listener: (message: FromTelemetry) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'exit', listener: () => void): unknown;
  postMessage(message: ToTelemetry): void;
  terminate(): Promise<number>;
  unref(): void;
}

function openWorker(workerData: TelemetrySettings): TelemetryThread {
  return new Worker(workerUrl('operations/telemetry/telemetry-worker.js'), {
    workerData,
    // The environment of the process contains secrets, and its flags are not meant for a worker.
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 4 },
  });
}

export class Telemetry {
  readonly meters = new Meters();
  readonly #settings: TelemetryContext['settings'];
  readonly #measure: TelemetryContext['measure'];
  readonly #openThread: (settings: TelemetrySettings) => TelemetryThread;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #heartbeat = new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT);
  #thread: TelemetryThread | null = null;
  /** Waits for the connection that starts the thread. */
  #listener: FirstConnectionListener | null = null;
  #timers: NodeJS.Timeout[] = [];
  #lines: string[] = [];
  #spans: string[] = [];
  /** Lines that were dropped since the last line that reports them. */
  #dropped = 0;
  /** Lines that the thread has received but not acknowledged. */
  #handedOver: readonly string[] = [];
  #isStopping = false;
  #ended: ((isWritten: boolean) => void) | null = null;

  constructor({ settings, measure, openThread = openWorker, clock, log }: TelemetryContext) {
    this.#settings = settings;
    this.#measure = measure;
    this.#openThread = openThread;
    this.#clock = clock;
    this.#log = log;
  }

  /** Returns the port of the metrics, or `null` if metrics are off or the port is not available. */
  async start(): Promise<number | null> {
    this.#watchLoop();
    this.#beginLog();
    this.#timers.push(setInterval(() => this.#flush(null), BATCH_MS).unref());
    const { metrics, deliveryLog, otlp } = this.#settings;
    try {
      if (metrics !== null && deliveryLog === null && otlp === null)
        return await this.#waitForScrape(metrics);
      return await this.#startThread(metrics);
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /** Returns the port on which it listens, or `null` if the port is not available. */
  async #waitForScrape(metrics: { host: string; port: number }): Promise<number | null> {
    try {
      this.#listener = await listenForFirstConnection(metrics, async (port) => {
        this.#listener = null;
        if ((await this.#startThread({ ...metrics, port })) === null)
          throw new Error('The metrics port is taken.');
      });
      return this.#listener.port;
    } catch (error) {
      this.#warnOfPort(error instanceof Error ? error.message : String(error));
      return null;
    }
  }

  #warnOfPort(reason: string): void {
    this.#log.warn({ reason }, 'metrics not available: choose another port with MAILKEEL_METRICS_PORT');
  }

  /** Writes a line if the previous process was killed while it had lines in memory. */
  #beginLog(): void {
    if (this.#settings.deliveryLog === null) return;
    try {
      if (openDeliveryLog(this.#settings.dataFolder)) this.line(gapLine(null, this.#clock()));
    } catch (error) {
      this.#log.error({ err: error }, 'delivery log: checking for lines lost by the previous process failed');
      this.line(gapLine(null, this.#clock()));
    }
  }

  /** Queues a line of the delivery log. */
  line(text: string): void {
    if (this.#lines.length < MAX_WAITING) {
      this.#lines.push(text);
      return;
    }
    this.#dropped += 1;
    this.meters.count('mailkeel_telemetry_dropped_total', ['lines']);
  }

  /** Queues a span of OTLP, as JSON. */
  span(text: string): void {
    if (this.#spans.length < MAX_WAITING) this.#spans.push(text);
    else this.meters.count('mailkeel_telemetry_dropped_total', ['spans']);
  }

  /** Flushes everything and ends the thread. Gives up after some seconds. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#listener?.close();
    for (const timer of this.#timers) clearInterval(timer);
    const thread = this.#thread;
    if (thread === null) return;
    const ended = new Promise<boolean>((resolve) => (this.#ended = resolve));
    this.#handedOver = [];
    while (this.#lines.length > 0 || this.#spans.length > 0) this.#flush(null);
    this.#post({ kind: 'end' });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), END_MS)));
    const isWritten = await Promise.race([ended, late]);
    clearTimeout(timer);
    await thread.terminate();
    const { deliveryLog, dataFolder } = this.#settings;
    if (deliveryLog !== null && isWritten && this.#dropped === 0) closeDeliveryLog(dataFolder);
  }

  /** Updates the heartbeat, and measures the delay of timers. */
  #watchLoop(): void {
    const heartbeat = new Float64Array(this.#heartbeat);
    let due = monotonicMs() + HEARTBEAT_MS;
    heartbeat[0] = monotonicMs();
    const timer = setInterval(() => {
      const now = monotonicMs();
      heartbeat[0] = now;
      this.meters.observe('mailkeel_event_loop_lag_seconds', [], Math.max(0, now - due) / 1000);
      due = now + HEARTBEAT_MS;
    }, HEARTBEAT_MS);
    this.#timers.push(timer.unref());
  }

  /** Resolves with the port. */
  #startThread(metrics: TelemetrySettings['metrics']): Promise<number | null> {
    const workerData: TelemetrySettings = { ...this.#settings, metrics, heartbeat: this.#heartbeat };
    const thread = this.#openThread(workerData);
    thread.unref();
    this.#thread = thread;
    thread.on('error', (error) => this.#log.error({ err: error }, 'telemetry failed'));
    return new Promise((resolve, reject) => {
      thread.on('message', (message: FromTelemetry) => {
        if (message.kind !== 'ready') {
          this.#take(message);
          return;
        }
        const { port, problem } = message;
        if (problem !== null) this.#warnOfPort(problem);
        resolve(port);
      });
      thread.on('exit', () => {
        this.#thread = null;
        // Some of them may already be written. A duplicate is better than a loss.
        this.#lines.unshift(...this.#handedOver);
        this.#handedOver = [];
        this.#ended?.(false);
        reject(new Error('The telemetry thread ended before it listened.'));
        if (!this.#isStopping) this.#restartLater(metrics);
      });
    });
  }

  #restartLater(metrics: TelemetrySettings['metrics']): void {
    threadEnded.publish({ kind: 'telemetry' });
    const timer = setTimeout(() => {
      if (this.#isStopping) return;
      this.#startThread(metrics).catch((error: unknown) => {
        this.#log.error({ err: error }, 'telemetry failed');
        void this.#thread?.terminate();
      });
    }, RESTART_MS);
    this.#timers.push(timer.unref());
  }

  #take(message: Exclude<FromTelemetry, { kind: 'ready' }>): void {
    switch (message.kind) {
      case 'pull':
        this.#measure(this.meters)
          .catch((error: unknown) => this.#log.error({ err: error }, 'metrics failed'))
          .finally(() => this.#flush(message.id));
        return;
      case 'done':
        this.#handedOver = [];
        return;
      case 'problem':
        this.#log.error({ reason: message.reason }, message.message);
        return;
      case 'ended':
        this.#ended?.(message.isWritten);
    }
  }

  #flush(pull: number | null): void {
    if (this.#listener !== null) this.meters.dropObservations();
    // Everything waits for the next thread, within its limits.
    if (this.#thread === null) return;
    const isBusy = this.#handedOver.length > 0;
    const lines = isBusy ? [] : this.#lines.splice(0, MAX_BATCH);
    const spans = this.#spans.splice(0, MAX_BATCH);
    if (!this.#isStopping) this.#handedOver = isBusy ? this.#handedOver : lines;
    // Reported after the lines that waited while the queue was full.
    if (this.#dropped > 0 && this.#lines.length < MAX_WAITING) {
      this.#lines.push(gapLine(this.#dropped, this.#clock()));
      this.#dropped = 0;
    }
    this.#post({ kind: 'batch', meters: this.meters.drain(), lines, spans, pull });
  }

  /** A thread's counts are lost with it, which Prometheus sees as a counter reset. */
  #post(message: ToTelemetry): void {
    this.#thread?.postMessage(message);
  }
}

/** A file in the data folder that exists while lines of the delivery log may be in memory only. */
const OPEN_LOG = 'delivery-log.open';

/** Returns true if the previous process ended without writing all lines. Throws if the folder is not writable. */
function openDeliveryLog(dataFolder: string): boolean {
  const file = join(dataFolder, OPEN_LOG);
  const isFound = existsSync(file);
  writeFileSync(file, '');
  return isFound;
}

function closeDeliveryLog(dataFolder: string): void {
  rmSync(join(dataFolder, OPEN_LOG), { force: true });
}
