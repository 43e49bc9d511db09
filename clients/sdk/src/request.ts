// Sends a call with retries and time-outs, and interprets the response. Every call goes through this module.
import type { Config, LogEntry } from './config.js';
import { problemsOfLimits, SDK_VERSION } from './config.js';
import {
  ApiError,
  apiErrorOf,
  ConnectionError,
  InputError,
  MailkeelError,
  TimeoutError,
  type Refused,
} from './errors.js';
import type { WithResponse } from './api-promise.js';

/** Options of a single call. They override the options of the client. */
export interface RequestOptions {
  /** Aborts the call. The call rejects with the signal's reason. */
  signal?: AbortSignal;
  timeoutMs?: number;
  maxRetries?: number;
  /**
   * Idempotency key to reuse when you retry a call yourself. By default, each call that changes data gets a random
   * key.
   */
  idempotencyKey?: string;
  subTenant?: string;
  /**
   * Version of the object you are changing: the `updated_at` value you read, or its ETag. If the object has changed
   * since, the call fails with `precondition_failed`.
   */
  ifMatch?: string;
  headers?: Readonly<Record<string, string>>;
}

export interface Call {
  /** Method and path, such as `GET /v1/messages/{id}`. */
  route: string;
  /** Values of the `{…}` placeholders of the path, in order. */
  path?: readonly (string | number)[];
  query?: object;
  /** Sent as JSON unless `contentType` is set, which sends it unchanged. */
  body?: unknown;
  contentType?: string;
  options?: RequestOptions | undefined;
  /** The response is not JSON. It is returned with its body unread. */
  asFile?: boolean;
  /** The operation takes no Idempotency-Key. */
  isKeyless?: boolean;
  /** The operation needs neither key nor session. */
  isPublic?: boolean;
  accept?: string;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;
/** A longer Retry-After is not waited for: the error carries it, and the caller decides. */
const LONGEST_RETRY_AFTER_S = 60;
const OWN_HEADERS = [
  'authorization',
  'cookie',
  'x-csrf-token',
  'idempotency-key',
  'if-match',
  'x-sub-tenant-id',
];

interface Prepared {
  call: Call;
  url: URL;
  init: RequestInit & { headers: Headers };
  timeoutMs: number;
  maxRetries: number;
  /** Whether the operation can be repeated without changing the result. */
  isRepeatable: boolean;
  idempotencyKey: string | null;
}

type Attempt =
  | { response: Response; data: unknown }
  | { error: Error; isPassing: boolean; waitMs: number | null };

/** Sends a call, and again after failures that pass. */
export async function send<T>(config: Config, call: Call): Promise<WithResponse<T>> {
  const request = prepare(config, call);
  const { signal } = call.options ?? {};
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted();
    const startedAt = Date.now();
    const outcome = await attemptOnce(config, request, signal);
    const isLast = attempt > request.maxRetries;
    const retryInMs =
      'error' in outcome && outcome.isPassing && !isLast ? (outcome.waitMs ?? backOffMs(attempt)) : null;
    log(config, request, { outcome, attempt, retryInMs, durationMs: Date.now() - startedAt });
    if (!('error' in outcome)) {
      const { response } = outcome;
      return {
        // The API document defines this for the route.
        data: outcome.data as T,
        response,
        requestId: response.headers.get('x-request-id'),
        replayed: response.headers.get('idempotent-replayed') === 'true',
      };
    }
    if (retryInMs === null) throw outcome.error;
    await pause(retryInMs, signal);
  }
}

/** Returns the URL and headers of a call. Throws InputError if the call is invalid. */
function prepare(config: Config, call: Call): Prepared {
  const [method = 'GET', path = '/'] = call.route.split(' ');
  if (config.apiKey === null && config.session === null && call.isPublic !== true) {
    const message = 'apiKey is missing. Pass it to the client or set MAILKEEL_API_KEY.';
    throw new InputError([{ path: 'apiKey', message }]);
  }
  const problems = problemsOfLimits(call.options ?? {});
  if (problems.length > 0) throw new InputError(problems);
  const url = new URL(config.baseUrl + fillPath(path, call.path ?? []));
  addQuery(url, call.query ?? {});
  const idempotencyKey = idempotencyKeyOf(method, call);
  const headers = headersOf(config, call, { method, idempotencyKey });
  const isStream = call.body instanceof ReadableStream;
  const hasOwnKey = hasKeyInBody(call.body);
  return {
    call,
    url,
    idempotencyKey,
    timeoutMs: call.options?.timeoutMs ?? config.timeoutMs,
    // A stream that was read is gone.
    maxRetries: isStream ? 0 : (call.options?.maxRetries ?? config.maxRetries),
    isRepeatable: ['GET', 'PUT', 'DELETE'].includes(method) || idempotencyKey !== null || hasOwnKey,
    init: {
      method,
      headers,
      // A redirect would turn a POST into a GET.
      redirect: 'manual',
      ...(config.session !== null && config.session.token === undefined ? { credentials: 'include' } : {}),
      ...bodyOf(call),
      ...(isStream ? { duplex: 'half' } : {}),
    },
  };
}

