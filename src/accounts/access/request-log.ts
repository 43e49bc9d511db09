// Logs every request with a caller once it was answered.
import type { FastifyRequest } from 'fastify';
import { auditTarget } from '../audit/audit-detail.rules.js';
import { requestExcerpt } from '../request-log/request-excerpt.rules.js';
import type { AccountContext } from '../context.js';
import { newId } from '../../lib/runtime/index.js';
import type { LoggedKind, RequestLog } from '../request-log/request-log.js';
import type { Caller } from '../../http/access/caller.js';
import type { Api } from '../../http/api.js';
import { readOperation } from '../../http/operation.js';
import { toRefusal } from '../../http/errors.js';

/** Requests that read the log are not logged. */
export const LIST_OPERATION = 'requests.list';
const READING: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];
const MAX_REQUEST_ID = 128;
const MAX_PARAM = 100;

interface Failure {
  code: string;
  param: string | null;
}

/** Call it before the routes are declared. */
export function registerRequestLog(
  app: Api,
  { clock }: Pick<AccountContext, 'clock'>,
  requestLog: RequestLog,
): void {
  const failures = new WeakMap<FastifyRequest, Failure>();
  app.addHook('onError', (request, _reply, error, done) => {
    const refusal = toRefusal(error);
    const param = refusal?.param ?? null;
    failures.set(request, {
      code: refusal?.code ?? 'internal_error',
      // Names of custom fields may contain anything.
      param:
        param !== null && auditTarget(param.slice(0, MAX_PARAM)) !== null ? param.slice(0, MAX_PARAM) : null,
    });
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const caller = request.caller as Caller | null;
    const { operationId } = readOperation(request);
    if (caller !== null && operationId !== undefined && operationId !== LIST_OPERATION) {
      const { environmentId, subTenantId } = caller.scope;
      if (requestLog.shouldLog(environmentId, subTenantId, loggedKind(request, reply.statusCode))) {
        requestLog.add({
          id: newId('rlg', clock()),
          environment_id: environmentId,
          sub_tenant_id: subTenantId,
          actor_kind: caller.actor.kind,
          actor_id: caller.actor.id,
          ...requestFacts(request, operationId),
          status: reply.statusCode,
          code: failures.get(request)?.code ?? null,
          param: failures.get(request)?.param ?? null,
          duration_ms: Math.round(reply.elapsedTime),
          at: clock(),
        });
      }
    }
    done();
  });
  app.addHook('onClose', () => requestLog.flush());
}

function loggedKind({ method }: FastifyRequest, status: number): LoggedKind {
  if (status >= 400) return 'failure';
  return READING.includes(method) ? 'read' : 'change';
}

function requestFacts(request: FastifyRequest, operation: string) {
  const schema = readOperation(request);
  return {
    operation,
    method: request.method,
    path: loggedPath(request),
    request_id: request.id.slice(0, MAX_REQUEST_ID),
    query: isPlain(request.query) ? requestExcerpt(request.query, schema.querystring) : null,
    body: isPlain(request.body) ? requestExcerpt(request.body, schema.body) : null,
  };
}

/** Returns the path with its IDs. Other parts may contain personal data, so they appear as `:name`. */
function loggedPath({ routeOptions, params }: FastifyRequest): string {
  const given = (params ?? {}) as Record<string, unknown>;
  return (routeOptions.url ?? '').replaceAll(/:([a-z_]+)/g, (name: string, key: string) => {
    const value = given[key];
    return typeof value === 'string' && auditTarget(value) !== null ? value : name;
  });
}

/** Returns whether the value was read from JSON or a query, unlike a stream or a buffer. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || Array.isArray(value);
}
