import { Writable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { createWakeUp } from '../../../src/lib/concurrency/wake-up.js';
import { createTimetable } from '../../../src/lib/concurrency/cron.js';
import { createLog, installShutdown } from '../../../src/lib/runtime/index.js';
import { createLoop } from '../../../src/lib/concurrency/loop.js';
import { EventEmitter } from 'node:events';

function captured(): { lines: Record<string, unknown>[]; stream: Writable } {
  const lines: Record<string, unknown>[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
      done();
    },
  });
  return { lines, stream };
}

const silent = createLog('silent');

describe('a loop', () => {
  it('continues while there is more work, then waits for a wake-up', async () => {
    const wakeUp = createWakeUp();
    let ticks = 0;
    const run = (): Promise<boolean> => Promise.resolve(++ticks < 3);
    const loop = createLoop({ name: 'test', run, intervalMs: 60_000, log: silent, wakeUp });
    loop.start();
    loop.start();
    await vi.waitFor(() => expect(ticks).toBe(3));
    wakeUp.notify();
    await vi.waitFor(() => expect(ticks).toBe(4));
    await loop.stop();
    expect(ticks).toBe(4);
  });

  it('runs after the interval without a wake-up', async () => {
    let ticks = 0;
    const run = (): Promise<boolean> => Promise.resolve(++ticks < 0);
    const loop = createLoop({ name: 'test', run, intervalMs: 1, log: silent });
    loop.start();
    await vi.waitFor(() => expect(ticks).toBeGreaterThan(3));
    await loop.stop();
  });

  it('logs an error and retries with a growing delay', async () => {
    const { lines, stream } = captured();
    let ticks = 0;
    const run = (): Promise<boolean> =>
      ++ticks < 4 ? Promise.reject(new Error('broken')) : Promise.resolve(false);
    const log = createLog('info', stream);
    const loop = createLoop({ name: 'test', run, intervalMs: 60_000, log, backoffMs: 1, maxBackoffMs: 3 });
    loop.start();
    await vi.waitFor(() => expect(ticks).toBe(4));
    await loop.stop();
    expect(lines.map((line) => line['wait_ms'])).toEqual([1, 2, 3]);
    expect(lines[0]).toMatchObject({
      level: 'error',
      msg: 'loop failed',
      loop: 'test',
      err: { message: 'broken' },
    });
  });

  it('waits for the current run when it is stopped, and starts no other', async () => {
    let finish: (more: boolean) => void = () => undefined;
    let ticks = 0;
    let isStopped = false;
    const run = (): Promise<boolean> => {
      ticks += 1;
      return new Promise((resolve) => (finish = resolve));
    };
    const loop = createLoop({ name: 'test', run, intervalMs: 1, log: silent });
    loop.start();
    await vi.waitFor(() => expect(ticks).toBe(1));
    const stopping = loop.stop().then(() => (isStopped = true));
    await new Promise(setImmediate);
    expect(isStopped).toBe(false);
    finish(true);
    await stopping;
    expect(ticks).toBe(1);
  });
});

describe('the log', () => {
  it('writes JSON lines and removes secrets and contents', () => {
    const { lines, stream } = captured();
    const log = createLog('info', stream);
    log.debug('unseen');
    log.info(
      { message_id: 'msg_1', secret: 'x', req: { headers: { authorization: 'Bearer x' } }, m: { html: 'x' } },
      'said',
    );
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      level: 'info',
      msg: 'said',
      message_id: 'msg_1',
      secret: '(redacted)',
      req: { headers: { authorization: '(redacted)' } },
      m: { html: '(redacted)' },
    });
    expect(lines[0]?.['time']).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
  });
});

describe('shutdown', () => {
  it('closes in order, continues after a failed step, and reports it in the exit code', async () => {
    const closed: string[] = [];
    const exits: number[] = [];
    const signals = new EventEmitter();
    const steps = [
      { name: 'http', close: () => void closed.push('http') },
      { name: 'mta', close: () => Promise.reject(new Error('stuck')) },
      { name: 'store', close: () => void closed.push('store') },
    ];
    const exit = (code: number): void => void exits.push(code);
    installShutdown({ steps, graceMs: 10_000, log: silent, exit, signals });
    signals.emit('SIGTERM');
    await vi.waitFor(() => expect(exits).toEqual([1]));
    expect(closed).toEqual(['http', 'store']);
  });

  it('ends at the deadline, and immediately on a second signal', async () => {
    const exits: number[] = [];
    const signals = new EventEmitter();
    const steps = [{ name: 'never', close: () => new Promise<void>(() => undefined) }];
    const exit = (code: number): void => void exits.push(code);
    const shutdown = installShutdown({ steps, graceMs: 20, log: silent, exit, signals });
    signals.emit('SIGINT');
    signals.emit('SIGINT');
    expect(exits).toEqual([130]);
    await shutdown();
    expect(exits).toEqual([130, 1]);
  });
});

describe('the timetable', () => {
  it('runs a job at its times, survives its errors, and waits for it at the end', async () => {
    const { lines, stream } = captured();
    const timetable = createTimetable({ log: createLog('info', stream) });
    let ticks = 0;
    timetable.schedule('sweep', '* * * * * *', () => {
      ticks += 1;
      return Promise.reject(new Error('broken'));
    });
    await vi.waitFor(() => expect(lines).toHaveLength(2), { timeout: 5000 });
    await timetable.stop();
    expect(ticks).toBe(2);
    expect(lines[0]).toMatchObject({ msg: 'job failed', job: 'sweep' });
    expect(() => timetable.schedule('bad', 'not a pattern', () => Promise.resolve())).toThrow();
  });

  it('runs a job beside a long one with the same times, but the long one not twice at once', async () => {
    const timetable = createTimetable({ log: silent });
    const runs = { long: 0, short: 0 };
    let end = (): void => undefined;
    timetable.schedule('long', '* * * * * *', () => {
      runs.long += 1;
      return new Promise((resolve) => (end = resolve));
    });
    timetable.schedule('short', '* * * * * *', () => {
      runs.short += 1;
      return Promise.resolve();
    });
    await vi.waitFor(() => expect(runs.short).toBe(2), { timeout: 5000 });
    expect(runs.long).toBe(1);
    end();
    await timetable.stop();
  });
});
