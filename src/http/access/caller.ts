// The caller of a request, which authentication sets, and checks that routes of all nouns make of it.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../../contract/refusal.js';
import type { FailureLimit } from './rate-limit.js';
import type { KeyPermission, Role } from '../../contract/names.js';
import type { Scope } from '../../database/scope.js';

/** Holder of an API key, or a signed-in person. */
export interface Caller {
  /** The key or the user: what was done is put down to it. */
  actor: { kind: 'api_key' | 'user'; id: string };
  /** The person to whom the key belongs; null for a key of the operator, and for a person. */
  maker: { id: string; role: Role } | null;
  /** Role of a person in the organization; null for a key. */
  role: Role | null;
  permission: KeyPermission;
  /** Already narrowed by the key's pin, or to the sub-tenant that the request names. */
  scope: Scope;
  /** The sub-tenant that the key itself is pinned to, whatever the request says. */
  pinnedTo: string | null;
  /** A key that ends, or that some addresses only may use; false for a person. */
  isBounded: boolean;
}

/** Whether the caller of a request that lasts would still be let in. It does not count as a use of the key or session. */
export type CallerRecheck = (request: FastifyRequest) => Promise<boolean>;

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
