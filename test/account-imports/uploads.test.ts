// Limits of uploaded files: rows in memory, and archives.
import { describe, expect, it } from 'vitest';
import { Links } from '../../src/account-imports/uploads/links.js';
import { unpacked } from '../../src/account-imports/uploads/unpacked.js';
import { UploadMemory } from '../../src/account-imports/uploads/upload-memory.js';
import { openArchive } from '../../src/account-imports/uploads/zip-archive.js';
import { zipOf } from '../support/mailed-reports.js';

describe('rows that refer to later ones', () => {
  it('are found by their key in the order in which they came', () => {
    const links = new Links(2, () => undefined);
    for (let i = 0; i < 5_000; i++) links.add(i % 3, [i, -i]);
    expect(links.of(1).slice(0, 2)).toEqual([
      [1, -1],
      [4, -4],
    ]);
    expect(links.of(1)).toHaveLength(1667);
    expect(links.of(9)).toEqual([]);
  });
});

describe('rows in memory', () => {
  it('are limited for a file, and for all files until they are read', () => {
    const memory = new UploadMemory();
    expect(() => memory.open().hold(3_000_001)).toThrow('has more than 3000000');
    const others = new UploadMemory();
    const [first, second, third] = [others.open(), others.open(), others.open()];
    first.hold(3_000_000);
    second.hold(3_000_000);
    expect(() => third.hold(1)).toThrow('Other large files are being read.');
    first.release();
    second.release();
    third.release();
    expect(() => others.open().hold(3_000_000)).not.toThrow();
  });
});

describe('an archive', () => {
  const spooled = (octets: Uint8Array) => ({
    size: octets.length,
    read: (offset: number, bytes: number) => Promise.resolve(octets.subarray(offset, offset + bytes)),
  });
  const file = (name: string, content = 'x') => ({ name, content: Buffer.from(content) });

  it('may have a limited number of entries', async () => {
    const many = zipOf(Array.from({ length: 20_001 }, (_, i) => file(`${i}`)));
    await expect(openArchive(spooled(many), () => true)).rejects.toThrow('has more than 20000 entries');
  });

  it('ends with an error where an entry is larger than it claims', async () => {
    const lie = zipOf([{ ...file('a.csv', 'x'.repeat(100_000)), claimedBytes: 10 }]);
    const [entry] = await openArchive(spooled(lie), () => true);
    const read = async () => {
      for await (const piece of entry?.read() ?? []) expect(piece.length).toBeLessThanOrEqual(10);
    };
    await expect(read()).rejects.toThrow('is damaged or incomplete');
  });
});

it('passes on a file that is not compressed, also an empty one', async () => {
  const content = async (...pieces: string[]) => {
    const found: Uint8Array[] = [];
    for await (const piece of unpacked(piecesOf(pieces))) found.push(piece);
    return Buffer.concat(found).toString();
  };
  expect(await content('a', 'bc')).toBe('abc');
  expect(await content()).toBe('');
});

async function* piecesOf(texts: readonly string[]): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  for (const text of texts) yield Buffer.from(text);
}
