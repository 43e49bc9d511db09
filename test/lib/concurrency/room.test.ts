import { describe, expect, it, vi } from 'vitest';
import { createLog } from '../../../src/lib/runtime/index.js';
import { createLoop } from '../../../src/lib/concurrency/loop.js';
import { createLeasedRoom, joinParts } from '../../../src/lib/concurrency/room.js';

const log = createLog('silent');

/** Returns whether a promise has settled by the next turns of the event loop. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  void promise.finally(() => (settled = true));
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
  return settled;
}

describe('a room', () => {
  it('is closed at first, and can be entered while it is open', async () => {
    const room = createLeasedRoom();
    expect(room.enter()).toBeNull();
    room.open();
    const leave = room.enter();
    expect(leave).not.toBeNull();
    leave?.();
    await room.close();
    expect(room.enter()).toBeNull();
    room.open();
    expect(room.enter()).not.toBeNull();
  });

  it('is closed when all work in it has ended, and nothing enters meanwhile', async () => {
    const room = createLeasedRoom();
    room.open();
    const leaves = [room.enter(), room.enter()];
    const closed = room.close();
    const closedAgain = room.close();
    expect(room.enter()).toBeNull();
    leaves[0]?.();
    // Leaving again has no effect.
    leaves[0]?.();
    expect(await isSettled(closed)).toBe(false);
    leaves[1]?.();
    await closed;
    await closedAgain;
  });

  it('calls each listener once whenever it opens', () => {
    const room = createLeasedRoom();
    const opened = [vi.fn(), vi.fn()];
    for (const listener of opened) room.onOpened(listener);
    room.open();
    room.open();
    for (const listener of opened) expect(listener).toHaveBeenCalledTimes(1);
    void room.close();
    room.open();
    for (const listener of opened) expect(listener).toHaveBeenCalledTimes(2);
  });
});

describe('a room with parts', () => {
  it('can be entered while one of them is open, and each closes after the work in it', async () => {
    const parts = [createLeasedRoom(), createLeasedRoom()];
    const room = joinParts(parts, (workspaceNumber) => parts[workspaceNumber % 2]);
    expect(room.enter()).toBeNull();
    parts[0]?.open();
    expect([room.has(4), room.has(5)]).toEqual([true, false]);
    const leave = room.enter();
    // Work in progress does not count for a part that opens later.
    parts[1]?.open();
    await parts[1]?.close();
    const closed = parts[0]?.close() ?? Promise.reject(new Error('no part'));
    expect(room.has(4)).toBe(false);
    expect(room.enter()).toBeNull();
    expect(await isSettled(closed)).toBe(false);
    leave?.();
    await closed;
  });

  it('calls each listener whenever a part opens', () => {
    const parts = [createLeasedRoom(), createLeasedRoom()];
    const opened = vi.fn();
    joinParts(parts, () => undefined).onOpened(opened);
    for (const part of parts) part.open();
    expect(opened).toHaveBeenCalledTimes(2);
  });
});

describe('a loop in a room', () => {
  /** Runs that the test ends. */
  function loopIn(room: ReturnType<typeof createLeasedRoom>, intervalMs = 60_000) {
    const runs: ((hasMore: boolean) => void)[] = [];
    const run = (): Promise<boolean> => new Promise((resolve) => void runs.push(resolve));
    return { runs, loop: createLoop({ name: 'test', run, intervalMs, log, room }) };
  }
  const began = (runs: readonly unknown[], count: number) =>
    vi.waitFor(() => expect(runs).toHaveLength(count));

  it('runs while it has the room, and is woken when it gets it', async () => {
    const room = createLeasedRoom();
    const { loop, runs } = loopIn(room);
    loop.start();
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
    expect(runs).toHaveLength(0);
    // The interval is a minute.
    room.open();
    await began(runs, 1);
    runs[0]?.(true);
    await began(runs, 2);
    runs[1]?.(false);
    await loop.stop();
  });

  it('checks for the room at its interval without a notification', async () => {
    const room = createLeasedRoom();
    let asked = 0;
    const enter = (): null => {
      asked += 1;
      return null;
    };
    const closed = { enter, onOpened: (listener: () => void) => room.onOpened(listener) };
    const run = (): Promise<boolean> => Promise.reject(new Error('not its room'));
    const loop = createLoop({ name: 'test', run, intervalMs: 1, log, room: closed });
    loop.start();
    await vi.waitFor(() => expect(asked).toBeGreaterThan(3));
    await loop.stop();
  });

  it('with more work stops when the room closes, which waits for the run', async () => {
    const room = createLeasedRoom();
    room.open();
    const { loop, runs } = loopIn(room);
    loop.start();
    await began(runs, 1);
    const closed = room.close();
    expect(await isSettled(closed)).toBe(false);
    runs[0]?.(true);
    await closed;
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
    expect(runs).toHaveLength(1);
    room.open();
    await began(runs, 2);
    runs[1]?.(false);
    await loop.stop();
  });

  it('leaves it after an error, too', async () => {
    const room = createLeasedRoom();
    room.open();
    let runs = 0;
    const run = (): Promise<boolean> => {
      runs += 1;
      return Promise.reject(new Error('broken'));
    };
    const loop = createLoop({ name: 'test', run, intervalMs: 60_000, log, room, backoffMs: 60_000 });
    loop.start();
    await vi.waitFor(() => expect(runs).toBe(1));
    await room.close();
    await loop.stop();
  });
});
