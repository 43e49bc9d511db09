// Tests addresses: parsing, refusals and their reasons, and the key of a mailbox.
import fc from 'fast-check';
import addressParser from 'nodemailer/lib/addressparser';
import { describe, expect, it } from 'vitest';
import {
  addressKey,
  holdsAddress,
  addressProblem,
  addressDomain,
  envelopeAddress,
  formatMailbox,
  parseMailbox,
} from '../../../src/lib/mime/address.js';
import { anyText } from '../../support/any-text.js';
import { FIELD_ADDRESSES } from '../../support/field-mail.js';
import { runs } from '../../support/run-size.js';

describe('parseMailbox', () => {
  it.each([
    ['a@b.c', 'a@b.c', null],
    ['  a@b.c ', 'a@b.c', null],
    ['<a@b.c>', 'a@b.c', null],
    ['Ann <a@b.c>', 'a@b.c', 'Ann'],
    ['Ann<a@b.c>', 'a@b.c', 'Ann'],
    ['"Smith, Ann" <a@b.c>', 'a@b.c', 'Smith, Ann'],
    ['Smith, Ann <a@b.c>', 'a@b.c', 'Smith, Ann'],
    ['"An \\"A\\" \\\\" <a@b.c>', 'a@b.c', 'An "A" \\'],
    ['"<x@y.z>" <a@b.c>', 'a@b.c', '<x@y.z>'],
    ['a@b.c <a@b.c>', 'a@b.c', 'a@b.c'],
    ['Jürgen Groß <j@b.c>', 'j@b.c', 'Jürgen Groß'],
    ['"" <a@b.c>', 'a@b.c', null],
    ['"john doe"@b.c', '"john doe"@b.c', null],
    ['"J, D" <"john <d>\\" doe"@b.c>', '"john <d>\\" doe"@b.c', 'J, D'],
    ['<a..b@b.c>', 'a..b@b.c', null],
  ])('reads %j', (text, email, name) => {
    expect(parseMailbox(text)).toEqual({ email, name });
  });

  it.each([
    '',
    '   ',
    'Ann',
    'a@b.c, d@e.f',
    'a@b.c, Ann <d@e.f>',
    'Ann <a@b.c> x',
    'Ann <a@b.c',
    'Ann a@b.c>',
    'Ann <>',
    'Ann <<a@b.c>>',
    '"Ann <a@b.c>',
    'Ann <a@b.c>, Bob <d@e.f>',
    'a@b.c (Ann)',
    'Ann\r\nBcc: x@y.z <a@b.c>',
    'Ann\0 <a@b.c>',
    `${'a'.repeat(3000)}@b.c`,
  ])('does not read %j', (text) => {
    const read = parseMailbox(text);
    expect(read === null || addressProblem(read.email) !== null).toBe(true);
  });

  it('parses the output of formatMailbox for an ASCII name', () => {
    const name = fc.string({ minLength: 1, maxLength: 40 }).map((text) => text.trim());
    fc.assert(
      fc.property(
        name.filter((text) => text !== '' && !text.includes('=?') && !text.includes('  ')),
        (ascii) => {
          const text = formatMailbox({ email: 'a@b.example', name: ascii });
          expect(parseMailbox(text)).toEqual({ email: 'a@b.example', name: ascii });
          expect(addressParser(text)).toEqual([{ address: 'a@b.example', name: ascii }]);
        },
      ),
    );
  });

  it('takes any text without throwing', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 300 }), (text) => {
        const read = parseMailbox(text);
        if (read !== null) expect(`${read.email}${read.name ?? ''}`).not.toMatch(/[\r\n\0]/);
      }),
    );
  });
});

