// The footer of mail to many: the sender's postal address and the unsubscribe link, on both bodies of a copy.

export interface ComplianceFooter {
  /** May have several lines. */
  postalAddress: string;
  unsubscribeUrl: string;
}

const WORDING = 'Unsubscribe';

// Colours of its own, so that it can be read on a dark page as on a light one.
const BLOCK_STYLE = [
  'display:block !important',
  'visibility:visible !important',
  'clear:both',
  'margin:0',
  'padding:16px',
  'background-color:#ffffff',
  'color:#555555',
  'font-family:Arial,Helvetica,sans-serif',
  'font-size:12px',
  'line-height:18px',
  'text-align:center',
].join(';');
const LINK_STYLE = 'color:#555555;text-decoration:underline';

/** What stands in these is not shown, or not as HTML: an end tag of the body there is none, and a footer is lost. */
const OPAQUE_ELEMENTS = [
  ...['script', 'style', 'title', 'textarea', 'xmp', 'iframe', 'noembed', 'noframes', 'plaintext'],
  ...['template', 'select', 'object', 'video', 'audio', 'canvas'],
];

/** The html with the footer as the last thing in its body. Takes time linear in the html. */
export function withHtmlFooter(html: string, footer: ComplianceFooter): string {
  const at = endOfBody(html);
  return html.slice(0, at) + htmlFooter(footer) + html.slice(at);
}

/** The text, an empty line, the address, the link. */
export function withTextFooter(text: string, { postalAddress, unsubscribeUrl }: ComplianceFooter): string {
  const end = text.trimEnd();
  const before = end === '' ? '' : `${end}\n\n`;
  return `${before}${[...addressLines(postalAddress), `${WORDING}: ${unsubscribeUrl}`].join('\n')}\n`;
}

function htmlFooter({ postalAddress, unsubscribeUrl }: ComplianceFooter): string {
  const link = `<a href="${escapeHtml(unsubscribeUrl)}" style="${LINK_STYLE}">${WORDING}</a>`;
  const lines = [...addressLines(postalAddress).map(escapeHtml), link];
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
function endOfBody(html: string): number {
  let bodyEnd = -1;
  let documentEnd = -1;
  let at = html.indexOf('<');
  while (at !== -1) {
    const end = endOfMarkup(html, at);
    if (end === -1) return bodyEnd === -1 ? at : bodyEnd;
    const name = tagName(html, at + 1);
    if (name === '/body') bodyEnd = at;
    else if (name === '/html') documentEnd = at;
    const next = OPAQUE_ELEMENTS.includes(name) ? endOfContent(html, end, name) : end;
    if (next === -1) return bodyEnd === -1 ? at : bodyEnd;
    at = html.indexOf('<', next);
  }
  if (bodyEnd !== -1) return bodyEnd;
  return documentEnd === -1 ? html.length : documentEnd;
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

/** What follows `<`, in lower case: `body`, `/body`; '' for what is no tag. */
function tagName(html: string, from: number): string {
  return (/^\/?[a-z][^\s/>]{0,20}/i.exec(html.slice(from, from + 22))?.[0] ?? '').toLowerCase();
}

/** Where the end tag of an opaque element begins, -1 when there is none. */
function endOfContent(html: string, from: number, name: string): number {
  for (let at = html.indexOf('</', from); at !== -1; at = html.indexOf('</', at + 2)) {
    if (tagName(html, at + 1) === `/${name}`) return at;
  }
  return -1;
}
