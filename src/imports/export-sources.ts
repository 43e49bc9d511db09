// The rows that an export has, a slice at a time, in the order in which they were made. They are read in reader threads, so
// that no export holds up the mail.
import type { ExportKind } from './export.schema.js';
import type { Contact } from '../contacts/contacts.tables.js';
import type { Consent } from '../contacts/consents.store.js';
import { rowCheck } from '../contacts/streams.store.js';
import { readAs } from '../database/engine/reading.js';
import type { FeedEvent } from '../feed/feed.store.js';
import type { ShownContent } from '../messages/rows.store.js';
import type { Page, Scope } from '../database/scope.js';
import type { ImportStores } from './stores.js';
import { EXPORT_FORMATS, type Exported } from './export-file.js';
import type { ExportWanted } from './transfer-record.js';
import type { Message } from '../messages/messages.tables.js';
import type { Suppression } from '../suppressions/suppressions.tables.js';
import type { Transfer } from './transfers.tables.js';

/** Rows that are read and written together (about 3 ms of the main thread; the ids of events are sealed one by one). */
const SLICE: Record<ExportKind, number> = { contacts: 250, messages: 200, events: 100, suppressions: 500 };

type Format = Transfer['format'];

export interface ExportSourceDeps {
  store: Pick<
    ImportStores,
    'transfers' | 'lists' | 'suppressions' | 'consents' | 'messages' | 'feed' | 'readings'
  >;
  present: ExportPresenters;
}

/** Views of the rows in the file. */
export interface ExportPresenters {
  contacts(row: Contact, consents: readonly Consent[]): Exported['contacts'];
  messages(row: Message, shown: ShownContent, mode: Scope['mode']): Exported['messages'];
  events(row: FeedEvent, scope: Scope): Exported['events'];
  suppressions(row: Suppression): Exported['suppressions'];
}

/** The wanted export of one kind. */
type Wanted<Kind extends ExportKind> = Extract<ExportWanted, { kind: Kind }>;

/** A slice of an export; `text` is written in the format that was asked for. */
export interface Piece {
  rows: number;
  text: string;
  /** The place to go on after; null at the end. */
  next: string | null;
}

export interface Place {
  after: string | null;
  format: Format;
  /** Nothing but the head stands in the file. */
  isFirst: boolean;
}

export function createExportSources({ store, present }: ExportSourceDeps) {
  /** Null when the list is gone. */
  async function contacts(
    scope: Scope,
    wanted: Wanted<'contacts'>,
    after: string | null,
  ): Promise<Page<Exported['contacts']> | null> {
    const found = await contactRows(scope, wanted, Number(after ?? 0));
    if (found === null) return null;
    const consents = await store.consents.consentsOf(found.rows.map(({ number }) => number));
    return {
      rows: found.rows.map((row) => present.contacts(row, consents.get(row.number) ?? [])),
      next: found.next === null ? null : String(found.next),
    };
  }

  async function contactRows(scope: Scope, { list: named, tag, filter }: Wanted<'contacts'>, after: number) {
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
      // A list has members of its own scope only.
      rows: members.filter(rowCheck({ ...scope, subTenantId: null }, filter)),
      next: members.length < limit ? null : (members.at(-1)?.number ?? null),
    };
  }

  async function messages(
    scope: Scope,
    { filter }: Wanted<'messages'>,
    after: string | null,
  ): Promise<Page<Exported['messages']>> {
    const page = { limit: SLICE.messages, after, order: 'asc' } as const;
    const { rows, next } = await store.messages.messages(scope, page, filter);
    const shownOf = await store.messages.shownContents(rows);
    return { rows: rows.map((row) => present.messages(row, shownOf(row), scope.mode)), next };
  }

  async function events(
    scope: Scope,
    { entries, after: start, upTo }: Wanted<'events'>,
    after: string | null,
  ): Promise<Page<Exported['events']>> {
    const page = { limit: SLICE.events, after: after ?? start, order: 'asc', events: entries } as const;
    const { rows, next } = await store.feed.page(scope, page);
    return {
      rows: rows.filter(({ position }) => position <= upTo).map((row) => present.events(row, scope)),
      next: next === null || Number(next) >= upTo ? null : next,
    };
  }

  async function suppressions(
    scope: Scope,
    { filter }: Wanted<'suppressions'>,
    after: string | null,
  ): Promise<Page<Exported['suppressions']>> {
    const page = { limit: SLICE.suppressions, after, order: 'asc' } as const;
    const { rows, next } = await store.suppressions.suppressions(scope, page, filter);
    return { rows: rows.map((row) => present.suppressions(row)), next };
  }

  function written<Kind extends ExportKind>(
    kind: Kind,
    { rows, next }: Page<Exported[Kind]>,
    { format, isFirst }: Place,
  ): Piece {
    return { rows: rows.length, text: EXPORT_FORMATS[kind][format].lines(rows, isFirst), next };
  }

  async function piece(scope: Scope, wanted: ExportWanted, place: Place): Promise<Piece | null> {
    const { kind } = wanted;
    switch (kind) {
      case 'contacts': {
        const page = await contacts(scope, wanted, place.after);
        return page && written(kind, page, place);
      }
      case 'messages':
        return written(kind, await messages(scope, wanted, place.after), place);
      case 'events':
        return written(kind, await events(scope, wanted, place.after), place);
      case 'suppressions':
        return written(kind, await suppressions(scope, wanted, place.after), place);
    }
  }

  return {
    /** The next rows, within the reading of the request that asks. Null when the list that is exported is gone. */
    piece,

    /** The same in the background: the environment's exports take turns with those who ask. */
    pieceAlone: (scope: Scope, wanted: ExportWanted, place: Place): Promise<Piece | null> =>
      readAs(store.readings, { owner: `exports of ${scope.environmentId}`, budgetMs: null }, () =>
        piece(scope, wanted, place),
      ),
  };
}
