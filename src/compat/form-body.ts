// Reads bodies of forms: application/x-www-form-urlencoded, and multipart/form-data (RFC 7578).
import { Busboy } from '@fastify/busboy';
import type { FastifyContentTypeParser } from 'fastify';
import { Refusal } from '../contract/refusal.js';
import { readOctets } from '../api/body/json-body.js';

/** Fields and files of one form: a recipient and more for each of a thousand. */
const MAX_PARTS = 4000;
const MAX_NAME = 256;

export interface FormFile {
  field: string;
  filename: string;
  contentType: string;
  octets: Buffer;
}

export interface Form {
  /** The values of each field, in their order. */
  fields: Map<string, string[]>;
  files: FormFile[];
}

/** Refused with `bad_request` when it cannot be read, or has too many parts. */
export const readForm: FastifyContentTypeParser = (request, payload, done) => {
  readOctets(request, payload, (error, octets) => {
    if (error !== null) done(error);
    else parse(octets as Buffer, request.headers['content-type'] ?? '', done);
  });
};

/** Body as if it had come in a form: for JSON bodies, and for none. */
export function formOf(body: unknown): Form {
  if (isForm(body)) return body;
  const fields = new Map<string, string[]>();
  for (const [name, value] of Object.entries(body ?? {})) {
    const values = (Array.isArray(value) ? value : [value]) as unknown[];
    fields.set(name, values.map(textOf));
  }
  return { fields, files: [] };
}

export function isForm(body: unknown): body is Form {
  return typeof body === 'object' && body !== null && 'fields' in body && body.fields instanceof Map;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The parser's types promise a name; a part that says none has undefined. */
function isNameless(name: string | undefined): boolean {
  return name === undefined || name === '';
}

type Done = (error: Error | null, form?: Form) => void;

/** All octets are there already, and their number is limited: each part may have them all. */
function parse(octets: Buffer, contentType: string, done: Done): void {
  const form: Form = { fields: new Map(), files: [] };
  const refusal = (what: string): Refusal => new Refusal('bad_request', `The form ${what}.`);
  let isOver = false;
  const end = (error: Error | null): void => {
    if (isOver) return;
    isOver = true;
    if (error === null) done(null, form);
    else done(error);
  };
  const fail = (): void => end(refusal(`cannot be read as its type says: ${contentType.slice(0, 100)}`));
  const refuseTooMany = (): void => end(refusal(`has more than the ${MAX_PARTS} fields that are accepted`));
  const refuseNameless = (): void => end(refusal('has a part without a name'));
  try {
    const size = octets.length + 1;
    // One more than is accepted, so that it is seen.
    const most = MAX_PARTS + 1;
    const limits = { parts: most, fields: most, files: most, fieldSize: size, fileSize: size };
    let parts = 0;
    const parser = new Busboy({
      headers: { 'content-type': contentType },
      limits: { ...limits, fieldNameSize: MAX_NAME },
    });
    parser.on('field', (name, value, isNameCut) => {
      if (++parts > MAX_PARTS) refuseTooMany();
      if (isNameCut) end(refusal(`has a field with a name of more than ${MAX_NAME} octets`));
      if (isNameless(name)) refuseNameless();
      form.fields.set(name, [...(form.fields.get(name) ?? []), value]);
    });
    parser.on('file', (field, stream, filename, _encoding, type) => {
      if (++parts > MAX_PARTS) refuseTooMany();
      // A stream without a listener for its errors ends the process when the body ends within the file.
      stream.on('error', fail);
      if (isNameless(field)) refuseNameless();
      const pieces: Buffer[] = [];
      stream.on('data', (piece: Buffer) => pieces.push(piece));
      stream.on('end', () =>
        form.files.push({ field, filename, contentType: type, octets: Buffer.concat(pieces) }),
      );
    });
    parser.on('error', fail);
    parser.on('finish', () => end(null));
    parser.end(octets);
  } catch {
    fail();
  }
}
