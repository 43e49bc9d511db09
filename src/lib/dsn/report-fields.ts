// Header fields as reports have them: in their machine's part, in the message that they return, in a copy of its header within
// their text. RFC 5322 section 2.2; tolerant, since every mail system on the way may have had its hand in it.
import type { HeaderField } from '../mime/index.js';

/** Parts in which a message or its header comes back (RFC 6522 section 4, RFC 6533 section 4), misspelt ones too. */
export const RETURNED_TYPES: readonly string[] = [
  'text/rfc822-headers',
  'message/rfc822',
  'message/global-headers',
  'message/global',
  'message/rfc822-headers',
  'message/partial',
];

/** Text beyond it is not read: a header of that size is no header. */
const MAX_TEXT = 64 * 1024;
const MAX_FIELDS = 500;
const MAX_VALUE = 8192;
const FIELD = /^([!-9;-~]{1,76})[ \t]{0,10}:(.*)$/;

export interface FieldBlock {
  fields: HeaderField[];
  /** Line after the block's last one, counted from 0. */
  end: number;
}

/**
 * The first 64 KiB of a part as text. The types of reports allow no transfer encoding (RFC 2046 section 5.2), so that a
 * parser may leave one in place: base64 is read nonetheless.
 */
export function partText(content: Uint8Array): string {
  const octets = Buffer.from(content.buffer, content.byteOffset, Math.min(content.length, MAX_TEXT));
  const text = octets.toString('utf8');
  const isBase64 = /^[A-Za-z0-9+/]{16,}={0,2}(?:\s|$)/.test(text.trimStart()) && !/[^\w+/=\s]|_/.test(text);
  return isBase64 ? Buffer.from(text, 'base64').toString('utf8') : text;
}

export function linesOf(text: string): string[] {
  return text.slice(0, MAX_TEXT).split(/\r\n|\r|\n/);
}

/** Whether the line begins a header field. */
export function isFieldLine(line: string): boolean {
  return FIELD.test(line);
}

/**
 * The fields from line `start` on: blank lines before the first and an mbox "From " line are passed over, the block
 * ends at a blank line or at one that is no field. Names are lower case; values are unfolded, their encoded words not
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

/** A token of ours that controls got into is whole again without them. */
function clean(value: string): string {
  return value
    .slice(0, MAX_VALUE)
    .replaceAll('\t', ' ')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim();
}
