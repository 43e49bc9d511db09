// The byte order mark that an uploaded text begins with.
import { TextDecoder } from 'node:util';

export const UTF8_MARK_BYTES = 3;

/** By its first octets; UTF-8 where they say nothing. */
export function encodingOf(octets: Uint8Array): {
  name: 'utf-8' | 'utf-16le' | 'utf-16be';
  hasMark: boolean;
} {
  const [first, second, third] = octets;
  if (first === 0xff && second === 0xfe) return { name: 'utf-16le', hasMark: true };
  if (first === 0xfe && second === 0xff) return { name: 'utf-16be', hasMark: true };
  return { name: 'utf-8', hasMark: first === 0xef && second === 0xbb && third === 0xbf };
}

/** The same text in UTF-8 without a mark: as it came, or from UTF-16, as spreadsheets write it. */
export async function* utf8Of(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let head: Uint8Array | null = new Uint8Array(0);
  let decoder: TextDecoder | null = null;
  const converted = (piece: Uint8Array): Uint8Array =>
    decoder ? Buffer.from(decoder.decode(piece, { stream: true })) : piece;
  const begin = (octets: Uint8Array): Uint8Array => {
    const { name, hasMark } = encodingOf(octets);
    if (name !== 'utf-8') decoder = new TextDecoder(name); // takes the mark away itself
    return converted(name === 'utf-8' && hasMark ? octets.subarray(UTF8_MARK_BYTES) : octets);
  };
  for await (const piece of pieces) {
    if (head === null) {
      yield converted(piece);
      continue;
    }
    head = Buffer.concat([head, piece]);
    if (head.length < UTF8_MARK_BYTES) continue;
    yield begin(head);
    head = null;
  }
  if (head) yield begin(head);
}
