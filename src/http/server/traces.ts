// Assigns each request to a trace: the one in its `traceparent` header (W3C Trace Context), or a new one.
import { randomBytesPooled } from '../../lib/runtime/index.js';
import { readTraceparent, writeTraceparent } from '../../lib/tokens/index.js';
import type { Api } from '../api.js';
import type { RequestTrace } from './access-log.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null if the request is not part of a trace. */
    trace: RequestTrace | null;
  }
}

/**
 * `share` is the fraction of requests without a trace that start one. If it is null, no spans are exported and traces are only
 * passed on. Must be called after the hook that recognizes internal requests, which belong to the span of the route that made
 * them.
 */
export function registerTraces(
  app: Api,
  { share, random = Math.random }: { share: number | null; random?: () => number },
): void {
  app.decorateRequest('trace', null);
  app.addHook('onRequest', (request, _reply, done) => {
    const given = readTraceparent(request.headers['traceparent']);
    const makesSpans = share !== null && request.handedOver === null;
    if (given !== null) {
      request.trace = makesSpans
        ? { ...given, spanId: newId(8), parentId: given.spanId }
        : { ...given, parentId: null };
    } else if (makesSpans && random() < share) {
      request.trace = { traceId: newId(16), spanId: newId(8), isSampled: true, parentId: null };
    }
    done();
  });
}

/** Returns the header value for work that the request causes; null without a trace. */
export function currentTraceparent(request: { trace: RequestTrace | null }): string | null {
  return request.trace === null ? null : writeTraceparent(request.trace);
}

function newId(bytes: number): string {
  return randomBytesPooled(bytes).toString('hex');
}
