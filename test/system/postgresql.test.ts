// Tests the store on a real PostgreSQL server. npm run test:long runs all of test/program on it; the other postgresql files test
// servers and nodes that are killed.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runOnPostgres } from '../support/on-postgres.js';
import { ensurePostgres, startPostgres, type PostgresServer } from '../support/postgres-server.js';
import { isFullSize } from '../support/run-size.js';

const skipReason = ensurePostgres();
if (skipReason !== null) console.warn(`skipped: a PostgreSQL server: ${skipReason}`);

const STORE = ['contract', 'migrations', 'nodes-on-postgres'];
const MOVE = ['--project', 'program', 'test/program/operations/move.test.ts'];

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

  it("meets the store's contract", async () => {
    await expectPassed([...STORE.map((name) => `test/database/${name}.test.ts`), '-t', 'PostgreSQL']);
  });

  it.runIf(isFullSize)('accepts data from SQLite, and returns it', async () => {
    await expectPassed(MOVE, 'SQLite');
  });
});
