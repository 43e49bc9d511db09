import { afterAll, describe, expect, it } from 'vitest';

import { createRenderer, type RenderRequest } from '../../src/templates/rendering/renderer.js';
import { sized } from '../support/run-size.js';

const renderer = createRenderer();
/** However busy the machine is. */
const patient = createRenderer({ threads: 1, wallLimitMs: 50_000 });
afterAll(() => Promise.all([renderer.close(), patient.close()]));

const GOOD: RenderRequest = {
  subject: 'Hi {{name}}',
  html: '<p>Dear {{name}}, <a href="{{url}}">your page</a></p>',
  text: null,
  variables: { name: 'Ada & Co', url: 'https://x.example/?a=1&b=2' },
  owner: 'good',
};

describe('rendering a message', () => {
  it('fills subject and HTML, escapes in HTML only, and derives the text from the rendered HTML', async () => {
    expect(await renderer.render(GOOD)).toEqual({
      kind: 'rendered',
      subject: 'Hi Ada & Co',
      html: '<p>Dear Ada &amp; Co, <a href="https://x.example/?a&#x3D;1&amp;b&#x3D;2">your page</a></p>',
      text: 'Dear Ada & Co, your page [https://x.example/?a=1&b=2]',
      missing: [],
    });
  });

  it('keeps and fills a given text, and derives none without HTML', async () => {
    expect(await renderer.render({ ...GOOD, text: '{{name}}!' })).toMatchObject({ text: 'Ada & Co!' });
    expect(await renderer.render({ ...GOOD, html: null, text: 'plain' })).toMatchObject({
      html: null,
      text: 'plain',
    });
    expect(await renderer.render({ ...GOOD, html: null })).toMatchObject({ html: null, text: null });
  });

  it('keeps parts without placeholders, derives text from them, and keeps the subject on one line', async () => {
    const request = { ...GOOD, subject: 'a\r\nBcc: b', html: '<p>{ } }} </p>', text: '\\ }}' };
    expect(await renderer.render(request)).toEqual({
      kind: 'rendered',
      subject: 'a Bcc: b',
      html: '<p>{ } }} </p>',
      text: '\\ }}',
      missing: [],
    });
    expect(await renderer.render({ ...request, text: null })).toMatchObject({ text: '{ } }}' });
  });

  it('renders large HTML without placeholders', async () => {
    const html = `<p>${'x'.repeat(3_000_000)}</p>`;
    const result = await renderer.render({ ...GOOD, html });
    expect(result.kind === 'rendered' && [result.html?.length, result.text?.length]).toEqual([
      html.length,
      262_141,
    ]);
  });

  it('reports part and position of an error', async () => {
    expect(await renderer.render({ ...GOOD, html: 'a\n{{#if x}}' })).toMatchObject({
      kind: 'problem',
      part: 'html',
      line: 2,
    });
    expect(await renderer.render({ ...GOOD, subject: '{{foo bar}}' })).toMatchObject({
      kind: 'problem',
      part: 'subject',
    });
    expect(await renderer.render({ ...GOOD, subject: 'x'.repeat(999) })).toMatchObject({
      kind: 'problem',
      part: 'subject',
    });
  });

  it('accepts variables without a prototype', async () => {
    const variables = Object.assign(Object.create(null) as Record<string, unknown>, { name: 'Ada' });
    expect(await renderer.render({ ...GOOD, variables })).toMatchObject({ subject: 'Hi Ada' });
  });
});

describe('CSS', () => {
  const html = '<style>p{color:red}</style><p>Hi</p>';

  it('is inlined after filling, before the text is derived', async () => {
    const filled = {
      ...GOOD,
      html: `<style>.{{name}}{color:red}</style><p class="Ada">{{name}}</p>`,
      inlineCss: true,
    };
    const expected = { html: '<p class="Ada" style="color: red;">Ada</p>', text: 'Ada' };
    expect(await renderer.render({ ...filled, variables: { name: 'Ada' } })).toMatchObject(expected);
    expect(await renderer.render({ ...GOOD, html, text: 'given', inlineCss: true })).toMatchObject({
      html: '<p style="color: red;">Hi</p>',
      text: 'given',
    });
  });

  it('of HTML without placeholders is inlined only on request', async () => {
    const request = { ...GOOD, subject: 'x', html };
    const inlined = { html: '<p style="color: red;">Hi</p>', text: 'Hi' };
    for (let round = 0; round < 2; round++) {
      expect(await renderer.render({ ...request, inlineCss: true })).toMatchObject(inlined);
      expect(await renderer.render(request)).toMatchObject({ html, text: 'Hi' });
    }
  });

  const slow = [
    ['an endless variable', '<style>p{--a:var(--a);color:var(--a)}</style><p>x'],
    ['rules times elements', `<style>${'p{color:red}'.repeat(6_000)}</style>${'<p>x</p>'.repeat(9_000)}`],
    ['nesting', `<style>p{color:red}</style>${'<div>'.repeat(60_000)}`],
    ['a selector of many parts', `<style>${'* '.repeat(40)}b{color:red}</style>${'<i>'.repeat(2_000)}<b>`],
  ];
  it.each(slow.slice(0, sized({ small: 1, full: 4 })))('cannot delay others: %s', async (_what, hostile) => {
    const impatient = createRenderer({ wallLimitMs: sized({ small: 250, full: 500 }) });
    try {
      const bad = impatient.render({ ...GOOD, html: hostile, inlineCss: true, owner: 'bad' });
      expect(await impatient.render(GOOD)).toMatchObject({ kind: 'rendered' });
      expect(['problem', 'rendered']).toContain((await bad).kind);
    } finally {
      await impatient.close();
    }
  });
});

