// Runs imports, exports and bulk actions: one loop works on one piece of each in turn and finishes them.
import { Readable } from 'node:stream';
import { EXPORT_KINDS } from './export.schema.js';
import { Refusal, isUnavailable } from '../contract/refusal.js';
import { createWakeUp } from '../lib/runtime/wake-up.js';
import type { Clock } from '../lib/runtime/clock.js';
import { DISK_IS_FULL, type DiskGuard } from '../lib/runtime/disk-space.js';
import type { Log } from '../lib/runtime/log.js';
import { createLoop } from '../lib/runtime/loop.js';
import type { Room } from '../lib/runtime/room.js';
import type { StoredFiles } from '../lib/runtime/stored-files.js';
import type { Scope } from '../database/scope.js';
import type { OpenTransfer } from './transfers.store.js';
import { createBulkActions, type BulkActionDeps, type BulkRequest } from './bulk-actions.js';
import type { MailActions } from './bulk-items.js';
import { createExports, type ExportsDeps, type ContactExport, type ExportRequest } from './exports.js';
import { createImports, type ImportRequest } from './imports.js';
import { REJECTED_HEAD, type BatchStore } from './import-batch.js';
import { createTransferFiles } from './transfer-files.js';
import { TransferQuota } from './transfer-quota.js';
import { exportOptions, importProgress, keptBytes } from './transfer-record.js';
import { type Transfer, transfers } from './transfers.tables.js';
import { update, remove } from '../database/rows.js';

const INTERVAL_MS = 5_000;
/** Faults in a row after which a transfer is given up. */
const MAX_FAULTS = 20;

export interface TransfersDeps {
  store: BatchStore & ExportsDeps['store'] & BulkActionDeps['store'];
  files: StoredFiles;
  disk: Pick<DiskGuard, 'isShort' | 'check'>;
  /** Bytes of the files of a workspace. */
  quotaBytes: number;
  clock: Clock;
  log: Log;
  /** Views of the rows in an exported file. */
  present: ExportsDeps['present'];
  /** Of several nodes one works on them. */
  room?: Room | undefined;
  /** Actions on single messages. */
  mail: MailActions;
}

/** Files that go when a transfer ends early; the report of refused rows stays. */
const ENDED_FILES = ['body', 'items', ...EXPORT_KINDS] as const;

export type Transfers = ReturnType<typeof createTransfers>;

