// The text of an uploaded file, and its lines, as it arrives: never more of it in memory than a piece.
import { TextDecoder } from 'node:util';
import { MAX_ENTRY_CHARACTERS } from './import-entry.js';

export interface Line {
  /** From 1. */
  number: number;
  /** Null when it is longer than an entry can be. */
  text: string | null;
}

/** UTF-8; UTF-16 with a byte order mark, as spreadsheets write it. What is neither is replaced by U+FFFD. */
export async function* textOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: TextDecoder | null = null;
  for await (const piece of bytes) {
    decoder ??= new TextDecoder(encodingOf(piece));
    yield decoder.decode(piece, { stream: true });
  }
  if (decoder) yield decoder.decode();
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

/** Lines that are not blank, ended by LF, CRLF or CR. */
export async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Line[]> {
  let rest = '';
  let isTooLong = false;
  let number = 0;
  const finish = (text: string): Line[] => {
    const line = { number: ++number, text: isTooLong || text.length > MAX_ENTRY_CHARACTERS ? null : text };
    isTooLong = false;
    return line.text?.trim() === '' ? [] : [line];
  };
  for await (const text of textOf(bytes)) {
    // a CR at the end may be the first half of a line's end
    const parts = (rest + text).split(/\r\n|\n|\r(?!$)/);
    rest = parts.pop() ?? '';
    yield parts.flatMap(finish);
    if (rest.length > MAX_ENTRY_CHARACTERS) {
      isTooLong = true;
      rest = rest.slice(-1);
    }
  }
  if (rest !== '') yield finish(rest);
}
