// The built files of the dashboard: found in the folder at the first request, each read and compressed when it is first asked for.
import { readdir, readFile, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { once, staticFile, staticPage, type StaticPage } from '../../lib/http/static-page.js';

/** By the name's end, and whether compression makes it smaller. Other files are not served. */
const TYPES: Readonly<Record<string, { type: string; isText: boolean }>> = {
  '.css': { type: 'text/css; charset=utf-8', isText: true },
  '.js': { type: 'text/javascript; charset=utf-8', isText: true },
  '.json': { type: 'application/json; charset=utf-8', isText: true },
  '.svg': { type: 'image/svg+xml', isText: true },
  '.png': { type: 'image/png', isText: false },
  '.woff': { type: 'font/woff', isText: false },
  '.woff2': { type: 'font/woff2', isText: false },
};

/** Asked for again at each visit, and sent when it has changed. */
const PAGE_CACHE = 'no-cache';
/** The name changes with the content. */
const ASSET_CACHE = 'public, max-age=31536000, immutable';

export interface DashboardFiles {
  /** The page, which is the same for every address of the dashboard; null when it was not built. */
  page(): Promise<StaticPage | null>;
  /** Null when there is no such file. */
  asset(name: string): Promise<StaticPage | null>;
}

/** `folder` ends with a slash. A folder that is not there, or was built anew since, is looked at again at the next request. */
export function createDashboardFiles(folder: URL): DashboardFiles {
  const index = new URL('index.html', folder);
  let build: Build | undefined;
  async function current(): Promise<Build> {
    const { mtimeMs: builtAt } = await stat(index);
    if (build?.builtAt !== builtAt) build = readBuild(folder, builtAt);
    return build;
  }
  return {
    page: () => unlessMissing(current().then(({ page }) => page())),
    asset: (name) =>
      unlessMissing(
        current()
          .then(({ assets }) => assets())
          .then(async (known) => (await known.get(name)?.()) ?? null),
      ),
  };
}

interface Build {
  /** When its page was written. */
  builtAt: number;
  page: () => Promise<StaticPage>;
  assets: () => Promise<Map<string, () => Promise<StaticPage>>>;
}

function readBuild(folder: URL, builtAt: number): Build {
  return {
    builtAt,
    page: once(async () => {
      const text = await readFile(new URL('index.html', folder));
      return staticPage('text/html; charset=utf-8', text, PAGE_CACHE);
    }),
    assets: once(async () => {
      const names = await readdir(new URL('assets/', folder));
      return new Map(names.flatMap((name) => entryOf(folder, name)));
    }),
  };
}

function entryOf(folder: URL, name: string): [string, () => Promise<StaticPage>][] {
  const kind = TYPES[extname(name)];
  if (!kind) return [];
  const read = once(async () => {
    const octets = await readFile(new URL(`assets/${encodeURIComponent(name)}`, folder));
    return kind.isText
      ? staticPage(kind.type, octets, ASSET_CACHE)
      : staticFile(kind.type, octets, ASSET_CACHE);
  });
  return [[name, read]];
}

async function unlessMissing<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
