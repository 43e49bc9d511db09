// Builds the body of an import: sends an array of objects as JSON and anything else unchanged, with the matching media type.
import { InputError } from './errors.js';
import type { RowsFile, RowsFormat } from './types.js';

const MEDIA_TYPES = { csv: 'text/csv', ndjson: 'application/x-ndjson', json: 'application/json' };

/** Returns the body, its media type and the query. Rejects with InputError if `rows` contains none. */
export function rowsToSend<Q extends RowsFormat>(
  rows: RowsFile | readonly object[],
  params: Q,
): Promise<{ body: unknown; contentType: string; query: Omit<Q, 'format'> }> {
  const { format = 'csv', ...query } = params;
  if (Array.isArray(rows)) {
    return Promise.resolve({ body: JSON.stringify(rows), contentType: 'application/json', query });
  }
  const isFile =
    (typeof rows === 'string' && rows !== '') ||
    rows instanceof Uint8Array ||
    rows instanceof ArrayBuffer ||
    rows instanceof Blob ||
    rows instanceof ReadableStream;
  if (!isFile) {
    const message = 'Pass an array of objects, or CSV or JSON Lines as text, bytes, a Blob or a stream.';
    return Promise.reject(new InputError([{ path: 'rows', message }]));
  }
  return Promise.resolve({ body: rows, contentType: MEDIA_TYPES[format], query });
}
