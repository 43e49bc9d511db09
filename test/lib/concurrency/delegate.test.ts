// Tests an object that is replaced: calls repeated on the new one, and a repetition that fails.
import pino from 'pino';
import { expect, it } from 'vitest';
import { Delegate } from '../../../src/lib/concurrency/delegate.js';
import type { Log } from '../../../src/lib/runtime/index.js';

class Limits {
  readonly calls: string[] = [];
  /** Changes that fail, by name. */
  readonly broken = new Set<string>();

  read(): number {
    this.calls.push('read');
    return this.calls.length;
  }
  put(name: string): void {
    if (this.broken.has(name)) throw new Error(`no ${name}`);
    this.calls.push(name);
  }
  async remove(name: string): Promise<boolean> {
    await Promise.resolve();
    this.put(name);
    return true;
  }
}

function given() {
  const lines: { err: { message: string } }[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) }) as Log;
  const [former, next] = [{ limits: new Limits() }, { limits: new Limits() }];
  const delegate = new Delegate(former, log);
  const limits = {
    read: () => delegate.object.limits.read(),
    put: (name: string) => delegate.change((now) => now.limits.put(name)),
    remove: (name: string) => delegate.change((now) => now.limits.remove(name)),
  };
  let resolve: () => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const replaced = delegate.replace(
    () =>
      new Promise<typeof next>((succeed, fail) => {
        resolve = () => succeed(next);
        reject = fail;
      }),
  );
  const ready = { resolve, reject };
  return { delegate, limits, former, next, ready, replaced, lines };
}

it('repeats changes, but not reads, that arrived while the new instance was created, in order', async () => {
  const { delegate, limits, former, next, ready, replaced } = given();
  limits.put('a');
  expect(limits.read()).toBe(2);
  expect(await limits.remove('b')).toBe(true);
  delegate.change(({ limits: now }) => now.put('c'));
  expect(next.limits.calls).toEqual([]);
  ready.resolve();
  await replaced;
  limits.put('d');
  await expect.poll(() => next.limits.calls.toSorted()).toEqual(['a', 'b', 'c', 'd']);
  expect(former.limits.calls).toEqual(['a', 'read', 'b', 'c']);
});

it('logs a failed repetition, and continues with the new instance and the other changes', async () => {
  const { delegate, limits, next, ready, replaced, lines } = given();
  limits.put('a');
  await limits.remove('b');
  limits.put('c');
  next.limits.broken.add('a').add('b');
  ready.resolve();
  await replaced;
  expect(delegate.object).toBe(next);
  await expect.poll(() => lines.map(({ err }) => err.message)).toEqual(['no a', 'no b']);
  expect(next.limits.calls).toEqual(['c']);
});

it('does not repeat a refused change', async () => {
  const { limits, former, next, ready, replaced, lines } = given();
  former.limits.broken.add('a');
  expect(() => limits.put('a')).toThrow('no a');
  ready.resolve();
  await replaced;
  expect([next.limits.calls, lines]).toEqual([[], []]);
});

it('keeps the previous instance if the new one cannot be created', async () => {
  const { delegate, limits, former, ready, replaced } = given();
  limits.put('a');
  ready.reject(new Error('no store'));
  await expect(replaced).rejects.toThrow('no store');
  expect(delegate.object).toBe(former);
  limits.put('b');
  expect(former.limits.calls).toEqual(['a', 'b']);
});
