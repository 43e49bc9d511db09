// Performs the HTTP exchanges of the ACME client (RFC 8555 section 6.1): one deadline each, bounded
// responses, no redirects, the operator's authorities trusted, and no hidden waits or retries.
import type { Readable } from 'node:stream';
import type * as acme from 'acme-client';
import { createAgent, type LazyAgent } from '../http/index.js';
import { extraAuthorities } from '../tls/index.js';
import { readAcmeProblem, type AcmeProblem, type OwnAcmeProblem } from './acme-problem.rules.js';
import { cleanReplyText } from '../smtp-replies/index.js';

const EXCHANGE_MS = 30_000;
const MAX_ANSWER_BYTES = 1024 * 1024;
/** Latest problems of an order that are remembered. */
const MAX_PROBLEMS = 20;
const UNTRUSTED = /CERT|SELF_SIGNED|ISSUER|ERR_TLS|HOSTNAME_MISMATCH/;

type AcmeAdapter = Extract<NonNullable<typeof acme.axios.defaults.adapter>, (config: never) => unknown>;

/** A failed exchange, or an unusable result of the order. */
export class AcmeFault extends Error {
  readonly type: OwnAcmeProblem;

  constructor(type: OwnAcmeProblem, detail: string) {
    super(cleanReplyText(detail));
    this.name = 'AcmeFault';
    this.type = type;
  }
}

export interface AcmeExchange {
  /** Set it as `axios.defaults.adapter` of the client. */
  adapter: AcmeAdapter;
  /** Returns the problems that the server reported so far, the latest last. */
  problems(): readonly AcmeProblem[];
  /** Returns the longest wait that a refusing server asked for, or `null`. */
  askedWaitMs(): number | null;
  close(): Promise<void>;
}

interface AcmeExchangeOptions {
  /** PEM file of authorities trusted in addition to the public ones. */
  extraCaFile: string | null;
  /** Aborts everything in progress. */
  signal: AbortSignal;
  /** Epoch ms, to convert dates in Retry-After. */
  now: number;
}

export function createAcmeExchange({ extraCaFile, signal, now }: AcmeExchangeOptions): AcmeExchange {
  const agent = createAgent({
    connections: 4,
    connect: { timeout: EXCHANGE_MS },
    extraCa: extraAuthorities(extraCaFile),
    maxHeaderSize: 16 * 1024,
  });
  const problems: AcmeProblem[] = [];
  let askedWaitMs: number | null = null;

  function note(status: number, text: string, retryAfter: string | undefined): void {
    const problem = readAcmeProblem(parsed(text));
    if (problem !== null) problems.splice(0, Math.max(0, problems.push(problem) - MAX_PROBLEMS));
    if (status < 400) return;
    askedWaitMs = Math.max(askedWaitMs ?? 0, retryAfterMs(retryAfter, now) ?? 0) || null;
    if (problem !== null) return;
    const type = status >= 500 ? 'out-of-order' : 'not-acme';
    throw new AcmeFault(type, `HTTP status ${status} without a problem document`);
  }

  return {
    problems: () => problems,
    askedWaitMs: () => askedWaitMs,
    close: () => agent.destroy(),
    adapter: async (config) => {
      const response = await exchange(agent, config, signal);
      note(response.status, response.data, response.headers['retry-after']);
      return { ...response, statusText: '', config, request: null };
    },
  };
}

interface Answer {
  status: number;
  headers: Record<string, string>;
  data: string;
}

async function exchange(
  agent: LazyAgent,
  config: Parameters<AcmeAdapter>[0],
  signal: AbortSignal,
): Promise<Answer> {
  try {
    const response = await agent.request(config.url ?? '', {
      method: (config.method ?? 'get').toUpperCase(),
      headers: sentHeaders(config.headers),
      ...(config.data === undefined ? {} : { body: String(config.data) }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(EXCHANGE_MS)]),
    });
    const headers = Object.fromEntries(
      Object.entries(response.headers).map(([name, value = '']) => [name, [value].flat().join(', ')]),
    );
    return { status: response.statusCode, headers, data: await readText(response.body) };
  } catch (error) {
    throw toFault(error, signal);
  }
}

function sentHeaders(headers: Parameters<AcmeAdapter>[0]['headers']): Record<string, string> {
  const entries = Object.entries(headers.toJSON()).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name.toLowerCase(), value] as const] : [],
  );
  return { ...Object.fromEntries(entries), 'accept-encoding': 'identity' };
}

async function readText(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // An error that leaves the loop destroys the response and its connection.
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) throw new AcmeFault('not-acme', 'the answer is larger than 1 MiB');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function toFault(error: unknown, signal: AbortSignal): AcmeFault {
  if (error instanceof AcmeFault) return error;
  if (signal.aborted) return new AcmeFault('stopped', 'stopped');
  if (error instanceof AggregateError && error.errors.length > 0) return toFault(error.errors[0], signal);
  if (!(error instanceof Error)) return new AcmeFault('unreachable', String(error));
  if (error.name === 'TimeoutError') return new AcmeFault('unreachable', 'no answer in time');
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const words = code === '' || error.message.includes(code) ? error.message : `${error.message} (${code})`;
  return new AcmeFault(UNTRUSTED.test(code) ? 'untrusted' : 'unreachable', words);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // a certificate chain, or a page of another kind of server
  }
}

/** Reads seconds or a date (RFC 8555 section 6.6). */
function retryAfterMs(value: string | undefined, now: number): number | null {
  if (value === undefined) return null;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const until = Date.parse(value);
  return Number.isNaN(until) ? null : Math.max(0, until - now);
}
