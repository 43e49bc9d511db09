// Refuses parameters that a route does not declare, because a misplaced `send_at` must never be ignored.
import type { preValidationHookHandler } from 'fastify';
import { invalidFields, type FieldProblem } from '../../contract/refusal.js';
import { shortName } from './problem-excerpt.js';

const MAX_FIELDS = 20;

interface Declared {
  body?: unknown;
  querystring?: unknown;
}

/**
 * Refuses bodies and queries of /v1 operations that declare none, with a 422 that names them. A declared schema refuses its own
 * unknown fields; an empty object counts as no body.
 */
export const refuseUnknownParameters: preValidationHookHandler = (request, _reply, done) => {
  const { url, schema } = request.routeOptions;
  if (!url?.startsWith('/v1/')) {
    done();
    return;
  }
  const { body, querystring } = (schema ?? {}) as Declared;
  const problems = [
    ...(querystring === undefined ? unknownFields(request.query) : []),
    ...(body === undefined ? unknownFields(request.body) : []),
  ];
  done(problems.length > 0 ? invalidFields(problems) : undefined);
};

/** Replaces a missing optional body by an empty one. */
export const fillOptionalBody: preValidationHookHandler = (request, _reply, done) => {
  if (request.routeOptions.config.optionalBody === true && request.body === undefined) request.body = {};
  done();
};

function unknownFields(given: unknown): FieldProblem[] {
  if (given === undefined || given === null) return [];
  if (typeof given !== 'object' || Array.isArray(given)) {
    return [{ path: '', message: 'this operation does not accept a body' }];
  }
  return Object.keys(given)
    .slice(0, MAX_FIELDS)
    .map((name) => ({ path: shortName(name), message: 'is not a known field' }));
}
