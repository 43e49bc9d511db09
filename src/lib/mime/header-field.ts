// Writes header fields: encoded words (RFC 2047), parameters (RFC 2231) and folding (RFC 5322 section 2.2.3),
// with a guard against header injection.
import { buildHeaderValue, encodeWord } from 'nodemailer/lib/mime-funcs';

const FOLD_AT = 78;
/** Maximum octets of a line without its CRLF (RFC 5322 section 2.1.1). */
export const MAX_LINE = 998;
/** Leaves room for `Subject: ` before an encoded word on a folded line. */
const MAX_WORD = 64;
/**
 * RFC 2047 section 2. Names get the longest words, because some receivers show a blank between two words of a
 * phrase.
 */
const MAX_PHRASE_WORD = 75;
const MAX_PLAIN_TOKEN = 66;
const MAX_PLAIN_BLANKS = 8;
/** Longer values may be folded at any blank, and some readers collapse blanks there. */
const MAX_UNFOLDED = 60;

/**
 * Throws if the value would start another field. Callers check input before, so this is an internal error.
 */
export function assertOneLine(what: string, value: string): void {
  if (/[\r\n\0]/.test(value)) throw new Error(`${what} contains CR, LF or NUL`);
}

/** Returns whether plain text could change in transit or could not be folded at 78. */
function needsEncodedWords(value: string): boolean {
  if (value.length > 0 && (value.startsWith(' ') || value.endsWith(' '))) return true;
  const maxBlanks = value.length > MAX_UNFOLDED ? 1 : MAX_PLAIN_BLANKS;
  let token = 0;
  let blanks = 0;
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i);
    if (code < 0x20 || code > 0x7e) return true;
    if (code === 0x20) {
      token = 0;
      if (++blanks > maxBlanks) return true;
    } else {
      blanks = 0;
      if (++token > MAX_PLAIN_TOKEN) return true;
    }
  }
  return value.includes('=?');
}

function encodedWords(value: string, maxLength: number): string {
  const mostlyNonAscii = Buffer.byteLength(value) > value.length * 1.3;
  return encodeWord(value, mostlyNonAscii ? 'B' : 'Q', maxLength);
}

/**
 * Encodes unstructured text (a subject) as printable ASCII: unchanged if that is safe, otherwise as encoded
 * words of at most 64 characters. Text that only looks like an encoded word is encoded too, so that it
 * arrives as written. A lone surrogate becomes U+FFFD.
 */
export function encodeText(value: string): string {
  assertOneLine('header text', value);
  return needsEncodedWords(value) ? encodedWords(value, MAX_WORD) : value;
}

/** Encodes a display name as atoms, a quoted-string, or encoded words. */
export function encodePhrase(name: string): string {
  assertOneLine('display name', name);
  if (needsEncodedWords(name)) return encodedWords(name, MAX_PHRASE_WORD);
  if (/^[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~ ]*$/.test(name)) return name;
  return `"${name.replace(/["\\]/g, '\\$&')}"`;
}

/** Formats `value; key=param`, with RFC 2231 continuations for long or non-ASCII parameters. */
export function parameterized(value: string, params: Record<string, string>): string {
  for (const [key, param] of Object.entries(params)) assertOneLine(`parameter ${key}`, param);
  return buildHeaderValue({ value, params });
}

/**
 * Formats a complete field without its final CRLF, folded at 78 if it has blanks; the name is never alone on its line. `utf8`
 * allows other characters, written as one character per octet (RFC 6532). Throws on an invalid name, a value that is not printable
 * ASCII, and a line above 998.
 */
export function foldField(name: string, text: string, { utf8 = false } = {}): string {
  const value = utf8 ? Buffer.from(text).toString('latin1') : text;
  if (!/^[\x21-\x39\x3b-\x7e]+$/.test(name)) throw new Error('header name is not RFC 5322 ftext');
  if ((utf8 ? /[^\t\x20-\x7e\x80-\xff]/ : /[^\t\x20-\x7e]/).test(value))
    throw new Error(`header ${name} is not printable ascii`);
  const field = `${name}: ${value}`.trimEnd();
  if (field.length <= FOLD_AT) return field;
  const lines: string[] = [];
  let line = `${name}:`;
  for (const piece of ` ${value.trim()}`.match(/[ \t]+[^ \t]+/g) ?? []) {
    if (line.length + piece.length > FOLD_AT && line.length > name.length + 1) {
      lines.push(line);
      line = piece;
    } else {
      line += piece;
    }
  }
  lines.push(line);
  if (lines.some((one) => one.length > MAX_LINE)) throw new Error(`header ${name} cannot be folded`);
  return lines.join('\r\n');
}
