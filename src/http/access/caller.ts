// The caller of a request, which authentication sets, and the checks that routes of all nouns share.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../../contract/refusal.js';
import type { FailureLimit } from './rate-limit.js';
import type { KeyPermission, Role } from '../../contract/names.js';
import type { SendPolicy } from '../../contract/send-policy.js';
import type { Scope } from '../../database/scope.js';

/** Holder of an API key, or a signed-in person. */
export interface Caller {
  /** The key or user that the audit log records as the actor. */
  actor: { kind: 'api_key' | 'user'; id: string };
  /** Owner of a personal key; null for an operator's key and for a signed-in person. */
  maker: { id: string; role: Role } | null;
  /** Role of a person in the organization; null for an API key. */
  role: Role | null;
  permission: KeyPermission;
  /** Narrowed to the sub-tenant of the key's pin or of the request. */
  scope: Scope;
  /** Sub-tenant that the key is pinned to, regardless of the request. */
  pinnedTo: string | null;
  /** True for a key that expires or is limited to some addresses; false for a person. */
  isBounded: boolean;
  /** The send policy of a key; null for a person and a key without one. */
  policy: SendPolicy | null;
}

/** Checks whether the caller of a long request is still authorized. The check does not count as a use of the key or session. */
export type CallerRecheck = (request: FastifyRequest) => Promise<boolean>;

/** Largest request body, in octets, of a public route. */
export const PUBLIC_BODY_LIMIT = 16 * 1024;

/**
 * Returns the first hook of a public route. It counts an attempt before the body is read, so successful guesses count too.
 * Refuses with `rate_limited`.
 */
export function refuseTooMany(limit: FailureLimit) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const retryAfterSeconds = await limit(request);
    if (retryAfterSeconds === null) return;
    reply.header('Retry-After', String(retryAfterSeconds));
    throw new Refusal('rate_limited', 'Too many attempts from this IP address. Try again later.');
  };
}

export function trailActor({ actor }: Caller): 'api' | 'user' {
  return actor.kind === 'user' ? 'user' : 'api';
}

/** The origin of a message. */
export interface Submitter {
  actor: 'api' | 'user';
  /** Null for a person. */
  keyId: string | null;
  policy: SendPolicy | null;
}

/** Returns actor, key and send policy of a message that the caller submits. */
export function messageSubmitter(caller: Caller): Submitter {
  return {
    actor: trailActor(caller),
    keyId: caller.actor.kind === 'api_key' ? caller.actor.id : null,
    policy: caller.policy,
  };
}

/** Refuses keys pinned to a sub-tenant, because only the platform decides about its customers and their terms. */
export function refusePinned(caller: Caller): void {
  if (caller.pinnedTo === null) return;
  throw new Refusal(
    'forbidden',
    'API keys pinned to a sub-tenant cannot perform this operation. Use a workspace key.',
  );
}
