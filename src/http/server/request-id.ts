import type { IncomingMessage } from 'node:http';
import { randomBytesPooled } from '../../lib/runtime/index.js';

const HEADER = 'x-request-id';
const SAFE = /^[A-Za-z0-9._~:@+/=-]{1,128}$/;

/** Returns the caller's X-Request-Id if it is safe to log and echo, otherwise a new id. */
export function readRequestId(request: IncomingMessage): string {
  const given = request.headers[HEADER];
  if (typeof given === 'string' && SAFE.test(given)) return given;
  return `req_${randomBytesPooled(16).toString('hex')}`;
}
