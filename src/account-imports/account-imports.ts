// Runs imports of accounts at other vendors. One loop takes a step of each that is due, a few at the same time, because a step waits
// for the vendor.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { invalidFields, isUnavailable, Refusal } from '../contract/refusal.js';
import type { Consent } from '../contacts/contact-changes.store.js';
import { insert, remove, update } from '../database/rows.js';
import type { Scope } from '../database/scope.js';
import { createLoop, createWakeUp, type Loop } from '../lib/concurrency/index.js';
import { LEAST_FILE_BYTES, type CountBytes } from '../imports/transfer-quota.js';
import { DISK_IS_FULL } from '../lib/files/index.js';
import { urlProblem } from '../lib/http/index.js';
import { createLruCache, monotonicMs, newId } from '../lib/runtime/index.js';
import { openSecret, sealSecret } from '../lib/secrets/index.js';
import type { OpenAccountImport } from './account-imports.store.js';
import { type AccountImport, accountImportReports, accountImports } from './account-imports.tables.js';
import type { AccountImportContext } from './context.js';
import {
  type ApiSourceName,
  type FileSourceName,
  type ImportKind,
  type ImportSource,
  KINDS_OF_SOURCE,
  NAMED_FILES,
  VENDOR_NAMES,
} from './kinds.rules.js';
import {
  API_SOURCE,
  type ApiSource,
  type Connection,
  FILE_SOURCE,
  type PageReader,
  readerOf,
} from './sources/source.js';
import { UploadReader } from './sources/upload-reader.js';
import type { SpooledFile, Upload } from './uploads/upload.js';
import { UploadMemory } from './uploads/upload-memory.js';
import { VendorReader } from './sources/vendor-reader.js';
import { ended, endImport, removeFile, takeStep, type PageInHand } from './step.js';

const INTERVAL_MS = 1_000;
/** Imports of all environments that take a step at the same time. */
const PARALLEL = 4;
/** Open imports of an environment and of each of its sub-tenants. */
const MAX_OPEN = 10;
const MAX_OPEN_OF_TENANT = 5;
/** Pages in memory. Others are read again. */
const MAX_PAGES = 16;
/** Time (ms) for which a file is read before other work has its turn. */
const SLICE_MS = 10;
/** Consecutive internal errors after which an import fails. */
const MAX_FAULTS = 20;

interface Request {
  /** Undefined for all that the source has. */
  kinds: readonly ImportKind[] | undefined;
  isDryRun: boolean;
  consent: Consent;
}

export interface AccountImportRequest extends Request {
  source: ApiSourceName;
  connection: Connection;
}

export interface FileImportRequest extends Request {
  source: FileSourceName;
  /** As `Upload` has it. */
  name: string | null;
}

export class AccountImports {
  readonly #context: AccountImportContext;
  readonly #wakeUp = createWakeUp();
  readonly #loop: Loop;
  readonly #faults = new Map<string, number>();
  readonly #memory = new UploadMemory();
  readonly #pages = createLruCache<string, PageInHand>(MAX_PAGES);

