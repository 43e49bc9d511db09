// Exit codes and error output: a sentence on a terminal, JSON otherwise.
import { CommanderError } from 'commander';
import {
  ApiError,
  AuthenticationError,
  ConnectionError,
  InputError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  TimeoutError,
} from '@mailkeel/sdk';
import { cleanText } from './output.js';

export const EXIT = {
  ok: 0,
  other: 1,
  usage: 2,
  auth: 3,
  notFound: 4,
  refused: 5,
  rateLimited: 6,
  network: 7,
  partlyFailed: 8,
  checkFailed: 9,
  interrupted: 130,
} as const;

type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** A failure of the command line itself. `remedy` suggests a fix. */
export class CommandError extends Error {
  readonly exitCode: ExitCode;
  readonly code: string;
  readonly remedy: string | null;

  constructor(exitCode: ExitCode, code: string, message: string, remedy: string | null = null) {
    super(message);
    this.exitCode = exitCode;
    this.code = code;
    this.remedy = remedy;
  }
}

/** Ends the command with an exit code, after everything has been printed. */
export class Ended extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super('ended');
    this.exitCode = exitCode;
  }
}

export const usageError = (message: string, remedy: string | null = null): CommandError =>
  new CommandError(EXIT.usage, 'usage', message, remedy);

export interface Failure {
  exitCode: number;
  error: {
    code: string;
    message: string;
    /** The recommended action. */
    remedy?: string;
    param?: string;
    fields?: readonly { path: string; message: string }[];
    request_id?: string;
    retry_after?: number;
  };
}

/** Every failure as the command line reports it. */
export function failureOf(error: unknown): Failure {
  if (error instanceof CommandError) {
    const { exitCode, code, message, remedy } = error;
    return { exitCode, error: { code, message, ...(remedy === null ? {} : { remedy }) } };
  }
  if (error instanceof CommanderError) {
    const message = error.message.replace(/^error: /, '');
    return {
      exitCode: EXIT.usage,
      error: { code: 'usage', message: sentence(message.charAt(0).toUpperCase() + message.slice(1)) },
    };
  }
  if (error instanceof InputError) return inputFailure(error);
  if (error instanceof ApiError) return refusal(error);
  if (error instanceof ConnectionError) {
    const { message } = error;
    const remedy =
      error instanceof TimeoutError
        ? 'Retry the command. The server may have processed the request already.'
        : 'Check that the server is running and that the URL is correct. To see the URL in use, run "mailkeel profiles".';
    return { exitCode: EXIT.network, error: { code: 'no_connection', message, remedy } };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { exitCode: EXIT.other, error: { code: codeOf(error), message } };
}

function inputFailure(error: InputError): Failure {
  if (error.problems.some(({ path }) => path === 'apiKey' || path === 'environment')) {
    const remedy = 'Run "mailkeel login", or set MAILKEEL_API_KEY.';
    return { exitCode: EXIT.auth, error: { code: 'no_key', message: error.message, remedy } };
  }
  return { exitCode: EXIT.usage, error: { code: error.code, message: error.message } };
}

function refusal(error: ApiError): Failure {
  const { status, code, requestId, param, retryAfter, problems } = error;
  // Removes status, code and request, which the SDK appends to the sentence, because they are printed separately.
  const message = sentence(error.message.replace(/ \(\d{3} [^()]*\)$/, ''));
  return {
    exitCode: exitCodeOf(error),
    error: {
      code,
      message,
      ...remedyOf(error),
      ...(param === null ? {} : { param }),
      ...(problems.length === 0 ? {} : { fields: problems }),
      ...(requestId === null ? {} : { request_id: requestId }),
      ...(status === 429 && retryAfter !== null ? { retry_after: retryAfter } : {}),
    },
  };
}

function exitCodeOf(error: ApiError): ExitCode {
  if (error instanceof AuthenticationError || error instanceof PermissionError) return EXIT.auth;
  if (error instanceof NotFoundError) return EXIT.notFound;
  if (error instanceof RateLimitError) return EXIT.rateLimited;
  if (error instanceof ServerError) return EXIT.other;
  return EXIT.refused;
}

function remedyOf(error: ApiError): { remedy?: string } {
  if (error instanceof AuthenticationError) {
    return { remedy: 'Run "mailkeel login" again, or set MAILKEEL_API_KEY to a valid key.' };
  }
  if (error.code === 'session_required') {
    return { remedy: 'Sign in with a password: "mailkeel login --email you@example.com".' };
  }
  if (error instanceof RateLimitError && error.retryAfter !== null) {
    return { remedy: `Retry in ${error.retryAfter} seconds.` };
  }
  return {};
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'failed';
}

function sentence(text: string): string {
  return /[.?!)]$/.test(text) ? text : `${text}.`;
}

/** Returns lines for a person. Fields of the API that the command has a flag for appear as this flag. */
export function failureText({ error }: Failure, flags: readonly string[] = []): string {
  const flagOf = (path: string): string => {
    const [name = ''] = path.split('.');
    const flag = `--${name.replaceAll('_', '-')}`;
    if (!flags.includes(flag)) return path;
    return path === name ? flag : `${flag} (${path})`;
  };
  const fields = error.fields ?? [];
  const named = [error.param, ...fields.map(({ path }) => path)].find(
    (path) => path !== undefined && error.message.startsWith(`${path}: `),
  );
  const message = named === undefined ? error.message : flagOf(named) + error.message.slice(named.length);
  const withFlags = message.replace(/`([a-z_]+)`/g, (quoted, name: string) => {
    const flag = flagOf(name);
    return flag === name ? quoted : flag;
  });
  const lines = [`Error: ${withFlags}`];
  for (const field of fields) {
    if (!error.message.includes(field.message)) lines.push(`  ${flagOf(field.path)}: ${field.message}`);
  }
  if (error.remedy !== undefined) lines.push(error.remedy);
  if (error.request_id !== undefined) lines.push(`(${error.code}, request ${error.request_id})`);
  return `${lines.map(cleanText).join('\n')}\n`;
}
