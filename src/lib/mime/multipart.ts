// The body of a multipart divided at its delimiters, and put together again with the same octets (RFC 2046 section 5.1).

export interface Multipart {
  preamble: Buffer;
  parts: MultipartPart[];
  /** What ends the last part and follows it: the close delimiter, when there is one, and the epilogue. */
  close: Buffer;
  epilogue: Buffer;
}

export interface MultipartPart {
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

/** Null when no delimiter with this boundary is there. */
export function splitMultipart(body: Buffer, boundary: string): Multipart | null {
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

export function joinMultipart({ preamble, parts, close, epilogue }: Multipart): Buffer {
  return Buffer.concat([
    preamble,
    ...parts.flatMap(({ delimiter, content }) => [delimiter, content]),
    close,
    epilogue,
  ]);
}

/** Whether octets that are to become a part's content hold a line that would end it. */
export function holdsDelimiter(content: Buffer, boundary: string): boolean {
  return nextDelimiter(content, Buffer.from(`--${boundary}`, 'latin1'), 0) !== null;
}

/** A whole line of the marker alone, or of the marker and two dashes. */
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
    // The line end before it belongs to the delimiter, except where it is the end of the delimiter before.
    return { start: at - 2 >= from ? at - 2 : at, end: isEnded && !isClose ? end + 2 : end, isClose };
  }
  return null;
}
