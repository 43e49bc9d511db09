// Requests that are signed with a key's secret, instead of carrying the key.
import type { FastifyRequest } from 'fastify';

/** The signature of a request, which names the key before the body has arrived. */
export interface RequestSignature {
  keyId: string;
  /** Checks that the key's holder signed the request with this body. Throws a Refusal. */
  verify: (secret: string, body: Buffer) => void;
}

/** Reads a request's signature. Throws a Refusal if it has none, or one that is malformed or too old. */
export type SignatureReader = (request: FastifyRequest) => RequestSignature;
