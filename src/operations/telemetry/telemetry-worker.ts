// The telemetry thread serves Prometheus and health probes, writes the delivery log, and sends spans. It continues while the main
// thread is blocked, and reports for how long.
import { stat, statfs } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { type PlainAnswer, type PlainServer, servePlain } from '../../lib/http/index.js';
import { monotonicMs, systemClock } from '../../lib/runtime/index.js';
import { openLineFile } from '../../lib/files/index.js';
import { SpanExport } from './span-export.js';
import { MetricsRegistry } from './registry.js';
import { isStalled, stalledMs } from './heartbeat.rules.js';
import type { FromTelemetry, TelemetrySettings, ToTelemetry } from './telemetry-messages.js';

/** Time (ms) that a scrape waits for current values of the main thread before it gets the previous ones. */
const PULL_MS = 750;
const LOG_RETRY_MS = 1_000;
/** Shortest time (ms) between two reports of the same problem. */
const PROBLEM_EVERY_MS = 60_000;

const port = parentPort;
if (port === null) throw new Error('This is the entry of a worker thread.');
const settings = workerData as TelemetrySettings;
const heartbeat = new Float64Array(settings.heartbeat);
const registry = new MetricsRegistry();
const waitingPulls = new Map<number, () => void>();
const reportedAt = new Map<string, number>();
const exporter =
  settings.otlp === null ? null : new SpanExport(settings.otlp, settings, { onDropped, onProblem: report });
const deliveryLog = settings.deliveryLog === null ? null : openLineFile(settings.deliveryLog);
let lastPull = 0;
let isEnding = false;
let isWritten = true;
let writing: Promise<void> = Promise.resolve();
let server: PlainServer | null = null;
let cpuSeconds = 0;

function post(message: FromTelemetry): void {
  port?.postMessage(message);
}

/** Reports a problem to the program's log, rate-limited. */
function report(message: string, error: unknown): void {
  const now = monotonicMs();
  if (now - (reportedAt.get(message) ?? -Infinity) < PROBLEM_EVERY_MS) return;
  reportedAt.set(message, now);
  post({ kind: 'problem', message, reason: error instanceof Error ? error.message : String(error) });
}

function onDropped(count: number): void {
  registry.count('mailkeel_telemetry_dropped_total', ['spans'], count);
}

port.on('message', (message: ToTelemetry) => {
  if (message.kind === 'end') {
    void end();
    return;
  }
  registry.apply(message.meters);
  if (message.pull !== null) {
    waitingPulls.get(message.pull)?.();
    waitingPulls.delete(message.pull);
  }
  exporter?.add(message.spans);
  if (message.lines.length > 0) writing = writing.then(() => writeLines(message.lines));
});

/** Resolves once the lines are written. While the disk is full, the main thread keeps, drops and counts further lines. */
async function writeLines(lines: readonly string[]): Promise<void> {
  while (deliveryLog !== null) {
    try {
      await deliveryLog.append(lines);
      break;
    } catch (error) {
      registry.count('mailkeel_delivery_log_failures_total', [], 1);
      report('writing the delivery log failed', error);
      if (isEnding) {
        isWritten = false;
        break;
      }
      await pause(LOG_RETRY_MS);
    }
  }
  post({ kind: 'done' });
}

async function end(): Promise<void> {
  isEnding = true;
  await server?.close();
  await writing;
  await deliveryLog?.close();
  await exporter?.end();
  post({ kind: 'ended', isWritten });
}

/** Resolves when the main thread has answered, or after a timeout. */
function pull(): Promise<void> {
  lastPull += 1;
  const id = lastPull;
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      waitingPulls.delete(id);
      resolve();
    };
    const timer = setTimeout(done, PULL_MS);
    waitingPulls.set(id, done);
    post({ kind: 'pull', id });
  });
}

async function metrics(): Promise<PlainAnswer> {
  await pull();
  await measure();
  return { status: 200, contentType: registry.contentType, body: await registry.text() };
}

/** Sets the values that this thread measures itself. */
async function measure(): Promise<void> {
  const cpu = process.cpuUsage();
  const total = (cpu.user + cpu.system) / 1e6;
  registry.count('mailkeel_cpu_seconds_total', [], Math.max(0, total - cpuSeconds));
  cpuSeconds = total;
  registry.set('mailkeel_resident_memory_bytes', process.memoryUsage.rss());
  registry.set('mailkeel_event_loop_stalled_seconds', stalledMs(heartbeat[0] ?? 0, monotonicMs()) / 1000);
  await Promise.all([
    ...(settings.databaseFile === null ? [] : measureSizes(settings.databaseFile)),
    diskInto(),
  ]);
}

function measureSizes(file: string): Promise<void>[] {
  return [sizeInto('mailkeel_database_bytes', file), sizeInto('mailkeel_database_log_bytes', `${file}-wal`)];
}

async function sizeInto(
  name: 'mailkeel_database_bytes' | 'mailkeel_database_log_bytes',
  file: string,
): Promise<void> {
  try {
    registry.set(name, (await stat(file)).size);
  } catch {
    // There is no log before the first write.
    registry.set(name, 0);
  }
}

async function diskInto(): Promise<void> {
  try {
    const { bavail, blocks, bsize } = await statfs(settings.dataFolder);
    registry.set('mailkeel_disk_free_bytes', bavail * bsize);
    registry.set('mailkeel_disk_size_bytes', blocks * bsize);
  } catch (error) {
    report('measuring the disk of the data folder failed', error);
  }
}

function health(): Promise<PlainAnswer> {
  const stalled = stalledMs(heartbeat[0] ?? 0, monotonicMs());
  const isBad = isStalled(stalled);
  const body = { status: isBad ? 'stalled' : 'ok', stalled_seconds: Math.round(stalled) / 1000 };
  return Promise.resolve({
    status: isBad ? 503 : 200,
    contentType: 'application/json',
    body: `${JSON.stringify(body)}\n`,
  });
}

async function listen({ host, port: wanted }: { host: string; port: number }): Promise<void> {
  try {
    server = await servePlain({ host, port: wanted }, { '/metrics': metrics, '/healthz': health });
    post({ kind: 'ready', port: server.port, problem: null });
  } catch (error) {
    post({ kind: 'ready', port: null, problem: error instanceof Error ? error.message : String(error) });
  }
}

registry.set('mailkeel_start_time_seconds', Math.round(systemClock() / 1000 - process.uptime()));
registry.apply({
  counts: [],
  observations: [],
  gauges: [['mailkeel_build_info', [[[settings.version], 1]]]],
});
if (settings.metrics === null) post({ kind: 'ready', port: null, problem: null });
else void listen(settings.metrics);
