// Tests that texts of other vendors' requests are expanded for each copy, within limits for all copies together.
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { createExpand } from '../../src/compat/expansion.js';
import { MAX_SUBSTITUTION_WORK, substitute } from '../../src/lib/templating/index.js';
import { createRenderer } from '../../src/templates/rendering/renderer.js';
import { runs } from '../support/run-size.js';

const MB = 1024 * 1024;
const BOUNDS = { octets: 30 * MB, work: MAX_SUBSTITUTION_WORK };
const renderer = createRenderer({ threads: 1 });
afterAll(() => renderer.close());
const expandWithin = (limitBytes: number) => createExpand({ renderer, limitBytes, owner: 'ws_1' });
const TOO_LARGE = expect.objectContaining({ code: 'payload_too_large' }) as unknown;

function filled(text: string, values: Record<string, string>): unknown {
  const answer = substitute({ common: { text }, copies: [{ values: Object.entries(values) }] }, BOUNDS);
  return answer.kind === 'substituted' ? answer.copies[0]?.['text'] : answer;
}

describe('substitution', () => {
  it('uses the longest key at a position, and does not search inserted values', () => {
    expect(filled('-n- -na- n -n', { '-n-': '-na-', '-na-': 'Ann', n: '-n-' })).toBe('-na- Ann -n- --n-');
    expect(filled('as it is', { '': 'x' })).toBe('as it is');
    expect(filled('$& ] ^ \\', { $: 'a', ']': 'b', '^': 'c', '\\': 'd' })).toBe('a& b c d');
  });

  it('equals one regular expression of all keys', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', '-', '😀', '\ud83d'), maxLength: 5 });
    const check = (text: string[], values: Record<string, string>): void => {
      const keys = Object.keys(values)
        .filter((key) => key !== '')
        .toSorted((a, b) => b.length - a.length);
      const pattern = new RegExp(keys.map((key) => key.replaceAll('-', '\\-')).join('|') || '(?!)', 'g');
      expect(filled(text.join(''), values)).toBe(text.join('').replace(pattern, (key) => values[key] ?? ''));
    };
    fc.assert(fc.property(fc.array(word), fc.dictionary(word, word), check), runs(500));
  });

  it('fills every text of a copy, whose own keys precede the common ones', () => {
    const common = {
      subject: 'Hi ~',
      html: null,
      headers: { 'X-~': '~' },
      variables: { all: ['~', 1, { of: '~' }] },
    };
    const copies = [
      { values: [['~', 'a']] as const },
      { own: { subject: '~!' }, values: [['~', 'b']] as const },
    ];
    expect(substitute({ common, copies }, BOUNDS)).toMatchObject({
      kind: 'substituted',
      copies: [
        { subject: 'Hi a', html: null, headers: { 'X-~': 'a' }, variables: { all: ['a', 1, { of: 'a' }] } },
        { subject: 'b!', html: null, headers: { 'X-~': 'b' }, variables: { all: ['b', 1, { of: 'b' }] } },
      ],
    });
  });

  it.each<[string, Parameters<typeof substitute>[0]]>([
    [
      'keys that nearly match everywhere',
      {
        common: { text: 'a'.repeat(MB / 2) },
        copies: [{ values: Array.from({ length: 500 }, (_, at) => [`${'a'.repeat(at + 1)}b`, '']) }],
      },
    ],
    [
      'keys that match everywhere',
      {
        common: { text: 'ab'.repeat(MB / 4) },
        copies: [
          {
            values: [
              ['a', 'b'],
              ['b', 'a'],
            ],
          },
        ],
      },
    ],
    [
      'values that grow the text',
      { common: { text: '~'.repeat(1000) }, copies: [{ values: [['~', 'x'.repeat(MB)]] }] },
    ],
    [
      'members without texts in many copies',
      {
        common: { list: Array.from({ length: 1000 }, () => 1) },
        copies: Array.from({ length: 1000 }, () => ({ values: [] })),
      },
    ],
  ])('ends within its limits for %s', (_what, substitution) => {
    expect(substitute(substitution, { octets: MB, work: 16 * MB })).toMatchObject({ kind: 'excess' });
  });
});

describe('the copies of a request', () => {
  it('are filled in another thread if that takes long', async () => {
    const [html, value] = ['<p>-name-</p> '.repeat(1000), 'Ann'];
    const copies = Array.from({ length: 200 }, () => ({ values: [['-name-', value] as const] }));
    await expandWithin(30 * MB)({ common: { html: html.repeat(2) }, copies: copies.slice(0, 20) }); // the thread has loaded
    const before = process.threadCpuUsage();
    const made = await expandWithin(30 * MB)({ common: { html }, copies });
    expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(100);
    expect(made.map((one) => one['html'])).toEqual(copies.map(() => html.replaceAll('-name-', value)));
  });

  it('are limited to the size of one request, including files', async () => {
    const copies = [{ values: [] }, { values: [] }];
    const common = { text: 'x'.repeat(100) };
    await expect(expandWithin(250)({ common, copies })).resolves.toHaveLength(2);
    await expect(expandWithin(150)({ common, copies })).rejects.toEqual(TOO_LARGE);
    const files = [{ content: 'x'.repeat(100) }];
    await expect(expandWithin(450)({ common, copies, files })).resolves.toHaveLength(2);
    await expect(expandWithin(350)({ common, copies, files })).rejects.toEqual(TOO_LARGE);
  });

  it('have at most 500 values each', async () => {
    const values = Array.from({ length: 501 }, (_, at) => [`-${at}-`, ''] as const);
    await expect(expandWithin(MB)({ common: {}, copies: [{ values }] })).rejects.toEqual(TOO_LARGE);
  });
});
