// Finds the start of a quoted or forwarded message by lines such as "On … wrote:", header blocks, rows of dashes and phrases
// such as "Reply above this line".
import { comparableLine, type Wildcard } from '../../lib/patterns/index.js';
import type { LabelRole, ReplyRules } from './reply-rules.rules.js';

/**
 * Mark of a line, from the HTML element that contains it (`attribution`, `signature`) or precedes it (`cut`, `forward`,
 * `separator`).
 */
export type LineMark = 'attribution' | 'signature' | 'cut' | 'forward' | 'separator';

/** A line of a plain text or HTML body. */
export interface BodyLine {
  text: string;
  /** Whether the line begins with ">" or is in an element that quotes. */
  isQuoted: boolean;
  /** Whether the line is in a blockquote, which may be a quote or only layout. */
  isIndented: boolean;
  mark: LineMark | null;
}

interface QuoteHeader {
  kind: 'reply' | 'forward';
  /** Index of the line after the header. */
  end: number;
  /** Whether the header is certain even if the text below is not marked as quoted. */
  isFirm: boolean;
}

/** Limit of lines that are examined, because a malicious mail may have many. Text after them counts as the author's. */
const MAX_LOOKS = 1500;
const MAX_ATTRIBUTION_LINES = 4;
const MAX_ATTRIBUTION = 400;
const MAX_BLOCK_LINES = 14;
const MAX_LABEL = 30;
const MAX_NOTICE = 160;
const MIN_DASHES = 2;
const MIN_RULE = 5;
const MIN_LABELS = 3;

export function isBlank(line: BodyLine | undefined): boolean {
  return line?.text.trim() === '';
}

/** Finds the first line with text, beginning at `from`, or the number of lines without one. */
export function nextWithText(lines: readonly BodyLine[], from: number): number {
  let at = from;
  while (at < lines.length && isBlank(lines[at])) at += 1;
  return at;
}

/** Finds the header that begins at a line with text; `null` without one. */
export type HeaderFinder = (at: number) => QuoteHeader | null;

/** Creates a finder. `isForward`: the subject shows that the mail is forwarded, which is the only sign in some programs. */
export function createHeaderFinder(
  lines: readonly BodyLine[],
  rules: ReplyRules,
  isForward: boolean,
): HeaderFinder {
  const passedOn: QuoteHeader['kind'] = isForward ? 'forward' : 'reply';
  let looks = 0;

  return (at) => {
    const line = lines[at];
    if (!line) return null;
    if (line.mark === 'forward') return { kind: 'forward', end: at, isFirm: true };
    if (line.mark === 'cut' && !line.isQuoted)
      return { kind: passedOn, end: blockEnd(lines, at, rules) ?? at, isFirm: true };
    if (line.isQuoted) {
      return ++looks <= MAX_LOOKS ? forwardInQuote(lines, at, rules, passedOn) : null;
    }
    if (!isWorthALook(line.text) && line.mark === null && !mayBegin(lines, at)) return null;
    looks += 1;
    if (looks > MAX_LOOKS) return null;
    return (
      markedAttribution(lines, at, rules) ??
      notice(line, at, rules) ??
      separator(lines, at, rules, passedOn) ??
      ruledBlock(lines, at, rules, passedOn) ??
      writtenAttribution(lines, at, rules)
    );
  };
}

