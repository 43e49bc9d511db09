import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  MAX_TRACKED_HTML,
  firstTrackedLink,
  linkTargets,
  trackHtml,
} from '../../src/tracking/tracking-links.rules.js';
import { runs } from '../support/run-size.js';

const linkTarget = (html: string, index: number): string | null => linkTargets(html)[index] ?? null;

const PUBLIC_URL = 'https://mail.example';
const PIXEL_URL = 'https://mail.example/o/T';
const PIXEL = /<img src="https:\/\/mail\.example\/o\/T" width="1" height="1" alt="" style="[^"]*">/g;
const CLICK = /https:\/\/mail\.example\/c\/T\/(\d+)/g;

const clicks = (html: string): string =>
  trackHtml(html, {
    pixelUrl: null,
    clickUrl: ({ index }) => `https://mail.example/c/T/${index}`,
    publicUrl: PUBLIC_URL,
  });
const both = (html: string): string =>
  trackHtml(html, {
    pixelUrl: PIXEL_URL,
    clickUrl: ({ index }) => `https://mail.example/c/T/${index}`,
    publicUrl: PUBLIC_URL,
  });
const opens = (html: string): string =>
  trackHtml(html, { pixelUrl: PIXEL_URL, clickUrl: null, publicUrl: PUBLIC_URL });

