// The first organization of an appliance: made once, by whoever comes first, the server or `posthorn admin bootstrap`.
import { Refusal } from '../../contract/refusal.js';
import type { Mode } from '../../contract/names.js';
import { CHAIN_START } from '../../mail/event-chain.js';
import type { Clock } from '../../runtime/clock.js';
import { newId } from '../../runtime/ids.js';
import type { Plan } from '../../store/plan.js';
import type { Store } from '../../store/store.js';
import { planApiKey } from './api-key-plan.js';

const FIRST_WORKSPACE = 1;

export interface Bootstrapped {
  organizationId: string;
  workspaceId: string;
  /** Secrets of the first keys; null when they were made, and shown, before. */
  liveKey: string | null;
  testKey: string | null;
}

export interface BootstrapOptions {
  clock: Clock;
  organizationName?: string;
}

/**
 * Row id of a workspace's environment. Chosen rather than counted up, so that one plan can make the workspace, its
 * environments and their keys; every maker of workspaces must use it.
 */
export function environmentRowId(workspaceNumber: number, mode: Mode): number {
  return 2 * workspaceNumber - (mode === 'live' ? 1 : 0);
}

/** Makes the organization, workspace, environments, event chain and a key for each environment, unless they exist. */
export async function bootstrap(
  store: Pick<Store, 'accounts' | 'commit'>,
  options: BootstrapOptions,
): Promise<Bootstrapped> {
  const known = await firstWorkspace(store);
  if (known) return known;
  const { plan, result } = firstPlan(options.clock(), options.organizationName ?? 'My organization');
  try {
    await store.commit(plan);
    return result;
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'conflict') throw error;
    // Another process was faster; its keys are the ones.
    const theirs = await firstWorkspace(store);
    if (!theirs) throw error;
    return theirs;
  }
}

async function firstWorkspace(store: Pick<Store, 'accounts'>): Promise<Bootstrapped | null> {
  const environments = await store.accounts.environments();
  const first = environments.find((environment) => environment.workspaceNumber === FIRST_WORKSPACE);
  if (!first) return null;
  const { organizationId, workspaceId } = first;
  return { organizationId, workspaceId, liveKey: null, testKey: null };
}

function firstPlan(now: number, name: string): { plan: Plan; result: Bootstrapped } {
  const organizationId = newId('org', now);
  const workspaceId = newId('ws', now);
  const keyOf = (mode: Mode) => {
    const environmentId = environmentRowId(FIRST_WORKSPACE, mode);
    return planApiKey({ environmentId, mode, name: `First ${mode} key`, permission: 'full' }, now);
  };
  const environmentOf = (mode: Mode) =>
    ({
      kind: 'insert',
      into: 'environments',
      row: { id: environmentRowId(FIRST_WORKSPACE, mode), workspace_id: workspaceId, mode },
    }) as const;
  const live = keyOf('live');
  const test = keyOf('test');
  const plan: Plan = [
    {
      kind: 'insert',
      into: 'organizations',
      row: {
        id: organizationId,
        name,
        postal_address: null,
        plan: 'unlimited',
        unsubscribe_blocks: 'all',
        track_opens: 1,
        track_clicks: 1,
        created_at: now,
        updated_at: now,
      },
    },
    {
      kind: 'insert',
      into: 'workspaces',
      row: {
        id: workspaceId,
        number: FIRST_WORKSPACE,
        organization_id: organizationId,
        name,
        created_at: now,
      },
      conflict: { code: 'conflict', message: 'The appliance has a first workspace already.' },
    },
    environmentOf('live'),
    environmentOf('test'),
    {
      kind: 'insert',
      into: 'chains',
      row: { workspace_number: FIRST_WORKSPACE, head_seq: 0, head_hash: CHAIN_START, fanned_out_seq: 0 },
    },
    live.change,
    test.change,
  ];
  return { plan, result: { organizationId, workspaceId, liveKey: live.secret, testKey: test.secret } };
}
