// Requests to servers named by customers, with guarded addresses, no redirects, one deadline and a limited body. Failures are
// values, never exceptions.
import type { LookupFunction } from 'node:net';
import { rethrowProgrammingError } from '../runtime/index.js';
import { connectionProblem } from './address-guard.js';
import { createAgent } from './agent.js';
import { urlProblem } from './outside-url.js';

const MAX_DETAIL_CHARACTERS = 200;
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f]/g;

interface GuardedClientOptions {
  /** Allows loopback and private addresses. */
  allowPrivate: boolean;
  /** Limit of a whole exchange. */
  timeoutMs: number;
  /** Replaces the guarded system look-up; it must refuse forbidden addresses itself (`guardedLookup`). */
  lookup: LookupFunction;
  /** PEM certificates trusted in addition to the public ones. */
  extraCa?: readonly string[];
}

interface GuardedRequest {
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
  /** A longer body is an error. */
  maxBytes: number;
  signal?: AbortSignal;
}

export type GuardedOutcome =
  | {
      kind: 'response';
      status: number;
      headers: Readonly<Record<string, string | string[] | undefined>>;
      body: Buffer;
    }
  | { kind: 'error'; error: string };

export interface GuardedClient {
  request(url: string, request: GuardedRequest): Promise<GuardedOutcome>;
  close(): Promise<void>;
}

/** The response does not fit into memory. */
class TooLarge extends Error {}

export function createGuardedClient(options: GuardedClientOptions): GuardedClient {
  const { allowPrivate, timeoutMs, lookup } = options;
  const agent = createAgent({
    connections: 4,
    connect: { lookup, timeout: timeoutMs },
    extraCa: options.extraCa ?? [],
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxHeaderSize: 16 * 1024,
  });

  return {
    async request(url, { method = 'GET', headers = {}, body = null, maxBytes, signal }) {
      // Node does not call `lookup` for IP literals, so they are checked here.
      const problem = urlProblem(url, { allowPrivate });
      if (problem !== null) return { kind: 'error', error: problem };
      const deadline = AbortSignal.timeout(timeoutMs);
      try {
        const answer = await agent.request(url, {
          method,
          headers,
          body,
          signal: signal ? AbortSignal.any([deadline, signal]) : deadline,
        });
        const octets = await readBody(answer.body, maxBytes);
        return { kind: 'response', status: answer.statusCode, headers: answer.headers, body: octets };
      } catch (error) {
        rethrowProgrammingError(error);
        return { kind: 'error', error: deadline.aborted ? 'no answer in time' : describe(error) };
      }
    },
    close: () => agent.close(),
  };
}

async function readBody(body: AsyncIterable<unknown>, maxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  // An error that leaves the loop destroys the response.
  for await (const piece of body as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > maxBytes) throw new TooLarge(`the answer is larger than ${maxBytes} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function describe(error: unknown): string {
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [];
  const cause = first ?? error;
  if (!(cause instanceof Error)) return 'no answer';
  return connectionProblem(cause).replace(CONTROL_CHARACTERS, ' ').slice(0, MAX_DETAIL_CHARACTERS);
}