  constructor(context: AccountImportContext) {
    this.#context = context;
    const { log, room } = context;
    this.#loop = createLoop({
      name: 'account imports',
      run: (signal) => this.run(signal),
      intervalMs: INTERVAL_MS,
      log,
      wakeUp: this.#wakeUp,
      room,
    });
  }

  startLoop(): void {
    this.#loop.start();
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
    await this.#context.client.close();
  }

  /** Refused with `validation_error` for a connection that the source cannot use, and with `conflict` if too many are open. */
  async start(scope: Scope, request: AccountImportRequest): Promise<AccountImport> {
    const { masterKey, config } = this.#context;
    const { source, connection, kinds } = request;
    const problems = [...API_SOURCE[source].problems(connection), ...kindProblems(source, kinds)];
    if (connection.url !== undefined) {
      const problem = urlProblem(connection.url, { allowPrivate: config.webhookAllowPrivate });
      if (problem !== null) problems.push({ path: 'connection.url', message: `is not usable. ${problem}` });
    }
    if (problems.length > 0) throw invalidFields(problems);
    await this.#refuseTooMany(scope);
    const row = this.#newRow(scope, request);
    const sealed = sealSecret(masterKey, Buffer.from(JSON.stringify(connection)), sealContext(row.id));
    const origin = connection.url === undefined ? '' : new URL(connection.url).origin;
    return this.#add({ ...row, origin, connection_sealed: sealed });
  }

  /**
   * Takes a file and resolves when it is on disk. Refused with `validation_error` for another or an incomplete file, and as
   * `TransferQuota.upload` does.
   */
  async startWithFile(
    scope: Scope,
    request: FileImportRequest,
    file: Pick<Upload, 'pieces' | 'charset'>,
  ): Promise<AccountImport> {
    const { files, quota } = this.#context;
    const { source, name, kinds } = request;
    const problems = kindProblems(source, kinds);
    if (name !== null && !NAMED_FILES.some((one) => one === source)) {
      problems.push({ path: 'name', message: 'is not used by this source' });
    }
    if (problems.length > 0) throw invalidFields(problems);
    await this.#refuseTooMany(scope);
    return quota.upload(scope, async (count) => {
      const row = this.#newRow(scope, request);
      const spool = async (pieces: AsyncIterable<Uint8Array>): Promise<SpooledFile> => {
        const size = await files.receive(row.id, counted(pieces, count), 'archive');
        return { size, read: (offset, bytes) => files.read(row.id, 'archive', offset, bytes) };
      };
      const held = this.#memory.open();
      try {
        const { hold } = held;
        const content = FILE_SOURCE[source].receive({
          ...file,
          pieces: inTurns(file.pieces),
          name,
          spool,
          hold,
        });
        const size = await files.receive(row.id, counted(content, count));
        return await this.#add({ ...row, stored_bytes: Math.max(size, LEAST_FILE_BYTES) });
      } catch (error) {
        await files.remove(row.id, ['body']);
        throw error;
      } finally {
        held.release();
        await files.remove(row.id, ['archive']);
      }
    });
  }

  async #refuseTooMany(scope: Scope): Promise<void> {
    const limit = scope.subTenantId === null ? MAX_OPEN : MAX_OPEN_OF_TENANT;
    if ((await this.#context.store.accountImports.countOpen(scope)) < limit) return;
    throw new Refusal(
      'conflict',
      `The limit of ${limit} unfinished account imports has been reached. Retry when one of them is complete.`,
    );
  }

  async #add(row: AccountImport): Promise<AccountImport> {
    await this.#context.store.commit([insert(accountImports, { row })]);
    this.#wakeUp.notify();
    return row;
  }

  #newRow(
    scope: Scope,
    { source, kinds, isDryRun, consent }: Request & { source: ImportSource },
  ): AccountImport {
    const now = this.#context.clock();
    const id = newId('aim', now);
    const wanted = KINDS_OF_SOURCE[source].filter((kind) => kinds?.includes(kind) ?? true);
    return {
      id,
      workspace_id: scope.workspaceId,
      environment_id: scope.environmentId,
      sub_tenant_id: scope.subTenantId,
      source,
      origin: '',
      kinds: JSON.stringify(wanted),
      dry_run: isDryRun ? 1 : 0,
      status: 'queued',
      connection_sealed: null,
      consent: JSON.stringify({ ...consent, source: `${consent.source} ${id}` }),
      counts: '{}',
      position: null,
      steps: 0,
      attempts: 0,
      resume_at: null,
      report_lines: 0,
      error: null,
      paused_reason: null,
      created_at: now,
      updated_at: now,
      finished_at: null,
      stored_bytes: 0,
    };
  }

  /** Keeps what is imported. Refused with `not_found`, or with `conflict` if the import has ended. */
  async cancel(scope: Scope, id: string): Promise<AccountImport> {
    const { store, clock } = this.#context;
    const known = await store.accountImports.accountImport(scope, id);
    if (!known) throw new Refusal('not_found');
    const now = clock();
    await store.commit([
      update(accountImports, {
        set: { status: 'canceled', updated_at: now, ...ended(now) },
        where: { id, status: ['queued', 'running'] },
        otherwise: { code: 'conflict', message: 'The account import is already finished.' },
      }),
    ]);
    this.#pages.delete(id);
    await removeFile(this.#context, known);
    return (await store.accountImports.accountImport(scope, id)) ?? known;
  }

  /** Deletes up to `limit` imports that ended before a time, with their reports. Returns how many. */
  async forgetFinished(before: number, limit: number): Promise<number> {
    const { store } = this.#context;
    const ids = await store.accountImports.finishedBefore(before, limit);
    if (ids.length > 0) {
      await store.commit([
        remove(accountImportReports, { where: { import_id: ids } }),
        remove(accountImports, { where: { id: ids } }),
      ]);
    }
    return ids.length;
  }

  /** Takes a step of imports that are due. Returns true if there were any. */
  async run(signal: AbortSignal): Promise<boolean> {
    const { store, clock } = this.#context;
    const due = await store.accountImports.dueImports(clock(), PARALLEL);
    const taken = await Promise.all(due.map((row) => this.#take(row, signal)));
    return taken.includes(true);
  }

  async #take(row: OpenAccountImport, signal: AbortSignal): Promise<boolean> {
    if (!(await this.#mayWrite(row))) return false;
    try {
      const inHand = this.#pages.get(row.id) ?? null;
      const page = await takeStep(this.#context, row, { read: this.#reader(row, signal), inHand });
      this.#faults.delete(row.id);
      if (page === null) this.#pages.delete(row.id);
      else this.#pages.set(row.id, page);
    } catch (error) {
      this.#pages.delete(row.id);
      if (signal.aborted) return false;
      if (isUnavailable(error)) throw error;
      await this.#takeFault(row, error);
    }
    return true;
  }

  /** Counts an internal error. After a conflict with another writer, the next step reads the rows again. */
  async #takeFault(row: OpenAccountImport, error: unknown): Promise<void> {
    const count = (this.#faults.get(row.id) ?? 0) + 1;
    this.#faults.set(row.id, count);
    if (!(error instanceof Refusal && error.code === 'conflict')) {
      this.#context.log.error(
        { err: error, account_import_id: row.id, faults: count },
        'account import failed',
      );
    }
    if (count < MAX_FAULTS) return;
    this.#faults.delete(row.id);
    await endImport(this.#context, row, 'Stopped after repeated internal errors. See the server log.');
  }

  /** Returns whether there is space, and records why the import waits. */
  async #mayWrite({ id, paused_reason: shown }: OpenAccountImport): Promise<boolean> {
    const { store, disk, clock } = this.#context;
    if (!(await disk.check())) return true;
    if (shown !== DISK_IS_FULL) {
      const set = { paused_reason: DISK_IS_FULL, updated_at: clock() };
      await store.commit([update(accountImports, { set, where: { id, status: ['queued', 'running'] } })]);
    }
    return false;
  }

  #reader(row: OpenAccountImport, signal: AbortSignal): PageReader {
    const { files } = this.#context;
    if (row.stored_bytes > 0) {
      const open = () => new UploadReader((offset, bytes) => files.read(row.id, 'body', offset, bytes));
      return readerOf(FILE_SOURCE[row.source as FileSourceName].pages, open); // as `startWithFile` wrote it
    }
    const source = API_SOURCE[row.source as ApiSourceName]; // as `start` wrote it
    return readerOf(source.pages, () => this.#vendorReader(row, source, signal));
  }

  #vendorReader(row: OpenAccountImport, source: ApiSource, signal: AbortSignal): VendorReader {
    const { client, config, masterKey } = this.#context;
    const opened = openSecret(masterKey, row.connection_sealed ?? '', sealContext(row.id));
    const connection = JSON.parse(opened.toString()) as Connection; // as `start` sealed it
    const base = source.base(connection);
    return new VendorReader({
      client,
      vendor: VENDOR_NAMES[row.source],
      base: config.vendorOrigin === '' || connection.url !== undefined ? base : config.vendorOrigin,
      headers: source.headers(connection),
      sign: source.sign?.(connection),
      intervalMs: source.isPaced ? config.vendorIntervalMs : 0,
      signal,
    });
  }
}

async function* counted(pieces: AsyncIterable<Uint8Array>, count: CountBytes): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    count(piece.length);
    yield piece;
  }
}

/** Lets other requests run between slices, because a socket delivers all data that it has received without a pause. */
async function* inTurns(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let since = monotonicMs();
  for await (const piece of pieces) {
    yield piece;
    if (monotonicMs() - since < SLICE_MS) continue;
    await nextTurn();
    since = monotonicMs();
  }
}

function sealContext(id: string): string {
  return `account import ${id}`;
}

function kindProblems(source: ImportSource, kinds: readonly ImportKind[] | undefined) {
  return (kinds ?? []).flatMap((kind, i) =>
    KINDS_OF_SOURCE[source].includes(kind)
      ? []
      : [
          {
            path: `kinds.${i}`,
            message: `must not be ${kind}, which ${VENDOR_NAMES[source]} does not support`,
          },
        ],
  );
}
