// Tests UTM parameters on the links of a copy, in HTML and text. The rest of each link is unchanged.
import { describe, expect, it } from 'vitest';
import {
  missingQuery,
  utmParameters,
  utmProblem,
  withUtmInHtml,
  withUtmInText,
} from '../../src/campaigns/utm.rules.js';

const PUBLIC_URL = 'https://mail.example.test';
const terms = {
  publicUrl: PUBLIC_URL,
  parameters: [
    ['utm_source', 'news'],
    ['utm_campaign', 'März & more'],
  ] as [string, string][],
};
const ADDED = 'utm_source=news&utm_campaign=M%C3%A4rz%20%26%20more';
const IN_HTML = ADDED.replaceAll('&', '&#38;');
const inHtml = (href: string): string => withUtmInHtml(`<p><a class=x href="${href}">Shop</a></p>`, terms);
const link = (href: string): string => `<p><a class=x href="${href}">Shop</a></p>`;

describe('links in HTML', () => {
  it.each([
    ['https://shop.example', `https://shop.example?${IN_HTML}`],
    ['https://shop.example/a?b=1&amp;c=2', `https://shop.example/a?b=1&amp;c=2&#38;${IN_HTML}`],
    ['https://shop.example/a?b=1&c=2', `https://shop.example/a?b=1&c=2&#38;${IN_HTML}`],
    ['https://shop.example/a?', `https://shop.example/a?${IN_HTML}`],
    ['https://shop.example/a#part', `https://shop.example/a?${IN_HTML}#part`],
    ['https://shop.example/a?b=1#part?x', `https://shop.example/a?b=1&#38;${IN_HTML}#part?x`],
    ['https://shop.example/a?b=%C3%A4+%2B', `https://shop.example/a?b=%C3%A4+%2B&#38;${IN_HTML}`],
    ['https://shop.example/?x=1&#38;y=2', `https://shop.example/?x=1&#38;y=2&#38;${IN_HTML}`],
    [' HTTPS://shop.example/a ', ` HTTPS://shop.example/a?${IN_HTML} `],
    [
      'https://shop.example/?UTM_Source=mine',
      'https://shop.example/?UTM_Source=mine&#38;utm_campaign=M%C3%A4rz%20%26%20more',
    ],
  ])('get missing parameters: %s', (before, after) => {
    expect(inHtml(before)).toBe(link(after));
  });

  it.each([
    'mailto:ann@example.com',
    'tel:+4712345678',
    '#part',
    '/relative',
    'https://mail.example.test/u/token',
    'https://mail.example.test/preferences/token',
    'https://shop.example/?utm_source=a&amp;utm_campaign=b',
    // The fragment is written as a character reference.
    'https://shop.example/a&#35;part',
    'https://shop.example/&unknown;',
  ])('remain unchanged: %s', (href) => {
    expect(inHtml(href)).toBe(link(href));
  });

  it('are found in `area`, with any quotes, and not in comments', () => {
    const html = `<map><area href='https://a.example'></map><a href=https://b.example>b</a><!-- <a href="https://c.example"> -->`;
    expect(withUtmInHtml(html, terms)).toBe(
      `<map><area href='https://a.example?${IN_HTML}'></map><a href=https://b.example?${IN_HTML}>b</a><!-- <a href="https://c.example"> -->`,
    );
  });

  it('are not changed a second time', () => {
    const once = inHtml('https://shop.example/a?b=1#c');
    expect(withUtmInHtml(once, terms)).toBe(once);
  });
});

describe('links in text', () => {
  it.each([
    ['See https://shop.example.', `See https://shop.example?${ADDED}.`],
    ['(https://shop.example/a#b), and', `(https://shop.example/a?${ADDED}#b), and`],
    ['https://shop.example/a_(b) x', `https://shop.example/a_(b)?${ADDED} x`],
    ['(see https://shop.example/a_(b)).', `(see https://shop.example/a_(b)?${ADDED}).`],
    ['https://shop.example/a_(b).', `https://shop.example/a_(b)?${ADDED}.`],
    ['<https://shop.example/?a=1>', `<https://shop.example/?a=1&${ADDED}>`],
    ['mailto:ann@example.com tel:123 shop.example', 'mailto:ann@example.com tel:123 shop.example'],
    ['Leave: https://mail.example.test/u/token', 'Leave: https://mail.example.test/u/token'],
  ])('%s', (before, after) => {
    expect(withUtmInText(before, terms)).toBe(after);
  });
});

describe('bounds', () => {
  const url = 'https://shop.example/';
  const added = (before: string, after: string): number => (after.length - before.length) / ADDED.length;

  it('limit the number of links in a body and the length of a link', () => {
    const text = `${url} `.repeat(1_001);
    expect(added(text, withUtmInText(text, terms))).toBeLessThan(1_050);
    const long = url + 'a'.repeat(2_030 - url.length);
    expect(withUtmInText(long, terms)).toBe(long);
    expect(inHtml(long)).toBe(link(long));
  });

  it('find the end of a URL full of dots in one pass', () => {
    const dots = `${url}${'.'.repeat(200_000)}a`;
    const before = process.cpuUsage();
    expect(withUtmInText(`${dots} ${url}`, terms)).toBe(`${dots} ${url}?${ADDED}`);
    // Searching from each dot would take over a minute.
    expect(process.cpuUsage(before).user).toBeLessThan(5_000_000);
  });

  it('apply to filled values, even with half a surrogate pair', () => {
    const facts = { campaign_name: 'ab'.repeat(100), campaign_id: 'cmp_1', variant: '' };
    expect(utmParameters({ source: '{{campaign_name}}'.repeat(11) }, facts)).toEqual([
      ['utm_source', 'ab'.repeat(100)],
    ]);
    expect(missingQuery(url, utmParameters({ source: 'a\ud800' }, facts))).toBe('utm_source=a%EF%BF%BD');
  });
});

describe('values', () => {
  it('are filled with campaign and variant, and omitted if empty', () => {
    const utm = {
      source: 'news',
      campaign: '{{ campaign_name }}',
      content: '{{variant}}',
      term: '{{campaign_id}}',
    };
    expect(utmParameters(utm, { campaign_name: 'Spring', campaign_id: 'cmp_1', variant: '' })).toEqual([
      ['utm_source', 'news'],
      ['utm_campaign', 'Spring'],
      ['utm_term', 'cmp_1'],
    ]);
    expect(missingQuery('https://a.example/?utm_source=x', [['utm_source', 'y']])).toBe('');
  });

  it('support no other placeholders', () => {
    expect(utmProblem('{{campaign_name}} 2026')).toBeNull();
    expect(utmProblem('{{first_name}}')).toContain('{{first_name}}');
    expect(utmProblem('{{campaign_name')).not.toBeNull();
  });
});
