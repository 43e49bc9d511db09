// Base of every route file: the typed fastify instance, the caller, and the options of a route.
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { KeyPermission, Role } from '../contract/names.js';
import type { Reading } from '../database/engine/reading.js';
import type { Caller } from './access/caller.js';
import type { ConnectionGuard } from '../lib/http/index.js';
import type { Cursors } from './lists/cursors.js';
import type { HandedOver, HandOver } from './server/forwarded-requests.js';
import type { BodyHold } from './body/bodies-in-flight.js';
import type { Deprecation } from './versions/versions.js';

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
  interface FastifyInstance {
    /** Counts the connections of every port that its routes are served on. */
    connections: ConnectionGuard;
    /** Seals cursors and event ids. */
    cursors: Cursors;
    /** Makes a request of this server from within it. */
    handOver: HandOver;
  }
  interface FastifyRequest {
    /** Set on every route that is not public. */
    caller: Caller;
    /** The version of the API that the key remembers; null for a person, and before its first call. */
    keyApiVersion: string | null;
    /** The version of the API that the request is answered in. */
    apiVersion: string;
    /** Where its body is counted while it is in memory; null without one. */
    bodyHold: BodyHold | null;
    /** Context from another route of this process; null for a request from outside. */
    handedOver: HandedOver | null;
    /** Reading that the request's reads belong to; null where they run at once, in the main thread. */
    reading: Reading | null;
  }
  interface FastifyContextConfig {
    /** Where the key stands in a request, for routes that keys alone may use; the Authorization header without it. */
    keyOf?: (headers: IncomingHttpHeaders) => string | null;
    /** Permission that the key needs. Default: `read` for GET, else `full`. */
    permission?: KeyPermission;
    /**
     * The least role of a person, in place of `permission`, which is then for keys alone. Without it: `viewer` for what
     * `read` opens, else `member`.
     */
    role?: Role;
    /** True where only a person may ask, who has signed in. */
    session?: boolean;
    /** True where a body must not have a key twice: which value counts would be the reader's choice. */
    uniqueKeys?: boolean;
    /** Values that a JSON body may have, at all levels together; `JSON_MEMBERS` without it. */
    jsonMembers?: number;
    /** True where a request without a body is the usual one; it is read as an empty object. */
    optionalBody?: boolean;
    /**
     * False where the trail of messages tells of it; `shows`: texts that may stand in the audit log, by field; `makesMany`:
     * the entry names nothing of what is made.
     */
    audit?: false | { shows?: readonly string[]; makesMany?: boolean };
    /**
     * True where the object has an ETag: answers that show it carry the header, and changes honour If-Match, which the handler
     * reads with `preconditionOf`.
     */
    versioned?: boolean;
    /** True where scripts of any site may ask; public operations only. */
    crossOrigin?: boolean;
    /**
     * Handling of an Idempotency-Key: by the operation itself (`own`), again from the start after a crash, since
     * every part is done once (`resumable`), or not at all (`none`). Default: the first answer is kept.
     */
    idempotency?: 'own' | 'resumable' | 'none';
    /** True where the answer holds a secret: it is shown again only to its first caller. */
    showsSecret?: boolean;
    /** Fields of the answer that hold sentences of the server, such as `advice.text`; in the language of the request. */
    speaks?: readonly string[];
    /** Where the operation is to end. */
    deprecation?: Deprecation;
    /** True where DKIM keys may be made, which has a rate limit of its own. */
    makesKeys?: boolean;
    /** True where no key is needed. */
    public?: boolean;
    /**
     * Kind of reading, where the method does not say it: `request` for a POST that only reads, `file` for a long
     * download, `stream` for an operation that manages its reads itself.
     */
    reading?: 'request' | 'file' | 'stream';
  }
}
