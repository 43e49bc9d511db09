// Tests how much a browser must load of the dashboard that `test:system` has built: for the first page, and for each page after
// it.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';

const BUILT = fileURLToPath(new URL('../../dist/', import.meta.url));
const KB = 1000;
const ENTRY_AND_STYLES = 200 * KB;
const PAGE = 130 * KB;
const EDITOR = 190 * KB;

interface BuiltFile {
  text: string;
  /** Gzipped. */
  size: number;
}

const files = new Map(
  readdirSync(`${BUILT}assets`).map((name): [string, BuiltFile] => {
    const octets = readFileSync(`${BUILT}assets/${name}`);
    return [name, { text: octets.toString(), size: gzipSync(octets).length }];
  }),
);

/** Names of files that are found by a pattern's first group. */
function named(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, name = '']) => name).filter((name) => files.has(name));
}

/** A file and all of its imports, except those that are already loaded. */
function closureOf(name: string, loaded: ReadonlySet<string> = new Set()): Set<string> {
  const all = new Set<string>();
  const add = (file: string): void => {
    if (loaded.has(file) || all.has(file)) return;
    all.add(file);
    for (const other of named(files.get(file)?.text ?? '', /\b(?:from|import)\s*["'`]\.\/([^"'`]+)["'`]/g))
      add(other);
  };
  add(name);
  return all;
}

const sum = (names: Iterable<string>): number =>
  [...names].reduce((total, name) => total + (files.get(name)?.size ?? 0), 0);

describe('the size of the dashboard', () => {
  const page = readFileSync(`${BUILT}index.html`, 'utf8');
  const [entry = ''] = named(page, /<script [^>]*src="\/assets\/([^"]+)"/g);
  const loaded = closureOf(entry);

  it('is at most 200 KB for the entry with its styles', () => {
    const styles = named(page, /<link rel="stylesheet" [^>]*href="\/assets\/([^"]+)"/g);
    expect(styles).toHaveLength(1);
    // The page preloads the imports of the entry.
    const preloaded = named(page, /<link rel="modulepreload" [^>]*href="\/assets\/([^"]+)"/g);
    expect([...loaded].toSorted()).toEqual([entry, ...preloaded].toSorted());
    expect(sum(loaded) + sum(styles)).toBeLessThanOrEqual(ENTRY_AND_STYLES);
  });

  it('is at most 130 KB for a page, 190 KB for an editor', () => {
    const pages = new Set(
      [...files.values()].flatMap(({ text }) => named(text, /\bimport\(\s*["'`]\.\/([^"'`]+)/g)),
    );
    expect(pages.size).toBeGreaterThan(40);
    const tooLarge = [...pages]
      .map((name) => ({ name, size: sum(closureOf(name, loaded)) }))
      .filter(({ name, size }) => size > (/editor|codemirror/i.test(name) ? EDITOR : PAGE));
    expect(tooLarge).toEqual([]);
  });
});
