// Tests IDNA (UTS #46, RFC 5890), which gives the same result on every release of Node.
import { expect, it } from 'vitest';
import { toAscii } from '../../../src/lib/addresses/idna.rules.js';

it.each([
  ['grüße.test', 'xn--gre-6ka8l.test'],
  // Without transitional processing, ß stays a letter of its own.
  ['faß.de', 'xn--fa-hia.de'],
  ['xn--fa-hia.de', 'xn--fa-hia.de'],
  ['ＥＸＡＭＰＬＥ。com', 'example.com'],
  ['例え.テスト', 'xn--r8jz45g.xn--zckzah'],
  ['mañana.example', 'xn--maana-pta.example'],
  ['a_b.example', 'a_b.example'],
  ['MX1.Example.com', 'mx1.example.com'],
])('converts %j to %j', (domain, ascii) => {
  expect(toAscii(domain)).toBe(ascii);
});

it.each([
  ['', 'nothing'],
  ['xn--a.com', 'Punycode that decodes to a character that IDNA forbids'],
  ['xn--.com', 'Punycode without a label'],
  ['xn--abc.com', 'Punycode that does not decode'],
  ['xn--80ak6aa92e-.com', 'Punycode of another form than IDNA writes'],
  ['a\u200dexample.com', 'a joiner outside of its context'],
  ['\u05d0a.example', 'a label in two directions'],
  ['a\u{1f600}b\ufffe.example', 'a character that is not assigned'],
  ['a／b.example', 'a character that maps to a slash'],
  ['a b.example', 'a blank'],
  ['a%41.example', 'a percent sign'],
  ['user@example.com', 'an at sign'],
])('refuses %j: %s', (domain) => {
  expect(toAscii(domain)).toBeNull();
});
