// Limits the time for a request body to arrive. Node has a single limit for all requests, but a large upload over a slow line needs
// longer than an unknown client may hold a connection with a small body.
import type { IncomingMessage, Server } from 'node:http';

interface BodyTimeLimits {
  /** Time for a whole body, and the period over which the rate of an upload is measured. */
  periodMs: number;
  /** Minimum rate of an upload. */
  uploadBytesPerSecond: number;
}

const LIMITS: BodyTimeLimits = { periodMs: 120_000, uploadBytesPerSecond: 8 * 1024 };

const uploads = new WeakSet<IncomingMessage>();

/**
 * Lets the body of a request take any time at the minimum rate. Use it for uploads of authenticated callers.
 */
export function allowLongUpload(request: IncomingMessage): void {
  uploads.add(request);
}

/** Emits `clientError` for a late body, as Node does for its own `requestTimeout`, which must be 0. */
export function boundBodyTime(
  server: Server,
  { periodMs, uploadBytesPerSecond }: BodyTimeLimits = LIMITS,
): void {
  server.on('request', (request: IncomingMessage) => {
    const { headers, socket } = request;
    if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return;
    let before = socket.bytesRead;
    const timer = setInterval(() => {
      const rate = ((socket.bytesRead - before) * 1000) / periodMs;
      before = socket.bytesRead;
      if (request.complete || (uploads.has(request) && rate >= uploadBytesPerSecond)) return;
      clearInterval(timer);
      const error = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      server.emit('clientError', error, socket);
    }, periodMs).unref();
    request.once('close', () => clearInterval(timer));
  });
}
