import { describe, expect, it } from 'vitest';

import { sized } from '../../support/run-size.js';
import { createHtmlToText, MAX_HTML_CHARS } from '../../../src/lib/html/html-to-text.js';

const textOf = createHtmlToText();

describe('text derived from HTML', () => {
  it.each([
    [
      'a link',
      '<p>See <a href="https://x.example/?a=1&amp;b=2">the page</a>.</p>',
      'See the page [https://x.example/?a=1&b=2].',
    ],
    ['a link that shows itself', '<a href="https://x.example/">https://x.example/</a>', 'https://x.example/'],
    ['an anchor', '<a href="#top">Top</a>', 'Top'],
    ['an image', '<img src="https://x.example/logo.png" alt="Logo">Hi', 'Logo Hi'],
    ['an image without alt text', '<img src="https://x.example/logo.png">Hi<img alt="">', 'Hi'],
    [
      'a linked image',
      '<a href="https://x.example/"><img src="y.png" alt="Shop &amp; win"></a>',
      'Shop & win [https://x.example/]',
    ],
    [
      'a row of linked images',
      '<a href="https://x.example/1"><img alt="A"></a><a href="https://x.example/2"><img alt="B"></a>',
      'A [https://x.example/1] B [https://x.example/2]',
    ],
    ['a heading', '<h1>Hello Ada</h1><p>Welcome</p>', 'Hello Ada\n\nWelcome'],
    ['styles, title and scripts', '<title>T</title><style>a{}</style><script>x()</script><p>Hi</p>', 'Hi'],
    [
      'a table',
      '<table><tr><td>Tea</td><td>3.00</td></tr><tr><td>Sum</td><td>3.00</td></tr></table>',
      'Tea 3.00\nSum 3.00',
    ],
    ['a list', '<ul><li>one</li><li>two</li></ul>', '* one\n * two'],
    ['entities', '&lt;b&gt; &euro; &#x3D;', '<b> \u20ac ='],
    ['line breaks', 'a<br>b', 'a\nb'],
    ['nothing', '', ''],
  ])('%s', (_what, html, text) => {
    expect(textOf(html)).toBe(text);
  });

  const PREVIEW = '\u00a0\u200c\u200b\u200d\u200e\u200f\ufeff';
  it.each([
    [
      "React Email's preview",
      `<div style="display:none;overflow:hidden;max-height:0" data-skip-in-text="true">Preview<div>${PREVIEW}</div></div>`,
    ],
    ['the hidden attribute', '<p hidden>no</p>'],
    ['the hidden attribute with a value', '<p hidden="hidden">no <b>no</b></p>'],
    ['a paragraph that ends by itself', '<p hidden>no'],
    ['a style in capitals', '<p STYLE="DISPLAY : NONE !IMPORTANT">no</p>'],
    ['mso-hide', '<div style="mso-hide:all">no</div>'],
    ['a mark of React Email', '<span data-skip-in-text=true>no</span>'],
    ['visibility', '<p style="visibility:hidden">no</p>'],
    ['opacity', '<p style="opacity:0">no</p>'],
    ['no height', '<div style="max-height:0px;overflow:hidden">no</div>'],
    ['no size', '<span style="font-size:0">no</span>'],
    ['a hidden image', '<img style="display:none" alt="no">'],
    ['a hidden row', '<table><tr style="display:none"><td>no<td>no</table>'],
    ['a class', '<style>@import "x"; /* } */ .pre, b { display: none }</style><div class="x pre">no</div>'],
    ['padding of a preview', `<div>${PREVIEW.repeat(20)}</div>`],
    ['padding by references', `<div>${'&#847;&zwnj;&nbsp;'.repeat(50)}</div>`],
    ['a comment for Outlook', '<!--[if mso]><p>no</p><![endif]-->'],
  ])('omits content hidden by %s', (_what, html) => {
    expect(textOf(`<body>${html}<p>Shown</p></body>`)).toBe('Shown');
  });

  it.each([
    [
      'of an element that is hidden on telephones only',
      '<style>@media (max-width:9px){.a{display:none}}</style><p class="a">Yes</p>',
    ],
    [
      'of an element whose own style is stronger',
      '<style>.a{display:none}</style><p class="a" style="display:block">Yes</p>',
    ],
    ['of a link beside a button for Outlook', '<a href="#" style="mso-hide:all">Yes</a>'],
    ['with a size of its own', '<div style="font-size:0"><span style="font-size:14px">Yes</span></div>'],
    ['made visible again', '<div style="visibility:hidden"><b style="visibility:visible">Yes</b></div>'],
    ['in a box without overflow', '<div style="height:0">Yes</div>'],
    ['of a page that is hidden', '<body style="display:none">Yes</body>'],
    ['behind hidden elements that cross', '<div hidden><b>no</div>Yes</b>'],
    ['behind an end tag of nothing', '<p hidden>no</b></p>Yes'],
    ['not to be skipped', '<p data-skip-in-text="false">Yes</p>'],
  ])('keeps text %s', (_what, html) => {
    expect(textOf(html)).toBe('Yes');
  });

  it('keeps characters that join letters and emoji', () => {
    const text = 'می‌خواهم 👩‍🚀 co\u00adoperate';
    expect(textOf(`<p>${text}</p>`)).toBe(text);
  });

  it('does not wrap long lines', () => {
    const line = 'word '.repeat(100).trim();
    expect(textOf(`<p>${line}</p>`)).toBe(line);
  });

  it.each([
    ['open divs', '<div>'.repeat(sized({ small: 20_000, full: 60_000 }))],
    ['nested lists', '<ul><li>'.repeat(sized({ small: 11_000, full: 33_000 }))],
    ['brackets', '<'.repeat(1_000_000)],
    [
      'hidden elements',
      '<p hidden style="opacity:0" class="a b"><b>'.repeat(sized({ small: 1_500, full: 6_000 })),
    ],
    [
      'rules',
      `<style>${'p.a,b{display:none}'.repeat(sized({ small: 3_000, full: 12_000 }))}</style><p class="a">`,
    ],
    ['crossing elements', '<b><p><i></b>'.repeat(sized({ small: 5_000, full: 20_000 }))],
    ['braces', `<style>${'a{'.repeat(100_000)}${'}'.repeat(50_000)}</style>`],
    ['paragraphs', '<p>x</p>'.repeat(sized({ small: 50_000, full: 200_000 }))],
  ])('is derived in bounded time from %s', (_what, html) => {
    const started = performance.now();
    expect(textOf(html).length).toBeLessThanOrEqual(MAX_HTML_CHARS);
    expect(performance.now() - started).toBeLessThan(8_000);
  });
});
