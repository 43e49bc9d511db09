// The answers and headers that the description gives to every operation alike: nothing that a route has to repeat.
import type { RouteOptions } from 'fastify';
import { REFUSALS, type RefusalCode } from '../../contract/refusal.js';
import type { DocumentSchema } from './openapi-components.js';

/** Facts about an operation that the description needs. */
export interface DescribedRoute {
  /** Without it no key is needed. */
  isPublic: boolean;
  method: string;
  hasBody: boolean;
  hasQuery: boolean;
  hasId: boolean;
  /** True when the operation creates messages. */
  sends: boolean;
  /** True when the operation takes an Idempotency-Key. */
  takesKey: boolean;
  /** True when the object has an ETag. */
  isVersioned: boolean;
}

interface Answer {
  /** Its name among the components. */
  name: string;
  description: string;
  /** Of its examples. */
  codes: readonly RefusalCode[];
}

const ANSWERS: Readonly<Record<string, Answer>> = {
  '402': {
    name: 'QuotaExceeded',
    description: '`quota_exceeded`: the plan has no sends left; `details` says until when.',
    codes: ['quota_exceeded'],
  },
  '404': {
    name: 'NotFound',
    description: '`not_found`: unknown, or out of the reach of this key; the two look alike.',
    codes: ['not_found'],
  },
  '409': {
    name: 'Conflict',
    description: '`conflict`: the state of the object, or another object, does not allow it.',
    codes: ['conflict'],
  },
  '412': {
    name: 'PreconditionFailed',
    description: '`precondition_failed`: the object was changed after the version that If-Match names.',
    codes: ['precondition_failed'],
  },
  '422': {
    name: 'ValidationError',
    description: '`validation_error`: `details.fields` names each fault; unknown fields are refused too.',
    codes: ['validation_error'],
  },
  '4XX': {
    name: 'Refusal',
    description:
      'Any other refusal; `error.type` and `error.code` say why. Of every operation: 400, broken JSON, a cursor of another list, or headers that contradict the body; 401, the key is missing, unknown, revoked or expired, or the session has ended; 403, the key or the role lacks the permission, or the key may not be used from this address or for this operation; 413, the body is larger than the operation takes; 415, it is of a type that the operation does not read; 429, too many requests, and `Retry-After` says when to try again.',
    codes: ['bad_request', 'unauthorized', 'forbidden', 'payload_too_large', 'rate_limited'],
  },
  '5XX': {
    name: 'Failure',
    description:
      '503 `unavailable`: nothing was kept; try again. Anything else is not your fault, and the request id finds it in ' +
      'the log.',
    codes: ['unavailable'],
  },
};

/** Default texts of answers that succeed, for routes without their own. */
export const SUCCESSES: Readonly<Record<string, string>> = {
  '200': 'Done.',
  '201': 'Made.',
  '202': 'Accepted.',
};

/** Operations that make a message. */
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
    description: 'Yours or ours; finds the request in the log.',
    schema: { type: 'string' },
    example: '01kdyak3se4w5amvgkazjzkvb7',
  },
  ETag: {
    description: 'The version of the object, for If-Match: its `updated_at` in quotes.',
    schema: { type: 'string' },
    example: '"2026-03-01T09:00:00.000Z"',
  },
  'RateLimit-Limit': {
    description:
      'Requests that the workspace may make in a minute; on every answer to a key, unless there is no limit.',
    schema: { type: 'integer' },
    example: 600,
  },
  'RateLimit-Remaining': {
    description: 'Those of them that are left.',
    schema: { type: 'integer' },
    example: 599,
  },
  'RateLimit-Reset': {
    description: 'Seconds until the minute is over.',
    schema: { type: 'integer' },
    example: 60,
  },
  RateLimit: {
    description: 'The same: what is left (`r`), and the seconds until the minute is over (`t`).',
    schema: { type: 'string' },
    example: '"default";r=599;t=60',
  },
  'RateLimit-Policy': {
    description: 'The same: requests (`q`) in a window of seconds (`w`).',
    schema: { type: 'string' },
    example: '"default";q=600;w=60',
  },
  'Service-Version': {
    description: 'The version of the API that the request was answered in.',
    schema: { type: 'string' },
    example: '2026-12-01',
  },
  'Retry-After': {
    description: 'Seconds after which to try again.',
    schema: { type: 'integer' },
    example: 30,
  },
  'Idempotent-Replayed': {
    description: '`true` when an earlier request with the same idempotency key was answered so.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
};

/** Headers of answers, by name. */
export const sharedHeaders = (): Record<string, object> => structuredClone({ ...HEADERS });

/** Answers that refuse or fail, by name. `schema`: of the error body. */
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

/** Headers of an answer that succeeds. The request id, the rate limit and the version are on every answer, and so not with each. */
export function successHeaders(route: DescribedRoute): Record<string, object> {
  const { isPublic, takesKey, isVersioned, method } = route;
  return headerReferences([
    ...(takesKey && !isPublic ? ['Idempotent-Replayed'] : []),
    ...(isVersioned && method !== 'DELETE' ? ['ETag'] : []),
  ]);
}

/** The errors that an operation may be refused or fail with, as references. */
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

/** The request headers that an operation with a key reads, besides Authorization and X-Request-Id, which the introduction has. */
export function headersOf({ takesKey, isVersioned, method }: DescribedRoute): object {
  const header = (description: string, maxLength: number) => ({ type: 'string', description, maxLength });
  const properties = {
    'X-Sub-Tenant-Id': header('Narrows the request to one sub-tenant.', 200),
    ...(takesKey
      ? {
          'Idempotency-Key': header(
            'A repeated request with it is answered as the first one and changes nothing again.',
            255,
          ),
        }
      : {}),
    ...(isVersioned && method !== 'GET'
      ? {
          'If-Match': header(
            'The ETag of the version that you have read. If the object was changed since, the answer is 412 and nothing changes.',
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
