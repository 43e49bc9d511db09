// Requests to /v1 that send messages: their submitter and their answer.
import type { FastifyRequest } from 'fastify';
import { submitterOf } from '../http/access/caller.js';
import { traceparentOf } from '../http/server/traces.js';
import type { Accepted, SubmissionContext } from './accept/accept.js';
import type { MessageObject } from './message.schema.js';
import { presentAccepted } from './message.view.js';

/** The context of a request, without its idempotency key. Only vendor APIs hand requests over to /v1. */
export function submittedBy(request: FastifyRequest): Omit<SubmissionContext, 'idempotencyHeader'> {
  return {
    ...submitterOf(request.caller),
    fromVendorApi: request.handedOver !== null,
    traceparent: traceparentOf(request),
  };
}

/** The answer to a request that sends. A request that was handed over also learns which messages are suppressed. */
export function answerAccepted({ handedOver, caller }: FastifyRequest, accepted: Accepted): MessageObject {
  for (const id of accepted.suppressedIds) handedOver?.suppressed.add(id);
  return presentAccepted(accepted, caller.scope.mode);
}
