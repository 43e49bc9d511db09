// Exports rows in slices, into a stream, or in the background into a file. After a restart, the file continues at the position that
// the last commit recorded.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Refusal } from '../contract/refusal.js';
import type { WantedEntries } from '../events/event-names.rules.js';
import { newId } from '../lib/runtime/index.js';
import type { RowFilter } from '../contacts/streams.store.js';
import type { MessageFilter } from '../messages/list.store.js';
import type { Scope } from '../database/scope.js';
import type { ImportContext } from './context.js';
import type { SuppressionFilter } from '../suppressions/suppressions.store.js';
import type { OpenTransfer } from './transfers.store.js';
import { EXPORT_FORMATS } from './export-file.js';
import { readPiece, readPieceInTurn, type Piece } from './export-sources.js';
import { LEAST_FILE_BYTES, OVER_FILE_QUOTA } from './transfer-quota.js';
import {
  ending,
  exportOptions,
  exportProgress,
  newTransfer,
  transferScope,
  type ExportOptions,
  type ExportWanted,
} from './transfer-record.js';
import { type Transfer, transfers } from './transfers.tables.js';
import { update, insert } from '../database/rows.js';

/** Limits of one commit: slices, and the characters after which no further slice is added. */
const BATCH = 20;
const BATCH_CHARACTERS = 1024 * 1024;

/** The header and the trailer of a workspace export are lines of its first and its last piece. */
const NO_FRAME = { head: '', tail: '' };

export interface ContactExport {
  kind: 'contacts';
  listId: string | null;
  tag: string | null;
  filter: RowFilter;
}

export type ExportedRows =
  | ContactExport
  | { kind: 'messages'; filter: MessageFilter }
  /** `entries` is `null` for all. `after` is a position in the chain. */
  | { kind: 'events'; entries: WantedEntries | null; after: string | null }
  | { kind: 'suppressions'; filter: SuppressionFilter }
  | { kind: 'workspace' };

export interface ExportRequest<Rows extends ExportedRows = ExportedRows> {
  format: Transfer['format'];
  wanted: Rows;
}

type ExportContext = Pick<ImportContext, 'store' | 'files' | 'quota' | 'clock' | 'present' | 'sections'>;

export class Exports {
  readonly #context: ExportContext;
  readonly #store: ExportContext['store'];
  readonly #files: ExportContext['files'];
  readonly #quota: ExportContext['quota'];
  readonly #clock: ExportContext['clock'];

  constructor(context: ExportContext) {
    this.#context = context;
    this.#store = context.store;
    this.#files = context.files;
    this.#quota = context.quota;
    this.#clock = context.clock;
  }

  /** `asked` has the filters of the request. Refused with `list_not_found`, and as `TransferQuota.start` does. */
  async start(
    scope: Scope,
    { format, wanted }: ExportRequest,
    asked: Record<string, unknown>,
  ): Promise<Transfer> {
    return this.#quota.start(scope, 'export', async () => {
      const options = { ...(await this.#select(scope, wanted)), asked };
      const now = this.#clock();
      const row: Transfer = {
        ...newTransfer({ scope, id: newId('exp', now), now }),
        kind: 'export',
        format,
        options: JSON.stringify(options),
        stored_bytes: LEAST_FILE_BYTES,
      };
      await this.#store.commit([insert(transfers, { row })]);
      return row;
    });
  }

  /** Returns the file of contacts while it is read. If the list is deleted meanwhile, the file ends with an error. */
  async stream(
    scope: Scope,
    { format, wanted: asked }: ExportRequest<ContactExport>,
  ): Promise<AsyncGenerator<string>> {
    const context = this.#context;
    const wanted = await this.#selectContacts(scope, asked);
    return (async function* () {
      const { head, tail } = EXPORT_FORMATS.contacts[format];
      if (head !== '') yield head;
      let isFirst = true;
      let after: string | null = null;
      do {
        const place = { after, format, isFirst };
        const piece: Piece | null = await readPiece(context, scope, { wanted, place });
        if (!piece) throw new Error('The list was deleted while it was exported.');
        if (piece.rows > 0) {
          yield piece.text;
          isFirst = false;
        }
        after = piece.next;
        await nextTurn();
      } while (after !== null);
      if (tail !== '') yield tail;
    })();
  }

