// Parses the form of mail that nearly all programs write, synchronously and in one pass: clean header fields,
// whole delimiter lines, clean transfer encodings (RFC 2045, RFC 2046, RFC 2183). Other mail is left to
// mime-parse.ts; a test checks that both parse the same mail alike.
import { headerBlockSize, splitHeaderBlock, unfoldedValue, type RawField } from './header-block.js';
import { factsOfHeader } from './header-mail.js';
import {
  cleanContentId,
  cleanFilename,
  contentOfLeaves,
  type Leaf,
  type MailContent,
} from './mail-content.js';
import type { MailLimits } from './mail-limits.js';
import type { ParsedMail } from './parsed-mail.js';
import { readHeader } from './received-header.js';
import { WRAPPED_TYPES } from './wrapped-parts.js';

/** Octets of a mail, and of its header, that take at most a few milliseconds, regardless of their content. */
const QUICK_OCTETS = 32 * 1024;
const QUICK_HEADER_OCTETS = 8 * 1024;

const MAX_LEAVES = 100;
const MAX_DEPTH = 8;
const MAX_PART_HEADER = 16 * 1024;
const MAX_FIELD = 1_000;

/** The fields that describe how to read an entity. */
const TYPE = 'content-type';
const ENCODING = 'content-transfer-encoding';
const DISPOSITION = 'content-disposition';
const CONTENT_ID = 'content-id';
const MIME_FIELDS = [TYPE, ENCODING, DISPOSITION, CONTENT_ID];

// Excludes quoted pairs, comments, encoded words, RFC 2231 charsets, and blanks at the edges.
const VALUE = '"[\\w+,\\-./:=?@](?:[\\w+,\\-./:=?@ ]*[\\w+,\\-./:=?@])?"|[\\w+\\-.:=?@/]+';
const PARAMETERS = `((?:[ \\t]*;[ \\t]*[a-z][a-z0-9-]*=(?:${VALUE}))*)[ \\t]*;?[ \\t]*$`;
const TYPE_VALUE = new RegExp(`^[ \\t]*([a-z][a-z0-9-]*/[a-z0-9][a-z0-9.+-]*)${PARAMETERS}`, 'i');
const DISPOSITION_VALUE = new RegExp(`^[ \\t]*(inline|attachment)${PARAMETERS}`, 'i');
const PARAMETER = new RegExp(`([a-z][a-z0-9-]*)=(${VALUE})`, 'gi');
const ENCODING_VALUE = /^[ \t]*(7bit|8bit|binary|base64|quoted-printable)[ \t]*$/i;
const CONTENT_ID_VALUE = /^[ \t]*(<[\w.@$+-]+>)[ \t]*$/;

const CR = 0x0d;
const LF = 0x0a;
const DASH = 0x2d;

/** A value with its parameters by lower-case name. */
interface Valued {
  value: string;
  params: Readonly<Record<string, string>>;
}

/** The MIME fields of an entity; `null` for an absent field. */
interface Described {
  type: Valued | null;
  encoding: string;
  disposition: Valued | null;
  contentId: string | null;
}

/**
 * Returns whether a mail may be parsed on a busy thread. A hostile one blocks it for at most a few
 * milliseconds.
 */
export function isQuick(raw: Uint8Array): boolean {
  if (raw.byteLength > QUICK_OCTETS) return false;
  const octets = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  return headerBlockSize(octets) <= QUICK_HEADER_OCTETS;
}

/** Returns the content of plain mail, given its header fields and body; `null` for other mail. */
export function plainContent(
  fields: readonly RawField[],
  body: Buffer,
  limits: MailLimits,
  problems: string[],
): MailContent | null {
  const leaves: Leaf[] = [];
  return addLeaves({ fields, body }, 0, leaves) ? contentOfLeaves(leaves, limits, problems) : null;
}

/** Does the same as `parseMail` for plain mail; `null` for other mail. Never throws. */
export function readPlainMail(raw: Uint8Array, limits: MailLimits): ParsedMail | null {
  const header = readHeader(raw, limits);
  const octets = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const problems: string[] = [];
  const content = plainContent(header.fields, octets.subarray(header.bodyStart), limits, problems);
  if (content === null) return null;
  const facts = factsOfHeader(header);
  return { ...facts, ...content, problems: [...facts.problems, ...problems] };
}

interface Entity {
  fields: readonly RawField[];
  body: Buffer;
}

/** Adds the leaves of an entity. Returns false if the entity, or a part of it, is not plain. */
function addLeaves({ fields, body }: Entity, depth: number, leaves: Leaf[]): boolean {
  const described = describe(fields);
  if (described === null || depth > MAX_DEPTH) return false;
  const type = described.type?.value ?? 'text/plain';
  if (!type.startsWith('multipart/')) {
    const leaf = readLeaf(type, described, body);
    return leaf !== null && leaves.push(leaf) <= MAX_LEAVES;
  }
  const boundary = described.type?.params['boundary'];
  // Parts of a digest are messages by default.
  if (boundary === undefined || type === 'multipart/digest' || isEncoded(described)) return false;
  const parts = splitParts(body, Buffer.from(`--${boundary}`, 'latin1'));
  return parts?.every((part) => addLeaves(part, depth + 1, leaves)) === true;
}

