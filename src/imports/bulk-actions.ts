// Bulk actions apply one action to all objects that match a filter. First, the row IDs of matches are written into a file, so that
// objects that match later are not changed. Then the action is applied in pieces, each with a commit of the progress.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { newId } from '../lib/runtime/index.js';
import { readAs } from '../database/engine/reading.js';
import type { Message } from '../messages/messages.store.js';
import type { Scope } from '../database/scope.js';
import type { ImportContext } from './context.js';
import type { OpenTransfer } from './transfers.store.js';
import { applyToItems, type BulkItemContext, type ItemOutcome } from './bulk-items.js';
import {
  addFailures,
  bulkOptions,
  bulkProgress,
  type BulkDeed,
  type BulkFilter,
  type BulkOptions,
  type BulkProgress,
} from './bulk-record.js';
import { OVER_FILE_QUOTA } from './transfer-quota.js';
import { ending, newTransfer, transferScope } from './transfer-record.js';
import type { Contact } from '../contacts/contacts.tables.js';
import { type Transfer, transfers } from './transfers.tables.js';
import { groupedDigits } from '../lib/rows/index.js';
import { insert, update } from '../database/rows.js';

/** Rows that are read in one page. */
const PAGE = 500;
/** Pages that are found in one piece. */
const PAGES = 10;
/** Items of one piece, and those that are worked on together. */
const PIECE = 200;
const GROUP = 20;
const MAX_ITEMS = 1_000_000;
const READ_BUDGET_MS = 10_000;
/** Limits of the count of a dry run. */
const MOST_COUNTED = 10_000;
const COUNT_MS = 1_500;
const SAMPLE = 10;
/** Each line of the file has a row ID. */
const LINE_BYTES = 10;

export interface BulkRequest {
  deed: BulkDeed;
  wanted: BulkFilter;
  asked: Record<string, unknown>;
}

export interface BulkPreview {
  count: number;
  /** False if there may be more. */
  isExact: boolean;
  sample: ({ target: 'messages'; row: Message } | { target: 'contacts'; row: Contact })[];
}

interface FoundPage {
  ids: number[];
  next: string | null;
  sample: BulkPreview['sample'];
}

type BulkActionContext = BulkItemContext & Pick<ImportContext, 'files' | 'quota'>;

export class BulkActions {
  readonly #context: BulkActionContext;
  readonly #store: BulkActionContext['store'];
  readonly #files: BulkActionContext['files'];
  readonly #quota: BulkActionContext['quota'];
  readonly #clock: BulkActionContext['clock'];
  readonly #limits: { items: number; counted: number };

  /** `limits` are lower in tests. */
  constructor(context: BulkActionContext, limits = { items: MAX_ITEMS, counted: MOST_COUNTED }) {
    this.#context = context;
    this.#store = context.store;
    this.#files = context.files;
    this.#quota = context.quota;
    this.#clock = context.clock;
    this.#limits = limits;
  }

