// The description of the API for programs and for people.
import { STYLESHEET, STYLESHEET_PATH } from '../../html.js';
import type { Api } from '../api.js';
import { docsPage } from '../docs-page.js';
import type { Described } from '../docs-page.js';

const config = { public: true };
const CACHE = 'public, max-age=300';

export function docsRoutes(app: Api): void {
  // both are the same for the life of the process, and made from the finished routes at the first request
  // As octets, which connections share while they are sent.
  let json: Buffer | undefined;
  let readable: Buffer | undefined;

  app.get('/openapi.json', { config }, (_request, reply) => {
    json ??= Buffer.from(JSON.stringify(app.swagger()));
    return reply.header('cache-control', CACHE).type('application/json; charset=utf-8').send(json);
  });

  app.get('/docs', { config }, (_request, reply) => {
    // the document as OpenAPI 3.1 defines it
    readable ??= Buffer.from(docsPage(app.swagger() as unknown as Described));
    return reply.header('cache-control', CACHE).type('text/html; charset=utf-8').send(readable);
  });

  app.get(STYLESHEET_PATH, { config }, (_request, reply) =>
    reply.header('cache-control', CACHE).type('text/css; charset=utf-8').send(STYLESHEET),
  );
}
