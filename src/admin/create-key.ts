// `posthorn admin keys create`: replaces a lost key; whoever may read the data folder may do everything anyway.
import type { Mode } from '../contract/names.js';
import { Refusal } from '../contract/refusal.js';
import type { Clock } from '../runtime/clock.js';
import type { Config } from '../runtime/config/schema.js';
import { auditInsert } from '../store/audit.js';
import { planApiKey } from '../work/accounts/api-key-plan.js';
import { withAppliance } from './open-appliance.js';

export interface CreatedKey {
  id: string;
  name: string;
  mode: Mode;
  workspaceId: string;
  secret: string;
}

/** A key with full permission in the first workspace. Refuses with `not_found` before the first bootstrap. */
export function adminCreateKey(
  config: Config,
  clock: Clock,
  wanted: { mode: Mode; name: string },
): Promise<CreatedKey> {
  return withAppliance(config, async ({ store }) => {
    const environments = await store.accounts.environments();
    const environment = environments.find(({ mode }) => mode === wanted.mode);
    if (!environment) {
      throw new Refusal('not_found', 'There is no workspace yet. Run first: posthorn admin bootstrap');
    }
    const { environmentId, workspaceId, organizationId } = environment;
    const now = clock();
    const { id, secret, change } = planApiKey({ environmentId, ...wanted, permission: 'full' }, now);
    const audit = auditInsert({
      at: now,
      organizationId,
      workspaceId,
      mode: wanted.mode,
      actor: { kind: 'operator', id: null },
      action: 'createApiKey',
      targetId: id,
      detail: { fields: ['mode', 'name'], values: wanted },
    });
    await store.commit([change, audit]);
    return { id, ...wanted, workspaceId, secret };
  });
}
