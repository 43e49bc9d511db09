import { applyPatch } from 'diff';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { compareContents, type TemplateContent } from '../../src/templates/diff.rules.js';
import { sized } from '../support/run-size.js';

const content = (html: string | null): TemplateContent => ({
  subject: null,
  html,
  text: null,
  inlineCss: false,
});
const diffOf = (from: string | null, to: string | null) => compareContents(content(from), content(to)).html;

describe('the diff of two versions', () => {
  it.each([
    ['nothing changed', 'a\n', 'a\n', { diff: '', added: 0, removed: 0 }],
    ['no part, and an empty one', null, '', { diff: '', added: 0, removed: 0 }],
    ['a new part', null, 'a\nb\n', { diff: '@@ -0,0 +1,2 @@\n+a\n+b\n', added: 2, removed: 0 }],
    ['a part taken out', 'a\n', null, { diff: '@@ -1,1 +0,0 @@\n-a\n', added: 0, removed: 1 }],
    ['a line', 'a\nb\n', 'a\nc\n', { diff: '@@ -1,2 +1,2 @@\n a\n-b\n+c\n', added: 1, removed: 1 }],
  ])('%s', (_what, from, to, expected) => {
    expect(diffOf(from, to)).toEqual(expected);
  });

  it('converts the first version to the second', () => {
    const text = fc.array(fc.constantFrom('a\n', 'b\n', '-\n', '+c\n', '\\ x\n', '\r\n', 'end'), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(text, text, (from, to) => {
        const [before, after] = [from.join(''), to.join('')];
        expect(applyPatch(before, diffOf(before, after).diff, { autoConvertLineEndings: false })).toBe(after);
      }),
    );
  });

  it('replaces everything after too many changes, in bounded time', () => {
    const count = sized({ small: 20_000, full: 100_000 });
    const lines = (sign: string) => Array.from({ length: count }, (_, i) => `${sign}${i}`).join('\n');
    const { diff, added, removed } = diffOf(lines('a'), lines('b'));
    expect([added, removed]).toEqual([count, count]);
    expect(diff.startsWith(`@@ -1,${count} +1,${count} @@\n-a0\n`)).toBe(true);
    expect(applyPatch(lines('a'), diff)).toBe(lines('b'));
  });
});
