// The caller of a request: the client address, the actor in the audit trail, and what a pinned key may not do.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../../contract/refusal.js';
import type { Visitor } from '../../accounts/audit/audit-entry.js';
import type { FailureLimit } from './rate-limit.js';
import { browserTokenOf } from './session-auth.js';
import type { Caller } from '../../accounts/api-keys/credential-cache.js';

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
    throw new Refusal('rate_limited', 'Too many attempts from this IP address. Try again later.');
  };
}

// Actor of a request: for the trail, and for counting messages.
export function trailActor({ actor }: Caller): 'api' | 'user' {
  return actor.kind === 'user' ? 'user' : 'api';
}

/** The same for submitted messages. */
export function submitterOf(caller: Caller): { actor: 'api' | 'user'; keyId: string | null } {
  return { actor: trailActor(caller), keyId: caller.actor.kind === 'api_key' ? caller.actor.id : null };
}

// Checks for operations that only a key of the whole workspace may call.
/** Whether the platform keeps a customer, and under what terms, is not the customer's to say. */
export function refusePinned(caller: Caller): void {
  if (caller.pinnedTo === null) return;
  throw new Refusal(
    'forbidden',
    'API keys pinned to a sub-tenant cannot perform this operation. Use a workspace key.',
  );
}
