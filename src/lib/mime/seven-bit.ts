// Mail with 8-bit octets in a form for peers that take ASCII only (RFC 6152 section 3).
import { isAscii } from 'node:buffer';
import { reEncode, type Transport } from './re-encode.js';
import type { ComposedMessage } from './mime-build.js';
import { parseHeaderValue } from 'nodemailer/lib/mime-funcs';
import addressParser from 'nodemailer/lib/addressparser';
import { envelopeAddress, formatMailbox } from './address.js';
import { decodeWords } from './encoded-words.js';
import { rawValue, writtenName, type RawField } from './header-block.js';
import { encodeText, foldField, parameterized } from './header-field.js';

// A header field in ASCII: what RFC 6532 allows raw as encoded words (RFC 2047), A-labels and RFC 2231 parameters, so that a peer
// without SMTPUTF8 can take it. Text says the same as before; what has no such form gives null.
const ADDRESSES = [
  'from',
  'sender',
  'reply-to',
  'to',
  'cc',
  'resent-from',
  'resent-sender',
  'resent-to',
  'resent-cc',
  'disposition-notification-to',
];
const PARAMETERS = ['content-type', 'content-disposition'];
const TEXT = ['subject', 'comments', 'keywords', 'organization', 'thread-topic', 'content-description'];

/** What cannot be folded may be this long, so that its line stays below 998 with the field's name. */
const MAX_RUN = 900;

/** The field as it is when it is ASCII already. */
function asciiField(field: RawField): string | null {
  if (!/[^\x00-\x7f]/.test(field.line)) return field.line;
  const value = asciiValue(field.name, rawValue(field));
  if (value === null || /[^\t\x20-\x7e]/.test(value) || hasLongRun(value)) return null;
  return foldField(writtenName(field), value);
}

function asciiValue(name: string, text: string): string | null {
  if (ADDRESSES.includes(name)) return asciiAddresses(text);
  if (PARAMETERS.includes(name)) return asciiParameters(text);
  // An x- field is text for all that is known of it; any other has a syntax that encoded words would break.
  if (!TEXT.includes(name) && !name.startsWith('x-')) return null;
  return encodeText(oneLine(decodeWords(text)));
}

function asciiAddresses(text: string): string | null {
  const formatted: string[] = [];
  for (const entry of addressParser(text)) {
    // A group's name could be encoded too; nobody sends one.
    if (entry.group !== undefined || !entry.address.includes('@')) return null;
    const email = oneLine(entry.address);
    if (/[^\x21-\x7e]/.test(envelopeAddress(email))) return null;
    formatted.push(formatMailbox({ email, name: oneLine(decodeWords(entry.name)) }));
  }
  return formatted.length === 0 ? null : formatted.join(', ');
}

function asciiParameters(text: string): string | null {
  const { value, params } = parseHeaderValue(text, { stripComments: true });
  if (/[^\x21-\x7e]/.test(value)) return null;
  // What was in RFC 2231 form comes as an encoded word.
  const decoded = Object.entries(params).map(([name, param]) => [name, oneLine(decodeWords(param))] as const);
  return parameterized(value, Object.fromEntries(decoded));
}

function oneLine(text: string): string {
  return text.replace(/[\x00-\x1f\x7f]+/g, ' ').toWellFormed();
}

function hasLongRun(value: string): boolean {
  return value.split(/[ \t]/).some((run) => run.length > MAX_RUN);
}

const SEVEN_BIT: Transport = {
  fits: isAscii,
  fieldLine: asciiField,
  unread: (octets) =>
    isAscii(octets) ? octets : Buffer.from(octets.toString('latin1').replace(/[\x80-\xff]/g, '?'), 'latin1'),
  multipartEncoding: '7bit',
};

/** The same mail in ASCII; null where that would break a signature, or where something in it has no ASCII form. */
export function toSevenBit(message: ComposedMessage): ComposedMessage | null {
  return reEncode(message, SEVEN_BIT);
}
