// Re-encodes the parts of a message that a transport cannot carry; each decodes to the same content (RFC 2045
// section 6, RFC 6152 section 3). Signed or encrypted parts are never changed.
import { isAscii, isUtf8 } from 'node:buffer';
import { parseHeaderValue } from 'nodemailer/lib/mime-funcs';
import { rawValue, splitHeaderBlock, unfoldedValue, type RawField } from './header-block.js';
import { asciiField } from './ascii-field.js';
import { MAX_LINE } from './header-field.js';
import type { ComposedMessage } from './mime-build.js';
import { encodeBase64, encodeTextPart, mendQuotedPrintable, rewrapBase64 } from './transfer-encoding.js';

// The body of a multipart split at its delimiters (RFC 2046 section 5.1). Joined again, it has the same
// octets.
interface Multipart {
  preamble: Buffer;
  parts: MultipartPart[];
  /** The close delimiter, if there is one. The epilogue follows it. */
  close: Buffer;
  epilogue: Buffer;
}

interface MultipartPart {
  /** With the line end that belongs to it. */
  delimiter: Buffer;
  content: Buffer;
}

interface Delimiter {
  start: number;
  end: number;
  isClose: boolean;
}

const CR = 0x0d;
const LF = 0x0a;
const DASH = 0x2d;

/** Returns `null` if the body has no delimiter with this boundary. */
function splitMultipart(body: Buffer, boundary: string): Multipart | null {
  const marker = Buffer.from(`--${boundary}`, 'latin1');
  let delimiter = nextDelimiter(body, marker, 0);
  if (delimiter === null || delimiter.isClose) return null;
  const preamble = body.subarray(0, delimiter.start);
  const parts: MultipartPart[] = [];
  for (;;) {
    const next = nextDelimiter(body, marker, delimiter.end);
    const written = body.subarray(delimiter.start, delimiter.end);
    parts.push({ delimiter: written, content: body.subarray(delimiter.end, next?.start ?? body.length) });
    if (next === null) return { preamble, parts, close: body.subarray(0, 0), epilogue: body.subarray(0, 0) };
    if (next.isClose) {
      return {
        preamble,
        parts,
        close: body.subarray(next.start, next.end),
        epilogue: body.subarray(next.end),
      };
    }
    delimiter = next;
  }
}

function joinMultipart({ preamble, parts, close, epilogue }: Multipart): Buffer {
  return Buffer.concat([
    preamble,
    ...parts.flatMap(({ delimiter, content }) => [delimiter, content]),
    close,
    epilogue,
  ]);
}

/** Returns whether the content of a part contains a line that would end it. */
function holdsDelimiter(content: Buffer, boundary: string): boolean {
  return nextDelimiter(content, Buffer.from(`--${boundary}`, 'latin1'), 0) !== null;
}

/** Finds the next line that consists of the marker, optionally followed by two dashes. */
function nextDelimiter(body: Buffer, marker: Buffer, from: number): Delimiter | null {
  for (let at = body.indexOf(marker, from); at !== -1; at = body.indexOf(marker, at + 1)) {
    const isLineStart = at === 0 || (body[at - 1] === LF && body[at - 2] === CR);
    if (!isLineStart) continue;
    let end = at + marker.length;
    const isClose = body[end] === DASH && body[end + 1] === DASH;
    if (isClose) end += 2;
    while (body[end] === 0x20 || body[end] === 0x09) end++;
    const isEnded = body[end] === CR && body[end + 1] === LF;
    if (!isEnded && end !== body.length) continue;
    // The line end before a delimiter belongs to it, unless it ends the previous delimiter.
    return { start: at - 2 >= from ? at - 2 : at, end: isEnded && !isClose ? end + 2 : end, isClose };
  }
  return null;
}

/** The form that a transport can carry. */
interface Transport {
  /** Returns whether octets may stay unchanged. If a whole fits, each of its parts fits. */
  fits(octets: Buffer): boolean;
  /** Returns the acceptable lines of a field, or `null` if the field has no such form. */
  fieldLine(field: RawField): string | null;
  /** Converts text outside all parts, which has no encoding and is not displayed. */
  unread(octets: Buffer): Buffer;
  /** Encoding declared by a multipart whose parts were encoded; `null` keeps its declaration. */
  multipartEncoding: '7bit' | null;
}

interface Entity {
  fields: RawField[];
  body: Buffer;
}

