// Answers malformed HTTP, oversized header fields and incomplete requests (RFC 9110 sections 15.5.1, 15.5.9; RFC 6585 section
// 5), then closes the connection.
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Refusal } from '../../contract/refusal.js';
import { randomBytesPooled } from '../../lib/runtime/index.js';
import { buildErrorBody, STATUS_OF_TYPE } from '../errors.js';

/** Time for the peer to read the answer, because closing while it still sends would discard the answer. */
const LINGER_MS = 1_000;

const REFUSALS: Record<string, () => Refusal> = {
  HPE_HEADER_OVERFLOW: () => new Refusal('headers_too_large'),
  ERR_HTTP_REQUEST_TIMEOUT: () => new Refusal('request_timeout'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: () =>
    new Refusal('payload_too_large', 'The chunk extensions are too large.'),
};

/** Sends the usual error body and destroys the socket a moment later, or immediately if no answer can be sent. */
export function createBrokenHttpAnswerer(lingerMs: number = LINGER_MS) {
  return (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const refusal =
      REFUSALS[error.code ?? '']?.() ?? new Refusal('bad_request', 'The request is not valid HTTP.');
    socket.end(answerTo(refusal));
    // The timer applies even if the peer neither reads the answer nor closes the connection.
    const timer = setTimeout(() => socket.destroy(), lingerMs);
    socket.once('close', () => clearTimeout(timer));
    socket.on('error', () => socket.destroy());
    socket.resume();
  };
}

function answerTo(refusal: Refusal): string {
  const requestId = `req_${randomBytesPooled(16).toString('hex')}`;
  const status = STATUS_OF_TYPE[refusal.type];
  const body = JSON.stringify(buildErrorBody(refusal, requestId));
  return (
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nContent-Type: application/json; charset=utf-8\r\n` +
    `X-Request-Id: ${requestId}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`
  );
}
