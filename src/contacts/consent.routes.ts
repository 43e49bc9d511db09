// What a call of /v1 that puts somebody onto a list says about the consent: who asked, from where, by which call.
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
