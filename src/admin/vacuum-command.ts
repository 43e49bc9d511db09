// posthorn admin vacuum
import type { Command } from 'commander';
import { adminVacuum } from '../admin/vacuum.js';
import type { OutputOptions, Terminal } from './terminal.js';
import { print } from './terminal.js';

export function addAdminVacuum(admin: Command, terminal: Terminal): void {
  admin
    .command('vacuum')
    .description('write the database file anew, without its free room; only while no server runs')
    .option('--json', 'print JSON')
    .action(async (options: OutputOptions) => {
      const { before, after } = await adminVacuum(terminal.loadConfig().config);
      const value = { size_bytes_before: before, size_bytes: after };
      print(terminal, options, value, `${before} bytes before, ${after} bytes now`);
    });
}
