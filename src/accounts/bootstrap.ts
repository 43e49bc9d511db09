// Creates the first organization of an installation, at server startup or by `mailkeel admin bootstrap`.
import { Refusal } from '../contract/refusal.js';
import type { Mode } from '../contract/names.js';
import { type Clock, newId } from '../lib/runtime/index.js';
import { auditInsert } from './audit/audit.store.js';
import type { AccountStores } from './stores.js';
import { planApiKey, type KeyMaker } from './api-keys/api-key-plan.js';
import { OPERATOR_WORKSPACE } from './operator.rules.js';
import { environmentRowId, planWorkspace } from './workspace-plan.js';
import { type MarkTable, marks, organizations } from './accounts.tables.js';
import type { Plan } from '../database/change.js';
import { insert } from '../database/rows.js';

export interface FirstAccount {
  organizationId: string;
  workspaceId: string;
}

export interface Bootstrapped extends FirstAccount {
  /** Secrets of the first keys. Null if they were created and shown before. */
  liveKey: string | null;
  testKey: string | null;
}

interface BootstrapOptions {
  clock: Clock;
  organizationName?: string;
}

type AccountAccess = Pick<AccountStores, 'accounts' | 'commit'>;

/** Creates the organization, workspace, environments and event chain unless they exist, and two keys the first time. */
export async function bootstrap(store: AccountAccess, options: BootstrapOptions): Promise<Bootstrapped> {
  const account = await ensureFirstAccount(store, options);
  const now = options.clock();
  const live = planFirstKey('live', 'First live key', { now });
  const test = planFirstKey('test', 'First test key', { now });
  const audit = auditInsert({
    at: now,
    organizationId: account.organizationId,
    workspaceId: account.workspaceId,
    actor: { kind: 'operator', id: null },
    action: 'bootstrap',
    targetId: account.workspaceId,
    detail: { made: [live.id, test.id] },
  });
  const isFirst = await commitOnce(store, 'bootstrap_keys', null, [live.change, test.change, audit], now);
  return { ...account, liveKey: isFirst ? live.secret : null, testKey: isFirst ? test.secret : null };
}

/** Returns the first organization and workspace, and creates them if missing. Concurrent calls create them once. */
export async function ensureFirstAccount(
  store: AccountAccess,
  options: BootstrapOptions,
): Promise<FirstAccount> {
  const known = await firstAccount(store);
  if (known) return known;
  const now = options.clock();
  const account = { organizationId: newId('org', now), workspaceId: newId('ws', now) };
  try {
    await store.commit(planFirstAccount(account, options.organizationName ?? 'My organization', now));
    return account;
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'conflict') throw error;
    const theirs = await firstAccount(store);
    if (!theirs) throw error;
    return theirs;
  }
}

/**
 * Plans a key of the first workspace. The live one has permission `admin`, because its owner can read the data folder anyway.
 */
export function planFirstKey(
  mode: Mode,
  name: string,
  { now, maker = null }: { now: number; maker?: KeyMaker | null },
): ReturnType<typeof planApiKey> {
  const environmentId = environmentRowId(OPERATOR_WORKSPACE, mode);
  const permission = mode === 'live' ? 'admin' : 'full';
  return planApiKey({ environmentId, mode, name, permission, maker }, now);
}

/** Commits the plan unless the mark exists, and returns whether it did. */
export async function commitOnce(
  store: Pick<AccountStores, 'commit'>,
  name: MarkTable['name'],
  value: Uint8Array | null,
  plan: Plan,
  now: number,
): Promise<boolean> {
  try {
    await store.commit([
      insert(marks, { row: { name, value, created_at: now }, conflict: { code: 'conflict' } }),
      ...plan,
    ]);
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.code === 'conflict') return false;
    throw error;
  }
}

async function firstAccount(store: Pick<AccountStores, 'accounts'>): Promise<FirstAccount | null> {
  const environments = await store.accounts.environments();
  const first = environments.find((environment) => environment.workspaceNumber === OPERATOR_WORKSPACE);
  return first ? { organizationId: first.organizationId, workspaceId: first.workspaceId } : null;
}

function planFirstAccount({ organizationId, workspaceId }: FirstAccount, name: string, now: number): Plan {
  return [
    insert(organizations, {
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
    }),
    ...planWorkspace({ id: workspaceId, number: OPERATOR_WORKSPACE, organizationId, name }, now),
  ];
}
