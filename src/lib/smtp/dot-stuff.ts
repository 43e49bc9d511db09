// The transparency rule of RFC 5321 section 4.5.2: a line that begins with a dot gets another one.
// Also the gate against smuggling: a message with a bare CR or LF never reaches the wire.

const CR = 13;
const LF = 10;
const DOT = 46;
const LF_DOT = Buffer.from('\n.');

/**
 * The message ready for DATA, without the final dot. Chunks in which no line begins with a dot are returned as they
 * are, not copied. Time is linear in the size. A bare CR, a bare LF or a missing CRLF at the end is a fault of the
 * caller and throws; nothing is repaired, because a repair after signing breaks the signature.
 */
export function dotStuff(chunks: readonly Buffer[]): Buffer[] {
  const stuffed: Buffer[] = [];
  let previous = LF;
  let sizeBytes = 0;
  for (const chunk of chunks) {
    if (chunk.length === 0) continue;
    assertLineEnds(chunk, sizeBytes === 0 ? 0 : previous);
    stuffed.push(stuffChunk(chunk, previous === LF));
    previous = chunk[chunk.length - 1] ?? 0;
    sizeBytes += chunk.length;
  }
  if (sizeBytes === 0 || previous !== LF) throw new Error('message does not end with CRLF');
  return stuffed;
}

function assertLineEnds(chunk: Buffer, previous: number): void {
  if (previous === CR && chunk[0] !== LF) throw new Error('message has a bare CR');
  for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, at + 1)) {
    if ((at === 0 ? previous : chunk[at - 1]) !== CR) throw new Error('message has a bare LF');
  }
  const last = chunk.length - 1;
  for (let at = chunk.indexOf(CR); at !== -1 && at < last; at = chunk.indexOf(CR, at + 1)) {
    if (chunk[at + 1] !== LF) throw new Error('message has a bare CR');
  }
}

function stuffChunk(chunk: Buffer, atLineStart: boolean): Buffer {
  const dots = atLineStart && chunk[0] === DOT ? [0] : [];
  for (let at = chunk.indexOf(LF_DOT); at !== -1; at = chunk.indexOf(LF_DOT, at + 2)) dots.push(at + 1);
  if (dots.length === 0) return chunk;

  const stuffed = Buffer.allocUnsafe(chunk.length + dots.length);
  let from = 0;
  let to = 0;
  for (const dot of dots) {
    to += chunk.copy(stuffed, to, from, dot);
    stuffed[to++] = DOT;
    from = dot;
  }
  chunk.copy(stuffed, to, from);
  return stuffed;
}