function isWorthALook(text: string): boolean {
  const head = text.slice(0, 60).trimStart();
  return /^[-_=#~*]{2}/.test(head) || /[:：]/.test(head.slice(0, 40));
}

/** Whether an attribution of several lines may begin at this line, because one of the next lines can end one. */
function mayBegin(lines: readonly BodyLine[], at: number): boolean {
  for (let i = at; i < at + MAX_ATTRIBUTION_LINES; i++) {
    const text = lines[i]?.text ?? '';
    if (text.trim() === '') return false;
    if (/[:：]\s{0,9}$/.test(text.slice(-10)) || isAboveQuote(lines, i)) return true;
  }
  return false;
}

/** Whether quoted text follows the line, directly or after a blank line. */
function isAboveQuote(lines: readonly BodyLine[], at: number): boolean {
  const next = lines[isBlank(lines[at + 1]) ? at + 2 : at + 1];
  return next?.isQuoted === true;
}

/** Finds a forwarded message that is marked as a quote, as in some mail programs. */
function forwardInQuote(
  lines: readonly BodyLine[],
  at: number,
  rules: ReplyRules,
  passedOn: QuoteHeader['kind'],
): QuoteHeader | null {
  const text = lines[at]?.text.slice(0, MAX_NOTICE).replace(/^[\s>]{1,9}/, '') ?? '';
  const isForward =
    dashedPhrase(text, rules.forwarded) || (passedOn === 'forward' && blockEnd(lines, at, rules) !== null);
  return isForward ? { kind: 'forward', end: at, isFirm: true } : null;
}

function markedAttribution(lines: readonly BodyLine[], at: number, rules: ReplyRules): QuoteHeader | null {
  if (lines[at]?.mark !== 'attribution') return null;
  let end = at;
  while (
    lines[end]?.mark === 'attribution' ||
    (isBlank(lines[end]) && lines[end + 1]?.mark === 'attribution')
  ) {
    end += 1;
  }
  const kind = dashedPhrase(lines[at].text, rules.forwarded) ? 'forward' : 'reply';
  return { kind, end, isFirm: true };
}

function notice(line: BodyLine, at: number, rules: ReplyRules): QuoteHeader | null {
  if (line.text.length > MAX_NOTICE || !/^\s{0,9}[-_=#~*]/.test(line.text)) return null;
  const text = comparableLine(line.text);
  const isOne = rules.replyAbove.some((words) => text.includes(words));
  return isOne ? { kind: 'reply', end: at + 1, isFirm: true } : null;
}

/** Finds separators such as `-----Original Message-----`, `---------- Forwarded message ---------` and `Begin forwarded message:`. */
function separator(
  lines: readonly BodyLine[],
  at: number,
  rules: ReplyRules,
  passedOn: QuoteHeader['kind'],
): QuoteHeader | null {
  const text = lines[at]?.text ?? '';
  if (dashedPhrase(text, rules.forwarded)) return { kind: 'forward', end: at + 1, isFirm: true };
  if (!dashedPhrase(text, rules.original)) return null;
  const next = nextWithText(lines, at + 1);
  const attribution = writtenAttribution(lines, next, rules);
  return {
    kind: passedOn,
    end: attribution?.end ?? blockEnd(lines, next, rules) ?? at + 1,
    isFirm: true,
  };
}

function dashedPhrase(text: string, phrases: readonly Wildcard[]): boolean {
  if (text.length > MAX_NOTICE) return false;
  const line = comparableLine(text);
  const [, dashes = '', words = ''] = /^([-_=~ ]{0,80})(.{1,160}?)[-_=~ ]{0,80}$/.exec(line) ?? [];
  const isDashed = dashes.length >= MIN_DASHES;
  if (!isDashed && !line.endsWith(':')) return false;
  const bare = words.replace(/:$/, '');
  return phrases.some((phrase) => phrase.fits(bare) || (isDashed && phrase.fits(words)));
}

/** Finds a header block, which may follow a row of dashes or an element with a line. */
function ruledBlock(
  lines: readonly BodyLine[],
  at: number,
  rules: ReplyRules,
  passedOn: QuoteHeader['kind'],
): QuoteHeader | null {
  const line = lines[at];
  if (!line) return null;
  const isRule = line.text.length <= MAX_NOTICE && /^[\s-]*[-_=]{5,}\s*$/.test(line.text);
  const first = isRule && line.text.trim().length >= MIN_RULE ? nextWithText(lines, at + 1) : at;
  if (first > at + 2) return null;
  const end =
    blockEnd(lines, first, rules) ??
    (line.mark === 'separator' || lines[first]?.mark === 'separator' ? foreignBlockEnd(lines, first) : null);
  return end === null ? null : { kind: passedOn, end, isFirm: true };
}

function labelOf(line: BodyLine | undefined): string | null {
  const text = comparableLine(line?.text.slice(0, 100) ?? '');
  const colon = text.indexOf(':');
  return colon < 1 || colon > MAX_LABEL ? null : text.slice(0, colon);
}

/**
 * Finds the end of a header block such as "From: … Sent: … Subject: …" in a supported language. Returns `null` if there are
 * too few fields. The sender is required, and either the subject or an address.
 */
function blockEnd(lines: readonly BodyLine[], at: number, rules: ReplyRules): number | null {
  const roles = new Set<LabelRole>();
  let hasAddress = false;
  let end = at;
  let strays = 0;
  for (let i = at; i < Math.min(at + MAX_BLOCK_LINES, lines.length); i++) {
    const line = lines[i];
    if (!line || line.isQuoted !== lines[at]?.isQuoted) break;
    if (isBlank(line)) {
      if (i === at || isBlank(lines[i - 1])) break;
      continue;
    }
    const role = rules.labels.get(labelOf(line) ?? '');
    // Long lists of recipients continue on further lines, but the first line must have a label.
    if (role === undefined && (i === at || ++strays > 3)) break;
    if (role === undefined) continue;
    roles.add(role);
    hasAddress ||= (role === 'from' || role === 'to') && line.text.includes('@');
    end = i + 1;
  }
  const isBlock = roles.size >= MIN_LABELS && roles.has('from') && (roles.has('subject') || hasAddress);
  return isBlock ? end : null;
}

/** Finds the end of a header block in any language. Three labels are required, and a time of day in one of the lines. */
function foreignBlockEnd(lines: readonly BodyLine[], at: number): number | null {
  let end = at;
  let hasTime = false;
  while (end < at + MAX_BLOCK_LINES && labelOf(lines[end]) !== null) {
    hasTime ||= hasTimeOfDay(lines[end]?.text.slice(0, 200) ?? '');
    end += 1;
  }
  return end - at >= MIN_LABELS && hasTime ? end : null;
}

function hasTimeOfDay(text: string): boolean {
  return /\d[:.h時点时]\s?\d{2}/.test(text);
}

function hasDate(text: string): boolean {
  return /\d{4}|\d[./-]\d{1,2}[./-]\d|\d{1,2}\.? [^\d\s]{3}|[a-z]{3} \d{1,2}\b/i.test(text);
}

interface Candidate {
  /** Text that ends in a colon. A missing one is added, because some programs omit it. */
  text: string;
  /** The text without its first line, without its first two lines, and so on. */
  tails: readonly string[];
  /** Whether the text has its colon or is above quoted text. */
  isPlain: boolean;
  /** Whether the first of several lines has no date, time or address, so that it is the author's. */
  beginsVaguely: boolean;
  end: number;
}

function attributionCandidates(lines: readonly BodyLine[], at: number): Candidate[] {
  const candidates: Candidate[] = [];
  const first = lines[at]?.text.slice(0, MAX_ATTRIBUTION) ?? '';
  const isVague = !hasDate(first) && !hasTimeOfDay(first) && !first.includes('@');
  const texts: string[] = [];
  for (let i = at; i < Math.min(at + MAX_ATTRIBUTION_LINES, lines.length); i++) {
    const line = lines[i];
    if (!line || isBlank(line) || line.isQuoted) break;
    texts.push(line.text.slice(0, MAX_ATTRIBUTION));
    const written = comparableLine(texts.join(' '));
    const isWhole = written.endsWith(':');
    const isPlain = isWhole || isAboveQuote(lines, i);
    if (!isWhole && !isSureWithoutColon(written, isPlain)) continue;
    const ended = (words: string): string => (isWhole ? words : `${words}:`);
    const text = ended(written);
    const tails = texts.slice(1).map((_, from) => ended(comparableLine(texts.slice(from + 1).join(' '))));
    candidates.push({ text, tails, isPlain, beginsVaguely: isVague && texts.length > 1, end: i + 1 });
  }
  return candidates;
}

/** Whether a line without a colon is an attribution, because it has a date and time, or an address, above a quote. */
function isSureWithoutColon(line: string, isFollowedByQuote: boolean): boolean {
  const isDated = hasTimeOfDay(line) && hasDate(line);
  const hasAddress = /<[^<>\s]{1,80}@[^<>\s]{1,200}>/.test(line);
  return isFollowedByQuote ? isDated || hasAddress : isDated && hasAddress;
}

/**
 * Finds an attribution such as "On … wrote:" of one to four lines, in a supported language, or in any other with address, date
 * and time.
 */
function writtenAttribution(lines: readonly BodyLine[], at: number, rules: ReplyRules): QuoteHeader | null {
  const candidates = attributionCandidates(lines, at);
  if (candidates.length === 0) return null;
  const isDated = (text: string): boolean => hasTimeOfDay(text) && hasDate(text);
  for (const pattern of rules.attributions) {
    const found = candidates.find(
      ({ text, tails, beginsVaguely }) =>
        pattern.fits(text) && !beginsVaguely && (pattern.isOpen || !tails.some((tail) => pattern.fits(tail))),
    );
    if (!found) continue;
    // People write such words too, so unmarked text only counts as quoted after a date and time.
    const isFirm = isDated(found.text) && (!pattern.isOpen || found.text.includes('@'));
    return { kind: 'reply', end: found.end, isFirm };
  }
  const foreign = candidates.find(
    ({ text, beginsVaguely, isPlain }) =>
      isPlain && !beginsVaguely && isDated(text) && /<[^<>\s]{1,80}@[^<>\s]{1,200}>/.test(text),
  );
  return foreign ? { kind: 'reply', end: foreign.end, isFirm: true } : null;
}
