// posthorn admin migrate
import type { Command } from 'commander';
import { adminMigrate } from '../admin/migrate.js';
import type { OutputOptions, Terminal } from './terminal.js';
import { print } from './terminal.js';

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
