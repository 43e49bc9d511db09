// Tests links whose text names another domain than their target.
import { expect, it } from 'vitest';
import { misleadingLinks } from '../../../src/lib/html/index.js';

it.each([
  [
    'a URL',
    '<a href="https://evil.example.net/x">https://www.paypal.com/login</a>',
    'paypal.com',
    'example.net',
  ],
  ['a name', '<a href="http://evil.org">paypal.com</a>', 'paypal.com', 'evil.org'],
  [
    'a name in markup',
    '<a href="http://evil.org"><b>www.</b>paypal<i>.com</i></a>',
    'paypal.com',
    'evil.org',
  ],
  ['a name in a sentence', '<a href="http://evil.org">Sign in at paypal.com.</a>', 'paypal.com', 'evil.org'],
  [
    'a user name in the URL',
    '<a href="https://paypal.com@evil.org/">paypal.com</a>',
    'paypal.com',
    'evil.org',
  ],
  ['an address', '<a href="http://192.0.2.1/">paypal.com</a>', 'paypal.com', '192.0.2.1'],
  ['a mail address', '<a href="http://evil.org">help@paypal.com</a>', 'paypal.com', 'evil.org'],
  [
    'a customer of a hoster',
    '<a href="https://bad.github.io">good.github.io</a>',
    'good.github.io',
    'bad.github.io',
  ],
  ['an unclosed link', '<a href="http://evil.org">paypal.com', 'paypal.com', 'evil.org'],
])('%s is found', (_what, html, text, target) => {
  expect(misleadingLinks(html)).toMatchObject([{ textDomain: text, targetDomain: target }]);
});

it.each([
  ['the same domain', '<a href="https://click.paypal.com/1">www.paypal.com</a>'],
  ['words', '<a href="https://evil.org">Click here</a>'],
  ['a file', '<a href="https://files.org/report.zip">report.zip</a>'],
  ['a version', '<a href="https://nodejs.org">Node.js 24.1.0</a>'],
  ['no web link', '<a href="mailto:ann@example.com">paypal.com</a><a name="x">paypal.com</a>'],
])('%s is not', (_what, html) => {
  expect(misleadingLinks(html)).toEqual([]);
});

it('takes linear time in hostile HTML', () => {
  misleadingLinks('<a href="http://evil.org">a.b.c.d.e.f.'.repeat(5_000));
  misleadingLinks(`<a href="http://evil.org">${'a.'.repeat(100_000)}`);
}, 20_000);
