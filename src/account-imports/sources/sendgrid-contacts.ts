// Contacts of SendGrid, read from the files that it exports: compressed CSV at addresses that expire.
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Type } from 'typebox';
import { readRow, streamRows, type RowLimits } from '../../lib/rows/index.js';
import type { ContactItem, VendorPage } from '../items.rules.js';
import { shapeOf, VendorProblem, type VendorReader } from './vendor-reader.js';

const unzip = promisify(gunzip);

/** Largest file (MB) that SendGrid should write. */
const FILE_MEGABYTES = 8;
const MAX_UNZIPPED_BYTES = 64 * 1024 * 1024;
const PAGE = 500;
/** Time (ms) after which an unfinished export is checked again. */
const WAIT_MS = 5_000;
const LIMITS: RowLimits = { maxBytes: 64 * 1024, isMultiline: true, wrappers: [] };
const GZIP = 0x1f;

const STARTED = shapeOf(Type.Object({ id: Type.String() }));
const EXPORT = shapeOf(
  Type.Object({
    status: Type.String(),
    urls: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()])),
  }),
);

/** Columns that are not attributes of the person. */
const OWN = new Set([
  'EMAIL',
  'FIRST_NAME',
  'LAST_NAME',
  'PHONE_NUMBER',
  'CONTACT_ID',
  'CREATED_AT',
  'UPDATED_AT',
]);
/** SendGrid's own columns, which it writes in capitals. */
const RESERVED = /^[A-Z][A-Z0-9_]*$/;

/** First all contacts, then the members of one list after another. */
interface Place {
  /** Lists that are still to be read, the current one first; null while all contacts are read. */
  lists: string[] | null;
  /** The export that SendGrid prepares; null before the request. */
  exportId: string | null;
  file: number;
  row: number;
}

export async function readExports(
  reader: VendorReader,
  cursor: string | null,
  idsOfLists: () => Promise<string[]>,
): Promise<VendorPage<'contacts'>> {
  const place =
    cursor === null ? { lists: null, exportId: null, file: 0, row: 0 } : (JSON.parse(cursor) as Place);
  const [list] = place.lists ?? [];
  if (place.exportId === null) {
    const asked = { ...(list === undefined ? {} : { list_ids: [list] }), file_type: 'csv' };
    const { id } = await reader.json('/v3/marketing/contacts/exports', STARTED, {
      ...asked,
      max_file_size: FILE_MEGABYTES,
      notifications: { email: false },
    });
    return { items: [], leftOut: [], next: JSON.stringify({ ...place, exportId: id }), waitMs: WAIT_MS };
  }
  const path = `/v3/marketing/contacts/exports/${encodeURIComponent(place.exportId)}`;
  const { status, urls } = await reader.json(path, EXPORT);
  if (status === 'pending') return { items: [], leftOut: [], next: JSON.stringify(place), waitMs: WAIT_MS };
  if (status !== 'ready') throw new VendorProblem('form', 'SendGrid could not export the contacts.');
  const url = (urls ?? [])[place.file];
  if (url === undefined) return nextList(place, idsOfLists);
  const rows = await rowsOf(reader, url);
  const some = rows.slice(place.row, place.row + PAGE);
  const row = place.row + PAGE;
  const next = row < rows.length ? { ...place, row } : { ...place, file: place.file + 1, row: 0 };
  const items = some.map((cells) => contactOf(cells, list));
  return { items, leftOut: [], next: JSON.stringify(next) };
}

async function nextList(place: Place, idsOfLists: () => Promise<string[]>): Promise<VendorPage<'contacts'>> {
  const lists = place.lists === null ? await idsOfLists() : place.lists.slice(1);
  const next: Place = { lists, exportId: null, file: 0, row: 0 };
  return { items: [], leftOut: [], next: lists.length === 0 ? null : JSON.stringify(next) };
}

type Cells = ReadonlyMap<string, string>;

async function rowsOf(reader: VendorReader, url: string): Promise<Cells[]> {
  const octets = await reader.file(url);
  const text = octets[0] === GZIP ? await unzip(octets, { maxOutputLength: MAX_UNZIPPED_BYTES }) : octets;
  const broken = (): Error => new VendorProblem('form', 'A contact file from SendGrid cannot be read.');
  const rows: Cells[] = [];
  let names: string[] | null = null;
  const read = { format: 'csv', charset: 'utf-8', limits: LIMITS } as const;
  for await (const { file, rows: some } of streamRows(pieces(text), read, broken)) {
    for (const raw of some) {
      const content = readRow(raw, file, LIMITS);
      if (!('cells' in content)) throw broken();
      if (names === null) {
        names = content.cells.map((name) => name.trim());
        if (!names.includes('EMAIL')) throw broken();
      } else rows.push(cellsOf(names, content.cells));
    }
  }
  return rows;
}

async function* pieces(octets: Uint8Array): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  yield octets;
}

function cellsOf(names: readonly string[], cells: readonly string[]): Cells {
  return new Map(names.map((name, i) => [name, cells[i] ?? '']));
}

function contactOf(cells: Cells, list: string | undefined): ContactItem {
  const email = cells.get('EMAIL') ?? '';
  const others = [...cells].filter(([name, value]) => !OWN.has(name) && value !== '');
  return {
    externalId: cells.get('CONTACT_ID') ?? email,
    name: email,
    fullName: `${cells.get('FIRST_NAME') ?? ''} ${cells.get('LAST_NAME') ?? ''}`.trim(),
    phone: cells.get('PHONE_NUMBER'),
    tags: [],
    metadata: Object.fromEntries(
      others.map(([name, value]) => [RESERVED.test(name) ? name.toLowerCase() : name, value]),
    ),
    status: 'active',
    ...(list === undefined
      ? { memberships: [] }
      : { memberships: [{ listId: list, state: 'subscribed' as const }], isMembership: true }),
  };
}
