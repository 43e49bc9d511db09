// Turns refusals and faults into HTTP answers with one status table and one body shape.
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

/** `Retry-After` of an `unavailable` answer. */
export const UNAVAILABLE_RETRY_SECONDS = 5;

/** Errors of Fastify that are refusals, with their codes and messages. */
const FRAMEWORK_REFUSALS: Record<string, [RefusalCode, string?]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['payload_too_large'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media_type'],
  FST_ERR_CTP_INVALID_TYPE: ['unsupported_media_type'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['bad_request', 'The request body does not match its Content-Length.'],
  FST_ERR_BAD_URL: ['bad_request', 'The URL path contains invalid percent-encoding.'],
  FST_ERR_MAX_PARAM_LENGTH: ['bad_request', 'A segment of the URL path is too long.'],
};

/** Returns the refusal that an error stands for; null for a fault. */
export function toRefusal(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error;
  if (!(error instanceof Error)) return null;
  const { code, statusCode } = error as Error & { code?: unknown; statusCode?: unknown };
  const known = typeof code === 'string' ? FRAMEWORK_REFUSALS[code] : undefined;
  if (known) return new Refusal(known[0], known[1]);
  const isClientsFault = typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500;
  return isClientsFault ? new Refusal('bad_request', error.message) : null;
}

/** Builds the error body of an answer, without texts of the store or the operating system. */
export function buildErrorBody(refusal: Refusal, requestId: string): ErrorBody {
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

/** Logs and answers every request that fails. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = noteRefusal(error, request, reply);
  return reply
    .status(STATUS_OF_TYPE[refusal.type])
    .type('application/json; charset=utf-8')
    .send(errorInLanguage(buildErrorBody(refusal, request.id), request));
}

/** Logs the refusal to answer with, and sets its headers. */
export function noteRefusal(error: unknown, request: FastifyRequest, reply: FastifyReply): Refusal {
  const known = error instanceof NulText ? withPlace(error, request) : toRefusal(error);
  const refusal = withLimit(known ?? new Refusal('internal_error'), request);
  logError(error, refusal, request);
  // The hook that sets the header does not run for a malformed URL.
  reply.header('X-Request-Id', request.id);
  if (refusal.type === 'unauthorized') reply.header('WWW-Authenticate', challengeOf(request));
  // The rest of the body is read and dropped, because closing the connection while the client sends would discard the answer.
  if (refusal.type === 'payload_too_large' || refusal.type === 'unavailable')
    reply.removeHeader('Connection');
  const retryAfter = refusal.type === 'unavailable' ? UNAVAILABLE_RETRY_SECONDS : refusal.retryAfterSeconds;
  if (retryAfter !== undefined) reply.header('Retry-After', String(retryAfter));
  return refusal;
}

function challengeOf({ routeOptions: { config }, headers }: FastifyRequest): string {
  if (config.challenge === undefined) return 'Bearer';
  const error = headers.authorization === undefined ? '' : ', error="invalid_token"';
  return `Bearer ${config.challenge}${error}`;
}

/** Names the field that contains the NUL character. */
function withPlace(refusal: NulText, { params, body }: FastifyRequest): Refusal {
  const path = placeOfNul(params) ?? placeOfNul(body);
  return path === null ? refusal : invalidFields([{ path, message: 'contains a NUL character' }]);
}

/** Returns the dotted path of the first text with a NUL character, or null. Bodies are at most 100 levels deep. */
function placeOfNul(value: unknown, place = ''): string | null {
  if (typeof value === 'string') return value.includes('\0') ? place : null;
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, part] of Object.entries(value)) {
    const found = placeOfNul(part, place === '' ? name : `${place}.${name}`);
    if (found !== null) return found;
  }
  return null;
}

/** Adds the limit to the sentence of a body that is too large; a refusal with its own sentence is unchanged. */
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
    // At level info, the rate-limited access log covers it.
    request.log.debug({ code: refusal.code, method: request.method, route }, 'request refused');
  }
}
