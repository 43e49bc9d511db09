// Runs imports, exports and bulk actions. One loop works on a piece of each in turn.
import { Readable } from 'node:stream';
import { EXPORT_KINDS } from './export.schema.js';
import { Refusal, isUnavailable } from '../contract/refusal.js';
import { createLoop, createWakeUp, type Loop } from '../lib/concurrency/index.js';
import type { Clock, Log } from '../lib/runtime/index.js';
import { DISK_IS_FULL } from '../lib/files/index.js';
import type { Scope } from '../database/scope.js';
import type { OpenTransfer } from './transfers.store.js';
import { BulkActions, type BulkPreview, type BulkRequest } from './bulk-actions.js';
import type { ImportContext } from './context.js';
import { Exports, type ContactExport, type ExportRequest } from './exports.js';
import { ContactImports, type ImportRequest } from './imports.js';
import { REJECTED_HEAD } from './import-batch.js';
import { exportOptions, importProgress, keptBytes } from './transfer-record.js';
import { type Transfer, transfers } from './transfers.tables.js';
import { update, remove } from '../database/rows.js';

const INTERVAL_MS = 5_000;
/** Consecutive faults after which a transfer fails. */
const MAX_FAULTS = 20;

/** Files that are removed when a transfer ends early. The report of rejected rows stays. */
const ENDED_FILES = ['body', 'items', ...EXPORT_KINDS] as const;

export class Transfers {
  readonly #store: ImportContext['store'];
  readonly #files: ImportContext['files'];
  readonly #disk: ImportContext['disk'];
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #imports: ContactImports;
  readonly #exports: Exports;
  readonly #bulkActions: BulkActions;
  readonly #wakeUp = createWakeUp();
  readonly #faults = new Map<string, number>();
  readonly #loop: Loop;

  constructor(context: Omit<ImportContext, 'config'>) {
    const { store, files, disk, clock, log, room } = context;
    this.#store = store;
    this.#files = files;
    this.#disk = disk;
    this.#clock = clock;
    this.#log = log;
    this.#imports = new ContactImports(context);
    this.#exports = new Exports(context);
    this.#bulkActions = new BulkActions(context);
    this.#loop = createLoop({
      name: 'imports and exports',
      run: (signal) => this.#run(signal),
      intervalMs: INTERVAL_MS,
      log,
      wakeUp: this.#wakeUp,
      room,
    });
  }

  start(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async startImport(
    scope: Scope,
    request: ImportRequest,
    pieces: AsyncIterable<Uint8Array>,
  ): Promise<Transfer> {
    const transfer = await this.#imports.start(scope, request, pieces);
    this.#wakeUp.notify();
    return transfer;
  }

  /** `asked` has the filters of the request. */
  async startExport(scope: Scope, request: ExportRequest, asked: Record<string, unknown>): Promise<Transfer> {
    const transfer = await this.#exports.start(scope, request, asked);
    this.#wakeUp.notify();
    return transfer;
  }

  async startBulkAction(scope: Scope, request: BulkRequest): Promise<Transfer> {
    const transfer = await this.#bulkActions.start(scope, request);
    this.#wakeUp.notify();
    return transfer;
  }

  previewBulkAction(scope: Scope, request: BulkRequest): Promise<BulkPreview> {
    return this.#bulkActions.preview(scope, request);
  }

  streamContacts(scope: Scope, request: ExportRequest<ContactExport>): Promise<AsyncGenerator<string>> {
    return this.#exports.stream(scope, request);
  }

  /** Keeps the rows that are done. Refused with `not_found`, or with `conflict` if the transfer has ended. */
  async cancel(scope: Scope, kind: Transfer['kind'], id: string): Promise<Transfer> {
    const known = await this.#store.transfers.transfer(scope, kind, id);
    if (!known) throw new Refusal('not_found');
    const now = this.#clock();
    await this.#store.commit([
      update(transfers, {
        set: {
          status: 'canceled',
          paused_reason: null,
          stored_bytes: keptBytes(known),
          finished_at: now,
          updated_at: now,
        },
        where: { id, status: ['queued', 'running'] },
        otherwise: { code: 'conflict', message: `The ${kind.replace('_', ' ')} is already finished.` },
      }),
    ]);
    await this.#files.remove(id, ENDED_FILES);
    return (await this.#store.transfers.transfer(scope, kind, id)) ?? known;
  }

  /** Deletes an export and its file, and ends it if it is open. Refused with `not_found`. */
  async deleteExport(scope: Scope, id: string): Promise<void> {
    if (!(await this.#store.transfers.transfer(scope, 'export', id))) throw new Refusal('not_found');
    await this.#store.commit([remove(transfers, { where: { id: [id] } })]);
    await this.#files.remove(id, ENDED_FILES);
  }

  /** Returns the report of rejected rows written so far. */
  async rejectedRows(transfer: Transfer): Promise<Readable> {
    const range = { start: 0, end: importProgress(transfer).rejectedBytes };
    return (await this.#files.stream(transfer.id, 'rejected', range)) ?? Readable.from([REJECTED_HEAD]);
  }

  /** Returns a part of an exported file, or `null` if the file was deleted. `end` is exclusive. */
  exportedFile(transfer: Transfer, range: { start: number; end: number }): Promise<Readable | null> {
    return this.#files.stream(transfer.id, exportOptions(transfer).kind, range);
  }

  /** Works on one piece of each transfer. Returns true if there were any. */
  async #run(signal: AbortSignal): Promise<boolean> {
    let hasWorked = false;
    for (const transfer of await this.#store.transfers.openTransfers()) {
      if (signal.aborted) return false;
      if (!(await this.#mayWrite(transfer))) continue;
      await this.#step(transfer, signal);
      hasWorked = true;
    }
    return hasWorked;
  }

  /** Returns whether there is space for the next piece, and records why the transfer waits. */
  async #mayWrite({ id, paused_reason: shown }: OpenTransfer): Promise<boolean> {
    const reason = (await this.#disk.check()) ? DISK_IS_FULL : null;
    if (reason !== shown) {
      const set = { paused_reason: reason, updated_at: this.#clock() };
      await this.#store.commit([update(transfers, { set, where: { id, status: ['queued', 'running'] } })]);
    }
    return reason === null;
  }

  async #step(transfer: OpenTransfer, signal: AbortSignal): Promise<void> {
    const worker = this.#worker(transfer);
    const before = this.#faults.get(transfer.id) ?? 0;
    try {
      await worker.step(transfer, { signal, faults: before });
      this.#faults.delete(transfer.id);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      if (!(await this.#store.transfers.isTransferOpen(transfer.id))) {
        // The user canceled or deleted the transfer during the step, which may have written its file again.
        this.#faults.delete(transfer.id);
        await this.#files.remove(transfer.id, ENDED_FILES);
        return;
      }
      // After a conflict with another writer, the next turn reads the rows again. Other transfers continue meanwhile.
      const count = before + 1;
      this.#faults.set(transfer.id, count);
      const isConflict = error instanceof Refusal && error.code === 'conflict';
      if (!isConflict) {
        this.#log.error({ err: error, transfer_id: transfer.id, faults: count }, 'transfer failed');
      }
      if (count < MAX_FAULTS) return;
      this.#faults.delete(transfer.id);
      await worker.finish(transfer, 'Stopped after repeated internal errors. See the server log.');
    }
  }

  #worker({ kind }: OpenTransfer): ContactImports | Exports | BulkActions {
    switch (kind) {
      case 'import':
        return this.#imports;
      case 'export':
        return this.#exports;
      case 'bulk_action':
        return this.#bulkActions;
    }
  }
}
