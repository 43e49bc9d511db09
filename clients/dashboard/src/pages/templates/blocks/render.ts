// Blocks as html that common mail programs show: tables, and styles at their elements.
import type { Align, Block, Design } from './design.js';

const WIDTH = 600;
const PADDING = 32;
const FONT = "-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const TEXT = '#1b1f24';
const QUIET = '#57606a';
const LINE = '#d8dee4';

/** For text and attributes. Placeholders stay as they are: Handlebars reads them first. */
function escaped(text: string): string {
  return text
    .split(/(\{\{\{?[^{}]*\}?\}\})/)
    .map((part, at) =>
      at % 2 === 1
        ? part
        : part
            .replaceAll('&', '&amp;')
            .replaceAll('<', '&lt;')
            .replaceAll('>', '&gt;')
            .replaceAll('"', '&quot;'),
    )
    .join('');
}

/** Returns a URL that a mail may link to; empty for any other. */
export function safeAddress(address: string): string {
  const given = address.trim();
  return /^(https?:|mailto:|tel:|\{\{)/i.test(given) ? given : '';
}

/** Accepts only a color such as `#rrggbb`, because it is inserted into a style. */
function safeColour(colour: string, otherwise: string): string {
  return /^#[0-9a-f]{6}$/i.test(colour) ? colour : otherwise;
}

/** Black or white, whichever is read better on a colour. */
export function inkOn(colour: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? TEXT : '#ffffff';
}

/** `**bold**`, `*italic*`, `[label](address)`, and lines. */
export function inline(text: string, accent: string): string {
  return escaped(text)
    .replace(/\[([^\]\n]+)\]\(([^)\s]+)\)/g, (whole, label: string, address: string) => {
      const href = safeAddress(address.replaceAll('&amp;', '&'));
      return href === '' ? whole : `<a href="${escaped(href)}" style="color:${accent}">${label}</a>`;
    })
    .replace(/\*\*([^*\n]+)\*\*/g, '<strong>$1</strong>')
    .replace(/\*([^*\n]+)\*/g, '<em>$1</em>')
    .replaceAll('\n', '<br>');
}

function paragraphs(text: string, style: string, accent: string): string {
  return text
    .split(/\n{2,}/)
    .filter((one) => one.trim() !== '')
    .map((one) => `<p style="${style}">${inline(one.trim(), accent)}</p>`)
    .join('\n');
}

interface Looks {
  accent: string;
  /** Pixels that the content has. */
  width: number;
}

function blockHtml(block: Block, looks: Looks): string {
  const { accent, width } = looks;
  switch (block.type) {
    case 'heading': {
      const size = block.level === 1 ? 26 : 20;
      const style = `margin:0;font:600 ${size}px/1.3 ${FONT};color:${TEXT};text-align:${block.align}`;
      return `<h${block.level} style="${style}">${inline(block.text, accent)}</h${block.level}>`;
    }
    case 'text': {
      const style = `margin:0 0 12px;font:16px/1.55 ${FONT};color:${TEXT};text-align:${block.align}`;
      return paragraphs(block.text, style, accent);
    }
    case 'image':
      return imageHtml(block, width);
    case 'button':
      return buttonHtml(block, accent);
    case 'list': {
      const tag = block.isNumbered ? 'ol' : 'ul';
      const items = block.items.split('\n').filter((item) => item.trim() !== '');
      const rows = items.map((item) => `<li style="margin:0 0 6px">${inline(item.trim(), accent)}</li>`);
      const style = `margin:0;padding:0 0 0 24px;font:16px/1.55 ${FONT};color:${TEXT}`;
      return `<${tag} style="${style}">${rows.join('')}</${tag}>`;
    }
    case 'divider':
      return `<hr style="margin:8px 0;border:0;border-top:1px solid ${LINE}">`;
    case 'spacer': {
      const height = Math.round(block.height);
      return `<div style="height:${height}px;line-height:${height}px;font-size:1px">&nbsp;</div>`;
    }
    case 'footer':
      return paragraphs(
        block.text,
        `margin:0 0 8px;font:13px/1.5 ${FONT};color:${QUIET};text-align:center`,
        accent,
      );
    case 'columns':
      return columnsHtml(block.columns, looks);
  }
}

function imageHtml(
  { src, alt, href, width, align }: { src: string; alt: string; href: string; width: number; align: Align },
  most: number,
): string {
  const address = safeAddress(src);
  if (address === '') return '';
  const shown = Math.round(Math.min(Math.max(width, 1), most));
  const margin = { left: '0 auto 0 0', center: '0 auto', right: '0 0 0 auto' }[align];
  const style = `display:block;max-width:100%;height:auto;border:0;margin:${margin}`;
  const image = `<img src="${escaped(address)}" alt="${escaped(alt)}" width="${shown}" style="${style}">`;
  const link = safeAddress(href);
  return link === '' ? image : `<a href="${escaped(link)}">${image}</a>`;
}

/** A cell with a colour: Outlook ignores the padding of links. */
function buttonHtml(
  { label, href, align }: { label: string; href: string; align: Align },
  accent: string,
): string {
  const link = safeAddress(href);
  const ink = inkOn(accent);
  const style = `display:inline-block;padding:12px 22px;font:600 16px/1.2 ${FONT};color:${ink};text-decoration:none`;
  const inner =
    link === ''
      ? `<span style="${style}">${escaped(label)}</span>`
      : `<a href="${escaped(link)}" style="${style}">${escaped(label)}</a>`;
  return (
    `<table role="presentation" align="${align}" cellpadding="0" cellspacing="0" border="0"><tr>` +
    `<td bgcolor="${accent}" style="border-radius:6px;background:${accent}">${inner}</td></tr></table>` +
    '<div style="clear:both"></div>'
  );
}

const GAP = 24;

function columnsHtml(columns: readonly [Block[], Block[]], { accent, width }: Looks): string {
  const each = Math.floor((width - GAP) / 2);
  const cells = columns.map(
    (blocks, at) =>
      `<td class="col" width="${each}" valign="top" style="width:${each}px;${at === 0 ? `padding-right:${GAP}px` : ''}">` +
      `${blocks.map((block) => blockHtml(block, { accent, width: each })).join('\n')}</td>`,
  );
  return (
    '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">' +
    `<tr>${cells.join('')}</tr></table>`
  );
}

export const accentOf = ({ accent }: Design): string => safeColour(accent, '#3538cd');
export const backgroundOf = ({ background }: Design): string => safeColour(background, '#ffffff');

/** Renders the whole mail. Its only style rule stacks columns on a phone. */
export function htmlOf(design: Design): string {
  const accent = accentOf(design);
  const background = backgroundOf(design);
  const width = WIDTH - 2 * PADDING;
  const rows = design.blocks
    .map((block) => blockHtml(block, { accent, width }))
    .filter((html) => html !== '')
    .map((html) => `<tr><td style="padding:0 ${PADDING}px 16px">\n${html}\n</td></tr>`);
  return `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>@media (max-width:600px){.col{display:block!important;width:100%!important;padding-right:0!important}}</style>
</head>
<body style="margin:0;padding:0;background:${background}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="${background}">
<tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="${WIDTH}" cellpadding="0" cellspacing="0" border="0" bgcolor="#ffffff" style="width:100%;max-width:${WIDTH}px;background:#ffffff;border-radius:8px">
<tr><td style="height:${PADDING}px;line-height:${PADDING}px;font-size:1px">&nbsp;</td></tr>
${rows.join('\n')}
<tr><td style="height:16px;line-height:16px;font-size:1px">&nbsp;</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}
