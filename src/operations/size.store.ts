// Size of the store, and its mail that waits to be processed.
import type { BackupRow } from '../backups/backups.tables.js';
import { createBackupStore } from '../backups/backups.store.js';
import type { Engine, FileSize } from '../database/engine/engine.js';

export interface StoreSize {
  /** Null where a database server keeps it. */
  file: FileSize | null;
  /** Mail that came in and is not worked on yet. */
  waitingMails: number;
  /** Mail that came in and could not be worked on: it waits for a person. */
  parkedMails: number;
  /** The newest attempted backup, and the newest good one. */
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

export interface Integrity {
  /** `null` if none is known. */
  damage: string | null;
  /** When the whole file was checked last, epoch ms. */
  checkedAt: number | null;
}

/** Reads damage that this process or the last check has found. Works even if pages are damaged. */
export async function readIntegrity(engine: Engine): Promise<Integrity> {
  try {
    return await storedIntegrity(engine);
  } catch (error) {
    const damage = engine.damage.current();
    if (damage === null) throw error;
    return { damage, checkedAt: null };
  }
}

async function storedIntegrity(engine: Engine): Promise<Integrity> {
  const [row] = await engine.rows("SELECT value, created_at FROM marks WHERE name = 'integrity_check'", []);
  const found = row?.['value'] instanceof Uint8Array ? Buffer.from(row['value']).toString() : null;
  const checkedAt = row === undefined ? null : Number(row['created_at']);
  return { damage: engine.damage.current() ?? found, checkedAt };
}

export async function parkedMails(engine: Engine): Promise<number> {
  const [row] = await engine.rows("SELECT COUNT(*) AS n FROM inbound_messages WHERE state = 'failed'", []);
  return Number(row?.['n'] ?? 0);
}
