import { AsyncLocalStorage } from 'node:async_hooks';
import { expect, it } from 'vitest';
import { gather } from '../../../src/lib/concurrency/gather.js';

/** Answers each question with its double when the round is released, and records the rounds. */
function gathering(slowMs = 60_000) {
  const rounds: number[][] = [];
  const releases: (() => void)[] = [];
  const ask = gather<number, number>((questions) => {
    rounds.push([...questions]);
    const released = new Promise<void>((resolve) => releases.push(resolve));
    return questions.map(async (question) => {
      await released;
      if (question < 0) throw new Error(`no ${question}`);
      return question * 2;
    });
  }, slowMs);
  return { ask, rounds, releases };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

it('combines the calls of one turn, and those made meanwhile in the next', async () => {
  const { ask, rounds, releases } = gathering();
  const first = [ask(1), ask(2)];
  expect(rounds).toEqual([]);
  await turn();
  const second = [ask(3), ask(4)];
  await turn();
  const third = ask(5);
  expect(rounds).toEqual([[1, 2]]);
  releases[0]?.();
  expect(await Promise.all(first)).toEqual([2, 4]);
  await turn();
  expect(rounds).toEqual([
    [1, 2],
    [3, 4, 5],
  ]);
  releases[1]?.();
  expect(await Promise.all([...second, third])).toEqual([6, 8, 10]);
  const last = ask(6);
  await turn();
  releases[2]?.();
  expect(await last).toBe(12);
});

it('fails only the call without an answer', async () => {
  const { ask, releases } = gathering();
  const asked = [ask(1), ask(-1), ask(2)];
  const settled = Promise.allSettled(asked);
  await turn();
  releases[0]?.();
  expect(await settled).toMatchObject([
    { value: 2 },
    { status: 'rejected', reason: { message: 'no -1' } },
    { value: 4 },
  ]);
});

it('splits calls that exceed one round', async () => {
  const { ask, rounds, releases } = gathering();
  const asked = Array.from({ length: 100 }, (_, i) => ask(i));
  await turn();
  releases[0]?.();
  await asked[63];
  await turn();
  releases[1]?.();
  expect(await Promise.all(asked)).toEqual(Array.from({ length: 100 }, (_, i) => i * 2));
  expect(rounds.map((round) => round.length)).toEqual([64, 36]);
});

it('does not wait for a round that hangs', async () => {
  const { ask, rounds, releases } = gathering(20);
  const hanging = ask(1);
  await turn();
  const next = ask(2);
  await expect.poll(() => rounds).toEqual([[1], [2]]);
  releases[1]?.();
  expect(await next).toBe(4);
  releases[0]?.();
  expect(await hanging).toBe(2);
});

it("runs in none of its callers' scopes, and callers continue in their own", async () => {
  const scopes = new AsyncLocalStorage<string>();
  const seen: (string | undefined)[] = [];
  const ask = gather<number, number>((questions) => {
    seen.push(scopes.getStore());
    return questions.map((question) => Promise.resolve(question));
  });
  const after = await Promise.all(
    ['a', 'b'].map((name, i) =>
      scopes.run(name, async () => {
        await ask(i);
        return scopes.getStore();
      }),
    ),
  );
  expect(seen).toEqual([undefined]);
  expect(after).toEqual(['a', 'b']);
});
