// What every route file builds on: the typed fastify instance, who is calling, and what a route may say about itself.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { KeyPermission } from '../../contract/names.js';
import type { Caller } from '../../work/accounts/credential-cache.js';

/** The instance that routes are declared on; bodies, queries and answers take their types from the schemas. */
export type Api = FastifyInstance<
  Server,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** Declares routes on the instance; all of them must be declared before the server is ready. */
export type Routes = (app: Api) => void;

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every route that is not public. */
    caller: Caller;
  }
  interface FastifyContextConfig {
    /** What the key must be able to do. Without it: `read` for GET, else `full`. */
    permission?: KeyPermission;
    /** True where a body must not have a key twice: which value counts would be the reader's choice. */
    uniqueKeys?: boolean;
    /** True where a request without a body is the usual one; it is read as an empty object. */
    optionalBody?: boolean;
    /** True where no key is needed. */
    public?: boolean;
  }
}
