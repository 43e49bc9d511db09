// Reads the rows of an export in slices, oldest first, in the reader threads, so that no export delays mail.
import type { Contact } from '../contacts/contacts.tables.js';
import type { Consent } from '../contacts/consents.store.js';
import { rowCheck } from '../contacts/streams.store.js';
import { readAs } from '../database/engine/reading.js';
import type { FeedEvent } from '../feed/feed.store.js';
import type { ShownContent } from '../messages/rows.store.js';
import type { Page, Scope } from '../database/scope.js';
import type { ImportContext } from './context.js';
import { EXPORT_FORMATS, type Exported, type RowKind } from './export-file.js';
import type { ExportWanted } from './transfer-record.js';
import type { Message } from '../messages/messages.tables.js';
import type { Suppression } from '../suppressions/suppressions.tables.js';
import type { Transfer } from './transfers.tables.js';
import { readWorkspacePiece } from './workspace-file.js';

/** Rows of one slice, which takes about 3 ms of the main thread. Event IDs are sealed one by one. */
const SLICE: Record<RowKind, number> = { contacts: 250, messages: 200, events: 100, suppressions: 500 };

type Format = Transfer['format'];

/** Views of the rows in the file. */
export interface ExportPresenters {
  contacts(row: Contact, consents: readonly Consent[]): Exported['contacts'];
  messages(row: Message, shown: ShownContent, mode: Scope['mode']): Exported['messages'];
  events(row: FeedEvent, scope: Scope): Exported['events'];
  suppressions(row: Suppression): Exported['suppressions'];
}

/** The wanted export of one kind. */
type Wanted<Kind extends RowKind> = Extract<ExportWanted, { kind: Kind }>;

/** A slice of an export. `text` is in the requested format. */
export interface Piece {
  rows: number;
  text: string;
  /** The place to continue after; `null` at the end. */
  next: string | null;
}

/** Position of an export in its rows and its file. */
export interface ExportPlace {
  after: string | null;
  format: Format;
  /** The file has only its head. */
  isFirst: boolean;
}

type SourceContext = Pick<ImportContext, 'store' | 'present' | 'sections' | 'clock'>;

interface From<Kind extends RowKind> {
  wanted: Wanted<Kind>;
  after: string | null;
}

/** Reads the next rows, within the caller's read transaction. Returns `null` if the exported list was deleted. */
export async function readPiece(
  context: SourceContext,
  scope: Scope,
  { wanted, place }: { wanted: ExportWanted; place: ExportPlace },
): Promise<Piece | null> {
  const { kind } = wanted;
  switch (kind) {
    case 'contacts': {
      const page = await contacts(context, scope, { wanted, after: place.after });
      return page && write(kind, page, place);
    }
    case 'messages':
      return write(kind, await messages(context, scope, { wanted, after: place.after }), place);
    case 'events':
      return write(kind, await events(context, scope, { wanted, after: place.after }), place);
    case 'suppressions':
      return write(kind, await suppressions(context, scope, { wanted, after: place.after }), place);
    case 'workspace':
      return readWorkspacePiece(context, scope, place.after);
  }
}

/** Reads the next rows in the background. The exports of an environment take turns with its requests. */
export function readPieceInTurn(
  context: SourceContext,
  scope: Scope,
  from: { wanted: ExportWanted; place: ExportPlace },
): Promise<Piece | null> {
  const reading = { owner: `exports of ${scope.environmentId}`, budgetMs: null };
  return readAs(context.store.readings, reading, () => readPiece(context, scope, from));
}

/** Returns `null` if the list was deleted. */
async function contacts(
  { store, present }: SourceContext,
  scope: Scope,
  { wanted, after }: From<'contacts'>,
): Promise<Page<Exported['contacts']> | null> {
  const found = await contactRows(store, scope, wanted, Number(after ?? 0));
  if (found === null) return null;
  const consents = await store.consents.consentsOf(found.rows.map(({ number }) => number));
  return {
    rows: found.rows.map((row) => present.contacts(row, consents.get(row.number) ?? [])),
    next: found.next === null ? null : String(found.next),
  };
}

async function contactRows(
  store: SourceContext['store'],
  scope: Scope,
  { list: named, tag, filter }: Wanted<'contacts'>,
  after: number,
) {
  const limit = SLICE.contacts;
  if (named === null) {
    return store.transfers.contactSlice(scope, tag === null ? filter : { ...filter, tag }, {
      after,
      limit,
    });
  }
  const list = await store.lists.list(scope, named.id);
  if (!list) return null;
  const members = await store.lists.audienceSlice({ list, segmentTag: tag, afterNumber: after, limit });
  return {
    // A list contains only members of its own scope.
    rows: members.filter(rowCheck({ ...scope, subTenantId: null }, filter)),
    next: members.length < limit ? null : (members.at(-1)?.number ?? null),
  };
}

async function messages(
  { store, present }: SourceContext,
  scope: Scope,
  { wanted: { filter }, after }: From<'messages'>,
): Promise<Page<Exported['messages']>> {
  const page = { limit: SLICE.messages, after, order: 'asc' } as const;
  const { rows, next } = await store.messages.messages(scope, page, filter);
  const shownOf = await store.messages.shownContents(rows);
  return { rows: rows.map((row) => present.messages(row, shownOf(row), scope.mode)), next };
}

async function events(
  { store, present }: SourceContext,
  scope: Scope,
  { wanted: { entries, after: start, upTo }, after }: From<'events'>,
): Promise<Page<Exported['events']>> {
  const page = { limit: SLICE.events, after: after ?? start, order: 'asc', events: entries } as const;
  const { rows, next } = await store.feed.page(scope, page);
  return {
    rows: rows.filter(({ position }) => position <= upTo).map((row) => present.events(row, scope)),
    next: next === null || Number(next) >= upTo ? null : next,
  };
}

async function suppressions(
  { store, present }: SourceContext,
  scope: Scope,
  { wanted: { filter }, after }: From<'suppressions'>,
): Promise<Page<Exported['suppressions']>> {
  const page = { limit: SLICE.suppressions, after, order: 'asc' } as const;
  const { rows, next } = await store.suppressions.suppressions(scope, page, filter);
  return { rows: rows.map((row) => present.suppressions(row)), next };
}

function write<Kind extends RowKind>(
  kind: Kind,
  { rows, next }: Page<Exported[Kind]>,
  { format, isFirst }: ExportPlace,
): Piece {
  return { rows: rows.length, text: EXPORT_FORMATS[kind][format].lines(rows, isFirst), next };
}
