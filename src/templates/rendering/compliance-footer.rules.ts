// Adds the footer of bulk mail, the sender's postal address and the unsubscribe link, to both bodies of a copy.
import {
  attributePlaces,
  readAttributes,
  createOpenElements,
  type HtmlToken,
  isRootHidden,
  scanHtml,
  walkShown,
  withEdits,
} from '../../lib/html/index.js';

export interface ComplianceFooter {
  /** May have several lines. */
  postalAddress: string;
  unsubscribeUrl: string;
}

const WORDING = 'Unsubscribe';

/** Formats declarations for a style attribute. No rule of a style element can override them (CSS Cascade 4, section 6.1). */
const important = (declarations: readonly string[]): string =>
  declarations.map((declaration) => `${declaration} !important`).join(';');

/** Styles that keep an element visible even if a rule or an animation hides it. */
const SHOWN = [
  ...[
    'visibility:visible',
    'content-visibility:visible',
    'opacity:1',
    'filter:none',
    'zoom:1',
    'content:normal',
  ],
  ...['position:relative', 'inset:auto', 'float:none', 'width:auto', 'max-width:none', 'height:auto'],
  ...['max-height:none', 'overflow:visible', 'text-indent:0', 'letter-spacing:normal', 'transform:none'],
  ...['translate:none', 'scale:none', 'rotate:none', 'clip:auto', 'clip-path:none', 'mask:none'],
];
/** Style for a hidden `html` or `body` element, because the footer is invisible in a hidden page. */
const ROOT_STYLE = important(['display:block', ...SHOWN, 'margin:0']);
// The footer sets its own colors, so that it is readable on dark and light pages.
const BLOCK_STYLE = important([
  'display:block',
  ...SHOWN,
  // Places the footer above elements that overlap the end of the page.
  'z-index:2147483647',
  'clear:both',
  'margin:0',
  'padding:16px',
  'background:#ffffff',
  'color:#555555',
  'font-family:Arial,Helvetica,sans-serif',
  'font-size:12px',
  'line-height:18px',
  'text-align:center',
]);
const LINK_STYLE = important([
  'display:inline',
  ...SHOWN,
  'color:#555555',
  'font-size:12px',
  'text-decoration:underline',
]);

/**
 * Adds the footer to the end of the body, outside of all open elements. Address and link are not added if the HTML already
 * shows them. A hidden page becomes visible. Takes linear time.
 */
export function withHtmlFooter(html: string, footer: ComplianceFooter): string {
  const tokens = scanHtml(html);
  const missing = missingFrom(footer, shownParts(html, tokens, footer));
  const hidden = ROOTS.filter((name) => isHidden(name, html, tokens));
  if (missing === null && hidden.length === 0) return html;
  const shown = hidden.flatMap((name) =>
    rootTags(name, tokens).map((tag) => ({ ...tag, text: shownTag(html, tag) })),
  );
  const absent = hidden.filter((name) => rootTags(name, tokens).length === 0);
  const { at, endTags } = endOfBody(html, tokens);
  // An `html` or `body` tag inside the body adds its attributes to that element (WHATWG HTML section 13.2.6.4.7).
  const roots = absent.map((name) => `<${name} style="${ROOT_STYLE}">`);
  const end = { start: at, end: at, text: [endTags, ...roots, missing && htmlFooter(missing)].join('') };
  return withEdits(html, [...shown, end]);
}

/** Adds the footer to a text, after an empty line. Address and link are not added if the text already has them. */
export function withTextFooter(text: string, footer: ComplianceFooter): string {
  const end = text.trimEnd();
  const missing = missingFrom(footer, footerShownInText(text, footer));
  if (missing === null) return text;
  const before = end === '' ? '' : `${end}\n\n`;
  const link = missing.unsubscribeUrl === null ? [] : [`${WORDING}: ${missing.unsubscribeUrl}`];
  return `${before}${[...addressLines(missing.postalAddress ?? ''), ...link].join('\n')}\n`;
}

