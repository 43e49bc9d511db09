// Checks the upload of a workspace export while it arrives: its header, its trailer, and the number of its lines.
import { invalidFields } from '../../contract/refusal.js';
import { WORKSPACE_FORMAT, WORKSPACE_HEADER, WORKSPACE_TRAILER } from '../../imports/workspace-file.js';

/** Longest header, and longest trailer. */
const MAX_END_BYTES = 64 * 1024;
const NEWLINE = 0x0a;

export async function* checkWorkspaceFile(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let head: Buffer | null = Buffer.alloc(0);
  let tail = Buffer.alloc(0);
  let lines = 0;
  for await (const piece of pieces) {
    for (let at = piece.indexOf(NEWLINE); at >= 0; at = piece.indexOf(NEWLINE, at + 1)) lines++;
    tail = Buffer.concat([tail, piece]).subarray(-MAX_END_BYTES);
    if (head !== null) {
      head = Buffer.concat([head, piece]);
      const end = head.indexOf(NEWLINE);
      if (end >= 0 || head.length > MAX_END_BYTES) {
        checkHeader(head.subarray(0, Math.max(0, end)));
        head = null;
      }
    }
    yield piece;
  }
  if (head !== null) checkHeader(head);
  checkTrailer(tail, lines);
}

function checkHeader(line: Buffer): void {
  const header = objectOf(line);
  if (header?.['object'] !== WORKSPACE_HEADER) {
    throw refusal('is not a workspace export. The first line must be the header of an export');
  }
  if (header['format'] !== WORKSPACE_FORMAT) {
    throw refusal(`has the format ${String(header['format'])}, but this server reads ${WORKSPACE_FORMAT}`);
  }
}

function checkTrailer(tail: Buffer, lines: number): void {
  const text = tail.toString('utf8');
  const trailer = text.endsWith('\n')
    ? objectOf(text.slice(text.lastIndexOf('\n', text.length - 2) + 1))
    : null;
  if (trailer?.['object'] !== WORKSPACE_TRAILER) {
    throw refusal('is incomplete, because its last line is not the trailer. Download the export again');
  }
  const { counts } = trailer;
  const counted = typeof counts === 'object' && counts !== null ? Object.values(counts) : [];
  const objects = counted.reduce((sum: number, count) => sum + Number(count), 0);
  if (objects !== lines - 2) {
    throw refusal(`has ${lines - 2} objects, but its trailer counts ${objects}. Download the export again`);
  }
}

function objectOf(line: Buffer | string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line.toString());
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function refusal(message: string): Error {
  return invalidFields([{ path: 'body', message }]);
}
