// Adds tracking to HTML mail: links go through this server, and a pixel shows that the mail was displayed. Only href values are
// replaced, and every other octet stays. A link is identified by its position in the stored HTML.
import { hrefChecksum, type LinkPlace, type SignedLink } from './tracking-tokens.rules.js';
import { attributePlaces, decodeReferences, type HtmlToken, scanHtml, withEdits } from '../lib/html/index.js';

/** Maximum characters of HTML to change. Longer HTML is sent unchanged, because no mail client shows that much. */
export const MAX_TRACKED_HTML = 1024 * 1024;
/** Maximum number of links in one mail. Links after it are not tracked. */
export const MAX_LINKS = 1_000;
/** Characters of a target, and of its spelling in the html. */
export const MAX_TARGET = 2_048;
const MAX_SPELLING = 8_192;

/** This server's pages that mail links to. They are not tracked, because using them must not depend on tracking. */
const OWN_PAGES = ['u', 'preferences', 'confirm', 'forward', 's'];

interface HtmlTracking {
  /** URL of the pixel. `null` to add none. */
  pixelUrl: string | null;
  /** Returns the URL that replaces a link; null to keep the link. */
  clickUrl: ((link: SignedLink) => string) | null;
  /** Base of this server's own pages, whose links are kept. Without a trailing slash. */
  publicUrl: string;
}

interface Link {
  /** Position of the href value, without quotes. */
  start: number;
  end: number;
  /** Its author wants it untracked. */
  isMarked: boolean;
  /** The marks that recipients do not get to see. */
  removed: readonly { start: number; end: number }[];
}

/** Markers of links that are not tracked, Mailkeel's first and then by vendor: the attribute and its required value. */
const NO_TRACKING: Readonly<Record<string, RegExp>> = {
  'data-track': /^false$/i,
  // SendGrid
  clicktracking: /^off$/i,
  // Mailgun
  'disable-tracking': /^true$/i,
  // Mandrill
  'mc:disable-tracking': /^(?!false$)/i,
  // Postmark
  'data-pm-no-track': /^(?!false$)/i,
  // Amazon SES
  'ses:no-track': /^(?!false$)/i,
  // SparkPost
  'data-msys-clicktrack': /^0$/,
  // SMTP2GO
  'no-track': /^(?!false$)/i,
  'data-no-track': /^(?!false$)/i,
  // Customer.io
  class: /(?:^|\s)untracked(?:\s|$)/,
};
/** Attributes that their vendors take out of the mail. */
const REMOVED = ['data-pm-no-track', 'ses:no-track', 'ses:tags', 'mc:disable-tracking'];
const HAS_REMOVED = new RegExp(REMOVED.join('|'), 'i');

/**
 * The html with tracking, and without the marks that vendors take out. `<a href>` and `<area href>` by http and https are
 * replaced, as far as they can be read for sure.
 */
export function trackHtml(html: string, { pixelUrl, clickUrl, publicUrl }: HtmlTracking): string {
  const readsLinks = clickUrl !== null || HAS_REMOVED.test(html);
  if (html.length > MAX_TRACKED_HTML || (pixelUrl === null && !readsLinks)) return html;
  const tokens = scanHtml(html);
  const edits: { start: number; end: number; text: string }[] = [];
  if (pixelUrl !== null) {
    const at = placeOfPixel(html, tokens);
    edits.push({ start: at, end: at, text: pixel(pixelUrl) });
  }
  const links = readsLinks ? linksOf(html, tokens, MAX_LINKS) : [];
  for (const [index, { start, end, isMarked, removed }] of links.entries()) {
    edits.push(...removed.map((mark) => ({ ...mark, text: '' })));
    if (clickUrl === null || isMarked) continue;
    const spelling = html.slice(start, end);
    const target = targetOf(spelling);
    if (target === null || isOwnPage(target, publicUrl)) continue;
    const place = { start, length: end - start, check: hrefChecksum(spelling) };
    edits.push({ start, end, text: escaped(clickUrl({ index, place })) });
  }
  return withEdits(html, edits);
}

