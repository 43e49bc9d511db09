// Imports contacts. The file is on disk before the response. Then each commit imports one batch and records the progress, so that
// an import resumes at the next row after a crash.
import { Refusal, invalidFields } from '../contract/refusal.js';
import { markedOctets, type RawRow, type RowFormat, type RowPlace, splitRows } from '../lib/rows/index.js';
import { newId } from '../lib/runtime/index.js';
import type { Scope } from '../database/scope.js';
import type { ImportContext } from './context.js';
import type { ImportStores } from './stores.js';
import type { OpenTransfer } from './transfers.store.js';
import { assertAddresses, statusWarning, type ColumnMapping } from './contact-columns.js';
import { CONTACT_ROW_LIMITS } from './contact-row.js';
import { lookAt, peek, type FileLook } from './file-look.js';
import { planBatch, REJECTED_HEAD } from './import-batch.js';
import { OVER_FILE_QUOTA, type CountBytes } from './transfer-quota.js';
import {
  ending,
  importOptions,
  importProgress,
  keptBytes,
  newTransfer,
  transferScope,
  type ImportOptions,
  type ImportProgress,
} from './transfer-record.js';
import { type Transfer, transfers } from './transfers.tables.js';
import type { Consent } from '../contacts/contact-changes.store.js';
import type { Change } from '../database/change.js';
import { insert, update } from '../database/rows.js';

/** Rows of one commit, which takes 15 ms of the main thread. */
const BATCH = 100;
const WINDOW_BYTES = 64 * 1024;
const COUNT_WINDOW_BYTES = 256 * 1024;

export interface ImportRequest {
  /** `null` to detect it from the first character. */
  format: RowFormat | null;
  /** Standard name of the declared charset, or null. */
  charset: string | null;
  mode: ImportOptions['mode'];
  tags: readonly string[];
  dryRun: boolean;
  mapping: ColumnMapping;
  listId: string | null;
  consent: Consent;
}

type ContactImportContext = Pick<ImportContext, 'store' | 'files' | 'quota' | 'clock'>;

export class ContactImports {
  readonly #store: ContactImportContext['store'];
  readonly #files: ContactImportContext['files'];
  readonly #quota: ContactImportContext['quota'];
  readonly #clock: ContactImportContext['clock'];

  constructor({ store, files, quota, clock }: ContactImportContext) {
    this.#store = store;
    this.#files = files;
    this.#quota = quota;
    this.#clock = clock;
  }

  /**
   * Takes the file and resolves when it is on disk. Refused with `list_not_found`, as `TransferQuota.start` does, with what
   * `pieces` throws, and with `validation_error` or `bad_request` for a file whose beginning cannot be read.
   */
  async start(scope: Scope, request: ImportRequest, pieces: AsyncIterable<Uint8Array>): Promise<Transfer> {
    const list = request.listId === null ? null : await openList(this.#store, scope, request.listId);
    const owner = { ...scope, subTenantId: list?.sub_tenant_id ?? scope.subTenantId };
    return this.#quota.start(owner, 'import', (count) =>
      this.#receive(owner, request, { list, pieces: counted(pieces, count) }),
    );
  }

