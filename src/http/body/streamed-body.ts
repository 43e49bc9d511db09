// Bodies that are read as they come, and never held as a whole.
import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '../../contract/refusal.js';

/** In lower case, without its parameters. */
export function mediaTypeOf(request: FastifyRequest): string {
  return (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/**
 * The pieces of the body. Throws `payload_too_large` at the limit, `bad_request` when the client goes away. What is not
 * read is dropped, so that the client, which still sends, gets to see the answer.
 */
export async function* limitedBody(body: Readable, limit: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  try {
    for await (const piece of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
      size += piece.length;
      if (size > limit) throw new Refusal('payload_too_large');
      yield piece;
    }
  } catch (error) {
    if (error instanceof Refusal || !body.errored) throw error;
    throw new Refusal('bad_request', 'The request body ended before it was complete.');
  } finally {
    body.resume();
  }
}
