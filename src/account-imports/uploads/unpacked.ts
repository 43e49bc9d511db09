// Unpacks an upload that is compressed with gzip (RFC 1952).
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { unusableFile } from './upload.js';

/** Largest unpacked file. */
const MAX_BYTES = 16 * 1024 ** 3;
const MAGIC = [0x1f, 0x8b];

/** Yields the content of a file, which may be compressed. Throws a Refusal for damaged and for incomplete data. */
export async function* unpacked(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { head, all } = await firstOctets(pieces, MAGIC.length);
  if (!MAGIC.every((octet, i) => head[i] === octet)) {
    yield* all;
    return;
  }
  const gunzip = createGunzip();
  // An error of either end is thrown by the loop below.
  void pipeline(Readable.from(all, { objectMode: false }), gunzip).catch(() => undefined);
  let bytes = 0;
  try {
    for await (const piece of gunzip as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > MAX_BYTES) throw unusableFile('is larger than 16 GiB when unpacked');
      yield piece;
    }
  } catch (error) {
    const isOfData = error instanceof Error && 'code' in error && /^Z_/.test(String(error.code));
    throw isOfData ? unusableFile('is damaged or incomplete, because it cannot be unpacked') : error;
  }
}

/** Reads the first octets; `all` has them again, and the rest. */
export async function firstOctets(
  pieces: AsyncIterable<Uint8Array>,
  count: number,
): Promise<{ head: Uint8Array; all: AsyncGenerator<Uint8Array> }> {
  const iterator = pieces[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  while (head.length < count) {
    const next = await iterator.next();
    if (next.done === true) break;
    head = Buffer.concat([head, next.value]);
  }
  async function* all(): AsyncGenerator<Uint8Array> {
    if (head.length > 0) yield head;
    yield* { [Symbol.asyncIterator]: () => iterator };
  }
  return { head, all: all() };
}
