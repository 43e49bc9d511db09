// Answers and headers that the OpenAPI document adds to every operation, so that routes need not repeat them.
import type { RouteOptions } from 'fastify';
import { REFUSALS, type RefusalCode } from '../../contract/refusal.js';
import type { DocumentSchema } from './openapi-components.js';

/** Facts about an operation that the description needs. */
export interface DescribedRoute {
  /** True if no key is needed. */
  isPublic: boolean;
  method: string;
  hasBody: boolean;
  hasQuery: boolean;
  hasId: boolean;
  /** True if the operation creates messages. */
  sends: boolean;
  /** True if the operation accepts an Idempotency-Key. */
  takesKey: boolean;
  /** True if the object has an ETag. */
  isVersioned: boolean;
}

interface Answer {
  /** Name of the component. */
  name: string;
  description: string;
  /** Error codes of the examples. */
  codes: readonly RefusalCode[];
}

const ANSWERS: Readonly<Record<string, Answer>> = {
  '402': {
    name: 'QuotaExceeded',
    description:
      "`quota_exceeded`: The plan's sending limit has been reached. `details` has the time at which it resets.",
    codes: ['quota_exceeded'],
  },
  '404': {
    name: 'NotFound',
    description:
      '`not_found`: The object does not exist or is not accessible with this key. The two cases are indistinguishable.',
    codes: ['not_found'],
  },
  '409': {
    name: 'Conflict',
    description: '`conflict`: The request conflicts with the state of this object or with another object.',
    codes: ['conflict'],
  },
  '412': {
    name: 'PreconditionFailed',
    description: '`precondition_failed`: The object has changed since the version in `If-Match`.',
    codes: ['precondition_failed'],
  },
  '422': {
    name: 'ValidationError',
    description: '`validation_error`: `details.fields` lists each invalid or unknown field.',
    codes: ['validation_error'],
  },
  '4XX': {
    name: 'Refusal',
    description:
      'Any other client error; see `error.type` and `error.code`. Every operation can return 400 (malformed JSON, a cursor from another list, or headers that contradict the body), 401 (missing, unknown, revoked or expired key, or expired session), 403 (insufficient permission or role, or a key restricted to other IP addresses or operations), 413 (body too large), 415 (unsupported media type) and 429 (rate limited; wait for `Retry-After`).',
    codes: ['bad_request', 'unauthorized', 'forbidden', 'payload_too_large', 'rate_limited'],
  },
  '5XX': {
    name: 'Failure',
    description:
      '503 `unavailable`: The request was not stored and can be retried. Other 5xx statuses are server errors; find the cause in the log by the request ID.',
    codes: ['unavailable'],
  },
};

/** Default descriptions of successful answers. */
export const SUCCESSES: Readonly<Record<string, string>> = {
  '200': 'Success.',
  '201': 'Created.',
  '202': 'Accepted.',
};

/** Operations that create a message. */
const SENDING = new Set(['messages.create', 'messages.resend', 'threads.reply']);

