// Reads query plans of SQLite, to show that an index serves a read.
import { vi } from 'vitest';
import { Database } from '../../src/database/engine/sqlite-driver.js';
import type { OpenEngine } from './open-engines.js';

/** Returns the plans of the statements of a read that name the table, one line for each. */
export async function plansOf(
  opened: OpenEngine,
  table: string,
  read: () => Promise<unknown>,
): Promise<string[]> {
  const prepare = vi.spyOn(Database.prototype, 'prepare');
  await read();
  const statements = prepare.mock.calls.map(([text]) => text).filter((text) => text.includes(table));
  prepare.mockRestore();
  return Promise.all(
    statements.map(async (statement) => {
      const values = Array.from(statement.matchAll(/\?/g), () => 1);
      const steps = await opened.raw(`EXPLAIN QUERY PLAN ${statement}`, values);
      return steps.map(({ detail }) => String(detail)).join('; ');
    }),
  );
}
