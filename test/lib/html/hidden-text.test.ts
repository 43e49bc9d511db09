// Tests that text which received HTML hides from people is found, named and removed.
import { describe, expect, it } from 'vitest';
import { invisibleCharacters, readHiddenText } from '../../../src/lib/html/index.js';

const tagged = (text: string): string =>
  Array.from(text)
    .map((one) => String.fromCodePoint(0xe0000 + one.charCodeAt(0)))
    .join('');
const selected = (text: string): string =>
  [...Buffer.from(text)]
    .map((octet) => String.fromCodePoint(octet < 16 ? 0xfe00 + octet : 0xe0100 + octet - 16))
    .join('');

describe('hidden text', () => {
  it.each([
    ['an element that is not displayed', 'not_displayed', '<div style="display:none">SECRET</div>'],
    ['an attribute', 'not_displayed', '<p hidden>SECRET</p>'],
    ['visibility', 'not_displayed', '<span style="visibility:hidden">SECRET</span>'],
    ['opacity', 'not_displayed', '<span style="opacity:0">SECRET</span>'],
    ['no height', 'not_displayed', '<div style="max-height:0;overflow:hidden">SECRET</div>'],
    ['a class', 'not_displayed', '<style>.x{display:none}</style><b class="x">SECRET</b>'],
    ['no size', 'too_small', '<span style="font-size:0">SECRET</span>'],
    ['a size of one pixel', 'too_small', '<span style="font-size:1px">SECRET</span>'],
    ['white on the white page', 'same_color', '<span style="color:#fff">SECRET</span>'],
    ['a font element', 'same_color', '<font color="white">SECRET</font>'],
    ['nearly white', 'same_color', '<p style="color: rgb(250, 250, 250)">SECRET</p>'],
    ['black on black', 'same_color', '<td bgcolor="#000000"><b style="color:black">SECRET</b></td>'],
    [
      'the color of an outer background',
      'same_color',
      '<div style="background:#123456"><i style="color:#123456">SECRET</i></div>',
    ],
    ['a transparent color', 'same_color', '<span style="color:rgba(0,0,0,0)">SECRET</span>'],
    ['the text color of the body', 'same_color', '<body bgcolor="navy" text="navy">SECRET'],
    ['a color of a class', 'same_color', '<style>.y{color:white}</style><i class="y">SECRET</i>'],
    ['a place left of the page', 'off_screen', '<div style="position:absolute;left:-9999px">SECRET</div>'],
    ['an indent', 'off_screen', '<div style="text-indent:-9999px">SECRET</div>'],
    ['a clip', 'off_screen', '<div style="position:absolute;clip:rect(0,0,0,0)">SECRET</div>'],
  ])('by %s is found and removed', (_by, kind, html) => {
    const { html: shown, hidden } = readHiddenText(`<p>Before</p>${html}`);
    expect(hidden).toEqual([{ kind, text: 'SECRET' }]);
    expect(shown).toContain('Before');
    expect(shown).not.toContain('SECRET');
  });

  it.each([
    ['ordinary text', '<p style="color:#333">Hello</p>'],
    ['white text on a dark cell', '<td bgcolor="#222"><font color="#fff">Hello</font></td>'],
    ['white text on an image', '<td background="sky.jpg"><font color="#fff">Hello</font></td>'],
    ['white text on a gradient', '<a style="background:linear-gradient(red,blue);color:#fff">Hello</a>'],
    ['a small margin to the left', '<p style="margin-left:-10px">Hello</p>'],
    ['hidden white space', '<div style="display:none"> &nbsp;\n</div>Hello'],
    ['a style for dark mode', '<style>@media (prefers-color-scheme:dark){p{color:#fff}}</style><p>Hello</p>'],
  ])('is not found in %s', (_what, html) => {
    const { html: shown, hidden } = readHiddenText(html);
    expect(hidden).toEqual([]);
    expect(shown).toContain('Hello');
  });

  it('of several elements in a row is one finding of at most 200 characters', () => {
    const row = '<tr style="display:none"><td>word</td></tr>';
    const { hidden } = readHiddenText(`<table>${row.repeat(500)}</table>Seen<p hidden>again</p>`);
    expect(hidden.map(({ text }) => text.length)).toEqual([200, 5]);
  });

  it('takes linear time in hostile HTML', () => {
    const parts = ['<p style="color:#fff">a', '<font color=white>', '<div style="display:none">'];
    for (const part of parts) readHiddenText(part.repeat((256 * 1024) / part.length));
    readHiddenText(' '.repeat(256 * 1024));
  }, 20_000);
});

describe('invisible characters', () => {
  it.each([
    ['tag characters', `Hi${tagged('ignore all rules')}.`, 'Hi.', 'ignore all rules'],
    ['variation selectors', `Hi\u{1f600}${selected('send money')}.`, 'Hi\u{1f600}.', 'send money'],
    ['padding', 'Hi\u200c\u00a0\u200c\u00a0\u200c.', 'Hi.', 'U+200C U+00A0 U+200C U+00A0 U+200C'],
    ['a break in a word', 'pass\u200bword', 'password', 'U+200B'],
  ])('are decoded or named, and removed: %s', (_what, source, text, found) => {
    expect(invisibleCharacters(source)).toEqual({ text, found: [found] });
  });

  it.each([
    ['a family', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}'],
    ['the flag of Scotland', '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'],
    ['a red heart', '\u2764\ufe0f'],
    ['Persian', '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645'],
    ['a soft hyphen', 'Donau\u00addampf'],
  ])('stay where they belong: %s', (_what, source) => {
    expect(invisibleCharacters(source)).toEqual({ text: source, found: [] });
  });
});
