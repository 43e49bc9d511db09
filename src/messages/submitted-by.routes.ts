// The submitter of messages that a request to /v1 sends.
import type { FastifyRequest } from 'fastify';
import { submitterOf } from '../api/access/caller.js';
import { traceparentOf } from '../api/http/traces.js';
import type { SubmissionContext } from './accept/accept.js';

/** The context of a request, without its idempotency key. Only vendor APIs hand requests over to /v1. */
export function submittedBy(request: FastifyRequest): Omit<SubmissionContext, 'idempotencyHeader'> {
  return {
    ...submitterOf(request.caller),
    fromVendorApi: request.handedOver !== null,
    traceparent: traceparentOf(request),
  };
}
