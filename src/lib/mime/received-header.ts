// The header of a message as it came in, read octet by octet and in linear time: it stands by itself, so that a message
// whose body cannot be parsed still has its fields. Tolerant and limited; header-block.ts is for mail that is passed on.
// RFC 5322 section 2.2, RFC 6532.
import { decodeWords } from './encoded-words.js';
import { NAME, rawFieldOf, rawValue, unbrokenLines, type RawField } from './header-block.js';
import type { HeaderField } from './parsed-mail.js';
import { shownLine } from './shown-line.js';

export interface HeaderLimits {
  /** Octets of a header that are read. */
  headerBytes: number;
  fields: number;
}

export interface ReceivedHeader {
  fields: readonly RawField[];
  /** Where the body begins. */
  bodyStart: number;
  /** Sentences about what was left out. */
  problems: readonly string[];
}

/** A longer name is none. */
const MAX_NAME = 200;
const LF = 10;
const CR = 13;

/**
 * Splits the header off. Lines that are no field are left out where fields follow, and so is an mbox line at the top; text
 * without a single field is all body. Lines may end with LF alone. Never throws.
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
    const field = rawFieldOf(line);
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

/** The field as everybody behind the parser reads it: decoded, on one line, without controls. */
export function readableField(field: RawField): HeaderField {
  return { name: field.name, value: shownLine(decodeWords(rawValue(field))) };
}

/** Fields that no text begins with by chance: a header goes on where one follows a line that is no field. */
const CERTAIN_NAME =
  /^(?:from|to|cc|subject|date|message-id|mime-version|received|return-path|reply-to|references|in-reply-to|(?:content|x|dkim|arc|list)-[!-9;-~]{1,100})[ \t]*:/i;

/**
 * Where the header's last line ends and where the body begins: behind the first empty line, or at the first line that
 * is no field where only text follows it, as Postfix takes it.
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
