// Size of the store, and its mail that waits to be processed.
import type { BackupRow } from './backup/backup.tables.js';
import { createBackupStore } from './backup/backups.store.js';
import type { Engine, FileSize } from '../store/engine/engine.js';

export interface StoreSize {
  /** Null where a database server keeps it. */
  file: FileSize | null;
  /** Mail that came in and is not worked on yet. */
  waitingMails: number;
  /** Mail that came in and could not be worked on: it waits for a person. */
  parkedMails: number;
  /** The newest backup that was tried, and the newest good one. */
  backups: { tried: BackupRow | null; good: BackupRow | null };
}

export async function storeSize(engine: Engine): Promise<StoreSize> {
  const [waiting] = await engine.rows(
    "SELECT COUNT(*) AS n FROM inbound_messages WHERE state = 'waiting'",
    [],
  );
  return {
    file: (await engine.upkeep?.size()) ?? null,
    waitingMails: Number(waiting?.['n'] ?? 0),
    parkedMails: await parkedMails(engine),
    backups: await createBackupStore(engine).latest(),
  };
}

export async function parkedMails(engine: Engine): Promise<number> {
  const [row] = await engine.rows("SELECT COUNT(*) AS n FROM inbound_messages WHERE state = 'failed'", []);
  return Number(row?.['n'] ?? 0);
}
