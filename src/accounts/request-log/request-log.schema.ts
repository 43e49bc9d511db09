// The request log: what was asked of the API, and how it was answered.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { nameEnums, nameSchemas, nullable, oneOf, timestamp } from '../../contract/schema.js';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const ACTOR_KINDS = ['api_key', 'user'] as const;

const excerpt = (what: string) =>
  nullable(
    Type.Unknown({
      description: `The ${what} without secrets and persons: texts by their length, addresses by their domain.`,
    }),
  );

export const loggedRequest = Type.Object({
  id: Type.String(),
  object: Type.Literal('request'),
  operation: Type.String({ description: 'The operationId.' }),
  method: oneOf(METHODS),
  path: Type.String({
    description: 'Without the query; parts that may be of a person are named, not shown.',
  }),
  status: Type.Integer(),
  code: nullable(Type.String({ description: '`error.code`; null of a success.' })),
  param: nullable(Type.String({ description: '`error.param`.' })),
  duration_ms: Type.Integer(),
  actor: Type.Object({ kind: oneOf(ACTOR_KINDS), id: Type.String() }),
  sub_tenant_id: nullable(Type.String()),
  request_id: Type.String({ description: 'As the header X-Request-Id of the answer.' }),
  query: excerpt('query'),
  body: excerpt('body'),
  created_at: timestamp,
});
export type LoggedRequestWire = Static<typeof loggedRequest>;

export const requestFilters = {
  status: Type.Optional(
    Type.String({
      pattern: '^[1-5](\\d\\d|xx)$',
      description: 'Such as `422`, or `4xx` for all that begin so.',
    }),
  ),
  method: Type.Optional(oneOf(METHODS)),
  path: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'What the path begins with.' }),
  ),
  actor_id: Type.Optional(Type.String({ maxLength: 64, description: 'A key or a person.' })),
  code: Type.Optional(Type.String({ maxLength: 64, description: 'Of the error.' })),
  since: Type.Optional(Type.String({ maxLength: 40, description: 'A date or an ISO 8601 time; included.' })),
  until: Type.Optional(Type.String({ maxLength: 40, description: 'Not included.' })),
};

nameSchemas({ Request: loggedRequest, RequestActor: loggedRequest.properties.actor });

nameEnums({ RequestMethod: METHODS, RequestActorKind: ACTOR_KINDS });
