// Keeps the open HTTP-01 challenges, and answers them on port 80 while there are any (RFC 8555 section 8.3).
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../runtime/index.js';
import { readText, type StoredFiles } from '../files/index.js';

const PATH = '/.well-known/acme-challenge/';
/** The form that authorities use: base64url. */
const TOKEN = /^[A-Za-z0-9_-]{1,128}$/;
const SLOWEST_MS = 10_000;
const MAX_CONNECTIONS = 100;
const MAX_HEADER_BYTES = 8 * 1024;
const MAX_OPEN = 200;
/** No order takes this long. */
const LONGEST_MS = 3_600_000;

/** Stores open challenges for all nodes, because the authority may ask any of them. */
type SharedChallenges = Pick<StoredFiles, 'read' | 'replace' | 'remove' | 'names'>;

export interface AcmeChallenges {
  /** Opens a challenge. Rejects on an invalid token, or if too many are open. */
  open(token: string, keyAuthorization: string): Promise<void>;
  close(token: string): Promise<void>;
  /** Closes the challenges opened by this instance. */
  closeAll(): Promise<void>;
  /** Returns the answer to `GET /.well-known/acme-challenge/<token>`, or `null` for an unknown challenge. */
  answer(token: string): Promise<string | null>;
}

export function createAcmeChallenges({
  shared,
  clock,
}: {
  /** `null` for a single node. */
  shared: SharedChallenges | null;
  clock: Clock;
}): AcmeChallenges {
  const answers = new Map<string, string>();

  async function close(token: string): Promise<void> {
    answers.delete(token);
    await shared?.remove(token);
  }

  return {
    close,
    async open(token, keyAuthorization) {
      if (!TOKEN.test(token)) throw new Error('the ACME server made a token that is not base64url');
      if (answers.size >= MAX_OPEN) throw new Error('too many ACME challenges are open');
      answers.set(token, keyAuthorization);
      if (shared === null) return;
      // Remains of a process that ended during an order.
      for (const old of await shared.names(clock() - LONGEST_MS)) await shared.remove(old);
      await shared.replace(token, keyAuthorization);
    },
    async closeAll() {
      for (const token of [...answers.keys()]) await close(token);
    },
    async answer(token) {
      if (!TOKEN.test(token)) return null;
      const known = answers.get(token);
      if (known !== undefined || shared === null) return known ?? null;
      return readText(shared, token);
    },
  };
}

export interface ListenAddress {
  host: string;
  /** 0 picks a free port. */
  port: number;
}

export type ChallengeListener =
  | { ok: true; port: number; close: () => Promise<void> }
  /** `code` is the system's, such as EADDRINUSE. */
  | { ok: false; code: string };

/** Answers challenges over HTTP, and nothing else. */
export async function openChallengeListener(
  challenges: Pick<AcmeChallenges, 'answer'>,
  at: ListenAddress,
): Promise<ChallengeListener> {
  const server = createServer(
    { maxHeaderSize: MAX_HEADER_BYTES, headersTimeout: SLOWEST_MS, requestTimeout: SLOWEST_MS },
    (request, response) => {
      answer(challenges, request, response).catch(() => response.writeHead(503).end());
    },
  );
  server.maxConnections = MAX_CONNECTIONS;
  server.setTimeout(SLOWEST_MS);
  try {
    await listen(server, at);
  } catch (error) {
    return {
      ok: false,
      code: error instanceof Error && 'code' in error ? String(error.code) : String(error),
    };
  }
  return {
    ok: true,
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  challenges: Pick<AcmeChallenges, 'answer'>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = '', url = '' } = request;
  const isRead = method === 'GET' || method === 'HEAD';
  const text = isRead && url.startsWith(PATH) ? await challenges.answer(url.slice(PATH.length)) : null;
  response.writeHead(text === null ? 404 : 200, {
    'Content-Type': text === null ? 'text/plain; charset=utf-8' : 'application/octet-stream',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    Connection: 'close',
  });
  response.end(method === 'HEAD' ? undefined : (text ?? 'Not found\n'));
}

function listen(server: Server, at: ListenAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(at, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
