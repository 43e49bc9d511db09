// A database file with the newest schema, made once for the whole run: a hundred statements take longer than most of what a
// test asks of the rows.
import { copyFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite } from '../../src/store/engine/sqlite.js';
import { migrate } from '../../src/store/migrations/migrate.js';

const TEMPLATE = 'migrated.db';

/** In the run's folder, before the tests. */
export async function makeMigratedFile(folder: string): Promise<void> {
  const engine = openSqlite({ file: join(folder, TEMPLATE), busyTimeoutMs: 5_000 });
  await migrate(engine);
  await engine.close();
}

/** Puts a database without rows at `file`, where there is none yet. */
export async function layMigratedFile(file: string): Promise<void> {
  await copyFile(join(tmpdir(), TEMPLATE), file);
}
