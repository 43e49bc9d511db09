// `mailkeel admin audit verify`: verifies the event chain of every workspace.
import type { Command } from 'commander';
import { EXIT } from './exit-code.js';
import { type OutputOptions, type Terminal, print } from './terminal.js';
import type { Config } from '../settings/settings.js';
import { type ChainReport, checkChains } from '../events/chain-check.store.js';
import { openKeyFiles } from '../lib/secrets/index.js';
import { archiveFiles } from '../operations/files/installation-files.js';
import { archiveReads } from '../operations/retention/event-archive.js';
import { choosePlace } from '../database/engine/place.js';
import { createReadStore } from '../app/store.js';
import { type DatabaseSettings, withExistingDatabase } from '../app/installation/open-existing.js';

const BATCH = 1000;

/** Returns one report per workspace. Only reads, so it may run beside a server. */
function adminVerifyAudit(config: DatabaseSettings & Pick<Config, 'masterKeyFile'>): Promise<ChainReport[]> {
  return withExistingDatabase(config, async (engine, folder) => {
    const store = createReadStore(engine);
    const [segment] = await store.segments.after(0, 1);
    if (segment === undefined) return checkChains(store, BATCH);
    const { dataDir, masterKeyFile } = config;
    const { proofKeys } = await openKeyFiles(dataDir, { databaseExists: true, masterKeyFile });
    const place = choosePlace(config, folder.databaseFile);
    const files = archiveFiles({ place, dataFolder: folder.path }, store.files);
    return checkChains(store, BATCH, archiveReads(files, proofKeys.all));
  });
}

export function addAdminAudit(admin: Command, terminal: Terminal): void {
  admin
    .command('audit')
    .description('Verify the hash-chained event log')
    .command('verify')
    .description('Verify the event chain and archive of every workspace (exit code 9 if one is broken)')
    .option('--json', 'Output JSON')
    .action(async (options: OutputOptions) => {
      const reports = await adminVerifyAudit(terminal.loadConfig().config);
      const isValid = reports.every((report) => report.broken === null);
      if (!isValid) terminal.exitCode = EXIT.checkFailed;
      const value = {
        valid: isValid,
        workspaces: reports.map((report) => ({
          workspace_id: report.workspaceId,
          workspace_number: report.workspaceNumber,
          entries: report.entries,
          head: report.head,
          broken: report.broken,
        })),
      };
      print(terminal, options, value, reports.map(sentence).join('\n'));
    });
}

function sentence({ workspaceId, entries, head, broken }: ChainReport): string {
  if (broken === null) return `${workspaceId}: ${entries} entries verified, head ${head}`;
  return `${workspaceId}: BROKEN at entry ${broken.seq} (position ${broken.position}): ${broken.reason}`;
}
