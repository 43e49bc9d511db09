// The basis of every route file: the typed Fastify instance, the caller and the options of a route.
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { KeyPermission, Role } from '../contract/names.js';
import type { Reading } from '../database/engine/reading.js';
import type { Caller } from './access/caller.js';
import type { SignatureReader } from './access/signature.js';
import type { ConnectionGuard } from '../lib/http/index.js';
import type { Cursors } from './lists/cursors.js';
import type { HandedOver, HandOver } from './server/forwarded-requests.js';
import type { BodyHold } from './body/bodies-in-flight.js';
import type { Deprecation } from './versions/versions.js';

/** Fastify instance that derives the types of bodies, queries and answers from the schemas. */
export type Api = FastifyInstance<
  Server,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** Declares routes on the instance. All routes must be declared before the server is ready. */
export type Routes = (app: Api) => void;

declare module 'fastify' {
  interface FastifyInstance {
    /** Counts the connections of all ports that serve the routes. */
    connections: ConnectionGuard;
    /** Seals cursors and event ids. */
    cursors: Cursors;
    /** Calls another operation of this server without a network request. */
    handOver: HandOver;
  }
  interface FastifyRequest {
    /** Set on every route that requires authentication. */
    caller: Caller;
    /** Checks the signature of a signed request with its body, and refuses with `unauthorized`; null for other requests. */
    verifyBody: ((body: Buffer) => Promise<void>) | null;
    /** API version remembered for the key; null for a person and before the key's first call. */
    keyApiVersion: string | null;
    /** API version of the answer. */
    apiVersion: string;
    /** Counts the request's body while it is in memory; null without a body. */
    bodyHold: BodyHold | null;
    /** Context of an internal request; null for a request from outside. */
    handedOver: HandedOver | null;
    /** Reading that owns the request's reads; null if they run in the main thread. */
    reading: Reading | null;
  }
  interface FastifyContextConfig {
    /** Finds the key in a request, for routes that accept keys only. Default: the Authorization header. */
    keyOf?: (headers: IncomingHttpHeaders) => string | null;
    /**
     * Reads the signature, for routes whose requests are signed with SES credentials. Such a route must call `verifyBody` before it
     * uses the body.
     */
    signatureOf?: SignatureReader;
    /** True if the operation accepts access tokens of connected applications besides API keys, and no sessions. */
    acceptsAccessTokens?: boolean;
    /** Parameters of the Bearer challenge to a request without valid credentials (RFC 6750 section 3). */
    challenge?: string;
    /** Permission that a key needs. Default: `read` for GET, otherwise `full`. */
    permission?: KeyPermission;
    /** True if the handler checks the permission, because the body names the operation. */
    checksPermission?: boolean;
    /**
     * Least role that a person needs; `permission` then applies to keys only. Default: `viewer` for operations that `read`
     * permits, otherwise `member`.
     */
    role?: Role;
    /** True if only a signed-in person may call the operation. */
    session?: boolean;
    /** True if a body with a duplicate key is refused, because readers disagree about which value counts. */
    uniqueKeys?: boolean;
    /** Most values in a JSON body, counted at all levels. Default: `JSON_MEMBERS`. */
    jsonMembers?: number;
    /** True if requests usually have no body; a missing body is then read as an empty object. */
    optionalBody?: boolean;
    /**
     * False if the messages' audit trail records the operation. `shows` lists fields whose values may appear in the audit log.
     * With `makesMany`, the entry names no created object. With `reads`, a GET request is recorded by its first commit
     * (`recordRead`).
     */
    audit?: false | { shows?: readonly string[]; makesMany?: boolean; reads?: boolean };
    /**
     * True if the object has an ETag: answers that show it carry the header, and changes honour If-Match, which the handler
     * reads with `readPrecondition`.
     */
    versioned?: boolean;
    /** True if scripts of any site may call the operation; public operations only. */
    crossOrigin?: boolean;
    /**
     * Handling of an Idempotency-Key: `own` if the operation handles it, `resumable` if a crashed request restarts because each
     * part is done once, `none` if the key is ignored. Default: the first answer is stored and replayed.
     */
    idempotency?: 'own' | 'resumable' | 'none';
    /** True if the answer contains a secret, which is replayed to its first caller only. */
    showsSecret?: boolean;
    /** Fields of the answer with sentences of the server, such as `advice.text`, which are translated for the request. Default: those that its schema declares with `sentence`. */
    speaks?: readonly string[];
    /** Set if the operation is deprecated. */
    deprecation?: Deprecation;
    /** True if the operation may generate DKIM keys, which have their own rate limit. */
    makesKeys?: boolean;
    /** True if the operation requires no authentication. */
    public?: boolean;
    /**
     * Kind of reading if the method does not determine it: `request` for a POST that only reads, `file` for a long download,
     * `stream` for an operation that manages its own reads.
     */
    reading?: 'request' | 'file' | 'stream';
  }
}