  async #receive(
    scope: Scope,
    request: ImportRequest,
    { list, pieces }: { list: List | null; pieces: AsyncIterable<Uint8Array> },
  ): Promise<Transfer> {
    const now = this.#clock();
    const id = newId('imp', now);
    // The beginning is read first, so that an unreadable file is refused early.
    const { head, isLast, all } = await peek(markedOctets(pieces, request.charset));
    const look = lookAt(head, isLast, request);
    const warnings = readWarnings(look, request);
    const size = await this.#files.receive(id, all);
    try {
      const options: ImportOptions = {
        mode: request.mode,
        tags: request.tags,
        dryRun: request.dryRun,
        list: list ? { id: list.id, number: list.number } : null,
        consent: { ...request.consent, source: `${request.consent.source} ${id}` },
        mapping: request.mapping,
        file: look.file,
        start: look.start,
        columns: look.columns,
        warnings,
      };
      const row: Transfer = {
        ...newTransfer({ scope, id, now }),
        kind: 'import',
        format: look.file.format,
        options: JSON.stringify(options),
        size_bytes: size,
        stored_bytes: size,
      };
      await this.#store.commit([insert(transfers, { row })]);
      return row;
    } catch (error) {
      await this.#files.remove(id, ['body']);
      throw error;
    }
  }

  /** Works on the next piece. It is smaller after each fault, so that it conflicts with fewer other writers. */
  async step(
    transfer: OpenTransfer,
    { signal, faults }: { signal: AbortSignal; faults: number },
  ): Promise<void> {
    if (transfer.status === 'queued') await this.#begin(transfer, signal);
    else await this.#work(transfer, Math.max(1, BATCH >> faults));
  }

  async finish(transfer: Transfer, error: string | null): Promise<void> {
    const storedBytes = keptBytes(transfer);
    await this.#store.commit([ending(transfer, { error, now: this.#clock(), storedBytes })]);
    await this.#files.remove(transfer.id, ['body']);
  }

  /** Reads rows from a position on. Returns `null` if the file was deleted. */
  async #readRows(
    transfer: Transfer,
    options: ImportOptions,
    { place, limit }: { place: RowPlace; limit: number },
  ): Promise<{ rows: RawRow[]; place: RowPlace; isEnd: boolean; broken: string | null } | null> {
    const split = splitRows(options.file, CONTACT_ROW_LIMITS);
    const bytes = WINDOW_BYTES + CONTACT_ROW_LIMITS.maxBytes;
    const window = await this.#files.read(transfer.id, 'body', place.offset, bytes);
    if (!window) return null;
    const isLast = place.offset + window.length >= transfer.size_bytes;
    const found = split(window, place, { isLast, limit });
    const isEnd = isLast && found.rows.length < limit;
    return { ...found, isEnd };
  }

  async #countRows(transfer: Transfer, options: ImportOptions, signal: AbortSignal): Promise<number> {
    const split = splitRows(options.file, CONTACT_ROW_LIMITS);
    let total = 0;
    let place = options.start;
    while (!signal.aborted) {
      const window = await this.#files.read(transfer.id, 'body', place.offset, COUNT_WINDOW_BYTES);
      if (!window) return 0;
      const isLast = place.offset + window.length >= transfer.size_bytes;
      const found = split(window, place, { isLast, limit: Infinity });
      total += found.rows.length;
      place = found.place;
      if (isLast || found.broken !== null) break;
    }
    return total;
  }

  /** Counts the rows and marks the import as running. */
  async #begin(transfer: Transfer, signal: AbortSignal): Promise<void> {
    const total = await this.#countRows(transfer, importOptions(transfer), signal);
    if (signal.aborted) return;
    const set = { status: 'running', total, updated_at: this.#clock() } as const;
    await this.#store.commit([update(transfers, { set, where: { id: transfer.id, status: 'queued' } })]);
  }

  /** Imports one batch. Rejects with `conflict` if another writer changed the same contacts, or ended the import. */
  async #work(transfer: OpenTransfer, limit: number): Promise<void> {
    const options = importOptions(transfer);
    const progress = importProgress(transfer);
    const { list } = options;
    if (
      list &&
      !(await this.#store.lists.list({ environmentId: transfer.environment_id, subTenantId: null }, list.id))
    ) {
      return this.finish(transfer, 'The list was deleted.');
    }
    const found = await this.#readRows(transfer, options, { place: progress.place, limit });
    if (!found) return this.finish(transfer, 'The uploaded file is no longer available.');
    let last: Transfer = transfer;
    // Without rows, it may have skipped a part of a row that is too long.
    if (found.place.offset > progress.place.offset) {
      const now = this.#clock();
      const batch = await planBatch(this.#store, found.rows, {
        scope: transferScope(transfer),
        options,
        now,
      });
      const report = reportOf(progress, batch.rejected);
      const rejectedBytes = progress.rejectedBytes + report.length;
      const storedBytes = transfer.size_bytes + rejectedBytes;
      if (!(await this.#quota.allows(transfer, storedBytes))) return this.finish(transfer, OVER_FILE_QUOTA);
      await this.#report(transfer, progress, report);
      const next: ImportProgress = {
        place: found.place,
        skipped: progress.skipped + batch.skipped,
        notRejoined: progress.notRejoined + batch.notRejoined,
        optedOut: (progress.optedOut ?? 0) + batch.optedOut,
        rejectedBytes,
      };
      const set = {
        processed: transfer.processed + batch.processed,
        created: transfer.created + batch.created,
        updated: transfer.updated + batch.updated,
        failed: transfer.failed + batch.failed,
        done_bytes: found.place.offset,
        stored_bytes: storedBytes,
        position: JSON.stringify(next),
        updated_at: now,
      };
      const moved: Change = update(transfers, {
        set,
        where: { id: transfer.id, status: 'running', processed: transfer.processed },
        otherwise: { code: 'conflict' },
      });
      await this.#store.commit([moved, ...batch.plan]);
      last = { ...transfer, ...set };
    }
    if (found.broken !== null || found.isEnd) await this.finish(last, found.broken);
  }

  /** Adds rejected rows to the report, before the commit that counts them. */
  async #report(
    transfer: Transfer,
    { rejectedBytes: offset }: ImportProgress,
    octets: Buffer,
  ): Promise<void> {
    if (octets.length === 0) return;
    if (!(await this.#files.writeAt({ id: transfer.id, kind: 'rejected', offset }, octets))) {
      throw new Error('The report of rejected rows is no longer available.');
    }
  }
}

/** Returns the warnings of a dry run. Refuses other imports that have any. */
function readWarnings({ names, columns }: FileLook, { dryRun }: Pick<ImportRequest, 'dryRun'>): string[] {
  if (columns === null) return [];
  assertAddresses({ names, columns });
  const warnings = columns.map(statusWarning).filter((warning) => warning !== null);
  if (warnings.length > 0 && !dryRun) {
    throw invalidFields(warnings.map((message) => ({ path: 'columns', message })));
  }
  return warnings;
}

function reportOf({ rejectedBytes }: ImportProgress, lines: string): Buffer {
  return Buffer.from(rejectedBytes === 0 && lines !== '' ? REJECTED_HEAD + lines : lines);
}

async function* counted(pieces: AsyncIterable<Uint8Array>, count: CountBytes): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    count(piece.length);
    yield piece;
  }
}

type List = Awaited<ReturnType<typeof openList>>;

async function openList(store: Pick<ImportStores, 'lists'>, scope: Scope, id: string) {
  const list = await store.lists.list(scope, id);
  if (!list) throw new Refusal('list_not_found', undefined, { param: 'list_id' });
  if (list.filter !== null) {
    throw invalidFields([{ path: 'list_id', message: 'is a segment, which contacts cannot be added to' }]);
  }
  return list;
}