/** Position of an entity in the tree. */
interface Place {
  /** Boundaries of the enclosing multiparts. Encoded content must not contain their delimiters. */
  boundaries: readonly string[];
  /** The type of an entity without Content-Type. */
  defaultType: 'text/plain' | 'message/rfc822';
  depth: number;
}

const MAX_DEPTH = 30;
const ENCODING = 'content-transfer-encoding';
const PLAIN_ENCODINGS = ['', '7bit', '8bit', 'binary'];
/** Multiparts whose parts are signed or encrypted (RFC 1847). */
const SEALED = ['multipart/signed', 'multipart/encrypted'];

/**
 * Returns the mail in a form that fits the transport, or `null` if that would break a signature or a part has
 * no such form. UTF-8 text becomes quoted-printable or base64, everything else base64. Parts that fit keep
 * their octets.
 */
function reEncode({ headerLines, body }: ComposedMessage, transport: Transport): ComposedMessage | null {
  const header = splitHeaderBlock(Buffer.from(`${headerLines.join('\r\n')}\r\n`, 'latin1'));
  if (header === null) return null;
  const place: Place = { boundaries: [], defaultType: 'text/plain', depth: 0 };
  const encoded = encodeEntity({ fields: header.fields, body }, place, transport);
  return encoded && { headerLines: encoded.fields.map(({ line }) => line), body: encoded.body };
}

function encodeEntity(entity: Entity, place: Place, transport: Transport): Entity | null {
  if (place.depth > MAX_DEPTH) return null;
  const fields: RawField[] = [];
  for (const field of entity.fields) {
    const line = transport.fieldLine(field);
    if (line === null) return null;
    fields.push({ name: field.name, line });
  }
  if (transport.fits(entity.body)) return { fields, body: entity.body };
  // Read from the original fields, because a parameter may have been encoded meanwhile.
  const { type, boundary } = readContentType(entity.fields, place.defaultType);
  const encoding = (readValue(entity.fields, ENCODING) ?? '').toLowerCase();
  if (SEALED.includes(type)) return null;
  if (type.startsWith('multipart/') || type === 'message/rfc822') {
    if (!PLAIN_ENCODINGS.includes(encoding)) return null;
    const within = { ...place, defaultType: 'text/plain', depth: place.depth + 1 } as const;
    const body =
      type === 'message/rfc822'
        ? encodeOctets(entity.body, within, transport)
        : encodeMultipart(entity.body, { type, boundary }, place, transport);
    const label = transport.multipartEncoding;
    return body && { fields: label === null ? fields : withField(fields, ENCODING, label), body };
  }
  // No other message/* may be encoded, except the types for UTF-8 (RFC 6532 section 3.7).
  if (type.startsWith('message/') && !type.startsWith('message/global')) return null;
  return encodeLeaf({ fields, body: entity.body }, { type, encoding }, place);
}

/** Encodes an entity within a body: a part or an embedded message. */
function encodeOctets(octets: Buffer, place: Place, transport: Transport): Buffer | null {
  if (transport.fits(octets)) return octets;
  const entity = splitHeaderBlock(octets);
  const encoded = entity && encodeEntity(entity, place, transport);
  if (encoded === null) return null;
  const header = encoded.fields.map(({ line }) => `${line}\r\n`).join('');
  return Buffer.concat([Buffer.from(`${header}\r\n`, 'latin1'), encoded.body]);
}

function encodeMultipart(
  body: Buffer,
  { type, boundary }: { type: string; boundary: string | null },
  place: Place,
  transport: Transport,
): Buffer | null {
  const split = boundary === null ? null : splitMultipart(body, boundary);
  if (split === null || boundary === null) return null;
  const within: Place = {
    boundaries: [...place.boundaries, boundary],
    defaultType: type === 'multipart/digest' ? 'message/rfc822' : 'text/plain',
    depth: place.depth + 1,
  };
  const parts: typeof split.parts = [];
  for (const { delimiter, content } of split.parts) {
    const encoded = encodeOctets(content, within, transport);
    if (encoded === null) return null;
    parts.push({ delimiter, content: encoded });
  }
  const { preamble, close, epilogue } = split;
  return joinMultipart({
    preamble: transport.unread(preamble),
    parts,
    close,
    epilogue: transport.unread(epilogue),
  });
}

