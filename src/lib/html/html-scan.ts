// Splits HTML into tokens, as tolerantly as browsers do (WHATWG HTML section 13.2.5), in one pass. It builds
// no tree and takes linear time.

/** Elements without content. */
const VOID = new Set(
  'area base br col embed hr img input link meta param source track wbr basefont bgsound frame'.split(' '),
);
/** Elements whose content is not HTML. */
const RAW_TEXT = new Set(['script', 'style', 'title', 'textarea', 'xmp', 'iframe', 'noembed', 'noframes']);

/** `raw`: the content of a script or style. `broken`: markup that never ends, which readers don't display. */
type HtmlTokenKind = 'open' | 'close' | 'void' | 'text' | 'raw' | 'comment' | 'broken';

/** `source.slice(start, end)` is the token's text; empty for an omitted token. */
export interface HtmlToken {
  kind: HtmlTokenKind;
  /** Lower case; empty for text and comments. */
  name: string;
  start: number;
  end: number;
}

/** Returns the tokens in order; together they cover the source. */
export function scanHtml(source: string): HtmlToken[] {
  const tokens: HtmlToken[] = [];
  let at = 0;
  while (at < source.length) {
    const token = source[at] === '<' ? readMarkup(source, at) : null;
    const next = token ?? readText(source, at);
    const last = tokens.at(-1);
    if (next.kind === 'text' && last?.kind === 'text') last.end = next.end;
    else tokens.push(next);
    at = next.end;
    if (next.kind === 'open' && RAW_TEXT.has(next.name)) {
      const end = rawTextEnd(source, at, next.name);
      if (end > at) tokens.push({ kind: 'raw', name: next.name, start: at, end });
      at = end;
    }
  }
  return tokens;
}

function readText(source: string, at: number): HtmlToken {
  const next = source.indexOf('<', at + 1);
  return { kind: 'text', name: '', start: at, end: next < 0 ? source.length : next };
}

/** Returns `null` if the `<` is an ordinary character. */
function readMarkup(source: string, at: number): HtmlToken | null {
  if (source.startsWith('<!--', at)) return comment(source, at, commentEnd(source, at + 4));
  if (source.startsWith('<!', at) || source.startsWith('<?', at))
    return comment(source, at, bogusEnd(source, at));
  const isClose = source[at + 1] === '/';
  const from = at + (isClose ? 2 : 1);
  if (!/[a-z]/i.test(source[from] ?? '')) return isClose ? comment(source, at, bogusEnd(source, at)) : null;
  let end = from;
  while (end < source.length && !/[\s/>]/.test(source[end] ?? '')) end += 1;
  const name = source.slice(from, Math.min(end, from + 40)).toLowerCase();
  const kind = isClose ? 'close' : VOID.has(name) ? 'void' : 'open';
  return markup(source, { kind, name, start: at, end: tagEnd(source, end) });
}

function comment(source: string, start: number, end: number): HtmlToken {
  return markup(source, { kind: 'comment', name: '', start, end });
}

/** Returns the index after the comment whose text begins at `from`, or -1. */
function commentEnd(source: string, from: number): number {
  if (source[from] === '>') return from + 1;
  if (source.startsWith('->', from)) return from + 2;
  const end = /--!?>/g;
  end.lastIndex = from;
  return end.test(source) ? end.lastIndex : -1;
}

/**
 * Returns the index after a declaration, an instruction or a nameless end tag, which browsers take for
 * comments, or -1.
 */
function bogusEnd(source: string, from: number): number {
  return source.indexOf('>', from + 2) + 1 || -1;
}

/** Makes a token; an end of -1 means that there is none. */
function markup(source: string, token: HtmlToken): HtmlToken {
  return token.end >= 0 ? token : { kind: 'broken', name: '', start: token.start, end: source.length };
}

/**
 * Returns the index after the `>`, or -1. Quotes only count around a value, and a value needs a name before
 * its `=`.
 */
function tagEnd(source: string, from: number): number {
  let hasName = false;
  for (let at = from; at < source.length; at++) {
    const char = source[at] ?? '';
    if (char === '>') return at + 1;
    if (char === '=' && hasName) {
      const end = valueEnd(source, at + 1);
      if (end < 0) return -1;
      at = end - 1;
      hasName = false;
    } else if (char === '/') {
      hasName = false;
    } else if (!/\s/.test(char)) {
      hasName = true;
    }
  }
  return -1;
}

/** Returns the index after an attribute's value; -1 if its quote never ends. */
function valueEnd(source: string, from: number): number {
  let at = from;
  while (at < source.length && /\s/.test(source[at] ?? '')) at += 1;
  const quote = source[at];
  if (quote === '"' || quote === "'") {
    const closing = source.indexOf(quote, at + 1);
    return closing < 0 ? -1 : closing + 1;
  }
  while (at < source.length && !/[\s>]/.test(source[at] ?? '')) at += 1;
  return at;
}

function rawTextEnd(source: string, from: number, name: string): number {
  for (let at = source.indexOf('</', from); at >= 0; at = source.indexOf('</', at + 2)) {
    const after = at + 2 + name.length;
    const isSame = source.slice(at + 2, after).toLowerCase() === name;
    if (isSame && /[\s/>]/.test(source[after] ?? '')) return at;
  }
  return source.length;
}

