// Splits the lines of a reply into the author's text, quotes and signature.
//
// Quotes around a reply that is entirely above or below them are removed. A reply between quoted lines keeps them, except for
// the quote after its last line. Forwarded messages are kept.
import { isBlank, nextWithText, type BodyLine, type HeaderFinder } from './quote-headers.rules.js';
import type { ReplyRules } from './reply-rules.rules.js';
import { signatureStart } from './signature.rules.js';

export type LinePart = 'visible' | 'quoted' | 'signature';

interface Segment {
  /** `rest`: an unmarked quote up to the end. `forward`: a forwarded message up to the end. */
  kind: 'own' | 'quote' | 'rest' | 'forward';
  from: number;
  to: number;
}

/** Assigns a part to every line. If all lines would be quoted, all of them are visible. */
export function partLines(lines: readonly BodyLine[], headerAt: HeaderFinder, rules: ReplyRules): LinePart[] {
  const parts = lines.map((): LinePart => 'visible');
  const segments = segmentsOf(lines, headerAt);
  const mark = ({ from, to }: Omit<Segment, 'kind'>, part: LinePart): void => {
    parts.fill(part, from, to);
  };
  let endsQuoted = false;
  for (let last = segments.at(-1); last; last = segments.at(-1)) {
    if (last.kind === 'forward') break;
    if (last.kind === 'own') {
      const start = signatureStart(lines, last, rules);
      mark({ from: start, to: last.to }, 'signature');
      if (nextWithText(lines, last.from) < start) break;
    } else {
      mark(last, 'quoted');
      endsQuoted = true;
    }
    segments.pop();
  }
  const [first, second, third] = segments;
  if (first?.kind === 'quote' && second?.kind === 'own' && !third && !endsQuoted) mark(first, 'quoted');
  return withSomethingVisible(lines, parts);
}

function withSomethingVisible(lines: readonly BodyLine[], parts: readonly LinePart[]): LinePart[] {
  const has = (part: LinePart): boolean => parts.some((one, i) => one === part && !isBlank(lines[i]));
  if (has('visible')) return [...parts];
  // A message with only a line such as "Sent from my phone" above the quote shows that line.
  const isOnlySignature = has('signature');
  return parts.map((part) => (part === 'quoted' && isOnlySignature ? part : 'visible'));
}

function segmentsOf(lines: readonly BodyLine[], headerAt: HeaderFinder): Segment[] {
  const segments: Segment[] = [];
  let from = 0;
  const add = (kind: Segment['kind'], start: number, to: number): void => {
    if (nextWithText(lines, from) < start) segments.push({ kind: 'own', from, to: start });
    const last = segments.at(-1);
    if (kind === 'quote' && last?.kind === 'quote') last.to = to;
    else if (to > start) segments.push({ kind, from: start, to });
    from = to;
  };
  let at = 0;
  while (at < lines.length) {
    at = nextWithText(lines, at);
    if (at === lines.length) break;
    const found = announced(lines, at, headerAt);
    if (found) add(found.kind, at, found.end);
    at = found?.end ?? at + 1;
  }
  add('own', lines.length, lines.length);
  return segments;
}

/** Finds a quote or forwarded message that begins at this line. Returns `null` if there is none or it is uncertain. */
function announced(
  lines: readonly BodyLine[],
  at: number,
  headerAt: HeaderFinder,
): { end: number; kind: Segment['kind'] } | null {
  const header = headerAt(at);
  if (header?.kind === 'forward') return { end: lines.length, kind: 'forward' };
  if (lines[at]?.isQuoted) return { end: quoteEnd(lines, at), kind: 'quote' };
  if (!header) return null;
  const next = nextWithText(lines, header.end);
  const line = lines[next];
  // The mail program omitted the announced quote.
  if (!line) return { end: lines.length, kind: 'quote' };
  if (line.isQuoted || line.isIndented) return { end: quoteEnd(lines, next), kind: 'quote' };
  return header.isFirm ? { end: lines.length, kind: 'rest' } : null;
}

function quoteEnd(lines: readonly BodyLine[], from: number): number {
  let end = from;
  for (let at = from; at < lines.length; at++) {
    const line = lines[at];
    if (line?.isQuoted || line?.isIndented) end = at + 1;
    else if (!isBlank(line)) break;
  }
  return end;
}
