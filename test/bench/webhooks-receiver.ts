// Helper process that replies to webhooks with 204 as cheaply as a server can, and records the delay of each.
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { serveQuestions } from './child.js';

const ANSWER = 'HTTP/1.1 204 No Content\r\nConnection: keep-alive\r\n\r\n';
const HEAD_END = '\r\n\r\n';
const LENGTH = 'content-length: ';
const PATH_START = 'POST /';
const OCCURRED = '"occurred_at":"';

export interface FanOutStats {
  received: number;
  firstAt: number;
  lastAt: number;
  /** The longest time from event to arrival, by endpoint. */
  latestMs: number[];
  p50Ms: number;
  p99Ms: number;
  cpuSeconds: number;
}

let delays: number[] = [];
const latest = new Map<string, number>();
let received = 0;
let firstAt = 0;
let lastAt = 0;
let waiting: { received: number; resolve: (stats: FanOutStats) => void } | null = null;

function stats(): FanOutStats {
  const sorted = delays.toSorted((a, b) => a - b);
  const { user, system } = process.cpuUsage();
  return {
    received,
    firstAt,
    lastAt,
    latestMs: [...latest.values()],
    p50Ms: sorted[Math.floor(sorted.length * 0.5)] ?? NaN,
    p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? NaN,
    cpuSeconds: (user + system) / 1_000_000,
  };
}

function take(request: string): void {
  const now = Date.now();
  received += 1;
  firstAt ||= now;
  lastAt = now;
  const path = request.slice(PATH_START.length, request.indexOf(' ', PATH_START.length));
  const at = request.lastIndexOf(OCCURRED) + OCCURRED.length;
  const delay = now - Date.parse(request.slice(at, at + 24));
  delays.push(delay);
  if (delay > (latest.get(path) ?? -1)) latest.set(path, delay);
  if (waiting && received >= waiting.received) {
    waiting.resolve(stats());
    waiting = null;
  }
}

function serve(socket: Socket): void {
  let buffered = '';
  socket.setNoDelay(true);
  socket.setEncoding('latin1');
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: string) => {
    buffered += chunk;
    for (;;) {
      const headEnd = buffered.indexOf(HEAD_END);
      if (headEnd < 0) return;
      const lengthAt = buffered.toLowerCase().indexOf(LENGTH) + LENGTH.length;
      const end = headEnd + HEAD_END.length + Number.parseInt(buffered.slice(lengthAt, lengthAt + 8), 10);
      if (buffered.length < end) return;
      take(buffered.slice(0, end));
      buffered = buffered.slice(end);
      socket.write(ANSWER);
    }
  });
}

const server = createServer(serve);
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

serveQuestions({
  port: () => (server.address() as AddressInfo).port,
  stats,
  reset: () => {
    delays = [];
    latest.clear();
    received = firstAt = lastAt = 0;
  },
  wait: (count: number) =>
    new Promise<FanOutStats>((resolve) => {
      if (received >= count) resolve(stats());
      else waiting = { received: count, resolve };
    }),
});
