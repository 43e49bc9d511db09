// Reads a sub-tenant with its keys for the name server, by domain or by ID.
import type { SubTenant } from '../../tenants/tenants.store.js';
import type { TablesOf } from '../../database/columns.js';
import type { Engine } from '../../database/engine/engine.js';
import { rowsAs } from '../../database/sql.js';
import type { Scope } from '../../database/scope.js';
import type { subTenants } from '../../tenants/tenants.tables.js';
import type { DkimKey, dkimKeys } from '../domains.tables.js';

type Known = TablesOf<typeof dkimKeys | typeof subTenants>;

type TenantPart = Pick<
  SubTenant,
  'id' | 'sending_domain' | 'return_path_domain' | 'inbound_domain' | 'tracking_domain'
>;
type KeyPart = Pick<DkimKey, 'selector' | 'record_value' | 'state' | 'created_at'>;

interface TenantInZone extends TenantPart {
  /** Excludes retired keys. */
  keys: KeyPart[];
}

// Both look-ups use an index, so every query is answered from committed rows.
const TENANT = `SELECT s.id, s.sending_domain, s.return_path_domain, s.inbound_domain, s.tracking_domain,
    k.selector, k.record_value, k.state, k.created_at
  FROM sub_tenants s LEFT JOIN dkim_keys k
    ON k.owner_id = s.id AND k.domain = s.sending_domain AND k.state <> 'retired'
  WHERE s.deleted_at IS NULL AND`;
const BY_DOMAIN = `${TENANT} s.sending_domain = ?`;
const BY_ID = `${TENANT} s.id = ?`;
const KEYS = `SELECT selector, record_value, state, created_at FROM dkim_keys
  WHERE owner_id = ? AND domain = ? AND state <> 'retired'`;

export function createZoneStore(engine: Engine) {
  const db = engine.read.$extendTables<Known>();
  return {
    /** Finds a sub-tenant by its complete sending domain, in lower case. */
    async tenantByDomain(domain: string): Promise<TenantInZone | null> {
      return readTenant(await rowsAs<Joined>(engine.rows(BY_DOMAIN, [domain])));
    },

    async tenantById(id: string): Promise<TenantInZone | null> {
      return readTenant(await rowsAs<Joined>(engine.rows(BY_ID, [id])));
    },

    async keysOf(ownerId: string, domain: string): Promise<KeyPart[]> {
      return rowsAs<KeyPart>(engine.rows(KEYS, [ownerId, domain]));
    },

    /** Returns whether a sub-tenant of another workspace has or ever had the domain. */
    async isOfOthers({ workspaceId }: Pick<Scope, 'workspaceId'>, domain: string): Promise<boolean> {
      const row = await db
        .selectFrom('sub_tenants')
        .select('id')
        .where('sending_domain', '=', domain)
        .where('workspace_id', '<>', workspaceId)
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Returns the selector index of the domain's last key, of any owner. `null` if there is none. */
    async lastSlot(domain: string): Promise<number | null> {
      const row = await db
        .selectFrom('sub_tenants as s')
        .innerJoin('dkim_keys as k', (join) =>
          join.onRef('k.owner_id', '=', 's.id').onRef('k.domain', '=', 's.sending_domain'),
        )
        .select('k.slot')
        .where('s.sending_domain', '=', domain)
        .where('k.slot', 'is not', null)
        .orderBy('k.created_at', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row?.slot ?? null;
    },
  };
}

/** A sub-tenant without keys has one row with null in the key columns. */
type Joined = TenantPart & { [Column in keyof KeyPart]: KeyPart[Column] | null };

function readTenant(joined: readonly Joined[]): TenantInZone | null {
  const [first] = joined;
  if (!first) return null;
  const { id, sending_domain, return_path_domain, inbound_domain, tracking_domain } = first;
  const keys = joined.flatMap(({ selector, record_value, state, created_at }): KeyPart[] => {
    if (selector === null || record_value === null || state === null || created_at === null) return [];
    return [{ selector, record_value, state, created_at }];
  });
  return { id, sending_domain, return_path_domain, inbound_domain, tracking_domain, keys };
}
