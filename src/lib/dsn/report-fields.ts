// Reads header fields inside reports: in the machine-readable part, in the returned message, and in a copy of
// its header within the text (RFC 5322 section 2.2). Tolerant, because every mail system on the way may have
// changed them.
import type { HeaderField } from '../mime/index.js';

/**
 * Types of parts that return a message or its header (RFC 6522 section 4, RFC 6533 section 4), including
 * misspelled ones.
 */
export const RETURNED_TYPES: readonly string[] = [
  'text/rfc822-headers',
  'message/rfc822',
  'message/global-headers',
  'message/global',
  'message/rfc822-headers',
  'message/partial',
];

/** Longer text is not read, because a header is never that large. */
const MAX_TEXT = 64 * 1024;
const MAX_FIELDS = 500;
const MAX_VALUE = 8192;
const FIELD = /^([!-9;-~]{1,76})[ \t]{0,10}:(.*)$/;

export interface FieldBlock {
  fields: HeaderField[];
  /** Index of the line after the block. */
  end: number;
}

/**
 * Returns the first 64 KiB of a part as text. The types of reports don't allow a transfer encoding (RFC 2046
 * section 5.2), so a parser may leave base64 in place; it is decoded here.
 */
export function partText(content: Uint8Array): string {
  const octets = Buffer.from(content.buffer, content.byteOffset, Math.min(content.length, MAX_TEXT));
  const text = octets.toString('utf8');
  const isBase64 = /^[A-Za-z0-9+/]{16,}={0,2}(?:\s|$)/.test(text.trimStart()) && !/[^\w+/=\s]|_/.test(text);
  return isBase64 ? Buffer.from(text, 'base64').toString('utf8') : text;
}

export function splitLines(text: string): string[] {
  return text.slice(0, MAX_TEXT).split(/\r\n|\r|\n/);
}

/** Returns whether the line begins a header field. */
export function isFieldLine(line: string): boolean {
  return FIELD.test(line);
}

/**
 * Reads the fields from line `start` on. Skips blank lines before the first one and an mbox "From " line. The
 * block ends at a blank line or a line that is not a field. Names are lower case; values are unfolded but not
 * decoded.
 */
export function readFieldBlock(lines: readonly string[], start = 0): FieldBlock {
  const fields: HeaderField[] = [];
  let at = start;
  while (at < lines.length && isPreamble(lines[at] ?? '')) at += 1;
  for (; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const last = fields.at(-1);
    if (last !== undefined && /^[ \t]+\S/.test(line)) {
      if (last.value.length < MAX_VALUE) last.value += ` ${clean(line)}`;
      continue;
    }
    const [, name, value = ''] = FIELD.exec(line) ?? [];
    if (name === undefined || fields.length === MAX_FIELDS) break;
    fields.push({ name: name.toLowerCase(), value: clean(value) });
  }
  return { fields, end: at };
}

function isPreamble(line: string): boolean {
  return line.trim() === '' || /^>?From \S/.test(line);
}

/** Removes control characters, which also repairs tokens they got into. */
function clean(value: string): string {
  return value
    .slice(0, MAX_VALUE)
    .replaceAll('\t', ' ')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim();
}
