// Derives the text part of a message that only has HTML.

import { compile, type FormatCallback, type HtmlToTextOptions } from 'html-to-text';

import { withoutHidden } from './shown-html.js';

/** The package takes more than linear time; this much of the worst HTML takes about a second. */
export const MAX_HTML_CHARS = 256 * 1024;

const NOT_TEXT = ['head', 'title', 'style', 'script', 'noscript', 'template', 'svg'];
const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];

const tableCell: FormatCallback = (cell, walk, builder) => {
  walk(cell.children, builder);
  builder.addInline(' ');
};

/** Writes the alt text, as mail programs show it for an image that is not loaded. */
const image: FormatCallback = (element, _walk, builder) => {
  const { alt = '' } = element.attribs as Record<string, string>;
  if (alt.trim() === '') return;
  builder.addInline(' ');
  builder.addInline(alt);
  builder.addInline(' ');
};

/** Adds spaces around a link with an image, such as in a row of icons. */
const link: FormatCallback = (element, walk, builder, options) => {
  const anchor = builder.options.formatters['anchor'];
  const isImage = element.children.some((child) => child.name === 'img');
  if (isImage) builder.addInline(' ');
  anchor?.(element, walk, builder, options);
  if (isImage) builder.addInline(' ');
};

const OPTIONS: HtmlToTextOptions = {
  wordwrap: false,
  limits: { maxInputLength: MAX_HTML_CHARS, maxDepth: 100, ellipsis: '…' },
  formatters: { tableCell, image, link },
  selectors: [
    ...NOT_TEXT.map((selector) => ({ selector, format: 'skip' })),
    ...HEADINGS.map((selector) => ({ selector, options: { uppercase: false } })),
    {
      selector: 'a',
      format: 'link',
      options: {
        linkBrackets: ['[', ']'] as [string, string],
        hideLinkHrefIfSameAsText: true,
        noAnchorUrl: true,
      },
    },
    { selector: 'tr', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    { selector: 'img', format: 'image' },
    { selector: 'td', format: 'tableCell' },
    { selector: 'th', format: 'tableCell' },
  ],
};

/** Invisible characters, which pad many preview texts. A single one may join letters or emoji. */
export const INVISIBLE =
  '\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180e\\u200b-\\u200f\\u2060-\\u2064\\ufeff';
const PADDING = new RegExp(`(?:[^\\S\\n]*[${INVISIBLE}]){3,}[^\\S\\n]*`, 'g');

function withoutPadding(text: string): string {
  const bare = text.replace(PADDING, ' ');
  return bare === text ? text : bare.replace(/^ +| +$/gm, '').replace(/\n{3,}/g, '\n\n');
}

/**
 * Creates the converter. Links become `label [url]`, images their alt text, table rows lines. Hidden content
 * is left out, and lines are not wrapped. Reads the first 256 KB of the HTML, 100 elements deep. Run it in a
 * worker.
 */
export function createHtmlToText(): (html: string) => string {
  const convert = compile(OPTIONS);
  return (html) => withoutPadding(convert(withoutHidden(html.slice(0, MAX_HTML_CHARS)))).trim();
}
