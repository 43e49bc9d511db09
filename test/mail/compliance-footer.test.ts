import fc from 'fast-check';
import { parse } from 'parse5';
import { describe, expect, it } from 'vitest';

import { withHtmlFooter, withTextFooter } from '../../src/mail/compliance-footer.js';

const FOOTER = {
  postalAddress: 'Ada & Sons <Ltd>\n1 "High" Street',
  unsubscribeUrl: 'https://mail.example/u/abc?a=1&b=2',
};
const LINK = 'href="https://mail.example/u/abc?a=1&amp;b=2"';

/** The html before and behind the footer. */
function around(html: string): [string, string] {
  const out = withHtmlFooter(html, FOOTER);
  const start = out.indexOf('<div style="display:block');
  const end = out.indexOf('</div>', start) + '</div>'.length;
  return [out.slice(0, start), out.slice(end)];
}

describe('the footer of html', () => {
  it.each([
    ['the body', '<html><body><p>Hi</p>', '</body></html>'],
    ['a body in capitals, with space', '<HTML><BODY>Hi', '</BODY  ></HTML>'],
    ['a fragment', '<p>Hi</p>', ''],
    ['no body', '<html><p>Hi</p>', '</html>'],
    ['the last of two bodies', '<body>a</body><body>b', '</body>'],
    ['a body named in a comment', '<body>Hi<!-- </body> -->', '</body>'],
    ['a comment with one behind the body', '<body>Hi', '</body><!-- </body> --></html>'],
    [
      'Outlook conditions',
      '<body><!--[if mso]></body><![endif]--><!--[if !mso]><!--><p>x</p><!--<![endif]-->',
      '</body>',
    ],
    ['a body in an attribute', '<body><a title="</body>" href=x>y</a>', '</body>'],
    ['a body in a script', '<body><script>"</body>"</script>', '</body>'],
    ['a body in a style', '<body><style>a{content:"</body>"}</style>', '</body>'],
    ['short comments', '<body><!--><!---><!--x--!>Hi', '</body>'],
    ['signs that are no tags', '<body>1 < 2 <3 </ body>', '</body>'],
    ['an open comment', '<p>Hi</p>', '<!-- never closed </p>'],
    ['an open comment in the body', '<body><p>Hi</p>', '<!-- never closed </body>'],
    ['an open style', '<p>Hi</p>', '<style>p{} </p>'],
    ['an open title', '', '<title>Hi'],
    ['an open attribute', '<p>Hi</p>', '<a href="x>y</a></body>'],
    ['an open tag', '<p>Hi</p>', '<a href=x'],
    ['quotes that open no value', '<body><p class="a""><b x"y>Hi', '</body>'],
    ['nothing but a sign', '', '<a'],
    ['a doctype', '<!doctype html><body>Hi', '</body>'],
  ])('goes to the end of the body: %s', (_what, before, behind) => {
    expect(around(before + behind)).toEqual([before, behind]);
  });

  it('escapes the address, keeps its lines, and needs no image to be read', () => {
    const html = withHtmlFooter('<p>Hi</p>', FOOTER);
    expect(html).toContain('Ada &amp; Sons &lt;Ltd&gt;<br>1 &quot;High&quot; Street<br>');
    expect(html).toContain(LINK);
    expect(html).not.toContain('<img');
  });

  it('takes time in proportion to hostile html', () => {
    const pieces = [
      '<',
      '<!--',
      '<script>',
      '</',
      '<a href="',
      '<!-- --',
      '<style></',
      '<a ',
      "='",
      '</body',
    ];
    for (const piece of pieces) expect(withHtmlFooter(piece.repeat(100_000), FOOTER)).toContain(LINK);
  });

  it('is seen by a parser of the whole, in whatever html', () => {
    const piece = fc.constantFrom(
      ...['<body>', '</body>', '</html>', '<!--', '-->', '--!>', '<!-->', '<p>', '</p>', 'text', '<a href="'],
      ...['">', "<b c='", "'>", '<style>', '</style>', '<title>', '</title>', '<script>', '</script>', '<'],
      ...['<!doctype html>', '<table><tr><td>', '</table>', '</', '<textarea>', '</textarea>', '=', '"', '>'],
      ...[
        '<iframe>',
        '</iframe>',
        '<?x',
        '<![CDATA[',
        ']]>',
        '<a',
        ' ',
        '/',
        '<xmp>',
        '</xmp>',
        '<plaintext>',
      ],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const html = withHtmlFooter(pieces.join(''), FOOTER);
        expect(linksIn(parse(html) as Tree)).toBe(1);
      }),
      { numRuns: 3_000 },
    );
  });
});

interface Tree {
  nodeName: string;
  attrs?: { name: string; value: string }[];
  childNodes?: Tree[];
}

/** How often the unsubscribe link is an element of its own, not text of another. */
function linksIn({ nodeName, attrs = [], childNodes = [] }: Tree): number {
  const isLink = nodeName === 'a' && attrs.some(({ value }) => value === FOOTER.unsubscribeUrl);
  return childNodes.reduce((sum, child) => sum + linksIn(child), isLink ? 1 : 0);
}

describe('the footer of text', () => {
  it.each([
    ['text', 'Hi\n', 'Hi\n\n'],
    ['text without a line end', 'Hi', 'Hi\n\n'],
    ['no text', '', ''],
  ])('comes after an empty line: %s', (_what, text, before) => {
    expect(withTextFooter(text, FOOTER)).toBe(
      `${before}Ada & Sons <Ltd>\n1 "High" Street\nUnsubscribe: https://mail.example/u/abc?a=1&b=2\n`,
    );
  });

  it('has no control characters of the address', () => {
    expect(withTextFooter('', { ...FOOTER, postalAddress: ' a\u0000b\r\n\r\n\u001bc ' })).toMatch(
      /^a b\nc\n/,
    );
  });
});
