// Organizations, workspaces, environments and API keys.
import type { Selectable, Kysely } from 'kysely';
import type { Engine } from '../database/engine/engine.js';
import type { KeyPermission, Mode, Role } from '../contract/names.js';
import { readStoredPolicy, type SendPolicy } from '../contract/send-policy.js';
import { rowsAs } from '../database/sql.js';
import { paged } from '../database/paged.js';
import { type Page, type PageRequest, type Scope, cutPage } from '../database/scope.js';
import type { ApiKey, apiKeys } from './api-keys/api-keys.tables.js';
import type {
  MarkTable,
  Organization,
  Workspace,
  environments,
  marks,
  organizations,
  workspaces,
} from './accounts.tables.js';
import type { members, users } from './people/people.tables.js';
import type { TablesOf } from '../database/columns.js';

type Known = TablesOf<
  | typeof apiKeys
  | typeof environments
  | typeof marks
  | typeof members
  | typeof organizations
  | typeof users
  | typeof workspaces
>;

/** Access granted by a secret. `scope.subTenantId` is the sub-tenant to which the key is pinned. */
interface Credential {
  keyId: string;
  permission: KeyPermission;
  /** Owner of the key, with their role in the organization. Null if the operator created it. */
  maker: { id: string; role: Role } | null;
  allowedIps: string[] | null;
  expiresAt: number | null;
  /** API version of its first call. Null before that. */
  apiVersion: string | null;
  /** The secret access key of its SES credentials; null if it has none. */
  sesSecretSealed: string | null;
  policy: SendPolicy | null;
  scope: Scope;
}

export interface EnvironmentRef {
  environmentId: number;
  mode: Mode;
  workspaceId: string;
  workspaceNumber: number;
  organizationId: string;
}

/** A key with its environment and the address of its owner. */
export type FoundKey = ApiKey & { mode: Mode; made_by_email: string | null };

export function createAccountStore(engine: Engine) {
  const db = engine.read.$extendTables<Known>();
  return { ...organizationReads(engine), ...workspaceReads(db), ...credentialReads(db), ...keyReads(db) };
}

function organizationReads(engine: Engine) {
  const db = engine.read.$extendTables<Known>();
  return {
    async organization(scope: Pick<Scope, 'organizationId'>): Promise<Organization> {
      const [row] = await rowsAs<Organization>(
        engine.rows('SELECT * FROM organizations WHERE id = ?', [scope.organizationId]),
      );
      if (!row) throw new Error(`The organization ${scope.organizationId} is gone.`);
      return row;
    },

    /** Returns null before the first start. */
    async firstOrganization(): Promise<Organization | null> {
      return (await db.selectFrom('organizations').selectAll().orderBy('id').executeTakeFirst()) ?? null;
    },

    /** Reads the plans in use, with the first organization of each. */
    async plansInUse(): Promise<{ plan: string; organizationId: string }[]> {
      return db
        .selectFrom('organizations')
        .select((eb) => ['plan', eb.fn.min('id').as('organizationId')])
        .groupBy('plan')
        .execute();
    },

    /** Reads the record of a one-time event. Null before it. */
    async mark(name: Selectable<MarkTable>['name']): Promise<Selectable<MarkTable> | null> {
      return (await db.selectFrom('marks').selectAll().where('name', '=', name).executeTakeFirst()) ?? null;
    },
  };
}

function workspaceReads(db: Kysely<Known>) {
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
    /** Reads the workspaces of the organization, newest first. */
    async workspaces(organizationId: string, page: PageRequest): Promise<Page<Workspace>> {
      const query = paged(
        db.selectFrom('workspaces').selectAll().where('organization_id', '=', organizationId),
        page,
        { key: 'id' },
      );
      return cutPage(await query.execute(), page.limit, (row) => row.id);
    },

    async workspace(organizationId: string, id: string): Promise<Workspace | null> {
      const query = db
        .selectFrom('workspaces')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('id', '=', id);
      return (await query.executeTakeFirst()) ?? null;
    },

    /** Counts workspaces with a number below this one, and reads the highest of these; 0 if there is none. */
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
  };
}

