// posthorn admin keys create
import type { Command } from 'commander';
import { Option } from 'commander';
import { adminCreateKey } from '../admin/create-key.js';
import type { KeyPermission, Mode } from '../contract/names.js';
import { KEY_PERMISSIONS, MODES } from '../contract/names.js';
import type { OutputOptions, Terminal } from './terminal.js';
import { print, table } from './terminal.js';

interface CreateOptions extends OutputOptions {
  mode: Mode;
  name: string;
  permission: KeyPermission;
  workspace?: string;
}

export function addAdminKeys(admin: Command, terminal: Terminal): void {
  admin
    .command('keys')
    .description('API keys')
    .command('create')
    .description('make a key, for instance after one was lost')
    .addOption(new Option('--mode <mode>', 'environment of the key').choices(MODES).makeOptionMandatory())
    .addOption(
      new Option('--permission <permission>', 'what the key may do; admin reaches the whole organization')
        .choices(KEY_PERMISSIONS)
        .default('full'),
    )
    .option('--workspace <id>', 'the workspace of the key; the first unless given')
    .option('--name <name>', 'what the key is for', 'Made on the command line')
    .option('--json', 'print JSON')
    .action(async ({ mode, name, permission, workspace, ...output }: CreateOptions) => {
      const wanted = { mode, name, permission, workspaceId: workspace ?? null };
      const key = await adminCreateKey(terminal.loadConfig().config, terminal.clock, wanted);
      const text = table([
        ['id', key.id],
        ['name', key.name],
        ['permission', key.permission],
        ['workspace', key.workspaceId],
        ['key', key.secret],
      ]);
      const value = {
        id: key.id,
        object: 'api_key',
        name: key.name,
        mode: key.mode,
        permission: key.permission,
        workspace_id: key.workspaceId,
        key: key.secret,
      };
      print(terminal, output, value, `${text}\nKeep it: it is not shown again.`);
    });
}
