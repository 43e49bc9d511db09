import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { downloadHeader } from '../../src/messages/files.routes.js';
import { anyText } from '../support/any-text.js';

/** The name that a browser uses: the UTF-8 one if there is one (RFC 6266 section 4.3). */
function savedAs(header: string): string {
  const extended = /; filename\*=UTF-8''([A-Za-z0-9!#$&+.^_`|~%-]*)$/.exec(header)?.[1];
  return extended === undefined
    ? (/^attachment; filename="([^"\\]*)"$/.exec(header)?.[1] ?? '?')
    : decodeURIComponent(extended);
}

describe('downloadHeader', () => {
  it.each([
    ['invoice 7.pdf', 'attachment; filename="invoice 7.pdf"'],
    ['Rechnung_Ä.pdf', `attachment; filename="Rechnung__.pdf"; filename*=UTF-8''Rechnung_%C3%84.pdf`],
    [`it's (1)*.txt`, `attachment; filename="it's (1)*.txt"`],
    ['100%.txt', `attachment; filename="100_.txt"; filename*=UTF-8''100%25.txt`],
    ['a"b.txt', `attachment; filename="a_b.txt"; filename*=UTF-8''a%22b.txt`],
    ['', 'attachment; filename="attachment"'],
    ['..', 'attachment; filename="attachment"'],
  ])('for %j is as expected', (name, header) => {
    expect(downloadHeader(name)).toBe(header);
  });

  it.each([
    ['../../etc/passwd', '.._.._etc_passwd'],
    ['C:\\a\\b.exe', 'C__a_b.exe'],
    ['a\r\nSet-Cookie: x.txt', 'a__Set-Cookie_ x.txt'],
    ['gpj.\u202eexe', 'gpj.exe'],
    ['日本\u2028語.png', '日本_語.png'],
    ['👨‍👩‍👧.png', '👨‍👩‍👧.png'],
    [`${'x'.repeat(300)}.pdf`, `${'x'.repeat(196)}.pdf`],
    [`${'😀'.repeat(150)}.png`, `${'😀'.repeat(98)}.png`],
    ['half \ud800.txt', 'half \ufffd.txt'],
    [`Ö'(*)`, `Ö'(*)`],
  ])('has a file name without a path: %j', (name, saved) => {
    expect(savedAs(downloadHeader(name))).toBe(saved);
  });

  it('is a single header line for any name', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 300 }), (name) => {
        const header = downloadHeader(name);
        expect(header).toMatch(/^[\x20-\x7e]+$/);
        const saved = savedAs(header);
        expect(saved).toMatch(/^[^/\\]{1,216}$/u);
        expect(saved.isWellFormed()).toBe(true);
      }),
    );
  });
});
