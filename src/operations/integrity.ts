// Checks the whole database file once a day, in a thread of low priority.
import type { Job } from '../lib/concurrency/index.js';
import type { Log } from '../lib/runtime/index.js';
import { checkDatabase } from '../database/engine/file-tasks.js';
import type { OperationContext } from './context.js';
import type { OperationStores } from './stores.js';
import { marks } from '../accounts/accounts.tables.js';
import { upsert } from '../database/rows.js';

const EVERY_MS = 24 * 3_600_000;
const REMEDY =
  'the database is damaged: stop the server and restore a backup (docs/runbook.md, "A damaged database")';

/** Logs once what to do when damage is found. */
export function reportDamage({ damage }: Pick<OperationStores, 'damage'>, log: Log): void {
  damage.listen((reason) => log.error({ reason }, REMEDY));
}

export function integrityJob(
  { store, clock, log }: Pick<OperationContext, 'store' | 'clock' | 'log'>,
  databaseFile: string,
): Job {
  const { damage } = store;
  const stopping = new AbortController();
  return {
    name: 'integrity check',
    at: { pattern: '53 * * * *' },
    async run() {
      const last = await store.accounts.mark('integrity_check');
      const startedAt = clock();
      // After damage the check runs every hour, because someone may have repaired the file.
      const isDue = last === null || last.value !== null || Math.abs(startedAt - last.created_at) >= EVERY_MS;
      if (!isDue) return;
      const problem = await checkDatabase(databaseFile, { isFull: true, signal: stopping.signal }).catch(
        (error: unknown) => {
          if (stopping.signal.aborted) return undefined;
          throw error;
        },
      );
      if (problem === undefined) return;
      if (problem === null) damage.clear();
      else damage.note(problem);
      const ms = clock() - startedAt;
      log.info({ ms, problem }, 'database integrity checked');
      const row = { value: problem === null ? null : Buffer.from(problem), created_at: clock() };
      await store.commit([
        upsert(marks, { row: { name: 'integrity_check', ...row }, key: ['name'], set: row }),
      ]);
    },
    stop: () => stopping.abort(),
  };
}
