// Options of a client. The constructor checks them, because a key of the wrong form or environment should fail before the first
// send.
import { InputError, type Problem } from './errors.js';

/** The API version described by the types of this release, as a date. */
export const API_VERSION = '2026-12-01';
export const SDK_VERSION = '0.1.0';

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_RETRIES = 2;
const MAX_RETRIES = 10;
const KEY = /^svc_(live|test)_[\w-]{20,200}$/;

export type Environment = 'live' | 'test';

/** A signed-in user, as an alternative to an API key. */
export interface SessionOption {
  /** The `csrf_token` returned by `auth.signIn` or `auth.getSession`. */
  csrfToken: string;
  /** The value of the `mailkeel_session` cookie. Omit it in browsers, which send the cookie automatically. */
  token?: string;
}

/** One attempt of a call, passed to the `log` hook. Contains no key, body or query. */
export interface LogEntry {
  /** Method and path of the operation, for example `GET /v1/messages/{id}`. */
  route: string;
  url: string;
  /** Attempt number, starting at 1. */
  attempt: number;
  /** HTTP status, or null if no response was received. */
  status: number | null;
  requestId: string | null;
  idempotencyKey: string | null;
  durationMs: number;
  /** Error code or connection error, or null if the attempt succeeded. */
  error: string | null;
  /** Milliseconds until the next attempt, or null if the call is not retried. */
  retryInMs: number | null;
}

export interface MailkeelOptions {
  /**
   * API key. `svc_live_…` sends real mail and `svc_test_…` uses the sandbox. Defaults to the environment variable
   * MAILKEEL_API_KEY.
   */
  apiKey?: string;
  /** URL of the server, for example `https://mail.example.com`. Defaults to the environment variable MAILKEEL_URL. */
  baseUrl?: string;
  /** Sub-tenant to act for in every call: its ID, or `external:` and your ID. */
  subTenant?: string;
  /**
   * Environment of every call when using a session. Defaults to live. An API key has its own environment and throws
   * if you set the other.
   */
  environment?: Environment;
  /** Workspace ID of every call when using a session. An API key has its own workspace. */
  workspace?: string;
  session?: SessionOption;
  /** Timeout of one attempt in milliseconds. Defaults to 30,000. */
  timeoutMs?: number;
  /** Maximum number of retries after a temporary failure, from 0 to 10. Defaults to 2. */
  maxRetries?: number;
  /** Replacement for the runtime's `fetch`. */
  fetch?: typeof fetch;
  /** Called after every attempt. Exceptions thrown by this hook are ignored. */
  log?: (entry: LogEntry) => void;
  /** API version as a date. Defaults to the version of this release. */
  version?: string;
  /** Headers to add to every request. Authorization headers are not allowed. */
  headers?: Readonly<Record<string, string>>;
  /** Renders React Email elements. Use it if `@react-email/render` can't be imported by name. */
  renderReact?: RenderReact;
}

export type RenderReact = (element: object, options?: { plainText?: boolean }) => string | Promise<string>;

/** Validated client options. */
export interface Config {
  apiKey: string | null;
  baseUrl: string;
  subTenant: string | null;
  environment: Environment | null;
  workspace: string | null;
  session: SessionOption | null;
  timeoutMs: number;
  maxRetries: number;
  fetch: typeof fetch;
  log: ((entry: LogEntry) => void) | null;
  version: string;
  headers: Readonly<Record<string, string>>;
  renderReact: RenderReact | null;
}

