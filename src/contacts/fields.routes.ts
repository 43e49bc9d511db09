// The fields of a contact in a request body, besides the address: stored only if mail can contain them unchanged.
import { invalidFields, type FieldProblem } from '../contract/refusal.js';
import { metadataProblem } from '../contract/schema.js';
import { dataProblem, lineProblem } from '../contract/plain-text.js';
import type { FastifyRequest } from 'fastify';
import { trailActor } from '../http/access/caller.js';
import type { Consent } from './contact-changes.store.js';

interface ContactFields {
  name?: string | null | undefined;
  phone?: string | null | undefined;
  tags?: readonly string[] | undefined;
  metadata?: Record<string, unknown> | undefined;
}

/** Refuses with `validation_error`. */
export function assertContactFields({ name, phone, tags = [], metadata }: ContactFields): void {
  const problems: FieldProblem[] = [];
  const note = (path: string, message: string | null): void => {
    if (message !== null) problems.push({ path, message });
  };
  // A name becomes part of a header, so it must not have a line break.
  if (name) note('name', lineProblem(name));
  if (phone) note('phone', lineProblem(phone));
  tags.forEach((tag, index) => note(`tags.${index}`, lineProblem(tag)));
  // `dataProblem` must come first, because `metadataProblem` recurses.
  if (metadata) note('metadata', dataProblem(metadata) ?? metadataProblem(metadata));
  if (problems.length > 0) throw invalidFields(problems);
}

/** Returns the consent of an API call that adds a contact to a list. `source` is the method and the declared route. */
export function callConsent(request: FastifyRequest): Consent {
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
