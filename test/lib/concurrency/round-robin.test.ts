// Tests the shares of the main thread: one part per round of the event loop, owners in turn.
import { expect, it } from 'vitest';
import { createRoundRobin } from '../../../src/lib/concurrency/round-robin.js';

it('gives one turn per round of the event loop, and owners take turns', async () => {
  const turns = createRoundRobin();
  const taken: [string, number][] = [];
  let round = 0;
  let isOver = false;
  const count = (): void => {
    round += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const take = async (owner: string): Promise<void> => {
    await turns.turn(owner);
    taken.push([owner, round]);
  };
  await Promise.all([...['a', 'a', 'a', 'b', 'c', 'b'].map(take)]);
  isOver = true;
  expect(taken.map(([owner]) => owner)).toEqual(['a', 'b', 'c', 'a', 'b', 'a']);
  expect(new Set(taken.map(([, at]) => at)).size).toBe(6);
});

it('continues after a pause', async () => {
  const turns = createRoundRobin();
  await turns.turn('a');
  await turns.turn('a');
});