/** Validates client options. Throws InputError with every problem found. Messages never contain a key. */
export function readOptions(options: MailkeelOptions): Config {
  const { session = null, environment = null, workspace = null } = options;
  const apiKey = options.apiKey ?? (session === null ? variable('MAILKEEL_API_KEY') : null);
  const { timeoutMs = DEFAULT_TIMEOUT_MS, maxRetries = DEFAULT_RETRIES } = options;
  const problems: Problem[] = [
    ...problemsOfKey(apiKey, options),
    ...problemsOfUrl(options.baseUrl ?? variable('MAILKEEL_URL')),
  ];
  const check = (isRight: boolean, path: string, message: string): void => {
    if (!isRight) problems.push({ path, message });
  };
  check(isText(options.subTenant), 'subTenant', 'subTenant must be a sub-tenant ID or external:<your-id>.');
  check([null, 'live', 'test'].includes(environment), 'environment', "environment must be 'live' or 'test'.");
  check(isText(workspace ?? undefined), 'workspace', 'workspace must be a workspace ID (ws_…).');
  problems.push(...problemsOfLimits({ timeoutMs, maxRetries }));
  if (problems.length > 0) throw new InputError(problems);
  const ownFetch = options.fetch;
  return {
    apiKey,
    session,
    environment,
    workspace,
    subTenant: options.subTenant ?? null,
    baseUrl: (options.baseUrl ?? variable('MAILKEEL_URL') ?? '').replace(/\/+$/, ''),
    timeoutMs,
    maxRetries,
    // Call `fetch` without a receiver: the runtime's `fetch` accepts only the global object as its receiver.
    fetch: (input, init) => (ownFetch ?? fetch)(input, init),
    log: options.log ?? null,
    version: options.version ?? API_VERSION,
    headers: options.headers ?? {},
    renderReact: options.renderReact ?? null,
  };
}

/** Returns the problems of the time-out and retry options of the client or of one call. */
export function problemsOfLimits({
  timeoutMs = DEFAULT_TIMEOUT_MS,
  maxRetries = DEFAULT_RETRIES,
}: {
  timeoutMs?: number | undefined;
  maxRetries?: number | undefined;
}): Problem[] {
  const problems: Problem[] = [];
  if (!(timeoutMs > 0 && timeoutMs < 2 ** 31)) {
    problems.push({
      path: 'timeoutMs',
      message: 'timeoutMs must be a number of milliseconds greater than 0.',
    });
  }
  if (!Number.isInteger(maxRetries) || maxRetries < 0 || maxRetries > MAX_RETRIES) {
    const message = `maxRetries must be a whole number from 0 to ${MAX_RETRIES}.`;
    problems.push({ path: 'maxRetries', message });
  }
  return problems;
}

function problemsOfKey(apiKey: string | null, { session, environment, workspace }: MailkeelOptions) {
  const problem = (message: string, path = 'apiKey') => [{ path, message }];
  if (apiKey === null) return [];
  if (session !== undefined) return problem('Pass either apiKey or session, not both.');
  if (typeof apiKey !== 'string' || apiKey === '') return problem('apiKey is empty.');
  if (apiKey.trim() !== apiKey) return problem('apiKey starts or ends with whitespace.');
  const mode = KEY.exec(apiKey)?.[1];
  if (mode === undefined) {
    return problem(
      'apiKey is not a Mailkeel API key. It must begin with svc_live_ or svc_test_ and be complete.',
    );
  }
  if (environment !== undefined && environment !== mode) {
    return problem(
      `The ${mode} API key can't be used in the ${environment} environment. Use a svc_${environment}_ key.`,
      'environment',
    );
  }
  if (workspace !== undefined) {
    return problem(
      'workspace can only be set with a session. An API key belongs to one workspace.',
      'workspace',
    );
  }
  return [];
}

function problemsOfUrl(baseUrl: string | null) {
  const problem = (message: string) => [{ path: 'baseUrl', message }];
  if (baseUrl === null) {
    return problem('baseUrl is missing. Pass the URL of the server or set MAILKEEL_URL.');
  }
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    return problem('baseUrl must be a URL, for example https://mail.example.com.');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    return problem('baseUrl must not contain credentials, a query or a fragment.');
  }
  return [];
}

function isText(value: unknown): boolean {
  return value === undefined || (typeof value === 'string' && value !== '');
}

/** Returns the value of an environment variable, or null if it is not set or the runtime does not let programs read it. */
function variable(name: string): string | null {
  const runtime = globalThis as { process?: { env?: Record<string, string | undefined> } };
  const value = runtime.process?.env?.[name];
  return value === undefined || value === '' ? null : value;
}
