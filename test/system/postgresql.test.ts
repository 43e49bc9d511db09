// A real PostgreSQL server under the store, and under the programs whose mail must not be lost there. The whole of test/program is
// run on it by npm run test:long.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runOnPostgres } from '../support/on-postgres.js';
import { ensurePostgres, startPostgres, type PostgresServer } from '../support/postgres-server.js';
import { isFullSize } from '../support/run-size.js';

const skipReason = ensurePostgres();
if (skipReason !== null) console.warn(`skipped: a PostgreSQL server: ${skipReason}`);

const STORE = ['contract', 'migrations', 'nodes-on-postgres'];
const PROGRAM = ['--config', 'vitest.program.config.ts'];
/** What goes first when something is wrong with transactions, locks or what a kill leaves. */
const FILES = ['messages/idempotency-across-restart', 'campaigns/campaign-outlives-a-kill'];

describe.skipIf(skipReason !== null)('PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.close());

  async function expectPassed(args: readonly string[], programsOn?: 'SQLite'): Promise<void> {
    const { code, output } = await runOnPostgres(server.url, args, programsOn);
    expect(code, output).toBe(0);
    expect(output).toMatch(/Tests +\d+ passed/);
  }

  it('keeps the contract of the store', async () => {
    await expectPassed([...STORE.map((name) => `test/store/${name}.test.ts`), '-t', 'PostgreSQL']);
  });

  it('keeps mail, campaigns and events through kills', async () => {
    await expectPassed([...PROGRAM, ...FILES.map((name) => `test/program/${name}.test.ts`)]);
  });

  it.runIf(isFullSize)('takes in what was on SQLite, and gives it back', async () => {
    await expectPassed([...PROGRAM, 'test/program/operations/move.test.ts'], 'SQLite');
  });
});
