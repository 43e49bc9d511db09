import { describe, expect, it } from 'vitest';

import { toText, variablesProblem } from '../../../src/lib/templating/template-values.js';

function nested(levels: number): unknown {
  return JSON.parse('{"a":'.repeat(levels) + '1' + '}'.repeat(levels));
}

describe('the size of the variables', () => {
  it.each<[string, unknown, string | null]>([
    ['ordinary ones', { a: 1, b: ['x'], c: { d: null } }, null],
    ['32 levels', nested(32), null],
    ['33 levels', nested(33), 'nested more than 32'],
    ['10,000 levels', nested(10_000), 'nested more than 32'],
    ['a list', [], 'must be an object'],
    ['no object', 'x', 'must be an object'],
    ['a megabyte', { a: 'x'.repeat(1_000_000) }, null],
    ['two megabytes', { a: 'x'.repeat(1_000_000), b: 'x'.repeat(1_000_000) }, 'larger than'],
    ['a huge key', { ['k'.repeat(1_100_000)]: 1 }, 'larger than'],
    ['60,000 values', { a: Array.from({ length: 60_000 }, () => 0) }, 'more than 20000 values'],
  ])('%s', (_what, variables, message) => {
    const problem = variablesProblem(variables);
    if (message === null) expect(problem).toBeNull();
    else expect(problem).toContain(message);
  });
});

it('converts values to text without calling anything in them', () => {
  expect(toText([1, 'a', [true, null], { toString: 5 }])).toBe('1,a,true,,[object Object]');
});
