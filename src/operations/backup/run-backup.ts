// Runs a backup for the schedule or an operator, and keeps what became of it: a row, an entry of the audit log, a line of the log.
import { auditInsert } from '../../accounts/audit/audit.store.js';
import type { Clock } from '../../lib/runtime/clock.js';
import type { Job } from '../../lib/runtime/cron.js';
import type { Log } from '../../lib/runtime/log.js';
import type { Config } from '../../settings/settings.js';
import type { OperationStores } from '../stores.js';
import { type BackupDeps, makeBackup, type MadeBackup } from './backup.js';
import { backups } from '../../backups/backups.tables.js';
import { insert, type NewRow } from '../../database/rows.js';

export interface RunBackupDeps extends Omit<BackupDeps, 'signal'> {
  store: Pick<OperationStores, 'accounts' | 'commit'>;
  clock: Clock;
}

/** Throws what `makeBackup` throws, after it was recorded. */
export async function runBackup(deps: RunBackupDeps, signal?: AbortSignal): Promise<MadeBackup> {
  const startedAt = deps.clock();
  try {
    const made = await makeBackup({ ...deps, ...(signal === undefined ? {} : { signal }) });
    await record(deps, {
      ...{ name: made.name, place: made.place, started_at: made.startedAt, ended_at: made.endedAt },
      size_bytes: made.manifest.database.sizeBytes,
      with_keys: made.manifest.keys === null ? 0 : 1,
      error: null,
    });
    return made;
  } catch (error) {
    if (signal?.aborted !== true) {
      await record(deps, {
        ...{ name: `failed-${startedAt}`, place: deps.settings.backupTo, started_at: startedAt },
        ...{ ended_at: deps.clock(), size_bytes: null, with_keys: 0 },
        error: error instanceof Error ? error.message : String(error),
      });
    }
    throw error;
  }
}

type Row = NewRow<typeof backups>;

async function record({ store }: RunBackupDeps, row: Row): Promise<void> {
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

/** The scheduled backup; null without a schedule. */
export function backupJob(
  deps: Omit<RunBackupDeps, 'settings'> & {
    settings: RunBackupDeps['settings'] & Pick<Config, 'backupSchedule'>;
    log: Log;
  },
): Job | null {
  const { settings, log } = deps;
  if (settings.backupSchedule === null) return null;
  const stopping = new AbortController();
  return {
    name: 'backup',
    at: { pattern: settings.backupSchedule },
    async run() {
      try {
        const made = await runBackup(deps, stopping.signal);
        const ms = made.endedAt - made.startedAt;
        const { sizeBytes } = made.manifest.database;
        log.info(
          { backup: made.name, place: made.place, bytes: sizeBytes, ms, removed: made.removed },
          'backup created',
        );
      } catch (error) {
        if (stopping.signal.aborted) return;
        log.error({ err: error, place: settings.backupTo }, 'backup failed');
      }
    },
    stop: () => stopping.abort(),
  };
}
