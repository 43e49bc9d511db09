// Consent recorded for an API call that adds a contact to a list: the actor, the client address, the operation.
import type { FastifyRequest } from 'fastify';
import type { Consent } from './audience-changes.store.js';
import { trailActor } from '../api/trail-actor.js';

/** `source` is the method and the route as it was declared, without the ids of the call. */
export function consentOf(request: FastifyRequest): Consent {
  const { actor } = request.caller;
  return {
    event: 'joined',
    actor: trailActor(request.caller),
    actorId: actor.id,
    source: `${request.method} ${request.routeOptions.url ?? ''}`,
    ip: request.ip,
    userAgent: request.headers['user-agent'] ?? null,
  };
}
