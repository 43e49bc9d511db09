import { describe, expect, it } from 'vitest';
import { createBell } from '../../../src/lib/runtime/wake-up.js';

describe('a bell', () => {
  it('wakes everyone who waits', async () => {
    const bell = createBell();
    const waits = [bell.wait(10_000), bell.wait(10_000)];
    bell.ring();
    expect(await Promise.all(waits)).toEqual([true, true]);
  });

  it('remembers one ring that nobody heard', async () => {
    const bell = createBell();
    bell.ring();
    bell.ring();
    expect(await bell.wait(10_000)).toBe(true);
    expect(await bell.wait(1)).toBe(false);
  });

  it('lets go after the time, or when the waiting is called off', async () => {
    const bell = createBell();
    expect(await bell.wait(1)).toBe(false);
    const calledOff = new AbortController();
    const wait = bell.wait(10_000, calledOff.signal);
    calledOff.abort();
    expect(await wait).toBe(false);
    expect(await bell.wait(10_000, calledOff.signal)).toBe(false);
    bell.ring();
    expect(await bell.wait(10_000)).toBe(true);
  });
});
