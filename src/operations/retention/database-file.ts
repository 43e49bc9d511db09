// Returns free pages of the database file to the disk, in small steps between which others write.
import { setTimeout as pause } from 'node:timers/promises';
import type { OperationContext } from '../context.js';
import type { OperationStores } from '../stores.js';

/** Pages per step, which takes a few milliseconds. */
const STEP = 128;
/** Free pages to keep for new rows. */
const SLACK = 1_000;
/** The pause after a step is this many times as long as the step. */
const SHARE = 4;
const LEAST_PAUSE_MS = 5;
/** Steps between checkpoints, so that moved pages do not make the log grow. */
const CHECKPOINT = 64;

/** Shrinks the file until few free pages are left, a step frees nothing, or `signal` aborts. Returns the number of freed bytes. */
export async function shrinkDatabaseFile(
  { store, clock }: Pick<OperationContext, 'clock'> & { store: Pick<OperationStores, 'upkeep'> },
  signal?: AbortSignal,
): Promise<number> {
  const { upkeep } = store;
  if (upkeep === null) return 0;
  const { bytes } = await upkeep.size();
  for (let steps = 1; !signal?.aborted; steps++) {
    const before = await upkeep.size();
    const free = before.freeBytes / before.pageBytes;
    if (!before.canShrink || free <= SLACK) break;
    const startedAt = clock();
    await upkeep.shrink(Math.min(STEP, free - SLACK));
    if (steps % CHECKPOINT === 0) await upkeep.checkpoint();
    await pause(Math.max(LEAST_PAUSE_MS, SHARE * (clock() - startedAt)));
    if ((await upkeep.size()).freeBytes >= before.freeBytes) break;
  }
  await upkeep.checkpoint();
  return Math.max(0, bytes - (await upkeep.size()).bytes);
}