  async step(transfer: OpenTransfer, { signal }: { signal: AbortSignal }): Promise<void> {
    const options = exportOptions(transfer);
    const read = await this.#readBatch(transfer, options, signal);
    if (read === null) return this.finish(transfer, 'The list was deleted.');
    const { text, processed, after, isEnd } = read;
    const octets = Buffer.from(text);
    const sizeBytes = transfer.size_bytes + octets.length;
    const storedBytes = Math.max(sizeBytes, LEAST_FILE_BYTES);
    if (!(await this.#quota.allows(transfer, storedBytes))) return this.finish(transfer, OVER_FILE_QUOTA);
    const end = { id: transfer.id, kind: options.kind, offset: transfer.size_bytes };
    if (!(await this.#files.writeAt(end, octets))) {
      return this.finish(transfer, 'The file is no longer available.');
    }
    const now = this.#clock();
    const scope = transferScope(transfer);
    await this.#store.commit([
      update(transfers, {
        set: {
          status: isEnd ? 'completed' : 'running',
          size_bytes: sizeBytes,
          done_bytes: sizeBytes,
          stored_bytes: storedBytes,
          processed,
          total: isEnd ? processed : (transfer.total ?? (await this.#estimateTotal(scope, options))),
          position: JSON.stringify({ after }),
          updated_at: now,
          finished_at: isEnd ? now : null,
        },
        where: { id: transfer.id, status: ['queued', 'running'], size_bytes: transfer.size_bytes },
        otherwise: { code: 'conflict' },
      }),
    ]);
  }

  async finish(transfer: Transfer, error: string | null): Promise<void> {
    await this.#store.commit([ending(transfer, { error, now: this.#clock() })]);
    if (error !== null) await this.#files.remove(transfer.id);
  }

  /** Reads the text that is added to the file in one commit. Returns `null` if the list was deleted. */
  async #readBatch(
    transfer: OpenTransfer,
    options: ExportOptions,
    signal: AbortSignal,
  ): Promise<{ text: string; processed: number; after: string | null; isEnd: boolean } | null> {
    const { format } = transfer;
    const { head, tail } = options.kind === 'workspace' ? NO_FRAME : EXPORT_FORMATS[options.kind][format];
    const scope = transferScope(transfer);
    let text = transfer.size_bytes === 0 ? head : '';
    let { processed } = transfer;
    let { after } = exportProgress(transfer);
    let isEnd = false;
    for (let i = 0; i < BATCH && text.length < BATCH_CHARACTERS && !isEnd && !signal.aborted; i++) {
      const place = { after, format, isFirst: processed === 0 };
      const piece = await readPieceInTurn(this.#context, scope, { wanted: options, place });
      if (!piece) return null;
      text += piece.text;
      processed += piece.rows;
      after = piece.next;
      isEnd = after === null;
      await nextTurn();
    }
    return { text: isEnd ? text + tail : text, processed, after, isEnd };
  }

  /** Selects the rows that exist now; of contacts also those that are created while the file is written. */
  async #select(scope: Scope, wanted: ExportedRows): Promise<ExportWanted> {
    switch (wanted.kind) {
      case 'contacts':
        return this.#selectContacts(scope, wanted);
      case 'events': {
        const heads = await this.#store.feed.headPositions([scope.workspaceNumber]);
        return { ...wanted, upTo: heads.get(scope.workspaceNumber) ?? 0 };
      }
      case 'messages':
        return { kind: wanted.kind, filter: upTo(wanted.filter, this.#clock()) };
      case 'suppressions':
        return { kind: wanted.kind, filter: upTo(wanted.filter, this.#clock()) };
      case 'workspace':
        return wanted;
    }
  }

  /** Refused with `list_not_found`. */
  async #selectContacts(scope: Scope, { listId, ...wanted }: ContactExport) {
    const list = listId === null ? null : await this.#store.lists.list(scope, listId);
    if (listId !== null && !list) throw new Refusal('list_not_found', undefined, { param: 'list_id' });
    return { ...wanted, list: list ? { id: list.id, number: list.number } : null };
  }

  /** Returns the expected number of rows if it is cheap to count. */
  async #estimateTotal(scope: Scope, wanted: ExportWanted): Promise<number | null> {
    if (wanted.kind !== 'contacts' || wanted.list || wanted.tag !== null) return null;
    if (Object.keys(wanted.filter).length > 0) return null;
    return (await this.#store.contacts.countContacts(scope, {})).total;
  }
}

function upTo<F extends { createdBefore?: number }>(filter: F, now: number): F & { createdBefore: number } {
  return { ...filter, createdBefore: Math.min(filter.createdBefore ?? Infinity, now + 1) };
}
