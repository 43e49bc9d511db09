// Separates the author's text of a reply from quotes and signature.
import { isForwardSubject } from '../../lib/mime/index.js';
import { readHtmlBody } from './quoted-html.rules.js';
import { createHeaderFinder, type BodyLine } from './quote-headers.rules.js';
import { partLines, type LinePart } from './reply-parts.rules.js';
import type { ReplyRules } from './reply-rules.rules.js';
import { isSignatureDelimiter } from './signature.rules.js';

export interface ReplyBody {
  text: string | null;
  html: string | null;
  /** Distinguishes forwarded messages from replies. */
  subject?: string;
}

export interface SplitReply {
  /** Text of the author; only empty if the mail has no text. */
  visibleText: string;
  /** Quote with its header and quote marks; `null` without one. */
  quotedText: string | null;
  /** Signature without the delimiter line "-- "; `null` without one. */
  signature: string | null;
  /**
   * Well-formed HTML without the quote, made from the first 256 KiB. It is NOT sanitized. It still contains the quote if only
   * the text part reveals it. `null` without HTML.
   */
  visibleHtml: string | null;
}

interface PartedBody {
  lines: readonly BodyLine[];
  parts: readonly LinePart[];
}

const MAX_SIGNATURE_LINES = 40;

/**
 * Splits a reply. The text part determines the texts, unless only the HTML reveals the quote. Every line with text, except the
 * signature's delimiter, is part of exactly one text. Takes linear time.
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
    // Some mail stores write ">From " for "From " at the beginning of a line.
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

/** Marks the signature in the text that only an HTML element reveals, if the text ends with the same words. */
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

/** Reduces a text to letters and digits, because programs convert the other characters of a signature in different ways. */
function squeezed(text: string): string {
  return text
    .slice(0, 8000)
    .replace(/<[^<>]{0,500}>|\[[^[\]]{0,500}\]/g, '')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}
