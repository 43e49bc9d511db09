// An answer by mail: what the person wrote, apart from what their program quoted and from their signature.
import { isForwardSubject } from '../../lib/mime/index.js';
import { readHtmlBody } from './quoted-html.rules.js';
import { createHeaderFinder, type BodyLine } from './quote-headers.rules.js';
import { partLines, type LinePart } from './reply-parts.rules.js';
import type { ReplyRules } from './reply-rules.rules.js';
import { isSignatureDelimiter } from './signature.rules.js';

export interface ReplyBody {
  text: string | null;
  html: string | null;
  /** With it, a forwarded message is distinguished from an answered one. */
  subject?: string;
}

export interface SplitReply {
  /** Empty only when the mail has no text at all. */
  visibleText: string;
  /** With its header and its marks; null when nothing is quoted. */
  quotedText: string | null;
  /** Without the line "-- " above it. */
  signature: string | null;
  /**
   * The html before the quote, every element closed; of the first 256 KiB. NOT sanitized: it is as hostile as it came.
   * Null without html. It still has the quote when only the text part shows the quote.
   */
  visibleHtml: string | null;
}

interface PartedBody {
  lines: readonly BodyLine[];
  parts: readonly LinePart[];
}

const MAX_SIGNATURE_LINES = 40;

/**
 * Parts an answer. The text part decides about texts, except where only the html tells the quote. Every line with text is
 * in one of the three texts, but for the delimiter of the signature. The time is linear in the sizes.
 */
export function splitReply(body: ReplyBody, rules: ReplyRules): SplitReply {
  const isForward = isForwardSubject(body.subject ?? '');
  const part = (lines: readonly BodyLine[]): PartedBody => ({
    lines,
    parts: partLines(lines, createHeaderFinder(lines, rules, isForward), rules),
  });
  const text = body.text === null || body.text.trim() === '' ? null : part(linesOfText(body.text));
  const html = body.html === null || body.html.trim() === '' ? null : readHtmlBody(body.html, rules);
  const parted = html ? part(html.lines) : null;
  const isToldByHtml = parted !== null && (text === null || (!hasQuote(text) && hasQuote(parted)));
  const chosen = isToldByHtml ? parted : text;
  const withSignature = chosen === text && text && parted ? withSignatureOf(parted, text) : chosen;
  return {
    visibleText: withSignature ? textOf(withSignature, 'visible') : '',
    quotedText: withSignature ? textOrNull(withSignature, 'quoted') : null,
    signature: withSignature ? textOrNull(withSignature, 'signature') : null,
    visibleHtml: html && parted ? html.visibleHtml(parted.parts) : null,
  };
}

function linesOfText(text: string): BodyLine[] {
  return text.split(/\r\n|\r|\n/).map((line) => ({
    text: line,
    // ">From " is how some mail stores write "From " at the beginning of a line.
    isQuoted: /^ {0,2}>(?!From )/.test(line),
    isIndented: false,
    mark: null,
  }));
}

function hasQuote({ parts }: PartedBody): boolean {
  return parts.includes('quoted');
}

function textOf({ lines, parts }: PartedBody, part: LinePart): string {
  const own = lines.filter((_, i) => parts[i] === part).map((line) => line.text);
  if (part === 'signature' && isSignatureDelimiter(own[0] ?? '')) own.shift();
  return trimBlankLines(own).join('\n').trimEnd();
}

function textOrNull(body: PartedBody, part: LinePart): string | null {
  const text = textOf(body, part);
  return text === '' ? null : text;
}

function trimBlankLines(lines: readonly string[]): string[] {
  const first = lines.findIndex((line) => line.trim() !== '');
  return first < 0 ? [] : lines.slice(first);
}

/** The text with the signature that only an element of the html tells, where it ends in the same words. */
function withSignatureOf(html: PartedBody, text: PartedBody): PartedBody {
  if (text.parts.includes('signature')) return text;
  const wanted = squeezed(textOf(html, 'signature'));
  if (wanted === '') return text;
  const visible = text.parts.flatMap((part, i) => (part === 'visible' ? [i] : []));
  let words = '';
  let seen = 0;
  for (let i = visible.length - 1; i > 0 && words.length < wanted.length; i--) {
    const line = squeezed(text.lines[visible[i] ?? 0]?.text ?? '');
    words = line + words;
    if (line !== '' && ++seen > MAX_SIGNATURE_LINES) break;
    if (words !== wanted) continue;
    const own = new Set(visible.slice(i));
    const parts = text.parts.map((part, at) => (own.has(at) ? 'signature' : part));
    return textOf({ lines: text.lines, parts }, 'visible') === '' ? text : { lines: text.lines, parts };
  }
  return text;
}

/** Letters and digits: programs differ in how they write the rest of the same signature as text. */
function squeezed(text: string): string {
  return text
    .slice(0, 8000)
    .replace(/<[^<>]{0,500}>|\[[^[\]]{0,500}\]/g, '')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}