function isEncoded({ encoding }: Described): boolean {
  return encoding === 'base64' || encoding === 'quoted-printable';
}

/** Reads the MIME fields. Returns `null` if one is ambiguous or repeated. */
function describe(fields: readonly RawField[]): Described | null {
  const values: Partial<Record<string, string>> = {};
  for (const field of fields) {
    if (!MIME_FIELDS.includes(field.name)) continue;
    if (values[field.name] !== undefined) return null;
    const value = unfoldedValue(field);
    if (value.length > MAX_FIELD || value.includes('=?') || /[^\t\x20-\x7e]/.test(value)) return null;
    values[field.name] = value;
  }
  const type = valued(values[TYPE], TYPE_VALUE);
  const disposition = valued(values[DISPOSITION], DISPOSITION_VALUE);
  const encoding = values[ENCODING] === undefined ? '' : ENCODING_VALUE.exec(values[ENCODING])?.[1];
  const contentId = values[CONTENT_ID] === undefined ? null : CONTENT_ID_VALUE.exec(values[CONTENT_ID])?.[1];
  if (type === undefined || disposition === undefined || encoding === undefined || contentId === undefined)
    return null;
  // The package then guesses the type from the disposition.
  if (type === null && disposition !== null) return null;
  return { type, encoding: encoding.toLowerCase(), disposition, contentId };
}

/** Returns `null` for an absent field, and undefined for another form. */
function valued(written: string | undefined, form: RegExp): Valued | null | undefined {
  if (written === undefined) return null;
  const [, value, parameters = ''] = form.exec(written) ?? [];
  if (value === undefined) return undefined;
  const params = new Map<string, string>();
  for (const [, name = '', text = ''] of parameters.matchAll(PARAMETER)) {
    if (params.has(name.toLowerCase())) return undefined;
    params.set(name.toLowerCase(), text.startsWith('"') ? text.slice(1, -1) : text);
  }
  return { value: value.toLowerCase(), params: Object.fromEntries(params) };
}

function readLeaf(type: string, described: Described, body: Buffer): Leaf | null {
  const { disposition, encoding, contentId } = described;
  const params = described.type?.params ?? {};
  // The package splits everything that has a boundary, and wrapped parts are opened separately.
  if (WRAPPED_TYPES.includes(type)) return null;
  if (params['boundary'] !== undefined || (type.startsWith('message/') && isEncoded(described))) return null;
  const content = decoded(body, encoding);
  if (content === null) return null;
  return {
    type,
    isAttachment: disposition?.value === 'attachment',
    filename: cleanFilename(disposition?.params['filename'] ?? params['name']),
    contentId: cleanContentId(contentId),
    params,
    content,
  };
}

/**
 * Splits the parts between whole delimiter lines. Returns `null` if the delimiter occurs elsewhere or the
 * closing one is missing.
 */
function splitParts(body: Buffer, delimiter: Buffer): Entity[] | null {
  const parts: Entity[] = [];
  let partStart = -1;
  let isClosed = false;
  for (let at = body.indexOf(delimiter); at !== -1;) {
    const isLineStart = at === 0 || (body[at - 1] === LF && body[at - 2] === CR);
    if (!isLineStart || isClosed) return null;
    let end = at + delimiter.length;
    isClosed = body[end] === DASH && body[end + 1] === DASH;
    if (isClosed) end += 2;
    const isEnded = body[end] === CR && body[end + 1] === LF;
    if (!isEnded && !(isClosed && end === body.length)) return null;
    if (partStart !== -1) {
      const part = at - 2 < partStart ? null : readPart(body.subarray(partStart, at - 2));
      if (part === null || parts.push(part) > MAX_LEAVES) return null;
    }
    partStart = end + 2;
    at = body.indexOf(delimiter, end);
  }
  return isClosed && parts.length > 0 ? parts : null;
}

function readPart(octets: Buffer): Entity | null {
  const headerBytes = headerBlockSize(octets.subarray(0, MAX_PART_HEADER));
  if (headerBytes >= Math.min(octets.length, MAX_PART_HEADER)) return null;
  if (/(?:^|[^\r])\n|\r(?!\n)/.test(octets.toString('latin1', 0, headerBytes))) return null;
  return splitHeaderBlock(octets);
}

/** Decodes into a new buffer, which a thread can transfer without copying. Returns `null` if the encoding is violated. */
function decoded(body: Buffer, encoding: string): Uint8Array | null {
  switch (encoding) {
    case 'base64':
      return fromBase64(body.toString('latin1'));
    case 'quoted-printable':
      return fromQuotedPrintable(body.toString('latin1'));
    default:
      return new Uint8Array(body);
  }
}

function fromBase64(text: string): Uint8Array | null {
  const joined = text.replace(/[\r\n]+/g, '');
  return joined.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(joined)
    ? new Uint8Array(Buffer.from(joined, 'base64'))
    : null;
}

function fromQuotedPrintable(text: string): Uint8Array | null {
  if (/[^\t\r\n\x20-\x7e]|[\t ](?:[\r\n]|$)|=(?![0-9A-Fa-f]{2}|\r\n)/.test(text)) return null;
  const octets = text
    .replaceAll('=\r\n', '')
    .replace(/=(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return new Uint8Array(Buffer.from(octets, 'latin1'));
}
