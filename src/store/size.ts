// How large the store is, and what waits in it to be understood.
import type { Engine, FileSize } from './engine/engine.js';

export interface StoreSize {
  /** Null where a database server keeps it. */
  file: FileSize | null;
  /** Mail that came in and is not worked on yet. */
  waitingMails: number;
}

export async function storeSize(engine: Engine): Promise<StoreSize> {
  const [row] = await engine.rows("SELECT COUNT(*) AS n FROM inbound_mails WHERE state = 'waiting'", []);
  return { file: (await engine.upkeep?.size()) ?? null, waitingMails: Number(row?.['n'] ?? 0) };
}
