// The description of the API for programs and for people.
import { STYLESHEET, STYLESHEET_PATH } from '../../html.js';
import type { Api } from '../api.js';
import { docsPage } from '../docs-page.js';
import type { Described } from '../docs-page.js';

const config = { public: true };
const CACHE = 'public, max-age=300';

export function docsRoutes(app: Api): void {
  // both are the same for the life of the process, and made from the finished routes at the first request
  let json: string | undefined;
  let readable: string | undefined;

  app.get('/openapi.json', { config }, (_request, reply) => {
    json ??= JSON.stringify(app.swagger());
    return reply.header('cache-control', CACHE).type('application/json; charset=utf-8').send(json);
  });

  app.get('/docs', { config }, (_request, reply) => {
    readable ??= docsPage(app.swagger() as unknown as Described); // the document as OpenAPI 3.1 defines it
    return reply.header('cache-control', CACHE).type('text/html; charset=utf-8').send(readable);
  });

  app.get(STYLESHEET_PATH, { config }, (_request, reply) =>
    reply.header('cache-control', CACHE).type('text/css; charset=utf-8').send(STYLESHEET),
  );
}
