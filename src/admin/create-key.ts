// `posthorn admin keys create`: replaces a lost key; whoever may read the data folder may do everything anyway.
import type { KeyPermission, Mode } from '../contract/names.js';
import { Refusal } from '../contract/refusal.js';
import type { Clock } from '../lib/runtime/clock.js';
import type { Config } from '../settings/settings.js';
import { auditInsert } from '../accounts/audit/audit.store.js';
import { planApiKey } from '../accounts/api-keys/api-key-plan.js';
import { LAST_WORKSPACE_NUMBER } from '../accounts/workspace-plan.js';
import { withAppliance } from './open-appliance.js';

export interface CreatedKey {
  id: string;
  name: string;
  mode: Mode;
  permission: KeyPermission;
  workspaceId: string;
  secret: string;
}

/** Without a workspace in the first. Refuses with `not_found` before the first bootstrap, and for an unknown workspace. */
export function adminCreateKey(
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
      throw new Refusal('not_found', 'There is no workspace yet. Run first: posthorn admin bootstrap');
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
