// Splits the header of a message or part into raw fields, octet by octet (RFC 5322 section 2.2), so that the
// joined pieces equal the original. Strict, for mail that is passed on; received-header.ts reads inbound
// mail.
import { isAscii, isUtf8 } from 'node:buffer';
import { octetText } from './charset.js';

/** A field as written in the message. */
export interface RawField {
  /** Lower case. */
  name: string;
  /** Name, colon and folded value as written, without the line end. One character per octet. */
  line: string;
}

interface HeaderBlock {
  fields: RawField[];
  /** The octets after the blank line; a view of the input. */
  body: Buffer;
}

const BLANK_LINE = Buffer.from('\r\n\r\n');
/** Matches a field name. Old mailers leave white space before the colon (RFC 5322 section 4.5.8). */
export const NAME = /^([!-9;-~]+)[ \t]*:/;

/** Counts the octets of the header block including its last line end; all octets if no blank line ends it. */
export function headerBlockSize(octets: Buffer): number {
  if (octets[0] === 0x0d && octets[1] === 0x0a) return 0;
  const end = octets.indexOf(BLANK_LINE);
  return end === -1 ? octets.length : end + 2;
}

/**
 * Splits octets whose lines end with CRLF. Returns `null` if a header line is neither a field nor a
 * continuation.
 */
export function splitHeaderBlock(octets: Buffer): HeaderBlock | null {
  const size = headerBlockSize(octets);
  const fields: RawField[] = [];
  for (const line of unbrokenLines(octets.toString('latin1', 0, size))) {
    const field = parseRawField(line);
    if (field === null) return null;
    fields.push(field);
  }
  return { fields, body: octets.subarray(Math.min(size + 2, octets.length)) };
}

/** Splits a header into lines, each with its folds and without its last line end. Skips blank lines. */
export function unbrokenLines(text: string): string[] {
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    if (line === '' || line === '\r') continue;
    const last = lines.length - 1;
    if (/^[ \t]/.test(line) && last >= 0) lines[last] = `${lines[last] ?? ''}\n${line}`;
    else lines.push(line);
  }
  return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
}

/** Returns `null` for a line that is not a field. */
export function parseRawField(line: string): RawField | null {
  const name = NAME.exec(line)?.[1];
  return name === undefined ? null : { name: name.toLowerCase(), line };
}

/** Returns the name in its original case. */
export function writtenName({ name, line }: RawField): string {
  return line.slice(0, name.length);
}

/** Returns the value after the colon on one line, still one character per octet and with encoded words. */
export function unfoldedValue({ line }: RawField): string {
  return line.slice(line.indexOf(':') + 1).replace(/\r?\n(?=[ \t])/g, '');
}

/** Returns the value on one line, in Unicode, with encoded words left undecoded. */
export function rawValue(field: RawField): string {
  // Trimmed as text, because an octet of a letter may look like a blank.
  return octetText(unfoldedValue(field)).trim();
}

/**
 * Returns whether fields contain UTF-8, which requires SMTPUTF8 (RFC 6532). Other non-ASCII octets don't
 * count, since nothing carries them.
 */
export function holdsUtf8(headerLines: readonly string[]): boolean {
  const octets = Buffer.from(headerLines.join('\r\n'), 'latin1');
  return !isAscii(octets) && isUtf8(octets);
}