describe('a link', () => {
  it.each([
    ['double quotes', '<a href="http://x.example/">x</a>', 'http://x.example/'],
    ['single quotes', "<a href='http://x.example/'>x</a>", 'http://x.example/'],
    ['no quotes', '<a href=http://x.example/a>x</a>', 'http://x.example/a'],
    ['capitals', '<A HREF="HTTPS://X.example/A">x</A>', 'HTTPS://X.example/A'],
    ['space around the equals sign', '<a\n href = "http://x.example">x</a>', 'http://x.example'],
    ['a slash before the attribute', '<a/href="http://x.example">x</a>', 'http://x.example'],
    ['an image map', '<map><area shape=rect href="http://x.example"></map>', 'http://x.example'],
    ['a > in an attribute before', '<a title="a > b" href="http://x.example">x</a>', 'http://x.example'],
    ['an attribute without a value before', '<a download href="http://x.example">x</a>', 'http://x.example'],
    [
      'two of them: the first',
      '<a href="http://x.example" href="http://y.example">x</a>',
      'http://x.example',
    ],
    ['space at its ends', '<a href=" http://x.example/ \n">x</a>', 'http://x.example/'],
    ['a line break within', '<a href="http://x.example/a\nb">x</a>', 'http://x.example/ab'],
    ['&amp;', '<a href="http://x.example/?a=1&amp;b=2">x</a>', 'http://x.example/?a=1&b=2'],
    ['a bare &', '<a href="http://x.example/?a=1&b=2">x</a>', 'http://x.example/?a=1&b=2'],
    [
      'what looks like a reference',
      '<a href="http://x.example/?a=1&copy=2">x</a>',
      'http://x.example/?a=1&copy=2',
    ],
    ['and as part of a name', '<a href="http://x.example/?a&regx">x</a>', 'http://x.example/?a&regx'],
    ['&AMP', '<a href="http://x.example/?a=1&AMP">x</a>', 'http://x.example/?a=1&'],
    ['numeric references', '<a href="http&#58;//x.example/?a&#x3d;1">x</a>', 'http://x.example/?a=1'],
    [
      'letters beyond ASCII',
      '<a href="http://x.example/ä?ö=ü">x</a>',
      'http://x.example/%C3%A4?%C3%B6=%C3%BC',
    ],
    ['a host beyond ASCII', '<a href="http://bücher.example/">x</a>', 'http://xn--bcher-kva.example/'],
    ['a space within', '<a href="http://x.example/a b">x</a>', 'http://x.example/a%20b'],
    ['braces', '<a href="http://x.example/{a}">x</a>', 'http://x.example/{a}'],
  ])('with %s leads to its original target', (_what, html, target) => {
    const tracked = clicks(html);
    expect(tracked).toContain('https://mail.example/c/T/0');
    expect(tracked).not.toContain('http://x.example');
    expect(linkTarget(html, 0)).toBe(target);
  });

  it.each([
    ['mail', '<a href="mailto:a@x.example">x</a>'],
    ['a telephone', '<a href="tel:+491">x</a>'],
    ['a place in the mail', '<a href="#top">x</a>'],
    ['a part of the mail', '<a href="cid:1">x</a>'],
    ['a relative link', '<a href="/a">x</a>'],
    ['a link without a scheme', '<a href="//x.example/a">x</a>'],
    ['a script', '<a href="javascript:alert(1)">x</a>'],
    ['data', '<a href="data:text/html,x">x</a>'],
    ['nothing', '<a href="">x</a><a href>x</a><a name="x">x</a>'],
    ['no host', '<a href="http:///a">x</a><a href="http://">x</a>'],
    ['a host that cannot be', '<a href="http://a b/">x</a>'],
    ['what no table of ours knows', '<a href="http://x.example/&excl;">x</a>'],
    ['a character of another code page', '<a href="http://x.example/&#150;">x</a>'],
    [
      'an element that is no link',
      '<img src="http://x.example"><link href="http://x.example"><base href="http://x.example">',
    ],
    ['the text', '<p>http://x.example</p>'],
    ['a comment', '<!--[if mso]><a href="http://x.example">x</a><![endif]-->'],
    ['a style', '<style>a[href="http://x.example"]{}</style><script>"<a href=http://x.example>"</script>'],
    ['a tag that never ends', '<p>x</p><a href="http://x.example'],
    ['a tag whose quotes are open', '<a href="http://x.example>x</a>'],
    ['a value that browsers end earlier', '<a x=y="z>" href="http://x.example">x</a>'],
    [
      'what is marked',
      '<a data-track="false" href="http://x.example">x</a><a href=http://x.example data-track=FALSE>x</a>',
    ],
    ...[
      'clicktracking=off',
      'clicktracking="OFF"',
      'disable-tracking=true',
      'data-msys-clicktrack="0"',
      'no-track',
      'data-no-track=""',
      'class="button untracked"',
    ].map((mark) => [`a vendor's mark, ${mark}`, `<a ${mark} href="https://x.example/reset?t=1">x</a>`]),
    [
      'our own pages',
      `<a href="${PUBLIC_URL}/u/abc">x</a><a href='${PUBLIC_URL}/preferences/abc'>x</a><a href=${PUBLIC_URL}/confirm/abc>x</a>`,
    ],
    ['a target that is too long', `<a href="http://x.example/${'a'.repeat(2_048)}">x</a>`],
  ])('is not tracked: %s', (_what, html) => {
    expect(clicks(html)).toBe(html);
  });

  it.each([
    ['<a data-pm-no-track href="http://x.example">', '<a href="http://x.example">'],
    ['<a href="http://x.example" data-pm-no-track>', '<a href="http://x.example">'],
    ['<a href="http://x.example" data-pm-no-track="true"/>', '<a href="http://x.example"/>'],
    ['<A HREF=http://x.example SES:NO-TRACK >', '<A HREF=http://x.example >'],
    ['<a ses:no-track="" ses:tags="a:b;" href="http://x.example">', '<a href="http://x.example">'],
    ["<area mc:disable-tracking='1' href='http://x.example'>", "<area href='http://x.example'>"],
  ])("is not tracked, and its vendor's mark is removed: %s", (html, sent) => {
    expect(clicks(html)).toBe(sent);
    expect(trackHtml(html, { pixelUrl: null, clickUrl: null, publicUrl: PUBLIC_URL })).toBe(sent);
  });

  it('is tracked if the mark says so or is in another place', () => {
    for (const mark of [
      'clicktracking=on',
      'disable-tracking=false',
      'ses:tags="a:b"',
      'data-pm-no-track=false',
      'class="untracked-x"',
    ])
      expect(clicks(`<a ${mark} href="http://x.example">x</a>`)).toContain('/c/T/0');
    expect(clicks('<p clicktracking=off data-pm-no-track><a href="http://x.example">x</a></p>')).toBe(
      '<p clicktracking=off data-pm-no-track><a href="https://mail.example/c/T/0">x</a></p>',
    );
  });

  it("on Mailkeel's host to any other page is tracked too", () => {
    expect(clicks(`<a href="${PUBLIC_URL}/docs">x</a>`)).toContain('/c/T/0');
  });

  it('is numbered among all links, tracked or not, so that old mail still works after changes', () => {
    const html =
      '<a href="mailto:a@x.example">1</a><a href="http://a.example">2</a><a>3</a><a href="http://b.example">4</a>';
    expect(clicks(html)).toBe(
      '<a href="mailto:a@x.example">1</a><a href="https://mail.example/c/T/1">2</a><a>3</a><a href="https://mail.example/c/T/2">4</a>',
    );
    expect([0, 1, 2, 3].map((i) => linkTarget(html, i))).toEqual([
      null,
      'http://a.example',
      'http://b.example',
      null,
    ]);
  });

  it('is not tracked beyond the thousandth, or in HTML that is not shown as a whole', () => {
    const many = '<a href=http://x.example/>x</a>'.repeat(1_005);
    expect(clicks(many).match(CLICK)).toHaveLength(1_000);
    const long = `<a href=http://x.example/>x</a>${' '.repeat(MAX_TRACKED_HTML)}`;
    expect(both(long)).toBe(long);
    expect(linkTarget(long, 0)).toBeNull();
  });

  it('with a base that would end an attribute is escaped', () => {
    const tracked = trackHtml("<a href='http://x.example'>x</a>", {
      pixelUrl: null,
      clickUrl: () => "https://m.example/a'b&c/",
      publicUrl: PUBLIC_URL,
    });
    expect(tracked).toBe("<a href='https://m.example/a&#39;b&#38;c/'>x</a>");
  });
});

