// `mailkeel admin migrate`: updates the database schema, as every start does, or prints the pending steps.
import type { Command } from 'commander';
import { type OutputOptions, type Terminal, print } from './terminal.js';
import { planUpgradeCopy } from '../operations/backup/upgrade-copy.js';
import { planMigrations } from '../database/migrations/migrate.js';
import { type UpgradeListener, withAppliance } from '../app/installation/open-appliance.js';
import { withExistingDatabase } from '../app/installation/open-existing.js';

const UP_TO_DATE = 'The database is up to date.';

export function addAdminMigrate(admin: Command, terminal: Terminal): void {
  admin
    .command('migrate')
    .description('Migrate the database to this release (the server does this when it starts)')
    .option(
      '--dry-run',
      'Show pending migrations, the database size and the planned copy without changing anything',
    )
    .option('--json', 'Output JSON')
    .action(async (options: OutputOptions & { dryRun?: boolean }) => {
      await (options.dryRun === true ? dryRun(terminal, options) : run(terminal, options));
    });
}

async function run(terminal: Terminal, options: OutputOptions): Promise<void> {
  const { config } = terminal.loadConfig();
  const { upgrade } = await withAppliance(
    config,
    (appliance) => Promise.resolve(appliance),
    progress(terminal),
  );
  const { isNew, steps, copy } = upgrade;
  const value = {
    migrations: steps.map(({ name }) => name),
    steps: steps.map(({ name, does, tookMs }) => ({ name, does, took_ms: tookMs })),
    copy: copy && { file: copy.file, size_bytes: copy.sizeBytes },
  };
  const totalMs = steps.reduce((sum, { tookMs }) => sum + tookMs, 0);
  const done = `${isNew ? 'The database was made' : 'The database was upgraded'}: ${steps.length} migrations, ${totalMs} ms.`;
  print(terminal, options, value, steps.length === 0 ? UP_TO_DATE : done);
}

/** Prints progress for a person; a program reads only the result. */
function progress({ stdout, stderr }: Terminal): UpgradeListener {
  if (stdout.isTTY !== true) return {};
  const say = (line: string): void => void stderr.write(`${line}\n`);
  return {
    copied: ({ file, sizeBytes, tookMs }) =>
      say(`Copied the database to ${file} (${sizeBytes} bytes, ${tookMs} ms)`),
    notCopied: (reason) => say(`Database not copied: ${reason}`),
    begins: ({ name, does }) => say(`${name}: ${does}`),
    ended: ({ name, tookMs }) => say(`${name}: done (${tookMs} ms)`),
  };
}

async function dryRun(terminal: Terminal, options: OutputOptions): Promise<void> {
  const { config } = terminal.loadConfig();
  await withExistingDatabase(config, async (engine, { path, databaseFile }) => {
    const { pending, schema } = await planMigrations(engine);
    const facts = { databaseFile, schema: schema ?? 'new', now: terminal.clock() };
    const size = await engine.upkeep?.size();
    // A database server has its own backups.
    const copy =
      size === undefined || schema === null || pending.length === 0
        ? null
        : await planUpgradeCopy({ ...config, dataDir: path }, facts);
    const value = {
      schema,
      migrations: pending,
      size_bytes: size?.bytes ?? null,
      copy: copy && {
        file: copy.file,
        needed_bytes: copy.neededBytes,
        free_bytes: copy.freeBytes,
        reason_against: copy.reason,
      },
    };
    const lines = [
      `Database size: ${size === undefined ? 'unknown' : `${size.bytes} bytes`}. Latest migration: ${schema ?? 'none'}. Pending migrations:`,
      ...pending.map(({ name, does }) => `  ${name}: ${does}`),
      copy === null
        ? 'The database will not be copied first. Create a backup with PostgreSQL tools.'
        : copyLine(copy),
    ];
    print(terminal, options, value, pending.length === 0 ? UP_TO_DATE : lines.join('\n'));
  });
}

function copyLine({
  reason,
  file,
  neededBytes,
  freeBytes,
}: Awaited<ReturnType<typeof planUpgradeCopy>>): string {
  if (reason !== null) return `The database will not be copied first: ${reason}.`;
  return `The database will first be copied to ${file} (up to ${neededBytes} bytes; ${freeBytes} bytes free).`;
}
