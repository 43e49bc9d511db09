// DKIM's relaxed canonical forms (RFC 6376 sections 3.4.2 and 3.4.4), octet by octet: white space is SP and HTAB,
// a line ends with CRLF, and nothing else is special. Both run in linear time.

const HTAB = 9;
const LF = 10;
const CR = 13;
const SP = 32;
const CRLF = Buffer.from('\r\n');
const EMPTY = Buffer.alloc(0);

// Printable US-ASCII without the colon (RFC 5322 section 3.6.8), then the white space that old mailers leave.
const FIELD_NAME = /^([!-9;-~]+)[ \t]*$/;
const NOT_AN_OCTET = /[^\x00-\xff]/;
const FORBIDDEN_OCTET = /[\r\n\x00]/;
const WHITE_SPACE_RUN = /\t[ \t]*| [ \t]+/g;

export interface CanonicalField {
  /** Lower case. */
  name: string;
  /** `name:value` without a line end, one character per octet. */
  text: string;
}

/**
 * The relaxed form of one whole header field, given one character per octet and folded with CRLF. Throws for what
 * would reach the peer as something else than one field: a line break that is no fold, NUL, a bad name, or a
 * character above U+00FF.
 */
export function relaxedField(field: string): CanonicalField {
  const colon = field.indexOf(':');
  const name = FIELD_NAME.exec(field.slice(0, Math.max(colon, 0)))?.[1]?.toLowerCase();
  if (name === undefined) throw new Error('a header field has no valid name');
  if (NOT_AN_OCTET.test(field)) throw new Error(`the ${name} field holds a character that is not an octet`);
  let value = field.slice(colon + 1);
  if (value.includes('\r\n')) value = value.replace(/\r\n([ \t])/g, '$1');
  if (FORBIDDEN_OCTET.test(value)) throw new Error(`the ${name} field holds a line break or NUL`);
  value = value.replace(WHITE_SPACE_RUN, ' ');
  const start = value.startsWith(' ') ? 1 : 0;
  const end = value.length > start && value.endsWith(' ') ? value.length - 1 : value.length;
  return { name, text: `${name}:${value.slice(start, end)}` };
}

/** The relaxed form of a body with CRLF line ends; may be the given buffer itself or a part of it. */
export function relaxedBody(body: Buffer): Buffer {
  return endWithOneCrlf(isTidy(body) ? body : reduceWhiteSpace(body));
}

// Reading is twice as quick as copying, and base64 and most quoted-printable need no change. (The runtime's own
// search for two-octet needles is four times slower on text with many spaces.)
function isTidy(body: Buffer): boolean {
  let previous = 0;
  for (let i = 0; i < body.length; i++) {
    const octet = body[i] ?? 0;
    if (octet <= SP) {
      if (octet === HTAB) return false;
      if (previous === SP && (octet === SP || octet === CR)) return false;
    }
    previous = octet;
  }
  return previous !== SP;
}

function reduceWhiteSpace(body: Buffer): Buffer {
  const reduced = Buffer.allocUnsafe(body.length);
  let size = 0;
  let i = 0;
  while (i < body.length) {
    const octet = body[i] ?? 0;
    if (octet !== SP && octet !== HTAB) {
      reduced[size++] = octet;
      i++;
      continue;
    }
    do i++;
    while (body[i] === SP || body[i] === HTAB);
    const endsLine = i === body.length || (body[i] === CR && body[i + 1] === LF);
    if (!endsLine) reduced[size++] = SP;
  }
  return reduced.subarray(0, size);
}

// Blank lines at the end are dropped, a missing last line end is added; a body of nothing stays nothing.
function endWithOneCrlf(body: Buffer): Buffer {
  let end = body.length;
  while (end >= 2 && body[end - 2] === CR && body[end - 1] === LF) end -= 2;
  if (end === 0) return EMPTY;
  if (end === body.length) return Buffer.concat([body, CRLF]);
  return body.subarray(0, end + 2);
}
