// Reads the header of an inbound message, octet by octet and in linear time, so that a message whose body
// cannot be parsed still has its fields (RFC 5322 section 2.2, RFC 6532). Tolerant and bounded;
// header-block.ts is for mail that is passed on.
import { decodeWords } from './encoded-words.js';
import { NAME, parseRawField, rawValue, unbrokenLines, type RawField } from './header-block.js';
import type { HeaderField } from './parsed-mail.js';
import { shownLine } from './shown-line.js';

export interface HeaderLimits {
  /** Octets of the header that are read. */
  headerBytes: number;
  fields: number;
}

export interface ReceivedHeader {
  fields: readonly RawField[];
  /** Offset of the body. */
  bodyStart: number;
  /** Sentences about omitted content. */
  problems: readonly string[];
}

/** Longer names don't make a field. */
const MAX_NAME = 200;
const LF = 10;
const CR = 13;

/**
 * Splits the header off. Skips lines that are not fields if fields follow, and an mbox line at the top. Text
 * without any field is all body. Lines may end with a bare LF. Never throws.
 */
export function readHeader(raw: Uint8Array, limits: HeaderLimits): ReceivedHeader {
  const octets = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const { end, bodyStart } = headerEnd(octets, limits);
  const problems: string[] = [];
  const text = octets.toString('latin1', 0, Math.min(end, limits.headerBytes));
  const isCut = end > limits.headerBytes;
  if (isCut) {
    problems.push(`The header is longer than ${limits.headerBytes} bytes, so the rest was omitted.`);
  }
  const fields: RawField[] = [];
  let strays = 0;
  let overflow = 0;
  for (const line of unbrokenLines(isCut ? text.slice(0, text.lastIndexOf('\n') + 1) : text)) {
    const field = parseRawField(line);
    if (field === null || field.name.length > MAX_NAME)
      strays += fields.length === 0 && /^>?From /.test(line) ? 0 : 1;
    else if (fields.length >= limits.fields) overflow += 1;
    else fields.push(field);
  }
  if (fields.length === 0) {
    return { fields: [], bodyStart: strays === 0 ? bodyStart : 0, problems: ['The message has no header.'] };
  }
  if (strays > 0) problems.push(`${strays} header lines are not fields and were omitted.`);
  if (overflow > 0)
    problems.push(`The header has more than ${limits.fields} fields, so ${overflow} were omitted.`);
  return { fields, bodyStart, problems };
}

/** Returns the field as later stages read it: decoded, on one line, without control characters. */
export function readableField(field: RawField): HeaderField {
  return { name: field.name, value: shownLine(decodeWords(rawValue(field))) };
}

/**
 * Fields that no text begins with by chance. The header continues if one follows a line that is not a field.
 */
const CERTAIN_NAME =
  /^(?:from|to|cc|subject|date|message-id|mime-version|received|return-path|reply-to|references|in-reply-to|(?:content|x|dkim|arc|list)-[!-9;-~]{1,100})[ \t]*:/i;

/**
 * Finds the end of the header and the start of the body: after the first empty line or, as in Postfix, at the
 * first line that is not a field if only text follows.
 */
function headerEnd(octets: Buffer, { headerBytes }: HeaderLimits): { end: number; bodyStart: number } {
  let hasFields = false;
  let stray = -1;
  let end = octets.length;
  let bodyStart = octets.length;
  for (let at = 0; at < octets.length;) {
    const lineEnd = octets.indexOf(LF, at);
    const next = lineEnd < 0 ? octets.length : lineEnd + 1;
    if (lineEnd === at || (lineEnd === at + 1 && octets[at] === CR)) {
      end = at;
      bodyStart = next;
      break;
    }
    const line = at > headerBytes ? '' : octets.toString('latin1', at, Math.min(next, at + MAX_NAME));
    if (CERTAIN_NAME.test(line)) stray = -1;
    hasFields ||= NAME.test(line);
    if (stray < 0 && hasFields && line !== '' && !/^[ \t]/.test(line) && !NAME.test(line)) stray = at;
    at = next;
  }
  return stray < 0 ? { end, bodyStart } : { end: stray, bodyStart: stray };
}