describe('an address with dots or quotes in its local part', () => {
  it.each([
    ['a..b@docomo.example', 'a..b@docomo.example', '"a..b"@docomo.example'],
    ['"A..b"@Docomo.example', 'a..b@docomo.example', '"A..b"@docomo.example'],
    ['abc.@docomo.example', 'abc.@docomo.example', '"abc."@docomo.example'],
    ['.abc@mail.example', '.abc@mail.example', '".abc"@mail.example'],
    ['"abc"@x.example', 'abc@x.example', 'abc@x.example'],
    ['"a\\bc"@x.example', 'abc@x.example', 'abc@x.example'],
    ['"John Doe"@x.example', '"john doe"@x.example', '"John Doe"@x.example'],
    ['"a@b"@x.example', '"a@b"@x.example', '"a@b"@x.example'],
    ['"a\\"\\\\b"@x.example', '"a\\"\\\\b"@x.example', '"a\\"\\\\b"@x.example'],
    ['"jürgen..x"@x.example', 'jürgen..x@x.example', '"jürgen..x"@x.example'],
  ])('%j has one key and one wire form', (email, key, wire) => {
    expect(addressProblem(email, { utf8Local: true })).toBeNull();
    expect(addressKey(email)).toBe(key);
    expect(envelopeAddress(email)).toBe(wire);
    for (const again of [key, wire]) {
      expect(addressKey(again)).toBe(key);
      expect(envelopeAddress(again).toLowerCase()).toBe(wire.toLowerCase());
    }
    expect(formatMailbox({ email, name: 'Ann' })).toBe(`Ann <${wire}>`);
    expect(parseMailbox(formatMailbox({ email, name: 'Ann' }))).toEqual({ email: wire, name: 'Ann' });
  });
});

describe('addressProblem', () => {
  it.each([
    'a@example.com',
    'A.b+tag@Example.COM',
    "o'neil!#$%&*/=?^_`{|}~-@example.com",
    `${'a'.repeat(64)}@example.com`,
    `a@${'b'.repeat(63)}.example`,
    'a@münchen.de',
    'a@xn--mnchen-3ya.de',
    'a@例え.テスト',
    'a@1and1.de',
    'a@b.c.d.e.f',
    'a@b_c.com',
    ...FIELD_ADDRESSES.api_to_and_relay_rcpt,
    '"a@b"@example.com',
    '"a<b>\\"c"@example.com',
    `${'a'.repeat(60)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(60)}.de`,
  ])('accepts %j', (email) => {
    expect(addressProblem(email)).toBeNull();
  });

  it.each([
    ['', /no @/],
    ['ann', /no @/],
    ['@example.com', /nothing before/],
    ['a@', /no domain/],
    ['a@b@example.com', /more than one @/],
    ['"a b@example.com', /quotes/],
    ['"a"b"@example.com', /quotes/],
    ['"a"b@example.com', /quotes/],
    ['a"b@example.com', /not allowed/],
    ['"ü"@example.com', /SMTPUTF8/],
    ['""@example.com', /nothing before/],
    [`"${'a'.repeat(65)}"@example.com`, /64/],
    ['ü@example.com', /SMTPUTF8/],
    [`${'a'.repeat(65)}@example.com`, /64/],
    ['a(b)@example.com', /not allowed/],
    ['a<b@example.com', /not allowed/],
    ['a\\b@example.com', /not allowed/],
    ['a@[1.2.3.4]', /literals/],
    ['a@[IPv6:::1]', /literals/],
    ['a@1.2.3.4', /number/],
    ['a@localhost', /two labels/],
    ['a@.example.com', /empty label/],
    ['a@example..com', /empty label/],
    ['a@example.com.', /empty label/],
    [`a@${'b'.repeat(64)}.com`, /63/],
    ['a@-b.com', /hyphen/],
    ['a@b-.com', /hyphen/],
    ['a@b%2ec.com', /not allowed/],
    ['a@b/ü.com', /not a valid/],
    ['a@b／c.com', /not a valid/],
    ['a@xn--a.com', /not a valid/],
    ['a@ü..com', /empty label/],
    [`a@${'ü'.repeat(60)}.com`, /63|not a valid/],
    ['a b@example.com', /space/],
    ['a@exa mple.com', /space/],
    ['a@example.com\r\nRCPT TO:<x@y.z>', /line break/],
    ['a\0@example.com', /control/],
    [`${'a'.repeat(60)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}.de`, /254/],
    ['a'.repeat(1_000_000), /254/],
  ])('refuses %j', (email, reason) => {
    expect(addressProblem(email)).toMatch(reason);
  });

  it.each(['jürgen@example.com', '用户@例子.广告', 'δοκιμή.x@example.com'])(
    'accepts %s only with SMTPUTF8',
    (email) => {
      expect(addressProblem(email, { utf8Local: true })).toBeNull();
      expect(addressProblem(email)).toMatch(/not ASCII/);
    },
  );

  it.each([
    'j\u0085x@example.com',
    'j\u2028x@example.com',
    'j\u200bx@example.com',
    'j\ud800x@example.com',
    'j\u00a0x@example.com',
    '"j\u200bx"@example.com',
    `${'ü'.repeat(33)}@example.com`,
    `üü@${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.example`,
  ])('refuses %j with SMTPUTF8 too', (email) => {
    expect(addressProblem(email, { utf8Local: true })).not.toBeNull();
  });

  it('accepts nothing that could break out of an SMTP command or a header', () => {
    const pieces = fc.constantFrom(
      'a',
      '@',
      '.',
      '-',
      '<',
      '>',
      ' ',
      '\r',
      '\n',
      '\0',
      'ü',
      '。',
      '／',
      '"',
      'com',
      '[',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(pieces).map((all) => all.join('')),
          fc.emailAddress(),
        ),
        (email) => {
          if (addressProblem(email) !== null) return;
          expect(envelopeAddress(email)).toMatch(/^[!-;=?-~]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/);
          expect(envelopeAddress(email).length).toBeLessThanOrEqual(254);
          expect(addressProblem(addressKey(email))).toBeNull();
          expect(addressKey(addressKey(email))).toBe(addressKey(email));
        },
      ),
      runs(2000),
    );
  });
});

