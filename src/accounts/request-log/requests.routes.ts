// GET /v1/requests: API requests and their results.
import { wireOf } from '../../contract/codec.js';
import { listOf, rangeFields } from '../../contract/lists.js';
import type { AccountContext } from '../context.js';
import type { RequestLog } from './request-log.js';
import type { Api } from '../../http/api.js';
import { listAnswer, pageQueryWith, readPage, readRange } from '../../http/lists/pages.js';
import { LIST_OPERATION } from '../access/request-log.js';
import { Type } from 'typebox';
import { nameEnums, nameSchemas, nullable, oneOf, timestamp } from '../../contract/schema.js';
import type { LoggedRequest } from './request-log.tables.js';

// The API request log.
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const ACTOR_KINDS = ['api_key', 'user'] as const;

const excerpt = (what: string) =>
  Type.Unknown({
    description: `The ${what} without secrets and personal data: strings are replaced by their length and addresses by their domain. \`null\` if there is none.`,
  });

const loggedRequest = Type.Object({
  id: Type.String(),
  object: Type.Literal('request'),
  operation: Type.String({ description: 'The `operationId`.' }),
  method: oneOf(METHODS),
  path: Type.String({
    description: 'The path without the query. Parts that may be personal data are replaced by a placeholder.',
  }),
  status: Type.Integer(),
  code: nullable(Type.String({ description: 'The `error.code`. `null` for successful requests.' })),
  param: nullable(Type.String({ description: 'The `error.param`.' })),
  duration_ms: Type.Integer(),
  actor: Type.Object({ kind: oneOf(ACTOR_KINDS), id: Type.String() }),
  sub_tenant_id: nullable(Type.String()),
  request_id: Type.String({ description: 'The request ID, as in the response header `X-Request-Id`.' }),
  query: excerpt('query'),
  body: excerpt('body'),
  created_at: timestamp,
});

const presentRequest = wireOf(loggedRequest).from<LoggedRequest>({
  method: (row) => row.method as (typeof METHODS)[number], // always the method of a route
  actor: (row) => ({ kind: row.actor_kind, id: row.actor_id }),
  query: (row) => parsed(row.query),
  body: (row) => parsed(row.body),
  created_at: 'at',
});

const requestFilters = {
  status: Type.Optional(
    Type.String({
      pattern: '^[1-5](\\d\\d|xx)$',
      description: 'A status such as `422`, or a class such as `4xx`.',
    }),
  ),
  method: Type.Optional(oneOf(METHODS)),
  path: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'The start of the path.' })),
  actor_id: Type.Optional(Type.String({ maxLength: 64, description: 'The ID of an API key or user.' })),
  actor_kind: Type.Optional(
    oneOf(ACTOR_KINDS, {
      description: 'Return only requests by API keys, or only requests by users in the dashboard.',
    }),
  ),
  code: Type.Optional(Type.String({ maxLength: 64, description: 'The error code.' })),
  ...rangeFields,
};

nameSchemas({ Request: loggedRequest, RequestActor: loggedRequest.properties.actor });

nameEnums({ RequestMethod: METHODS, RequestActorKind: ACTOR_KINDS });

export function requestRoutes(
  app: Api,
  { store }: Pick<AccountContext, 'store'>,
  requestLog: RequestLog,
): void {
  app.get(
    '/v1/requests',
    {
      config: { permission: 'full' },
      schema: {
        operationId: LIST_OPERATION,
        tags: ['Requests'],
        summary: 'List API requests',
        description:
          'Returns requests to the API for the environment or sub-tenant, newest first. The log keeps up to 300 failures, 60 changes and 30 reads per minute, for 30 days or the time in `MAILKEEL_REQUEST_LOG_KEEP`. Public operations and requests to this list are not logged. Requires permission `full`.',
        querystring: pageQueryWith(requestFilters),
        response: { 200: listOf(loggedRequest) },
      },
    },
    async (request) => {
      const { status, method, path, actor_id: actorId, actor_kind: actorKind, code } = request.query;
      const filter = {
        ...(status === undefined ? {} : { statuses: statusRange(status) }),
        ...(method === undefined ? {} : { method }),
        ...(path === undefined ? {} : { path }),
        ...(actorId === undefined ? {} : { actorId }),
        ...(actorKind === undefined ? {} : { actorKind }),
        ...(code === undefined ? {} : { code }),
        ...readRange(request.query),
      };
      const wanted = readPage(request);
      await requestLog.flush();
      const page = await store.requestLog.list(request.caller.scope, wanted, filter);
      return listAnswer(request, page, presentRequest);
    },
  );
}

function statusRange(text: string): [number, number] {
  const first = Number(text[0]) * 100;
  return text.endsWith('xx') ? [first, first + 99] : [Number(text), Number(text)];
}

function parsed(json: string | null): unknown {
  return json === null ? null : JSON.parse(json);
}
