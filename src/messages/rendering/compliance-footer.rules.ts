// The footer of mail to many: the sender's postal address and the unsubscribe link, on both bodies of a copy.

export interface ComplianceFooter {
  /** May have several lines. */
  postalAddress: string;
  unsubscribeUrl: string;
}

const WORDING = 'Unsubscribe';

/** Inline and important: no rule of the author's style elements comes before these (CSS Cascade 4, section 6.1). */
const important = (declarations: readonly string[]): string =>
  declarations.map((declaration) => `${declaration} !important`).join(';');

/** Styles that show an element even where a rule would hide it. */
const SHOWN = [
  'visibility:visible',
  'opacity:1',
  'position:static',
  'float:none',
  'width:auto',
  'max-width:none',
  'height:auto',
  'max-height:none',
  'overflow:visible',
  'text-indent:0',
  'letter-spacing:normal',
  'transform:none',
  'clip-path:none',
  'filter:none',
];
// Colours of its own, so that it can be read on a dark page as on a light one.
const BLOCK_STYLE = important([
  'display:block',
  ...SHOWN,
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

const VOID_ELEMENTS = [
  ...['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'param', 'source'],
  ...['track', 'wbr'],
];
/** The document's own, and what the footer's block ends by itself: an end tag more would be an empty paragraph. */
const NOT_CLOSED = ['html', 'head', 'body', 'p'];

/** Elements whose content is not shown, or not as HTML: an end tag of the body in them is none, and a footer is lost. */
const OPAQUE_ELEMENTS = [
  ...['script', 'style', 'title', 'textarea', 'xmp', 'iframe', 'noembed', 'noframes', 'plaintext'],
  ...['template', 'select', 'object', 'video', 'audio', 'canvas'],
];

/**
 * The html with the footer as the last thing in its body, outside of every element that is still open there. What the html
 * shows already is not added again. Takes time linear in the html.
 */
export function withHtmlFooter(html: string, footer: ComplianceFooter): string {
  const missing = missingFrom(footer, shownParts(html, footer));
  if (missing === null) return html;
  const { at, open } = endOfBody(html);
  return html.slice(0, at) + endTags(open) + htmlFooter(missing) + html.slice(at);
}

/** The text, an empty line, the address, the link; what the text has already is not added again. */
export function withTextFooter(text: string, footer: ComplianceFooter): string {
  const end = text.trimEnd();
  const missing = missingFrom(footer, footerShownInText(text, footer));
  if (missing === null) return text;
  const before = end === '' ? '' : `${end}\n\n`;
  const link = missing.unsubscribeUrl === null ? [] : [`${WORDING}: ${missing.unsubscribeUrl}`];
  return `${before}${[...addressLines(missing.postalAddress ?? ''), ...link].join('\n')}\n`;
}

/** Whether a reader of the html sees the link and the address: not where the whole page is hidden by its own styles. */
export function footerShownInHtml(
  html: string,
  footer: ComplianceFooter,
): { link: boolean; address: boolean } {
  return hidesPage(html) ? { link: false, address: false } : shownParts(html, footer);
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

/** Styles that the footer cannot undo where it is inserted: an element in a page that is not shown. */
const HIDES_ALL = /display\s{0,9}:\s{0,9}none|opacity\s{0,9}:\s{0,9}0(?![.\d]*[1-9])/i;
const WHOLE_PAGE = /(?:^|,)\s*(?:html\s+|html\s*>\s*)?(?:html|body|:root|\*)\s*(?:,|$)/i;

/** Takes time linear in the html. */
function hidesPage(html: string): boolean {
  const lower = html.toLowerCase();
  for (let at = lower.indexOf('<style'); at !== -1; at = lower.indexOf('<style', at + 6)) {
    const from = endOfMarkup(html, at);
    const end = from === -1 ? -1 : lower.indexOf('</style', from);
    if (end === -1) return false;
    for (const rule of html.slice(from, end).split('}')) {
      const [declarations = '', selector = '', ...around] = rule.split('{').toReversed();
      const isForPaper = around.some((condition) => condition.toLowerCase().includes('print'));
      if (!isForPaper && HIDES_ALL.test(declarations) && WHOLE_PAGE.test(selector.trim())) return true;
    }
    at = end;
  }
  return false;
}

/** The part still to be added; null when it is there. */
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

const HIDING =
  /\shidden(?:[\s=>/]|$)|display\s?:\s?none|visibility\s?:\s?(?:hidden|collapse)|opacity\s?:\s?0(?![.\d]*[1-9])|(?:font-size|max-height|line-height)\s?:\s?0(?![.\d]*[1-9])|mso-hide/i;

/**
 * Which parts the reader sees anyway: a link is an element, and an address is text. Comments, styles and elements that are
 * hidden by an attribute show nothing.
 */
function shownParts(html: string, footer: ComplianceFooter): { link: boolean; address: boolean } {
  const urls = [footer.unsubscribeUrl, escapeHtml(footer.unsubscribeUrl)];
  /** The hidden element that is open, with those of its name inside. */
  let hidden: { name: string; depth: number } | null = null;
  let link = false;
  const texts: string[] = [];
  let at = 0;
  for (let begin = html.indexOf('<'); begin !== -1; begin = html.indexOf('<', at)) {
    const end = endOfMarkup(html, begin);
    if (end === -1) break;
    const name = tagName(html, begin + 1);
    if (hidden === null) texts.push(html.slice(at, begin), INLINE.includes(name.replace('/', '')) ? '' : ' ');
    if (hidden !== null) {
      if (name === hidden.name) hidden.depth += 1;
      if (name === `/${hidden.name}` && --hidden.depth === 0) hidden = null;
    } else if (name !== '' && !name.startsWith('/')) {
      const tag = html.slice(begin, end);
      if (HIDING.test(tag) && !VOID_ELEMENTS.includes(name)) hidden = { name, depth: 1 };
      else link ||= name === 'a' && urls.some((url) => tag.includes(url));
    }
    const next = OPAQUE_ELEMENTS.includes(name) ? endOfContent(html, end, name) : end;
    if (next === -1) break;
    at = next;
  }
  if (hidden === null) texts.push(html.slice(at));
  return {
    link,
    address: holdsAddress(texts.join(''), footer.postalAddress, escapeHtml(footer.postalAddress)),
  };
}

const INLINE = ['a', 'b', 'i', 'em', 'strong', 'span', 'font', 'u', 'small'];

function holdsAddress(text: string, ...spellings: readonly string[]): boolean {
  let plain: string | null = null;
  return spellings.some((address) => {
    const lines = addressLines(address);
    // Most texts lack a word of it, which is seen in a tenth of the time.
    const mayHold = lines.every((line) => line.split(SPACES).every((word) => text.includes(word)));
    if (lines.length === 0 || !mayHold) return false;
    const shown = (plain ??= squeezed(text));
    return lines.every((line) => shown.includes(squeezed(line)));
  });
}

const SPACES = /(?:\s|&nbsp;)+/;
/** Spaces, but for one that is one already. */
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

/**
 * Where the body's content ends: before the last `</body>` (without one, the last `</html>`) that is a tag and not part
 * of a comment, an attribute or a script. What is opened there and never closed would swallow the footer: it comes
 * before that, then.
 */
function endOfBody(html: string): Place {
  let bodyEnd: Place | null = null;
  let documentEnd: Place | null = null;
  const stack = createStack();
  let at = html.indexOf('<');
  while (at !== -1) {
    const end = endOfMarkup(html, at);
    if (end === -1) return bodyEnd ?? { at, open: stack.top() };
    const name = tagName(html, at + 1);
    if (name === '/body') bodyEnd = { at, open: stack.top() };
    else if (name === '/html') documentEnd = { at, open: stack.top() };
    const next = OPAQUE_ELEMENTS.includes(name) ? endOfContent(html, end, name) : end;
    if (next === -1) return bodyEnd ?? { at, open: stack.top() };
    if (name.startsWith('/')) stack.close(name.slice(1));
    else if (name !== '') stack.open(name);
    at = html.indexOf('<', next);
  }
  return bodyEnd ?? documentEnd ?? { at: html.length, open: stack.top() };
}

/** An element that is open, above those that it stands in. */
interface Open {
  name: string;
  below: Open | null;
}

interface Place {
  at: number;
  open: Open | null;
}

function createStack() {
  let top: Open | null = null;
  const counts = new Map<string, number>();
  const count = (name: string, by: number): number => {
    const now = (counts.get(name) ?? 0) + by;
    counts.set(name, now);
    return now;
  };
  return {
    top: () => top,
    open(name: string): void {
      if (VOID_ELEMENTS.includes(name) || NOT_CLOSED.includes(name)) return;
      top = { name, below: top };
      count(name, 1);
    },
    /** Ends the innermost element of that name, and all that is open in it. */
    close(name: string): void {
      if ((counts.get(name) ?? 0) === 0) return;
      for (let closed: string | null = null; top !== null && closed !== name; top = top.below) {
        closed = top.name;
        count(closed, -1);
      }
    },
  };
}

function endTags(open: Open | null): string {
  const tags: string[] = [];
  for (let element = open; element !== null; element = element.below) tags.push(`</${element.name}>`);
  return tags.join('');
}

/** The end of the tag or comment that begins at `at`, just behind `at` when none does, -1 when it is not closed. */
function endOfMarkup(html: string, at: number): number {
  const next = html[at + 1] ?? '';
  if (html.startsWith('!--', at + 1)) return endOfComment(html, at + 4);
  const isTag = /[a-z]/i.test(next) || (next === '/' && /[a-z]/i.test(html[at + 2] ?? ''));
  if (isTag) return endOfTag(html, at + 1);
  if (next !== '!' && next !== '?' && next !== '/') return at + 1;
  const end = html.indexOf('>', at);
  return end === -1 ? -1 : end + 1;
}

/** Behind the comment whose content begins at `from`; `<!-->` and `<!--->` are whole ones, and `--!>` ends one, too. */
function endOfComment(html: string, from: number): number {
  if (html[from] === '>') return from + 1;
  if (html.startsWith('->', from)) return from + 2;
  for (let dashes = html.indexOf('--', from); dashes !== -1; dashes = html.indexOf('--', dashes + 1)) {
    if (html[dashes + 2] === '>') return dashes + 3;
    if (html.startsWith('!>', dashes + 2)) return dashes + 4;
  }
  return -1;
}

/** Behind the `>` of a tag; one in a quoted attribute value is not it. */
function endOfTag(html: string, from: number): number {
  let isValue = false;
  for (let i = from; i < html.length; i++) {
    const char = html[i] ?? '';
    if (char === '>') return i + 1;
    if (isValue && (char === '"' || char === "'")) {
      i = html.indexOf(char, i + 1);
      if (i === -1) return -1;
    }
    // A quote opens a value only right behind the equals sign.
    isValue = char === '=' || (isValue && /\s/.test(char));
  }
  return -1;
}

/** Name after `<`, in lower case: `body`, `/body`; '' where no tag begins. */
function tagName(html: string, from: number): string {
  return (/^\/?[a-z][^\s/>]{0,20}/i.exec(html.slice(from, from + 22))?.[0] ?? '').toLowerCase();
}

/**
 * Where the end tag of an opaque element begins, -1 when there is none. A script with a comment sign may go on behind its first
 * end tag (the double escaped states of HTML, section 13.2.5.27), and is taken for one without end.
 */
function endOfContent(html: string, from: number, name: string): number {
  for (let at = html.indexOf('</', from); at !== -1; at = html.indexOf('</', at + 2)) {
    if (tagName(html, at + 1) !== `/${name}`) continue;
    return name === 'script' && html.slice(from, at).includes('<!--') ? -1 : at;
  }
  return -1;
}
