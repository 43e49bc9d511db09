import { describe, expect, it } from 'vitest';
import { jsonExcess } from '../../../src/lib/json/measured-json.js';
import { createDice } from '../../support/dice.js';

const excess = (text: string, members = 10, depth = 5) => jsonExcess(Buffer.from(text), { members, depth });

/** Counts like the measure: each value, and one more for each empty object or list. */
function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const parts: unknown[] = Object.values(value);
  return Math.max(parts.length, 1) + parts.reduce<number>((sum, part) => sum + membersOf(part), 0);
}

describe('measuring JSON text', () => {
  it.each([
    ['{}', null],
    ['[1,2,3,4,5,6,7,8,9,10]', null],
    ['[1,2,3,4,5,6,7,8,9,10,11]', 'members'],
    ['{"a":1,"a":1,"a":1,"a":1,"a":1,"a":1,"a":1,"a":1,"a":1,"a":1,"a":1}', 'members'],
    ['[[[[[]]]]]', null],
    ['[[[[[[]]]]]]', 'depth'],
    ['{"a":[{"a":[{"a":[]}]}]}', 'depth'],
    ['[[],[],[],[],[],[]]', 'members'],
    [`"${',[{'.repeat(100)}"`, null],
    [`["${'\\"[,'.repeat(100)}"]`, null],
    [`["${'x'.repeat(300)}\\",,,,,,,,,,,,,,"]`, null],
    [`["${'x'.repeat(300)}\\\\",1,1,1,1,1,1,1,1,1,1]`, 'members'],
    ['['.repeat(1_000_000), 'depth'],
    [`[${'9'.repeat(1_001)}]`, 'number'],
    [`[-1e${'9'.repeat(1_001)}]`, 'number'],
    [`["${'9'.repeat(5_000)}"]`, null],
    ['"not closed', null],
    ['"\\', null],
    ['', null],
  ])('of %.40s', (text, expected) => {
    expect(excess(text)).toBe(expected);
  });

  it('counts the same values as a walk of the parsed value, however strings are escaped', () => {
    const roll = createDice(7);
    const texts = [
      '',
      '"',
      '\\',
      'a,b',
      '[{',
      'x'.repeat(70),
      `${'x'.repeat(80)}\\"`,
      '\u2028é😀',
      '\\'.repeat(129),
    ];
    const make = (levels: number): unknown => {
      const kind = levels === 0 ? 0 : roll.below(4);
      if (kind <= 1) return texts[roll.below(texts.length)];
      const parts = Array.from({ length: roll.below(6) }, () => make(levels - 1));
      if (kind === 2) return parts;
      return Object.fromEntries(
        parts.map((part, i) => [`${texts[roll.below(texts.length)] ?? ''}${i}`, part]),
      );
    };
    for (let i = 0; i < 300; i++) {
      const value = [make(4)];
      const text = JSON.stringify(value, null, i % 3);
      const count = membersOf(value);
      expect(excess(text, count, 10)).toBeNull();
      expect(excess(text, count - 1, 10)).toBe('members');
    }
  });
});
