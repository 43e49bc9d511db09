// Runs a backup for the schedule or an operator, and records the result in a row, the audit log and the log.
import { auditInsert } from '../../accounts/audit/audit.store.js';
import type { Job } from '../../lib/concurrency/index.js';
import type { OperationContext } from '../context.js';
import type { OperationStores } from '../stores.js';
import { type BackupContext, makeBackup, type MadeBackup } from './backup.js';
import { backups } from '../../backups/backups.tables.js';
import { insert, type NewRow } from '../../database/rows.js';

type RunBackupContext = BackupContext & { store: Pick<OperationStores, 'accounts' | 'commit'> };

/** Records errors of `makeBackup` and throws them again. */
export async function runBackup(context: RunBackupContext, signal?: AbortSignal): Promise<MadeBackup> {
  const { store, config, clock } = context;
  const startedAt = clock();
  try {
    const made = await makeBackup(context, signal);
    await record(store, {
      name: made.name,
      place: made.place,
      started_at: made.startedAt,
      ended_at: made.endedAt,
      size_bytes: made.manifest.database.sizeBytes,
      with_keys: made.manifest.keys === null ? 0 : 1,
      error: null,
    });
    return made;
  } catch (error) {
    if (signal?.aborted !== true) {
      await record(store, {
        name: `failed-${startedAt}`,
        place: config.backupTo,
        started_at: startedAt,
        ended_at: clock(),
        size_bytes: null,
        with_keys: 0,
        error: error instanceof Error ? error.message : String(error),
      });
    }
    throw error;
  }
}

type Row = NewRow<typeof backups>;

async function record(store: RunBackupContext['store'], row: Row): Promise<void> {
  const organization = await store.accounts.firstOrganization();
  const { name, place, size_bytes, with_keys, error } = row;
  const detail = { place, size_bytes, with_keys: with_keys === 1, error };
  const entry = { at: row.ended_at, workspaceId: null, targetId: name, detail };
  await store.commit([
    insert(backups, { row, conflict: 'ignore' }),
    ...(organization === null
      ? []
      : [
          auditInsert({
            ...entry,
            organizationId: organization.id,
            actor: { kind: 'operator', id: null },
            action: error === null ? 'backup.create' : 'backup.fail',
          }),
        ]),
  ]);
}

/** Returns the job of scheduled backups, or `null` without a schedule. */
export function backupJob(
  context: Pick<OperationContext, 'store' | 'config' | 'clock' | 'log'>,
  folder: BackupContext['folder'],
): Job | null {
  const { config, log } = context;
  if (config.backupSchedule === null) return null;
  const stopping = new AbortController();
  return {
    name: 'backup',
    at: { pattern: config.backupSchedule },
    async run() {
      try {
        const made = await runBackup({ ...context, folder }, stopping.signal);
        const ms = made.endedAt - made.startedAt;
        const { sizeBytes } = made.manifest.database;
        log.info(
          { backup: made.name, place: made.place, bytes: sizeBytes, ms, removed: made.removed },
          'backup created',
        );
      } catch (error) {
        if (stopping.signal.aborted) return;
        log.error({ err: error, place: config.backupTo }, 'backup failed');
      }
    },
    stop: () => stopping.abort(),
  };
}
