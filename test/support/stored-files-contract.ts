// The contract of stored files, for every place that stores them.
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import type { StoredFiles } from '../../src/lib/files/index.js';
import { PART_BYTES } from '../../src/operations/files/stored-files.store.js';

const MOST = 100 * PART_BYTES;
const text = (octets: Uint8Array | null): string | null =>
  octets === null ? null : Buffer.from(octets).toString();

function inPieces(octets: Uint8Array, size: number): AsyncIterable<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < octets.length; at += size) pieces.push(octets.subarray(at, at + size));
  return Readable.from(pieces);
}

export function storedFilesContract(given: () => StoredFiles): void {
  const whole = (name: string): Promise<Uint8Array | null> => given().readAt(name, 0, MOST);
  const same = async (name: string, octets: Uint8Array): Promise<boolean> =>
    Buffer.compare((await whole(name)) ?? Buffer.of(0), octets) === 0;

  it('a file that is not there', async () => {
    const files = given();
    expect(await files.read('none')).toBeNull();
    expect(await files.readAt('none', 0, 10)).toBeNull();
    expect(await files.stream('none', { start: 0, end: 10 })).toBeNull();
    expect(await files.writeAt('none', 1, Buffer.of(1))).toBe(false);
    await files.remove('none');
    expect(await files.names()).toEqual([]);
  });

  it.each(['a/b', '../a', '..', '.', '', '.hidden', 'a b', 'a\0', 'x'.repeat(201)])(
    '%j is no name',
    async (name) => {
      const files = given();
      await expect((async () => files.read(name))()).rejects.toThrow('is not the name of a file');
      await expect((async () => files.replace(name, 'x'))()).rejects.toThrow('is not the name of a file');
      await expect((async () => files.writeAt(name, 0, Buffer.of(1)))()).rejects.toThrow('not the name');
      await expect((async () => files.remove(name))()).rejects.toThrow('not the name');
    },
  );

  it('is replaced as a whole, by something longer, shorter and empty', async () => {
    const files = given();
    for (const bytes of [3, 2 * PART_BYTES + 5, PART_BYTES, 0, 7]) {
      const octets = randomBytes(bytes);
      await files.replace('replaced', octets);
      expect(Buffer.compare((await files.read('replaced')) ?? Buffer.of(0), octets)).toBe(0);
      expect(await same('replaced', octets)).toBe(true);
    }
    await files.replace('replaced', 'in words: ä');
    expect(text(await files.read('replaced'))).toBe('in words: ä');
    await files.remove('replaced');
    expect(await files.read('replaced')).toBeNull();
  });

  it('is complete if several replace it simultaneously', async () => {
    const files = given();
    const all = ['a', 'b', 'c', 'd'].map((letter, i) => letter.repeat(i * PART_BYTES + 10));
    await Promise.all(all.map((content) => files.replace('at-once', content)));
    expect(all).toContain(text(await files.read('at-once')));
    await files.remove('at-once');
  });

  it('is created by the first of simultaneous callers', async () => {
    const files = given();
    const made = await Promise.all(['a', 'b', 'c'].map((content) => files.createOnce('once', content)));
    expect(new Set(made).size).toBe(1);
    expect(await files.createOnce('once', 'd')).toBe(made[0]);
    expect(text(await files.read('once'))).toBe(made[0]);
    await files.remove('once');
  });

  it('accepts data in pieces of any size, and refuses to replace another file', async () => {
    const files = given();
    for (const [bytes, size] of [
      [0, 1],
      [10, 3],
      [PART_BYTES, 1_000],
      [3 * PART_BYTES + 17, 3 * PART_BYTES],
      [2 * PART_BYTES, 65_536],
    ] as const) {
      const octets = randomBytes(bytes);
      expect(await files.receive('received', inPieces(octets, size))).toBe(bytes);
      expect(await same('received', octets)).toBe(true);
      await expect(files.receive('received', inPieces(Buffer.of(1), 1))).rejects.toThrow();
      expect(await same('received', octets)).toBe(true);
      await files.remove('received');
    }
  });

  it('leaves nothing behind if the data breaks off', async () => {
    const files = given();
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield randomBytes(PART_BYTES + 1);
      await Promise.resolve();
      throw new Error('broken off');
    }
    await expect(files.receive('broken', broken())).rejects.toThrow('broken off');
    expect([await files.readAt('broken', 0, 1), await files.names()]).toEqual([null, []]);
  });

  it('is written at its end, or from a place before it on, which ends it', async () => {
    const files = given();
    let octets = Buffer.alloc(0);
    const write = async (offset: number, bytes: number): Promise<void> => {
      const more = randomBytes(bytes);
      expect(await files.writeAt('written', offset, more)).toBe(true);
      octets = Buffer.concat([octets.subarray(0, offset), more]);
      expect(await same('written', octets)).toBe(true);
    };
    await write(0, 10);
    await write(10, 0);
    await write(10, PART_BYTES);
    expect(await files.writeAt('written', PART_BYTES + 11, Buffer.of(1))).toBe(false);
    await write(PART_BYTES + 10, 3 * PART_BYTES);
    await write(2 * PART_BYTES, 5);
    await write(2 * PART_BYTES + 5, PART_BYTES - 5);
    await write(3 * PART_BYTES, 1);
    await write(3 * PART_BYTES, 0);
    await write(7, 3);
    await write(0, 0);
    await files.remove('written');
    expect(await files.writeAt('written', 1, Buffer.of(1))).toBe(false);
  });

  it('is read from any place, and streamed', async () => {
    const files = given();
    const octets = randomBytes(2 * PART_BYTES + 100);
    await files.replace('read', octets);
    for (const [start, bytes] of [
      [0, 1],
      [5, PART_BYTES],
      [PART_BYTES - 1, 2],
      [PART_BYTES, PART_BYTES],
      [2 * PART_BYTES + 99, 10],
      [2 * PART_BYTES + 100, 10],
      [9 * PART_BYTES, 10],
    ] as const) {
      const expected = octets.subarray(start, start + bytes);
      const read = (await files.readAt('read', start, bytes)) ?? Buffer.from('none');
      expect([start, bytes, Buffer.compare(read, expected)]).toEqual([start, bytes, 0]);
      const stream = await files.stream('read', { start, end: start + bytes });
      const streamed = stream === null ? Buffer.from('none') : await buffer(stream);
      expect([start, bytes, Buffer.compare(streamed, expected)]).toEqual([start, bytes, 0]);
    }
    expect(await files.stream('read', { start: 5, end: 5 })).toBeNull();
    await files.remove('read');
  });

  it('is found by the time of its last write', async () => {
    const files = given();
    await files.replace('one', 'x');
    await files.writeAt('two', 0, Buffer.alloc(PART_BYTES + 1));
    expect((await files.names()).toSorted()).toEqual(['one', 'two']);
    expect((await files.names(Date.now() + 60_000)).toSorted()).toEqual(['one', 'two']);
    expect(await files.names(Date.now() - 60_000)).toEqual([]);
    await files.remove('one');
    expect(await files.names()).toEqual(['two']);
    await files.remove('two');
  });

  it('a large one goes in and out without being held', async () => {
    const files = given();
    const parts = 10;
    const piece = Buffer.alloc(PART_BYTES, 'a row of a file\n');
    async function* many(): AsyncGenerator<Uint8Array> {
      for (let i = 0; i < parts; i++) {
        await Promise.resolve();
        yield piece;
      }
    }
    expect(await files.receive('large', many())).toBe(parts * PART_BYTES);
    expect(await files.readAt('large', parts * PART_BYTES - 16, 99)).toEqual(piece.subarray(0, 16));
    await files.remove('large');
    expect(await files.readAt('large', 0, 1)).toBeNull();
  });
}
