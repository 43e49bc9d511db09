// Repairs the octets of a multipart before parsing: part headers without a blank line after them, and plain
// text declared as base64.
import { isUtf8 } from 'node:buffer';
import { NAME } from '../mime/index.js';

const LF = 10;
const MAX_LINE = 1_000;
const SHORT_LINE = 40;
const MAX_HEADER_LINES = 100;
const MAX_DEPTH = 100;
/** Lines that begin with two dashes; those after the last one stay unchanged. */
const MAX_DASHES = 50_000;
const BOUNDARY =
  /^content-type[ \t]*:[ \t\r\n]*multipart\/[^;]{1,100};.*?\bboundary=(?:"([^"]{1,200})"|([^\s;"]{1,200}))/is;
const BASE64_FIELD = /^content-transfer-encoding[ \t]*:[ \t]*base64[ \t]*$/i;

/**
 * Returns true if a header field declares base64 but the body at `start` is plain text (RFC 2045
 * section 6.8).
 */
export function isFalseBase64(field: string, body: Buffer, start = 0): boolean {
  if (!BASE64_FIELD.test(field)) return false;
  const first =
    body
      .toString('latin1', start, start + MAX_LINE)
      .trimStart()
      .split(/\r?\n/, 1)[0] ?? '';
  return /\S[ \t]+\S|[^\t\r\x20-\x7e]|[.,;:!?'"()<>@]/.test(first) || isWord(first.trim());
}

/** Detects a short line that base64 would have padded, and that does not decode to text. */
function isWord(line: string): boolean {
  return line.length < SHORT_LINE && line.length % 4 !== 0 && !isUtf8(Buffer.from(line, 'base64'));
}

/**
 * Returns the body of an entity with these header fields. Adds a blank line after each part's header, and
 * removes fields that declare plain text as base64.
 */
export function repairedBody(fields: readonly string[], body: Buffer): Buffer {
  /** Delimiters of the multiparts around the current position, outermost first. */
  let open = fields.flatMap(readDelimiter).slice(0, 1);
  if (open.length === 0) return body;
  const pieces: Buffer[] = [];
  let kept = 0;
  let count = 0;
  for (let at = body.indexOf('--'); at >= 0 && count < MAX_DASHES; at = nextDashes(body, at)) {
    count += 1;
    const line = lineAt(body, at);
    const written = line.text.trimEnd();
    const level = open.findLastIndex((delimiter) => written === delimiter || written === `${delimiter}--`);
    if (level < 0) continue;
    const isEnd = written !== open[level];
    open = open.slice(0, isEnd ? level : level + 1);
    if (isEnd) continue;
    const part = readPartHeader(body, line.next, open);
    for (const field of part.fields) {
      if (!isFalseBase64(field.text, body, part.bodyStart)) continue;
      pieces.push(body.subarray(kept, field.from));
      kept = field.to;
    }
    if (part.isUnended) {
      pieces.push(body.subarray(kept, part.end), Buffer.from('\r\n'));
      kept = part.end;
    }
    if (open.length < MAX_DEPTH)
      open.push(...part.fields.flatMap(({ text }) => readDelimiter(text)).slice(0, 1));
  }
  return pieces.length === 0 ? body : Buffer.concat([...pieces, body.subarray(kept)]);
}

function readDelimiter(field: string): string[] {
  const [, quoted, bare] = BOUNDARY.exec(field) ?? [];
  const boundary = quoted ?? bare;
  return boundary === undefined ? [] : [`--${boundary}`.trimEnd()];
}

function nextDashes(body: Buffer, after: number): number {
  const at = body.indexOf('\n--', after);
  return at < 0 ? -1 : at + 1;
}

function lineAt(body: Buffer, at: number): { text: string; next: number } {
  const end = body.indexOf(LF, at);
  const next = end < 0 ? body.length : end + 1;
  return { text: body.toString('latin1', at, Math.min(next, at + MAX_LINE)).replace(/\r?\n$/, ''), next };
}

interface PartHeader {
  fields: { text: string; from: number; to: number }[];
  end: number;
  bodyStart: number;
  /** True if text follows the header without a blank line. */
  isUnended: boolean;
}

function readPartHeader(body: Buffer, start: number, open: readonly string[]): PartHeader {
  const fields: PartHeader['fields'] = [];
  let at = start;
  for (let count = 0; at < body.length && count < MAX_HEADER_LINES; count++) {
    const { text, next } = lineAt(body, at);
    if (text === '') return { fields, end: at, bodyStart: next, isUnended: false };
    const last = fields.at(-1);
    if (last !== undefined && /^[ \t]/.test(text)) {
      last.text += `\r\n${text}`;
      last.to = next;
    } else if (NAME.test(text)) {
      fields.push({ text, from: at, to: next });
    } else {
      const isDelimiter = open.includes(text.trimEnd().replace(/--$/, ''));
      return { fields, end: at, bodyStart: at, isUnended: !isDelimiter };
    }
    at = next;
  }
  return { fields, end: at, bodyStart: at, isUnended: false };
}
