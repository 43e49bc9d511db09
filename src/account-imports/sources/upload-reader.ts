// Reads an uploaded file of JSON lines, in windows, so that a large file needs little memory.
import { parseMeasured } from '../../lib/json/index.js';
import { VendorProblem } from './vendor-reader.js';

const WINDOW_BYTES = 256 * 1024;
/** Longest line. A template may have megabytes. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;
const MAX_VALUES = 500_000;
/** Octets of lines that a page may skip before it ends, so that no step takes long. */
const MAX_SKIPPED_BYTES = 16 * 1024 * 1024;
const NEWLINE = 0x0a;

/** A line with its number, from 1. */
export interface UploadedLine {
  value: Record<string, unknown>;
  number: number;
}

interface UploadPage {
  lines: readonly UploadedLine[];
  /** The place after the page; null at the end of the file. */
  next: string | null;
}

export class UploadReader {
  /** Reads up to `bytes` at an offset, fewer only at the end; null if the file was deleted. */
  readonly #readAt: (offset: number, bytes: number) => Promise<Uint8Array | null>;

  constructor(readAt: (offset: number, bytes: number) => Promise<Uint8Array | null>) {
    this.#readAt = readAt;
  }

  /** Reads up to `limit` lines that are wanted, from a place on. Throws a VendorProblem for a line that is not a JSON object. */
  async page(
    place: string | null,
    { limit, isWanted }: { limit: number; isWanted: (value: Record<string, unknown>) => boolean },
  ): Promise<UploadPage> {
    const [start = 0, before = 0] = (place ?? '0 0').split(' ').map(Number);
    const lines: UploadedLine[] = [];
    let [offset, number, bytes] = [start, before, WINDOW_BYTES];
    while (offset - start < MAX_SKIPPED_BYTES) {
      const window = await this.#readAt(offset, bytes);
      if (window === null) throw new VendorProblem('form', 'The file is no longer available.');
      let from = 0;
      for (let end = window.indexOf(NEWLINE); end >= 0; end = window.indexOf(NEWLINE, from)) {
        number++;
        const value = readLine(window.subarray(from, end), number);
        from = end + 1;
        if (!isWanted(value)) continue;
        lines.push({ value, number });
        if (lines.length === limit) return { lines, next: `${offset + from} ${number}` };
      }
      // The upload was checked to end with a line break.
      if (window.length < bytes) return { lines, next: null };
      if (from === 0 && bytes >= MAX_LINE_BYTES) throw broken(number + 1);
      bytes = from === 0 ? bytes * 2 : WINDOW_BYTES;
      offset += from;
    }
    return { lines, next: `${offset} ${number}` };
  }
}

function readLine(octets: Uint8Array, number: number): Record<string, unknown> {
  const read = parseMeasured(Buffer.from(octets).toString('utf8'), MAX_VALUES);
  const value = 'value' in read ? read.value : null;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw broken(number);
  return value as Record<string, unknown>; // neither an array nor null
}

function broken(number: number): VendorProblem {
  return new VendorProblem('form', `Line ${number} of the file is not a JSON object.`);
}