describe('the pixel', () => {
  it.each([
    ['before the end of the body', '<html><body><p>x</p>', '</body></html>'],
    ['before the last of two', '<body>a</body><body>b', '</BODY >\n'],
    ['before the end of the html', '<html><p>x</p>', '</html>'],
    ['at the end', '<p>x</p>', ''],
    ['not by a comment', '<body>x', '</body><!-- </body> -->'],
    ['before markup that never ends', '<p>x</p>', '<a href="'],
    ['in nothing', '', ''],
  ])('is inserted %s', (_where, before, after) => {
    const [found] = opens(before + after).match(PIXEL) ?? [];
    expect(opens(before + after)).toBe(before + String(found) + after);
  });

  it('is inserted at the end of the body even if links follow it', () => {
    const html = '<body>x</body><a href="http://x.example">x</a>';
    expect(both(html).replace(PIXEL, 'PIXEL')).toBe(
      '<body>xPIXEL</body><a href="https://mail.example/c/T/0">x</a>',
    );
  });
});

/** Markup around links, whole and broken. */
const filling = fc.oneof(
  fc.constantFrom(
    '<p>',
    '</p>',
    '<body class="a">',
    '</body>',
    '<!-- <a href="http://no.example"> -->',
    '<style>a{}</style>',
    '<br/>',
    '< a href=x',
    'a & b',
    '<a name="x">',
    '<img src=x alt=">">',
    '</a>',
    'é 😀\r\n',
  ),
  fc.string().map((text) => text.replace(/[<&]/g, '')),
);
const path = fc
  .string({ unit: fc.constantFrom(...'a b c / ? & = %20 ; : # ä ß { } . ~ -'.split(' ')), maxLength: 20 })
  // Text that is a reference, and is decoded to something else.
  .filter((text) => !/&(?:[a-z]+;|#\d)/.test(text));
const link = fc
  .record({
    path,
    quote: fc.constantFrom('"', "'"),
    isEscaped: fc.boolean(),
    tag: fc.constantFrom('a', 'A', 'area'),
  })
  .map(({ path: text, quote, isEscaped, tag }) => {
    const target = `https://x.example/${text}`;
    const spelling = isEscaped ? target.replaceAll('&', '&amp;') : target;
    return { spelling, target, before: `<${tag} class=b href=${quote}`, after: `${quote} id=c>` };
  });
const mail = fc.array(fc.oneof(filling, link), { maxLength: 30 });

describe('mail with any links', () => {
  it('equals the original, octet for octet, after its links are restored', () => {
    fc.assert(
      fc.property(mail, (parts) => {
        const links = parts.filter((part) => typeof part !== 'string');
        const html = parts
          .map((part) => (typeof part === 'string' ? part : part.before + part.spelling + part.after))
          .join('');
        const tracked = both(html);
        expect(tracked.match(PIXEL)).toHaveLength(1);
        const restored = tracked
          .replace(PIXEL, '')
          .replace(CLICK, (_, i) => links[Number(i)]?.spelling ?? '');
        expect(restored).toBe(html);
        links.forEach(({ target }, i) => {
          const expected = /^[\x21-\x7e]+$/.test(target) ? target : new URL(target).href;
          expect(linkTarget(html, i)).toBe(expected);
        });
        expect(tracked.match(CLICK) ?? []).toHaveLength(links.length);
      }),
      runs(500),
    );
  });

  it('has a target for every replaced link, in any HTML', () => {
    const pieces = fc.constantFrom(
      '<a ',
      'href',
      '=',
      '"',
      "'",
      '>',
      '/',
      ' ',
      'http://x.example',
      '&',
      '&#',
      '&lt',
      ';',
      '<',
      '</body>',
      '\n',
      '!--',
    );
    fc.assert(
      fc.property(fc.string({ unit: pieces, maxLength: 60 }), (html) => {
        const replaced = [...clicks(html).matchAll(CLICK)];
        for (const [, index] of replaced) {
          expect(linkTarget(html, Number(index))).toMatch(/^https?:\/\//i);
        }
        const first = Number(replaced[0]?.[1]);
        const expected = replaced[0] ? { index: first, url: linkTarget(html, first) } : null;
        expect(firstTrackedLink(html, PUBLIC_URL)).toEqual(expected);
      }),
      runs(2_000),
    );
  });
});
