// Declares the standard routes of a resource: list, get and delete. Other operations are separate routes.
import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify';
import type { Static, TObject, TProperties, TSchema } from 'typebox';
import { listOf } from '../../contract/lists.js';
import { Refusal } from '../../contract/refusal.js';
import { deleted, idParams } from '../../contract/schema.js';
import type { Page, PageRequest } from '../../database/scope.js';
import type { Api } from '../api.js';
import { listAnswer, readPage, type ListRequest } from './pages.js';

interface ResourceFacts<S extends TSchema, N extends string> {
  /** Such as `/v1/api-keys`. */
  path: string;
  /** Prefix of the operation ids: `apiKeys` yields `apiKeys.list`. */
  operations: string;
  tag: string;
  /** Value of `object` in the answers. */
  object: N;
  schema: S;
}

interface Described {
  summary: string;
  description?: string;
  /** Access rules, as in a route's config. */
  config?: FastifyContextConfig;
}

/** A request for a page, including its filters. */
type PageOf<Q extends TObject> = FastifyRequest<{ Querystring: Static<Q> }>;
/** A request for one object. */
type OneOf = FastifyRequest<{ Params: { id: string } }>;

interface ListParts<Q extends TObject, Row, Wire> extends Described {
  query: Q;
  read: (request: PageOf<Q>, page: PageRequest) => Promise<Page<Row>>;
  present: (row: Row, request: PageOf<Q>) => Wire;
}

interface GetParts<Row, Wire> extends Described {
  /** Null results in `not_found`. */
  find: (request: OneOf) => Promise<Row | null>;
  present: (row: Row, request: OneOf) => Wire | Promise<Wire>;
}

interface RemoveParts extends Described {
  /** Name of the operation if it is not `delete`. */
  operation?: string;
  /** Refuses with `not_found` if there is no such object. */
  remove: (request: OneOf) => Promise<unknown>;
}

/** Declares routes in the order of the calls. */
export function resource<S extends TSchema, const N extends string>(
  app: Api,
  { path, operations, tag, object, schema }: ResourceFacts<S, N>,
) {
  const described = ({ summary, description }: Described, operation: string) => ({
    operationId: `${operations}.${operation}`,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
  });
  // The parts give the types, because those of the schemas depend on type parameters.
  const routes = app as unknown as FastifyInstance;
  return {
    /** `GET /v1/things`. */
    list<P extends TProperties, Row>(parts: ListParts<TObject<P>, Row, Static<S>>): void {
      const { query, read, present, config = {} } = parts;
      routes.get(
        path,
        {
          config,
          schema: { ...described(parts, 'list'), querystring: query, response: { 200: listOf(schema) } },
        },
        async (request) => {
          const asked = request as PageOf<TObject<P>> & ListRequest; // as the query's schema was checked
          const page = await read(asked, readPage(asked));
          return listAnswer(asked, page, (row) => present(row, asked));
        },
      );
    },

    /** `GET /v1/things/:id`. */
    get<Row>(parts: GetParts<Row, Static<S>>): void {
      const { find, present, config = {} } = parts;
      routes.get<{ Params: { id: string } }>(
        `${path}/:id`,
        { config, schema: { ...described(parts, 'get'), params: idParams, response: { 200: schema } } },
        async (request) => {
          const row = await find(request);
          if (row === null) throw new Refusal('not_found');
          return present(row, request);
        },
      );
    },

    /** `DELETE /v1/things/:id`. */
    remove(parts: RemoveParts): void {
      const { operation = 'delete', remove, config = {} } = parts;
      routes.delete<{ Params: { id: string } }>(
        `${path}/:id`,
        {
          config,
          schema: { ...described(parts, operation), params: idParams, response: { 200: deleted(object) } },
        },
        async (request) => {
          await remove(request);
          return { id: request.params.id, object, deleted: true };
        },
      );
    },
  };
}
