// Makes the tokens of html well formed: every element that opens closes, in its order, and nothing closes that was not open.
import type { HtmlToken } from '../../lib/html/html-scan.js';

/** How far up the open elements the one that a tag closes is looked for. */
const MAX_REACH = 64;

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const TABLE = words('table thead tbody tfoot tr td th caption colgroup');
const CELL = words('td th table');
const INLINE = words(
  'a abbr b big cite code del dfn em font i ins kbd label mark q s samp small span strike strong sub sup tt u var',
);
/** They close where the next of their kind opens. */
const CLOSED_BY_NEXT = words('p li dt dd tr td th option');
/** Mails that were glued together have several. */
const DOCUMENT = words('html body');

/** Tokens of text, comments and elements without content stay as they are; wrong closing tags and broken markup are left out. */
export function balanceHtml(tokens: readonly HtmlToken[]): HtmlToken[] {
  const balanced: HtmlToken[] = [];
  const open: string[] = [];
  const seen = new Set<string>();
  const closeDownTo = (depth: number, at: number): void => {
    while (open.length > depth) {
      balanced.push({ kind: 'close', name: open.pop() ?? '', start: at, end: at });
    }
  };
  for (const token of tokens) {
    const { kind, name } = token;
    if (kind === 'broken') continue;
    if (DOCUMENT.has(name)) {
      if (kind !== 'open' || seen.has(name)) continue;
      seen.add(name);
    }
    if (kind === 'open') {
      if (CLOSED_BY_NEXT.has(name) && open.at(-1) === name) closeDownTo(open.length - 1, token.start);
      open.push(name);
      balanced.push(token);
    } else if (kind === 'close') {
      const depth = depthOf(open, name);
      if (depth === null) continue;
      closeDownTo(depth + 1, token.start);
      open.pop();
      balanced.push(token);
    } else {
      balanced.push(token);
    }
  }
  closeDownTo(0, tokens.at(-1)?.end ?? 0);
  return balanced;
}

/** Where the element that a closing tag is for stands; null when the tag is to be left out. */
function depthOf(open: readonly string[], name: string): number | null {
  for (let depth = open.length - 1; depth >= Math.max(0, open.length - MAX_REACH); depth--) {
    const candidate = open[depth] ?? '';
    if (candidate === name) return depth;
    if (INLINE.has(name) && !INLINE.has(candidate)) return null;
    if (!TABLE.has(name) && CELL.has(candidate)) return null;
  }
  return null;
}
