import { expect, it } from 'vitest';
import { MESSAGE_TYPES, PRIORITIES } from '../../src/contract/names.js';
import { BULK_RANK, queueRank, typeOfRank } from '../../src/messages/queue-rank.rules.js';

const ALL = MESSAGE_TYPES.flatMap((type) => PRIORITIES.map((priority) => ({ type, priority })));

it.each(ALL)('$type $priority has a rank that reveals its kind', ({ type, priority }) => {
  const rank = queueRank(type, priority);
  expect(typeOfRank(rank)).toBe(type);
  expect(rank >= BULK_RANK).toBe(type !== 'transactional');
});

it('transactional mail precedes bulk mail, and high precedes normal and low for any bulk type', () => {
  const order = ALL.sort((a, b) => queueRank(a.type, a.priority) - queueRank(b.type, b.priority));
  expect(
    order.map(({ type, priority }) => `${type === 'transactional' ? 'transactional' : 'bulk'} ${priority}`),
  ).toEqual([
    'transactional high',
    'transactional normal',
    'transactional low',
    'bulk high',
    'bulk high',
    'bulk normal',
    'bulk normal',
    'bulk low',
    'bulk low',
  ]);
});