const RATE_HEADERS = [
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'RateLimit',
  'RateLimit-Policy',
];
const HEADERS: Readonly<Record<string, object>> = {
  'X-Request-Id': {
    description: 'The request ID, yours or a generated one. It identifies the request in the log.',
    schema: { type: 'string' },
    example: '01kdyak3se4w5amvgkazjzkvb7',
  },
  ETag: {
    description: "The object's version for `If-Match`: its `updated_at` in double quotes.",
    schema: { type: 'string' },
    example: '"2026-03-01T09:00:00.000Z"',
  },
  'RateLimit-Limit': {
    description:
      'Requests allowed per minute for the workspace. Sent in every response to an API key unless the workspace has no limit.',
    schema: { type: 'integer' },
    example: 600,
  },
  'RateLimit-Remaining': {
    description: 'Requests remaining in the current minute.',
    schema: { type: 'integer' },
    example: 599,
  },
  'RateLimit-Reset': {
    description: 'Seconds until the current minute ends.',
    schema: { type: 'integer' },
    example: 60,
  },
  RateLimit: {
    description: 'The same limit in the IETF format: requests remaining (`r`) and seconds until reset (`t`).',
    schema: { type: 'string' },
    example: '"default";r=599;t=60',
  },
  'RateLimit-Policy': {
    description: 'The same limit in the IETF format: quota (`q`) and window in seconds (`w`).',
    schema: { type: 'string' },
    example: '"default";q=600;w=60',
  },
  'Service-Version': {
    description: 'The API version used for this response.',
    schema: { type: 'string' },
    example: '2026-12-01',
  },
  'Retry-After': {
    description: 'Seconds to wait before retrying.',
    schema: { type: 'integer' },
    example: 30,
  },
  'Idempotent-Replayed': {
    description: '`true` if this is the stored response to an earlier request with the same idempotency key.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
};

/** Returns the answer headers by name. */
export const sharedHeaders = (): Record<string, object> => structuredClone({ ...HEADERS });

/** Returns the error answers by name. `schema` is that of the error body. */
export function sharedResponses(schema: object): Record<string, object> {
  return Object.fromEntries(
    Object.entries(ANSWERS).map(([status, { name, description, codes }]) => {
      const waits = status.endsWith('XX') ? ['Retry-After'] : [];
      const headers = headerReferences(['X-Request-Id', 'Service-Version', ...RATE_HEADERS, ...waits]);
      const examples = Object.fromEntries(codes.map((code) => [code, { value: errorExample(code) }]));
      return [name, { description, headers, content: { 'application/json': { schema, examples } } }];
    }),
  );
}

function errorExample(code: RefusalCode): DocumentSchema {
  const { type, meaning: message } = REFUSALS[code];
  const fields = [{ path: 'to', message: 'is required' }];
  const context =
    code === 'validation_error'
      ? { message: 'to: is required', param: 'to', details: { fields } }
      : { message };
  return { error: { type, code, ...context, request_id: '01kdyak3se4w5amvgkazjzkvb7' } };
}

/** References to headers of answers. */
function headerReferences(names: readonly string[]): Record<string, object> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Returns the headers of a successful answer, except request id, rate limit and version, which every answer has. */
export function successHeaders(route: DescribedRoute): Record<string, object> {
  const { isPublic, takesKey, isVersioned, method } = route;
  return headerReferences([
    ...(takesKey && !isPublic ? ['Idempotent-Replayed'] : []),
    ...(isVersioned && method !== 'DELETE' ? ['ETag'] : []),
  ]);
}

/** Returns references to the errors that an operation may answer. */
export function errorAnswers(route: DescribedRoute): Record<string, object> {
  const { isPublic, method, hasBody, hasQuery, hasId, sends, isVersioned } = route;
  const writes = method !== 'GET' && !isPublic;
  const statuses = [
    ...(sends ? ['402'] : []),
    ...(hasId ? ['404'] : []),
    ...(writes ? ['409'] : []),
    ...(writes && isVersioned ? ['412'] : []),
    ...(hasBody || hasQuery || !isPublic ? ['422'] : []),
    '4XX',
    '5XX',
  ];
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${ANSWERS[status]?.name ?? ''}` }]),
  );
}

/** Returns the request headers of an operation with a key, except Authorization and X-Request-Id, which the introduction describes. */
export function describeHeaders({ takesKey, isVersioned, method }: DescribedRoute): object {
  const header = (description: string, maxLength: number) => ({ type: 'string', description, maxLength });
  const properties = {
    'X-Sub-Tenant-Id': header('Limits the request to one sub-tenant.', 200),
    ...(takesKey
      ? {
          'Idempotency-Key': header(
            'A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect.',
            255,
          ),
        }
      : {}),
    ...(isVersioned && method !== 'GET'
      ? {
          'If-Match': header(
            'The `ETag` of the version you last read. If the object has changed since then, the request fails with 412 and nothing is changed.',
            200,
          ),
        }
      : {}),
  };
  return { type: 'object', properties };
}

/** Reads the facts that the description needs from a route with an operationId. */
export function describedRoute(schema: Record<string, unknown>, route: RouteOptions): DescribedRoute {
  const id = String(schema['operationId']);
  const { session, idempotency, versioned } = route.config ?? {};
  return {
    isPublic: route.config?.public ?? false,
    method: String(route.method),
    hasBody: schema['body'] !== undefined,
    hasQuery: schema['querystring'] !== undefined,
    hasId: schema['params'] !== undefined,
    sends: SENDING.has(id),
    takesKey: String(route.method) !== 'GET' && session !== true && idempotency !== 'none',
    isVersioned: versioned === true,
  };
}
