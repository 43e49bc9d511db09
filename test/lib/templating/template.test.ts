import { describe, expect, it } from 'vitest';

import type { TemplateKind } from '../../../src/lib/templating/template-output.js';
import { createTemplates, templateProblem, templateVariables } from '../../../src/lib/templating/template.js';
import { sized } from '../../support/run-size.js';

const templates = createTemplates();

function rendered(
  source: string,
  variables: Record<string, unknown> = {},
  kind: TemplateKind = 'html',
): string {
  const result = templates.render(source, kind, variables);
  return result.kind === 'rendered' ? result.output : `PROBLEM: ${result.problem.message}`;
}

describe('rendering', () => {
  it.each<[string, string, Record<string, unknown>, string]>([
    ['a placeholder', 'Hi {{name}}!', { name: 'Ada' }, 'Hi Ada!'],
    ['a path', '{{user.name}}', { user: { name: 'Ada' } }, 'Ada'],
    ['a missing variable', '[{{nothing}}][{{a.b.c}}]', {}, '[][]'],
    ['null, numbers, booleans', '{{a}}|{{b}}|{{c}}', { a: null, b: 0, c: false }, '|0|false'],
    ['a list', '{{a}}', { a: ['x', 2, null] }, 'x,2,'],
    ['an object', '{{a}}', { a: { toString: 1, toHTML: 'x' } }, '[object Object]'],
    ['if and else', '{{#if a}}y{{else}}n{{/if}}', { a: [] }, 'n'],
    ['else if', '{{#if a}}1{{else if b}}2{{else}}3{{/if}}', { b: 1 }, '2'],
    ['unless', '{{#unless a}}y{{/unless}}', {}, 'y'],
    ['includeZero', '{{#if a includeZero=true}}y{{/if}}', { a: 0 }, 'y'],
    [
      'each',
      '{{#each a}}{{@index}}{{this}}{{#unless @last}},{{/unless}}{{/each}}',
      { a: ['x', 'y'] },
      '0x,1y',
    ],
    ['each over an object', '{{#each a}}{{@key}}={{this}};{{/each}}', { a: { k: 1 } }, 'k=1;'],
    ['each with block parameters', '{{#each a as |v i|}}{{i}}{{v.n}}{{/each}}', { a: [{ n: 'x' }] }, '0x'],
    ['each with nothing to show', '{{#each a}}x{{else}}none{{/each}}', {}, 'none'],
    ['with and ../', '{{#with a}}{{b}}{{../c}}{{@root.c}}{{/with}}', { a: { b: 1 }, c: 2 }, '122'],
    ['lookup', '{{lookup a k}}', { a: { x: 'found' }, k: 'x' }, 'found'],
    ['a condition on lookup', '{{#if (lookup a "x")}}y{{/if}}', { a: { x: 1 } }, 'y'],
    ['a name in quotes', '{{"first name"}}{{12}}', { 'first name': 'Ada', 12: '!' }, 'Ada!'],
    ['whitespace control', 'a {{~b~}} c', { b: '-' }, 'a-c'],
    ['an escaped placeholder', '\\{{name}} {{name}}', { name: 'x' }, '{{name}} x'],
    ['a comment', 'a{{!-- {{/if}} --}}b{{! c }}', {}, 'ab'],
    ['a fallback', '{{default name "friend"}} {{default a b "c"}}', { name: '', b: 0 }, 'friend 0'],
    ['a fallback that is not needed', '{{default name "friend"}}', { name: 'Ada' }, 'Ada'],
    [
      'a day',
      '{{date d}}|{{date d format="iso" zone="Asia/Tokyo"}}',
      { d: '2026-05-01' },
      'May 1, 2026|2026-05-01',
    ],
    [
      'a moment, in a zone and a language',
      '{{date d format="long" time="short" zone="Europe/Berlin" locale="de"}}',
      { d: '2026-05-01T22:30:00Z' },
      '2. Mai 2026 um 00:30',
    ],
    [
      'a moment without an offset',
      '{{date d format="none" time="short" locale="de"}}',
      { d: '2026-05-01 09:05' },
      '09:05',
    ],
    ['an offset', '{{date d format="iso"}}', { d: '2026-05-01T23:30:00.123-0700' }, '2026-05-02'],
    [
      'Unix time',
      '{{date a format="iso"}} {{date b format="iso"}}',
      { a: 1_777_593_600, b: 1_777_593_600_000 },
      '2026-05-01 2026-05-01',
    ],
    [
      'a zone and a language of the contact',
      '{{date d zone=z locale=l format="full"}}',
      { d: 0, z: 'America/New_York', l: 'fr_FR' },
      'mercredi 31 décembre 1969',
    ],
    [
      'a zone and a language that are none',
      '{{date d zone=z locale=l}}',
      { d: 0, z: 'Mars/Base', l: '%%' },
      'Jan 1, 1970',
    ],
    [
      'no date',
      '{{date a}}|{{date b}}|{{date c}}|{{date d}}',
      { a: 'soon', b: '2026-02-30', c: true, d: 1e300 },
      'soon|2026-02-30|true|1e+300',
    ],
    [
      'numbers',
      '{{number a}}|{{number a decimals=2 locale="de"}}|{{number b}}',
      { a: 1234.5, b: '1234567' },
      '1,234.5|1.234,50|1,234,567',
    ],
    [
      'an amount',
      '{{number a currency="EUR" locale="de"}}|{{number a currency="jpy"}}',
      { a: 1234.5 },
      '1.234,50\u00a0€|¥1,235',
    ],
    [
      'no number',
      '{{number a}}|{{number b}}|{{number c decimals=d}}',
      { a: '12 apples', b: '1e9', c: 2, d: 99 },
      '12 apples|1e9|2',
    ],
    [
      'an address',
      '?q={{{urlencode q}}}',
      { q: 'Ada & "Bo"/ü\ud800' },
      '?q=Ada%20%26%20%22Bo%22%2F%C3%BC%EF%BF%BD',
    ],
    [
      'helpers in helpers',
      '{{date (default a b)}}{{#if (urlencode c)}}!{{/if}}',
      { b: '2026-05-01', c: 'x' },
      'May 1, 2026!',
    ],
    [
      'variables called like helpers',
      '{{date}} {{number}} {{default}} {{this.urlencode}}',
      { date: 1, number: 2, default: 3, urlencode: 4 },
      '1 2 3 4',
    ],
    [
      'a block parameter called like a helper',
      '{{#each a as |date|}}{{date}}{{date date}}{{/each}}',
      { a: ['2026-05-01'] },
      '2026-05-01May 1, 2026',
    ],
    [
      "the service's own link",
      '{{{urlencode unsubscribe_url}}}',
      { unsubscribe_url: 'https://x.example/' },
      'https%3A%2F%2Fx.example%2F',
    ],
    ['a variable called like an internal', '{{emit}}{{log}}', { emit: 1, log: 2 }, '12'],
  ])('fills %s', (_what, source, variables, expected) => {
    expect(rendered(source, variables)).toBe(expected);
  });

  it('escapes HTML only in HTML, and not in triple braces', () => {
    const variables = { a: '<b> & "c"' };
    expect(rendered('{{a}}', variables)).toBe('&lt;b&gt; &amp; &quot;c&quot;');
    expect(rendered('{{{a}}}{{&a}}', variables)).toBe('<b> & "c"<b> & "c"');
    expect(rendered('{{a}}', variables, 'text')).toBe('<b> & "c"');
    expect(rendered('{{a}}', variables, 'subject')).toBe('<b> & "c"');
    expect(rendered('{{lookup this "a"}}', variables)).toBe('&lt;b&gt; &amp; &quot;c&quot;');
  });

  it('does not evaluate a placeholder inside a value', () => {
    expect(rendered('{{a}}', { a: '{{b}}{{#each c}}', b: 'secret' }, 'text')).toBe('{{b}}{{#each c}}');
  });

  it.each(['x\r\nBcc: all@example.com', 'x\nBcc: a', 'x\rBcc: a', 'x\u2028\u0000\u0085y'])(
    'keeps a subject on one line for any value: %j',
    (value) => {
      expect(rendered('S {{a}}\n!', { a: value }, 'subject')).toMatch(
        /^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]+$/,
      );
    },
  );

  it('refuses a subject of more than 998 characters', () => {
    expect(rendered('{{a}}', { a: 'x'.repeat(999) }, 'subject')).toContain('longer than 998');
  });

  it.each([
    '{{constructor}}',
    '{{constructor.name}}',
    '{{__proto__}}',
    '{{toString}}',
    '{{valueOf}}',
    '{{a.constructor}}',
    '{{a.length.constructor}}',
    '{{lookup this "constructor"}}',
    '{{lookup a "__proto__"}}',
    '{{lookup (lookup this "constructor") "name"}}',
    '{{#with this}}{{constructor}}{{/with}}',
    '{{#with constructor}}{{name}}{{/with}}',
    '{{#each constructor}}{{@key}}{{/each}}',
    '{{@root.constructor}}',
    '{{__defineGetter__}}',
  ])('finds nothing on prototypes: %s', (source) => {
    for (const variables of [{ a: 'text' }, { a: [] }, Object.assign(Object.create(null), { a: {} })]) {
      expect(rendered(source, variables as Record<string, unknown>)).toBe('');
    }
  });

  it('is not polluted by a __proto__ key in the data', () => {
    const variables = JSON.parse(
      '{"__proto__":{"polluted":"yes"},"a":{"__proto__":{"polluted":"yes"}}}',
    ) as Record<string, unknown>;
    expect(rendered('[{{polluted}}{{a.polluted}}]{{#each a}}{{/each}}', variables)).toBe('[]');
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  it('survives a lookup whose key cannot become a property name', () => {
    expect(rendered('[{{lookup this k}}]', { k: { toString: 1, valueOf: 1 } })).toBe('[]');
  });

  it('reports a block with data that has its own `toString`', () => {
    const source = '{{#each items}}{{../name}}{{/each}}';
    expect(rendered(source, { items: ['a'], name: 'Ann' })).toBe('Ann');
    expect(rendered(source, { items: ['a'], toString: 'x' })).toContain('cannot be filled in');
  });

  it('gives each rendering its own budget, and kinds can share a source', () => {
    const source = '{{#each a}}{{this}}{{/each}}';
    const variables = { a: Array.from({ length: 60_000 }, () => '<') };
    // Together they exceed the limit of a template.
    for (let i = 0; i < 2; i++) expect(rendered(source, variables).length).toBe(240_000);
    expect(rendered(source, variables, 'text').length).toBe(60_000);
  });
});

describe('template limits', () => {
  const list = Array.from({ length: 400 }, (_, index) => index);

  it.each<[string, string, Record<string, unknown>, string]>([
    [
      'triple loop',
      '{{#each a}}{{#each ../a}}{{#each ../../a}}x{{/each}}{{/each}}{{/each}}',
      { a: list },
      'loop rounds',
    ],
    [
      'triple empty loop',
      '{{#each a}}{{#each @root.a}}{{#each @root.a}}{{/each}}{{/each}}{{/each}}',
      { a: list },
      'loop rounds',
    ],
    [
      'loop over conditions',
      `{{#each a}}${'{{#if b}}x{{/if}}'.repeat(sized({ small: 300, full: 900 }))}{{/each}}`,
      { a: Array.from({ length: sized({ small: 1_200, full: 400 }) }, (_, index) => index) },
      'loop rounds',
    ],
    ['loop over much text', `{{#each a}}${'x'.repeat(10_000)}{{/each}}`, { a: list }, 'longer than'],
    [
      'large value',
      '{{a}}'.repeat(sized({ small: 200, full: 2_000 })),
      { a: 'x'.repeat(1_000_000) },
      'longer than',
    ],
    ['value that grows when escaped', '{{a}}', { a: '"'.repeat(500_000) }, 'longer than'],
  ])('stop at %s', (_what, source, variables, message) => {
    const started = performance.now();
    expect(rendered(source, variables)).toContain(message);
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});

describe('the cost of helpers', () => {
  it.each<[string, string, Record<string, unknown>, string]>([
    [
      'texts that grow in nested calls',
      `{{#if ${'(urlencode '.repeat(8)}a${')'.repeat(8)}}}x{{/if}}`,
      { a: '%'.repeat(300_000) },
      'is longer than 1048576 characters',
    ],
    [
      'a formatter for each round',
      '{{#each a}}{{date 0 zone=this}}{{/each}}',
      { a: Array.from({ length: 3_000 }, (_none, at) => `Etc/Z${at}`) },
      'takes more than 200000 placeholders',
    ],
  ])('is limited: %s', (_what, source, variables, problem) => {
    expect(rendered(source, variables, 'text')).toContain(`PROBLEM: Filled in, `);
    expect(rendered(source, variables, 'text')).toContain(problem);
  });

  it('is small for one formatter in many iterations', () => {
    const a = Array.from({ length: 20_000 }, (_none, at) => at);
    expect(rendered('{{#each a}}{{number this}};{{/each}}', { a }, 'text')).toContain(';19,999;');
  });
});

describe('missing values of a placeholder with a helper', () => {
  it.each<[string, string[]]>([
    ['{{default a "x"}}', []],
    ['{{default a b}}', ['a']],
    ['{{date a}}{{number b.c}}{{urlencode d}}', ['a', 'b.c', 'd']],
    ['{{date (default a b)}}', []],
  ])('%s', (source, missing) => {
    const result = createTemplates().render(source, 'text', {});
    expect(result).toMatchObject({ kind: 'rendered', missing });
  });
});

describe('templates that are refused', () => {
  it.each<[string, number, string]>([
    ['a\nb {{foo bar}}', 2, '"foo" is not a known helper'],
    ['{{foo a=1}}', 1, '"foo" is not a known helper'],
    ['{{log "x"}}', 1, '"log" is not a known helper'],
    ['{{if x}}', 1, '"if" is not a known helper'],
    ['{{each}}', 1, '"each" is not a placeholder'],
    ['{{#if (eq a b)}}{{/if}}', 1, '"eq" is not a known helper'],
    ['{{#if (lookup a (eq b c))}}{{/if}}', 1, '"eq" is not a known helper'],
    ['{{lookup a}}', 1, 'lookup needs exactly'],
    ['{{default a}}', 1, 'default has the wrong number of values'],
    ['{{date a b}}', 1, 'date has the wrong number of values; write {{date due_at'],
    ['{{date format="long"}}', 1, 'date has the wrong number of values'],
    ['{{date a style="long"}}', 1, 'date has no option "style"'],
    ['{{date a format="dd.mm"}}', 1, 'The option format of date must be one of short, medium'],
    ['{{date a zone="Berlin"}}', 1, 'The option zone of date must be a time zone'],
    ['{{date a locale="german!"}}', 1, 'The option locale of date must be a language tag'],
    ['{{number a decimals=1.5}}', 1, 'The option decimals of number must be a whole number'],
    ['{{number a currency="euro"}}', 1, 'The option currency of number must be an ISO 4217 code'],
    ['{{urlencode (eq a b)}}', 1, '"eq" is not a known helper'],
    ['{{number a decimals=(eq a b)}}', 1, '"eq" is not a known helper'],
    ['\n\n{{#items}}{{/items}}', 3, 'Unknown block "items"'],
    ['{{^items}}{{/items}}', 1, 'Unknown block "items"'],
    ['{{#each}}{{/each}}', 1, 'exactly one value'],
    ['{{#each a b}}{{/each}}', 1, 'exactly one value'],
    ['{{#if a b=1}}{{/if}}', 1, 'no option "b"'],
    ['{{#each a as |if|}}{{/each}}', 1, 'reserved'],
    ['{{> other}}', 1, 'Partials'],
    ['{{~#> other}}{{/other}}', 1, 'Partials'],
    ['{{#*inline "a"}}{{/inline}}', 1, 'Decorators'],
    ['{{* a}}', 1, 'Decorators'],
    ['{{{{raw}}}}{{{{/raw}}}}', 1, 'Raw blocks'],
    ['a\n{{#if x}}\nb', 3, 'not closed'],
    ['a\n{{/if}}', 2, 'was not opened'],
    ['{{else}}', 1, '{{else}}'],
    ['\n{{#if x}}{{/with}}', 2, '{{#if}} is closed by {{/with}}'],
    ['{{}}', 1, 'empty'],
    ['{{{x}}', 1, 'braces'],
    ['x\n{{foo', 2, 'not closed'],
    ['{{foo "}}', 1, 'not closed'],
    ['{{!-- foo', 1, 'comment'],
    ['{{../x/../y}}', 1, 'Invalid path'],
    ['x'.repeat(262_145), 1, 'longer than'],
    ['{{#if a}}'.repeat(10_000) + '{{/if}}'.repeat(10_000), 1, '64 deep'],
    [`{{#if a}}${'{{else if a}}'.repeat(65)}{{/if}}`, 1, '64 deep'],
    ['{{a}}'.repeat(50_000), 1, '2000 placeholders'],
    [`{{lookup ${'(lookup '.repeat(9)}`, 1, 'parentheses'],
    [`{{${'a.'.repeat(2_000)}b}}`, 1, '2000 characters'],
  ])('%#: line %i, %s', (source, line, message) => {
    const problem = templateProblem(source, 'html');
    expect(problem?.message).toContain(message);
    expect(problem?.line).toBe(line);
  });

  it('may have 64 nested blocks, and any number in sequence', () => {
    expect(templateProblem('{{#if a}}'.repeat(64) + '{{/if}}'.repeat(64), 'html')).toBeNull();
    expect(templateProblem('{{#if a}}{{else if b}}{{/if}}'.repeat(500), 'html')).toBeNull();
  });

  it('are refused for the same reason when they are rendered', () => {
    expect(rendered('{{foo bar}}')).toContain('PROBLEM: "foo" is not a known helper');
  });
});

describe('the variables of a template', () => {
  it.each<[string, string[]]>([
    ['Hi', []],
    ['{{a}} {{b.c}} {{a}} {{{d}}}', ['a', 'b.c', 'd']],
    ['{{#if a}}{{b}}{{else}}{{c}}{{/if}}', ['a', 'b', 'c']],
    ['{{#each items}}{{name}} {{@index}} {{this}} {{../top}}{{/each}}', ['items', 'items.name', 'top']],
    ['{{#each items as |item i|}}{{item.name}}{{i}}{{@root.top}}{{/each}}', ['items', 'items.name', 'top']],
    [
      '{{#with user}}{{name}}{{#with address}}{{city}}{{/with}}{{else}}{{none}}{{/with}}',
      ['user', 'user.name', 'user.address', 'user.address.city', 'none'],
    ],
    ['{{#each items}}{{#if ok}}{{../a}}{{/if}}{{/each}}', ['items', 'items.ok', 'a']],
    ['{{#each this}}{{key}}{{/each}}{{this.x}}', ['x']],
    ['{{lookup map key}}{{#each (lookup map key)}}{{x}}{{/each}}', ['map', 'key']],
    ['{{#each items}}{{unsubscribe_url}}{{this.unsubscribe_url}}{{/each}}', ['items', 'unsubscribe_url']],
    ['{{date (default a b) zone=c locale="de"}}{{number d}}', ['a', 'b', 'c', 'd']],
    ['{{#if (urlencode a)}}{{/if}}{{#each (default b c)}}{{x}}{{/each}}', ['a', 'b', 'c']],
    ['{{foo bar}}', []],
  ])('%s', (source, names) => {
    expect(templateVariables(source)).toEqual(names);
  });
});
