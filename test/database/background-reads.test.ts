import { expect, it, vi } from 'vitest';
import { BackgroundReads, withPatience } from '../../src/database/background-reads.js';
import { createReadings } from '../../src/database/engine/reading.js';

/** A count that lasts until the test ends it. */
function gate() {
  let resolve: (count: number) => void = () => undefined;
  const promise = new Promise<number>((ended) => (resolve = ended));
  return { promise, resolve: (count: number) => resolve(count) };
}

function rig() {
  const readings = createReadings();
  const open = vi.fn((owner: string, budgetMs: number | null) => readings.open(owner, budgetMs));
  const warn = vi.fn();
  const reads = new BackgroundReads<number>({
    readings: { open },
    log: { warn } as never,
    name: 'counting sheep',
  });
  return { reads, readings, open, warn };
}

/** The read of a key, by default of one owner. */
const of = (key: string, owner = 'ann') => ({ owner, key });

it('joins callers of one key, and runs different keys of an owner one after the other', async () => {
  const { reads } = rig();
  const first = gate();
  const second = vi.fn(() => Promise.resolve(2));
  const waiting = [
    reads.read(of('a'), () => first.promise),
    reads.read(of('a'), second),
    reads.read(of('b'), second),
  ];
  await Promise.resolve();
  expect(second).not.toHaveBeenCalled();
  first.resolve(1);
  expect(await Promise.all(waiting)).toEqual([1, 1, 2]);
  expect(second).toHaveBeenCalledTimes(1);
});

it('runs the read of another owner before the rest of an owner with many', async () => {
  const { reads } = rig();
  const slow = gate();
  const many = ['a', 'b', 'c'].map((key) => reads.read(of(key), () => slow.promise));
  expect(await reads.read(of('d', 'bob'), () => Promise.resolve(4))).toBe(4);
  // A third owner waits for one of the two that run.
  const held = gate();
  const order: string[] = [];
  const bob = reads.read(of('e', 'bob'), () => held.promise);
  const eve = reads.read(of('f', 'eve'), () => Promise.resolve(order.push('eve')));
  const later = reads.read(of('g', 'bob'), () => Promise.resolve(order.push('bob')));
  await new Promise(setImmediate);
  expect(order).toEqual([]);
  held.resolve(5);
  expect(await Promise.all([bob, eve, later])).toEqual([5, 1, 2]);
  expect(order).toEqual(['eve', 'bob']);
  slow.resolve(1);
  expect(await Promise.all(many)).toEqual([1, 1, 1]);
});

it('does not use up the time of the request that asks', async () => {
  const { reads, readings, open } = rig();
  const request = readings.open('a customer', 10);
  await request
    .run(() => reads.read(of('a'), () => Promise.resolve(readings.current()?.leftMs ?? -1)))
    .then((left) => {
      expect(left).toBe(-1);
    });
  expect(open).toHaveBeenCalledWith('counting sheep', null);
  request.end();
});

it('logs a failure, and starts over at the next call', async () => {
  const { reads, warn } = rig();
  expect(await reads.read(of('a'), () => Promise.reject(new Error('no disk')))).toBeNull();
  expect(warn).toHaveBeenCalledTimes(1);
  expect(await reads.read(of('a'), () => Promise.resolve(3))).toBe(3);
});

it('starts over for a key that was forgotten', async () => {
  const { reads } = rig();
  const old = reads.read(of('a'), () => Promise.resolve(1));
  reads.forget('a');
  expect(await Promise.all([old, reads.read(of('a'), () => Promise.resolve(2))])).toEqual([1, 2]);
});

it('stops after the running read, and does not begin the waiting ones', async () => {
  const { reads } = rig();
  const first = gate();
  const running = reads.read(of('a'), () => first.promise);
  await new Promise(setImmediate);
  const later = vi.fn(() => Promise.resolve(2));
  const waiting = reads.read(of('b'), later);
  const stopped = reads.stop();
  first.resolve(1);
  await stopped;
  expect(await Promise.all([running, waiting])).toEqual([1, null]);
  expect(later).not.toHaveBeenCalled();
});

it('patience ends before work that takes longer, and passes failures on', async () => {
  const never = new Promise<number>(() => undefined);
  expect(await withPatience(never, 1)).toBeNull();
  expect(await withPatience(Promise.resolve(4), 1_000)).toBe(4);
  await expect(withPatience(Promise.reject(new Error('no')), 1_000)).rejects.toThrow('no');
});
