// Creates the log: one JSON line per event on standard output, constant messages, ids as fields.
import { pino, stdTimeFunctions, type DestinationStream, type Logger, type LoggerOptions } from 'pino';
import { monotonicMs } from './clock.js';

export type Log = Logger;

const SECRET_FIELDS = ['authorization', 'cookie', 'password', 'secret', 'api_key', 'token', 'private_key'];
const CONTENT_FIELDS = ['html', 'text', 'body'];

type LogMethod = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>;

const OUTAGE_EVERY_MS = 10_000;

/**
 * Creates a log. `level` is a pino level or `silent`. Secrets and message contents are redacted up to two
 * levels deep.
 */
export function createLog(level: string, stream?: DestinationStream): Log {
  const fields = [...SECRET_FIELDS, ...CONTENT_FIELDS];
  const options = {
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    hooks: { logMethod: outageFilter() },
    redact: {
      paths: fields.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
      censor: '(redacted)',
    },
  };
  return stream ? pino(options, stream) : pino(options);
}

/**
 * Replaces errors caused by an unavailable store, which affects all work, with one line without a stack every
 * few seconds.
 */
function outageFilter(): LogMethod {
  let lastAt = -Infinity;
  return function (args, method) {
    const [fields, message] = args as unknown[];
    const error = typeof fields === 'object' && fields !== null && 'err' in fields ? fields.err : null;
    if (!isOutage(error)) {
      method.apply(this, args);
      return;
    }
    const now = monotonicMs();
    if (now - lastAt < OUTAGE_EVERY_MS) return;
    lastAt = now;
    this.error({ reason: error.details?.reason ?? error.message, during: message }, 'store unavailable');
  };
}

/** Returns whether an error is a refusal because the store is unavailable. */
function isOutage(error: unknown): error is Error & { details?: { reason?: string } } {
  return error instanceof Error && 'code' in error && error.code === 'unavailable';
}
