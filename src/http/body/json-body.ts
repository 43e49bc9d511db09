// Reads JSON bodies (RFC 8259): counted while they come in, measured before they are parsed. JSON.parse keeps a key named
// __proto__ as plain data, and so do we: nothing behind this may merge objects by assignment.
import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import type { FastifyContentTypeParser, FastifyRequest } from 'fastify';
import { Refusal } from '../../contract/refusal.js';
import { parseMeasured, repeatsKey } from '../../lib/json/index.js';
import { tooManyBodies } from './bodies-in-flight.js';

/** Values of a body, where its route does not say. */
export const JSON_MEMBERS = 20_000;
/** Values of one message: its variables may be a table of a thousand lines. */
export const MESSAGE_MEMBERS = 50_000;
/** Values of one message of a batch, on average. */
export const BATCH_ITEM_MEMBERS = 250;

/** In UTF-8. RFC 8259 section 8.1 lets a reader ignore it. */
const BOM = Buffer.from('\uFEFF');

type Done = (error: Error | null, value?: unknown) => void;

/** An empty body is no body, also when the client names a type: many send the header with every DELETE. */
export const parseJsonBody: FastifyContentTypeParser = (request, payload, done) => {
  if (request.handedOver !== null) {
    done(null, request.handedOver.body);
    return;
  }
  readOctets(request, payload, (error, bytes) => {
    if (error !== null) {
      done(error);
      return;
    }
    try {
      done(null, readJson(bytes as Buffer, request));
    } catch (problem) {
      done(problem as Error);
    }
  });
};

/**
 * The whole body. Refuses with `payload_too_large` at the route's limit, `unavailable` where too many bodies are in flight,
 * `bad_request` when it is not as long as it says; what is not read then is dropped as it comes.
 */
export function readOctets(request: FastifyRequest, payload: Readable, done: Done): void {
  const limit = request.routeOptions.bodyLimit;
  const named = request.headers['content-length'];
  const pieces: Buffer[] = [];
  let size = 0;
  const end = (error: Error | null): void => {
    payload.off('data', onData);
    payload.off('end', onEnd);
    payload.off('error', onError);
    payload.on('error', () => undefined); // the client may go away while the rest is dropped
    payload.resume();
    done(error, error === null ? Buffer.concat(pieces, size) : undefined);
  };
  const onData = (piece: Buffer): void => {
    size += piece.length;
    if (size > limit) end(new Refusal('payload_too_large'));
    else if (request.bodyHold !== null && !request.bodyHold.take(piece.length)) end(tooManyBodies());
    else pieces.push(piece);
  };
  const onEnd = (): void => {
    const isWhole = named === undefined || Number(named) === size;
    end(isWhole ? null : new Refusal('bad_request', 'The request body does not match its Content-Length.'));
  };
  const onError = (): void =>
    end(new Refusal('bad_request', 'The request body ended before it was complete.'));
  if (named !== undefined && Number(named) > limit) {
    end(new Refusal('payload_too_large'));
    return;
  }
  payload.on('data', onData);
  payload.on('end', onEnd);
  payload.on('error', onError);
}

/** Refuses with `bad_request` what is not JSON in UTF-8, or too much of it. */
function readJson(body: Buffer, { routeOptions: { config } }: FastifyRequest): unknown {
  const bytes = body.subarray(0, BOM.length).equals(BOM) ? body.subarray(BOM.length) : body;
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) throw new Refusal('bad_request', 'The request body is not valid UTF-8.');
  const read = parseMeasured(bytes, config.jsonMembers ?? JSON_MEMBERS);
  if ('problem' in read) throw new Refusal('bad_request', `The request body ${read.problem}.`);
  if (config.uniqueKeys === true && repeatsKey(bytes.toString(), read.value)) {
    throw new Refusal('bad_request', 'An object in the request body contains a duplicate field.');
  }
  return read.value;
}
