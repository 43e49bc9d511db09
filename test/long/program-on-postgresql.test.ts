// Runs all of test/program and of the folders of test/long, with their programs on a PostgreSQL server.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runOnPostgres } from '../support/on-postgres.js';
import { ensurePostgres, startPostgres, type PostgresServer } from '../support/postgres-server.js';

const skipReason = ensurePostgres();
if (skipReason !== null) console.warn(`skipped: test/program on PostgreSQL: ${skipReason}`);

describe.skipIf(skipReason !== null)('test/program on PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.close());

  it('passes', async () => {
    const { code, output } = await runOnPostgres(server.url, ['--project', 'program']);
    expect(code, output).toBe(0);
  });
});