function encodeLeaf(
  { fields, body }: Entity,
  { type, encoding }: { type: string; encoding: string },
  { boundaries }: Place,
): Entity | null {
  const isClear = (content: Buffer): boolean =>
    !boundaries.some((boundary) => holdsDelimiter(content, boundary));
  if (encoding === 'quoted-printable') {
    const mended = mendQuotedPrintable(body);
    return mended && isClear(mended) ? { fields, body: mended } : null;
  }
  if (encoding === 'base64') return isAscii(body) ? { fields, body: rewrapBase64(body) } : null;
  if (!PLAIN_ENCODINGS.includes(encoding)) return null;
  const text = type.startsWith('text/') && isUtf8(body) ? encodeTextPart(body.toString('utf8'), false) : null;
  const content = text && Buffer.from(text.content, 'latin1');
  // Base64 contains no dashes.
  const [name, octets] =
    text && content && isClear(content)
      ? [text.encoding, content]
      : ['base64', Buffer.from(encodeBase64(body), 'latin1')];
  return { fields: withField(describedIn(fields, body), ENCODING, name), body: octets };
}

/** Declares UTF-8 for text without a charset if that is valid; otherwise readers keep guessing. */
function describedIn(fields: RawField[], body: Buffer): RawField[] {
  const isNamed = fields.some(({ name }) => name === 'content-type');
  return isNamed || !isUtf8(body) ? fields : withField(fields, 'content-type', 'text/plain; charset=utf-8');
}

function withField(fields: readonly RawField[], name: string, value: string): RawField[] {
  const written = name.replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase());
  const field = { name, line: `${written}: ${value}` };
  const at = fields.findIndex((one) => one.name === name);
  return at === -1 ? [...fields, field] : fields.toSpliced(at, 1, field);
}

function readValue(fields: readonly RawField[], name: string): string | null {
  const field = fields.find((one) => one.name === name);
  return field === undefined ? null : parseHeaderValue(rawValue(field), { stripComments: true }).value;
}

function readContentType(
  fields: readonly RawField[],
  defaultType: string,
): { type: string; boundary: string | null } {
  const field = fields.find(({ name }) => name === 'content-type');
  if (field === undefined) return { type: defaultType, boundary: null };
  const { value, params } = parseHeaderValue(unfoldedValue(field), { stripComments: true });
  // RFC 2045 section 5.2: an invalid type means plain text.
  return {
    type: value.includes('/') ? value.toLowerCase() : 'text/plain',
    boundary: params['boundary'] ?? null,
  };
}

/** Peers that only accept ASCII (RFC 6152 section 3). */
const SEVEN_BIT: Transport = {
  fits: isAscii,
  fieldLine: asciiField,
  unread: (octets) =>
    isAscii(octets) ? octets : Buffer.from(octets.toString('latin1').replace(/[\x80-\xff]/g, '?'), 'latin1'),
  multipartEncoding: '7bit',
};

/** Returns the mail in ASCII, or `null` if that would break a signature or a part has no ASCII form. */
export function toSevenBit(message: ComposedMessage): ComposedMessage | null {
  return reEncode(message, SEVEN_BIT);
}

/** SMTP's limit of lines (RFC 5321 section 4.5.3.1.6), which HTML on one line exceeds. */
const LINE_LENGTH: Transport = {
  fits: (octets) => !hasLongLine(octets),
  fieldLine: ({ line }) => (line.split('\r\n').some((one) => one.length > MAX_LINE) ? null : line),
  // A line that begins with a blank cannot be a delimiter.
  unread: (octets) =>
    hasLongLine(octets)
      ? Buffer.from(octets.toString('latin1').replace(/[^\r\n]{900}/g, '$&\r\n '), 'latin1')
      : octets,
  multipartEncoding: null,
};

/** Returns whether a line exceeds the limit. Lines end with CRLF; the last one may have no end. */
export function hasLongLine(octets: Buffer): boolean {
  let start = 0;
  for (;;) {
    const end = octets.indexOf(LF, start);
    if (end === -1) return octets.length - start > MAX_LINE;
    const length = end - start - (octets[end - 1] === CR ? 1 : 0);
    if (length > MAX_LINE) return true;
    start = end + 1;
  }
}

/**
 * Returns the mail with no line above 998 octets, or `null` if a header field or a signed, encrypted or
 * already encoded part has a longer one.
 */
export function withinLineLength(message: ComposedMessage): ComposedMessage | null {
  return reEncode(message, LINE_LENGTH);
}
