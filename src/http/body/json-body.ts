// Reads JSON bodies (RFC 8259), which are counted while they arrive and measured before they are parsed. JSON.parse keeps a key
// named __proto__ as plain data, so later code must not merge objects by assignment.
import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import type { FastifyContentTypeParser, FastifyRequest } from 'fastify';
import { Refusal } from '../../contract/refusal.js';
import { parseMeasured, repeatsKey } from '../../lib/json/index.js';
import { tooManyBodies } from './bodies-in-flight.js';

/** Most values of a body if its route sets no limit. */
export const JSON_MEMBERS = 20_000;
/** Most values of one message, whose variables may be a table of a thousand lines. */
export const MESSAGE_MEMBERS = 50_000;
/** Most values per message of a batch, on average. */
export const BATCH_ITEM_MEMBERS = 250;

/** A byte order mark in UTF-8, which RFC 8259 section 8.1 lets a reader ignore. */
const BOM = Buffer.from('\uFEFF');

type Done = (error: Error | null, value?: unknown) => void;

/** Treats an empty body as no body even with a Content-Type, because many clients send the header with every DELETE. */
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
 * Reads the whole body. Refuses with `payload_too_large` at the route's limit, `unavailable` if too many bodies are in flight,
 * and `bad_request` if the length differs from Content-Length. Unread data is then dropped as it arrives.
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

/** Parses a body; undefined if it is empty. Refuses with `bad_request` if it is not JSON in UTF-8 or has too many values. */
export function readJson(body: Buffer, { routeOptions: { config } }: FastifyRequest): unknown {
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
