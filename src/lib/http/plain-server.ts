// A small HTTP server for machines that ask: a few paths, GET and HEAD, no state. It stays outside of the API's server, so that it
// answers from whatever thread it runs in.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const MAX_CONNECTIONS = 50;
const REQUEST_TIMEOUT_MS = 15_000;
const HEADERS_TIMEOUT_MS = 5_000;

export interface PlainAnswer {
  status: number;
  contentType: string;
  body: string;
}

export interface PlainServer {
  port: number;
  /** Ends open connections. */
  close(): Promise<void>;
}

/** Listens; rejects with the system's error when it cannot. An answer that rejects is a 500 without words. */
export async function servePlain(
  { host, port }: { host: string; port: number },
  answers: Readonly<Record<string, () => Promise<PlainAnswer>>>,
): Promise<PlainServer> {
  const server = createServer(
    { requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: HEADERS_TIMEOUT_MS },
    (request, response) => void answer(request, response, answers),
  );
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, resolve);
  });
  return { port: (server.address() as AddressInfo).port, close: () => closeNow(server) };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  answers: Readonly<Record<string, () => Promise<PlainAnswer>>>,
): Promise<void> {
  const path = (request.url ?? '').split('?', 1)[0] ?? '';
  const make = Object.hasOwn(answers, path) ? answers[path] : undefined;
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  request.resume();
  try {
    if (make === undefined) send(response, request, plain(404, 'not found\n'));
    else if (!isRead) send(response, request, plain(405, 'GET only\n'));
    else send(response, request, await make());
  } catch {
    // The path's owner reports its own faults; the asker learns that there was one.
    send(response, request, plain(500, 'fault\n'));
  }
}

function plain(status: number, body: string): PlainAnswer {
  return { status, contentType: 'text/plain; charset=utf-8', body };
}

function send(
  response: ServerResponse,
  request: IncomingMessage,
  { status, contentType, body }: PlainAnswer,
): void {
  response.writeHead(status, {
    'content-type': contentType,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

function closeNow(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
