// Requests to /v1 that send messages: their submitter and their answer.
import type { FastifyRequest } from 'fastify';
import { messageSubmitter } from '../http/access/caller.js';
import { currentTraceparent } from '../http/server/traces.js';
import type { Accepted, SubmissionContext } from './accept/accept.js';
import type { MessageObject } from './message.schema.js';
import { presentAccepted } from './message.view.js';

/** The context of a request, without its idempotency key. Only vendor APIs hand requests over to /v1. */
export function submittedBy(request: FastifyRequest): Omit<SubmissionContext, 'idempotencyHeader'> {
  return {
    ...messageSubmitter(request.caller),
    fromVendorApi: request.handedOver !== null,
    traceparent: currentTraceparent(request),
  };
}

/** The answer to a request that sends. A request that was handed over also learns which messages are suppressed. */
export function answerAccepted({ handedOver, caller }: FastifyRequest, accepted: Accepted): MessageObject {
  for (const id of accepted.suppressedIds) handedOver?.suppressed.add(id);
  return presentAccepted(accepted, caller.scope.mode);
}
