// Posts to a server chosen by a customer, with guarded addresses, no redirects, one deadline and a bounded
// response. Failures are values, never exceptions.
import type { IncomingHttpHeaders } from 'node:http';
import type { LookupFunction } from 'node:net';
import { createLruCache, rethrowProgrammingError } from '../runtime/index.js';
import type { Dispatcher } from 'undici';
import { connectionProblem, ForbiddenAddressError, guardedLookup } from './address-guard.js';
import { createAgent } from './agent.js';
import { urlProblem } from './outside-url.js';

// Bytes of a response that are read so that its connection can be reused; longer responses end the
// connection. The exchange uses the dispatcher directly, because a stream and an abort signal would cost as
// much as the request.
const MAX_DRAINED_BYTES = 64 * 1024;
// The status line decides the outcome, so a slow body is cut off.
const MAX_BODY_MS = 1_000;

/** The deadline has passed, or the response was too long. */
class ExchangeEnded extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ExchangeEnded';
  }
}

interface ExchangeRequest {
  origin: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer | string;
  timeoutMs: number;
  /** Bytes of the response body to keep. */
  keepBytes: number;
}

interface ExchangeAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** Its beginning, as far as it arrived. */
  body: Buffer;
}

/** Sends a POST. Rejects with ExchangeEnded at the deadline, or with the connection's error. */
function exchange(dispatcher: Dispatcher, request: ExchangeRequest): Promise<ExchangeAnswer> {
  const { origin, path, headers, body, timeoutMs, keepBytes } = request;
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | null = null;
    let answer: Omit<ExchangeAnswer, 'body'> | null = null;
    const taken: Buffer[] = [];
    let takenBytes = 0;
    let readBytes = 0;
    let ended: ExchangeEnded | null = null;
    const deadline = performance.now() + timeoutMs;
    let timer = setTimeout(() => endEarly('timed out'), timeoutMs);

    /** A response counts once its status line has arrived, however the exchange ended. */
    function finish(error?: unknown): void {
      clearTimeout(timer);
      if (answer) resolve({ ...answer, body: Buffer.concat(taken, takenBytes) });
      else reject(error instanceof Error ? error : new ExchangeEnded('connection closed before an answer'));
    }

    /** Destroys the connection, which is in the middle of an exchange. */
    function endEarly(why: string): void {
      ended ??= new ExchangeEnded(why);
      finish(ended);
      controller?.abort(ended);
    }

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(given) {
        controller = given;
        // The post waited for a connection until its deadline.
        if (ended) given.abort(ended);
      },
      onResponseStart(_controller, status, given) {
        // Interim responses are ignored.
        if (status < 200) return;
        answer = { status, headers: given };
        clearTimeout(timer);
        const leftMs = Math.min(MAX_BODY_MS, deadline - performance.now());
        timer = setTimeout(() => endEarly('the body took too long'), leftMs);
      },
      onResponseData(_controller, chunk) {
        readBytes += chunk.length;
        if (takenBytes < keepBytes) {
          const piece = chunk.subarray(0, keepBytes - takenBytes);
          taken.push(piece);
          takenBytes += piece.length;
        }
        if (readBytes > MAX_DRAINED_BYTES) endEarly('the body is too long');
      },
      onResponseEnd: () => finish(),
      onResponseError: (_controller, error) => finish(error),
    };
    try {
      dispatcher.dispatch({ origin, path, method: 'POST', headers, body }, handler);
    } catch (error) {
      finish(error);
    }
  });
}

const MAX_KNOWN_URLS = 1_000;
const MAX_HEADERS = 50;
const MAX_HEADER_CHARACTERS = 4_096;
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
  /** Allows loopback and private addresses. */
  allowPrivate: boolean;
  /** Limit of the whole exchange, including look-up and connection. Default 10,000. */
  timeoutMs?: number;
  /** Bytes of the response body to keep. Default 1,024. */
  maxResponseBytes?: number;
  /** Connections per origin. Default 8. */
  connections?: number;
  /** Replaces the guarded system look-up; it must refuse forbidden addresses itself (`guardedLookup`). */
  lookup?: LookupFunction;
  /** PEM certificates trusted in addition to the public ones. */
  extraCa?: readonly string[];
}