function fillPath(path: string, values: readonly (string | number)[]): string {
  let place = 0;
  return path.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const value: unknown = values[place];
    place += 1;
    const text = typeof value === 'number' ? String(value) : value;
    // A part of dots would be taken as a way up by every URL parser.
    if (typeof text !== 'string' || text.trim() === '' || /^\.{1,2}$/.test(text)) {
      throw new InputError([
        { path: name, message: `${name} must be given because it is part of the path.` },
      ]);
    }
    return encodeURIComponent(text.toWellFormed());
  });
}

function addQuery(url: URL, query: object): void {
  for (const [name, value] of Object.entries(query) as [string, unknown][]) {
    if (value === undefined || value === null) continue;
    if (Array.isArray(value)) for (const one of value) url.searchParams.append(name, String(one));
    else if (value instanceof Date) {
      if (Number.isNaN(value.getTime())) {
        throw new InputError([{ path: name, message: `${name} is not a valid date.` }]);
      }
      url.searchParams.set(name, value.toISOString());
    } else if (typeof value === 'object') {
      for (const [key, one] of Object.entries(value)) url.searchParams.set(`${name}[${key}]`, String(one));
    } else url.searchParams.set(name, value as string);
  }
}

function idempotencyKeyOf(method: string, { options, body, isKeyless = false }: Call): string | null {
  const given = options?.idempotencyKey;
  if (method === 'GET' || isKeyless) {
    if (given === undefined) return null;
    const message = 'This operation does not accept idempotencyKey.';
    throw new InputError([{ path: 'idempotencyKey', message }]);
  }
  if (given !== undefined && !/^[\x21-\x7e]{1,255}$/.test(given)) {
    const message = 'idempotencyKey must be 1 to 255 visible ASCII characters without spaces.';
    throw new InputError([{ path: 'idempotencyKey', message }]);
  }
  if (given !== undefined) return given;
  // The key of the body counts; another in the header would contradict it.
  return hasKeyInBody(body) ? null : crypto.randomUUID();
}

function hasKeyInBody(body: unknown): boolean {
  return (
    typeof body === 'object' && body !== null && typeof Reflect.get(body, 'idempotency_key') === 'string'
  );
}

function headersOf(
  config: Config,
  call: Call,
  { method, idempotencyKey }: { method: string; idempotencyKey: string | null },
): Headers {
  const { apiKey, session, environment, workspace } = config;
  const subTenant = call.options?.subTenant ?? config.subTenant;
  const own: [string, string | null | undefined][] = [
    ['Accept', call.accept ?? (call.asFile === true ? '*/*' : 'application/json')],
    ['User-Agent', `mailkeel-sdk/${SDK_VERSION}`],
    ['Service-Version', config.version],
    ['Authorization', apiKey === null ? null : `Bearer ${apiKey}`],
    ['Cookie', session?.token === undefined ? null : `mailkeel_session=${session.token}`],
    ['X-CSRF-Token', method === 'GET' ? null : session?.csrfToken],
    ['X-Environment', session === null ? null : environment],
    ['X-Workspace-Id', workspace],
    ['X-Sub-Tenant-Id', subTenant],
    ['Idempotency-Key', idempotencyKey],
    ['If-Match', entityTagOf(call.options?.ifMatch)],
    ['Content-Type', call.body === undefined ? null : (call.contentType ?? 'application/json')],
  ];
  const headers = new Headers();
  const given = Object.entries({ ...config.headers, ...call.options?.headers });
  const foreign = given.filter(([name]) => !OWN_HEADERS.includes(name.toLowerCase()));
  if (foreign.length < given.length) {
    const message = `headers must not set ${OWN_HEADERS.join(', ')}. Use the corresponding options instead.`;
    throw new InputError([{ path: 'headers', message }]);
  }
  for (const [name, value] of [...own, ...foreign]) {
    if (value === null || value === undefined) continue;
    try {
      headers.set(name, value);
    } catch {
      // The runtime's error repeats the value, which may be a secret.
      throw new InputError([{ path: name, message: `The value of ${name} is not allowed in a header.` }]);
    }
  }
  return headers;
}

