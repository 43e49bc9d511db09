// Reads senders, DKIM keys, and the owners of sending domains.
import type { Kysely } from 'kysely';
import type { Engine } from '../database/engine/engine.js';
import { holding, paged } from '../database/paged.js';
import { type Page, type PageRequest, type Scope, cutPage } from '../database/scope.js';
import { inList, rowsAs } from '../database/sql.js';
import type { DkimKey, Sender, dkimKeys, senders as sendersTable } from './domains.tables.js';
import { domainsAbove } from './effective-names.rules.js';
import type { TablesOf } from '../database/columns.js';

type Known = TablesOf<typeof dkimKeys | typeof sendersTable>;

/** Owner of the keys that sign for Mailkeel itself. */
export const PLATFORM_OWNER = 'platform';

/** A sub-tenant and its sending domain. */
interface TenantDomain {
  id: string;
  domain: string;
}

const OF_DOMAINS = `SELECT id, sending_domain AS domain FROM sub_tenants WHERE workspace_id = ? AND deleted_at IS NULL
  AND status IN ('verified', 'suspended') AND sending_domain IN (`;
/** By the index `senders_live_identity`, because a workspace can have a sender for each of its thousands of sub-tenants. */
const VERIFIED = `SELECT * FROM senders WHERE workspace_id = ? AND COALESCE(sub_tenant_id, '') = ? AND deleted_at IS NULL
  AND status = 'verified' ORDER BY is_default DESC`;

export function createDomainStore(engine: Engine) {
  const db = engine.read.$extendTables<Known>();
  return {
    /** Returns the verified sub-tenant with this sending domain, or with the closest domain above it. */
    async tenantOfDomain(
      { workspaceId }: Pick<Scope, 'workspaceId'>,
      domain: string,
    ): Promise<TenantDomain | null> {
      const domains = domainsAbove(domain);
      if (domains.length === 0) return null;
      const { marks, values } = inList(domains);
      const found = await rowsAs<TenantDomain>(
        engine.rows(`${OF_DOMAINS}${marks})`, [workspaceId, ...values]),
      );
      return found.sort((a, b) => b.domain.length - a.domain.length)[0] ?? null;
    },

    async sender(scope: Scope, id: string): Promise<Sender | null> {
      return (await senders(db, scope).where('id', '=', id).executeTakeFirst()) ?? null;
    },

    async senders(scope: Scope, page: PageRequest, { q }: { q?: string } = {}): Promise<Page<Sender>> {
      let query = paged(senders(db, scope), page, { key: 'id' });
      if (q !== undefined) query = query.where(holding(['identity', 'name'], q));
      return cutPage(await query.execute(), page.limit, (row) => row.id);
    },

    /** Returns the verified senders that a message of this scope may use in From: its sub-tenant's or the workspace's own. */
    async verifiedSenders(scope: Pick<Scope, 'workspaceId' | 'subTenantId'>): Promise<Sender[]> {
      return rowsAs<Sender>(engine.rows(VERIFIED, [scope.workspaceId, scope.subTenantId ?? '']));
    },

    async senderByConfirmation(hash: Uint8Array): Promise<Sender | null> {
      const row = await db
        .selectFrom('senders')
        .selectAll()
        .where('confirmation_hash', '=', hash)
        .where('deleted_at', 'is', null)
        .executeTakeFirst();
      return row ?? null;
    },

    async dkimKeys(ownerIds: readonly string[]): Promise<DkimKey[]> {
      if (ownerIds.length === 0) return [];
      return db
        .selectFrom('dkim_keys')
        .selectAll()
        .where('owner_id', 'in', ownerIds)
        .orderBy('created_at')
        .orderBy('algorithm', 'desc')
        .orderBy('id')
        .execute();
    },
  };
}

function senders(db: Kysely<Known>, scope: Scope) {
  const query = db
    .selectFrom('senders')
    .selectAll()
    .where('workspace_id', '=', scope.workspaceId)
    .where('deleted_at', 'is', null);
  return scope.subTenantId === null ? query : query.where('sub_tenant_id', '=', scope.subTenantId);
}
