// Tests lines of the delivery log that the telemetry thread cannot take: how many are buffered, and the line that reports dropped
// ones.
import { EventEmitter } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLog } from '../../src/lib/runtime/index.js';
import { gapLine } from '../../src/operations/telemetry/delivery-line.rules.js';
import type { ToTelemetry } from '../../src/operations/telemetry/telemetry-messages.js';
import { Telemetry } from '../../src/operations/telemetry/telemetry.js';

/** Replaces the thread, and records its messages. */
class FakeThread extends EventEmitter {
  readonly lines: string[] = [];
  constructor() {
    super();
    threads.push(this);
    setImmediate(() => this.emit('message', { kind: 'ready', port: null, problem: null }));
  }
  postMessage(message: ToTelemetry): void {
    if (message.kind === 'end') this.emit('message', { kind: 'ended', isWritten: true });
    else this.lines.push(...message.lines);
  }
  acknowledge(): void {
    this.emit('message', { kind: 'done' });
  }
  unref(): void {
    // As the thread does.
  }
  terminate(): Promise<number> {
    return Promise.resolve(0);
  }
}

const threads: FakeThread[] = [];
const AT = Date.UTC(2026, 0, 1);
const GAP = (lines: number): string =>
  JSON.stringify({ time: '2026-01-01T00:00:00.000Z', event: 'gap', lines });
let telemetry: Telemetry;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearInterval', 'clearTimeout'] });
  threads.length = 0;
  telemetry = new Telemetry({
    settings: {
      ...{ metrics: null, deliveryLog: null, otlp: null },
      ...{ databaseFile: '', dataFolder: '', version: '', instanceId: '' },
    },
    measure: () => Promise.resolve(),
    openThread: () => new FakeThread(),
    clock: () => AT,
    log: createLog('silent'),
  });
  await telemetry.start();
});
afterEach(async () => {
  await telemetry.stop();
  vi.useRealTimers();
});

const batch = (): Promise<unknown> => vi.advanceTimersByTimeAsync(500);

it('marks a gap after lines that were queued when space ran out', async () => {
  telemetry.line('first');
  await batch();
  for (let i = 0; i < 10_003; i++) telemetry.line(String(i));
  // The thread is still writing, for example on a full disk.
  await batch();
  const [thread] = threads;
  expect(thread?.lines).toEqual(['first']);
  for (let i = 0; i < 11; i++) {
    thread?.acknowledge();
    await batch();
  }
  telemetry.line('last');
  thread?.acknowledge();
  await batch();
  expect(thread?.lines).toHaveLength(10_003);
  expect(thread?.lines.slice(-3)).toEqual(['9999', GAP(3), 'last']);
});

it('passes the lines of a thread that died to the next one', async () => {
  telemetry.line('first');
  await batch();
  telemetry.line('second');
  threads[0]?.emit('exit', 1);
  await vi.advanceTimersByTimeAsync(1_500);
  expect(threads).toHaveLength(2);
  expect(threads[1]?.lines).toEqual(['first', 'second']);
});

describe('a start', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'open-log-'))));
  afterEach(() => rm(folder, { recursive: true }));

  /** Lines that a run with this folder hands to its thread. */
  async function run(how: 'stopped' | 'killed'): Promise<readonly string[]> {
    const before = threads.length;
    const own = new Telemetry({
      settings: {
        ...{ metrics: null, otlp: null, databaseFile: '', dataFolder: folder, version: '', instanceId: '' },
        deliveryLog: { path: join(folder, 'delivery.log'), maxBytes: 1_000_000, files: 1 },
      },
      measure: () => Promise.resolve(),
      openThread: () => new FakeThread(),
      clock: () => AT,
      log: createLog('silent'),
    });
    await own.start();
    own.line('delivered');
    await batch();
    if (how === 'stopped') await own.stop();
    return threads[before]?.lines ?? [];
  }

  it('reports that lines may be missing after a kill, but not after a stop', async () => {
    expect(await run('stopped')).toEqual(['delivered']);
    expect(await run('killed')).toEqual(['delivered']);
    expect(await run('stopped')).toEqual([gapLine(null, AT), 'delivered']);
    expect(await run('stopped')).toEqual(['delivered']);
  });
});
