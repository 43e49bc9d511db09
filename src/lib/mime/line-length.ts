// Re-encodes leaves whose lines exceed SMTP's limit, such as HTML on one line (RFC 5321 section 4.5.3.1.6).
// Everything else keeps its octets.
import { reEncode, type Transport } from './re-encode.js';
import { MAX_LINE } from './header-field.js';
import type { ComposedMessage } from './mime-build.js';

const LF = 0x0a;
const CR = 0x0d;

const LINE_LENGTH: Transport = {
  fits: (octets) => !hasLongLine(octets),
  fieldLine: ({ line }) => (line.split('\r\n').some((one) => one.length > MAX_LINE) ? null : line),
  // A line that begins with a blank cannot be a delimiter.
  unread: (octets) =>
    hasLongLine(octets)
      ? Buffer.from(octets.toString('latin1').replace(/[^\r\n]{900}/g, '$&\r\n '), 'latin1')
      : octets,
  multipartEncoding: null,
};

/** Returns whether a line exceeds the limit. Lines end with CRLF; the last one may have no end. */
export function hasLongLine(octets: Buffer): boolean {
  let start = 0;
  for (;;) {
    const end = octets.indexOf(LF, start);
    if (end === -1) return octets.length - start > MAX_LINE;
    const length = end - start - (octets[end - 1] === CR ? 1 : 0);
    if (length > MAX_LINE) return true;
    start = end + 1;
  }
}

/**
 * Returns the mail with no line above 998 octets, or `null` if a header field or a signed, encrypted or
 * already encoded part has a longer one.
 */
export function withinLineLength(message: ComposedMessage): ComposedMessage | null {
  return reEncode(message, LINE_LENGTH);
}
