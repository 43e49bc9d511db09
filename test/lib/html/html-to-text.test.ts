import { describe, expect, it } from 'vitest';

import { sized } from '../../support/run-size.js';
import { createHtmlToText, MAX_HTML_CHARS } from '../../../src/lib/html/html-to-text.js';

const textOf = createHtmlToText();

describe('the text derived from html', () => {
  it.each([
    [
      'a link',
      '<p>See <a href="https://x.example/?a=1&amp;b=2">the page</a>.</p>',
      'See the page [https://x.example/?a=1&b=2].',
    ],
    ['a link that shows itself', '<a href="https://x.example/">https://x.example/</a>', 'https://x.example/'],
    ['an anchor', '<a href="#top">Top</a>', 'Top'],
    ['an image', '<img src="https://x.example/logo.png" alt="Logo">Hi', 'Hi'],
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

  it('does not wrap long lines', () => {
    const line = 'word '.repeat(100).trim();
    expect(textOf(`<p>${line}</p>`)).toBe(line);
  });

  it.each([
    ['open divs', '<div>'.repeat(sized({ small: 20_000, full: 60_000 }))],
    ['nested lists', '<ul><li>'.repeat(sized({ small: 11_000, full: 33_000 }))],
    ['brackets', '<'.repeat(1_000_000)],
    ['paragraphs', '<p>x</p>'.repeat(sized({ small: 50_000, full: 200_000 }))],
  ])('ends in a bounded time on %s', (_what, html) => {
    const started = performance.now();
    expect(textOf(html).length).toBeLessThanOrEqual(MAX_HTML_CHARS);
    expect(performance.now() - started).toBeLessThan(8_000);
  });
});
