// `posthorn admin migrate`: brings the database up to date, as every start does.
import type { Command } from 'commander';
import { type OutputOptions, type Terminal, print } from './terminal.js';
import type { Config } from '../settings/settings.js';
import { withAppliance } from './open-appliance.js';

export function addAdminMigrate(admin: Command, terminal: Terminal): void {
  admin
    .command('migrate')
    .description('bring the database up to date; every start of the server does the same')
    .option('--json', 'print JSON')
    .action(async (options: OutputOptions) => {
      const steps = await adminMigrate(terminal.loadConfig().config);
      const text =
        steps.length === 0 ? 'The database is up to date.' : `Migrations that ran: ${steps.join(', ')}`;
      print(terminal, options, { migrations: steps }, text);
    });
}

/** Brings the database up to date. Returns the names of the steps that ran; empty when there was nothing to do. */
function adminMigrate(config: Config): Promise<string[]> {
  return withAppliance(config, ({ migrated }) => Promise.resolve(migrated));
}
