// `mailkeel admin config`: prints every setting with its value and origin.
import type { Command } from 'commander';
import { effectiveConfig } from '../settings/describe.js';
import { type OutputOptions, type Terminal, print, table } from './terminal.js';

export function addAdminConfig(admin: Command, terminal: Terminal): void {
  admin
    .command('config')
    .description('Show all settings with their values and sources')
    .option('--json', 'Output JSON')
    .action((options: OutputOptions) => {
      const rows = effectiveConfig(terminal.loadConfig());
      const text = table(rows.map((row) => [row.name, row.origin, row.value]));
      print(terminal, options, { settings: rows }, text);
    });
}
