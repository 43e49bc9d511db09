// Reads form bodies: application/x-www-form-urlencoded, and multipart/form-data (RFC 7578).
import { setImmediate } from 'node:timers/promises';
import { Busboy, type BusboyConfig, type BusboyHeaders } from '@fastify/busboy';
import type { FastifyContentTypeParser } from 'fastify';
import { invalidFields, Refusal, type FieldProblem } from '../contract/refusal.js';
import { parseMeasured } from '../lib/json/index.js';
import { readOctets } from '../http/body/json-body.js';

/** Most fields and files of one form, enough for a thousand recipients and their variables. */
const MAX_PARTS = 4000;
const MAX_NAME = 256;

export interface FormFile {
  field: string;
  filename: string;
  contentType: string;
  octets: Buffer;
}

export interface Form {
  /** The values of each field, in order. */
  fields: Map<string, string[]>;
  files: FormFile[];
}

/** Refuses with `bad_request` if the form is malformed or has too many parts. */
export const readForm: FastifyContentTypeParser = (request, payload, done) => {
  readOctets(request, payload, (error, octets) => {
    if (error !== null) {
      done(error);
      return;
    }
    parse(octets as Buffer, request.headers['content-type'] ?? '').then(
      (form) => {
        done(null, form);
      },
      (problem: unknown) => {
        done(problem as Error);
      },
    );
  });
};

/**
 * The accepted fields of a form by name; `h:*` stands for every name that starts with `h:`. The value is `true` for an accepted
 * field, and otherwise the sentence that refuses it.
 */
export type TakenFields = Readonly<Record<string, true | string>>;

const MAX_PROBLEMS = 20;
const MAX_SHOWN_NAME = 80;

/** Refuses with `validation_error` the unaccepted fields of a body, or of each object of a list. */
export function refuseFormFields(body: unknown, known: TakenFields): void {
  const problems = Array.isArray(body)
    ? body.flatMap((one, at) => formProblems(toForm(one), known, `${at}.`))
    : formProblems(toForm(body), known, '');
  if (problems.length > 0) throw invalidFields(problems.slice(0, MAX_PROBLEMS));
}

function formProblems({ fields, files }: Form, known: TakenFields, place: string): FieldProblem[] {
  const names = [...fields.keys(), ...files.map(({ field }) => field)];
  return names.flatMap((name) => {
    const key = Object.hasOwn(known, name) ? name : name.replace(/^([hv]:).+$/s, '$1*');
    const taken = Object.hasOwn(known, key) ? known[key] : 'is not a known field';
    if (taken === undefined || taken === true) return [];
    return [{ path: `${place}${name.slice(0, MAX_SHOWN_NAME)}`, message: taken }];
  });
}

/** Returns a JSON body, or no body, in the form of a form. */
export function toForm(body: unknown): Form {
  if (isForm(body)) return body;
  const form = new FormFields();
  for (const [name, value] of Object.entries(body ?? {})) {
    for (const one of (Array.isArray(value) ? value : [value]) as unknown[]) {
      if (one !== null) form.add(name, textOf(one));
    }
  }
  return form.form;
}

