// Reads JSON from a vendor's API. Checks the form of each answer, because an API that has changed must not be imported by guesswork.
import { setTimeout as pause } from 'node:timers/promises';
import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { GuardedClient, GuardedOutcome } from '../../lib/http/index.js';
import { parseMeasured } from '../../lib/json/index.js';
import { monotonicMs } from '../../lib/runtime/index.js';

const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
const MAX_VALUES = 500_000;
const DEFAULT_WAIT_MS = 5_000;
const MIN_WAIT_MS = 1_000;
const MAX_WAIT_MS = 10 * 60_000;

/** Why a page could not be read. `message` is a sentence for the user without secrets. */
export class VendorProblem extends Error {
  /**
   * `credentials` and `form` end the import, `permission` ends the kind. After `busy`, the vendor wants a pause of `waitMs`, and
   * `unreachable` is retried.
   */
  readonly kind: 'credentials' | 'permission' | 'form' | 'busy' | 'unreachable';
  readonly waitMs: number;

  constructor(kind: VendorProblem['kind'], message: string, waitMs = 0) {
    super(message);
    this.name = 'VendorProblem';
    this.kind = kind;
    this.waitMs = waitMs;
  }
}

export type SignRequest = (request: {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string;
}) => Promise<Record<string, string>>;

export interface ReaderTerms {
  client: GuardedClient;
  /** Name of the vendor in sentences. */
  vendor: string;
  /** Address of the API without a slash at the end. */
  base: string;
  headers: Readonly<Record<string, string>>;
  /** Returns the headers of a request with its signature. */
  sign?: SignRequest | undefined;
  /** Shortest time (ms) between two requests. */
  intervalMs: number;
  signal: AbortSignal;
}

export class VendorReader {
  readonly base: string;
  readonly #terms: ReaderTerms;
  #lastAt = -Infinity;

  constructor(terms: ReaderTerms) {
    this.base = terms.base;
    this.#terms = terms;
  }

  /** Whether requests have this header. Its name is in lower case. */
  sends(header: string): boolean {
    return header in this.#terms.headers;
  }

  /** Reads a path, or a `shape` of the answer to a POST of `body`. Throws a VendorProblem. */
  async json<S extends TSchema>(path: string, shape: Shape<S>, body?: object): Promise<Static<S>> {
    const { base, headers, vendor } = this.#terms;
    const url = `${base}${path}`;
    const content = body ? { method: 'POST' as const, body: JSON.stringify(body) } : {};
    const plain = {
      ...headers,
      accept: 'application/json',
      ...(body ? { 'content-type': 'application/json' } : {}),
    };
    const signed = (await this.#terms.sign?.({ method: 'GET', ...content, url, headers: plain })) ?? plain;
    const answer = await this.#request(url, { headers: signed, ...content });
    const read = parseMeasured(answer.toString('utf8'), MAX_VALUES);
    const value = 'value' in read ? read.value : undefined;
    if (shape.check(value)) return value;
    throw new VendorProblem(
      'form',
      `${vendor} answered ${path.replace(/\?.*/, '')} in a format that Mailkeel does not recognize.`,
    );
  }

  /** Reads a file from an address that the vendor gave, without the credentials. */
  file(url: string): Promise<Buffer> {
    return this.#request(url, {});
  }

  async #request(
    url: string,
    request: { method?: 'POST'; headers?: Record<string, string>; body?: string },
  ): Promise<Buffer> {
    const { client, vendor, intervalMs, signal } = this.#terms;
    const waitMs = this.#lastAt + intervalMs - monotonicMs();
    if (waitMs > 0) await pause(waitMs, undefined, { signal });
    const outcome = await client.request(url, { ...request, maxBytes: MAX_ANSWER_BYTES, signal });
    this.#lastAt = monotonicMs();
    if (outcome.kind === 'error') {
      throw new VendorProblem('unreachable', `${vendor} cannot be reached: ${outcome.error}.`);
    }
    if (outcome.status >= 200 && outcome.status < 300) return outcome.body;
    throw problemOf(vendor, outcome);
  }
}

/** Errors of AWS that are about the access key or the signature, and not about permissions. */
const AWS_CREDENTIALS = /^(?:UnrecognizedClient|InvalidSignature|InvalidClientTokenId|SignatureDoesNotMatch)/;

function problemOf(
  vendor: string,
  { status, headers }: Extract<GuardedOutcome, { kind: 'response' }>,
): VendorProblem {
  if (status === 401 || AWS_CREDENTIALS.test(String(headers['x-amzn-errortype'] ?? ''))) {
    return new VendorProblem('credentials', `${vendor} rejected the credentials.`);
  }
  switch (status) {
    case 403:
    case 404:
      return new VendorProblem(
        'permission',
        `The credentials do not permit reading these objects, or the ${vendor} account does not have them (status ${status}).`,
      );
    case 429:
      return new VendorProblem('busy', `${vendor} limits the rate of requests.`, waitOf(headers));
    default:
      return status >= 500
        ? new VendorProblem('unreachable', `${vendor} answered with status ${status}.`)
        : new VendorProblem('form', `${vendor} answered with the unexpected status ${status}.`);
  }
}

/** Milliseconds until the vendor takes requests again: Retry-After, or the end of its window. */
function waitOf(headers: Readonly<Record<string, string | string[] | undefined>>): number {
  const retry = String(
    headers['retry-after'] ?? headers['ratelimit-reset'] ?? headers['x-sib-ratelimit-reset'] ?? '',
  );
  const reset = Number(headers['x-ratelimit-reset']);
  let waitMs = DEFAULT_WAIT_MS;
  if (/^\d+(\.\d+)?$/.test(retry)) waitMs = Number(retry) * 1_000;
  // Relative to the vendor's own clock.
  else if (Number.isFinite(reset)) waitMs = reset * 1_000 - Date.parse(String(headers['date'] ?? ''));
  if (!Number.isFinite(waitMs)) waitMs = DEFAULT_WAIT_MS;
  return Math.min(Math.max(waitMs, MIN_WAIT_MS), MAX_WAIT_MS);
}

/** The required form of an answer. Fields that it does not name are ignored. */
export interface Shape<S extends TSchema> {
  check(value: unknown): value is Static<S>;
}

/** Compiles the form at its first use. */
export function shapeOf<S extends TSchema>(schema: S): Shape<S> {
  let compiled: ReturnType<typeof Compile<S>> | null = null;
  return { check: (value): value is Static<S> => (compiled ??= Compile(schema)).Check(value) };
}
