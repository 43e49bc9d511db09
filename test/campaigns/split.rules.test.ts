// Tests that groups are even and stable, and that the key with the best rate wins.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitGroup, splitWinner, type Split, type SplitCounts } from '../../src/campaigns/split.rules.js';

function split(test_percent: number, keys = ['a', 'b', 'c']): Split {
  const variants = keys.map((key) => ({ key, template_id: null, subject: null }));
  return { variants, test_percent, metric: 'clicked', wait_minutes: 60 };
}

function groupsOf(campaign: string, given: Split, people: number): Map<string | null, number> {
  const groups = new Map<string | null, number>();
  for (let contact = 1; contact <= people; contact++) {
    const group = splitGroup(given, campaign, contact);
    groups.set(group, (groups.get(group) ?? 0) + 1);
  }
  return groups;
}

describe('groups', () => {
  it('have the whole audience and equal sizes without a rest', () => {
    const groups = groupsOf('cmp_1', split(100), 30_000);
    expect(groups.get(null)).toBeUndefined();
    // six standard deviations
    for (const key of ['a', 'b', 'c']) expect(Math.abs((groups.get(key) ?? 0) - 10_000)).toBeLessThan(490);
  });

  it('have the given share of the audience, and the rest waits', () => {
    const groups = groupsOf('cmp_2', split(20, ['a', 'b']), 30_000);
    expect(Math.abs((groups.get(null) ?? 0) - 24_000)).toBeLessThan(416);
    for (const key of ['a', 'b']) expect(Math.abs((groups.get(key) ?? 0) - 3_000)).toBeLessThan(312);
  });

  it('differ between campaigns', () => {
    const given = split(100, ['a', 'b']);
    let same = 0;
    for (let contact = 1; contact <= 10_000; contact++) {
      if (splitGroup(given, 'cmp_1', contact) === splitGroup(given, 'cmp_2', contact)) same += 1;
    }
    expect(Math.abs(same - 5_000)).toBeLessThan(300);
  });

  it('are stable, and enlarging the test group moves no one to another variant', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.integer({ min: 1 }),
        fc.integer({ min: 1, max: 100 }),
        fc.integer({ min: 1, max: 100 }),
        (campaign, contact, p, q) => {
          const [less, more] = [Math.min(p, q), Math.max(p, q)];
          const first = splitGroup(split(less), campaign, contact);
          expect(splitGroup(split(less), campaign, contact)).toBe(first);
          if (first !== null) expect(splitGroup(split(more), campaign, contact)).toBe(first);
        },
      ),
    );
  });
});

const none: SplitCounts = { sent: 0, opened: 0, clicked: 0 };
describe('the winner', () => {
  it.each<[string, Record<string, SplitCounts>, string]>([
    [
      'has the best rate, not the most clicks',
      { a: { sent: 100, opened: 0, clicked: 10 }, b: { sent: 10, opened: 0, clicked: 2 }, c: none },
      'b',
    ],
    [
      'is the first of equals',
      { b: { sent: 10, opened: 0, clicked: 1 }, c: { sent: 100, opened: 0, clicked: 10 } },
      'b',
    ],
    ['is the first when nothing was counted', {}, 'a'],
    ['is the first when nobody clicked', { c: { sent: 10, opened: 10, clicked: 0 } }, 'a'],
    [
      'is not decided by another metric',
      { a: { sent: 10, opened: 0, clicked: 1 }, b: { sent: 10, opened: 10, clicked: 0 } },
      'a',
    ],
    ['never has counts without messages', { b: { sent: 0, opened: 5, clicked: 5 } }, 'a'],
    ['ignores what is no key of the split', { z: { sent: 1, opened: 1, clicked: 1 } }, 'a'],
  ])('%s', (_what, counts, key) => {
    expect(splitWinner(split(20), new Map(Object.entries(counts)))).toBe(key);
  });
});
