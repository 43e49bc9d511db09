// Options of a client, checked when it is made: a key of the wrong form or environment must not be found out by a send.
import { InputError, type Problem } from './errors.js';

/** The dated version of the API that the types of this release describe. */
export const API_VERSION = '2026-12-01';
export const SDK_VERSION = '0.1.0';

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_RETRIES = 2;
const MAX_RETRIES = 10;
const KEY = /^svc_(live|test)_[\w-]{20,200}$/;

export type Environment = 'live' | 'test';

/** A person who has signed in, in place of an API key. */
export interface SessionOption {
  /** `csrf_token` of the answer to `auth.signIn` or `auth.getSession`. */
  csrfToken: string;
  /** The value of the cookie `mailkeel_session`. Leave it out in a browser, which sends the cookie by itself. */
  token?: string;
}

/** One attempt of a call, as the log hook gets it. Holds no key, no body and no query. */
export interface LogEntry {
  /** Method and path as the API's document has them, such as `GET /v1/messages/{id}`. */
  route: string;
  url: string;
  /** Counts from 1. */
  attempt: number;
  /** Null where no answer came. */
  status: number | null;
  requestId: string | null;
  idempotencyKey: string | null;
  durationMs: number;
  /** Why there was no answer, or which refusal it was; null for a success. */
  error: string | null;
  /** After how long the call is tried again; null where it is not. */
  retryInMs: number | null;
}

export interface MailkeelOptions {
  /** `svc_live_…` sends real mail, `svc_test_…` runs in the sandbox. Default: the environment variable MAILKEEL_API_KEY. */
  apiKey?: string;
  /** Where the appliance is, such as `https://mail.example.com`. Default: the environment variable MAILKEEL_URL. */
  baseUrl?: string;
  /** Narrows every call to one sub-tenant, by its id or as `external:` and its external id. */
  subTenant?: string;
  /** With a session: the environment of every call, default live. A key has its own; naming the other is refused. */
  environment?: Environment;
  /** With a session: the workspace of every call, by its id. A key has its own. */
  workspace?: string;
  session?: SessionOption;
  /** For one attempt, until its answer is there. Default 30,000. */
  timeoutMs?: number;
  /** How often a call is tried again after a failure that passes. Default 2, at most 10; 0 for never. */
  maxRetries?: number;
  /** In place of the runtime's own. */
  fetch?: typeof fetch;
  /** Called after every attempt. What it throws is ignored: logging does not fail a call. */
  log?: (entry: LogEntry) => void;
  /** The dated version of the API; that of this release unless given. */
  version?: string;
  /** Added to every request. Not for authorization. */
  headers?: Readonly<Record<string, string>>;
  /** Renders React Email elements, where `@react-email/render` is not to be loaded by name. */
  renderReact?: RenderReact;
}

export type RenderReact = (element: object, options?: { plainText?: boolean }) => string | Promise<string>;

/** The checked options. */
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

/** Throws InputError with every problem of the options; none of its sentences repeats a key. */
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
  check(
    isText(options.subTenant),
    'subTenant',
    'subTenant must be the id of a sub-tenant, or external:<your id>.',
  );
  check([null, 'live', 'test'].includes(environment), 'environment', "environment must be 'live' or 'test'.");
  check(isText(workspace ?? undefined), 'workspace', 'workspace must be the id of a workspace, ws_….');
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
    // Called without a receiver: the runtime's own refuses any other than the global object.
    fetch: (input, init) => (ownFetch ?? fetch)(input, init),
    log: options.log ?? null,
    version: options.version ?? API_VERSION,
    headers: options.headers ?? {},
    renderReact: options.renderReact ?? null,
  };
}

/** Of the client's options, or of those of one call. */
export function problemsOfLimits({
  timeoutMs = DEFAULT_TIMEOUT_MS,
  maxRetries = DEFAULT_RETRIES,
}: {
  timeoutMs?: number | undefined;
  maxRetries?: number | undefined;
}): Problem[] {
  const problems: Problem[] = [];
  if (!(timeoutMs > 0 && timeoutMs < 2 ** 31)) {
    problems.push({ path: 'timeoutMs', message: 'timeoutMs must be a number of milliseconds above 0.' });
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
  if (session !== undefined) return problem('Give an apiKey or a session, not both.');
  if (typeof apiKey !== 'string' || apiKey === '') return problem('apiKey is empty.');
  if (apiKey.trim() !== apiKey) return problem('apiKey has blanks or a line break around it.');
  const mode = KEY.exec(apiKey)?.[1];
  if (mode === undefined) {
    return problem(
      'apiKey is no key of Mailkeel: it must begin with svc_live_ or svc_test_ and be given whole.',
    );
  }
  if (environment !== undefined && environment !== mode) {
    return problem(
      `The key is of the ${mode} environment, and cannot act in ${environment}: use a svc_${environment}_ key.`,
      'environment',
    );
  }
  if (workspace !== undefined) {
    return problem(
      'A key belongs to one workspace: workspace can be chosen with a session only.',
      'workspace',
    );
  }
  return [];
}

function problemsOfUrl(baseUrl: string | null) {
  const problem = (message: string) => [{ path: 'baseUrl', message }];
  if (baseUrl === null) {
    return problem('baseUrl is missing: give the URL of the appliance, or set MAILKEEL_URL.');
  }
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    return problem('baseUrl must be a URL such as https://mail.example.com.');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    return problem('baseUrl must have no user, query or fragment.');
  }
  return [];
}

function isText(value: unknown): boolean {
  return value === undefined || (typeof value === 'string' && value !== '');
}

/** An environment variable, where the runtime has them and lets them be read; null when it is not set. */
function variable(name: string): string | null {
  const runtime = globalThis as { process?: { env?: Record<string, string | undefined> } };
  const value = runtime.process?.env?.[name];
  return value === undefined || value === '' ? null : value;
}
