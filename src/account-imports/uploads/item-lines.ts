// The stored form of uploads of other programs: one JSON line for each object, as the upload was read. Steps then read any kind
// from any place, without reading the original file again.
import { IMPORT_KINDS, type ImportKind } from '../kinds.rules.js';
import { type ItemOfKind, leftOut, type LeftOut, type VendorPage } from '../items.rules.js';
import type { UploadReader } from '../sources/upload-reader.js';
import { cut } from '../values.rules.js';

/** Objects of a page; templates may be large. */
const PAGE = 200;
const PAGE_OF_TEMPLATES = 10;
/** Lines are written in pieces of this size. */
const PIECE_CHARACTERS = 64 * 1024;
/** Longer lines could not be read again. */
const MAX_LINE_CHARACTERS = 4 * 1024 * 1024;
const MAX_SHOWN = 320;

type LineOf<K extends ImportKind> =
  | { kind: K; item: ItemOfKind[K] }
  /** An object that is not imported. */
  | { kind: K; leftOut: LeftOut };

export type ItemLine = { [K in ImportKind]: LineOf<K> }[ImportKind];

export async function* itemLines(
  lines: AsyncIterable<ItemLine> | Iterable<ItemLine>,
): AsyncGenerator<Uint8Array> {
  let text = '';
  for await (const line of lines) {
    text += `${lineText(line)}\n`;
    if (text.length < PIECE_CHARACTERS) continue;
    yield Buffer.from(text);
    text = '';
  }
  if (text !== '') yield Buffer.from(text);
}

function lineText(line: ItemLine): string {
  const text = JSON.stringify(line);
  if (text.length <= MAX_LINE_CHARACTERS) return text;
  const { externalId, name } = 'item' in line ? line.item : line.leftOut;
  const shown = { externalId: cut(externalId, MAX_SHOWN), name: cut(name, MAX_SHOWN) };
  return JSON.stringify({ kind: line.kind, leftOut: leftOut(shown, 'The object is larger than 4 MiB.') });
}

type ReadItems<K extends ImportKind> = (
  reader: UploadReader,
  cursor: string | null,
) => Promise<VendorPage<K>>;

/** Readers of every kind. */
export const ITEM_PAGES = Object.fromEntries(
  IMPORT_KINDS.map((kind) => [kind, pageReader(kind)]),
) as unknown as { readonly [K in ImportKind]: ReadItems<K> }; // one for each kind

function pageReader<K extends ImportKind>(kind: K): ReadItems<K> {
  const limit = kind === 'templates' ? PAGE_OF_TEMPLATES : PAGE;
  return async (reader, cursor) => {
    const { lines, next } = await reader.page(cursor, { limit, isWanted: (value) => value['kind'] === kind });
    const read = lines.map(({ value }) => value as unknown as LineOf<K>); // as `itemLines` wrote it
    return {
      items: read.flatMap((line) => ('item' in line ? [line.item] : [])),
      leftOut: read.flatMap((line) => ('leftOut' in line ? [line.leftOut] : [])),
      next,
    };
  };
}
