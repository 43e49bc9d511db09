// Posts to a stranger's web server: guarded addresses, no redirects, one deadline for everything, a bounded
// reading of the answer. What the peer did is a value, never an exception.
import type { LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { rootCertificates } from 'node:tls';
import { Agent, request } from 'undici';
import { ForbiddenAddressError, guardedLookup } from './address-guard.js';
import { urlProblem } from './webhook-url.js';

// A longer answer is read this far, so that the connection can be used again, and then dropped.
const MAX_DRAINED_BYTES = 64 * 1024;
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
const ERROR_TEXTS: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EPIPE: 'connection reset',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  ETIMEDOUT: 'timed out',
  ETIMEOUT: 'name look-up timed out',
  ENOTFOUND: 'name not found',
  EAI_AGAIN: 'name look-up failed',
  UND_ERR_SOCKET: 'connection closed before an answer',
  UND_ERR_CONNECT_TIMEOUT: 'timed out',
  UND_ERR_HEADERS_TIMEOUT: 'timed out',
  UND_ERR_BODY_TIMEOUT: 'timed out',
  UND_ERR_HEADERS_OVERFLOW: 'the answer has too large headers',
};

export interface PosterOptions {
  /** Lets loopback and private addresses be reached (one's own network). */
  allowPrivate: boolean;
  /** For the whole exchange, look-up and connection included. Default 10,000. */
  timeoutMs?: number;
  /** Kept of the answer's body. Default 1,024. */
  maxResponseBytes?: number;
  /** Connections per origin. Default 8. */
  connections?: number;
  /** Instead of the guarded system look-up; it must refuse forbidden addresses itself (`guardedLookup`). */
  lookup?: LookupFunction;
  /** PEM certificates trusted besides the public ones. */
  extraCa?: readonly string[];
}

export interface PostRequest {
  headers: Record<string, string>;
  body: Buffer | string;
}

export type PostOutcome =
  | {
      kind: 'response';
      status: number;
      /** The beginning of the body as text, without control characters (line feeds and tabs stay). */
      body: string;
      durationMs: number;
    }
  | { kind: 'error'; error: string; durationMs: number };

export interface Poster {
  post(url: string, request: PostRequest): Promise<PostOutcome>;
  /** Waits for what is under way. */
  close(): Promise<void>;
}

async function readStart(body: Readable, keepBytes: number): Promise<string> {
  const kept: Buffer[] = [];
  let keptBytes = 0;
  let readBytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      readBytes += chunk.length;
      const piece = chunk.subarray(0, keepBytes - keptBytes);
      keptBytes += piece.length;
      kept.push(piece);
      // Leaving the loop destroys the stream, and with it the connection.
      if (readBytes > MAX_DRAINED_BYTES) break;
    }
  } catch {
    // The status line has settled the outcome; a body that breaks off or outlasts the deadline is kept as far as
    // it came.
    body.destroy();
  }
  return Buffer.concat(kept).toString('utf8').replace(CONTROL_CHARACTERS, '');
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  if (error.name === 'TimeoutError') return 'timed out';
  if (error instanceof ForbiddenAddressError) return `refused: ${error.message}`;
  if (error instanceof AggregateError && error.errors.length > 0) return describe(error.errors[0]);
  const code = (error as NodeJS.ErrnoException).code ?? '';
  const known = ERROR_TEXTS[code];
  if (known !== undefined) return known;
  return (code === '' ? error.message : `${error.message} (${code})`)
    .replace(CONTROL_CHARACTERS, '')
    .slice(0, 200);
}

/** A poster with its own pool of connections, kept alive between posts. */
export function createPoster(options: PosterOptions): Poster {
  const { allowPrivate, timeoutMs = 10_000, maxResponseBytes = 1024 } = options;
  const lookup = options.lookup ?? guardedLookup({ allowPrivate });
  const agent = new Agent({
    connections: options.connections ?? 8,
    pipelining: 1,
    connect: {
      lookup,
      timeout: timeoutMs,
      ...(options.extraCa ? { ca: [...rootCertificates, ...options.extraCa] } : {}),
    },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    keepAliveTimeout: 20_000,
    keepAliveMaxTimeout: 60_000,
    maxHeaderSize: 16 * 1024,
  });

  return {
    post: async (url, { headers, body }) => {
      const startedAt = performance.now();
      const durationMs = (): number => Math.round(performance.now() - startedAt);
      // Node does not call `lookup` for IP literals, so this is where those are judged.
      const problem = urlProblem(url, { allowPrivate });
      if (problem !== null) return { kind: 'error', error: problem, durationMs: durationMs() };
      try {
        const response = await request(url, {
          method: 'POST',
          headers,
          body,
          dispatcher: agent,
          signal: AbortSignal.timeout(timeoutMs),
        });
        const text = await readStart(response.body, maxResponseBytes);
        return { kind: 'response', status: response.statusCode, body: text, durationMs: durationMs() };
      } catch (error) {
        return { kind: 'error', error: describe(error), durationMs: durationMs() };
      }
    },
    close: () => agent.close(),
  };
}
