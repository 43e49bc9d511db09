// Exports: rows a slice at a time, into a stream, or in the background into a file that goes on after a restart where the
// last commit says it ends.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Refusal } from '../contract/refusal.js';
import type { WantedEntries } from '../events/event-names.rules.js';
import type { Clock } from '../lib/runtime/clock.js';
import { newId } from '../lib/runtime/ids.js';
import type { RowFilter } from '../contacts/streams.store.js';
import type { MessageFilter } from '../messages/list.store.js';
import type { Scope } from '../database/scope.js';
import type { ImportStores } from './stores.js';
import type { SuppressionFilter } from '../suppressions/suppressions.store.js';
import type { OpenTransfer } from './transfers.store.js';
import { EXPORT_FORMATS } from './export-file.js';
import { createExportSources, type ExportSourceDeps } from './export-sources.js';
import type { TransferFiles } from './transfer-files.js';
import { LEAST_FILE_BYTES, OVER_FILE_QUOTA, type TransferQuota } from './transfer-quota.js';
import {
  ending,
  exportOptions,
  exportProgress,
  newTransfer,
  scopeOf,
  type ExportWanted,
} from './transfer-record.js';
import { type Transfer, transfers } from './transfers.tables.js';
import { update, insert } from '../database/rows.js';

/** Slices of one commit, and the characters after which no further slice is added. */
const BATCH = 20;
const BATCH_CHARACTERS = 1024 * 1024;

export interface ExportsDeps extends ExportSourceDeps {
  store: ExportSourceDeps['store'] & Pick<ImportStores, 'contacts' | 'commit'>;
  files: TransferFiles;
  quota: TransferQuota;
  clock: Clock;
}

export interface ContactExport {
  kind: 'contacts';
  listId: string | null;
  tag: string | null;
  filter: RowFilter;
}

export type ExportedRows =
  | ContactExport
  | { kind: 'messages'; filter: MessageFilter }
  /** `entries` null: all. `after` is a position in the chain. */
  | { kind: 'events'; entries: WantedEntries | null; after: string | null }
  | { kind: 'suppressions'; filter: SuppressionFilter };

export interface ExportRequest<Rows extends ExportedRows = ExportedRows> {
  format: Transfer['format'];
  wanted: Rows;
}

export function createExports({ store, files, quota, clock, present }: ExportsDeps) {
  const sources = createExportSources({ store, present });

  /** Refused with `list_not_found`. */
  async function wantedContacts(scope: Scope, { listId, ...wanted }: ContactExport) {
    const list = listId === null ? null : await store.lists.list(scope, listId);
    if (listId !== null && !list) throw new Refusal('list_not_found', undefined, { param: 'list_id' });
    return { ...wanted, list: list ? { id: list.id, number: list.number } : null };
  }

  /** Selects the rows that exist now; of contacts also those that are created while the file is written. */
  async function wantedOf(scope: Scope, wanted: ExportedRows): Promise<ExportWanted> {
    switch (wanted.kind) {
      case 'contacts':
        return wantedContacts(scope, wanted);
      case 'events': {
        const heads = await store.feed.headPositions([scope.workspaceNumber]);
        return { ...wanted, upTo: heads.get(scope.workspaceNumber) ?? 0 };
      }
      case 'messages':
        return { kind: wanted.kind, filter: upToNow(wanted.filter) };
      case 'suppressions':
        return { kind: wanted.kind, filter: upToNow(wanted.filter) };
    }
  }

  function upToNow<F extends { createdBefore?: number }>(filter: F): F & { createdBefore: number } {
    return { ...filter, createdBefore: Math.min(filter.createdBefore ?? Infinity, clock() + 1) };
  }

  /** Expected total, where it is cheap to know. */
  async function totalOf(scope: Scope, wanted: ExportWanted): Promise<number | null> {
    if (wanted.kind !== 'contacts' || wanted.list || wanted.tag !== null) return null;
    if (Object.keys(wanted.filter).length > 0) return null;
    return (await store.contacts.countContacts(scope, {})).total;
  }

  async function finish(transfer: Transfer, error: string | null): Promise<void> {
    await store.commit([ending(transfer, { error, now: clock() })]);
    if (error !== null) await files.remove(transfer.id);
  }

  async function step(transfer: OpenTransfer, { signal }: { signal: AbortSignal }): Promise<void> {
    const options = exportOptions(transfer);
    const { format } = transfer;
    const { head, tail } = EXPORT_FORMATS[options.kind][format];
    const scope = scopeOf(transfer);
    let text = transfer.size_bytes === 0 ? head : '';
    let { processed } = transfer;
    let { after } = exportProgress(transfer);
    let isEnd = false;
    for (let i = 0; i < BATCH && text.length < BATCH_CHARACTERS && !isEnd && !signal.aborted; i++) {
      const place = { after, format, isFirst: processed === 0 };
      const piece = await sources.pieceAlone(scope, options, place);
      if (!piece) return finish(transfer, 'The list was deleted.');
      text += piece.text;
      processed += piece.rows;
      after = piece.next;
      isEnd = after === null;
      await nextTurn();
    }
    const octets = Buffer.from(isEnd ? text + tail : text);
    const sizeBytes = transfer.size_bytes + octets.length;
    const storedBytes = Math.max(sizeBytes, LEAST_FILE_BYTES);
    if (!(await quota.allows(transfer, storedBytes))) return finish(transfer, OVER_FILE_QUOTA);
    const place = { id: transfer.id, kind: options.kind, offset: transfer.size_bytes };
    if (!(await files.writeAt(place, octets))) return finish(transfer, 'The file is no longer available.');
    const now = clock();
    await store.commit([
      update(transfers, {
        set: {
          status: isEnd ? 'completed' : 'running',
          size_bytes: sizeBytes,
          done_bytes: sizeBytes,
          stored_bytes: storedBytes,
          processed,
          total: isEnd ? processed : (transfer.total ?? (await totalOf(scope, options))),
          position: JSON.stringify({ after }),
          updated_at: now,
          finished_at: isEnd ? now : null,
        },
        where: { id: transfer.id, status: ['queued', 'running'], size_bytes: transfer.size_bytes },
        otherwise: { code: 'conflict' },
      }),
    ]);
  }

  return {
    /** `asked`: the filters as the request had them. Refused with `list_not_found`, and as `TransferQuota.start` does. */
    async start(
      scope: Scope,
      { format, wanted }: ExportRequest,
      asked: Record<string, unknown>,
    ): Promise<Transfer> {
      return quota.start(scope, 'export', async () => {
        const options = { ...(await wantedOf(scope, wanted)), asked };
        const now = clock();
        const row: Transfer = {
          ...newTransfer({ scope, id: newId('exp', now), now }),
          kind: 'export',
          format,
          options: JSON.stringify(options),
          stored_bytes: LEAST_FILE_BYTES,
        };
        await store.commit([insert(transfers, { row })]);
        return row;
      });
    },

    /**
     * The file of contacts as it is read. The list is looked for before; one that is deleted meanwhile ends the file.
     */
    async stream(
      scope: Scope,
      { format, wanted: asked }: ExportRequest<ContactExport>,
    ): Promise<AsyncGenerator<string>> {
      const wanted = await wantedContacts(scope, asked);
      return (async function* () {
        const { head, tail } = EXPORT_FORMATS.contacts[format];
        if (head !== '') yield head;
        let isFirst = true;
        let after: string | null = null;
        do {
          const place = { after, format, isFirst };
          const piece: Awaited<ReturnType<typeof sources.piece>> = await sources.piece(scope, wanted, place);
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
    },

    step,
    finish,
  };
}
