// The id that ties an answer, its error body and its log lines together.
import type { IncomingMessage } from 'node:http';
import { randomBytesPooled } from '../../lib/runtime/index.js';

const HEADER = 'x-request-id';
const SAFE = /^[A-Za-z0-9._~:@+/=-]{1,128}$/;

/** The caller's own X-Request-Id when it is safe to log and echo, else a new one. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers[HEADER];
  if (typeof given === 'string' && SAFE.test(given)) return given;
  return `req_${randomBytesPooled(16).toString('hex')}`;
}
