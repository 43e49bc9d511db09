// Reads bodies of forms: application/x-www-form-urlencoded, and multipart/form-data (RFC 7578).
import type { FastifyContentTypeParser } from 'fastify';
import { Refusal } from '../../contract/refusal.js';
import { readOctets } from '../api/json-body.js';

/** Fields and files of one form: a recipient and a variable for each of a thousand, and more. */
const MAX_PARTS = 4000;

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
    else {
      parsed(octets as Buffer, request.headers['content-type'] ?? '').then(
        (form) => done(null, form),
        (problem: unknown) => done(problem as Error),
      );
    }
  });
};

/** JSON bodies of the same operations, as if they had come in a form. */
export function formOf(body: unknown): Form {
  if (isForm(body)) return body;
  const fields = new Map<string, string[]>();
  for (const [name, value] of Object.entries(body ?? {})) {
    const values = (Array.isArray(value) ? value : [value]) as unknown[];
    fields.set(name, values.map(textOf));
  }
  return { fields, files: [] };
}

function isForm(body: unknown): body is Form {
  return typeof body === 'object' && body !== null && 'fields' in body && body.fields instanceof Map;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

async function parsed(octets: Buffer, contentType: string): Promise<Form> {
  const isMultipart = /^multipart\/form-data\b/i.test(contentType);
  if (partsOf(octets, isMultipart ? '\nContent-Disposition' : '&') > MAX_PARTS) {
    throw new Refusal(
      'bad_request',
      `The form has more than the ${MAX_PARTS} fields that this operation accepts.`,
    );
  }
  let data: FormData;
  try {
    data = await new Response(octets, { headers: { 'content-type': contentType } }).formData();
  } catch {
    throw new Refusal('bad_request', `The body is not a form as its type ${contentType.slice(0, 100)} says.`);
  }
  const form: Form = { fields: new Map(), files: [] };
  for (const [field, value] of data) {
    if (typeof value === 'string') {
      form.fields.set(field, [...(form.fields.get(field) ?? []), value]);
      continue;
    }
    const content = Buffer.from(await value.arrayBuffer());
    form.files.push({ field, filename: value.name, contentType: value.type, octets: content });
  }
  return form;
}

/** Looks no further than the limit. */
function partsOf(octets: Buffer, mark: string): number {
  let count = 0;
  for (let at = octets.indexOf(mark); at !== -1 && count <= MAX_PARTS; at = octets.indexOf(mark, at + 1))
    count++;
  return count;
}
