import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createRiders } from '../../../src/lib/runtime/commit-hooks.js';

/** What is seen from within, and the end of the scope. */
async function inScope<T>(
  riders: ReturnType<typeof createRiders<string>>,
  rider: string,
  work: () => Promise<T>,
) {
  let end = (): void => undefined;
  const result = await new Promise<T>((resolve, reject) => {
    riders.carry(rider, (over) => {
      end = over;
      work().then(resolve, reject);
    });
  });
  return { result, end };
}

it('is seen by whatever is called in its scope, however late, and by nobody else', async () => {
  const riders = createRiders<string>();
  const see = async (ms: number) => {
    await wait(ms);
    return riders.board()?.rider ?? null;
  };
  const [one, other, outside] = await Promise.all([
    inScope(riders, 'one', () => see(3)),
    inScope(riders, 'other', () => see(1)),
    see(2),
  ]);
  expect([one.result, other.result, outside]).toEqual(['one', 'other', null]);
});

it('goes along until it is kept', async () => {
  const riders = createRiders<string>();
  const { result } = await inScope(riders, 'one', async () => {
    const first = riders.board();
    await wait(1);
    const second = riders.board();
    first?.kept();
    return [first?.rider, second?.rider, riders.board()];
  });
  expect(result).toEqual(['one', 'one', null]);
});

it('goes nowhere once its scope is over, whatever that left running', async () => {
  const riders = createRiders<string>();
  let late: Promise<string | null> | undefined;
  const { end } = await inScope(riders, 'one', () => {
    late = wait(5).then(() => riders.board()?.rider ?? null);
    return Promise.resolve();
  });
  end();
  end();
  const another = await inScope(riders, 'two', () => Promise.resolve(riders.board()?.rider));
  expect([await late, another.result]).toEqual([null, 'two']);
});

it('an end of one scope leaves the others', async () => {
  const riders = createRiders<string>();
  const long = inScope(riders, 'long', async () => {
    await wait(5);
    return riders.board()?.rider;
  });
  const short = await inScope(riders, 'short', () => Promise.resolve());
  short.end();
  expect((await long).result).toBe('long');
});