interface LinkParameters {
  /** The query to append to a link, by its target; '' for none. */
  queryOf: (target: string) => string;
  /** Base of this server's own pages, whose links are kept. Without a trailing slash. */
  publicUrl: string;
}

/**
 * The html with a query appended to its links by http and https, before their fragments. Every other octet stays, and so do links
 * that would become longer than `MAX_TARGET`.
 */
export function addLinkParameters(html: string, { queryOf, publicUrl }: LinkParameters): string {
  if (html.length > MAX_TRACKED_HTML) return html;
  const edits: { start: number; end: number; text: string }[] = [];
  for (const { start, end } of linksOf(html, scanHtml(html), MAX_LINKS)) {
    const spelling = html.slice(start, end).trimEnd();
    const target = targetOf(spelling);
    const query = target === null || isOwnPage(target, publicUrl) ? '' : queryOf(target);
    if (target === null || query === '' || target.length + query.length >= MAX_TARGET) continue;
    const fragment = placeOfFragment(spelling);
    // A `#` that is written as a character reference.
    if (target.includes('#') !== fragment < spelling.length) continue;
    const [address = ''] = target.split('#', 1);
    const at = start + fragment;
    edits.push({ start: at, end: at, text: escaped(joinedQuery(address, query)) });
  }
  return withEdits(html, edits);
}

/** Returns the text that appends the query to an address without a fragment. */
export function joinedQuery(address: string, query: string): string {
  const joint = !address.includes('?') ? '?' : /[?&]$/.test(address) ? '' : '&';
  return `${joint}${query}`;
}

/** Index at which the fragment of a link begins; its length if it has none. */
function placeOfFragment(spelling: string): number {
  const references = spelling.replace(REFERENCE, (found) => ' '.repeat(found.length));
  const at = references.indexOf('#');
  return at < 0 ? spelling.length : at;
}

/**
 * Returns the targets of the links in stored HTML, with character references decoded; null for a target that is neither http nor
 * https. All `<a>` and `<area>` elements with an href count, from 0, regardless of their target, because sent mail relies on these
 * numbers.
 */
export function linkTargets(html: string): (string | null)[] {
  if (html.length > MAX_TRACKED_HTML) return [];
  return linksOf(html, scanHtml(html), MAX_LINKS).map(({ start, end }) => targetOf(html.slice(start, end)));
}

/** Returns the target of the link at a position of stored HTML; null if the original link is no longer there. */
export function targetAt(html: string, { start, length, check }: LinkPlace): string | null {
  const spelling = html.slice(start, start + length);
  return hrefChecksum(spelling) === check ? targetOf(spelling) : null;
}

/** Returns the first tracked link, as in `linkTargets`; null if there is none. */
export function firstTrackedLink(html: string, publicUrl: string): { index: number; url: string } | null {
  if (html.length > MAX_TRACKED_HTML) return null;
  for (const [index, link] of linksOf(html, scanHtml(html), MAX_LINKS).entries()) {
    const url = link.isMarked ? null : targetOf(html.slice(link.start, link.end));
    if (url !== null && !isOwnPage(url, publicUrl)) return { index, url };
  }
  return null;
}

/** The first `count` of them. */
function linksOf(html: string, tokens: readonly HtmlToken[], count: number): Link[] {
  const links: Link[] = [];
  for (const token of tokens) {
    if (links.length >= count) break;
    const isLink =
      (token.name === 'a' && token.kind === 'open') || (token.name === 'area' && token.kind === 'void');
    const values = isLink ? attributePlaces(html, token) : null;
    const href = values?.get('href');
    if (!href) continue;
    const isMarked = [...(values ?? [])].some(
      ([name, { start, end }]) => NO_TRACKING[name]?.test(html.slice(start, end).trim()) === true,
    );
    const removed = REMOVED.flatMap((name) => values?.get(name)?.whole ?? []);
    links.push({ ...href, isMarked, removed });
  }
  return links;
}

