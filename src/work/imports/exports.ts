// Exports: contacts by number, a slice at a time, into a stream, or in the background into a file that goes on after a
// restart where the last commit says it ends.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ExportedContact } from '../../contract/contact.js';
import { Refusal } from '../../contract/refusal.js';
import type { Clock } from '../../runtime/clock.js';
import { newId } from '../../runtime/ids.js';
import type { Contact } from '../../store/audience.js';
import type { Consent } from '../../store/consents.js';
import type { Scope } from '../../store/scope.js';
import type { Store } from '../../store/store.js';
import type { OpenTransfer, Transfer } from '../../store/transfers.js';
import { CONTACT_FILES } from './contact-file.js';
import type { TransferFiles } from './transfer-files.js';
import { ending, exportOptions, exportProgress, newTransfer, scopeOf } from './transfer-record.js';
import type { ExportOptions } from './transfer-record.js';

/** Contacts that are read together (about 5 ms). */
const SLICE = 500;
/** Slices of one commit. */
const BATCH = 10;
const MAX_OPEN = 20;

export interface ExportsDeps {
  store: Pick<Store, 'commit' | 'transfers' | 'lists' | 'audience'>;
  files: TransferFiles;
  clock: Clock;
  present: (row: Contact, consents: readonly Consent[]) => ExportedContact;
}

export interface ExportRequest {
  format: Transfer['format'];
  listId: string | null;
  tag: string | null;
  status: Contact['status'] | null;
}

export function createExports({ store, files, clock, present }: ExportsDeps) {
  /** Refused with `list_not_found`. */
  async function optionsOf(scope: Scope, { listId, tag, status }: ExportRequest): Promise<ExportOptions> {
    const list = listId === null ? null : await store.lists.list(scope, listId);
    if (listId !== null && !list) throw new Refusal('list_not_found', undefined, { param: 'list_id' });
    return { list: list ? { id: list.id, number: list.number } : null, tag, status };
  }

  /** Null when the list is gone. */
  async function slice(
    scope: Scope,
    options: ExportOptions,
    after: number,
  ): Promise<{ rows: Contact[]; next: number | null } | null> {
    const { tag, status } = options;
    if (options.list === null) {
      const filter = { ...(tag === null ? {} : { tag }), ...(status === null ? {} : { status }) };
      return store.transfers.contactSlice(scope, filter, { after, limit: SLICE });
    }
    const list = await store.lists.list(scope, options.list.id);
    if (!list) return null;
    const members = await store.lists.audienceSlice({
      list,
      segmentTag: tag,
      afterNumber: after,
      limit: SLICE,
    });
    return {
      rows: status === null ? members : members.filter((row) => row.status === status),
      next: members.length < SLICE ? null : (members.at(-1)?.number ?? null),
    };
  }

  async function exported(rows: readonly Contact[]): Promise<ExportedContact[]> {
    const consents = await store.audience.consentsOf(rows.map(({ number }) => number));
    return rows.map((row) => present(row, consents.get(row.number) ?? []));
  }

  /** What it will be, where that costs nothing to say. */
  async function totalOf(scope: Scope, { list, tag, status }: ExportOptions): Promise<number | null> {
    if (list || tag !== null || status !== null) return null;
    return (await store.audience.countContacts(scope, {})).total;
  }

  async function finish(transfer: Transfer, error: string | null): Promise<void> {
    await store.commit([ending(transfer, error, clock())]);
    if (error !== null) await files.remove(transfer.id);
  }

  async function step(transfer: OpenTransfer, { signal }: { signal: AbortSignal }): Promise<void> {
    const options = exportOptions(transfer);
    const format = CONTACT_FILES[transfer.format];
    const scope = scopeOf(transfer);
    let text = transfer.size_bytes === 0 ? format.head : '';
    let { processed } = transfer;
    let after: number | null = exportProgress(transfer).after;
    for (let i = 0; i < BATCH && after !== null && !signal.aborted; i++) {
      const found = await slice(scope, options, after);
      if (!found) return finish(transfer, 'The list was deleted.');
      text += format.lines(await exported(found.rows), processed === 0);
      processed += found.rows.length;
      after = found.next;
      await nextTurn();
    }
    const isEnd = after === null;
    const octets = Buffer.from(isEnd ? text + format.tail : text);
    const place = { id: transfer.id, kind: 'contacts', offset: transfer.size_bytes } as const;
    if (!(await files.writeAt(place, octets))) return finish(transfer, 'The file is gone.');
    const now = clock();
    await store.commit([
      {
        kind: 'update',
        table: 'transfers',
        set: {
          status: isEnd ? 'completed' : 'running',
          size_bytes: transfer.size_bytes + octets.length,
          done_bytes: transfer.size_bytes + octets.length,
          processed,
          total: isEnd ? processed : (transfer.total ?? (await totalOf(scope, options))),
          position: JSON.stringify({ after }),
          updated_at: now,
          finished_at: isEnd ? now : null,
        },
        where: { id: transfer.id, status: ['queued', 'running'], size_bytes: transfer.size_bytes },
        otherwise: { code: 'conflict' },
      },
    ]);
  }

  return {
    /** Refused with `list_not_found`, or `conflict` when too many wait. */
    async start(scope: Scope, request: ExportRequest): Promise<Transfer> {
      if ((await store.transfers.countOpenTransfers(scope.environmentId, 'export')) >= MAX_OPEN) {
        throw new Refusal(
          'conflict',
          `${MAX_OPEN} exports wait already; try again when one of them is done.`,
        );
      }
      const options = await optionsOf(scope, request);
      const now = clock();
      const row: Transfer = {
        ...newTransfer({ scope, id: newId('exp', now), now }),
        kind: 'export',
        format: request.format,
        options: JSON.stringify(options),
      };
      await store.commit([{ kind: 'insert', into: 'transfers', row }]);
      return row;
    },

    /** The file as it is read. The list is looked for before; one that is deleted meanwhile ends the file. */
    async stream(scope: Scope, request: ExportRequest): Promise<AsyncGenerator<string>> {
      const options = await optionsOf(scope, request);
      return (async function* () {
        const format = CONTACT_FILES[request.format];
        if (format.head !== '') yield format.head;
        let isFirst = true;
        let after: number | null = 0;
        while (after !== null) {
          const found: Awaited<ReturnType<typeof slice>> = await slice(scope, options, after);
          if (!found) throw new Error('The list was deleted while it was exported.');
          if (found.rows.length > 0) {
            yield format.lines(await exported(found.rows), isFirst);
            isFirst = false;
          }
          after = found.next;
          await nextTurn();
        }
        if (format.tail !== '') yield format.tail;
      })();
    },

    step,
    finish,
  };
}