/** Whether the HTML visibly shows link and address. */
export function footerShownInHtml(
  html: string,
  footer: ComplianceFooter,
): { link: boolean; address: boolean } {
  const tokens = scanHtml(html);
  return ROOTS.some((name) => isHidden(name, html, tokens))
    ? { link: false, address: false }
    : shownParts(html, tokens, footer);
}

export function footerShownInText(
  text: string,
  footer: ComplianceFooter,
): { link: boolean; address: boolean } {
  return {
    link: text.includes(footer.unsubscribeUrl),
    address: holdsAddress(text, footer.postalAddress),
  };
}

/** The elements around the footer, wherever it is inserted. */
const ROOTS = ['html', 'body'] as const;
/** Number of tags of one name that are read. Browsers combine their attributes and use the first of each name. */
const MAX_ROOT_TAGS = 20;

function rootTags(name: string, tokens: readonly HtmlToken[]): HtmlToken[] {
  return tokens.filter((token) => token.kind === 'open' && token.name === name).slice(0, MAX_ROOT_TAGS);
}

function isHidden(name: (typeof ROOTS)[number], html: string, tokens: readonly HtmlToken[]): boolean {
  const attributes = new Map<string, string>();
  for (const tag of rootTags(name, tokens)) {
    for (const [key, value] of readAttributes(html, tag))
      if (!attributes.has(key)) attributes.set(key, value);
  }
  const css = tokens
    .filter((token) => token.kind === 'raw' && token.name === 'style')
    .map(({ start, end }) => html.slice(start, end));
  return isRootHidden({ name, attributes }, css);
}

