// `mailkeel admin backup`: creates a verified backup in the configured location, as the schedule does; or, given a file, copies
// the database only. Works with or without a running server.
import type { Command } from 'commander';
import { type OutputOptions, type Terminal, print } from './terminal.js';
import { resolve } from 'node:path';
import { Refusal } from '../contract/refusal.js';
import { runBackup } from '../operations/backup/run-backup.js';
import type { Config } from '../settings/settings.js';
import { copyDatabase } from '../database/engine/file-tasks.js';
import { withAppliance } from '../app/installation/open-appliance.js';
import { folderWithDatabase } from '../app/installation/open-existing.js';

export function addAdminBackup(admin: Command, terminal: Terminal): void {
  admin
    .command('backup')
    .description('Create a verified backup in MAILKEEL_BACKUP_TO, or copy only the database to FILE')
    .argument('[file]', 'New file to copy the database to (default: back up to the configured location)')
    .option('--json', 'Output JSON')
    .action(async (file: string | undefined, options: OutputOptions) => {
      const { config } = terminal.loadConfig();
      if (file === undefined) await backUp(terminal, config, options);
      else await copyTo(terminal, config, { file, options });
    });
}

async function backUp(terminal: Terminal, config: Config, options: OutputOptions): Promise<void> {
  await folderWithDatabase(config);
  const { name, place, startedAt, endedAt, manifest, removed, archived } = await withAppliance(
    config,
    ({ store, folder }) => runBackup({ store, folder, config, clock: terminal.clock }),
  );
  const note =
    manifest.keys === null
      ? 'Keys are not included. Copy the keys folder to another location, or set MAILKEEL_BACKUP_PASSPHRASE to include it.'
      : 'Keys are included, encrypted with the passphrase. Store the passphrase elsewhere; the keys cannot be recovered without it.';
  const value = {
    ...{ name, place, size_bytes: manifest.database.sizeBytes, sha256: manifest.database.sha256 },
    ...{ with_keys: manifest.keys !== null, duration_ms: endedAt - startedAt, removed_files: removed, note },
    archive_files: archived,
  };
  const text = `Created and verified ${name} in ${place} (${manifest.database.sizeBytes} bytes).\n${note}`;
  print(terminal, options, value, text);
}

/** Refuses with `conflict` if the file exists. */
async function copyTo(
  terminal: Terminal,
  config: Config,
  { file: given, options }: { file: string; options: OutputOptions },
): Promise<void> {
  const folder = await folderWithDatabase(config);
  const file = resolve(given);
  try {
    const { sizeBytes } = await copyDatabase({ from: folder.databaseFile, to: file });
    const note = `Keys are not included. Copy ${folder.keysFolder} to another location as well. Without it, the signing keys and webhook secrets in this file cannot be decrypted. Also copy the archive folder, if it exists.`;
    const value = { file, size_bytes: sizeBytes, keys_folder: folder.keysFolder, note };
    print(terminal, options, value, `${file}: ${sizeBytes} bytes\n${note}`);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') {
      throw new Refusal('conflict', `${file} already exists. Choose a new file name.`);
    }
    throw error;
  }
}
