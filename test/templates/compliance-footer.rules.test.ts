import fc from 'fast-check';
import { parse } from 'parse5';
import { describe, expect, it } from 'vitest';

import {
  footerShownInHtml,
  withHtmlFooter,
  withTextFooter,
} from '../../src/templates/rendering/compliance-footer.rules.js';
import { sized } from '../support/run-size.js';

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

const OWN_LINK = `<a ${LINK}>leave</a>`;
const OWN_ADDRESS = '<p>Ada &amp; Sons &lt;Ltd&gt;<br>\n1 &quot;High&quot;  <b>Street</b></p>';

describe('the footer of HTML', () => {
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
    ['a script that goes on behind its end tag', '<p>Hi</p>', '<script><!--<script></script>'],
    ['an open comment', '<p>Hi</p>', '<!-- never closed </p>'],
    ['an open comment in the body', '<body><p>Hi</p>', '<!-- never closed </body>'],
    ['an open style', '<p>Hi</p>', '<style>p{} </p>'],
    ['an open title', '', '<title>Hi'],
    ['an open attribute', '<p>Hi</p>', '<a href="x>y</a></body>'],
    ['an open tag', '<p>Hi</p>', '<a href=x'],
    ['quotes that open no value', '<body><p class="a""><br x"y>Hi', '</body>'],
    ['nothing but a sign', '', '<a'],
    ['a doctype', '<!doctype html><body>Hi', '</body>'],
  ])('is at the end of the body: %s', (_what, before, behind) => {
    expect(around(before + behind)).toEqual([before, behind]);
  });

  it.each([
    ['an open block', '<div style="display:none"><span>Hi', '</span></div>'],
    ['an open cell', '<body><table><tr><td>Hi', '</td></tr></table>'],
    ['an element that was closed', '<div><b>Hi</b></div>', ''],
    ['a paragraph, which ends by itself', '<p>Hi', ''],
    ['end tags of nothing', '<div></b></span>Hi', '</div>'],
  ])('is outside %s', (_what, html, endTags) => {
    const [before] = around(html);
    expect(before).toBe(html + endTags);
  });

  it('has inline styles that override every rule of the author', () => {
    const html = withHtmlFooter('<style>p{display:none !important;font-size:0 !important}</style>', FOOTER);
    const styles = [...html.matchAll(/style="([^"]*)"/g)].map(([, style = '']) => style);
    expect(styles).toHaveLength(2);
    for (const style of styles) {
      expect(style.split(';').every((declaration) => declaration.endsWith(' !important'))).toBe(true);
      for (const name of ['scale', 'display', 'visibility', 'opacity', 'max-height', 'font-size', 'color']) {
        expect(style).toContain(`${name}:`);
      }
    }
  });

  // How each of them looks is tested in a browser, test/system/compliance-footer.test.ts.
  it.each([
    [
      'a hidden page',
      '<html hidden lang="en"><body>Hi</body>',
      /^<html style="display:block[^"]*" hidden lang="en"><body>Hi<div/,
    ],
    [
      'a style',
      "<body class=a style='opacity:0' id=b>Hi",
      /^<body style="display:block[^"]*" class=a id=b>Hi<div/,
    ],
    [
      'a second body',
      '<body>Hi<body style=display:none>',
      /^<body style="[^"]*">Hi<body style="[^"]*" ?><div/,
    ],
    [
      'a rule',
      '<style>body{display:none}</style>Hi',
      /^<style>body\{display:none\}<\/style>Hi<body style="[^"]*"><div/,
    ],
  ])('is visible in a page that is hidden by %s', (_what, html, shown) => {
    expect(withHtmlFooter(html, FOOTER)).toMatch(shown);
    expect(footerShownInHtml(html + OWN_LINK + OWN_ADDRESS, FOOTER)).toEqual({ link: false, address: false });
    expect(footerShownInHtml(withHtmlFooter(html, FOOTER), FOOTER)).toEqual({ link: true, address: true });
  });

  it.each([
    '<body style="margin:0;padding:0;width:100% !important;height:100%;-webkit-text-size-adjust:100%">',
    '<style>body{margin:0 auto;position:relative}@media print{body{display:none}}.hide{display:none}</style><body class="x">',
    '<style>*{box-sizing:border-box}body::before{display:none}html .hide{display:none}</style><body>',
  ])('does not change an ordinary page: %s', (html) => {
    expect(withHtmlFooter(`${html}Hi`, FOOTER).startsWith(`${html}Hi<div`)).toBe(true);
  });

  it('does not repeat visible content', () => {
    expect(withHtmlFooter(OWN_LINK + OWN_ADDRESS, FOOTER)).toBe(OWN_LINK + OWN_ADDRESS);
    const linked = withHtmlFooter(OWN_LINK, FOOTER);
    expect(linked).toContain('Ada &amp; Sons');
    expect(linked.split(LINK)).toHaveLength(2);
    const styled = `<div hidden>x</div><a style="font-size:0.8em;opacity:0.7" ${LINK}>leave</a>${OWN_ADDRESS}`;
    expect(withHtmlFooter(styled, FOOTER)).toBe(styled);
    const addressed = withHtmlFooter(OWN_ADDRESS, FOOTER);
    expect(addressed.split('Ada &amp; Sons')).toHaveLength(2);
    expect(addressed).toContain(LINK);
  });

  it.each([
    `<!-- ${OWN_LINK}${OWN_ADDRESS} -->`,
    `<style>${OWN_LINK}${OWN_ADDRESS}</style>`,
    `<a style="display:none" ${LINK}>leave</a>`,
    `<div style="color:red;display: none"><div></div>${OWN_LINK}${OWN_ADDRESS}</div>`,
    `<div style="font-size:0px">${OWN_LINK}${OWN_ADDRESS}</div>`,
    `<a hidden ${LINK}>leave</a>`,
  ])('does not count hidden content as visible: %s', (html) => {
    const [, footer = ''] = withHtmlFooter(html, FOOTER).split('<div style="display:block');
    expect(footer).toContain(LINK);
    expect(footer).toContain('Ada &amp; Sons');
  });

  it('escapes the address, keeps its lines, and needs no image', () => {
    const html = withHtmlFooter('<p>Hi</p>', FOOTER);
    expect(html).toContain('Ada &amp; Sons &lt;Ltd&gt;<br>1 &quot;High&quot; Street<br>');
    expect(html).toContain(LINK);
    expect(html).not.toContain('<img');
  });

  it('takes linear time for malicious HTML', () => {
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
    const times = sized({ small: 25_000, full: 100_000 });
    for (const piece of pieces) expect(withHtmlFooter(piece.repeat(times), FOOTER)).toContain(LINK);
  });

  it('is visible to a full parser in any HTML', () => {
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
      { numRuns: sized({ small: 150, full: 3_000 }) },
    );
  });
});

interface Tree {
  nodeName: string;
  attrs?: { name: string; value: string }[];
  childNodes?: Tree[];
}

/** How often the unsubscribe link is a separate element rather than text of another. */
function linksIn({ nodeName, attrs = [], childNodes = [] }: Tree): number {
  const isLink = nodeName === 'a' && attrs.some(({ value }) => value === FOOTER.unsubscribeUrl);
  return childNodes.reduce((sum, child) => sum + linksIn(child), isLink ? 1 : 0);
}

describe('the footer of text', () => {
  it('does not repeat existing content', () => {
    const text = `Hi\n${FOOTER.postalAddress}\nLeave: ${FOOTER.unsubscribeUrl}\n`;
    expect(withTextFooter(text, FOOTER)).toBe(text);
    expect(withTextFooter(`Leave: ${FOOTER.unsubscribeUrl}`, FOOTER)).toBe(
      `Leave: ${FOOTER.unsubscribeUrl}\n\n${FOOTER.postalAddress}\n`,
    );
  });

  it.each([
    ['text', 'Hi\n', 'Hi\n\n'],
    ['text without a line end', 'Hi', 'Hi\n\n'],
    ['no text', '', ''],
  ])('follows an empty line: %s', (_what, text, before) => {
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