/** The ETag of a version that is named by its time. */
function entityTagOf(version: string | undefined): string | undefined {
  return version === undefined || /["*]/.test(version) ? version : `"${version}"`;
}

function bodyOf({ body, contentType }: Call): Pick<RequestInit, 'body'> {
  if (body === undefined) return {};
  // With a media type of its own it was made for fetch.
  if (contentType !== undefined) return { body: body as NonNullable<RequestInit['body']> };
  try {
    return { body: JSON.stringify(body) };
  } catch (error) {
    // A value that contains itself, or a BigInt.
    throw new InputError([
      { path: '', message: `The request can't be serialized as JSON: ${reasonOf(error)}.` },
    ]);
  }
}

async function attemptOnce(
  config: Config,
  request: Prepared,
  signal: AbortSignal | undefined,
): Promise<Attempt> {
  const { url, init, timeoutMs, call } = request;
  const ending = new AbortController();
  const passOn = (): void => ending.abort(signal?.reason);
  signal?.addEventListener('abort', passOn, { once: true });
  const late = new AbortController();
  const timer = setTimeout(() => {
    late.abort();
    ending.abort();
  }, timeoutMs);
  try {
    const response = await config.fetch(url, { ...init, signal: ending.signal });
    if (response.ok) return { response, data: call.asFile === true ? response : await readJson(response) };
    return refusedBy(request, await readRefusal(response));
  } catch (error) {
    if (error instanceof MailkeelError) return { error, isPassing: false, waitMs: null };
    // The caller ended it: the reason is theirs.
    signal?.throwIfAborted();
    const problem = late.signal.aborted
      ? new TimeoutError(`No response to ${call.route} within ${timeoutMs} ms.`, timeoutMs)
      : new ConnectionError(`No response to ${call.route}: ${reasonOf(error)}.`, { cause: error });
    return { error: problem, isPassing: request.isRepeatable, waitMs: null };
  } finally {
    clearTimeout(timer);
    // A file is still to be read, and the caller may end that.
    if (call.asFile !== true) signal?.removeEventListener('abort', passOn);
  }
}

/** Returns the body of a successful response. Throws if it does not come from the API, but from a proxy, for example. */
async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new ApiError(
      unlikeTheApi(
        response,
        'The response is not JSON. Check that baseUrl is the URL of the Mailkeel server.',
      ),
    );
  }
}

/** Returns the error of an unsuccessful response, including responses that do not come from the API. Never throws. */
async function readRefusal(response: Response): Promise<Refused> {
  const text = await response.text().catch(() => '');
  let error: unknown;
  try {
    error = (JSON.parse(text) as { error?: unknown } | null)?.error;
  } catch {
    error = null;
  }
  const isRedirect = response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400);
  const at = response.headers.get('location');
  const elsewhere = `baseUrl redirects${at === null ? '' : ` to ${at.split('?')[0] ?? ''}`}. Use the final URL.`;
  const blank = unlikeTheApi(
    response,
    isRedirect ? elsewhere : `The server returned ${response.status} without an explanation.`,
  );
  if (typeof error !== 'object' || error === null) return blank;
  const said = error as Record<string, unknown>;
  const textOr = (name: string, other: string): string => {
    const value = said[name];
    return typeof value === 'string' ? value : other;
  };
  return {
    ...blank,
    code: textOr('code', blank.code),
    type: textOr('type', blank.type),
    message: textOr('message', blank.message),
    requestId: textOr('request_id', '') || blank.requestId,
    param: textOr('param', '') || null,
    details: typeof said['details'] === 'object' ? { ...said['details'] } : {},
  };
}

function unlikeTheApi(response: Response, message: string): Refused {
  const after = Number(response.headers.get('retry-after') ?? Number.NaN);
  return {
    status: response.status,
    code: 'unexpected_answer',
    type: 'unexpected_answer',
    message,
    requestId: response.headers.get('x-request-id'),
    param: null,
    details: {},
    retryAfter: Number.isFinite(after) && after >= 0 ? after : null,
  };
}

function refusedBy(request: Prepared, refused: Refused): Attempt {
  const { status, code, retryAfter } = refused;
  // These requests were never read or not admitted, so nothing was done.
  const isUndone = status === 408 || status === 429;
  const isPassing =
    isUndone || (request.isRepeatable && (status >= 500 || code === 'idempotency_key_in_use'));
  const isSoon = retryAfter === null || retryAfter <= LONGEST_RETRY_AFTER_S;
  return {
    error: apiErrorOf(refused),
    isPassing: isPassing && isSoon,
    waitMs: retryAfter === null ? null : retryAfter * 1000,
  };
}

/** Half a second, doubled each time, between a half and all of it: callers that failed together do not come back together. */
export function backOffMs(attempt: number): number {
  const most = Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), LONGEST_WAIT_MS);
  return most * (0.5 + Math.random() / 2);
}

/** Waits. Throws the reason of the signal if it is aborted. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      if (signal?.aborted === true) reject(signal.reason as Error);
      else resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done);
    if (signal?.aborted === true) done();
  });
}

/** Returns the runtime's message for a failed connection. Node puts it in `cause`. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message;
}

function log(
  config: Config,
  { call, url, idempotencyKey }: Prepared,
  { outcome, ...rest }: Pick<LogEntry, 'attempt' | 'retryInMs' | 'durationMs'> & { outcome: Attempt },
): void {
  if (config.log === null) return;
  const error = 'error' in outcome ? outcome.error : null;
  const refusal = error instanceof ApiError ? error : null;
  const response = 'response' in outcome ? outcome.response : null;
  try {
    config.log({
      route: call.route,
      url: url.origin + url.pathname,
      status: response?.status ?? refusal?.status ?? null,
      requestId: response?.headers.get('x-request-id') ?? refusal?.requestId ?? null,
      idempotencyKey,
      error: error?.message ?? null,
      ...rest,
    });
  } catch {
    // A log that fails must not make a message that was sent look as if it was not.
  }
}
