// Inlines CSS and derives text from rendered HTML. Both take milliseconds. If the placeholders of a template only fill text
// and links, they are done once, and the values of each recipient are inserted afterwards.

import { LRUCache } from 'lru-cache';

import { createCssInliner, createHtmlToText, INVISIBLE, MAX_HTML_CHARS } from '../../lib/html/index.js';
import { type Filling, MARK, MARK_START } from '../../lib/templating/index.js';

type Wanted = { inlineCss: boolean; isTextDerived: boolean };
type Bodies = { kind: 'bodies'; html: string; text: string | null };
type BodiesProblem = { kind: 'problem'; message: string };

/** Literal texts at even indexes, and the indexes of the values between them at odd ones. */
type Pieces = (string | number)[];
/** `links`: link targets that contain values. */
type Outline = { html: Pieces; text: Pieces | null; links: readonly Pieces[] };

const MAX_MARKS = 500;
const MAX_LINK_MARKS = 20;
/** Largest distance from the start of a tag to a mark in it, in characters. */
const MAX_TAG = 2_000;

/**
 * Creates a converter that caches about `cacheChars` characters of each kind. `key` identifies HTML that is the same for all
 * recipients; it is `null` for filled HTML.
 */
export function createHtmlBodies({
  cacheChars,
}: {
  cacheChars: number;
}): (
  html: string,
  wanted: Wanted,
  from: { filling: Filling | null; key: string | null },
) => Bodies | BodiesProblem {
  const inlined = createCssInliner();
  const textOf = createHtmlToText();
  const whole = new LRUCache<string, Bodies>({ maxSize: cacheChars });
  const outlines = new LRUCache<string, { outline: Outline | null }>({ maxSize: cacheChars });

  const make = (html: string, { inlineCss, isTextDerived }: Wanted): Bodies | BodiesProblem => {
    const styled = inlineCss ? inlined(html) : { kind: 'inlined' as const, html };
    if (styled.kind === 'problem') return styled;
    return { kind: 'bodies', html: styled.html, text: isTextDerived ? textOf(styled.html) : null };
  };

  const outlineOf = (filling: Filling, wanted: Wanted): Outline | null => {
    const key = `${wanted.inlineCss} ${wanted.isTextDerived} ${filling.key}`;
    const known = outlines.get(key);
    if (known !== undefined) return known.outline;
    const marked = filling.marked();
    const links = linksIn(marked, filling.values.length, wanted);
    const bodies = links === null ? null : make(marked, wanted);
    const outline =
      links === null || bodies?.kind !== 'bodies'
        ? null
        : { html: piecesOf(bodies.html), text: bodies.text === null ? null : piecesOf(bodies.text), links };
    outlines.set(key, { outline }, { size: 1_000 + (outline === null ? 0 : marked.length * 2) });
    return outline;
  };

  return (html, wanted, { filling, key }) => {
    if (key !== null) {
      const hashed = `${wanted.inlineCss} ${wanted.isTextDerived} ${key}`;
      const known = whole.get(hashed);
      if (known !== undefined) return known;
      const made = make(html, wanted);
      if (made.kind === 'bodies')
        whole.set(hashed, made, { size: 100 + made.html.length + (made.text?.length ?? 0) });
      return made;
    }
    const outline = filling === null || !isOrdinary(html, filling) ? null : outlineOf(filling, wanted);
    return (outline === null || filling === null ? null : filled(outline, filling)) ?? make(html, wanted);
  };
}

const WORD = `[^\\s${INVISIBLE}]+`;
const WORDS = new RegExp(`^${WORD}(?: ${WORD})*$`);

/** Whether all values are words with single spaces in between, which the conversions don't change. */
function isOrdinary(html: string, { values }: Filling): boolean {
  if (html.length > MAX_HTML_CHARS || values.length === 0 || values.length > MAX_MARKS) return false;
  return values.every(({ raw }) => WORDS.test(raw));
}

/**
 * Finds the link targets that contain values. Returns `null` if a value can affect more than its own position: in styles,
 * in tag names or classes, in unquoted attributes, or with CSS rules that match text or attributes.
 */
function linksIn(marked: string, count: number, { inlineCss }: Wanted): Pieces[] | null {
  if (marked.split(MARK_START).length - 1 !== count) return null;
  // A literal `<` or `&` could begin a tag or reference after the mark behind it is removed.
  if (/<(?![a-z/!?])|&[#\w]{0,40}</i.test(marked)) return null;
  if (!areRulesBlind(marked, inlineCss)) return null;
  /** Link targets by position. */
  const links = new Map<number, Pieces>();
  let at = -1;
  for (let index = 0; index < count; index++) {
    at = marked.indexOf(MARK_START, at + 1);
    const before = marked.slice(Math.max(0, at - MAX_TAG), at);
    if (/&[#\w]{0,40}$/.test(before)) return null;
    const open = before.lastIndexOf('<');
    if (open <= before.lastIndexOf('>')) continue;
    const attribute = /^<[a-z][^<>]*\s(href|src|alt|title)\s*=\s*("[^"]*|'[^']*)$/i.exec(before.slice(open));
    if (attribute === null) return null;
    const [, name, begun = ''] = attribute;
    if (name?.toLowerCase() !== 'href') continue;
    const start = at - begun.length + 1;
    const target = marked.slice(start, marked.indexOf(begun.charAt(0), at));
    // A target with character references differs from the shown one, so only the value is compared.
    if (target.includes('&')) links.set(at, ['', index]);
    else links.set(start, piecesOf(target.replace(/^mailto:/, '')));
  }
  return links.size > MAX_LINK_MARKS ? null : [...links.values()];
}

/** Whether style elements contain no values and, if CSS is inlined, no selectors that match attributes or content. */
function areRulesBlind(marked: string, inlineCss: boolean): boolean {
  return marked
    .split(/<style/i)
    .slice(1)
    .map((part) => part.slice(0, Math.max(0, part.search(/<\/style/i))))
    .every(
      (css) =>
        !MARK.test(css) && !(inlineCss && /\[|:(?:empty|i?contains|has|not|is|where|matches)\b/i.test(css)),
    );
}

function piecesOf(text: string): Pieces {
  return text.split(MARK).map((piece, at) => (at % 2 === 0 ? piece : Number(piece)));
}

function filled({ html, text, links }: Outline, { values }: Filling): Bodies | null {
  const put = (pieces: Pieces, form: 'raw' | 'shown'): string =>
    pieces.map((piece) => (typeof piece === 'string' ? piece : (values[piece]?.[form] ?? ''))).join('');
  const bodies: Bodies = { kind: 'bodies', html: put(html, 'shown'), text: text && put(text, 'raw') };
  if (bodies.text === null) return bodies;
  const targets = links.map((link) => put(link, 'raw'));
  for (const [at, target] of targets.entries()) {
    // Anchors and mail links are not shown in text, nor is a target that equals its label.
    if (links[at]?.[0] === '' && /^(?:#|mailto:)/i.test(target)) return null;
    const same = targets.filter((other) => other === target).length;
    if (bodies.text.split(target).length - 1 > same) return null;
  }
  return bodies;
}
