// Converts a header field for peers without SMTPUTF8: raw UTF-8 (RFC 6532) becomes encoded words (RFC 2047),
// A-labels and RFC 2231 parameters, and no line exceeds SMTP's limit. The meaning is unchanged.
import addressParser from 'nodemailer/lib/addressparser';
import { parseHeaderValue } from 'nodemailer/lib/mime-funcs';
import { toAscii } from '../addresses/index.js';
import { envelopeAddress, formatMailbox } from './address.js';
import { decodeWords } from './encoded-words.js';
import { rawValue, writtenName, type RawField } from './header-block.js';
import { encodePhrase, encodeText, foldField, MAX_LINE, parameterized } from './header-field.js';

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
const MESSAGE_IDS = ['message-id', 'resent-message-id', 'in-reply-to', 'references'];
const LIST_URIS = /^list-(?:help|subscribe|unsubscribe|post|owner|archive)$/;
/**
 * Fields whose syntax has no place for encoded words. All others are unstructured text (RFC 5322
 * section 3.6.8).
 */
const STRUCTURED = [
  'date',
  'resent-date',
  'received',
  'return-path',
  'mime-version',
  'content-transfer-encoding',
  'content-id',
  'content-location',
  'dkim-signature',
  'arc-seal',
  'arc-message-signature',
  'arc-authentication-results',
  'authentication-results',
  'received-spf',
  'list-unsubscribe-post',
  'auto-submitted',
  'tls-required',
];

/** Maximum length of text that cannot be folded, so that its line stays below 998 with the field's name. */
const MAX_RUN = 900;
const MAX_NAME = 76;

/**
 * Returns the lines of the field: unchanged if they are ASCII and short enough, otherwise folded at blanks or
 * encoded. Returns `null` if the field has no such form. `utf8Local` keeps non-ASCII local parts, written as
 * one character per octet.
 */
export function asciiField(field: RawField, { utf8Local = false } = {}): string | null {
  const isAscii = !/[^\x00-\x7f]/.test(field.line);
  if (isAscii && field.line.split('\r\n').every((line) => line.length <= MAX_LINE)) return field.line;
  if (field.name.length > MAX_NAME) return null;
  const written = rawValue(field);
  const value = isAscii && isFoldable(written) ? written : encodedValue(field.name, written, utf8Local);
  if (value === null || value === '' || !isFoldable(value, utf8Local)) return null;
  return foldField(writtenName(field), value, { utf8: utf8Local });
}

function isFoldable(value: string, utf8 = false): boolean {
  const isPrintable = !(utf8 ? /[^\t\x20-\x7e\x80-\u{10ffff}]/u : /[^\t\x20-\x7e]/).test(value);
  // Folding keeps blanks with the run after them.
  const runs = value.match(/[ \t]*[^ \t]+/g) ?? [];
  return isPrintable && runs.every((run) => Buffer.byteLength(run) <= MAX_RUN);
}

function encodedValue(name: string, text: string, utf8Local: boolean): string | null {
  if (ADDRESSES.includes(name)) return encodedAddresses(text, utf8Local);
  if (PARAMETERS.includes(name)) return encodedParameters(text);
  if (MESSAGE_IDS.includes(name)) return asciiIds(text);
  if (LIST_URIS.test(name)) return asciiUris(text);
  if (name === 'list-id') return asciiListId(text);
  return STRUCTURED.includes(name) ? null : encodeText(oneLine(decodeWords(text)));
}

type ParsedAddress = ReturnType<typeof addressParser>[number];

function encodedAddresses(text: string, utf8Local: boolean): string | null {
  const formatted = addressParser(text).map((entry) => encodedEntry(entry, utf8Local));
  return formatted.includes(null) ? null : formatted.filter((one) => one !== '').join(', ');
}

/**
 * Returns `null` if the address needs UTF-8 and `utf8Local` is false, and '' if there is nothing to write.
 */
function encodedEntry(entry: ParsedAddress, utf8Local: boolean): string | null {
  const name = oneLine(decodeWords(entry.name)).trim();
  if (entry.group !== undefined) {
    const members = encodedMembers(entry.group, utf8Local);
    return members === null ? null : `${encodePhrase(name)}:${members};`;
  }
  const email = oneLine(entry.address);
  const address = envelopeAddress(email);
  const at = address.lastIndexOf('@');
  // Text that is not an address is written as the name of an empty group.
  if (at < 1 || /[^\x21-\x7e]/.test(address.slice(at))) {
    const text = [name, email].filter((one) => one !== '').join(' ');
    return text === '' ? '' : `${encodePhrase(text)}:;`;
  }
  if (!utf8Local && /[^\x20-\x7e]/.test(address)) return null;
  return formatMailbox({ email, name });
}

function encodedMembers(group: readonly ParsedAddress[], utf8Local: boolean): string | null {
  const members = group.map((member) => encodedEntry(member, utf8Local));
  if (members.includes(null)) return null;
  // Groups don't nest (RFC 5322 section 3.4).
  return members
    .flatMap((one) => (one === null || one === '' || one.endsWith(';') ? [] : [` ${one}`]))
    .join(',');
}

function encodedParameters(text: string): string | null {
  const { value, params } = parseHeaderValue(text, { stripComments: true });
  if (/[^\x21-\x7e]/.test(value)) return null;
  // The parser returns an RFC 2231 value as an encoded word.
  const decoded = Object.entries(params).map(([name, param]) => [name, oneLine(decodeWords(param))] as const);
  return parameterized(value, Object.fromEntries(decoded));
}

/** Keeps the ids that can be written; no one could look the others up. */
function asciiIds(text: string): string | null {
  const ids = (text.match(/<[^<>\s]+>/g) ?? []).filter(
    (id) => id.length <= MAX_RUN && /^[\x21-\x7e]+$/.test(id),
  );
  return ids.length === 0 ? null : ids.join(' ');
}

/** Matches the host after `//` or `@`. */
const URI_HOST = /(?<=\/\/|@)[^\s/?#@:<>,]{1,255}/g;

function asciiUris(text: string): string {
  return text
    .toWellFormed()
    .replace(URI_HOST, (host) => (/[^\x00-\x7f]/.test(host) ? (toAscii(host) ?? host) : host))
    .replace(/[^\x00-\x7f]+/g, encodeURIComponent)
    .replace(/>\s*,\s*</g, '>, <');
}

function asciiListId(text: string): string | null {
  const [, phrase = '', id = ''] = /^([^<>]*)<([^<>\s]+)>$/.exec(text) ?? [];
  if (!/^[\x21-\x7e]+$/.test(id)) return null;
  const name = oneLine(decodeWords(phrase)).trim();
  return name === '' ? `<${id}>` : `${encodePhrase(name)} <${id}>`;
}

function oneLine(text: string): string {
  return text.replace(/[\x00-\x1f\x7f]+/g, ' ').toWellFormed();
}
