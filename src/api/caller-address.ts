// Who asks, where nobody is signed in yet: for the audit, and for the limit of what one client may try.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../contract/refusal.js';
import type { Visitor } from '../accounts/audit/audit-entry.js';
import type { FailureLimit } from './rate-limit.js';
import { browserTokenOf } from './session-auth.js';

const MAX_REQUEST_ID = 128;

export function visitorOf(request: FastifyRequest): Visitor {
  return {
    ip: request.ip,
    userAgent: request.headers['user-agent'] ?? null,
    requestId: request.id.slice(0, MAX_REQUEST_ID),
    browserToken: browserTokenOf(request),
  };
}

/** Octets of a body that nobody has signed in for. */
export const PUBLIC_BODY_LIMIT = 16 * 1024;

/**
 * The first hook of a public route: counts an attempt before its body is read, since one that succeeds must not be had by trying
 * more. Refuses with `rate_limited`.
 */
export function refuseTooMany(limit: FailureLimit) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const retryAfterSeconds = await limit(request);
    if (retryAfterSeconds === null) return;
    reply.header('Retry-After', String(retryAfterSeconds));
    throw new Refusal('rate_limited', 'Too many attempts from this address; try again later.');
  };
}
