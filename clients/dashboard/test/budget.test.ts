// What a browser has to load: the first page, and each page after it.
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

const CONFIG = fileURLToPath(new URL('../vite.config.js', import.meta.url));
const KB = 1000;
const ENTRY_AND_STYLES = 200 * KB;
const PAGE = 130 * KB;
const EDITOR = 190 * KB;

describe('the size of the dashboard', () => {
  let chunks: Map<string, Rolldown.OutputChunk>;
  let sizes: Map<string, number>;
  beforeAll(async () => {
    // As it is shipped: under another environment React's checks are built in.
    vi.stubEnv('NODE_ENV', 'production');
    const built = (await build({
      configFile: CONFIG,
      logLevel: 'error',
      build: { write: false },
    })) as Rolldown.RolldownOutput;
    chunks = new Map();
    sizes = new Map();
    for (const file of built.output) {
      sizes.set(file.fileName, gzipSync(file.type === 'chunk' ? file.code : file.source).length);
      if (file.type === 'chunk') chunks.set(file.fileName, file);
    }
  });

  afterAll(() => void vi.unstubAllEnvs());

  /** A chunk and all that it imports, but for what is loaded already. */
  function closureOf(name: string, loaded: ReadonlySet<string> = new Set()): Set<string> {
    const all = new Set<string>();
    const add = (file: string): void => {
      if (loaded.has(file) || all.has(file)) return;
      all.add(file);
      for (const other of chunks.get(file)?.imports ?? []) add(other);
    };
    add(name);
    return all;
  }

  const sum = (names: Iterable<string>): number =>
    [...names].reduce((total, name) => total + (sizes.get(name) ?? 0), 0);

  function entry(): Rolldown.OutputChunk {
    const found = [...chunks.values()].find(({ isEntry }) => isEntry);
    if (!found) throw new Error('there is no entry');
    return found;
  }

  it('is at most 200 KB for the entry with its styles', () => {
    const styles = [...sizes.keys()].filter((name) => /^assets\/index-.*\.css$/.test(name));
    expect(styles).toHaveLength(1);
    expect(sum(closureOf(entry().fileName)) + sum(styles)).toBeLessThanOrEqual(ENTRY_AND_STYLES);
  });

  it('is at most 130 KB for a page, 190 KB for an editor', () => {
    const loaded = closureOf(entry().fileName);
    const tooLarge = [...chunks.values()]
      .filter(({ isDynamicEntry }) => isDynamicEntry)
      .map(({ fileName }) => ({ fileName, size: sum(closureOf(fileName, loaded)) }))
      .filter(({ fileName, size }) => size > (/editor|codemirror/i.test(fileName) ? EDITOR : PAGE));
    expect(tooLarge).toEqual([]);
  });
});
