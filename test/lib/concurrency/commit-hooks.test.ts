import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createCommitHooks } from '../../../src/lib/concurrency/commit-hooks.js';

/** Reads the scope from inside, and ends it. */
async function inScope<T>(
  hooks: ReturnType<typeof createCommitHooks<string>>,
  payload: string,
  work: () => Promise<T>,
) {
  let end = (): void => undefined;
  const result = await new Promise<T>((resolve, reject) => {
    hooks.attach(payload, (over) => {
      end = over;
      work().then(resolve, reject);
    });
  });
  return { result, end };
}

it('is visible to everything called in its scope, however late, and to nothing else', async () => {
  const hooks = createCommitHooks<string>();
  const see = async (ms: number) => {
    await wait(ms);
    return hooks.pending()?.payload ?? null;
  };
  const [one, other, outside] = await Promise.all([
    inScope(hooks, 'one', () => see(3)),
    inScope(hooks, 'other', () => see(1)),
    see(2),
  ]);
  expect([one.result, other.result, outside]).toEqual(['one', 'other', null]);
});

it('is included in each plan until it is committed', async () => {
  const hooks = createCommitHooks<string>();
  const { result } = await inScope(hooks, 'one', async () => {
    const first = hooks.pending();
    await wait(1);
    const second = hooks.pending();
    first?.committed();
    return [first?.payload, second?.payload, hooks.pending()];
  });
  expect(result).toEqual(['one', 'one', null]);
});

it('is included in nothing after its scope ends, whatever is still running', async () => {
  const hooks = createCommitHooks<string>();
  let late: Promise<string | null> | undefined;
  const { end } = await inScope(hooks, 'one', () => {
    late = wait(5).then(() => hooks.pending()?.payload ?? null);
    return Promise.resolve();
  });
  end();
  end();
  const another = await inScope(hooks, 'two', () => Promise.resolve(hooks.pending()?.payload));
  expect([await late, another.result]).toEqual([null, 'two']);
});

it('the end of a scope does not affect others', async () => {
  const hooks = createCommitHooks<string>();
  const long = inScope(hooks, 'long', async () => {
    await wait(5);
    return hooks.pending()?.payload;
  });
  const short = await inScope(hooks, 'short', () => Promise.resolve());
  short.end();
  expect((await long).result).toBe('long');
});
