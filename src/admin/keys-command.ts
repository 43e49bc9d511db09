// `mailkeel admin keys`: replaces a lost API key or a key of the installation. Access to the data folder is sufficient
// permission, because it allows everything anyway.
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type KeyPermission, type Mode, KEY_PERMISSIONS, MODES } from '../contract/names.js';
import { type OutputOptions, type Terminal, print, table } from './terminal.js';
import { Refusal } from '../contract/refusal.js';
import type { Clock } from '../lib/runtime/index.js';
import type { Config } from '../settings/settings.js';
import { auditInsert } from '../accounts/audit/audit.store.js';
import { planApiKey } from '../accounts/api-keys/api-key-plan.js';
import { LAST_WORKSPACE_NUMBER } from '../accounts/workspace-plan.js';
import { ROTATABLE_KEYS, type RotatableKeys, rotateKey } from '../lib/secrets/index.js';
import { withAppliance } from '../app/installation/open-appliance.js';
import { replaceKeyFile } from '../app/installation/shared-key-files.js';
import { withStoppedServer } from '../app/installation/stopped-server.js';

interface CreateOptions extends OutputOptions {
  mode: Mode;
  name: string;
  permission: KeyPermission;
  workspace?: string;
}

export function addAdminKeys(admin: Command, terminal: Terminal): void {
  const keys = admin.command('keys').description('Manage API keys and installation keys');
  keys
    .command('create')
    .description('Create an API key, for example to replace a lost one')
    .addOption(new Option('--mode <mode>', 'Environment of the key').choices(MODES).makeOptionMandatory())
    .addOption(
      new Option('--permission <permission>', 'Permission of the key; admin covers the whole organization')
        .choices(KEY_PERMISSIONS)
        .default('full'),
    )
    .option('--workspace <id>', 'Workspace of the key (default: the first workspace)')
    .option('--name <name>', 'Name of the key', 'Created on the command line')
    .option('--json', 'Output JSON')
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
      print(terminal, output, value, `${text}\nStore this key now. You won't be able to see it again.`);
    });
  keys
    .command('rotate')
    .description('Rotate the key that signs links and return paths (tokens) or proofs; stop the server first')
    .argument('<keys>', ROTATABLE_KEYS.join(' or '), oneOfRotatable)
    .option('--json', 'Output JSON')
    .action(async (name: RotatableKeys, output: OutputOptions) => {
      const id = await adminRotateKeys(terminal.loadConfig().config, name, terminal.clock());
      const text = `Key ${id} will be used when the server starts. Earlier signatures remain valid. Create a backup now.`;
      print(terminal, output, { object: 'installation_key', keys: name, id }, text);
    });
}

function oneOfRotatable(given: string): RotatableKeys {
  const name = ROTATABLE_KEYS.find((one) => one === given);
  if (name === undefined) throw new InvalidArgumentError(`Must be ${ROTATABLE_KEYS.join(' or ')}.`);
  return name;
}

/** Throws a FolderLockError, or refuses with `conflict`, while a server uses the data folder or the database. */
function adminRotateKeys(config: Config, name: RotatableKeys, now: number): Promise<number> {
  return withStoppedServer(config, () =>
    withAppliance(
      config,
      ({ folder, place, keys: { masterKey }, engine }) => {
        const keep = (content: string): Promise<void> =>
          place.kind === 'server'
            ? replaceKeyFile(engine, { file: `${name}.json`, content, masterKey })
            : Promise.resolve();
        return rotateKey(folder.keysFolder, name, { now, keep });
      },
      {},
      { hasDatabaseLock: true },
    ),
  );
}

interface CreatedKey {
  id: string;
  name: string;
  mode: Mode;
  permission: KeyPermission;
  workspaceId: string;
  secret: string;
}

/**
 * Creates a key, by default in the first workspace. Refuses with `not_found` before the first bootstrap, and for an unknown
 * workspace.
 */
function adminCreateKey(
  config: Config,
  clock: Clock,
  wanted: { mode: Mode; name: string; permission: KeyPermission; workspaceId: string | null },
): Promise<CreatedKey> {
  return withAppliance(config, async ({ store }) => {
    const all = await store.accounts.environments();
    // The platform's own workspace has no keys.
    const environments = all.filter(({ workspaceNumber }) => workspaceNumber < LAST_WORKSPACE_NUMBER);
    const { mode, name, permission } = wanted;
    const environment = environments.find(
      (one) => one.mode === mode && (wanted.workspaceId === null || one.workspaceId === wanted.workspaceId),
    );
    if (!environment && wanted.workspaceId !== null && environments.length > 0) {
      throw new Refusal('not_found', `Workspace ${wanted.workspaceId} not found.`);
    }
    if (!environment) {
      throw new Refusal('not_found', 'No workspace exists yet. Run "mailkeel admin bootstrap" first.');
    }
    const { environmentId, workspaceId, organizationId } = environment;
    const now = clock();
    const { id, secret, change } = planApiKey({ environmentId, mode, name, permission }, now);
    const audit = auditInsert({
      at: now,
      organizationId,
      workspaceId,
      mode,
      actor: { kind: 'operator', id: null },
      action: 'apiKeys.create',
      targetId: id,
      detail: { fields: ['mode', 'name', 'permission'], values: { mode, name, permission } },
    });
    await store.commit([change, audit]);
    return { id, mode, name, permission, workspaceId, secret };
  });
}
