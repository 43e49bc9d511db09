// Parses, validates, compares and writes mail addresses (RFC 5321 section 4.1.2, RFC 5322 section 3.4,
// RFC 5890).
import { toAscii } from '../addresses/index.js';
import { assertOneLine, encodePhrase } from './header-field.js';

export interface Mailbox {
  email: string;
  name: string | null;
}

const MAX_LOCAL = 64;
const MAX_ADDRESS = 254;
const MAX_LABEL = 63;
/** Longer text is refused before anything else reads it. */
const MAX_INPUT = 2000;

const ATEXT = /^[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~.]+$/;
/** RFC 6531 section 3.3, without invisible characters: C1 controls, format characters, lone surrogates. */
const UTF8_ATEXT = /^(?:[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~.]|[^\x00-\x7f\p{C}\p{Z}])+$/u;
const QUOTED_TEXT = /^[\x20-\x7e]+$/;
const UTF8_QUOTED_TEXT = /^(?:[\x20-\x7e]|[^\x00-\x7f\p{C}\p{Z}])+$/u;
const QUOTED_STRING = /^"(?:[^"\\]|\\.)*"$/s;
/** A dot-atom has no dot at either end and no two in a row (RFC 5321 section 4.1.2). */
const MISPLACED_DOT = /^\.|\.\.|\.$/;
/** An address without blanks or delimiters, except in a quoted local part. */
const BARE_ADDRESS = /^(?:"(?:[^"\\]|\\.)*"@)?[^\s<>"(),;]+$/;

/**
 * Parses one mailbox: `Ann <ann@example.com>`, `"Smith, Ann" <…>`, `<…>` or a bare address. Returns `null`
 * for anything else, such as a list, comments or control characters. Use `addressProblem` to check the
 * address itself.
 */
export function parseMailbox(text: string): Mailbox | null {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > MAX_INPUT || /[\x00-\x1f\x7f]/.test(trimmed)) return null;
  if (!trimmed.endsWith('>')) return BARE_ADDRESS.test(trimmed) ? { email: trimmed, name: null } : null;
  const open = firstBracket(trimmed);
  if (open < 0) return null;
  const email = trimmed.slice(open + 1, -1).trim();
  if (!BARE_ADDRESS.test(email)) return null;
  const name = readPhrase(trimmed.slice(0, open).trim());
  return name === null ? null : { email, name: name === '' ? null : name };
}

/** Returns the position of the first `<` outside of quotes, or -1. */
function firstBracket(text: string): number {
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '"') isQuoted = !isQuoted;
    else if (isQuoted && char === '\\') at += 1;
    else if (char === '<' && !isQuoted) return at;
  }
  return -1;
}

/**
 * Returns a display name without its quotes; `null` if it is malformed or looks like the start of an address
 * list.
 */
function readPhrase(phrase: string): string | null {
  let name = '';
  let isQuoted = false;
  let hasComma = false;
  let hasAt = false;
  for (let i = 0; i < phrase.length; i++) {
    const char = phrase.charAt(i);
    if (char === '"') {
      isQuoted = !isQuoted;
    } else if (isQuoted && char === '\\') {
      name += phrase.charAt(++i);
    } else {
      if (!isQuoted) {
        if (char === '<' || char === '>') return null;
        hasComma ||= char === ',' || char === ';';
        hasAt ||= char === '@';
      }
      name += char;
    }
  }
  return isQuoted || (hasComma && hasAt) ? null : name.trim();
}

/**
 * Explains in a sentence why mail to or from this address is refused; `null` if it is valid. Accepts
 * misplaced dots, quoted local parts, and fully qualified domains, including internationalized ones.
 * `utf8Local` accepts non-ASCII local parts, which need SMTPUTF8 on every hop (RFC 6531).
 */
export function addressProblem(email: string, { utf8Local = false } = {}): string | null {
  if (email.length > MAX_INPUT) return 'The address is too long: at most 254 characters.';
  if (/[\x00-\x1f\x7f]/.test(email)) return 'The address contains a control character or a line break.';
  const at = email.lastIndexOf('@');
  if (at < 0) return 'The address has no @.';
  const domain = email.slice(at + 1);
  return (
    localProblem(email.slice(0, at), utf8Local) ??
    domainProblem(domain, { underscore: true }) ??
    lengthProblem(email)
  );
}

function localProblem(local: string, utf8Local: boolean): string | null {
  const isQuoted = local.startsWith('"');
  if (isQuoted && !QUOTED_STRING.test(local)) return 'The quotes before the @ do not match.';
  const content = unquotedLocal(local);
  if (content === '') return 'The address has nothing before the @.';
  if (!isQuoted && /\s/.test(local)) return 'The address contains a space.';
  if (!isQuoted && local.includes('@')) return 'The address has more than one @.';
  if (!utf8Local && /[^\x00-\x7f]/.test(local)) {
    return 'The part before the @ is not ASCII. Such addresses (SMTPUTF8) are not supported.';
  }
  if (Buffer.byteLength(content) > MAX_LOCAL) return 'The part before the @ is longer than 64 characters.';
  const [atext, quotedText] = utf8Local ? [UTF8_ATEXT, UTF8_QUOTED_TEXT] : [ATEXT, QUOTED_TEXT];
  return (isQuoted ? quotedText : atext).test(content)
    ? null
    : 'The part before the @ contains a character that is not allowed.';
}

