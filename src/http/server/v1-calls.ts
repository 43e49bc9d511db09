// Calls operations of /v1 for routes that serve other protocols, by internal requests: as the key, and with the address and request
// id of the original request, so that /v1 applies all its checks.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorBody } from '../../contract/error-body.js';
import { Refusal } from '../../contract/refusal.js';
import { REPLAYED } from '../idempotency/idempotency.js';
import { newestVersion } from '../versions/api-version.rules.js';
import { VERSIONS } from '../versions/versions.js';
import type { HandOver, HandOverRequest } from './forwarded-requests.js';
import { currentTraceparent } from './traces.js';

export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;
type CallOptions = Pick<HandOverRequest, 'method' | 'body'> & { query?: Query; isSending?: boolean };

/** A refusal by /v1, which has logged it already. */
export class RefusedByV1 extends Refusal {
  readonly retryAfter: string | undefined;

  constructor({ error }: ErrorBody, retryAfter: string | undefined) {
    super(error.code, error.message, {
      ...(error.param === undefined ? {} : { param: error.param }),
      ...(error.details === undefined ? {} : { details: error.details }),
    });
    this.retryAfter = retryAfter;
  }
}

const PASSED_ON = ['x-sub-tenant-id', 'user-agent'] as const;

export interface PassedRequest {
  request: FastifyRequest;
  reply: FastifyReply;
  handOver: HandOver;
}

/**
 * The /v1 requests of one external request. Each after the first counts towards the rate limit. The one that sends receives the
 * request's Idempotency-Key.
 */
export class V1Calls {
  readonly #passed: PassedRequest;
  readonly #suppressed = new Set<string>();
  #operations = 0;

  constructor(passed: PassedRequest) {
    this.#passed = passed;
  }

  /** Ids of this request's messages that are suppressed. */
  get suppressed(): ReadonlySet<string> {
    return this.#suppressed;
  }

  /** Requests per minute that the key may send; null if there is no limit. */
  perMinute(): number | null {
    return this.#header('ratelimit-limit');
  }

  /** Refuses with `rate_limited`, before any change, if the request needs more operations than the rate limit has left. */
  expect(count: number): void {
    const more = count - this.#operations - 1;
    const [limit, remaining] = [this.#header('ratelimit-limit'), this.#header('ratelimit-remaining')];
    if (remaining === null || more <= remaining) return;
    this.#passed.reply.header('Retry-After', String(this.#header('ratelimit-reset') ?? 60));
    throw new Refusal(
      'rate_limited',
      `The request counts as ${count} operations, but the workspace has only ${remaining} of its ${limit} requests left in this minute.`,
    );
  }

  async octets(path: string, { method, body, query = {}, isSending = false }: CallOptions): Promise<Buffer> {
    const { request, reply, handOver } = this.#passed;
    const headers: Record<string, string> = {
      'x-request-id': request.id,
      'service-version': newestVersion(VERSIONS),
    };
    for (const name of isSending ? [...PASSED_ON, 'idempotency-key'] : PASSED_ON) {
      const value = request.headers[name];
      if (typeof value === 'string') headers[name] = value;
    }
    const traceparent = currentTraceparent(request);
    if (traceparent !== null) headers['traceparent'] = traceparent;
    const answer = await handOver({
      keyId: request.caller.actor.id,
      method,
      url: `${path}${searchOf(query)}`,
      headers,
      from: request.ip,
      body,
      isCounted: this.#operations++ > 0,
    });
    for (const id of answer.suppressed) this.#suppressed.add(id);
    if (answer.headers[REPLAYED.toLowerCase()] !== undefined) reply.header(REPLAYED, 'true');
    if (answer.status < 400) return answer.octets;
    const { 'retry-after': retryAfter } = answer.headers;
    const refused = JSON.parse(answer.octets.toString()) as ErrorBody;
    throw new RefusedByV1(refused, retryAfter === undefined ? undefined : String(retryAfter));
  }

  get(path: string, query: Query = {}): Promise<unknown> {
    return this.#ask(path, { method: 'GET', query });
  }

  post(path: string, body?: unknown): Promise<unknown> {
    return this.#ask(path, { method: 'POST', body });
  }

  send(path: string, body: unknown): Promise<unknown> {
    return this.#ask(path, { method: 'POST', body, isSending: true });
  }

  patch(path: string, body: unknown): Promise<unknown> {
    return this.#ask(path, { method: 'PATCH', body });
  }

  remove(path: string): Promise<unknown> {
    return this.#ask(path, { method: 'DELETE' });
  }

  async #ask(path: string, options: CallOptions): Promise<unknown> {
    return JSON.parse((await this.octets(path, options)).toString()) as unknown;
  }

  #header(name: string): number | null {
    const value = this.#passed.reply.getHeader(name);
    return value === undefined ? null : Number(value);
  }
}

/**
 * Encodes a path parameter. Refuses with `not_found` if it would change the path, because URL parsers resolve dots and skip
 * empty parts.
 */
export function pathPart(text: string): string {
  if (text === '' || text === '.' || text === '..') throw new Refusal('not_found');
  return encodeURIComponent(text);
}

function searchOf(query: Query): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const one of [value].flat()) search.append(name, String(one));
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}
