// Tests the limits of uploaded files: rows in memory, and archives.
import { describe, expect, it } from 'vitest';
import { POSTAL } from '../../src/account-imports/sources/postal.js';
import { Links } from '../../src/account-imports/uploads/links.js';
import { readSqlDump } from '../../src/account-imports/uploads/sql-dump.js';
import { unpacked } from '../../src/account-imports/uploads/unpacked.js';
import { UploadMemory } from '../../src/account-imports/uploads/upload-memory.js';
import { openArchive } from '../../src/account-imports/uploads/zip-archive.js';
import { zipOf } from '../support/mailed-reports.js';

describe('rows that refer to later ones', () => {
  it('are found by their key in the order in which they came', () => {
    const links = new Links(2, () => undefined);
    for (let i = 0; i < 5_000; i++) links.add(i % 3, [i, -i]);
    const first = links.take(1);
    expect(first.slice(0, 2)).toEqual([
      [1, -1],
      [4, -4],
    ]);
    expect(first).toHaveLength(1667);
    expect(links.take(9)).toEqual([]);
  });
});

describe('rows with the same key', () => {
  it('are returned once', () => {
    const links = new Links(1, () => undefined);
    links.add(1, [7]);
    expect(links.take(1)).toEqual([[7]]);
    expect(links.take(1)).toEqual([]);
  });

  it('are limited', () => {
    const links = new Links(1, () => undefined);
    for (let i = 0; i <= 10_000; i++) links.add(1, [i]);
    expect(() => links.take(1)).toThrow('a subscriber with more than 10000');
  });
});

describe('rows in memory', () => {
  it('are limited for a file, and for all files until they are read', () => {
    const memory = new UploadMemory();
    expect(() => memory.open().hold(3_000_001)).toThrow('than Mailkeel can hold in memory');
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

describe('a dump', () => {
  const MIB = 1024 * 1024;
  const PIECE = 16_384;
  const HEAD = '-- PostgreSQL database dump\n';

  async function rowsOfDump(text: string) {
    const rows = [];
    const pieces = Array.from({ length: Math.ceil(text.length / PIECE) }, (_, i) =>
      text.slice(i * PIECE, (i + 1) * PIECE),
    );
    const terms = { dialect: 'postgresql', isWanted: (table: string) => table === 'lists' } as const;
    for await (const some of readSqlDump(piecesOf(pieces), terms)) rows.push(...some);
    return rows;
  }
  const END = '\n-- PostgreSQL database dump complete\n';

  it.each([
    ['a row with many values', `INSERT INTO lists (id) VALUES (${'1,'.repeat(300_000)}1);`],
    [
      'a row of several large values',
      `INSERT INTO lists (a, b) VALUES ('${'x'.repeat(9 * MIB)}', '${'x'.repeat(9 * MIB)}');`,
    ],
    ['a statement with many columns', `INSERT INTO lists (${'a,'.repeat(300_000)}a) VALUES (1);`],
    ['definitions with many columns', `CREATE TABLE lists (a int${',a int'.repeat(150_000)});`.repeat(2)],
  ])('with %s is refused before it fills the memory', async (_name, statement) => {
    await expect(rowsOfDump(`${HEAD}${statement}${END}`)).rejects.toThrow('larger than 16 MiB');
  });

  it('may have a value of doubled quotes', async () => {
    const [row] = await rowsOfDump(`${HEAD}INSERT INTO lists (id) VALUES ('${"''".repeat(4 * MIB)}');${END}`);
    expect(row?.cells.get('id') === "'".repeat(4 * MIB)).toBe(true);
  });
});

it('counts the settings of Postal by their size', async () => {
  const url = 'x'.repeat(1024 * 1024);
  const webhook = `INSERT INTO webhooks (id, url) VALUES (1, '${url}');`;
  let held = 0;
  const upload = {
    pieces: piecesOf([`-- MariaDB dump\nUSE postal;\n${webhook}\n-- Dump completed\n`]),
    ...{ charset: null, name: null, spool: () => Promise.reject(new Error('not used')) },
    hold: (rows: number) => (held += rows),
  };
  await expect(POSTAL.receive(upload).next()).rejects.toThrow('does not begin with the Postal configuration');
  expect(held).toBeGreaterThan(20_000);
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

  it('may have a limited amount of names', async () => {
    const long = zipOf(Array.from({ length: 300 }, (_, i) => file(`${i}${'x'.repeat(60_000)}`)));
    await expect(openArchive(spooled(long), () => false)).rejects.toThrow('entry names that are too long');
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
