// Creates, renames and configures the workspaces of an organization.
import { changeTime } from '../contract/time.js';
import { Refusal } from '../contract/refusal.js';
import { type Clock, newId } from '../lib/runtime/index.js';
import type { AccountContext } from './context.js';
import type { Config } from '../settings/settings.js';
import type { AccountStores } from './stores.js';
import { planApiKey, type KeyMaker, type MadeKey } from './api-keys/api-key-plan.js';
import { readMaker } from './api-keys/api-keys.js';
import type { Caller } from '../http/access/caller.js';
import { environmentRowId, LAST_WORKSPACE_NUMBER, planWorkspace } from './workspace-plan.js';
import { type Workspace, workspaces } from './accounts.tables.js';
import { type ChangeGuard, update } from '../database/rows.js';

/** Attempts to take a number, which simultaneous requests may take first. */
const TRIES = 20;

interface WantedWorkspace {
  name: string;
  retentionDays: number | null;
  retentionMode: 'redact' | 'delete' | null;
}

/** Null for no limit. */
interface KeyBounds {
  allowedIps: readonly string[] | null;
  expiresAt: number | null;
}

type WorkspaceContext = Pick<AccountContext, 'store' | 'clock'> & {
  settings: Pick<Config, 'workspaceLimit'>;
};

export class Workspaces {
  readonly #store: AccountStores;
  readonly #clock: Clock;
  /** Limits the workspaces of the whole server. */
  readonly #limit: number;

  constructor({ store, clock, settings }: WorkspaceContext) {
    this.#store = store;
    this.#clock = clock;
    this.#limit = settings.workspaceLimit;
  }

  /**
   * Reads a workspace that the caller may see: any of the organization for people and admin keys, its own for another key.
   * Refuses with `not_found`.
   */
  async read(caller: Caller, id: string): Promise<Workspace> {
    const { organizationId, workspaceId } = caller.scope;
    const isVisible = hasOrganizationAccess(caller) || id === workspaceId;
    const row = isVisible ? await this.#store.accounts.workspace(organizationId, id) : null;
    if (!row) throw new Refusal('not_found');
    return row;
  }

  /**
   * Creates a workspace, with a live and a test key if `withKeys`, which expire and are limited as the calling key. Refuses
   * with `forbidden`, or with `conflict` at the server's limit.
   */
  async create(
    caller: Caller,
    wanted: WantedWorkspace,
    withKeys: boolean,
  ): Promise<{ row: Workspace; keys: MadeKey[] }> {
    assertMayManage(caller);
    const { organizationId } = caller.scope;
    const bounds = { ...(await this.#bounds(caller)), maker: await readMaker(this.#store, caller) };
    const id = newId('ws', this.#clock());
    for (let tries = 1; ; tries++) {
      const now = this.#clock();
      const number = await this.#freeNumber();
      const keys = withKeys ? firstKeys(number, bounds, now) : [];
      try {
        await this.#store.commit([
          ...planWorkspace({ id, number, organizationId, ...wanted }, now),
          ...keys.map(({ change }) => change),
        ]);
      } catch (error) {
        const isTaken = error instanceof Refusal && error.code === 'conflict';
        if (!isTaken || tries >= TRIES) throw error;
        continue;
      }
      const row = await this.#store.accounts.workspace(organizationId, id);
      if (!row) throw new Error('The workspace was deleted right after it was made.');
      return { row, keys: keys.map(({ row: shown, secret }) => ({ row: shown, secret })) };
    }
  }

  /** Refuses with `not_found` and `forbidden`. */
  async change(
    caller: Caller,
    id: string,
    { name, retentionDays, retentionMode }: Partial<WantedWorkspace>,
    guard: ChangeGuard<number | null>,
  ): Promise<Workspace> {
    assertMayManage(caller);
    const before = await this.read(caller, id);
    const set = {
      ...(name === undefined ? {} : { name }),
      ...(retentionDays === undefined ? {} : { retention_days: retentionDays }),
      ...(retentionMode === undefined ? {} : { retention_mode: retentionMode }),
    };
    if (Object.keys(set).length === 0) return before;
    const changed = { ...set, updated_at: changeTime(before, this.#clock()) };
    const where = { id, ...guard.where };
    const otherwise = guard.otherwise ?? { code: 'not_found' };
    await this.#store.commit([update(workspaces, { set: changed, where, otherwise })]);
    return { ...before, ...changed };
  }

  /** Reads the addresses and the expiry of the calling key, which also limit the keys that it creates. */
  async #bounds({ actor, scope }: Caller): Promise<KeyBounds> {
    if (actor.kind !== 'api_key') return { allowedIps: null, expiresAt: null };
    const own = await this.#store.accounts.apiKey(scope, actor.id);
    if (!own) throw new Refusal('unauthorized', 'The API key is unknown or revoked.');
    const allowedIps = own.allowed_ips === null ? null : (JSON.parse(own.allowed_ips) as string[]); // written by `JSON.stringify`
    return { allowedIps, expiresAt: own.expires_at };
  }

  async #freeNumber(): Promise<number> {
    const { count, highest } = await this.#store.accounts.workspacesBelow(LAST_WORKSPACE_NUMBER);
    if (count >= this.#limit || highest + 1 >= LAST_WORKSPACE_NUMBER) {
      throw new Refusal(
        'conflict',
        `The server has reached its limit of ${this.#limit} workspaces. The operator can raise MAILKEEL_WORKSPACES.`,
      );
    }
    return highest + 1;
  }
}

function firstKeys(workspaceNumber: number, bounds: KeyBounds & { maker: KeyMaker | null }, now: number) {
  return (['live', 'test'] as const).map((mode) => {
    const environmentId = environmentRowId(workspaceNumber, mode);
    const key = { environmentId, mode, name: `First ${mode} key`, permission: 'full' as const, ...bounds };
    const planned = planApiKey(key, now);
    return { ...planned, row: planned.shown };
  });
}

/** Returns whether the caller can access all workspaces of the organization, as people and `admin` keys can, or only its own. */
export function hasOrganizationAccess({ role, permission }: Pick<Caller, 'role' | 'permission'>): boolean {
  return role !== null || permission === 'admin';
}

/** Refuses test keys and pinned keys, because new workspaces and settings shared by both environments belong to the organization. */
function assertMayManage({ role, scope }: Caller): void {
  if (scope.subTenantId !== null) {
    throw new Refusal(
      'forbidden',
      'Requests scoped to a sub-tenant cannot access workspaces. Send the request for the whole workspace, with a key that is not pinned to a sub-tenant.',
    );
  }
  if (role === null && scope.mode === 'test') {
    throw new Refusal('forbidden', 'Test keys cannot create or change workspaces.');
  }
}
