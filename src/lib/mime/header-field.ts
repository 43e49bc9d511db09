// Header fields as bytes: encoded words, folding, and the guard against injection.
// RFC 5322 section 2.2.3 (folding), RFC 2047 (encoded words), RFC 2231 (parameters).
import { buildHeaderValue, encodeWord } from 'nodemailer/lib/mime-funcs';

const FOLD_AT = 78;
/** The most octets of a line, without its CRLF (RFC 5322 section 2.1.1). */
export const MAX_LINE = 998;
/** So that `Subject: ` and one encoded word fit a folded line. */
const MAX_WORD = 64;
/** RFC 2047 section 2. Names get the longest words: some receivers show a blank between two of a phrase. */
const MAX_PHRASE_WORD = 75;
const MAX_PLAIN_TOKEN = 66;
const MAX_PLAIN_BLANKS = 8;
/** A longer value may be folded at any blank, and some readers make one blank of all that stand there. */
const MAX_UNFOLDED = 60;

/** Throws a plain Error (a fault: callers have checked before) for a value that would start another field. */
export function assertOneLine(what: string, value: string): void {
  if (/[\r\n\0]/.test(value)) throw new Error(`${what} contains CR, LF or NUL`);
}

/** Whether plain text could come out differently at the receiver, or could not be folded at 78. */
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
 * Unstructured text (a subject) as printable ascii: itself where that is safe, else encoded words of at most
 * 64 characters. Text that only looks like an encoded word is encoded too, so that it arrives as it was
 * written. A lone surrogate becomes U+FFFD.
 */
export function encodeText(value: string): string {
  assertOneLine('header text', value);
  return needsEncodedWords(value) ? encodedWords(value, MAX_WORD) : value;
}

/** A display name as a phrase: atoms, a quoted-string, or encoded words. */
export function encodePhrase(name: string): string {
  assertOneLine('display name', name);
  if (needsEncodedWords(name)) return encodedWords(name, MAX_PHRASE_WORD);
  if (/^[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~ ]*$/.test(name)) return name;
  return `"${name.replace(/["\\]/g, '\\$&')}"`;
}

/** `value; key=param` with RFC 2231 continuations where a parameter is long or not ascii. */
export function parameterized(value: string, params: Record<string, string>): string {
  for (const [key, param] of Object.entries(params)) assertOneLine(`parameter ${key}`, param);
  return buildHeaderValue({ value, params });
}

/**
 * One complete field without its last CRLF, folded at 78 where it has blanks; the name is never left alone on
 * its line. `utf8` lets other characters through, one character of the result for each octet (RFC 6532). Throws a plain Error for a bad name, for a value that is not printable ascii, and for a line
 * above 998.
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
