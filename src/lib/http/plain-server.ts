// Serves a few paths over HTTP to machines (GET and HEAD, no state). Independent of the API's server, so that
// it responds from any thread.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { MIN_TLS_VERSION, NO_AUTHORITIES } from '../tls/index.js';

const MAX_CONNECTIONS = 50;
const REQUEST_TIMEOUT_MS = 15_000;
const HEADERS_TIMEOUT_MS = 5_000;

export interface PlainAnswer {
  status: number;
  contentType: string;
  body: string;
  headers?: Readonly<Record<string, string>>;
}

type Answerer = (request: IncomingMessage) => PlainAnswer | Promise<PlainAnswer>;

export interface PlainOptions {
  /** Handles requests for any other path. Default: 404. */
  otherwise?: Answerer;
  /** PEM. Default: no TLS. */
  tls?: { key: string; cert: string };
  maxConnections?: number;
}

export interface PlainServer {
  port: number;
  /** Ends open connections. */
  close(): Promise<void>;
}

/**
 * Listens; rejects with the system's error if it cannot. A handler that rejects causes a 500 without details.
 */
export async function servePlain(
  { host, port }: { host: string; port: number },
  answers: Readonly<Record<string, Answerer>>,
  { otherwise, tls, maxConnections = MAX_CONNECTIONS }: PlainOptions = {},
): Promise<PlainServer> {
  const terms = { requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: HEADERS_TIMEOUT_MS };
  const onRequest = (request: IncomingMessage, response: ServerResponse): void =>
    void answer(request, response, { answers, otherwise });
  const server =
    tls === undefined
      ? createServer(terms, onRequest)
      : createTlsServer({ ...terms, ...tls, ...NO_AUTHORITIES, minVersion: MIN_TLS_VERSION }, onRequest);
  server.maxConnections = maxConnections;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, resolve);
  });
  return { port: (server.address() as AddressInfo).port, close: () => closeNow(server) };
}

interface Answers {
  answers: Readonly<Record<string, Answerer>>;
  otherwise: Answerer | undefined;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { answers, otherwise }: Answers,
): Promise<void> {
  const path = (request.url ?? '').split('?', 1)[0] ?? '';
  const make = Object.hasOwn(answers, path) ? answers[path] : undefined;
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  request.resume();
  try {
    if (make === undefined)
      send(response, request, (await otherwise?.(request)) ?? plain(404, 'not found\n'));
    else if (!isRead) send(response, request, plain(405, 'GET only\n'));
    else send(response, request, await make(request));
  } catch {
    // The path's owner reports its own errors; the client only learns that there was one.
    send(response, request, plain(500, 'fault\n'));
  }
}

function plain(status: number, body: string): PlainAnswer {
  return { status, contentType: 'text/plain; charset=utf-8', body };
}

function send(
  response: ServerResponse,
  request: IncomingMessage,
  { status, contentType, body, headers }: PlainAnswer,
): void {
  response.writeHead(status, {
    'content-type': contentType,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

function closeNow(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
