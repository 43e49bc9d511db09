import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { withHtmlFooter, withTextFooter } from '../../src/templates/rendering/compliance-footer.rules.js';
import { assertSendable, makeCopy, type CopyRequest } from '../../src/templates/rendering/copy.js';
import { runs } from '../support/run-size.js';
import { sharedRenderer } from '../support/shared-renderer.js';

const renderer = sharedRenderer();

const LINK = 'https://mail.example/u/signed-token';
const ADDRESS = 'Customer Ltd & Sons\n1 High Street';
const FOOTER = { postalAddress: ADDRESS, unsubscribeUrl: LINK };

const CONTACT = { email: 'ada@x.example', name: 'Ada Lovelace', phone: null, metadata: '{"city":"Paris"}' };
const request = (parts: Partial<CopyRequest>): CopyRequest => ({
  subject: 'Hi {{first_name}}',
  html: '<p>{{first_name}}</p>',
  text: null,
  variables: {},
  contact: CONTACT,
  unsubscribeUrl: LINK,
  footer: ADDRESS,
  inlineCss: false,
  owner: 'o',
  param: 'template_id',
  ...parts,
});
const copyOf = (parts: Partial<CopyRequest>) => makeCopy(renderer, request(parts));

describe('the footer of a copy', () => {
  it('is part of both bodies, and text is derived from HTML without it', async () => {
    expect(await copyOf({})).toEqual({
      subject: 'Hi Ada',
      html: withHtmlFooter('<p>Ada</p>', FOOTER),
      text: withTextFooter('Ada', FOOTER),
      missing: [],
    });
  });

  it.each([
    ['sources without placeholders', { subject: 's', html: '<p>x</p>', text: 'y' }],
    ['html that is broken', { html: '<body><p>x<!-- </body>', text: 'y' }],
    ['a link of its own', { html: '<a href="{{unsubscribe_url}}">out</a></body>', text: 'y' }],
  ])('is added for %s', async (_what, sources) => {
    const { html, text } = await copyOf(sources);
    expect(html).toContain('Customer Ltd &amp; Sons<br>1 High Street');
    expect(text).toContain(`\n\n${ADDRESS}\nUnsubscribe: ${LINK}\n`);
  });

  it('is added to a single body', async () => {
    expect(await copyOf({ html: null, text: 'y' })).toMatchObject({
      html: null,
      text: withTextFooter('y', FOOTER),
    });
  });

  it('is the text part of HTML without words, unless the text is omitted', async () => {
    const html = '<img src="https://x.example/a.png">';
    expect(await copyOf({ html })).toMatchObject({ text: withTextFooter('', FOOTER) });
    expect(await copyOf({ html, text: '' })).toMatchObject({ text: null });
    expect(await copyOf({ html: '<img src="a.png" alt="Sale for {{first_name}}">' })).toMatchObject({
      text: withTextFooter('Sale for Ada', FOOTER),
    });
  });

  it('is omitted by default, and fails without a link', async () => {
    expect(await copyOf({ footer: null })).toMatchObject({ html: '<p>Ada</p>', text: 'Ada' });
    await expect(copyOf({ unsubscribeUrl: null })).rejects.toThrow('needs an unsubscribe link');
  });

  it('does not turn an empty body into one', async () => {
    const copy = await copyOf({ html: '{{nothing}}', text: '{{nothing}}' });
    expect(copy).toMatchObject({ html: null, text: null, missing: ['nothing'] });
    expect(() => assertSendable(copy)).toThrow(expect.objectContaining({ code: 'content_required' }));
    const untitled = await copyOf({ subject: '{{nothing}}' });
    expect(() => assertSendable(untitled)).toThrow(expect.objectContaining({ code: 'subject_required' }));
  });
});

describe('missing values of a copy', () => {
  it.each([
    ['a name that nobody gives', '{{plan}} {{city}}', {}, ['plan']],
    ['a part of a name that is empty', '{{last_name}}', {}, []],
    ['nothing for what is empty on purpose', '{{plan}}', { plan: '' }, []],
    ['nothing behind a condition', '{{#if plan}}{{plan}}{{else}}none{{/if}}', {}, []],
    [
      'what a loop lacks, by its path',
      '{{#each items}}{{name}}{{/each}}',
      { items: [{}, { name: 'x' }] },
      ['items.name'],
    ],
    ['a list that is not there', '{{#each items}}x{{/each}}', {}, ['items']],
    ['nothing for a list with an else', '{{#each items}}x{{else}}none{{/each}}', {}, []],
    ['nothing for zero and no', '{{n}} {{b}}', { n: 0, b: false }, []],
  ])('%s', async (_what, text, variables, missing) => {
    expect((await copyOf({ subject: 's', html: null, text, variables })).missing).toEqual(missing);
  });
});

