// What is filled into the content of other vendors' requests is counted before it is made.
import { describe, expect, it } from 'vitest';
import { createBudget, createFiller } from '../../src/compat/expansion.js';

describe('filling in', () => {
  it('counts the octets of all values before it makes the text', () => {
    const spent: number[] = [];
    const fill = createFiller({ '~': 'grün', '-a-': '' }, (octets) => void spent.push(octets));
    expect(fill('~ and ~-a-')).toBe('grün and grün');
    expect(spent).toEqual([5, 5, 0]);
  });

  it('makes nothing where that is more than is allowed', () => {
    const fill = createFiller({ '~': 'x'.repeat(2 ** 20) }, createBudget(2 ** 22));
    // A text of 2 ** 40 octets cannot be made at all.
    expect(() => fill('~'.repeat(2 ** 20))).toThrow(expect.objectContaining({ code: 'payload_too_large' }));
  });
});
