// Which operations scripts of other sites may call (the CORS protocol of the Fetch standard): public ones that say so,
// without credentials. All others answer without its headers, so that browsers keep their answers from such scripts.
import type { FastifyReply } from 'fastify';
import type { Api } from '../api.js';

const PREFLIGHT_SECONDS = 86_400;
const ANY_ORIGIN = { 'access-control-allow-origin': '*' };
const SHOWN_HEADERS = { 'access-control-expose-headers': 'Retry-After, X-Request-Id' };

/** Must be called before the hooks that may refuse a request: a refusal is to be read as well. */
export function registerCrossOrigin(app: Api): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.crossOrigin === true) reply.headers({ ...ANY_ORIGIN, ...SHOWN_HEADERS });
    done();
  });
}

/** Answers the question that a browser asks before the request itself. */
export function allowCrossOrigin(reply: FastifyReply, methods: readonly string[]): void {
  reply.headers({
    ...ANY_ORIGIN,
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': 'Content-Type',
    'access-control-max-age': String(PREFLIGHT_SECONDS),
  });
}