describe('the unsubscribe link', () => {
  const evil = 'https://evil.example/';
  const item = { unsubscribe_url: evil };
  it.each([
    ['a variable', '{{unsubscribe_url}}', item],
    ['a field of a list', '{{#each items}}{{unsubscribe_url}}{{/each}}', { items: [item] }],
    ['a field by this', '{{#each items}}{{this.unsubscribe_url}}{{/each}}', { items: [item] }],
    ['a field of what is entered', '{{#with o}}{{{unsubscribe_url}}}{{/with}}', { o: item }],
    [
      'a field one level up',
      '{{#with o}}{{#with p}}{{../unsubscribe_url}}{{/with}}{{/with}}',
      { o: { ...item, p: {} } },
    ],
    [
      'a block parameter',
      '{{#each items as |unsubscribe_url|}}{{unsubscribe_url}}{{/each}}',
      { items: [evil] },
    ],
    ['a quoted name', '{{#with o}}{{"unsubscribe_url"}}{{/with}}', { o: item }],
    ['a bracketed name', '{{#with o}}{{[unsubscribe_url]}}{{/with}}', { o: item }],
    ['the root', '{{#with o}}{{@root.unsubscribe_url}}{{/with}}', { ...item, o: item }],
    ['a prototype', '{{unsubscribe_url}}', JSON.parse(`{"__proto__":{"unsubscribe_url":"${evil}"}}`)],
  ])("is Mailkeel's, whatever is given as %s", async (_what, text, variables) => {
    const given = { subject: 's', html: null, text, footer: null };
    expect(await copyOf({ ...given, variables })).toMatchObject({ text: LINK, missing: [] });
    const metadata = JSON.stringify(variables);
    expect((await copyOf({ ...given, contact: { ...CONTACT, metadata } })).text).toBe(LINK);
  });
});

const NAMES = [
  'email',
  'name',
  'phone',
  'first_name',
  'last_name',
  'city',
  'unsubscribe_url',
  'Unsubscribe_URL',
];
const word = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom(
    '<script>x()</script>',
    '"><img src=x>',
    "' onload='x",
    '</body>',
    '{{name}}',
    '{{{a}}}',
    'a\r\nBcc: b@x',
    '&amp;',
    '<!--',
    '-->',
    '$&',
    '</style>',
  ),
);
const values = fc.dictionary(fc.constantFrom(...NAMES, 'plan', '__proto__', 'constructor'), word, {
  maxKeys: 5,
});
const person = fc.record({
  email: fc.constantFrom('ada@x.example', "o'hara@x.example"),
  name: fc.option(word),
  phone: fc.option(word),
  metadata: values,
});
const named = fc.constantFrom(...NAMES, 'plan');

/** The rules of interface.md: variables, then the record, then its metadata, then derived values. */
function expected(
  name: string,
  variables: Record<string, string>,
  contact: (typeof person extends fc.Arbitrary<infer T> ? T : never) | null,
): string {
  if (name === 'unsubscribe_url') return LINK;
  if (Object.hasOwn(variables, name)) return variables[name] ?? '';
  if (contact === null) return '';
  const record = { email: contact.email, name: contact.name, phone: contact.phone } as Record<
    string,
    string | null
  >;
  if (record[name]) return record[name];
  if (Object.hasOwn(contact.metadata, name)) return contact.metadata[name] ?? '';
  const words = (contact.name ?? '').trim().split(/\s+/);
  if (name === 'first_name') return words[0] ?? '';
  if (name === 'last_name') return words.slice(1).join(' ');
  return '';
}

const escaped = (value: string): string =>
  value.replace(/[&<>"'`=]/g, (sign) => {
    const known: Record<string, string> = {
      '&': '&amp;',
      '<': '&lt;',
      '>': '&gt;',
      '"': '&quot;',
      "'": '&#x27;',
      '`': '&#x60;',
      '=': '&#x3D;',
    };
    return known[sign] ?? sign;
  });

describe('a copy', () => {
  it('is filled by precedence, escaped in HTML only, with a one-line subject and one footer', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(named, { minLength: 1, maxLength: 4 }),
        values,
        fc.option(person),
        async (names, variables, contact) => {
          const filled = names.map((name) => expected(name, variables, contact));
          fc.pre(filled.every((value) => !value.includes('\0')));
          const copy = await copyOf({
            subject: `S ${names.map((name) => `{{${name}}}`).join('|')}`,
            html: `<html><body>${names.map((name) => `<p title="{{${name}}}">{{${name}}}</p>`).join('')}</body></html>`,
            text: names.map((name) => `[{{${name}}}]`).join('\n'),
            variables,
            contact: contact && { ...contact, metadata: JSON.stringify(contact.metadata) },
          });
          expect(copy.subject).toBe(
            `S ${filled.join('|')}`.replace(/\r\n|[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, ' '),
          );
          const paragraphs = filled
            .map((value) => `<p title="${escaped(value)}">${escaped(value)}</p>`)
            .join('');
          expect(copy.html).toBe(withHtmlFooter(`<html><body>${paragraphs}</body></html>`, FOOTER));
          expect(copy.text).toBe(withTextFooter(filled.map((value) => `[${value}]`).join('\n'), FOOTER));
          expect(copy.html?.split('1 High Street')).toHaveLength(2);
          expect(copy.text?.split('1 High Street')).toHaveLength(2);
          expect(copy.html).toMatch(/<\/div><\/body><\/html>$/);
          const empty = names.filter((name, at) => filled[at] === '' && variables[name] !== '');
          expect(copy.missing.sort()).toEqual([...new Set(empty)].sort());
        },
      ),
      runs(300),
    );
  });
});
