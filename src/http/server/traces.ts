// The trace that a request belongs to: its header field `traceparent` (W3C Trace Context), or one that begins here.
import { randomBytesPooled } from '../../lib/runtime/index.js';
import { readTraceparent, writeTraceparent } from '../../lib/tokens/index.js';
import type { Api } from '../api.js';
import type { RequestTrace } from './access-log.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null: the request is part of no trace. */
    trace: RequestTrace | null;
  }
}

/**
 * `share`: of the requests without a trace that begin one; null where no spans leave, so that a trace is passed on and not
 * added to. Must be called after the hook that finds requests which another route has handed over: those are part of that
 * route's span.
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

/** The field for what the request causes; null: none. */
export function traceparentOf(request: { trace: RequestTrace | null }): string | null {
  return request.trace === null ? null : writeTraceparent(request.trace);
}

function newId(bytes: number): string {
  return randomBytesPooled(bytes).toString('hex');
}
