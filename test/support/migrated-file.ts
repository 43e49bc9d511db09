// A database file with the newest schema, created once for the whole run, because the hundred statements take longer than most of
// a test's queries.
import { existsSync, rmSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openKeyFiles } from '../../src/lib/secrets/index.js';
import { openSqlite } from '../../src/database/engine/sqlite.js';
import { migrate } from '../../src/database/migrations/migrate.js';

const TEMPLATE = 'migrated.db';

/** In the run's folder, before the tests. */
export async function makeMigratedFile(folder: string): Promise<void> {
  await migrateFile(join(folder, TEMPLATE));
}

/** Creates a database without rows at `file`, unless it exists. */
export async function layMigratedFile(file: string): Promise<void> {
  ofRun ??= templateOfRun();
  await copyFile(await ofRun, file);
}

let ofRun: Promise<string> | null = null;

/** Tests with real peers have no run folder, so theirs is created once per worker. */
async function templateOfRun(): Promise<string> {
  const template = join(tmpdir(), TEMPLATE);
  if (existsSync(template)) return template;
  const folder = await mkdtemp(join(tmpdir(), 'mailkeel-migrated-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  await makeMigratedFile(folder);
  return join(folder, TEMPLATE);
}

/** Creates a data folder, unless it exists, as a first start leaves it, without an organization. */
export async function layDataFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // First the keys, because a database without keys counts as one that lost them.
  await openKeyFiles(folder);
  await layMigratedFile(join(folder, 'mail.db'));
}

async function migrateFile(file: string): Promise<void> {
  const engine = openSqlite({ file, busyTimeoutMs: 5_000 });
  await migrate(engine);
  await engine.close();
}
