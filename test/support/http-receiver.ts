// A webhook receiver for tests. It records its requests and responds according to a script.
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { Socket } from 'node:net';

export interface ReceivedRequest {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  rawBody: Buffer;
  /** Epoch ms of arrival, body complete. */
  at: number;
  /** Number of its connection, from 1. */
  connection: number;
}

export interface ScriptedReply {
  /** Default 200. */
  status?: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
  delayMs?: number;
  /** Responds with status 302 (or `status`) and this Location. */
  redirectTo?: string;
  /** `silence` never responds; `reset` breaks the connection; `drip` sends headers and an endless body. */
  fault?: 'silence' | 'reset' | 'drip';
}

export interface HttpReceiver {
  url: string;
  port: number;
  requests: ReceivedRequest[];
  /** The replies to the next requests, in order; afterwards every request gets the default one. */
  script(...replies: ScriptedReply[]): void;
  /** The reply after the script ends, or a function of the request: initially 200 `ok`. */
  setDefault(reply: ScriptedReply | ((request: ReceivedRequest) => ScriptedReply)): void;
  /** Waits for `count` requests; rejects after `deadlineMs` (5,000). */
  waitFor(count: number, deadlineMs?: number): Promise<ReceivedRequest[]>;
  close(): Promise<void>;
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function drip(response: ServerResponse, timers: Set<NodeJS.Timeout>): void {
  const timer = setInterval(() => response.write('x'), 20);
  timers.add(timer);
  response.on('close', () => clearInterval(timer));
}

function answer(response: ServerResponse, reply: ScriptedReply, timers: Set<NodeJS.Timeout>): void {
  if (reply.fault === 'silence') return;
  if (reply.fault === 'reset') {
    response.socket?.resetAndDestroy();
    return;
  }
  const location = reply.redirectTo === undefined ? {} : { location: reply.redirectTo };
  const status = reply.status ?? (reply.redirectTo === undefined ? 200 : 302);
  response.writeHead(status, { ...reply.headers, ...location });
  if (reply.fault === 'drip') drip(response, timers);
  else response.end(reply.body ?? 'ok');
}

/** Listens on a free loopback port; with `tls` it uses https. */
export async function startHttpReceiver(
  options: { tls?: { key: string; cert: string } } = {},
): Promise<HttpReceiver> {
  const requests: ReceivedRequest[] = [];
  const scripted: ScriptedReply[] = [];
  const timers = new Set<NodeJS.Timeout>();
  const connections = new Map<Socket, number>();
  const waiters = new Set<() => void>();
  let fallback: ScriptedReply | ((request: ReceivedRequest) => ScriptedReply) = {};
  let connectionCount = 0;

  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const rawBody = await readBody(request);
    const received: ReceivedRequest = {
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      rawBody,
      at: Date.now(),
      connection: connections.get(request.socket) ?? 0,
    };
    requests.push(received);
    for (const wake of waiters) wake();
    const reply = scripted.shift() ?? (typeof fallback === 'function' ? fallback(received) : fallback);
    if (reply.delayMs === undefined) {
      answer(response, reply, timers);
      return;
    }
    timers.add(setTimeout(() => answer(response, reply, timers), reply.delayMs));
  };
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    // If a sender hangs up during a request, nothing is recorded.
    receive(request, response).catch(() => response.destroy());
  };
  const server = options.tls ? createHttpsServer(options.tls, listener) : createHttpServer(listener);
  server.on(options.tls ? 'secureConnection' : 'connection', (socket: Socket) => {
    connections.set(socket, ++connectionCount);
    socket.on('close', () => connections.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bound = server.address();
  const port = typeof bound === 'object' && bound ? bound.port : 0;

  return {
    url: `${options.tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    port,
    requests,
    script: (...replies) => {
      scripted.push(...replies);
    },
    setDefault: (reply) => {
      fallback = reply;
    },
    waitFor: (count, deadlineMs = 5_000) =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          if (requests.length < count) return;
          clearTimeout(deadline);
          waiters.delete(check);
          resolve([...requests]);
        };
        const deadline = setTimeout(() => {
          waiters.delete(check);
          reject(new Error(`${requests.length} of ${count} requests after ${deadlineMs} ms`));
        }, deadlineMs);
        waiters.add(check);
        check();
      }),
    close: async () => {
      for (const timer of timers) clearTimeout(timer);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
