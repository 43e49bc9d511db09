// Every answered request: published to the metrics, and written to the log, a bounded number of lines a second, so that a wrong client does
// not fill the disk. The request log of a workspace (accounts/access/request-log.ts) is another thing: it is for customers, in the database.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../access/caller.js';
import { createFactChannel } from '../../lib/concurrency/index.js';
import type { Log } from '../../lib/runtime/index.js';
import type { TraceContext } from '../../lib/tokens/index.js';
import type { Api } from '../api.js';
import { refusalOf } from '../errors.js';

/** Lines a second in the long run, and at once after a quiet time. */
const LINES_PER_SECOND = 10;
const BURST = 100;
/** How often the log says how many lines were left out. */
const LEFT_OUT_MS = 60_000;
/** Asked by supervisors every few seconds: a good answer says nothing. */
const PROBES: ReadonlySet<string | undefined> = new Set(['/healthz', '/readyz']);
const NO_ROUTE = 'unmatched';

export interface EndedRequest {
  method: string;
  /** The pattern of the route, such as `/v1/messages/:id`; `unmatched` where there is none. */
  route: string;
  status: number;
  durationMs: number;
  isStream: boolean;
  trace: RequestTrace | null;
}

export interface RequestTrace extends TraceContext {
  /** The span of the client; null where the trace begins here. */
  parentId: string | null;
}

/** Requests that were answered to the end. */
export const requestEnded = createFactChannel<EndedRequest>();

/** `share`: of the requests, from 0 (none) to 1, is written at level info. At level debug all are. */
export function registerAccessLog(
  app: Api,
  { log, share, random = Math.random }: { log: Log; share: number; random?: () => number },
): void {
  const isDebug = log.isLevelEnabled('debug');
  const lines = share > 0 && log.isLevelEnabled('info') ? createLineLimit(log) : null;
  const codes = new WeakMap<FastifyRequest, string>();
  app.addHook('onError', (request, _reply, error, done) => {
    codes.set(request, refusalOf(error)?.code ?? 'internal_error');
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    // One that another route has handed over is that route's request.
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

/** No query, no body, no path as it came: those may hold secrets and persons. */
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
