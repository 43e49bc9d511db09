// Bounds the time that the body of a request may take to arrive. Node has one such limit for all requests, and a large file over a slow
// line needs longer than a stranger may hold a connection with a small body.
import type { IncomingMessage, Server } from 'node:http';

export interface BodyTimeLimits {
  /** Time for a whole body. The rate of an upload is measured in periods of this length. */
  periodMs: number;
  /** Least rate of an upload. */
  uploadBytesPerSecond: number;
}

const LIMITS: BodyTimeLimits = { periodMs: 120_000, uploadBytesPerSecond: 8 * 1024 };

const uploads = new WeakSet<IncomingMessage>();

/** Lets the body of a request take any time, as long as it keeps the least rate. For files of authenticated callers. */
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
