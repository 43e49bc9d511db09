// posthorn admin keys create
import type { Command } from 'commander';
import { Option } from 'commander';
import { adminCreateKey } from '../admin/create-key.js';
import type { Mode } from '../contract/names.js';
import { MODES } from '../contract/names.js';
import type { OutputOptions, Terminal } from './terminal.js';
import { print, table } from './terminal.js';

interface CreateOptions extends OutputOptions {
  mode: Mode;
  name: string;
}

export function addAdminKeys(admin: Command, terminal: Terminal): void {
  admin
    .command('keys')
    .description('API keys of the first workspace')
    .command('create')
    .description('make a key with full permission, for instance after one was lost')
    .addOption(new Option('--mode <mode>', 'environment of the key').choices(MODES).makeOptionMandatory())
    .option('--name <name>', 'what the key is for', 'Made on the command line')
    .option('--json', 'print JSON')
    .action(async ({ mode, name, ...output }: CreateOptions) => {
      const key = await adminCreateKey(terminal.loadConfig().config, terminal.clock, { mode, name });
      const text = table([
        ['id', key.id],
        ['name', key.name],
        ['key', key.secret],
      ]);
      const value = {
        id: key.id,
        object: 'api_key',
        name: key.name,
        mode: key.mode,
        workspace_id: key.workspaceId,
        key: key.secret,
      };
      print(terminal, output, value, `${text}\nKeep it: it is not shown again.`);
    });
}