export function isForm(body: unknown): body is Form {
  return typeof body === 'object' && body !== null && 'fields' in body && body.fields instanceof Map;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The parser's types promise a name, but a part without one has undefined. */
function isNameless(name: string | undefined): boolean {
  return name === undefined || name === '';
}

/** Octets of a multipart body that are parsed before other work gets its turn. */
const SLICE_BYTES = 64 * 1024;

async function parse(octets: Buffer, contentType: string): Promise<Form> {
  return /^\s*multipart\//i.test(contentType) ? parseMultipart(octets, contentType) : parseEncoded(octets);
}

class FormFields {
  readonly form: Form = { fields: new Map(), files: [] };
  #parts = 0;

  countPart(name: string | undefined): void {
    if (++this.#parts > MAX_PARTS) throw refusal(`has more than ${MAX_PARTS} fields`);
    if (isNameless(name)) throw refusal('has a part without a name');
  }

  /** Adds a value. Empty fields count as absent, except the sender's own. */
  add(written: string, value: string): void {
    const name = plainName(written);
    if (value === '' && !isOwn(name)) return;
    const values = this.form.fields.get(name);
    if (values === undefined) this.form.fields.set(name, [value]);
    else values.push(value);
  }
}

/** Removes the index of a list's values, which PHP adds: `attachment[0]`, `to[]`. */
function plainName(name: string): string {
  return isOwn(name) ? name : name.replace(/\[\d{0,9}\]$/, '');
}

/** Whether the sender chose the field's name, which follows `h:` or `v:`. */
function isOwn(name: string): boolean {
  return /^[hv]:/.test(name);
}

function refusal(what: string): Refusal {
  return new Refusal('bad_request', `The form ${what}.`);
}

const LONG_NAME = `has a field name longer than ${MAX_NAME} bytes`;
const [AMPERSAND, EQUALS, PLUS, PERCENT, SPACE] = [0x26, 0x3d, 0x2b, 0x25, 0x20];

/** Parses by WHATWG URL section 5.1; octets that are not UTF-8 are replaced. */
export function parseEncoded(octets: Buffer): Form {
  const fields = new FormFields();
  for (let start = 0; start < octets.length;) {
    const found = octets.indexOf(AMPERSAND, start);
    const pair = octets.subarray(start, found === -1 ? octets.length : found);
    start += pair.length + 1;
    if (pair.length === 0) continue;
    const equals = pair.indexOf(EQUALS);
    const written = equals === -1 ? pair : pair.subarray(0, equals);
    if (written.length > 3 * MAX_NAME) throw refusal(LONG_NAME);
    const name = decoded(written);
    if (Buffer.byteLength(name) > MAX_NAME) throw refusal(LONG_NAME);
    fields.countPart(name);
    fields.add(name, equals === -1 ? '' : decoded(pair.subarray(equals + 1)));
  }
  return fields.form;
}

/** Decodes in one pass, because standard parsers take seconds for megabytes of plus signs or escapes. */
function decoded(octets: Buffer): string {
  const read = Buffer.alloc(octets.length);
  let length = 0;
  for (let at = 0; at < octets.length; at++) {
    const octet = octets[at];
    const value = octet === PERCENT ? hexAt(octets, at + 1) : null;
    read[length++] = value ?? (octet === PLUS ? SPACE : (octet ?? 0));
    if (value !== null) at += 2;
  }
  return read.toString('utf8', 0, length);
}

/** Returns the octet that two hexadecimal digits encode; null if there are no such digits. */
function hexAt(octets: Buffer, at: number): number | null {
  const [high, low] = [digitOf(octets[at]), digitOf(octets[at + 1])];
  return high === null || low === null ? null : high * 16 + low;
}

function digitOf(octet = 0): number | null {
  if (octet >= 0x30 && octet <= 0x39) return octet - 0x30;
  const letter = octet | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : null;
}

/** Parses a complete body, whose size is limited already, so each part may use all of it. */
async function parseMultipart(octets: Buffer, contentType: string): Promise<Form> {
  const fields = new FormFields();
  const { form } = fields;
  const broken = refusal(`does not match its content type: ${contentType.slice(0, 100)}`);
  const size = octets.length + 1;
  // One more than the limit, to detect that it was exceeded.
  const most = MAX_PARTS + 1;
  const limits = { parts: most, fields: most, files: most, fieldSize: size, fileSize: size };
  const parser = openParser({ 'content-type': contentType }, { ...limits, fieldNameSize: MAX_NAME }, broken);
  const state: { failure: Error | null } = { failure: null };
  const finished = new Promise<void>((resolve) => {
    const fail = (error: Error): void => {
      state.failure ??= error;
      resolve();
    };
    const guarded = (work: () => void): void => {
      try {
        work();
      } catch (error) {
        fail(error as Error);
      }
    };
    parser.on('field', (name, value, isNameCut) => {
      guarded(() => {
        if (isNameCut) throw refusal(LONG_NAME);
        fields.countPart(name);
        fields.add(name, value);
      });
    });
    parser.on('file', (field, stream, filename, _encoding, type) => {
      // Without an error listener, a body that ends within a file would end the process.
      stream.on('error', () => {
        fail(broken);
      });
      let name = field;
      guarded(() => {
        fields.countPart(field);
        name = plainName(field);
      });
      const pieces: Buffer[] = [];
      stream.on('data', (piece: Buffer) => pieces.push(piece));
      stream.on('end', () => {
        const content = Buffer.concat(pieces);
        // Browsers send an empty file for a file input without a selection.
        const isChosen = content.length > 0 || Boolean(filename);
        if (isChosen) form.files.push({ field: name, filename, contentType: type, octets: content });
      });
    });
    parser.on('error', () => {
      fail(broken);
    });
    parser.on('finish', resolve);
  });
  for (let at = 0; at < octets.length && state.failure === null; at += SLICE_BYTES) {
    parser.write(octets.subarray(at, at + SLICE_BYTES));
    await setImmediate();
  }
  if (state.failure === null) {
    parser.end();
    await finished;
  }
  if (state.failure !== null) throw state.failure;
  return form;
}

function openParser(headers: BusboyHeaders, limits: BusboyConfig['limits'], broken: Refusal) {
  try {
    return new Busboy({ headers, limits });
  } catch {
    throw broken;
  }
}

/** Returns a field's value; undefined if it is absent. Refuses with `validation_error` if it is repeated. */
export function readSingle({ fields }: Form, name: string): string | undefined {
  const values = fields.get(name) ?? [];
  if (values.length > 1) {
    const path = name.slice(0, MAX_SHOWN_NAME);
    throw invalidFields([{ path, message: 'is set more than once. Set it once' }]);
  }
  return values[0];
}

/** Parses a JSON object, which is measured like a body. A refusal names the field. */
export function parseJsonObject(text: string, name: string, members: number): Record<string, unknown> {
  const read = parseMeasured(text, members);
  const problem = 'problem' in read ? read.problem : 'must be a JSON object';
  if ('value' in read && isObject(read.value)) return read.value;
  throw invalidFields([{ path: name, message: problem }]);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
