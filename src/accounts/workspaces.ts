// Workspaces of an organization: create, rename, set how long mail is kept. Each has a live and a test environment.
import { changeTime } from '../contract/time.js';
import { Refusal } from '../contract/refusal.js';
import type { Clock } from '../lib/runtime/clock.js';
import { newId } from '../lib/runtime/ids.js';
import type { AccountStores } from './stores.js';
import { planApiKey, type KeyMaker, type MadeKey } from './api-keys/api-key-plan.js';
import { makerOf } from './api-keys/api-keys.js';
import type { Caller } from '../http/access/caller.js';
import { environmentRowId, LAST_WORKSPACE_NUMBER, planWorkspace } from './workspace-plan.js';
import { type Workspace, workspaces } from './accounts.tables.js';
import { type ChangeGuard, update } from '../database/rows.js';

/** Two that take the same number at once: one of them looks again. */
const TRIES = 20;

export interface WantedWorkspace {
  name: string;
  retentionDays: number | null;
  retentionMode: 'redact' | 'delete' | null;
}

export interface Workspaces {
  /** With its first two keys, live and test, if `withKeys`, that end and are limited as the calling key. Refuses `forbidden` and, at the appliance's limit, `conflict`. */
  create(
    caller: Caller,
    wanted: WantedWorkspace,
    withKeys: boolean,
  ): Promise<{ row: Workspace; keys: MadeKey[] }>;
  /** Refuses `not_found` and `forbidden`. */
  change(
    caller: Caller,
    id: string,
    change: Partial<WantedWorkspace>,
    guard: ChangeGuard<number | null>,
  ): Promise<Workspace>;
  /** One that the caller may see: a key its own, a person and an admin key all of the organization. Refuses `not_found`. */
  read(caller: Caller, id: string): Promise<Workspace>;
}

/** Null: no bound. */
interface KeyBounds {
  allowedIps: readonly string[] | null;
  expiresAt: number | null;
}

export interface WorkspaceDeps {
  store: Pick<AccountStores, 'accounts' | 'people' | 'commit'>;
  clock: Clock;
  /** Of the whole appliance. */
  limit: number;
}

export function createWorkspaces({ store, clock, limit }: WorkspaceDeps): Workspaces {
  async function read(caller: Caller, id: string): Promise<Workspace> {
    const { organizationId, workspaceId } = caller.scope;
    const isVisible = isOfOrganization(caller) || id === workspaceId;
    const row = isVisible ? await store.accounts.workspace(organizationId, id) : null;
    if (!row) throw new Refusal('not_found');
    return row;
  }

  /** The addresses and the end of the calling key: its keys may not be used from elsewhere, or for longer. */
  async function boundsOf({ actor, scope }: Caller): Promise<KeyBounds> {
    if (actor.kind !== 'api_key') return { allowedIps: null, expiresAt: null };
    const own = await store.accounts.apiKey(scope, actor.id);
    if (!own) throw new Refusal('unauthorized', 'The API key is unknown or revoked.');
    const allowedIps = own.allowed_ips === null ? null : (JSON.parse(own.allowed_ips) as string[]); // as it was written
    return { allowedIps, expiresAt: own.expires_at };
  }

  async function freeNumber(): Promise<number> {
    const { count, highest } = await store.accounts.workspacesBelow(LAST_WORKSPACE_NUMBER);
    if (count >= limit || highest + 1 >= LAST_WORKSPACE_NUMBER) {
      throw new Refusal(
        'conflict',
        `The server has reached its limit of ${limit} workspaces. The operator can raise MAILKEEL_WORKSPACES.`,
      );
    }
    return highest + 1;
  }

  return {
    read,

    async create(caller, wanted, withKeys) {
      assertMayManage(caller);
      const { organizationId } = caller.scope;
      const bounds = { ...(await boundsOf(caller)), maker: await makerOf(store, caller) };
      const id = newId('ws', clock());
      for (let tries = 1; ; tries++) {
        const now = clock();
        const number = await freeNumber();
        const keys = withKeys ? firstKeys(number, bounds, now) : [];
        try {
          await store.commit([
            ...planWorkspace({ id, number, organizationId, ...wanted }, now),
            ...keys.map(({ change }) => change),
          ]);
        } catch (error) {
          const isTaken = error instanceof Refusal && error.code === 'conflict';
          if (!isTaken || tries >= TRIES) throw error;
          continue;
        }
        const row = await store.accounts.workspace(organizationId, id);
        if (!row) throw new Error('The workspace was deleted right after it was made.');
        return { row, keys: keys.map(({ row: shown, secret }) => ({ row: shown, secret })) };
      }
    },

    async change(caller, id, { name, retentionDays, retentionMode }, guard) {
      assertMayManage(caller);
      const before = await read(caller, id);
      const set = {
        ...(name === undefined ? {} : { name }),
        ...(retentionDays === undefined ? {} : { retention_days: retentionDays }),
        ...(retentionMode === undefined ? {} : { retention_mode: retentionMode }),
      };
      if (Object.keys(set).length === 0) return before;
      const changed = { ...set, updated_at: changeTime(before, clock()) };
      const where = { id, ...guard.where };
      const otherwise = guard.otherwise ?? { code: 'not_found' };
      await store.commit([update(workspaces, { set: changed, where, otherwise })]);
      return { ...before, ...changed };
    },
  };
}

function firstKeys(workspaceNumber: number, bounds: KeyBounds & { maker: KeyMaker | null }, now: number) {
  return (['live', 'test'] as const).map((mode) => {
    const environmentId = environmentRowId(workspaceNumber, mode);
    const key = { environmentId, mode, name: `First ${mode} key`, permission: 'full' as const, ...bounds };
    const planned = planApiKey(key, now);
    return { ...planned, row: planned.shown };
  });
}

/** A person, and a key of permission `admin`, reach all workspaces of the organization; other keys their own. */
export function isOfOrganization({ role, permission }: Pick<Caller, 'role' | 'permission'>): boolean {
  return role !== null || permission === 'admin';
}

/**
 * Refuses test keys and tenant keys: settings shared by both environments, and new workspaces, belong to the
 * organization.
 */
function assertMayManage({ role, scope }: Caller): void {
  if (scope.subTenantId !== null) {
    throw new Refusal(
      'forbidden',
      'Requests scoped to a sub-tenant cannot access workspaces. Omit X-Sub-Tenant-Id, or use a key that is not pinned to a sub-tenant.',
    );
  }
  if (role === null && scope.mode === 'test') {
    throw new Refusal('forbidden', 'Test keys cannot create or change workspaces.');
  }
}
