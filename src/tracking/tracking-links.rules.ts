// Tracking of html mail: its links lead through us, and a picture of one pixel tells that it was shown. Only the values
// of href are replaced; every other octet stays. A link is found again by its place in the html as it was stored.
import { hrefChecksum, type LinkPlace, type SignedLink } from './tracking-tokens.rules.js';
import { attributePlaces, decodeReferences, type HtmlToken, scanHtml, withEdits } from '../lib/html/index.js';

/** Longer html is sent as it is: no mail program shows so much. Characters. */
export const MAX_TRACKED_HTML = 1024 * 1024;
/** Links of one mail that are looked at; those after them stay. */
export const MAX_LINKS = 1_000;
/** Characters of a target, and of its spelling in the html. */
export const MAX_TARGET = 2_048;
const MAX_SPELLING = 8_192;

/** Pages of ours that a link in mail may lead to: what a person does there must not depend on being watched. */
const OWN_PAGES = ['u', 'preferences', 'confirm', 'forward', 's'];

interface HtmlTracking {
  /** URL of the pixel; null: opens are not tracked. */
  pixelUrl: string | null;
  /** URL that replaces a link; null: clicks are not tracked. */
  clickUrl: ((link: SignedLink) => string) | null;
  /** Base of our own pages, whose links stay; without a slash at its end. */
  publicUrl: string;
}

interface Link {
  /** Where the value of its href stands, without quotes. */
  start: number;
  end: number;
  /** Its author wants it untracked. */
  isMarked: boolean;
  /** The marks that recipients do not get to see. */
  removed: readonly { start: number; end: number }[];
}

/** Marks of links that are not tracked, ours first and then by vendor: the attribute and a value that it must have. */
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
  /** Base of our own pages, whose links stay; without a slash at its end. */
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

/** Where the fragment begins in the spelling of a link; its length where there is none. */
function placeOfFragment(spelling: string): number {
  const references = spelling.replace(REFERENCE, (found) => ' '.repeat(found.length));
  const at = references.indexOf('#');
  return at < 0 ? spelling.length : at;
}

/**
 * Where the links of stored html lead: the targets as they stand there, character references decoded; null for one that leads
 * nowhere by http or https. All `<a>` and `<area>` with an href count, from 0, whatever they lead to: mail that has been
 * sent relies on that count.
 */
export function linkTargets(html: string): (string | null)[] {
  if (html.length > MAX_TRACKED_HTML) return [];
  return linksOf(html, scanHtml(html), MAX_LINKS).map(({ start, end }) => targetOf(html.slice(start, end)));
}

/** Where the link at a place of stored html leads; null when the link that was written there is there no more. */
export function targetAt(html: string, { start, length, check }: LinkPlace): string | null {
  const spelling = html.slice(start, start + length);
  return hrefChecksum(spelling) === check ? targetOf(spelling) : null;
}

/** The first link that is tracked, as `linkTargets` knows it; null when none is. */
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
/** Of those that `decodeReferences` may know; of a longer name it would read the beginning. */
const READABLE_NAME = /^&[a-z]{2,8}\d{0,2};?$/i;
const READABLE_CODE = /^&#(?:\d{1,7}|x[\da-f]{1,6});?$/i;
/** Browsers read the codes of these as characters of another code page, or refuse them. */
const UNREADABLE_CHARACTER = /[\u0000-\u0008\u000b\u000e-\u001f\u007f-\u009f\ufffd]/;
/** Names that count without a semicolon too, and that `decodeReferences` knows in small letters only. */
const CAPITALS = /^&(?:AMP|LT|GT|QUOT|COPY|REG);?$/;
/** Characters of the names that count without a semicolon. */
const OLD_CHARACTER = /^[&<>"\u00a0-\u00ff]$/;

/**
 * The value of an attribute, its character references decoded as in attributes (in `?a=1&copy=2` there is none). Null where
 * one is not known here, so that nobody is led astray.
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

/** Whether a link leads to a page of ours that recipients use, such as the one to unsubscribe. */
export function isOwnPage(target: string, publicUrl: string): boolean {
  return OWN_PAGES.some((page) => target.startsWith(`${publicUrl}/${page}/`));
}

/** Before the last `</body>`, else before the last `</html>`, else at the end of what is shown. */
function placeOfPixel(html: string, tokens: readonly HtmlToken[]): number {
  const closing = (name: string): HtmlToken | undefined =>
    tokens.findLast((token) => token.kind === 'close' && token.name === name);
  const last = tokens.at(-1);
  const end = last?.kind === 'broken' ? last.start : html.length;
  return (closing('body') ?? closing('html'))?.start ?? end;
}

/** Out of the flow where styles are kept, and one pixel high where they are not. */
function pixel(url: string): string {
  const style = 'display:block;position:absolute;width:1px;height:1px;border:0;margin:0;padding:0';
  return `<img src="${escaped(url)}" width="1" height="1" alt="" style="${style}">`;
}

/** For an attribute, whatever its quotes. */
function escaped(url: string): string {
  return url.replace(/[&"'<> ]/g, (character) => `&#${character.charCodeAt(0)};`);
}
