import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';

import { createCssInliner, MAX_INLINED_CHARS } from '../../../src/lib/html/inline-css.js';

const inliner = createCssInliner();
const inlined = (html: string): string => {
  const result = inliner(html);
  if (result.kind === 'problem') throw new Error(result.message);
  return result.html;
};

describe('inlined CSS', () => {
  it.each([
    ['a rule', '<style>p{color:red}</style><p>x</p>', '<p style="color: red;">x</p>'],
    [
      'a rule below the style that is there',
      '<style>p{color:red;margin:0}</style><p style="color:blue">x</p>',
      '<p style="margin: 0; color: blue;">x</p>',
    ],
    [
      'an important rule',
      '<style>p{color:red!important}</style><p style="color:blue">x</p>',
      '<p style="color: red;">x</p>',
    ],
    [
      'quotes',
      `<style>p{font-family:"A B"}</style><p title='say "hi"'>x</p>`,
      `<p title="say &quot;hi&quot;" style="font-family: 'A B';">x</p>`,
    ],
    ['no style element', '<P Title=x>a<BR>{{x}} &amp; &nbsp;', '<P Title=x>a<BR>{{x}} &amp; &nbsp;'],
    [
      'filled text',
      '<style>p{color:red}</style><p>{{a}} <% b %> &lt;i&gt;</p>',
      '<p style="color: red;">{{a}} <% b %> &lt;i&gt;</p>',
    ],
    ['rules without meaning', '<style>p{{{ color } @@ </style><p>x</p>', '<p>x</p>'],
    [
      'an unknown selector',
      '<style>p::x:y(z){color:red} p{margin:0}</style><p>x</p>',
      '<p style="margin: 0;">x</p>',
    ],
  ])('%s', (_what, html, expected) => {
    expect(inlined(html)).toBe(expected);
  });

  it('keeps media queries, fonts and hover rules in a style element', () => {
    const css =
      '@media (max-width:600px){p{color:green}}@font-face{font-family:F;src:url(f)}a:hover{color:blue}';
    const html = inlined(`<html><head><style>${css}p{color:red}</style></head><body><p>x</p></body></html>`);
    expect(html).toContain('<p style="color: red;">x</p>');
    expect(html).toMatch(/<style>[^<]*@media \(max-width:600px\) \{\s*p \{\s*color: green;/);
    expect(html).toMatch(/<style>[^<]*@font-face[^<]*a:hover[^<]*<\/style>|<style>[^<]*a:hover/);
  });

  it.each([
    ['#outlook a{padding:0}', '#outlook a'],
    ['.ExternalClass,.ExternalClass p{line-height:100%}', '.ExternalClass p'],
    ['[data-ogsc] p{color:#fff}', '[data-ogsc] p'],
    ['u + .body p{width:100%}', 'u + .body p'],
    ['a[x-apple-data-detectors]{color:inherit}', 'a[x-apple-data-detectors]'],
    ['@import url("https://x.example/f.css");', '@import url("https://x.example/f.css")'],
    ["@import 'f.css' screen;", "@import 'f.css' screen"],
    ['@supports (display:grid){p{color:blue}}', '@supports (display:grid)'],
  ])('keeps %s in a style element', (css, kept) => {
    const html = inlined(`<style>${css}p{color:red}</style><p>x</p>`);
    expect(html).toContain('<p style="color: red;">x</p>');
    expect(html.replaceAll(/\s+/g, ' ')).toMatch(/^<style>[^<]*<\/style>/);
    expect(html).toContain(kept);
    expect(html).not.toContain('juice');
  });

  it('keeps style elements for specific media', () => {
    const some =
      '<style media="(max-width:600px)">p{color:green}</style><style type="text/css" media=print>p{top:0}</style>';
    const html = inlined(
      `${some}<style media="all">p{color:red}</style><style media="screen">p{margin:0}</style><p>x</p>`,
    );
    expect(html).toBe(
      `${some}<p style="color: red; margin: 0;">x</p>`.replace('media=print', 'media="print"'),
    );
  });

  it('keeps rules for Outlook', () => {
    const table = '<!--[if mso]><table class="a"><tr><td><![endif]-->';
    const other = '<!--[if !mso]><!--><p style="color: red;">x</p><!--<![endif]-->';
    const html = `<style>p{color:red}.a{margin:0}</style>${table}<!--[if !mso]><!--><p>x</p><!--<![endif]-->`;
    expect(inlined(html)).toBe(table + other);
  });

  it('contacts no server and opens no file', async () => {
    let asked = 0;
    const server = createServer((_request, response) => {
      asked += 1;
      response.end('p{margin:9px}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x.css`;
    const folder = mkdtempSync(join(tmpdir(), 'css-'));
    const file = join(folder, 'x.css');
    writeFileSync(file, 'p{margin:9px}');
    try {
      const links = [url, file, pathToFileURL(file).href];
      const html = inlined(
        links
          .map((link) => `<link rel="stylesheet" href="${link}"><style>@import url("${link}");</style>`)
          .join('') + `<style>p{color:red}</style><p>x</p><img src="${url}"><script src="${url}"></script>`,
      );
      expect(html).toContain('<p style="color: red;">x</p>');
      expect(html).not.toContain('9px');
      // A request would have been sent by now.
      await new Promise((resolve) => setImmediate(resolve));
      expect(asked).toBe(0);
    } finally {
      server.close();
      rmSync(folder, { recursive: true });
    }
  });

  it('loads no code that fetches files', () => {
    const build = JSON.parse(readFileSync('dist/build.json', 'utf8')) as { files: Record<string, string> };
    const bundled = Object.keys(build.files);
    expect(bundled.some((path) => path.endsWith('/juice/client.js'))).toBe(true);
    expect(bundled.filter((path) => path.includes('web-resource-inliner'))).toEqual([]);
  });

  it('is refused for HTML that is too long', () => {
    expect(inliner(`<style></style>${'x'.repeat(MAX_INLINED_CHARS)}`).kind).toBe('problem');
  });
});