/** Removes quotes and escapes from a local part. */
function unquotedLocal(local: string): string {
  return QUOTED_STRING.test(local) ? local.slice(1, -1).replace(/\\(.)/gs, '$1') : local;
}

function quotedLocal(content: string): string {
  return `"${content.replace(/["\\]/g, '\\$&')}"`;
}

function lengthProblem(email: string): string | null {
  return Buffer.byteLength(envelopeAddress(email)) > MAX_ADDRESS
    ? 'The address is longer than 254 characters.'
    : null;
}

/**
 * Explains in a sentence why a domain cannot be used for mail; `null` if it is valid. `underscore` accepts
 * underscores, which no host name has but some recipients' domains do.
 */
export function domainProblem(domain: string, { underscore = false } = {}): string | null {
  if (domain === '') return 'The address has no domain.';
  if (/\s/.test(domain)) return 'The domain contains a space.';
  if (domain.startsWith('[')) return 'Address literals are not supported. Use a domain name.';
  if (domain.length > MAX_INPUT) return 'The domain is too long.';
  const ascii = asciiDomain(domain);
  if (ascii === null) return 'The domain is not a valid domain name.';
  const labels = ascii.split('.');
  for (const label of labels) {
    if (label === '') return 'The domain has an empty label.';
    if (label.length > MAX_LABEL) return 'The domain has a label longer than 63 characters.';
    if (!(underscore ? /^[a-z0-9_-]+$/ : /^[a-z0-9-]+$/).test(label)) {
      return 'The domain contains a character that is not allowed.';
    }
    if (label.startsWith('-') || label.endsWith('-'))
      return 'A label of the domain starts or ends with a hyphen.';
  }
  if (labels.length < 2) return 'The domain must have at least two labels, like example.com.';
  if (/^\d+$/.test(labels.at(-1) ?? '')) return 'The domain ends in a number. Use a domain name.';
  return null;
}

/**
 * Converts to lower case and A-labels; `null` if IDNA refuses. ASCII domains pass unchecked, except for xn--
 * labels.
 */
function asciiDomain(domain: string): string | null {
  const lower = domain.toLowerCase();
  return /[^\x00-\x7f]|xn--/.test(lower) ? toAscii(lower) : lower;
}

/** Returns the domain of an address in lower case and A-labels; '' for an address without @. */
export function addressDomain(email: string): string {
  const at = email.lastIndexOf('@');
  if (at < 0) return '';
  const domain = email.slice(at + 1);
  return asciiDomain(domain) ?? domain.toLowerCase();
}

/**
 * Returns the key that identifies a mailbox in suppressions and contacts: lower case, domain in A-labels,
 * quotes only if necessary. Spellings that look the same share one key (Unicode normalization form C,
 * RFC 6532 section 3.1).
 */
export function addressKey(email: string): string {
  const at = email.lastIndexOf('@');
  if (at < 0) return keyText(email);
  const content = keyText(unquotedLocal(email.slice(0, at)));
  return `${UTF8_ATEXT.test(content) ? content : quotedLocal(content)}@${addressDomain(email)}`;
}

/** Whether unencoded text in the octets has the address of a key, ignoring case. Spreadsheets export UTF-16, with a byte order mark. */
export function holdsAddress(octets: Uint8Array, key: string): boolean {
  const isUtf16 = octets[0] === 0xff && octets[1] === 0xfe;
  return new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8').decode(octets).toLowerCase().includes(key);
}

/** Normalizes text as in the local part of a key. */
export function keyText(text: string): string {
  // Lower-casing may detach an accent as a combining character; a final sigma equals a sigma.
  return /[^\x00-\x7f]/.test(text)
    ? text.normalize('NFC').toLowerCase().replaceAll('ς', 'σ').normalize('NFC')
    : text.toLowerCase();
}

/**
 * Returns the address for MAIL FROM, RCPT TO and header fields: domain in A-labels, local part in its own
 * case (which may matter to its server) and quoted only if RFC 5321 section 4.1.2 requires it.
 */
export function envelopeAddress(email: string): string {
  const at = email.lastIndexOf('@');
  if (at < 0) return email;
  const content = unquotedLocal(email.slice(0, at));
  const isDotAtom = UTF8_ATEXT.test(content) && !MISPLACED_DOT.test(content);
  return `${isDotAtom ? content : quotedLocal(content)}@${addressDomain(email)}`;
}

/** Formats a mailbox as ASCII header text, unfolded. Throws if it contains CR, LF or NUL. */
export function formatMailbox(mailbox: Mailbox): string {
  assertOneLine('address', mailbox.email);
  const address = envelopeAddress(mailbox.email);
  if (mailbox.name === null || mailbox.name === '') return address;
  return `${encodePhrase(mailbox.name)} <${address}>`;
}