const MAX_ATTRIBUTES = 30;
const ATTRIBUTE = /([^\s"'<>/=]{1,60})(?:\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)'|([^\s"'>]*)))?/g;

/**
 * Returns the attributes of an opening tag by lower-case name, with character references decoded; '' without
 * a value. The first of each counts.
 */
export function readAttributes(source: string, token: HtmlToken): Map<string, string> {
  const attributes = new Map<string, string>();
  const text = source.slice(token.start + 1 + token.name.length, token.end);
  for (const [, key = '', double, single, bare] of text.matchAll(ATTRIBUTE)) {
    const name = key.toLowerCase();
    if (!attributes.has(name)) attributes.set(name, decodeReferences(double ?? single ?? bare ?? ''));
    if (attributes.size >= MAX_ATTRIBUTES) break;
  }
  return attributes;
}

/** Position of a value in the source, without quotes, and of the whole attribute with the space before it. */
interface AttributePlace {
  start: number;
  end: number;
  whole: { start: number; end: number };
}

/**
 * Matches one attribute as browsers do: an equals sign in front belongs to the name, and an unclosed quote
 * matches nothing.
 */
const EXACT_ATTRIBUTE =
  /[\t\n\f\r /]*([^\t\n\f\r />][^\t\n\f\r />=]*)[\t\n\f\r ]*(?:=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|(?![\t\n\f\r "'])([^\t\n\f\r >]*)))?/dy;
const END_OF_TAG = /[\t\n\f\r /]*>/y;

/**
 * Returns the positions of a tag's attribute values; the first of each name counts. Returns `null` if
 * browsers would end the tag earlier.
 */
export function attributePlaces(html: string, token: HtmlToken): Map<string, AttributePlace> | null {
  const tag = html.slice(token.start, token.end);
  const values = new Map<string, AttributePlace>();
  let at = 1 + token.name.length;
  for (;;) {
    END_OF_TAG.lastIndex = at;
    if (END_OF_TAG.test(tag)) return END_OF_TAG.lastIndex === tag.length ? values : null;
    const from = at;
    EXACT_ATTRIBUTE.lastIndex = at;
    const found = EXACT_ATTRIBUTE.exec(tag);
    if (!found) return null;
    at = EXACT_ATTRIBUTE.lastIndex;
    // The value begins with a quote that is not closed in this tag.
    if (tag[at] === '=') return null;
    const name = (found[1] ?? '').toLowerCase();
    const value = found.indices?.[2] ?? found.indices?.[3] ?? found.indices?.[4];
    if (values.has(name)) continue;
    values.set(name, {
      start: token.start + (value?.[0] ?? at),
      end: token.start + (value?.[1] ?? at),
      whole: {
        start: token.start + from,
        end: token.start + (value === undefined ? (found.indices?.[1]?.[1] ?? at) : at),
      },
    });
  }
}

/** Returns the source with each edit's text in its place. Edits must not overlap. */
export function withEdits(
  source: string,
  edits: readonly { start: number; end: number; text: string }[],
): string {
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end, text } of edits.toSorted((one, other) => one.start - other.start)) {
    pieces.push(source.slice(from, start), text);
    from = end;
  }
  return pieces.join('') + source.slice(from);
}

/** Names of the characters from U+00A0 on, in their order. */
const LATIN =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro ' +
  'para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil ' +
  'Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave ' +
  'Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml ' +
  'igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute ' +
  'thorn yuml';
const NAMED = new Map<string, string>([
  ...LATIN.split(' ').map((name, i): [string, string] => [name, String.fromCharCode(0xa0 + i)]),
  ...Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", colon: ':', commat: '@' }),
  ...Object.entries({ ndash: '–', mdash: '—', lsquo: '‘', rsquo: '’', sbquo: '‚', ldquo: '“', rdquo: '”' }),
  ...Object.entries({
    bdquo: '„',
    bull: '•',
    hellip: '…',
    euro: '€',
    trade: '™',
    zwnj: '\u200c',
    zwj: '\u200d',
  }),
  ...Object.entries({ ensp: '\u2002', emsp: '\u2003', thinsp: '\u2009', rarr: '→', larr: '←', check: '✓' }),
  ...Object.entries({
    scaron: 'š',
    Scaron: 'Š',
    oelig: 'œ',
    OElig: 'Œ',
    Yuml: 'Ÿ',
    lsaquo: '‹',
    rsaquo: '›',
  }),
  // Punctuation that can disguise a URL.
  ...Object.entries({
    colon: ':',
    sol: '/',
    bsol: '\\',
    period: '.',
    commat: '@',
    Tab: '\t',
    NewLine: '\n',
  }),
]);

/** Decodes character references; names that mails don't use stay unchanged. */
export function decodeReferences(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}\d{0,2}));?/gi,
    (whole, decimal, hex, name) => {
      const code =
        typeof decimal === 'string' ? Number(decimal) : typeof hex === 'string' ? parseInt(hex, 16) : null;
      if (code === null) return NAMED.get(String(name)) ?? whole;
      const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
      return isCharacter ? String.fromCodePoint(code) : '\ufffd';
    },
  );
}
