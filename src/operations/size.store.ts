// Size of the database, and inbound mail that waits to be processed.
import { sql } from 'kysely';
import type { marks } from '../accounts/accounts.tables.js';
import type { BackupRow } from '../backups/backups.tables.js';
import { createBackupStore } from '../backups/backups.store.js';
import type { TablesOf } from '../database/columns.js';
import type { Engine, FileSize } from '../database/engine/engine.js';
import type { inboundMessages } from '../inbound/inbound.tables.js';

type Known = TablesOf<typeof inboundMessages | typeof marks>;

interface StoreSize {
  /** `null` if a database server stores the rows. */
  file: FileSize | null;
  /** Inbound mail that is not processed yet. */
  waitingMails: number;
  /** Inbound mail that could not be processed and needs a person. */
  parkedMails: number;
  /** The last attempted backup, and the last successful one. */
  backups: { tried: BackupRow | null; good: BackupRow | null };
}

export async function storeSize(engine: Engine): Promise<StoreSize> {
  return {
    file: (await engine.upkeep?.size()) ?? null,
    waitingMails: await countMails(engine, 'waiting'),
    parkedMails: await parkedMails(engine),
    backups: await createBackupStore(engine).latest(),
  };
}

interface Integrity {
  /** `null` if none is known. */
  damage: string | null;
  /** Epoch ms of the last check of the whole file. */
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
  const row = await engine.read
    .$extendTables<Known>()
    .selectFrom('marks')
    .select(['value', 'created_at'])
    .where('name', '=', 'integrity_check')
    .executeTakeFirst();
  const found = row?.value ? Buffer.from(row.value).toString() : null;
  return { damage: engine.damage.current() ?? found, checkedAt: row?.created_at ?? null };
}

export function parkedMails(engine: Engine): Promise<number> {
  return countMails(engine, 'failed');
}

async function countMails(engine: Engine, state: 'waiting' | 'failed'): Promise<number> {
  const { n } = await engine.read
    .$extendTables<Known>()
    .selectFrom('inbound_messages')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    // a literal, as in the partial index
    .where('state', '=', sql.lit(state))
    .executeTakeFirstOrThrow();
  return n;
}
