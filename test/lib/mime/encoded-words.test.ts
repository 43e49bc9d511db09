import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { octetText } from '../../../src/lib/mime/charset.js';
import { decodeWords } from '../../../src/lib/mime/encoded-words.js';
import { encodeText } from '../../../src/lib/mime/header-field.js';

describe('encoded words', () => {
  it.each([
    ['plain', 'plain'],
    ['=?utf-8?q?a_b=3D?=', 'a b='],
    ['a =?UTF-8?B?w7w=?= b', 'a ü b'],
    ['=?utf-8?q?a?= =?utf-8?q?b?=', 'ab'],
    ['=?utf-8?q?a?= \t =?iso-8859-1?q?=FC?=', 'aü'],
    ['=?utf-8?q?a?= and =?utf-8?q?b?=', 'a and b'],
    // A character split between two words.
    ['=?utf-8?b?w7w=?= =?utf-8?q?=C3?= =?utf-8?q?=BC?=', 'üü'],
    ['=?utf-8?q?two words?=', 'two words'],
    ['=?windows-1252?q?=93x=94?= =?iso-8859-1?q?=93x=94?=', '“x”“x”'],
    ['=?no-such-charset?q?=FC?=', 'ü'],
    ['a =? b ?= c', 'a =? b ?= c'],
    ['=?iso-2022-jp?B?GyRCJUYlOSVIGyhC?=', 'テスト'],
    ['=?koi8-r?B?8NLJ18XU?=', 'Привет'],
    ['=?utf-8*de?q?a?=', 'a'],
    ['=?no-such-charset?q?a?= =?utf-8?q?b?=', 'ab'],
    ['=?utf-8?x?a?=', '=?utf-8?x?a?='],
    ['=?utf-8?q?a', '=?utf-8?q?a'],
    ['a=?utf-8?q?b?=c', 'abc'],
  ])('%j decode to %j', (text, said) => {
    expect(decodeWords(text)).toBe(said);
  });

  it('decode to their input', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        const line = text.replace(/[\r\n\0]/g, ' ');
        expect(decodeWords(encodeText(line))).toBe(line.toWellFormed());
      }),
    );
  });

  it('with raw octets are UTF-8, or else Windows-1252', () => {
    expect(octetText('Gr\xc3\xbc\xc3\x9fe')).toBe('Grüße');
    expect(octetText('caf\xe9 \x80')).toBe('café €');
    expect(octetText('ascii')).toBe('ascii');
  });
});
