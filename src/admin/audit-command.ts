// `posthorn admin audit verify`: checks the event chain of every workspace.
import type { Command } from 'commander';
import { EXIT } from './exit-code.js';
import { type OutputOptions, type Terminal, print } from './terminal.js';
import type { Config } from '../settings/settings.js';
import { type ChainReport, checkChains } from '../events/chain-check.store.js';
import { withReadStore } from './open-existing.js';

const BATCH = 1000;

/** One report per workspace; only reads, so it may run beside a server. */
function adminVerifyAudit(config: Pick<Config, 'dataDir'>): Promise<ChainReport[]> {
  return withReadStore(config, (store) => checkChains(store, BATCH));
}

export function addAdminAudit(admin: Command, terminal: Terminal): void {
  admin
    .command('audit')
    .description('the hash-chained event log')
    .command('verify')
    .description('walk the event chain of every workspace; exit code 9 when one is broken')
    .option('--json', 'print JSON')
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
  if (broken === null) return `${workspaceId}: ${entries} entries hold; head ${head}`;
  return `${workspaceId}: BROKEN at entry ${broken.seq} (position ${broken.position}): ${broken.reason}`;
}
