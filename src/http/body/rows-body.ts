// Reads an upload of rows as it arrives: the file itself, or a form with one file (multipart/form-data, RFC 7578).
import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { Busboy } from '@fastify/busboy';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '../../contract/refusal.js';
import { findCharset, type RowFormat } from '../../lib/rows/index.js';
import { allowLongUpload } from '../../lib/http/index.js';
import type { Api } from '../api.js';

interface RowsBody {
  /** Null if the media type does not determine it. */
  format: RowFormat | null;
  /** Standard name of the declared charset; null if none is declared. */
  charset: string | null;
  /** The form fields that precede the file. */
  fields: Record<string, string | string[]>;
  pieces: AsyncIterable<Uint8Array>;
}

const FORM = 'multipart/form-data';
/** Some browsers and programs label CSV with the program that opens it on their machine. */
const FORMATS: ReadonlyMap<string, RowFormat | null> = new Map([
  ['text/csv', 'csv'],
  ['text/x-csv', 'csv'],
  ['application/csv', 'csv'],
  ['text/tab-separated-values', 'csv'],
  ['application/x-ndjson', 'ndjson'],
  ['application/ndjson', 'ndjson'],
  ['application/jsonl', 'ndjson'],
  ['application/json', 'json'],
  ['text/plain', null],
  ['application/vnd.ms-excel', null],
  ['application/octet-stream', null],
]);
const OTHER_TYPE =
  'The body must be text/csv, application/x-ndjson, application/json, text/plain or multipart/form-data. Set Content-Type accordingly.';
const MAX_FIELDS = 300;
const MAX_FIELD_BYTES = 64 * 1024;
/** Allowance for the other fields of a form with a file. */
const MAX_FORM_BYTES = 1024 * 1024;

/** Makes a scope accept uploads of rows, and of `others` by their media types, and no other bodies. */
export function takeRows(scope: Api, others: readonly string[] = []): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser([...FORMATS.keys(), ...others, FORM], (_request, body, parsed) =>
    parsed(null, body),
  );
  scope.addContentTypeParser('*', (_request, _body, parsed) => {
    parsed(new Refusal('unsupported_media_type', OTHER_TYPE));
  });
}

/**
 * Opens the body, for a form up to the start of its file, and passes it to `work`. The rest is dropped afterwards, since a
 * client reads the answer only when it has sent everything. Refuses with `unsupported_media_type`, or `bad_request` for a
 * malformed form.
 */
export async function withRows<T>(
  request: FastifyRequest,
  limitBytes: number,
  work: (rows: RowsBody) => Promise<T>,
): Promise<T> {
  const body = request.body as Readable | undefined;
  if (!body) throw new Refusal('unsupported_media_type', OTHER_TYPE);
  const contentType = request.headers['content-type'] ?? '';
  const type = readMediaType(request);
  allowLongUpload(request.raw);
  const isForm = type === FORM;
  const octets = limitedBody(body, isForm ? limitBytes + MAX_FORM_BYTES : limitBytes);
  try {
    return await work(
      isForm
        ? await openForm(contentType, octets)
        : {
            format: FORMATS.get(type) ?? null,
            charset: declaredCharset(contentType),
            fields: {},
            pieces: octets,
          },
    );
  } finally {
    await octets.return(undefined);
    body.resume();
  }
}

function declaredCharset(contentType: string): string | null {
  const label = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1];
  // Clients that do not know the charset declare ASCII.
  if (label === undefined || /^(?:us-)?ascii$/i.test(label)) return null;
  const charset = findCharset(label);
  if (charset === null) {
    throw new Refusal(
      'unsupported_media_type',
      `The charset ${label.slice(0, 50)} is not supported. Send the file as UTF-8.`,
    );
  }
  return charset;
}

/** A form does not declare the charset of its file. */
async function openForm(contentType: string, body: AsyncIterable<Uint8Array>): Promise<RowsBody> {
  const form = new RowsForm(contentType);
  const pieces = form.read(body);
  // The first piece is empty and marks the start of the file.
  await pieces.next();
  const { file, fields } = form;
  if (file === null) throw new Refusal('bad_request', 'The form does not contain a file.');
  const format = FORMATS.get(file.type) ?? (/\.json$/i.test(file.name) ? 'json' : null);
  return { format, charset: null, fields: Object.fromEntries(fields), pieces };
}

class RowsForm {
  readonly fields = new Map<string, string | string[]>();
  file: { name: string; type: string } | null = null;
  readonly #parser: InstanceType<typeof Busboy>;
  readonly #ended: Promise<void>;
  #arrived: Uint8Array[] = [];
  #failure: Error | null = null;
  #end: () => void = () => undefined;

  constructor(contentType: string) {
    const limits = { files: 2, fields: MAX_FIELDS, fieldSize: MAX_FIELD_BYTES };
    try {
      this.#parser = new Busboy({ headers: { 'content-type': contentType }, limits });
    } catch {
      throw broken();
    }
    this.#ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#parser.on('field', (name, value, _isNameCut, isCut) => {
      this.#field(name, value, isCut);
    });
    this.#parser.on('fieldsLimit', () => {
      this.#fail(refusal(`has more than ${MAX_FIELDS} fields`));
    });
    this.#parser.on('file', (_field, stream, name, _encoding, type) => {
      if (this.file !== null) this.#fail(refusal('has more than one file'));
      this.file ??= { name, type };
      // A body that ends within the file is also an error of the file's stream.
      stream.on('error', () => this.#fail(broken()));
      stream.on('data', (piece: Buffer) => this.#arrived.push(piece));
    });
    this.#parser.on('error', () => this.#fail(broken()));
    this.#parser.on('finish', () => this.#end());
  }

  /** Yields an empty piece when the file starts, and then its content. */
  async *read(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let isOpen = false;
    for await (const piece of body) {
      this.#parser.write(piece);
      // The file's stream passes its data on first.
      await setImmediate();
      if (this.#failure) throw this.#failure;
      if (!isOpen && this.file !== null) {
        isOpen = true;
        yield new Uint8Array(0);
      }
      yield* this.#arrived.splice(0);
    }
    this.#parser.end();
    await this.#ended;
    if (this.#failure) throw this.#failure;
    yield* this.#arrived.splice(0);
  }

  #field(name: string, value: string, isCut: boolean): void {
    const shown = name.slice(0, 100);
    if (isCut) this.#fail(refusal(`has a value that is too long in the field ${shown}`));
    if (this.file !== null)
      this.#fail(refusal(`has the field ${shown} after the file. Fields must come before the file`));
    const before = this.fields.get(name);
    this.fields.set(name, before === undefined ? value : [before, value].flat());
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#end();
  }
}

function refusal(what: string): Refusal {
  return new Refusal('bad_request', `The form ${what}.`);
}

function broken(): Refusal {
  return refusal('is malformed or incomplete');
}

/** Returns the media type in lower case, without parameters. */
function readMediaType(request: FastifyRequest): string {
  return (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/**
 * Yields the body's pieces. Throws `payload_too_large` at the limit and `bad_request` if the client disconnects. Unread data is
 * dropped, so that a client that is still sending can read the answer.
 */
async function* limitedBody(body: Readable, limit: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  try {
    for await (const piece of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
      size += piece.length;
      if (size > limit) throw new Refusal('payload_too_large');
      yield piece;
    }
  } catch (error) {
    if (error instanceof Refusal || !body.errored) throw error;
    throw new Refusal('bad_request', 'The request body ended before it was complete.');
  } finally {
    body.resume();
  }
}
