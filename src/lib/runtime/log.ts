// The log: one JSON line per event on standard output, constant messages, ids as fields.
import { pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';

export type Log = Logger;

const SECRET_FIELDS = ['authorization', 'cookie', 'password', 'secret', 'api_key', 'token', 'private_key'];
const CONTENT_FIELDS = ['html', 'text', 'body'];

/** `level` is a pino level or `silent`. Secrets and message contents are blanked up to two levels deep. */
export function createLog(level: string, stream?: DestinationStream): Log {
  const fields = [...SECRET_FIELDS, ...CONTENT_FIELDS];
  const options = {
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: {
      paths: fields.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
      censor: '(redacted)',
    },
  };
  return stream ? pino(options, stream) : pino(options);
}
