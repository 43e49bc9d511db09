// Limits the resources of imports, exports and bulk actions: open ones by environment and sub-tenant, and the bytes of their files
// by workspace and sub-tenant.
import { Refusal } from '../contract/refusal.js';
import { DISK_IS_FULL, type DiskGuard } from '../lib/files/index.js';
import type { Scope } from '../database/scope.js';
import type { Config } from '../settings/settings.js';
import type { ImportStores } from './stores.js';
import type { StoredAmount, StoredAmounts } from './transfers.store.js';
import type { Transfer } from './transfers.tables.js';

/** Open transfers of one kind, of an environment and of each of its sub-tenants. */
const MAX_OPEN = 20;
const MAX_OPEN_OF_TENANT = 10;
/** Files of a workspace, which bounds the work of adding up their sizes. */
const MAX_FILES = 10_000;
/** Share of one sub-tenant in the files and bytes of its workspace. */
const TENANT_SHARE = 0.5;
/** An empty file counts as one block of the disk. */
export const LEAST_FILE_BYTES = 4096;

const NAMES = { import: 'imports', export: 'exports', bulk_action: 'bulk actions' } as const;

export const OVER_FILE_QUOTA =
  'This workspace or sub-tenant has reached its file storage limit (MAILKEEL_FILE_QUOTA). Delete exports that you no longer need.';

/** Counts the bytes of an upload, and refuses the piece that exceeds the quota. */
export type CountBytes = (bytes: number) => void;

/** Files of another noun in the same place and under the same quota. `src/app` connects them. */
export interface OtherFiles {
  storedFiles(workspaceId: string, subTenantId: string | null): Promise<StoredAmounts>;
  /** Returns the IDs that have a file. */
  withFiles(ids: readonly string[]): Promise<Set<string>>;
}

export class TransferQuota {
  readonly #store: Pick<ImportStores, 'transfers'>;
  readonly #others: OtherFiles;
  readonly #disk: Pick<DiskGuard, 'isShort'>;
  readonly #quotaBytes: number;
  /** Transfers that have no row yet, and the bytes of their uploads. */
  readonly #starting = new Counter();
  readonly #arriving = new Counter();

  constructor({
    store,
    otherFiles,
    disk,
    config,
  }: {
    store: Pick<ImportStores, 'transfers'>;
    otherFiles: OtherFiles;
    disk: Pick<DiskGuard, 'isShort'>;
    config: Pick<Config, 'fileQuotaBytes'>;
  }) {
    this.#store = store;
    this.#others = otherFiles;
    this.#disk = disk;
    this.#quotaBytes = config.fileQuotaBytes;
  }

  /**
   * Runs `work`, which stores the transfer. Refused with `conflict` if too many are open, with `file_quota_exceeded`, and with
   * `unavailable` while the disk is short of space.
   */
  async start<T>(scope: Scope, kind: Transfer['kind'], work: (count: CountBytes) => Promise<T>): Promise<T> {
    this.#assertSpace();
    const slot = `${kind} ${scope.environmentId} ${scope.subTenantId}`;
    // Counted before the first wait, so that simultaneous requests count each other.
    const starting = this.#starting.add(slot, 1);
    try {
      const limit = scope.subTenantId === null ? MAX_OPEN : MAX_OPEN_OF_TENANT;
      if ((await this.#store.transfers.countOpenTransfers(scope, kind)) + starting > limit) {
        throw new Refusal(
          'conflict',
          `The limit of ${limit} unfinished ${NAMES[kind]} has been reached. Retry when one of them is complete.`,
        );
      }
      return await this.upload(scope, work);
    } finally {
      this.#starting.add(slot, -1);
    }
  }

  /**
   * Runs `work`, which stores a file. Refused with `file_quota_exceeded`, and with `unavailable` while the disk is short of
   * space.
   */
  async upload<T>(scope: Scope, work: (count: CountBytes) => Promise<T>): Promise<T> {
    this.#assertSpace();
    const owners = [scope.workspaceId, ...(scope.subTenantId === null ? [] : [scope.subTenantId])];
    let arrived = 0;
    try {
      const left = await this.#left(scope);
      if (left.some(({ files, bytes }) => files <= 0 || bytes <= 0)) throw overQuota();
      return await work((bytes) => {
        this.#assertSpace();
        arrived += bytes;
        owners.forEach((owner, i) => {
          if (this.#arriving.add(owner, bytes) > (left[i]?.bytes ?? Infinity)) throw overQuota();
        });
      });
    } finally {
      for (const owner of owners) this.#arriving.add(owner, -arrived);
    }
  }

  /** Returns whether the transfer's files may grow to `bytes`. */
  async allows(transfer: Transfer, bytes: number): Promise<boolean> {
    const growth = bytes - transfer.stored_bytes;
    if (growth <= 0) return true;
    const left = await this.#left({
      workspaceId: transfer.workspace_id,
      subTenantId: transfer.sub_tenant_id,
    });
    return left.every((one) => one.bytes >= growth);
  }

  #assertSpace(): void {
    if (this.#disk.isShort()) throw new Refusal('unavailable', DISK_IS_FULL);
  }

  /** Reads the remaining quota of the workspace and of the sub-tenant, if there is one. */
  async #left({
    workspaceId,
    subTenantId,
  }: Pick<Scope, 'workspaceId' | 'subTenantId'>): Promise<StoredAmount[]> {
    const own = await this.#store.transfers.storedFiles(workspaceId, subTenantId);
    const others = await this.#others.storedFiles(workspaceId, subTenantId);
    const leftOf = (owner: keyof StoredAmounts, share: number): StoredAmount => ({
      files: MAX_FILES * share - own[owner].files - others[owner].files,
      bytes: this.#quotaBytes * share - own[owner].bytes - others[owner].bytes,
    });
    return [leftOf('workspace', 1), ...(subTenantId === null ? [] : [leftOf('tenant', TENANT_SHARE)])];
  }
}

function overQuota(): Refusal {
  return new Refusal('file_quota_exceeded', OVER_FILE_QUOTA);
}

class Counter {
  readonly #counts = new Map<string, number>();

  /** Returns the sum. */
  add(name: string, amount: number): number {
    const sum = (this.#counts.get(name) ?? 0) + amount;
    if (sum === 0) this.#counts.delete(name);
    else this.#counts.set(name, sum);
    return sum;
  }
}