/** Replaces the style of an `html` or `body` tag with one that shows the page. */
function shownTag(html: string, tag: HtmlToken): string {
  const style = attributePlaces(html, tag)?.get('style');
  const name = `<${tag.name} style="${ROOT_STYLE}"`;
  const after = tag.start + 1 + tag.name.length;
  if (style === undefined) return name + html.slice(after, tag.end);
  const before = html.slice(after, style.start).replace(/[\s/]style\s*=?\s*["']?$/i, '');
  return name + before + html.slice(style.end, tag.end).replace(/^["']\s*/, ' ');
}

/** Parts to add; `null` for a part that is already shown. */
interface MissingParts {
  postalAddress: string | null;
  unsubscribeUrl: string | null;
}

function missingFrom(
  { postalAddress, unsubscribeUrl }: ComplianceFooter,
  has: { link: boolean; address: boolean },
): MissingParts | null {
  if (has.link && has.address) return null;
  return {
    postalAddress: has.address ? null : postalAddress,
    unsubscribeUrl: has.link ? null : unsubscribeUrl,
  };
}

/** Finds the parts that are already visible: a link with content, and an address as text. */
function shownParts(
  html: string,
  tokens: readonly HtmlToken[],
  { unsubscribeUrl, postalAddress }: ComplianceFooter,
): { link: boolean; address: boolean } {
  const urls = [unsubscribeUrl, escapeHtml(unsubscribeUrl)];
  // Most HTML has neither, which this search finds much faster.
  if (!urls.some((url) => html.includes(url)) && !mayHold(html, [postalAddress, escapeHtml(postalAddress)]))
    return { link: false, address: false };
  let link = false;
  let isInLink = false;
  const texts: string[] = [];
  for (const { token, isSeen } of walkShown(html, tokens)) {
    const source = html.slice(token.start, token.end);
    if (token.name === 'a') isInLink = token.kind === 'open' && urls.some((url) => source.includes(url));
    link ||= isInLink && isSeen && (token.name === 'img' || (token.kind === 'text' && source.trim() !== ''));
    if (token.kind !== 'text') texts.push(INLINE.includes(token.name) ? '' : ' ');
    else if (isSeen) texts.push(source);
  }
  return { link, address: holdsAddress(texts.join(''), postalAddress, escapeHtml(postalAddress)) };
}

const INLINE = ['a', 'b', 'i', 'em', 'strong', 'span', 'font', 'u', 'small'];

function holdsAddress(text: string, ...spellings: readonly string[]): boolean {
  if (!mayHold(text, spellings)) return false;
  const shown = squeezed(text);
  return spellings.some((address) => {
    const lines = addressLines(address);
    return lines.length > 0 && lines.every((line) => shown.includes(squeezed(line)));
  });
}

/** Whether every word of an address is in the text. */
function mayHold(text: string, spellings: readonly string[]): boolean {
  return spellings.some((address) => {
    const words = addressLines(address).flatMap((line) => line.split(SPACES));
    return words.length > 0 && words.every((word) => text.includes(word));
  });
}

const SPACES = /(?:\s|&nbsp;)+/;
/** Matches whitespace other than a single space. */
const OTHER_SPACES = /(?:\s|&nbsp;){2,}|[^\S ]|&nbsp;/g;

function squeezed(text: string): string {
  return text.replace(OTHER_SPACES, ' ');
}

function htmlFooter({ postalAddress, unsubscribeUrl }: MissingParts): string {
  const link =
    unsubscribeUrl === null
      ? []
      : [`<a href="${escapeHtml(unsubscribeUrl)}" style="${LINK_STYLE}">${WORDING}</a>`];
  const lines = [...addressLines(postalAddress ?? '').map(escapeHtml), ...link];
  return `<div style="${BLOCK_STYLE}">${lines.join('<br>')}</div>`;
}

function addressLines(postalAddress: string): string[] {
  return postalAddress
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => line.replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ').trim())
    .filter((line) => line !== '');
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** Elements whose content is not HTML. An unclosed one would contain the footer. */
const RAW_ELEMENTS = [
  'script',
  'style',
  'title',
  'textarea',
  'xmp',
  'iframe',
  'noembed',
  'noframes',
  'plaintext',
];

/**
 * Finds the end of the body's content, and the end tags of the elements that are open there. It is before the last `</body>`
 * or `</html>` without content after it, and before any markup that would contain the footer (`swallowsRest`).
 */
function endOfBody(html: string, tokens: readonly HtmlToken[]): { at: number; endTags: string } {
  const swallowing = tokens.findIndex((_token, index) => swallowsRest(html, tokens, index));
  const read = swallowing === -1 ? tokens : tokens.slice(0, swallowing);
  const closing = (name: string): number =>
    read.findLastIndex((token) => token.kind === 'close' && token.name === name);
  const last = closing('body') === -1 ? closing('html') : closing('body');
  const isEnd = last !== -1 && tokens.slice(last + 1).every((token) => showsNothing(html, token));
  const inside = isEnd || (last !== -1 && swallowing !== -1) ? read.slice(0, last) : read;
  const open = createOpenElements<null>();
  for (const { kind, name } of inside) {
    if (NOT_CLOSED.includes(name)) continue;
    if (kind === 'open') open.open(name, () => null);
    else if (kind === 'close') open.close(name);
  }
  return { at: inside.at(-1)?.end ?? 0, endTags: open.endTags() };
}

const NOT_CLOSED = ['html', 'head', 'body'];

function showsNothing(html: string, { kind, name, start, end }: HtmlToken): boolean {
  if (kind === 'text') return html.slice(start, end).trim() === '';
  return kind === 'comment' || (kind === 'close' && NOT_CLOSED.includes(name));
}

/**
 * Whether the markup contains everything that follows. A script with `<!--` may continue after its end tag (WHATWG HTML
 * section 13.2.5.27, double escaped states).
 */
function swallowsRest(html: string, tokens: readonly HtmlToken[], index: number): boolean {
  const token = tokens[index];
  if (token?.kind === 'broken') return true;
  if (token?.kind !== 'open' || !RAW_ELEMENTS.includes(token.name)) return false;
  const next = tokens[index + 1];
  const end = next?.kind === 'raw' ? tokens[index + 2] : next;
  const isScriptOpen =
    token.name === 'script' && next?.kind === 'raw' && html.slice(next.start, next.end).includes('<!--');
  return isScriptOpen || end?.kind !== 'close' || end.name !== token.name;
}