interface PostRequest {
  headers: Record<string, string>;
  body: Buffer | string;
}

export type PostOutcome =
  | {
      kind: 'response';
      status: number;
      /** The beginning of the body as text, without control characters except line feeds and tabs. */
      body: string;
      /** By lower-case name, without control characters; at most 50, and 4,096 characters in total. */
      headers: Record<string, string>;
      durationMs: number;
    }
  | { kind: 'error'; error: string; durationMs: number };

export interface Poster {
  post(url: string, request: PostRequest): Promise<PostOutcome>;
  /** Waits for posts in progress. */
  close(): Promise<void>;
}

function boundedHeaders(given: IncomingHttpHeaders): Record<string, string> {
  const taken: Record<string, string> = {};
  let left = MAX_HEADER_CHARACTERS;
  for (const [name, value] of Object.entries(given).slice(0, MAX_HEADERS)) {
    const text = (Array.isArray(value) ? value.join(', ') : (value ?? '')).replace(CONTROL_CHARACTERS, '');
    left -= name.length + text.length;
    if (left < 0) break;
    taken[name] = text;
  }
  return taken;
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  if (error instanceof ExchangeEnded) return error.message;
  if (error instanceof ForbiddenAddressError) return `refused: ${error.message}`;
  if (error instanceof AggregateError && error.errors.length > 0) return describe(error.errors[0]);
  const code = (error as NodeJS.ErrnoException).code ?? '';
  const known = ERROR_TEXTS[code];
  if (known !== undefined) return known;
  return connectionProblem(error).replace(CONTROL_CHARACTERS, '').slice(0, 200);
}

interface ReadUrl {
  origin: string;
  path: string;
  problem: string | null;
}

/** Creates a poster with its own pool of connections, kept alive between posts. */
export function createPoster(options: PosterOptions): Poster {
  const { allowPrivate, timeoutMs = 10_000, maxResponseBytes = 1024 } = options;
  const lookup = options.lookup ?? guardedLookup({ allowPrivate });
  const agent = createAgent({
    connections: options.connections ?? 8,
    pipelining: 1,
    connect: {
      lookup,
      timeout: timeoutMs,
    },
    extraCa: options.extraCa ?? [],
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    keepAliveTimeout: 20_000,
    keepAliveMaxTimeout: 60_000,
    maxHeaderSize: 16 * 1024,
  });

  // The same few URLs are used again and again.
  const read = createLruCache<string, ReadUrl>(MAX_KNOWN_URLS);

  function readUrl(url: string): ReadUrl {
    let found = read.get(url);
    // Node does not call `lookup` for IP literals, so they are checked here.
    if (!found) read.set(url, (found = splitUrl(url, urlProblem(url, { allowPrivate }))));
    return found;
  }

  return {
    post: async (url, { headers, body }) => {
      const startedAt = performance.now();
      const durationMs = (): number => Math.round(performance.now() - startedAt);
      const { origin, path, problem } = readUrl(url);
      if (problem !== null) return { kind: 'error', error: problem, durationMs: durationMs() };
      try {
        const request = { origin, path, headers, body, timeoutMs, keepBytes: maxResponseBytes };
        const answer = await exchange(await agent.dispatcher(), request);
        return {
          kind: 'response',
          status: answer.status,
          body: answer.body.toString('utf8').replace(CONTROL_CHARACTERS, ''),
          headers: boundedHeaders(answer.headers),
          durationMs: durationMs(),
        };
      } catch (error) {
        rethrowProgrammingError(error);
        return { kind: 'error', error: describe(error), durationMs: durationMs() };
      }
    },
    close: () => agent.close(),
  };
}

function splitUrl(url: string, problem: string | null): ReadUrl {
  if (problem !== null) return { origin: '', path: '', problem };
  const { origin, pathname, search } = new URL(url);
  return { origin, path: `${pathname}${search}`, problem };
}
