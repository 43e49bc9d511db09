// Reads delivery reports written for people, by the formats of config/dsn-rules.json.
import { emptyRecipient, type ReportedRecipient } from './dsn-part.js';
import { beginsHeader } from './dsn-original.js';
import type { BounceFormat, DsnRules, FormatSign, RecipientPlace } from './dsn-formats.js';
import { addressesIn, addressIn, hostIn, MAX_LINE_CHARS, replyIn, type QuotedReply } from './dsn-words.js';
import { findField, type ParsedMail } from '../mime/index.js';

const MAX_TEXT = 64 * 1024;
const MAX_LINES = 1500;
/** Lines in which a report identifies itself, before the details. */
const SIGN_LINES = 120;
const MAX_RECIPIENTS = 20;
const MAX_REPLY_LINES = 60;
const MAX_WORDS = 2048;
const MAX_PARAGRAPHS = 40;

export interface TextReport {
  format: string;
  isGuess: boolean;
  /** `none` means that the format is known and is not a report. */
  action: 'failed' | 'delayed' | 'none';
  recipients: readonly ReportedRecipient[];
}

/** The lines of a report, split at the beginning of the message copy. */
interface ReportLines {
  /** At most 512 characters each. */
  report: readonly string[];
  original: readonly string[];
}

/**
 * Splits the text of a mail, or the readable part of its HTML, into lines. Reads at most 64 Ki characters and
 * 1500 lines.
 */
export function reportLines(mail: ParsedMail, rules: DsnRules): ReportLines {
  const text = mail.text ?? (mail.html === null ? '' : textOfHtml(mail.html));
  const lines = text
    .slice(0, MAX_TEXT)
    .split(/\r\n|\r|\n/, MAX_LINES)
    .map((line) =>
      line
        .slice(0, MAX_LINE_CHARS)
        .replace(/[\t\u00a0]/g, ' ')
        .replaceAll('’', "'"),
    );
  return partedAt(lines, rules.originals);
}

/** Strips HTML, roughly but in linear time, because reports of some providers have no text part. */
function textOfHtml(html: string): string {
  return html
    .slice(0, 4 * MAX_TEXT)
    .replace(/<(?:style|script|head)\b[^<>]*>[^<]*/gi, '')
    .replace(/\s+/g, ' ')
    .replace(/<(?:br|\/p|\/div|\/tr|\/td|\/h\d|\/li)\b[^<>]*>/gi, '\n')
    .replace(/<[^<>]*>/g, '')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&#64;', '@')
    .replaceAll('&amp;', '&');
}

function partedAt(lines: readonly string[], marks: readonly RegExp[]): ReportLines {
  const at = lines.findIndex(
    (line, i) => marks.some((mark) => mark.test(line.trim())) || beginsHeader(lines, i),
  );
  return at < 0 ? { report: lines, original: [] } : { report: lines.slice(0, at), original: lines.slice(at) };
}

/** Joins lines without a blank line between them; at most 40 paragraphs of 2048 characters. */
export function splitParagraphs(lines: readonly string[]): string[] {
  const paragraphs: string[][] = [[]];
  for (const line of lines.map((text) => text.trim())) {
    if (line !== '') paragraphs.at(-1)?.push(line);
    else if (paragraphs.at(-1)?.length !== 0) paragraphs.push([]);
  }
  return paragraphs
    .filter((paragraph) => paragraph.length > 0)
    .slice(0, MAX_PARAGRAPHS)
    .map((paragraph) => paragraph.join(' ').slice(0, MAX_WORDS));
}

/** Reads the report by the first matching format; `null` if none matches. */
export function readTextReport(mail: ParsedMail, lines: ReportLines, rules: DsnRules): TextReport | null {
  const head = lines.report.filter((line) => line.trim() !== '').slice(0, SIGN_LINES);
  const format = rules.formats.find(({ when }) => when.every((sign) => isSeen(sign, mail, head)));
  if (!format) return null;
  const { name, isGuess } = format;
  const { report } = partedAt(lines.report, format.originals);
  const isDelay = report.some((line) => matches(format.delays, line));
  const action = isDelay && format.action === 'failed' ? 'delayed' : format.action;
  if (action === 'none') return { format: name, isGuess, action, recipients: [] };
  // Text outside the blocks is read once, however many addresses there are.
  const general = wordsAfter(format.replies, report, rules.stops);
  const recipients = readRecipients(format, mail, report).map(({ address, from, to }): ReportedRecipient => {
    const block = report.slice(from, to);
    const words = wordsAfter(format.replies, block, rules.stops) ?? general;
    return {
      ...emptyRecipient(),
      finalRecipient: address,
      action,
      reply: words === null ? readReply(block, address, rules.stops) : replyIn(words),
      remoteMta: readHost([...format.hosts, ...rules.hosts], block),
    };
  });
  return { format: name, isGuess, action, recipients };
}

function isSeen(sign: FormatSign, mail: ParsedMail, head: readonly string[]): boolean {
  if (sign.in === 'text') return head.some((line) => sign.pattern.test(line.trim()));
  return mail.fields.some(
    ({ name, value }) => name === sign.name && sign.pattern.test(value.slice(0, MAX_LINE_CHARS)),
  );
}

function matches(patterns: readonly RegExp[], line: string): boolean {
  const words = line.trim();
  return words !== '' && patterns.some((pattern) => pattern.test(words));
}

/** An address and the lines about it. */
interface Block {
  address: string | null;
  from: number;
  to: number;
}

/**
 * Returns at least one block, because a report that names no address is about the message's only recipient.
 */
