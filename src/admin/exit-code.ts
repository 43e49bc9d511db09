// Exit codes, and the form of errors on standard error.
import { CommanderError } from 'commander';
import { type ErrorType, Refusal } from '../contract/refusal.js';
import { ConfigProblems } from '../settings/load.js';

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
} as const;

interface Failure {
  exitCode: number;
  error: { code: string; message: string; details?: unknown };
}

const OF_TYPE: Partial<Record<ErrorType, number>> = {
  unauthorized: EXIT.auth,
  forbidden: EXIT.auth,
  not_found: EXIT.notFound,
  rate_limited: EXIT.rateLimited,
  unavailable: EXIT.other,
  internal_error: EXIT.other,
};

/** Returns an error in the form that the command line reports. */
export function describeError(error: unknown): Failure {
  if (error instanceof CommanderError) {
    const message = error.message.replace(/^error: /, '');
    return { exitCode: EXIT.usage, error: { code: 'usage', message } };
  }
  if (error instanceof ConfigProblems) {
    const details = { problems: error.problems };
    return { exitCode: EXIT.usage, error: { code: 'configuration', message: error.message, details } };
  }
  if (error instanceof Refusal) {
    const { code, message, type, details } = error;
    const exitCode = OF_TYPE[type] ?? EXIT.refused;
    return { exitCode, error: { code, message, ...(details ? { details } : {}) } };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { exitCode: EXIT.other, error: { code: errorCode(error), message } };
}

/** Returns an error code for scripts: the system's code, or the name of the error class. */
function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return 'failed';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error.name === 'Error' ? 'failed' : snakeCase(error.name);
}

function snakeCase(name: string): string {
  return name.replace(/(?<=[a-z0-9])[A-Z]/g, '_$&').toLowerCase();
}
