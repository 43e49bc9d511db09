// Organizations, workspaces, environments and API keys.
import type { Selectable } from 'kysely';
import type { Engine } from '../store/engine/engine.js';
import type { KeyPermission, Mode } from '../contract/names.js';
import { paged } from '../store/paged.js';
import { type Page, type PageRequest, type Scope, pageOf } from '../store/scope.js';
import type { ApiKey } from './api-keys/api-keys.tables.js';
import type { MarkTable, Organization, Workspace } from './accounts.tables.js';

/** Access that a secret gives. `scope.subTenantId` is the key's pin. */
export interface Credential {
  keyId: string;
  permission: KeyPermission;
  allowedIps: string[] | null;
  expiresAt: number | null;
  /** The version of the API of its first call; null before that. */
  apiVersion: string | null;
  scope: Scope;
}

export interface EnvironmentRef {
  environmentId: number;
  mode: Mode;
  workspaceId: string;
  workspaceNumber: number;
  organizationId: string;
}

export type AccountStore = ReturnType<typeof createAccountStore>;

export function createAccountStore(engine: Engine) {
  const db = engine.read;
  const environmentRefs = () =>
    db
      .selectFrom('environments as e')
      .innerJoin('workspaces as w', 'w.id', 'e.workspace_id')
      .select([
        'e.id as environmentId',
        'e.mode',
        'w.id as workspaceId',
        'w.number as workspaceNumber',
        'w.organization_id as organizationId',
      ]);

  return {
    /** The credential of a live secret by its SHA-256; null when unknown or revoked. The caller checks its expiry. */
    async credential(secretHash: Uint8Array): Promise<Credential | null> {
      const row = await db
        .selectFrom('api_keys as k')
        .innerJoin('environments as e', 'e.id', 'k.environment_id')
        .innerJoin('workspaces as w', 'w.id', 'e.workspace_id')
        .where('k.secret_hash', '=', secretHash)
        .where('k.revoked_at', 'is', null)
        .select([
          'k.id as keyId',
          'k.permission',
          'k.allowed_ips',
          'k.expires_at',
          'k.api_version',
          'k.sub_tenant_id',
          'e.id as environmentId',
          'e.mode',
          'w.id as workspaceId',
          'w.number as workspaceNumber',
          'w.organization_id as organizationId',
        ])
        .executeTakeFirst();
      if (!row) return null;
      const { keyId, permission, allowed_ips, expires_at, api_version, sub_tenant_id, ...environment } = row;
      return {
        keyId,
        permission,
        allowedIps: allowed_ips === null ? null : (JSON.parse(allowed_ips) as string[]),
        expiresAt: expires_at,
        apiVersion: api_version,
        scope: { ...environment, subTenantId: sub_tenant_id },
      };
    },

    async organization(scope: Pick<Scope, 'organizationId'>): Promise<Organization> {
      const rows = await engine.rows('SELECT * FROM organizations WHERE id = ?', [scope.organizationId]);
      const row = rows[0] as Organization | undefined;
      if (!row) throw new Error(`The organization ${scope.organizationId} is gone.`);
      return row;
    },

    /** The first organization of the appliance; null before the first start. */
    async firstOrganization(): Promise<Organization | null> {
      return (await db.selectFrom('organizations').selectAll().orderBy('id').executeTakeFirst()) ?? null;
    },

    /** The plans that somebody is on, with the first of each. */
    async plansInUse(): Promise<{ plan: string; organizationId: string }[]> {
      return db
        .selectFrom('organizations')
        .select((eb) => ['plan', eb.fn.min('id').as('organizationId')])
        .groupBy('plan')
        .execute();
    },

    /** Something that happened once, or null. */
    async mark(name: Selectable<MarkTable>['name']): Promise<Selectable<MarkTable> | null> {
      return (await db.selectFrom('marks').selectAll().where('name', '=', name).executeTakeFirst()) ?? null;
    },

    /** Workspaces of the organization, newest first. */
    async workspaces(organizationId: string, page: PageRequest): Promise<Page<Workspace>> {
      const query = paged(
        db.selectFrom('workspaces').selectAll().where('organization_id', '=', organizationId),
        page,
        { key: 'id' },
      );
      return pageOf(await query.execute(), page.limit, (row) => row.id);
    },

    async workspace(organizationId: string, id: string): Promise<Workspace | null> {
      const query = db
        .selectFrom('workspaces')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('id', '=', id);
      return (await query.executeTakeFirst()) ?? null;
    },

    /** Number of workspaces with a number below this one, and the highest of these; 0 when there is none. */
    async workspacesBelow(number: number): Promise<{ count: number; highest: number }> {
      const row = await db
        .selectFrom('workspaces')
        .select((eb) => [eb.fn.countAll().as('count'), eb.fn.max('number').as('highest')])
        .where('number', '<', number)
        .executeTakeFirst();
      return { count: Number(row?.count ?? 0), highest: row?.highest ?? 0 };
    },

    async environments(): Promise<EnvironmentRef[]> {
      return environmentRefs().orderBy('e.id').execute();
    },

    async environment(id: number): Promise<EnvironmentRef | null> {
      return (await environmentRefs().where('e.id', '=', id).executeTakeFirst()) ?? null;
    },

    async environmentOf(workspaceId: string, mode: Mode): Promise<EnvironmentRef> {
      return environmentRefs()
        .where('w.id', '=', workspaceId)
        .where('e.mode', '=', mode)
        .executeTakeFirstOrThrow();
    },

    /** Keys of the workspace, both environments; of a pinned scope only its own tenant's. Revoked ones are left out. */
    async apiKeys(scope: Scope, page: PageRequest): Promise<Page<ApiKey & { mode: Mode }>> {
      let query = paged(
        db
          .selectFrom('api_keys as k')
          .innerJoin('environments as e', 'e.id', 'k.environment_id')
          .where('e.workspace_id', '=', scope.workspaceId)
          .where('k.revoked_at', 'is', null)
          .selectAll('k')
          .select('e.mode'),
        page,
        { key: 'id', of: 'k' },
      );
      if (scope.subTenantId !== null) query = query.where('k.sub_tenant_id', '=', scope.subTenantId);
      return pageOf(await query.execute(), page.limit, (row) => row.id);
    },

    async apiKey(scope: Scope, id: string): Promise<(ApiKey & { mode: Mode }) | null> {
      let query = db
        .selectFrom('api_keys as k')
        .innerJoin('environments as e', 'e.id', 'k.environment_id')
        .where('e.workspace_id', '=', scope.workspaceId)
        .where('k.id', '=', id)
        .where('k.revoked_at', 'is', null)
        .selectAll('k')
        .select('e.mode');
      if (scope.subTenantId !== null) query = query.where('k.sub_tenant_id', '=', scope.subTenantId);
      return (await query.executeTakeFirst()) ?? null;
    },
  };
}
