// Finds addresses, SMTP replies with their codes (RFC 3463) and host names in the text of a delivery report.

/** A peer's reply as quoted in a report. */
export interface QuotedReply {
  /** Basic code; `null` if the text has none. */
  code: number | null;
  enhanced: string | null;
  /** The text from the code on, or all of it; lines kept, nothing cleaned. */
  text: string;
}

/** Characters of a line that are read. */
export const MAX_LINE_CHARS = 512;

const ADDRESS = /[^\s<>()[\]",;:@\\\p{Ps}\p{Pe}：，。；、]{1,64}@[\p{L}\p{N}][\p{L}\p{N}_.-]{0,252}/u;
const HOST = /(?:[a-z0-9_][a-z0-9_-]{0,62}\.){1,10}[a-z][a-z0-9-]{0,62}/i;
const IP = /(?:\d{1,3}\.){3}\d{1,3}|(?:[0-9a-f]{1,4}:){2,7}[0-9a-f:]{0,20}/i;

/** Places of a reply in text that may contain other numbers, most certain first. Group 1 is the code. */
const REPLIES = [
  /(?<![\d.])([45]\d\d)[ -]{1,3}['"#(]{0,2}[245]\.\d{1,3}\.\d{1,3}(?!\.?\d)/,
  /^[^\n]{0,60}(?:<<<|<--) {0,3}([45]\d\d)(?![\d.])/m,
  /^[ \t"'(#]{0,40}([45]\d\d)(?:[ -]|$)/m,
  /(?:[:;'"=]|code|\b(?:error|returned|said|reply|replied|response|reason)) {0,3}[#(]?([45]\d\d)(?=[\s,;-])/i,
];

const ENHANCED = '[245]\\.\\d{1,3}\\.\\d{1,3}(?!\\.?\\d)';
const ENHANCED_CODES = [
  new RegExp(`^\\W{0,4}(?:\\d{3}[ -]{1,3})?['"#(]{0,2}(${ENHANCED})`, 'm'),
  new RegExp(`[#(]{1,2}(${ENHANCED})`),
  new RegExp(`(?:^|[\\W_])(?:status|code|error)\\W{0,5}(${ENHANCED})`, 'i'),
];

/** Returns the first mail address and its offset; `null` if there is none. */
export function addressIn(text: string): { address: string; at: number } | null {
  const match = ADDRESS.exec(text);
  if (!match) return null;
  const [found] = match;
  const quotes = /^['`*]{0,64}/.exec(found)?.[0].length ?? 0;
  const address = found.slice(quotes).replace(/[.-]{1,252}$/, '');
  return address.startsWith('@') ? null : { address, at: match.index + quotes };
}

/** Returns the addresses of a header field that lists them, at most `max`. */
export function addressesIn(text: string, max: number): string[] {
  const found: string[] = [];
  let rest = text;
  while (found.length < max) {
    const next = addressIn(rest);
    if (!next) break;
    found.push(next.address);
    rest = rest.slice(next.at + next.address.length);
  }
  return found;
}

const ASCII_ADDRESS =
  /(?:[\w.!#$%&'*+/=?^{|}~-]{1,64}|"(?:[^"\\\r\n]|\\.){1,64}")@[a-z0-9][a-z0-9_-]{0,62}(?:\.[a-z0-9_][a-z0-9_-]{0,62}){1,10}/gi;
const MAX_ADDRESSES = 20;

/** Returns the addresses in a text, also in scripts without spaces; at most 20. */
export function addressesInWords(text: string): string[] {
  const ascii = new Set(text.match(ASCII_ADDRESS)?.slice(0, MAX_ADDRESSES));
  return ascii.size > 0 ? [...ascii] : addressesIn(text, MAX_ADDRESSES);
}

/** Returns the first host name in lower case, otherwise the first IP address; `null` without either. */
export function hostIn(text: string): string | null {
  const line = text.slice(0, MAX_LINE_CHARS);
  return (HOST.exec(line)?.[0] ?? IP.exec(line)?.[0])?.toLowerCase() ?? null;
}

/** Finds the quoted reply, with an RFC 3463 code if the text contains one. */
export function replyIn(words: string): QuotedReply {
  for (const pattern of REPLIES) {
    const match = pattern.exec(words);
    if (!match) continue;
    const [whole, digits = ''] = match;
    const text = words.slice(match.index + whole.indexOf(digits));
    return { code: Number(digits), enhanced: enhancedIn(text), text };
  }
  return { code: null, enhanced: enhancedIn(words), text: words };
}

function enhancedIn(words: string): string | null {
  for (const pattern of ENHANCED_CODES) {
    const code = pattern.exec(words)?.[1];
    if (code !== undefined) return code;
  }
  return null;
}