describe('comparing versions', () => {
  it('runs in a thread with limits', async () => {
    const lines = sized({ small: 15_000, full: 60_000 });
    const many = (sign: string) =>
      Array.from({ length: lines }, (_, line) => `${sign}${line % 7}`).join('\n');
    const content = (html: string) => ({ subject: 'a', html, text: null, inlineCss: false });
    const answer = await patient.compare({ from: content(many('a')), to: content(many('b')), owner: 'o' });
    expect(answer).toMatchObject({ kind: 'compared', diff: { html: { added: lines, removed: lines } } });
  });
});

describe('checking a template before it is saved', () => {
  it('lists the variables of all parts', async () => {
    const parts = { subject: '{{a}}', html: '{{b.c}}{{a}}', text: null, owner: 'o' };
    expect(await renderer.check(parts)).toEqual({ kind: 'valid', variables: ['a', 'b.c'] });
    expect(await renderer.check({ subject: null, html: null, text: 'x', owner: 'o' })).toEqual({
      kind: 'valid',
      variables: [],
    });
  });

  it('refuses an error with its part and line', async () => {
    const parts = { subject: 's', html: null, text: 'a\n{{#each}}', owner: 'o' };
    expect(await renderer.check(parts)).toMatchObject({ kind: 'problem', part: 'text', line: 2 });
  });
});

function deep(levels: number): Record<string, unknown> {
  return JSON.parse('{"a":'.repeat(levels) + '1' + '}'.repeat(levels)) as Record<string, unknown>;
}

const TIMES = sized({ small: 200, full: 2_000 });
const list = Array.from({ length: 2_000 }, (_, index) => ({ index }));
/** For each kind of harm, one that causes the most comes first: nesting, size, loops, names, HTML. */
const HOSTILE: [string, Partial<RenderRequest>][] = [
  ['20,000 nested ifs', { html: '{{#if a}}'.repeat(20_000) + '{{/if}}'.repeat(20_000) }],
  [
    'loops without output',
    {
      html: '{{#each a}}{{#each @root.a}}{{#each @root.a}}{{/each}}{{/each}}{{/each}}',
      variables: { a: list },
    },
  ],
  [
    `a value of 1 MB, ${TIMES} times`,
    { html: '{{a}}'.repeat(TIMES), variables: { a: '<'.repeat(1_000_000) } },
  ],
  [
    'lookup of the constructor',
    {
      html: '{{lookup this "constructor"}}{{#each this}}{{@key}}{{/each}}',
      variables: Object.create(null) as Record<string, unknown>,
    },
  ],
  ['256 KB of nested divs', { subject: '{{a}}', html: '<div>'.repeat(52_000) }],
  ['unclosed braces', { html: '{{'.repeat(100_000) }],
  ['variables 10,000 deep', { variables: deep(10_000) }],
  ['10,000 nested ifs', { html: '{{#if a}}'.repeat(10_000) + '{{/if}}'.repeat(10_000) }],
  ['50,000 placeholders', { html: '{{a}}'.repeat(50_000) }],
  ['2,000 calls of lookup', { html: '{{lookup (lookup (lookup a b) c) d}}'.repeat(2_000) }],
  ['130 paths of 990 names', { html: `{{${'a.'.repeat(990)}b}}`.repeat(130) }],
  [
    'nested loops',
    {
      html: '{{#each a}}{{#each ../a}}{{#each ../../a}}x{{/each}}{{/each}}{{/each}}',
      variables: { a: list },
    },
  ],
  ['a value of 3 MB', { variables: { a: 'x'.repeat(3_000_000) } }],
  ['60 times with', { html: '{{#with this}}'.repeat(60) + '{{constructor}}' + '{{/with}}'.repeat(60) }],
  ['256 KB of tables from a loop', { html: '{{#each a}}<table><tr><td>{{/each}}', variables: { a: list } }],
  ['unclosed comments', { html: '{{!-- '.repeat(40_000) }],
];

describe('malicious templates', () => {
  // A limit of a third of the default, or of a sixth.
  const impatient = createRenderer({ wallLimitMs: sized({ small: 350, full: 700 }) });
  afterAll(() => impatient.close());

  it.each(HOSTILE.slice(0, sized({ small: 5, full: HOSTILE.length })))(
    'are answered in bounded time without delaying others: %s',
    async (_what, hostile) => {
      const bad = { ...GOOD, variables: {}, owner: 'hostile', ...hostile };
      const started = performance.now();
      const times = { bad: 0, good: 0 };
      const [answer, good] = await Promise.all([
        impatient.render(bad).finally(() => (times.bad = performance.now() - started)),
        impatient.render(GOOD).finally(() => (times.good = performance.now() - started)),
      ]);
      expect(['rendered', 'problem']).toContain(answer.kind);
      expect(good).toMatchObject({ kind: 'rendered', subject: 'Hi Ada & Co' });
      expect(times.bad).toBeLessThan(6_000);
      expect(times.good).toBeLessThan(1_900);
    },
  );

  const most = sized({ small: 500, full: 2_000 });
  it(`renders a template of ${most} placeholders`, async () => {
    const html = '<p>{{user.name}}</p>'.repeat(most);
    expect(await patient.render({ ...GOOD, html, owner: 'large' })).toMatchObject({ kind: 'rendered' });
  });

  it('are refused when saved if they take too long to compile', async () => {
    const impatient = createRenderer({ wallLimitMs: 150 });
    const html = `{{${'a.'.repeat(990)}b}}`.repeat(130);
    const answer = await impatient.check({ subject: null, html, text: null, owner: 'o' });
    expect(answer).toMatchObject({ kind: 'problem', part: 'template' });
    await impatient.close();
    expect(await impatient.render(GOOD)).toEqual({ kind: 'busy' });
  });
});
