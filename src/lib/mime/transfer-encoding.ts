// Encodes text as 7bit, quoted-printable or base64, and files as base64 (RFC 2045 section 6). Written by hand
// because composing spends most time here; docs/adr/0010-mime-composition.md has the numbers.
import { wrap } from 'nodemailer/lib/base64';
import { MAX_LINE } from './header-field.js';

interface EncodedPart {
  encoding: '7bit' | 'quoted-printable' | 'base64';
  /** ASCII characters with CRLF line ends. */
  content: string;
}

const QP_LINE = 76;
const CR = 0x0d;
const LF = 0x0a;
const EQUALS = 0x3d;
const HEX = Buffer.from('0123456789ABCDEF', 'latin1');

/** 1 for bytes that quoted-printable never escapes. */
const PLAIN = new Uint8Array(256);
for (let byte = 0x21; byte <= 0x7e; byte++) PLAIN[byte] = byte === EQUALS ? 0 : 1;

function hasLongLine(text: string): boolean {
  let start = 0;
  for (;;) {
    const end = text.indexOf('\n', start);
    if (end < 0) return text.length - start > MAX_LINE;
    if (end - start > MAX_LINE) return true;
    start = end + 1;
  }
}

/** Converts every line end to CRLF. A CR without LF is content and stays. */
function normalizeLineEnds(text: string): string {
  if (!text.includes('\r')) return text.replace(/\n/g, '\r\n');
  return text.replace(/\r?\n/g, '\r\n');
}

function isSevenBitClean(text: string): boolean {
  if (text.includes('\0') || text.startsWith('From ') || text.includes('\nFrom ')) return false;
  if (text.includes('\r') && /\r(?!\n)/.test(text)) return false;
  return !hasLongLine(text);
}

/**
 * Encodes a text part so that it decodes to the same string, with every line end as CRLF. Uses 7bit for ASCII
 * without NUL, bare CR, lines above 998 or a line that starts with "From " (mbox writers change it),
 * otherwise the smaller of quoted-printable and base64. `endsMessage` means that only the end of the message
 * follows; text without a final line end is then quoted-printable, which ends it with a soft break.
 */
export function encodeTextPart(text: string, endsMessage: boolean): EncodedPart {
  // Some parsers read an empty part as one line end; a soft break avoids that.
  if (text === '') return { encoding: 'quoted-printable', content: '=\r\n' };
  const sizeBytes = Buffer.byteLength(text);
  // Equal only for pure ASCII, because every other UTF-16 unit takes at least two bytes.
  const isAscii = sizeBytes === text.length;
  if (isAscii && !(endsMessage && !text.endsWith('\n')) && isSevenBitClean(text)) {
    return { encoding: '7bit', content: normalizeLineEnds(text) };
  }
  const bytes = Buffer.from(text, 'utf8');
  if (!isAscii && nonAsciiCount(bytes) * 2 > bytes.length * 0.37) {
    const canonical = Buffer.from(normalizeLineEnds(text), 'utf8');
    return { encoding: 'base64', content: encodeBase64(canonical) };
  }
  return { encoding: 'quoted-printable', content: encodeQuotedPrintable(bytes, endsMessage) };
}

/** Encodes as base64 in lines of 76, each ended by CRLF. */
export function encodeBase64(content: Buffer): string {
  return content.length === 0 ? '' : `${wrap(content.toString('base64'))}\r\n`;
}

/** Wraps base64 lines that exceed the line limit at 76. No character changes. */
export function rewrapBase64(body: Buffer): Buffer {
  return Buffer.from(
    changeLongLines(body.toString('latin1'), (line) => wrap(line)),
    'latin1',
  );
}

/**
 * Repairs quoted-printable by RFC 2045 section 6.7: escapes 8-bit octets and breaks long lines softly.
 * Returns `null` if a line cannot be broken, because it was not quoted-printable.
 */
