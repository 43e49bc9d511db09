// Reads bodies as a stream, without buffering them as a whole.
import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '../../contract/refusal.js';

/** Returns the media type in lower case, without parameters. */
export function readMediaType(request: FastifyRequest): string {
  return (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/**
 * Yields the body's pieces. Throws `payload_too_large` at the limit and `bad_request` if the client disconnects. Unread data is
 * dropped, so that a client that is still sending can read the answer.
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
