// Allows scripts of other sites to call public operations that opt in, without credentials (the CORS protocol of the Fetch
// standard). Other operations send no CORS headers, so browsers withhold their responses from such scripts.
import type { FastifyReply } from 'fastify';
import type { Api } from '../api.js';

const PREFLIGHT_SECONDS = 86_400;
const ANY_ORIGIN = { 'access-control-allow-origin': '*' };
const SHOWN_HEADERS = { 'access-control-expose-headers': 'Retry-After, X-Request-Id' };

/** Must be called before hooks that can refuse a request, so that scripts can read refusals too. */
export function registerCrossOrigin(app: Api): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.crossOrigin === true) reply.headers({ ...ANY_ORIGIN, ...SHOWN_HEADERS });
    done();
  });
}

/** Answers a CORS preflight request. */
export function allowCrossOrigin(reply: FastifyReply, methods: readonly string[]): void {
  reply.headers({
    ...ANY_ORIGIN,
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': 'Content-Type',
    'access-control-max-age': String(PREFLIGHT_SECONDS),
  });
}
