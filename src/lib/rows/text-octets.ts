// Determines the encoding of an uploaded text: by byte order mark, by the client's declaration, or by a guess
// per row.
import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { decodeCharset } from '../mime/index.js';

export const UTF8_MARK_BYTES = 3;
const UTF8_MARK = Buffer.from('\ufeff');
/** A multi-octet UTF-8 character in text with one character per octet. */
const UTF8_SEQUENCE = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/;

/**
 * Returns the standard name of a charset, such as `windows-1252` for `latin1`; `null` if it cannot be
 * decoded.
 */
export function findCharset(label: string): string | null {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}

/** Returns the encoding named by a byte order mark; `null` without one. */
export function markedEncoding(octets: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' | null {
  const [first, second, third] = octets;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xef && second === 0xbb && third === 0xbf ? 'utf-8' : null;
}

/**
 * Yields text of known encoding as UTF-8 with a byte order mark, and other text unchanged. A mark overrides
 * `charset`, the standard name that the client declared or `null`.
 */
export async function* markedOctets(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  charset: string | null,
): AsyncGenerator<Uint8Array> {
  let head: Uint8Array | null = Buffer.alloc(0);
  let decoder: TextDecoder | null = null;
  const converted = (piece?: Uint8Array): Uint8Array =>
    decoder
      ? Buffer.from(decoder.decode(piece, { stream: piece !== undefined }))
      : (piece ?? Buffer.alloc(0));
  function* begin(octets: Uint8Array): Generator<Uint8Array> {
    const marked = markedEncoding(octets);
    const encoding = marked ?? charset;
    if (encoding !== null && marked !== 'utf-8') yield UTF8_MARK;
    // The decoder drops the mark of UTF-16.
    if (encoding !== null && encoding !== 'utf-8') decoder = new TextDecoder(encoding);
    yield converted(octets);
  }
  for await (const piece of pieces) {
    if (head === null) {
      yield converted(piece);
      continue;
    }
    head = Buffer.concat([head, piece]);
    if (head.length < UTF8_MARK_BYTES) continue;
    yield* begin(head);
    head = null;
  }
  if (head !== null) yield* begin(head);
  yield converted();
}

/**
 * Returns the text of a row; `null` if it is not UTF-8. If the encoding is unknown, octets without any UTF-8
 * sequence are windows-1252, which spreadsheets write.
 */
export function rowText(octets: Uint8Array, isKnownUtf8: boolean): string | null {
  const buffer = Buffer.from(octets.buffer, octets.byteOffset, octets.length);
  if (isUtf8(octets)) return buffer.toString();
  return isKnownUtf8 || UTF8_SEQUENCE.test(buffer.toString('latin1'))
    ? null
    : decodeCharset(octets, 'windows-1252');
}
