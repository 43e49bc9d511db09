// posthorn admin backup FILE
import type { Command } from 'commander';
import { adminBackup } from '../admin/backup.js';
import type { OutputOptions, Terminal } from './terminal.js';
import { print } from './terminal.js';

export function addAdminBackup(admin: Command, terminal: Terminal): void {
  admin
    .command('backup')
    .description('copy the database to FILE while the server runs; the keys folder is not inside')
    .argument('<file>', 'a file that does not exist yet')
    .option('--json', 'print JSON')
    .action(async (file: string, options: OutputOptions) => {
      const backup = await adminBackup(terminal.loadConfig().config, file);
      const note =
        `The keys are not inside. Copy ${backup.keysFolder} too, to another place: without it the signing keys ` +
        'and webhook secrets in this file cannot be opened.';
      const value = {
        file: backup.file,
        size_bytes: backup.sizeBytes,
        keys_folder: backup.keysFolder,
        note,
      };
      print(terminal, options, value, `${backup.file}: ${backup.sizeBytes} bytes\n${note}`);
    });
}
