// The text part of a message that came with HTML only.

import { compile, type FormatCallback, type HtmlToTextOptions } from 'html-to-text';

/** The library's time grows faster than its input; this much of the worst HTML takes about a second. */
export const MAX_HTML_CHARS = 256 * 1024;

const NOT_TEXT = ['head', 'title', 'style', 'script', 'noscript', 'template', 'img', 'svg'];
const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];

const tableCell: FormatCallback = (cell, walk, builder) => {
  walk(cell.children, builder);
  builder.addInline(' ');
};

const OPTIONS: HtmlToTextOptions = {
  wordwrap: false,
  limits: { maxInputLength: MAX_HTML_CHARS, maxDepth: 100, ellipsis: '…' },
  formatters: { tableCell },
  selectors: [
    ...NOT_TEXT.map((selector) => ({ selector, format: 'skip' })),
    ...HEADINGS.map((selector) => ({ selector, options: { uppercase: false } })),
    {
      selector: 'a',
      options: {
        linkBrackets: ['[', ']'] as [string, string],
        hideLinkHrefIfSameAsText: true,
        noAnchorUrl: true,
      },
    },
    { selector: 'tr', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    { selector: 'td', format: 'tableCell' },
    { selector: 'th', format: 'tableCell' },
  ],
};

/**
 * Makes the converter. Links become `label [url]`, images and styles nothing, table rows lines; lines are not wrapped.
 * Only the first 256 KB of the HTML are read, 100 elements deep. Run it in a worker.
 */
export function createHtmlToText(): (html: string) => string {
  const convert = compile(OPTIONS);
  return (html) => convert(html.slice(0, MAX_HTML_CHARS)).trim();
}