export function createTransfers({ store, disk, clock, log, present, mail, room, ...deps }: TransfersDeps) {
  const files = createTransferFiles(deps.files);
  const quota = new TransferQuota({ store, disk, quotaBytes: deps.quotaBytes });
  const imports = createImports({ store, files, quota, clock });
  const exported = createExports({ store, files, quota, clock, present });
  const bulk = createBulkActions({ store, files, quota, clock, mail });
  const workers = { import: imports, export: exported, bulk_action: bulk };
  const wakeUp = createWakeUp();
  const faults = new Map<string, number>();
  const loop = createLoop({ name: 'imports and exports', run, intervalMs: INTERVAL_MS, log, wakeUp, room });

  /** One piece of each; true when there were any. */
  async function run(signal: AbortSignal): Promise<boolean> {
    let hasWorked = false;
    for (const transfer of await store.transfers.openTransfers()) {
      if (signal.aborted) return false;
      if (!(await mayWrite(transfer))) continue;
      await step(transfer, signal);
      hasWorked = true;
    }
    return hasWorked;
  }

  /** Returns whether there is space for the next piece, and shows why it waits. */
  async function mayWrite({ id, paused_reason: shown }: OpenTransfer): Promise<boolean> {
    const reason = (await disk.check()) ? DISK_IS_FULL : null;
    if (reason !== shown) {
      const set = { paused_reason: reason, updated_at: clock() };
      await store.commit([update(transfers, { set, where: { id, status: ['queued', 'running'] } })]);
    }
    return reason === null;
  }

  async function step(transfer: OpenTransfer, signal: AbortSignal): Promise<void> {
    const worker = workers[transfer.kind];
    const before = faults.get(transfer.id) ?? 0;
    try {
      await worker.step(transfer, { signal, faults: before });
      faults.delete(transfer.id);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      if (!(await store.transfers.isTransferOpen(transfer.id))) {
        // The user canceled or deleted the transfer during the step, which may have written its file again.
        faults.delete(transfer.id);
        await files.remove(transfer.id, ENDED_FILES);
        return;
      }
      // A conflict is somebody else at the same rows: the next turn reads them anew. The others go on meanwhile.
      const count = before + 1;
      faults.set(transfer.id, count);
      const isConflict = error instanceof Refusal && error.code === 'conflict';
      if (!isConflict) log.error({ err: error, transfer_id: transfer.id, faults: count }, 'transfer failed');
      if (count < MAX_FAULTS) return;
      faults.delete(transfer.id);
      await worker.finish(transfer, 'Stopped after repeated internal errors. See the server log.');
    }
  }

  return {
    async startImport(
      scope: Scope,
      request: ImportRequest,
      pieces: AsyncIterable<Uint8Array>,
    ): Promise<Transfer> {
      const transfer = await imports.start(scope, request, pieces);
      wakeUp.notify();
      return transfer;
    },

    /** `asked`: the filters as the request had them. */
    async startExport(
      scope: Scope,
      request: ExportRequest,
      asked: Record<string, unknown>,
    ): Promise<Transfer> {
      const transfer = await exported.start(scope, request, asked);
      wakeUp.notify();
      return transfer;
    },

    async startBulkAction(scope: Scope, request: BulkRequest): Promise<Transfer> {
      const transfer = await bulk.start(scope, request);
      wakeUp.notify();
      return transfer;
    },

    previewBulkAction: (scope: Scope, request: BulkRequest) => bulk.preview(scope, request),

    streamContacts: (scope: Scope, request: ExportRequest<ContactExport>) => exported.stream(scope, request),

    /** Finished rows stay. Refused with `not_found`, or `conflict` when it has ended. */
    async cancel(scope: Scope, kind: Transfer['kind'], id: string): Promise<Transfer> {
      const known = await store.transfers.transfer(scope, kind, id);
      if (!known) throw new Refusal('not_found');
      const now = clock();
      await store.commit([
        update(transfers, {
          set: {
            ...{ status: 'canceled', paused_reason: null, stored_bytes: keptBytes(known) },
            ...{ finished_at: now, updated_at: now },
          },
          where: { id, status: ['queued', 'running'] },
          otherwise: { code: 'conflict', message: `The ${kind.replace('_', ' ')} is already finished.` },
        }),
      ]);
      await files.remove(id, ENDED_FILES);
      return (await store.transfers.transfer(scope, kind, id)) ?? known;
    },

    /** Ends an export that is open, and removes it with its file. Refused with `not_found`. */
    async deleteExport(scope: Scope, id: string): Promise<void> {
      if (!(await store.transfers.transfer(scope, 'export', id))) throw new Refusal('not_found');
      await store.commit([remove(transfers, { where: { id: [id] } })]);
      await files.remove(id, ENDED_FILES);
    },

    /** The refused rows that have been reported so far. */
    async rejectedRows(transfer: Transfer): Promise<Readable> {
      const range = { start: 0, end: importProgress(transfer).rejectedBytes };
      return (await files.stream(transfer.id, 'rejected', range)) ?? Readable.from([REJECTED_HEAD]);
    },

    /** A part of an exported file; null when it is gone. `end` is exclusive. */
    exportedFile: (transfer: Transfer, range: { start: number; end: number }) =>
      files.stream(transfer.id, exportOptions(transfer).kind, range),

    files,
    start: () => loop.start(),
    stop: () => loop.stop(),
  };
}
