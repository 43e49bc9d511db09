// Refusals and faults as HTTP answers: the one table from error type to status, and the one body shape.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorBody } from '../contract/error-body.js';
import { invalidFields, Refusal, REFUSALS, type ErrorType, type RefusalCode } from '../contract/refusal.js';
import { errorInLanguage } from './language.js';
import { NulText } from '../database/nul-text.js';

export const STATUS_OF_TYPE = {
  bad_request: 400,
  unauthorized: 401,
  quota_exceeded: 402,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  validation_error: 422,
  rate_limited: 429,
  headers_too_large: 431,
  internal_error: 500,
  unavailable: 503,
} as const satisfies Record<ErrorType, number>;

/** After `unavailable`, clients are asked to wait for this time. */
export const UNAVAILABLE_RETRY_SECONDS = 5;

/** Refusals of fastify itself, in our words. */
const FRAMEWORK_REFUSALS: Record<string, [RefusalCode, string?]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['payload_too_large'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media_type'],
  FST_ERR_CTP_INVALID_TYPE: ['unsupported_media_type'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['bad_request', 'The request body does not match its Content-Length.'],
  FST_ERR_BAD_URL: ['bad_request', 'The URL path contains invalid percent-encoding.'],
  FST_ERR_MAX_PARAM_LENGTH: ['bad_request', 'A segment of the URL path is too long.'],
};

/** The refusal that an error stands for; null for a fault. */
export function refusalOf(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error;
  if (!(error instanceof Error)) return null;
  const { code, statusCode } = error as Error & { code?: unknown; statusCode?: unknown };
  const known = typeof code === 'string' ? FRAMEWORK_REFUSALS[code] : undefined;
  if (known) return new Refusal(known[0], known[1]);
  const isClientsFault = typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500;
  return isClientsFault ? new Refusal('bad_request', error.message) : null;
}

/** The error body of an answer. Texts of the store and the machine are left out. */
export function errorBodyOf(refusal: Refusal, requestId: string): ErrorBody {
  const isOurs = refusal.type === 'unavailable' || refusal.type === 'internal_error';
  return {
    error: {
      type: refusal.type,
      code: refusal.code,
      message: refusal.message,
      ...(refusal.param === undefined ? {} : { param: refusal.param }),
      ...(refusal.details === undefined || isOurs ? {} : { details: refusal.details }),
      request_id: requestId,
    },
  };
}

/** The last stop of every request that did not succeed: logs it and answers. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = noteRefusal(error, request, reply);
  return reply
    .status(STATUS_OF_TYPE[refusal.type])
    .type('application/json; charset=utf-8')
    .send(errorInLanguage(errorBodyOf(refusal, request.id), request));
}

/** The refusal to answer with: logs it, and sets the headers that belong to it. */
export function noteRefusal(error: unknown, request: FastifyRequest, reply: FastifyReply): Refusal {
  const known = error instanceof NulText ? withPlace(error, request) : refusalOf(error);
  const refusal = withLimit(known ?? new Refusal('internal_error'), request);
  logError(error, refusal, request);
  // a URL that cannot be read never reaches the hook that sets it
  reply.header('X-Request-Id', request.id);
  if (refusal.type === 'unauthorized') reply.header('WWW-Authenticate', 'Bearer');
  // Closing the connection while the client still sends would take the answer from it; the rest is read and dropped.
  if (refusal.type === 'payload_too_large' || refusal.type === 'unavailable')
    reply.removeHeader('Connection');
  const retryAfter = refusal.type === 'unavailable' ? UNAVAILABLE_RETRY_SECONDS : refusal.retryAfterSeconds;
  if (retryAfter !== undefined) reply.header('Retry-After', String(retryAfter));
  return refusal;
}

/** Names the field of the text that the store refused. */
function withPlace(refusal: NulText, { params, body }: FastifyRequest): Refusal {
  const path = placeOfNul(params) ?? placeOfNul(body);
  return path === null ? refusal : invalidFields([{ path, message: 'contains a NUL character' }]);
}

/** The dotted path of the first text with a NUL character; null for none. Bodies are no deeper than 100 levels. */
function placeOfNul(value: unknown, place = ''): string | null {
  if (typeof value === 'string') return value.includes('\0') ? place : null;
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, part] of Object.entries(value)) {
    const found = placeOfNul(part, place === '' ? name : `${place}.${name}`);
    if (found !== null) return found;
  }
  return null;
}

/** A body over the limit, with the figure of the limit; a refusal that has a sentence of its own stays. */
function withLimit(refusal: Refusal, request: FastifyRequest): Refusal {
  if (refusal.message !== REFUSALS.payload_too_large.meaning) return refusal;
  const limit = request.routeOptions.bodyLimit;
  return new Refusal(
    'payload_too_large',
    `The request body exceeds the limit of ${limit} bytes for this operation.`,
  );
}

function logError(error: unknown, refusal: Refusal, request: FastifyRequest): void {
  const route = request.routeOptions.url ?? null;
  if (refusal.type === 'internal_error') {
    request.log.error({ err: error, method: request.method, route }, 'request failed');
  } else if (refusal.type === 'unavailable' && refusal.details !== undefined) {
    request.log.error({ err: refusal, method: request.method, route }, 'store unavailable');
  } else {
    // At info it is in the access log, which is bounded.
    request.log.debug({ code: refusal.code, method: request.method, route }, 'request refused');
  }
}