function credentialReads(db: Kysely<Known>) {
  return {
    /**
     * Reads the credential of a secret, by its SHA-256, or of a key, by its id. Returns null if it is unknown or revoked, or if
     * its owner has left. The caller checks its expiry.
     */
    async credential(secretHashOrKeyId: Uint8Array | string): Promise<Credential | null> {
      const row = await db
        .selectFrom('api_keys as k')
        .innerJoin('environments as e', 'e.id', 'k.environment_id')
        .innerJoin('workspaces as w', 'w.id', 'e.workspace_id')
        .leftJoin('members as m', (join) =>
          join.onRef('m.organization_id', '=', 'w.organization_id').onRef('m.user_id', '=', 'k.made_by'),
        )
        .where(typeof secretHashOrKeyId === 'string' ? 'k.id' : 'k.secret_hash', '=', secretHashOrKeyId)
        .where('k.revoked_at', 'is', null)
        .select([
          'k.id as keyId',
          'k.permission',
          'k.made_by',
          'm.role',
          'k.allowed_ips',
          'k.expires_at',
          'k.api_version',
          'k.sub_tenant_id',
          'k.policy',
          'k.ses_secret_sealed as sesSecretSealed',
          'e.id as environmentId',
          'e.mode',
          'w.id as workspaceId',
          'w.number as workspaceNumber',
          'w.organization_id as organizationId',
        ])
        .executeTakeFirst();
      if (!row) return null;
      const { keyId, permission, made_by, role, allowed_ips, expires_at, api_version, sub_tenant_id } = row;
      if (made_by !== null && role === null) return null;
      const { environmentId, mode, workspaceId, workspaceNumber, organizationId, sesSecretSealed } = row;
      const environment = { environmentId, mode, workspaceId, workspaceNumber, organizationId };
      return {
        keyId,
        permission,
        maker: made_by === null || role === null ? null : { id: made_by, role },
        allowedIps: allowed_ips === null ? null : (JSON.parse(allowed_ips) as string[]),
        expiresAt: expires_at,
        apiVersion: api_version,
        policy: readStoredPolicy(row.policy),
        sesSecretSealed,
        scope: { ...environment, subTenantId: sub_tenant_id },
      };
    },
  };
}

function keyReads(db: Kysely<Known>) {
  const keys = () =>
    db
      .selectFrom('api_keys as k')
      .innerJoin('environments as e', 'e.id', 'k.environment_id')
      .leftJoin('users as u', 'u.id', 'k.made_by')
      .where('k.revoked_at', 'is', null)
      .selectAll('k')
      .select(['e.mode', 'u.email as made_by_email']);
  const keysOf = ({ workspaceId, subTenantId }: Pick<Scope, 'workspaceId' | 'subTenantId'>) => {
    const query = keys().where('e.workspace_id', '=', workspaceId);
    return subTenantId === null ? query : query.where('k.sub_tenant_id', '=', subTenantId);
  };

  return {
    /** Reads the keys of both environments that are not revoked. A pinned scope gets its own sub-tenant's only. */
    async apiKeys(scope: Scope, page: PageRequest): Promise<Page<FoundKey>> {
      const query = paged(keysOf(scope), page, { key: 'id', of: 'k' });
      return cutPage(await query.execute(), page.limit, (row) => row.id);
    },

    async apiKey(scope: Pick<Scope, 'workspaceId' | 'subTenantId'>, id: string): Promise<FoundKey | null> {
      return (await keysOf(scope).where('k.id', '=', id).executeTakeFirst()) ?? null;
    },

    /** Reads the ID of the key that replaced this one in a rotation, even if this one has been revoked since; null if none did. */
    async replacementOf(workspaceId: string, id: string): Promise<string | null> {
      const query = db
        .selectFrom('api_keys as k')
        .innerJoin('environments as e', 'e.id', 'k.environment_id')
        .where('e.workspace_id', '=', workspaceId)
        .where('k.id', '=', id);
      return (await query.select('k.replaced_by').executeTakeFirst())?.replaced_by ?? null;
    },

    /** Reads one person's keys in all workspaces of the organization that are not revoked. */
    async apiKeysOfMaker(organizationId: string, userId: string, page: PageRequest): Promise<Page<FoundKey>> {
      const mine = keys()
        .innerJoin('workspaces as w', 'w.id', 'e.workspace_id')
        .where('w.organization_id', '=', organizationId)
        .where('k.made_by', '=', userId);
      return cutPage(await paged(mine, page, { key: 'id', of: 'k' }).execute(), page.limit, (row) => row.id);
    },
  };
}
