// The plain routes of a resource: a page of it, one of it, its end. Anything beyond stands as a route of its own.
import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify';
import type { Static, TObject, TProperties, TSchema } from 'typebox';
import { listOf } from '../../contract/lists.js';
import { Refusal } from '../../contract/refusal.js';
import { deleted, idParams } from '../../contract/schema.js';
import type { Page, PageRequest } from '../../database/scope.js';
import type { Api } from '../api.js';
import { listAnswer, readPage, type ListRequest } from './pages.js';

export interface ResourceFacts<S extends TSchema, N extends string> {
  /** `/v1/api-keys`. */
  path: string;
  /** Prefix of the operation ids: `apiKeys` has `apiKeys.list`. */
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

/** A request for a page, with its filters. */
export type PageOf<Q extends TObject> = FastifyRequest<{ Querystring: Static<Q> }>;
/** A request for one of them. */
export type OneOf = FastifyRequest<{ Params: { id: string } }>;

interface ListParts<Q extends TObject, Row, Wire> extends Described {
  query: Q;
  read: (request: PageOf<Q>, page: PageRequest) => Promise<Page<Row>>;
  present: (row: Row, request: PageOf<Q>) => Wire;
}

interface GetParts<Row, Wire> extends Described {
  /** Null is refused with `not_found`. */
  find: (request: OneOf) => Promise<Row | null>;
  present: (row: Row, request: OneOf) => Wire | Promise<Wire>;
}

interface RemoveParts extends Described {
  /** The operation, where it is another than `delete`. */
  operation?: string;
  /** Refuses with `not_found` itself where there is none. */
  remove: (request: OneOf) => Promise<unknown>;
}

/** Declares routes as they are called, in that order. */
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
  // Types come from the parts: those that the schemas would give depend on what is not known here.
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