describe('forms of one address', () => {
  it('has one key for every case and domain spelling', () => {
    for (const email of [
      'Ann@MÜNCHEN.de',
      'ann@münchen.de',
      'ANN@xn--mnchen-3ya.DE',
      'ann@mu\u0308nchen.de',
    ]) {
      expect(addressKey(email)).toBe('ann@xn--mnchen-3ya.de');
    }
  });

  it('keeps the case of the local part in the envelope', () => {
    expect(envelopeAddress('Ann.B@MÜNCHEN.de')).toBe('Ann.B@xn--mnchen-3ya.de');
    expect(addressDomain('Ann@Example.COM')).toBe('example.com');
    expect(addressDomain('nothing')).toBe('');
  });

  it.each([
    [null, 'a@b.c'],
    ['', 'a@b.c'],
    ['Ann Lee', 'Ann Lee <a@b.c>'],
    ['Lee, Ann', '"Lee, Ann" <a@b.c>'],
    ['An "A" \\', '"An \\"A\\" \\\\" <a@b.c>'],
    ['J. Doe', '"J. Doe" <a@b.c>'],
    ['Jürgen', '=?UTF-8?Q?J=C3=BCrgen?= <a@b.c>'],
    ['山田', '=?UTF-8?B?5bGx55Sw?= <a@b.c>'],
  ])('writes the name %j', (name, text) => {
    expect(formatMailbox({ email: 'a@b.c', name })).toBe(text);
  });
});

it('finds an address in UTF-8 and in the UTF-16 of spreadsheets', () => {
  const text = 'name,Ann@Example.com';
  for (const octets of [
    Buffer.from(text),
    Buffer.from(`\ufeff${text}`),
    Buffer.from(`\ufeff${text}`, 'utf16le'),
  ]) {
    expect(holdsAddress(octets, 'ann@example.com')).toBe(true);
    expect(holdsAddress(octets, 'bob@example.com')).toBe(false);
  }
});
