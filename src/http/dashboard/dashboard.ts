// Serves the dashboard's page and files. All its addresses return the same page, whose script reads the address and gets its
// data from /v1.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { Refusal } from '../../contract/refusal.js';
import { PACKAGE_ROOT } from '../../lib/runtime/index.js';
import type { Api } from '../api.js';
import {
  html,
  once,
  page,
  sendStatic,
  staticFile,
  staticPage,
  type StaticPage,
} from '../../lib/http/index.js';
import { readdir, readFile, stat } from 'node:fs/promises';
import { extname } from 'node:path';

// The Content-Security-Policy of the dashboard's page. Record 75 gives the reason for each part.
/** Frames with mail inherit this policy and narrow it by their own. */
const DASHBOARD_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob: https: http:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self' blob:",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

// The built files of the dashboard. The folder is read at the first request; each file is read and compressed when first
// requested.
/** Types by file extension, and whether compression helps. Other files are not served. */
const TYPES: Readonly<Record<string, { type: string; isText: boolean }>> = {
  '.css': { type: 'text/css; charset=utf-8', isText: true },
  '.js': { type: 'text/javascript; charset=utf-8', isText: true },
  '.json': { type: 'application/json; charset=utf-8', isText: true },
  '.svg': { type: 'image/svg+xml', isText: true },
  '.png': { type: 'image/png', isText: false },
  '.woff': { type: 'font/woff', isText: false },
  '.woff2': { type: 'font/woff2', isText: false },
};

/** Browsers revalidate the page at each visit. */
const PAGE_CACHE = 'no-cache';
/** A file's name changes with its content. */
const ASSET_CACHE = 'public, max-age=31536000, immutable';

interface DashboardFiles {
  /** Returns the page for every address of the dashboard; null if it was not built. */
  page(): Promise<StaticPage | null>;
  /** Null when there is no such file. */
  asset(name: string): Promise<StaticPage | null>;
}

/** `folder` ends with a slash. A missing or rebuilt folder is read again at the next request. */
function createDashboardFiles(folder: URL): DashboardFiles {
  const index = new URL('index.html', folder);
  let build: Build | undefined;
  async function current(): Promise<Build> {
    const { mtimeMs: builtAt } = await stat(index);
    if (build?.builtAt !== builtAt) build = readBuild(folder, builtAt);
    return build;
  }
  return {
    page: () => unlessMissing(current().then((known) => known.page())),
    asset: (name) =>
      unlessMissing(
        current()
          .then(({ assets }) => assets())
          .then(async (known) => (await known.get(name)?.()) ?? null),
      ),
  };
}

interface Build {
  /** Time at which the page was written. */
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

const BUILT = new URL('clients/dashboard/dist/', PACKAGE_ROOT);

/** Path of a workspace's environment, below which all mail pages are. */
const PLACE = '/:workspace(^ws_[0-9a-z]{26}$)/:mode(^live$|^test$)';
const ADDRESSES = ['/sign-in', PLACE, `${PLACE}/*`];

const MISSING = page(
  'The dashboard is not built',
  html`<main class="narrow">
    <h1>The dashboard is not built</h1>
    <p>
      The server runs, and its API works. The files of the dashboard are missing: stop the server, run
      <code>npm run build</code> in its folder, and start it again.
    </p>
    <p>The <a href="/docs">API reference</a> works without them.</p>
  </main>`,
);

interface DashboardOptions {
  /** Returns whether the server has no owner yet. */
  isSetupNeeded: () => Promise<boolean>;
  publicUrl: string;
  /** Folder of the built files, with a final slash. */
  folder?: URL;
}

/** Declares `GET /`, which leads to the dashboard or the set-up and gives programs links, and the dashboard's addresses and files. */
export function dashboardRoutes(
  app: Api,
  { isSetupNeeded, publicUrl, folder = BUILT }: DashboardOptions,
): void {
  const options = { config: { public: true }, schema: { hide: true } };
  const files = createDashboardFiles(folder);
  const links = linksBelow(publicUrl);

  const answerPage = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const built = await files.page();
    if (built === null) return reply.status(503).type('text/html; charset=utf-8').send(MISSING);
    return sendStatic(built, request, reply.header('content-security-policy', DASHBOARD_POLICY));
  };

  app.get('/', options, async (request, reply) => {
    void reply.header('vary', 'Accept');
    if (request.headers.accept?.includes('text/html') !== true) return links;
    return (await isSetupNeeded()) ? reply.redirect('/setup', 303) : answerPage(request, reply);
  });
  for (const address of ADDRESSES) app.get(address, options, answerPage);

  const schema = { hide: true, params: Type.Object({ name: Type.String() }) };
  app.get('/assets/:name', { ...options, schema }, async (request, reply) => {
    const file = await files.asset(request.params.name);
    if (file === null) throw new Refusal('not_found');
    return sendStatic(file, request, reply);
  });
}

function linksBelow(publicUrl: string) {
  return {
    object: 'links',
    documentation: `${publicUrl}/docs`,
    openapi: `${publicUrl}/openapi.json`,
    me: `${publicUrl}/v1/me`,
    messages: `${publicUrl}/v1/messages`,
    health: `${publicUrl}/healthz`,
  };
}
