// Finds the start of the signature below the author's text: "-- " (RFC 3676 section 4.3), lines of mobile mail programs, and
// the footers of virus scanners and mailing lists.
import { comparableLine } from '../../lib/patterns/index.js';
import { type BodyLine, isBlank } from './quote-headers.rules.js';
import type { ReplyRules } from './reply-rules.rules.js';

const MAX_LINES = 40;
/** Limit of lines below "--" without a space, which may also separate paragraphs. */
const MAX_LINES_BELOW_BARE = 12;
const MAX_BARE_LINE = 100;
/** Limit of lines in a signature that a mail program adds. */
const MAX_ADDED_LINES = 4;
const MAX_ADDED_PARAGRAPHS = 4;
const MAX_ADDED_LINE = 160;

/** Finds the first line of the signature in `lines[from..to)`, or `to` without one. "Best regards, Ann" is not a signature. */
export function signatureStart(
  lines: readonly BodyLine[],
  range: { from: number; to: number },
  rules: ReplyRules,
): number {
  let end = range.to;
  while (end > range.from && isBlank(lines[end - 1])) end -= 1;
  let start = delimiterAt(lines, range.from, end) ?? addedLineAt(lines, range.from, end, rules) ?? range.to;
  // An HTML element that marks a signature takes precedence over the text.
  let marked = Math.min(start, end);
  while (marked > range.from && (isBlank(lines[marked - 1]) || lines[marked - 1]?.mark === 'signature')) {
    marked -= 1;
    if (lines[marked]?.mark === 'signature') start = marked;
  }
  return start;
}

export function isSignatureDelimiter(text: string): boolean {
  return /^--[ \u00a0]?$/.test(text);
}

function delimiterAt(lines: readonly BodyLine[], from: number, end: number): number | null {
  for (let at = Math.max(from, end - MAX_LINES); at < end; at++) {
    const text = lines[at]?.text ?? '';
    if (!isSignatureDelimiter(text)) continue;
    if (text !== '--') return at;
    const below = lines.slice(at + 1, end);
    const isShort = below.length <= MAX_LINES_BELOW_BARE;
    if (isShort && below.every((line) => line.text.length <= MAX_BARE_LINE)) return at;
  }
  return null;
}

/** Finds the first line that a mail program added to the end. Several added paragraphs may follow each other. */
function addedLineAt(
  lines: readonly BodyLine[],
  from: number,
  end: number,
  rules: ReplyRules,
): number | null {
  let found: number | null = null;
  let below = end;
  for (let paragraphs = 0; paragraphs < MAX_ADDED_PARAGRAPHS; paragraphs++) {
    while (below > from && isBlank(lines[below - 1])) below -= 1;
    let at = below;
    let added: number | null = null;
    while (at > from && !isBlank(lines[at - 1]) && below - at <= MAX_ADDED_LINES) {
      at -= 1;
      if (isAdded(lines[at]?.text ?? '', rules) || isListFooter(lines, at, end)) added = at;
    }
    if (added === null || below - added > MAX_ADDED_LINES) break;
    found = added;
    if (added > from && !isBlank(lines[added - 1])) break;
    below = added;
  }
  return found;
}

function isAdded(text: string, rules: ReplyRules): boolean {
  if (text.length > MAX_ADDED_LINE) return false;
  const line = comparableLine(text).replace(/^[-–—_ ]{1,9}/, '');
  return [...rules.signatures, ...rules.footers].some((pattern) => pattern.fits(line));
}

/** Whether a row of underscores begins the footer of a mailing list. */
function isListFooter(lines: readonly BodyLine[], at: number, end: number): boolean {
  return (
    /^_{30,80}\s{0,9}$/.test(lines[at]?.text ?? '') &&
    lines.slice(at + 1, end).some((line) => /@|https?:|mailing list/i.test(line.text.slice(0, 300)))
  );
}
