// Serves the OpenAPI document, the /docs site, the SDK and CLI packages of this release, and the style and icon of all pages.
import { readFile } from 'node:fs/promises';
import { Type } from 'typebox';
import { createDocsSite } from './site.js';
import { SITE_POLICY } from './layout.js';
import type { Described } from './openapi-model.js';
import {
  once,
  sendStatic,
  staticFile,
  staticPage,
  STYLESHEET,
  STYLESHEET_PATH,
} from '../../lib/http/index.js';
import { FAVICON, FAVICON_PATH } from '../mark.js';
import { PACKAGE_ROOT } from '../../lib/runtime/index.js';
import { Refusal } from '../../contract/refusal.js';
import { answerNotFound } from '../server/wrong-method.js';
import type { Api } from '../api.js';

const config = { public: true };
const JSON_TYPE = 'application/json; charset=utf-8';
const MAX_QUERY = 100;
/** The icon contains a style, which the usual policy would block when the file is opened directly. */
const ICON_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
/** Built by `npm run build`. */
const PACKAGES = ['sdk.tgz', 'cli.tgz'];

export function docsRoutes(app: Api): void {
  // These are created from the complete routes at the first request and do not change afterwards. The generator's type lacks
  // OpenAPI 3.1.
  const document = (): Described => app.swagger() as unknown as Described;
  const json = once(() => staticPage(JSON_TYPE, JSON.stringify(servedDocument(document()))));
  const style = once(() => staticPage('text/css; charset=utf-8', STYLESHEET));
  const icon = once(() => staticPage('image/svg+xml', FAVICON));
  const site = createDocsSite(document);

  for (const name of PACKAGES) {
    const packed = once(async () =>
      staticFile('application/gzip', await readFile(new URL(`dist/${name}`, PACKAGE_ROOT))),
    );
    app.get(`/${name}`, { config }, async (request, reply) => {
      const file = await packed().catch(() => null);
      if (file === null) throw new Refusal('not_found', `${name} is not included in this build.`);
      return sendStatic(file, request, reply);
    });
  }
  app.get('/openapi.json', { config }, async (request, reply) => sendStatic(await json(), request, reply));
  app.get(
    '/openapi/examples/:name.json',
    { config, schema: { params: Type.Object({ name: Type.String() }) } },
    async ({ params: { name } }, reply) => {
      const example = exampleNamed(document(), name);
      if (example === undefined) throw new Refusal('not_found');
      return reply.type(JSON_TYPE).send(JSON.stringify(example));
    },
  );
  app.get(STYLESHEET_PATH, { config }, async (request, reply) => sendStatic(await style(), request, reply));
  app.get(FAVICON_PATH, { config }, async (request, reply) =>
    sendStatic(await icon(), request, reply.header('content-security-policy', ICON_POLICY)),
  );
  const schema = { querystring: Type.Object({ q: Type.Optional(Type.String()) }) };
  app.get('/docs/search', { config, schema }, async (request, reply) => {
    const text = await site.found((request.query.q ?? '').slice(0, MAX_QUERY));
    return reply.header('content-security-policy', SITE_POLICY).type('text/html; charset=utf-8').send(text);
  });
  app.get('/docs/search.json', { config, schema }, async (request, reply) =>
    reply.send(await site.search((request.query.q ?? '').slice(0, MAX_QUERY))),
  );
  for (const path of ['/docs', '/docs/*', '/llms.txt', '/llms-full.txt', '/AGENTS.md']) {
    app.get(path, { config }, async (request, reply) => {
      const [asked = ''] = request.url.split('?', 1);
      const page = await site.at(asked.replace(/(.)\/$/, '$1'));
      if (page === null) return answerNotFound(new Refusal('not_found'), request, reply);
      return sendStatic(page, request, reply.header('content-security-policy', SITE_POLICY));
    });
  }
}

/** Path of the example with this name. */
const pathOf = (name: string): string => `/openapi/examples/${name}.json`;
/** Matches addresses that mean nothing on another machine. */
const LOCAL = /^https?:\/\/(?:localhost|127\.|\[::1\])/;

/** Returns a copy of the document with references in place of examples. */
export function servedDocument(document: Described): Described {
  const { components = {}, servers = [] } = document;
  const names = Object.keys(components.examples ?? {});
  const examples = Object.fromEntries(names.map((name) => [name, { externalValue: pathOf(name) }]));
  return {
    ...document,
    servers: servers.map((server) => (LOCAL.test(server.url) ? { ...server, url: '/' } : server)),
    components: { ...components, examples },
  };
}

/** Returns undefined if there is no example with this name. */
function exampleNamed({ components }: Described, name: string): unknown {
  const examples = components?.examples ?? {};
  return Object.hasOwn(examples, name) ? examples[name]?.value : undefined;
}
