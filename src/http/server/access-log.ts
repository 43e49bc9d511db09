// Publishes every answered request to the metrics and logs a bounded number per second, so that a misbehaving client cannot
// fill the disk. The request log for customers is in the database (accounts/access/request-log.ts).
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../access/caller.js';
import { createFactChannel } from '../../lib/concurrency/index.js';
import type { Log } from '../../lib/runtime/index.js';
import type { TraceContext } from '../../lib/tokens/index.js';
import type { Api } from '../api.js';
import { toRefusal } from '../errors.js';

/** Sustained lines per second, which is also the burst after a quiet period. */
const LINES_PER_SECOND = 10;
const BURST = 100;
/** Interval at which the number of suppressed lines is logged. */
const LEFT_OUT_MS = 60_000;
/** Routes that supervisors poll every few seconds; their successful answers are not logged. */
const PROBES: ReadonlySet<string | undefined> = new Set(['/healthz', '/readyz']);
const NO_ROUTE = 'unmatched';

export interface EndedRequest {
  method: string;
  /** The route's pattern, such as `/v1/messages/:id`; `unmatched` if no route matches. */
  route: string;
  status: number;
  durationMs: number;
  isStream: boolean;
  trace: RequestTrace | null;
}

export interface RequestTrace extends TraceContext {
  /** Span of the client; null if the trace starts here. */
  parentId: string | null;
}

/** Completed requests. */
export const requestEnded = createFactChannel<EndedRequest>();

/** `share` is the fraction of requests, from 0 to 1, that is logged at level info. Level debug logs all. */
export function registerAccessLog(
  app: Api,
  { log, share, random = Math.random }: { log: Log; share: number; random?: () => number },
): void {
  const isDebug = log.isLevelEnabled('debug');
  const lines = share > 0 && log.isLevelEnabled('info') ? createLineLimit(log) : null;
  const codes = new WeakMap<FastifyRequest, string>();
  app.addHook('onError', (request, _reply, error, done) => {
    codes.set(request, toRefusal(error)?.code ?? 'internal_error');
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    // An internal request is part of the request that made it.
    if (request.handedOver !== null) {
      done();
      return;
    }
    if (requestEnded.hasSubscribers()) requestEnded.publish(factsOf(request, reply));
    const isQuiet = reply.statusCode < 400 && PROBES.has(request.routeOptions.url);
    const isChosen = !isQuiet && (share === 1 || reply.statusCode >= 500 || random() < share);
    const line = () => ({ ...lineOf(request, reply), code: codes.get(request) ?? null });
    if (isDebug) request.log.debug(line(), 'request');
    else if (isChosen && lines?.mayWrite() === true) request.log.info(line(), 'request');
    done();
  });
  app.addHook('onClose', () => lines?.stop());
}

function factsOf(request: FastifyRequest, reply: FastifyReply): EndedRequest {
  return {
    method: request.method,
    route: request.routeOptions.url ?? NO_ROUTE,
    status: reply.statusCode,
    durationMs: reply.elapsedTime,
    isStream: String(reply.getHeader('content-type') ?? '').startsWith('text/event-stream'),
    trace: request.trace,
  };
}

/** Omits query, body and the raw path, which may contain secrets and personal data. */
function lineOf(request: FastifyRequest, reply: FastifyReply) {
  const caller = request.caller as Caller | null;
  return {
    method: request.method,
    route: request.routeOptions.url ?? null,
    status: reply.statusCode,
    duration_ms: Math.round(reply.elapsedTime * 10) / 10,
    actor_id: caller?.actor.id ?? null,
    client: request.ip,
    trace_id: request.trace?.traceId ?? null,
  };
}

function createLineLimit(log: Log) {
  let tokens = BURST;
  let filledAt = performance.now();
  let leftOut = 0;
  const timer = setInterval(writeLeftOut, LEFT_OUT_MS).unref();

  function writeLeftOut(): void {
    if (leftOut > 0) log.warn({ left_out: leftOut }, 'access log rate limit reached: requests not logged');
    leftOut = 0;
  }

  return {
    mayWrite(): boolean {
      const now = performance.now();
      tokens = Math.min(BURST, tokens + ((now - filledAt) / 1000) * LINES_PER_SECOND);
      filledAt = now;
      if (tokens >= 1) {
        tokens -= 1;
        return true;
      }
      leftOut += 1;
      return false;
    },
    stop(): void {
      clearInterval(timer);
      writeLeftOut();
    },
  };
}
