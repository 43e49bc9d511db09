// `mailkeel admin bootstrap`: creates the first organization, workspace and keys.
import type { Command } from 'commander';
import { adminBootstrap } from '../admin/bootstrap.js';
import { RETENTION_HEADING, retentionLines } from '../operations/retention/retention-periods.rules.js';
import { type OutputOptions, type Terminal, print, table } from './terminal.js';

export function addAdminBootstrap(admin: Command, terminal: Terminal): void {
  admin
    .command('bootstrap')
    .description('Create the first organization, workspace and API keys')
    .option('--json', 'Output JSON')
    .action(async (options: OutputOptions) => {
      const { config } = terminal.loadConfig();
      const made = await adminBootstrap(config, terminal.clock);
      const isFirst = made.liveKey !== null && made.testKey !== null;
      const keys =
        made.liveKey === null || made.testKey === null
          ? 'The keys have already been created and shown. To create another key, run: mailkeel admin keys create --mode live'
          : `${table([
              ['live key', made.liveKey],
              ['test key', made.testKey],
            ])}\nStore these keys now. You won't be able to see them again.`;
      const names = table([
        ['organization', made.organizationId],
        ['workspace', made.workspaceId],
      ]);
      const value = {
        organization_id: made.organizationId,
        workspace_id: made.workspaceId,
        live_key: made.liveKey,
        test_key: made.testKey,
      };
      const kept = isFirst ? `\n\n${RETENTION_HEADING}:\n${retentionLines(config).join('\n')}` : '';
      print(terminal, options, value, `${names}\n${keys}${kept}`);
    });
}