function readRecipients(format: BounceFormat, mail: ParsedMail, report: readonly string[]): Block[] {
  for (const place of format.recipients) {
    const found = addressesAt(place, mail, report);
    if (found.length === 0) continue;
    return found.map(({ address, line }, i) => {
      const next = found.slice(i + 1).find((other) => other.line > line);
      return line < 0
        ? { address, from: 0, to: report.length }
        : { address, from: line, to: next?.line ?? report.length };
    });
  }
  return [{ address: null, from: 0, to: report.length }];
}

/** An address and the number of its line; -1 if no line contains it. */
interface Found {
  address: string;
  line: number;
}

function addressesAt(place: RecipientPlace, mail: ParsedMail, report: readonly string[]): Found[] {
  if (place.in === 'field') {
    const value = findField(mail, place.name)?.slice(0, MAX_TEXT) ?? '';
    return addressesIn(value, MAX_RECIPIENTS).map((address) => ({
      address,
      line: report.findIndex((line) => line.includes(address)),
    }));
  }
  const found = place.in === 'line' ? onLines(place.pattern, report) : listBelow(place.pattern, report);
  return found.filter((one, i) => found.findIndex(({ address }) => address === one.address) === i);
}

function onLines(pattern: RegExp, report: readonly string[]): Found[] {
  const found: Found[] = [];
  report.forEach((raw, i) => {
    const match = found.length < MAX_RECIPIENTS ? pattern.exec(raw.trim()) : null;
    if (!match) return;
    const rest = raw.trim().slice(match.index);
    // The address may be on its own line below its label.
    const line = addressIn(rest) ? i : nextLine(report, i);
    const address = addressIn(line === i ? rest : (report[line] ?? ''))?.address;
    if (address !== undefined) found.push({ address, line });
  });
  return found;
}

function nextLine(report: readonly string[], after: number): number {
  return report.findIndex((line, i) => i > after && line.trim() !== '');
}

/** Reads a list: lines that begin with an address, indented no deeper than the first. */
function listBelow(heading: RegExp, report: readonly string[]): Found[] {
  const top = report.findIndex((line) => heading.test(line.trim()));
  if (top < 0) return [];
  const found: Found[] = [];
  const first = nextLine(report, top);
  let indent = Infinity;
  for (let i = top + 1; i < report.length && found.length < MAX_RECIPIENTS; i++) {
    const line = report[i] ?? '';
    const hit = addressIn(line);
    if (!hit) continue;
    const lead = line.slice(0, hit.at);
    const isItem = /^[\s<("'*\u2022-]*(?:mailto:|smtp:)?$/i.test(lead);
    // The first line of a list may have a name before the address.
    const isFirst = i === first;
    const depth = lead.length - lead.trimStart().length;
    if (!isFirst && (!isItem || depth > indent)) continue;
    indent = Math.min(indent, depth);
    found.push({ address: hit.address, line: i });
  }
  return found;
}

/**
 * Returns the text after the first match: the rest of its line and the following lines, until one is blank or
 * ends the reply.
 */
function wordsAfter(
  patterns: readonly RegExp[],
  lines: readonly string[],
  stops: readonly RegExp[],
): string | null {
  for (const pattern of patterns) {
    for (const [i, line] of lines.entries()) {
      const match = pattern.exec(line.trim());
      if (!match) continue;
      const rest = line
        .trim()
        .slice(match.index + match[0].length)
        .trim();
      const below = lines.slice(i + 1, i + 1 + MAX_REPLY_LINES);
      const found = joinLines(rest === '' ? below : [rest, ...below], stops);
      if (found !== '') return found;
    }
  }
  return null;
}

/** Returns the reply quoted in the lines about an address, or their whole text. */
function readReply(block: readonly string[], address: string | null, stops: readonly RegExp[]): QuotedReply {
  const reply = replyIn(block.join('\n'));
  return reply.code === null
    ? { ...reply, text: readWords(block, address, stops) }
    : { ...reply, text: joinLines(reply.text.split('\n', MAX_REPLY_LINES), stops) };
}

/**
 * Joins the lines of one reply. Its last line has a blank after the code (RFC 5321 section 4.2.1), so another
 * code starts another reply.
 */
function joinLines(lines: readonly string[], stops: readonly RegExp[]): string {
  const words: string[] = [];
  let isComplete = false;
  for (const line of lines.map((text) => text.trim())) {
    const separator = /^[2-5]\d\d([ -])/.exec(line)?.[1];
    const isEnd = line === '' || matches(stops, line) || (isComplete && separator !== undefined);
    if (isEnd && words.length > 0) break;
    if (line === '') continue;
    words.push(line);
    isComplete ||= separator === ' ';
  }
  return words.join('\n').slice(0, MAX_WORDS);
}

/** Returns the text of the lines until one ends it, without the address at its start. */
function readWords(block: readonly string[], address: string | null, stops: readonly RegExp[]): string {
  const [first = '', ...others] = block.slice(0, MAX_REPLY_LINES);
  const at = address === null ? -1 : first.indexOf(address);
  const isAlone = address !== null && at >= 0 && !/[a-z]/i.test(first.slice(0, at));
  const rest = isAlone ? first.slice(at + address.length).replace(/^[\s>:)"'.,-]{1,20}/, '') : first;
  const words: string[] = [];
  for (const line of [rest, ...others]) {
    const isStop = matches(stops, line);
    if (isStop && words.length > 0) break;
    if (!isStop && line.trim() !== '') words.push(line.trim());
  }
  return words.join('\n').slice(0, MAX_WORDS);
}

function readHost(patterns: readonly RegExp[], block: readonly string[]): string | null {
  for (const pattern of patterns) {
    for (const line of block) {
      const match = pattern.exec(line.trim());
      const host = match ? hostIn(match[1] ?? line.trim().slice(match.index + match[0].length)) : null;
      if (host !== null) return host;
    }
  }
  return null;
}
