// The header of a message, or of a part of one, as raw fields, octet by octet (RFC 5322 section 2.2): what is put together again
// from the pieces has the octets it had. Strict, for mail that is passed on; received-header.ts reads received mail.
import { isAscii, isUtf8 } from 'node:buffer';
import { octetText } from './charset.js';

/** A field as it stands in the message. */
export interface RawField {
  /** Lower case. */
  name: string;
  /** As it was written: name, colon, value with its folds, no line end. One character per octet. */
  line: string;
}

export interface HeaderBlock {
  fields: RawField[];
  /** The octets after the blank line; a view of the given ones. */
  body: Buffer;
}

const BLANK_LINE = Buffer.from('\r\n\r\n');
/** With the white space before the colon that old mailers leave (RFC 5322 section 4.5.8). */
export const NAME = /^([!-9;-~]+)[ \t]*:/;

/** The octets of the header block with its last line end; all of them when no blank line ends it. */
export function headerBlockSize(octets: Buffer): number {
  if (octets[0] === 0x0d && octets[1] === 0x0a) return 0;
  const end = octets.indexOf(BLANK_LINE);
  return end === -1 ? octets.length : end + 2;
}

/** Divides octets whose lines end with CRLF. Null where a line of the header is neither a field nor the rest of one. */
export function splitHeaderBlock(octets: Buffer): HeaderBlock | null {
  const size = headerBlockSize(octets);
  const fields: RawField[] = [];
  for (const line of unbrokenLines(octets.toString('latin1', 0, size))) {
    const field = rawFieldOf(line);
    if (field === null) return null;
    fields.push(field);
  }
  return { fields, body: octets.subarray(Math.min(size + 2, octets.length)) };
}

/** The lines of a header with the folds that belong to each, without their last line end; blank ones are left out. */
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

/** Null for a line that is no field. */
export function rawFieldOf(line: string): RawField | null {
  const name = NAME.exec(line)?.[1];
  return name === undefined ? null : { name: name.toLowerCase(), line };
}

/** The name in the letters in which it was written. */
export function writtenName({ name, line }: RawField): string {
  return line.slice(0, name.length);
}

/** The value after the colon, on one line, still one character per octet and with its encoded words. */
export function unfoldedValue({ line }: RawField): string {
  return line.slice(line.indexOf(':') + 1).replace(/\r?\n(?=[ \t])/g, '');
}

/** The value on one line, in Unicode, encoded words left as they are. */
export function rawValue(field: RawField): string {
  // Trimmed as text: one octet of a letter may look like a blank.
  return octetText(unfoldedValue(field)).trim();
}

/** Whether fields hold UTF-8, which only SMTPUTF8 carries (RFC 6532). Octets that are not UTF-8 are no such thing: nothing carries them. */
export function holdsUtf8(headerLines: readonly string[]): boolean {
  const octets = Buffer.from(headerLines.join('\r\n'), 'latin1');
  return !isAscii(octets) && isUtf8(octets);
}
