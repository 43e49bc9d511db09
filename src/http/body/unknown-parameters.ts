// Refuses parameters that a route does not declare: a `send_at` in the wrong place must never be ignored.
import type { preValidationHookHandler } from 'fastify';
import { invalidFields, type FieldProblem } from '../../contract/refusal.js';
import { shortName } from './problem-excerpt.js';

const MAX_FIELDS = 20;

interface Declared {
  body?: unknown;
  querystring?: unknown;
}

/**
 * For operations of /v1 without a body or query schema: a 422 naming what was given all the same. Fields of those
 * with a schema are the schema's to refuse; an empty object is no body.
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

/** Where a body may be left out, its absence is an empty one. */
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
