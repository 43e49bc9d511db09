// Converts mail with 8-bit octets for peers that only accept ASCII (RFC 6152 section 3).
import { isAscii } from 'node:buffer';
import { reEncode, type Transport } from './re-encode.js';
import type { ComposedMessage } from './mime-build.js';
import { asciiField } from './ascii-field.js';

const SEVEN_BIT: Transport = {
  fits: isAscii,
  fieldLine: asciiField,
  unread: (octets) =>
    isAscii(octets) ? octets : Buffer.from(octets.toString('latin1').replace(/[\x80-\xff]/g, '?'), 'latin1'),
  multipartEncoding: '7bit',
};

/** Returns the mail in ASCII, or `null` if that would break a signature or a part has no ASCII form. */
export function toSevenBit(message: ComposedMessage): ComposedMessage | null {
  return reEncode(message, SEVEN_BIT);
}