export function mendQuotedPrintable(body: Buffer): Buffer | null {
  const ascii = body
    .toString('latin1')
    .replace(/[\x80-\xff]/g, (octet) => `=${octet.charCodeAt(0).toString(16).toUpperCase()}`);
  const mended = changeLongLines(ascii, (line) => line.replace(SOFT_LINE, '$&=\r\n'));
  return mended.split('\r\n').some((line) => line.length > MAX_LINE) ? null : Buffer.from(mended, 'latin1');
}

/** Places of soft breaks: not within an escape, and not at the end. */
const SOFT_LINE = /.{60,75}(?<!=|=.)(?=.)/gs;

function changeLongLines(content: string, change: (line: string) => string): string {
  const lines = content.split('\r\n');
  return lines.map((line) => (line.length > MAX_LINE ? change(line) : line)).join('\r\n');
}

/** Returns whether bytes may travel unencoded: ASCII, only CRLF line ends, no NUL, no line above 998. */
export function isSevenBit(content: Buffer): boolean {
  const text = content.toString('latin1');
  return !/[^\x01-\x7f]|\r(?!\n)|(?<!\r)\n/.test(text) && !hasLongLine(text);
}

function nonAsciiCount(bytes: Buffer): number {
  let count = 0;
  // Indexed, because iterating a Buffer takes several times as long.
  for (let at = 0; at < bytes.length; at++) count += (bytes[at] ?? 0) >> 7;
  return count;
}

function startsFromLine(bytes: Buffer, at: number): boolean {
  return bytes[at + 1] === 0x72 && bytes[at + 2] === 0x6f && bytes[at + 3] === 0x6d && bytes[at + 4] === 0x20;
}

/** Returns whether the byte needs no escape in the middle of a line, regardless of the preceding bytes. */
function isPlainWithin(bytes: Buffer, at: number, byte: number): boolean {
  return PLAIN[byte] === 1 || (byte === 0x20 && PLAIN[bytes[at + 1] ?? 0] === 1);
}

/**
 * Returns whether the byte must be written as =XX here (RFC 2045 section 6.7; also "." and "From " at the
 * start of a line).
 */
function needsEscape(bytes: Buffer, at: number, byte: number, column: number): boolean {
  if (PLAIN[byte] === 1) {
    return column === 0 && (byte === 0x2e || (byte === 0x46 && startsFromLine(bytes, at)));
  }
  if (byte !== 0x20 && byte !== 0x09) return true;
  const next = bytes[at + 1];
  return next === undefined || next === LF || (next === CR && bytes[at + 2] === LF);
}

/**
 * Encodes as quoted-printable (RFC 2045 section 6.7). LF and CRLF become line breaks, a bare CR =0D.
 * `closeLine` ends an unfinished last line with a soft break, so that the result ends with CRLF and decodes
 * without one.
 */
function encodeQuotedPrintable(bytes: Buffer, closeLine: boolean): string {
  const output = Buffer.allocUnsafe(bytes.length * 3 + Math.ceil(bytes.length / 24) * 3 + 8);
  let length = 0;
  let column = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    // Fast path for nearly every byte.
    if (column > 0 && column < QP_LINE - 1 && isPlainWithin(bytes, at, byte)) {
      output[length++] = byte;
      column++;
      continue;
    }
    if (byte === LF || (byte === CR && bytes[at + 1] === LF)) {
      if (byte === CR) at++;
      output[length++] = CR;
      output[length++] = LF;
      column = 0;
      continue;
    }
    let escape = needsEscape(bytes, at, byte, column);
    if (column + (escape ? 3 : 1) >= QP_LINE) {
      output[length++] = EQUALS;
      output[length++] = CR;
      output[length++] = LF;
      column = 0;
      escape ||= needsEscape(bytes, at, byte, 0);
    }
    if (escape) {
      output[length++] = EQUALS;
      output[length++] = HEX[byte >> 4] ?? 0;
      output[length++] = HEX[byte & 15] ?? 0;
      column += 3;
    } else {
      output[length++] = byte;
      column++;
    }
  }
  const content = output.toString('latin1', 0, length);
  return closeLine && column > 0 ? `${content}=\r\n` : content;
}
