// `mailkeel admin keys`: replaces a lost API key, or a key of the installation. A user who may read the data folder may do
// everything anyway.
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type KeyPermission, type Mode, KEY_PERMISSIONS, MODES } from '../contract/names.js';
import { type OutputOptions, type Terminal, print, table } from './terminal.js';
import { Refusal } from '../contract/refusal.js';
import type { Clock } from '../lib/runtime/clock.js';
import type { Config } from '../settings/settings.js';
import { auditInsert } from '../accounts/audit/audit.store.js';
import { planApiKey } from '../accounts/api-keys/api-key-plan.js';
import { LAST_WORKSPACE_NUMBER } from '../accounts/workspace-plan.js';
import { ROTATABLE_KEYS, rotateKey, type RotatableKeys } from '../lib/runtime/key-files.js';
import { withAppliance } from './open-appliance.js';
import { replaceKeyFile } from './shared-key-files.js';
import { withStoppedServer } from './stopped-server.js';

interface CreateOptions extends OutputOptions {
  mode: Mode;
  name: string;
  permission: KeyPermission;
  workspace?: string;
}

export function addAdminKeys(admin: Command, terminal: Terminal): void {
  const keys = admin.command('keys').description('API keys, and keys of the installation');
  keys
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
  keys
    .command('rotate')
    .description('let a new key sign links and return paths (tokens), or proofs; only while no server runs')
    .argument('<keys>', ROTATABLE_KEYS.join(' or '), oneOfRotatable)
    .option('--json', 'print JSON')
    .action(async (name: RotatableKeys, output: OutputOptions) => {
      const id = await adminRotateKeys(terminal.loadConfig().config, name, terminal.clock());
      const text = `Key ${id} signs when the server starts. The former keys verify what they signed. Make a backup.`;
      print(terminal, output, { object: 'installation_key', keys: name, id }, text);
    });
}

function oneOfRotatable(given: string): RotatableKeys {
  const name = ROTATABLE_KEYS.find((one) => one === given);
  if (name === undefined) throw new InvalidArgumentError(`It must be ${ROTATABLE_KEYS.join(' or ')}.`);
  return name;
}

/** Throws a FolderLockError, or refuses with `conflict`, while a server works on the data folder or the database. */
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

/** Makes a key; without a workspace in the first one. Refuses with `not_found` before the first bootstrap, and for an unknown workspace. */
function adminCreateKey(
  config: Config,
  clock: Clock,
  wanted: { mode: Mode; name: string; permission: KeyPermission; workspaceId: string | null },
): Promise<CreatedKey> {
  return withAppliance(config, async ({ store }) => {
    const all = await store.accounts.environments();
    // The appliance's own workspace has no keys.
    const environments = all.filter(({ workspaceNumber }) => workspaceNumber < LAST_WORKSPACE_NUMBER);
    const { mode, name, permission } = wanted;
    const environment = environments.find(
      (one) => one.mode === mode && (wanted.workspaceId === null || one.workspaceId === wanted.workspaceId),
    );
    if (!environment && wanted.workspaceId !== null && environments.length > 0) {
      throw new Refusal('not_found', `There is no workspace ${wanted.workspaceId}.`);
    }
    if (!environment) {
      throw new Refusal('not_found', 'There is no workspace yet. Run first: mailkeel admin bootstrap');
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