  /** Refused as the list of the same filter is, and as `TransferQuota.start` does. */
  async start(scope: Scope, { deed, wanted, asked }: BulkRequest): Promise<Transfer> {
    return this.#quota.start(scope, 'bulk_action', async () => {
      const newest = await this.#store.transfers.newestRow(wanted.target);
      // Refuses filters that name missing objects.
      await this.#page(scope, wanted, '1');
      const now = this.#clock();
      const options: BulkOptions = { deed, wanted, asked, newest };
      const row: Transfer = {
        ...newTransfer({ scope, id: newId('blk', now), now }),
        kind: 'bulk_action',
        format: 'json',
        options: JSON.stringify(options),
      };
      await this.#store.commit([insert(transfers, { row })]);
      return row;
    });
  }

  /** Returns the rows that the action would change. */
  async preview(scope: Scope, { wanted }: BulkRequest): Promise<BulkPreview> {
    const until = performance.now() + COUNT_MS;
    const preview: BulkPreview = { count: 0, isExact: true, sample: [] };
    let after: string | null = null;
    do {
      const found: FoundPage = await this.#page(scope, wanted, after);
      preview.count += found.ids.length;
      preview.sample = [...preview.sample, ...found.sample].slice(0, SAMPLE);
      after = found.next;
    } while (after !== null && preview.count < this.#limits.counted && performance.now() < until);
    return { ...preview, isExact: after === null };
  }

  async step(transfer: OpenTransfer, { signal }: { signal: AbortSignal }): Promise<void> {
    const options = bulkOptions(transfer);
    const progress = bulkProgress(transfer);
    if (progress.isFound) await this.#work(transfer, options, { progress, signal });
    else await this.#find(transfer, options, progress);
  }

  async finish(transfer: Transfer, error: string | null): Promise<void> {
    await this.#store.commit([ending(transfer, { error, now: this.#clock() })]);
    await this.#files.remove(transfer.id, ['items']);
  }

  /** Reads a page in the reader threads, with the filter of the list. */
  #page(scope: Scope, wanted: BulkFilter, after: string | null): Promise<FoundPage> {
    const asked = { limit: PAGE, after };
    return readAs(this.#store.readings, { owner: scope.workspaceId, budgetMs: READ_BUDGET_MS }, async () => {
      if (wanted.filter === null) return { ids: [], next: null, sample: [] };
      if (wanted.target === 'messages') {
        const { rows, next } = await this.#store.messages.messages(scope, asked, wanted.filter);
        const sample = rows.slice(0, SAMPLE).map((row) => ({ target: 'messages' as const, row }));
        return { ids: rows.map(({ id }) => id), next, sample };
      }
      const { rows, next } = await this.#store.contacts.contacts(scope, asked, wanted.filter);
      const sample = rows.slice(0, SAMPLE).map((row) => ({ target: 'contacts' as const, row }));
      return { ids: rows.map(({ number }) => number), next, sample };
    });
  }

  /** Records the progress. Refused with `conflict` if the transfer has ended meanwhile. */
  async #moveOn(transfer: Transfer, set: Partial<Transfer>, progress: BulkProgress): Promise<void> {
    await this.#store.commit([
      update(transfers, {
        set: { ...set, status: 'running', position: JSON.stringify(progress), updated_at: this.#clock() },
        where: {
          id: transfer.id,
          status: ['queued', 'running'],
          size_bytes: transfer.size_bytes,
          processed: transfer.processed,
        },
        otherwise: { code: 'conflict' },
      }),
    ]);
  }

  /** Writes the next pages of matches into the file. */
  async #find(transfer: OpenTransfer, { wanted }: BulkOptions, progress: BulkProgress): Promise<void> {
    const scope = transferScope(transfer);
    const ids: number[] = [];
    let { after } = progress;
    for (let i = 0; i < PAGES && after !== null; i++) {
      const found: FoundPage = await this.#page(scope, wanted, after);
      ids.push(...found.ids);
      after = found.next;
    }
    const end = { id: transfer.id, kind: 'items', offset: transfer.size_bytes } as const;
    const octets = Buffer.from(ids.map(lineOf).join(''));
    const size = transfer.size_bytes + octets.length;
    if (!(await this.#quota.allows(transfer, size))) return this.finish(transfer, OVER_FILE_QUOTA);
    if (!(await this.#files.writeAt(end, octets))) return this.finish(transfer, GONE);
    if (size > this.#limits.items * LINE_BYTES) {
      const most = groupedDigits(this.#limits.items);
      return this.finish(
        transfer,
        `The filter matches more than ${most} objects. Nothing was changed. Narrow the filter.`,
      );
    }
    const isFound = after === null;
    const total = isFound ? size / LINE_BYTES : null;
    await this.#moveOn(
      transfer,
      { size_bytes: size, stored_bytes: size, total },
      { ...progress, after, isFound },
    );
  }

  /** Applies the action to the next piece of the file. */
  async #work(
    transfer: OpenTransfer,
    options: BulkOptions,
    { progress, signal }: { progress: BulkProgress; signal: AbortSignal },
  ): Promise<void> {
    const { deed } = options;
    const scope = transferScope(transfer);
    const list = deed.list ? await this.#store.lists.list(scope, deed.list.id) : null;
    if (deed.list && !list) return this.finish(transfer, 'The list was deleted.');
    const octets = await this.#files.read(transfer.id, 'items', progress.offset, PIECE * LINE_BYTES);
    if (!octets) return this.finish(transfer, GONE);
    const isEnd = progress.offset + octets.length >= transfer.size_bytes;
    const ids = Buffer.from(octets).toString().split('\n').filter(Boolean).map(numberOf);
    const terms = { scope, deed, list, id: transfer.id };
    const outcomes: ItemOutcome[] = [];
    let isOverQuota = false;
    for (let at = 0; at < ids.length && !signal.aborted && !isOverQuota; at += GROUP) {
      const items = { rowIds: ids.slice(at, at + GROUP), target: options.wanted.target };
      const group = await applyToItems(this.#context, items, terms);
      outcomes.push(...group);
      isOverQuota = group.some((one) => one.kind === 'failed' && one.code === 'quota_exceeded');
      await nextTurn();
    }
    const failed = outcomes.filter((one) => one.kind === 'failed');
    await this.#moveOn(
      transfer,
      {
        processed: transfer.processed + outcomes.length,
        updated: transfer.updated + outcomes.filter(({ kind }) => kind === 'done').length,
        failed: transfer.failed + failed.length,
        done_bytes: progress.offset + outcomes.length * LINE_BYTES,
      },
      {
        ...progress,
        offset: progress.offset + outcomes.length * LINE_BYTES,
        failures: addFailures(progress.failures, failed),
      },
    );
    if (isOverQuota) return this.finish(transfer, OVER_QUOTA);
    if (isEnd && outcomes.length === ids.length) await this.finish(transfer, null);
  }
}

const GONE = 'The list of selected objects is no longer available.';
const OVER_QUOTA =
  "The plan's sending limit has been reached. Messages that were already resent are not affected.";
const DIGITS = 36;

/** Lines have one length, so that the size gives their number. */
function lineOf(id: number): string {
  return `${id.toString(DIGITS).padStart(LINE_BYTES - 1, '0')}\n`;
}

function numberOf(line: string): number {
  return Number.parseInt(line, DIGITS);
}