const REFERENCE = /&(?:#\d+;?|#x[\da-f]+;?|[a-z][a-z\d]*;?=?)/gi;
/** Names that `decodeReferences` knows. It would decode the beginning of a longer name. */
const READABLE_NAME = /^&[a-z]{2,8}\d{0,2};?$/i;
const READABLE_CODE = /^&#(?:\d{1,7}|x[\da-f]{1,6});?$/i;
/** Browsers read the codes of these as characters of another code page, or refuse them. */
const UNREADABLE_CHARACTER = /[\u0000-\u0008\u000b\u000e-\u001f\u007f-\u009f\ufffd]/;
/** Names that count without a semicolon too, and that `decodeReferences` knows in small letters only. */
const CAPITALS = /^&(?:AMP|LT|GT|QUOT|COPY|REG);?$/;
/** Characters of the names that count without a semicolon. */
const OLD_CHARACTER = /^[&<>"\u00a0-\u00ff]$/;

/**
 * Decodes the character references in an attribute's value by the rules for attributes (`?a=1&copy=2` contains none). Returns null
 * if it contains an unknown reference, so that the link does not lead to a wrong page.
 */
function decodeAttribute(text: string): string | null {
  let doubts = 0;
  const decoded = text.replace(REFERENCE, (found) => {
    const follows = found.endsWith('=') ? '=' : '';
    const reference = found.slice(0, found.length - follows.length);
    const character = decodeReferences(CAPITALS.test(reference) ? reference.toLowerCase() : reference);
    if (reference.startsWith('&#')) {
      if (!READABLE_CODE.test(reference) || UNREADABLE_CHARACTER.test(character)) doubts += 1;
      return character;
    }
    if (reference.endsWith(';')) {
      if (character === reference || !READABLE_NAME.test(reference)) doubts += 1;
      return character + follows;
    }
    return follows === '' && OLD_CHARACTER.test(character) ? character : found;
  });
  return doubts === 0 ? decoded : null;
}

/** The target of an href by its spelling; null for one that is not followed by http or https, or cannot be read for sure. */
function targetOf(spelling: string): string | null {
  if (spelling.length > MAX_SPELLING) return null;
  const decoded = decodeAttribute(spelling);
  if (decoded === null) return null;
  const url = trimmed(decoded.replace(/[\t\n\r]/g, ''));
  if (url.length > MAX_TARGET || !/^https?:\/\/[^/?#\\]/i.test(url) || !URL.canParse(url)) return null;
  // Characters that a header field cannot hold are written as browsers write them.
  const target = /^[\x21-\x7e]+$/.test(url) ? url : new URL(url).href;
  return target.length > MAX_TARGET ? null : target;
}

/** Without the control characters and spaces at its ends, as browsers read addresses. */
function trimmed(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text.charCodeAt(start) <= 0x20) start += 1;
  while (end > start && text.charCodeAt(end - 1) <= 0x20) end -= 1;
  return text.slice(start, end);
}

/** Whether a link leads to a page of this server for recipients, such as the unsubscribe page. */
export function isOwnPage(target: string, publicUrl: string): boolean {
  return OWN_PAGES.some((page) => target.startsWith(`${publicUrl}/${page}/`));
}

/** Finds the position before the last `</body>`, or else before the last `</html>`, or else at the end of the visible content. */
function placeOfPixel(html: string, tokens: readonly HtmlToken[]): number {
  const closing = (name: string): HtmlToken | undefined =>
    tokens.findLast((token) => token.kind === 'close' && token.name === name);
  const last = tokens.at(-1);
  const end = last?.kind === 'broken' ? last.start : html.length;
  return (closing('body') ?? closing('html'))?.start ?? end;
}

/** Out of the flow if the client keeps styles, and one pixel high otherwise. */
function pixel(url: string): string {
  const style = 'display:block;position:absolute;width:1px;height:1px;border:0;margin:0;padding:0';
  return `<img src="${escaped(url)}" width="1" height="1" alt="" style="${style}">`;
}

/** Escapes for an attribute with any quotes. */
function escaped(url: string): string {
  return url.replace(/[&"'<> ]/g, (character) => `&#${character.charCodeAt(0)};`);
}
