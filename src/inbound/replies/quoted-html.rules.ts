// Removes quotes from the HTML of a reply. The rest of the source is unchanged.
import { linesOfHtml, type HtmlLine } from './html-lines.rules.js';
import { type HtmlToken, MAX_HTML_CHARS, scanHtml } from '../../lib/html/index.js';
import type { LinePart } from './reply-parts.rules.js';
import type { ReplyRules } from './reply-rules.rules.js';

/** Number of open elements that are searched for the one that an end tag closes. */
const MAX_REACH = 64;

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const TABLE = words('table thead tbody tfoot tr td th caption colgroup');
const CELL = words('td th table');
const INLINE = words(
  'a abbr b big cite code del dfn em font i ins kbd label mark q s samp small span strike strong sub sup tt u var',
);
/** Elements that end when the next one of the same name begins. */
const CLOSED_BY_NEXT = words('p li dt dd tr td th option');
/** Elements that occur several times in concatenated mails. */
const DOCUMENT = words('html body');

/** Makes tokens well formed: adds missing end tags, and drops unmatched end tags and broken markup. */
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

/** Finds the open element that an end tag closes; `null` if the tag must be dropped. */
function depthOf(open: readonly string[], name: string): number | null {
  for (let depth = open.length - 1; depth >= Math.max(0, open.length - MAX_REACH); depth--) {
    const candidate = open[depth] ?? '';
    if (candidate === name) return depth;
    if (INLINE.has(name) && !INLINE.has(candidate)) return null;
    if (!TABLE.has(name) && CELL.has(candidate)) return null;
  }
  return null;
}

interface HtmlBody {
  lines: HtmlLine[];
  /** Returns well-formed HTML of the visible lines. It is NOT sanitized and may contain scripts. */
  visibleHtml(parts: readonly LinePart[]): string;
}

interface Stretch {
  from: number;
  to: number;
}

/** Parses the first 256 KiB of the HTML. */
export function readHtmlBody(html: string, rules: ReplyRules): HtmlBody {
  const source = html.slice(0, MAX_HTML_CHARS);
  const tokens = balanceHtml(scanHtml(source));
  const lines = linesOfHtml(source, tokens, rules);
  return {
    lines,
    visibleHtml: (parts) => writeWithout(source, tokens, hiddenStretches(source, tokens, lines, parts)),
  };
}

/** Finds the hidden stretches, from the end of visible text to the start of the next one. */
function hiddenStretches(
  source: string,
  tokens: readonly HtmlToken[],
  lines: readonly HtmlLine[],
  parts: readonly LinePart[],
): Stretch[] {
  const stretches: Stretch[] = [];
  const body = tokens.find(({ kind, name }) => kind === 'open' && name === 'body');
  const head = tokens.find(({ kind, name }) => kind === 'close' && name === 'head');
  let visibleEnd = body?.end ?? head?.end ?? 0;
  let isHiding = false;
  for (const [i, line] of lines.entries()) {
    if (line.text === '') continue;
    if (parts[i] !== 'visible') {
      if (!isHiding) stretches.push({ from: visibleEnd, to: source.length });
      isHiding = true;
      continue;
    }
    const last = stretches.at(-1);
    if (isHiding && last) last.to = Math.max(last.from, line.start);
    isHiding = false;
    visibleEnd = Math.max(visibleEnd, line.end);
  }
  return stretches;
}

/** Writes the source without the hidden stretches. Elements around later visible text are kept. */
function writeWithout(source: string, tokens: readonly HtmlToken[], hidden: readonly Stretch[]): string {
  const out: string[] = [];
  const open: { token: HtmlToken; isWritten: boolean }[] = [];
  /** Number of open elements that are written, from the outermost. */
  let written = 0;
  let next = 0;
  for (const token of tokens) {
    let stretch = hidden[next];
    while (stretch && stretch.to <= token.start) stretch = hidden[++next];
    const text = token.kind === 'text' ? visibleTextOf(source, token, hidden, next) : '';
    const isHidden = text === '' && stretch !== undefined && stretch.from <= token.start;
    if (!isHidden && token.kind !== 'close') {
      for (; written < open.length; written++) {
        const outer = open[written];
        if (!outer) break;
        outer.isWritten = true;
        out.push(source.slice(outer.token.start, outer.token.end));
      }
    }
    if (token.kind === 'open') {
      open.push({ token, isWritten: !isHidden });
      if (isHidden) continue;
      written = open.length;
      out.push(source.slice(token.start, token.end));
    } else if (token.kind === 'close') {
      const isWritten = open.pop()?.isWritten ?? false;
      written = Math.min(written, open.length);
      if (isWritten)
        out.push(token.start === token.end ? `</${token.name}>` : source.slice(token.start, token.end));
    } else if (token.kind === 'text') {
      out.push(text);
    } else if (!isHidden) {
      out.push(source.slice(token.start, token.end));
    }
  }
  return out.join('').trim();
}

/** Returns the visible part of a text, which may have many lines. Escapes `<`, because the text after it may have been removed. */
function visibleTextOf(source: string, token: HtmlToken, hidden: readonly Stretch[], next: number): string {
  let text = '';
  let at = token.start;
  for (let i = next; i < hidden.length && at < token.end; i++) {
    const { from, to } = hidden[i] ?? { from: token.end, to: token.end };
    text += source.slice(at, Math.max(at, Math.min(from, token.end)));
    at = Math.max(at, to);
  }
  if (at < token.end) text += source.slice(at, token.end);
  return text.replaceAll('<', '&lt;');
}
