// Helper process that receives webhooks and counts them by delivery ID.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveQuestions } from './child.js';

export interface ReceiverStats {
  /** Different deliveries. */
  received: number;
  repeated: number;
  unsigned: number;
  lastAt: number;
}

const seen = new Set<string>();
const stats: ReceiverStats = { received: 0, repeated: 0, unsigned: 0, lastAt: 0 };
let waiting: { received: number; resolve: (stats: ReceiverStats) => void } | null = null;

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    response.writeHead(204).end();
    const delivery = String(request.headers['service-delivery']);
    if (request.headers['service-signature'] === undefined) stats.unsigned += 1;
    if (seen.has(delivery)) stats.repeated += 1;
    seen.add(delivery);
    stats.received = seen.size;
    stats.lastAt = performance.timeOrigin + performance.now();
    if (waiting && stats.received >= waiting.received) {
      waiting.resolve(stats);
      waiting = null;
    }
  });
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

serveQuestions({
  port: () => (server.address() as AddressInfo).port,
  stats: () => stats,
  wait: (received: number) =>
    new Promise<ReceiverStats>((resolve) => {
      if (stats.received >= received) resolve(stats);
      else waiting = { received, resolve };
    }),
});
