import { describe, expect, it } from 'vitest';
import { createWakeUp } from '../../../src/lib/concurrency/wake-up.js';

describe('a wake-up', () => {
  it('wakes all waiters', async () => {
    const wakeUp = createWakeUp();
    const waits = [wakeUp.wait(10_000), wakeUp.wait(10_000)];
    wakeUp.notify();
    expect(await Promise.all(waits)).toEqual([true, true]);
  });

  it('remembers one notification that arrived while nothing waited', async () => {
    const wakeUp = createWakeUp();
    wakeUp.notify();
    wakeUp.notify();
    expect(await wakeUp.wait(10_000)).toBe(true);
    expect(await wakeUp.wait(1)).toBe(false);
  });

  it('ends a wait after the time, or when it is aborted', async () => {
    const wakeUp = createWakeUp();
    expect(await wakeUp.wait(1)).toBe(false);
    const calledOff = new AbortController();
    const wait = wakeUp.wait(10_000, calledOff.signal);
    calledOff.abort();
    expect(await wait).toBe(false);
    expect(await wakeUp.wait(10_000, calledOff.signal)).toBe(false);
    wakeUp.notify();
    expect(await wakeUp.wait(10_000)).toBe(true);
  });
});
