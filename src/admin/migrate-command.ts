// `mailkeel admin migrate`: brings the database up to date, as every start does, or says what that would do.
import type { Command } from 'commander';
import { type OutputOptions, type Terminal, print } from './terminal.js';
import { planUpgradeCopy } from '../operations/backup/upgrade-copy.js';
import { planMigrations } from '../store/migrations/migrate.js';
import { type UpgradeListener, withAppliance } from './open-appliance.js';
import { withExistingDatabase } from './open-existing.js';

const UP_TO_DATE = 'The database is up to date.';

export function addAdminMigrate(admin: Command, terminal: Terminal): void {
  admin
    .command('migrate')
    .description('bring the database up to date; every start of the server does the same')
    .option('--dry-run', 'say what would be done, on which size and with which copy, and change nothing')
    .option('--json', 'print JSON')
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

/** Lines for a person who waits; a program reads the result alone. */
function progress({ stdout, stderr }: Terminal): UpgradeListener {
  if (stdout.isTTY !== true) return {};
  const say = (line: string): void => void stderr.write(`${line}\n`);
  return {
    copied: ({ file, sizeBytes, tookMs }) =>
      say(`Copied the database to ${file}: ${sizeBytes} bytes, ${tookMs} ms`),
    notCopied: (reason) => say(`No copy of the database: ${reason}`),
    begins: ({ name, does }) => say(`${name}: ${does}`),
    ended: ({ name, tookMs }) => say(`${name}: done, ${tookMs} ms`),
  };
}

async function dryRun(terminal: Terminal, options: OutputOptions): Promise<void> {
  const { config } = terminal.loadConfig();
  await withExistingDatabase(config, async (engine, { path, databaseFile }) => {
    const { pending, schema } = await planMigrations(engine);
    const facts = { databaseFile, schema: schema ?? 'new', now: terminal.clock() };
    const size = await engine.upkeep?.size();
    // A server has backups of its own.
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
      `The database has ${size === undefined ? '' : `${size.bytes} bytes and `}migrations up to ${schema ?? 'none'}. These would run:`,
      ...pending.map(({ name, does }) => `  ${name}: ${does}`),
      copy === null
        ? 'It would not be copied before. Make a backup with the tools of PostgreSQL.'
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
  if (reason !== null) return `It would not be copied before: ${reason}.`;
  return `Before, it would be copied to ${file}: up to ${neededBytes} bytes, ${freeBytes} are free.`;
}
