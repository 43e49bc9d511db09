// Which sending domains are due to be looked at, taken by one of those who look; and their rows as the table has them,
// whatever an environment makes of them.
import type { Selectable } from 'kysely';
import type { Committer } from './committer.js';
import type { Engine } from './engine/engine.js';
import type { Scope } from './scope.js';
import type { SenderTable, SubTenantTable } from './tables/accounts.js';

export type DomainTable = 'sub_tenants' | 'senders';

/** What decides when a domain is looked at. */
export type ScheduledRow = Pick<
  Selectable<SubTenantTable>,
  'id' | 'status' | 'created_at' | 'updated_at' | 'drifting_since'
>;

export interface CheckedTenant {
  row: Selectable<SubTenantTable>;
  /** Where its trail goes on: a domain is of live mail. */
  live: Pick<Scope, 'environmentId' | 'workspaceNumber'>;
}

// On PostgreSQL the outer condition is looked at again when another node has just taken the row.
const claim = (table: DomainTable): string => `UPDATE ${table} SET next_check_at = ?
  WHERE next_check_at <= ? AND deleted_at IS NULL AND id IN (SELECT id FROM ${table}
    WHERE next_check_at <= ? AND deleted_at IS NULL ORDER BY next_check_at LIMIT ? + 0) RETURNING id`;
const CLAIM: Record<DomainTable, string> = { sub_tenants: claim('sub_tenants'), senders: claim('senders') };

const unscheduled = (table: DomainTable, and: string): string =>
  `SELECT id, status, created_at, updated_at, drifting_since FROM ${table}
  WHERE next_check_at IS NULL AND deleted_at IS NULL AND status <> 'failed' ${and} ORDER BY id LIMIT ? + 0`;
const UNSCHEDULED: Record<DomainTable, string> = {
  sub_tenants: unscheduled('sub_tenants', ''),
  senders: unscheduled('senders', `AND kind = 'domain'`),
};

/** Whose a name is: its sending domain, or one that leads to us. */
export interface NameOwner {
  /** Null: the workspace's own sender. */
  subTenantId: string | null;
}

const NAME_OF_TENANT = [
  'sending_domain',
  `COALESCE(return_path_domain, 'bounce.' || sending_domain)`,
  `COALESCE(inbound_domain, 'reply.' || sending_domain)`,
  `COALESCE(tracking_domain, 'click.' || sending_domain)`,
].map((name) => `SELECT id AS sub_tenant_id FROM sub_tenants WHERE ${name} = ? AND deleted_at IS NULL`);
const NAME_OF_SENDER = `SELECT sub_tenant_id FROM senders WHERE identity = ? AND kind = 'domain' AND deleted_at IS NULL`;
const LABEL_OF_SENDER = /^(?:bounce|reply|click)\./;

export function createDomainCheckStore(engine: Engine, committer: Committer) {
  const db = engine.read;
  return {
    /** Ids of up to `limit` domains that are due, the longest due first. Whoever does not look by `until` gives them back. */
    claimDue: (table: DomainTable, due: { now: number; until: number; limit: number }): Promise<string[]> =>
      committer.commit(async ({ tx }) => {
        const { now, until, limit } = due;
        const rows = await tx.run(CLAIM[table], [until, now, now, limit]);
        return rows.map((row) => row['id'] as string);
      }),

    /** Domains that have no time yet, because they were set up before there was one. Those that failed need none. */
    async unscheduled(table: DomainTable, limit: number): Promise<ScheduledRow[]> {
      return (await engine.rows(UNSCHEDULED[table], [limit])) as unknown as ScheduledRow[];
    },

    async tenant(id: string): Promise<CheckedTenant | null> {
      const row = await db
        .selectFrom('sub_tenants')
        .selectAll()
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst();
      if (!row) return null;
      const live = await db
        .selectFrom('environments as e')
        .innerJoin('workspaces as w', 'w.id', 'e.workspace_id')
        .select(['e.id as environmentId', 'w.number as workspaceNumber'])
        .where('w.id', '=', row.workspace_id)
        .where('e.mode', '=', 'live')
        .executeTakeFirstOrThrow();
      return { row, live };
    },

    /** The live sub-tenants and domain senders of the whole appliance that have a name, in whatever use. */
    async ownersOfName(name: string): Promise<NameOwner[]> {
      const bySender = [name, ...(LABEL_OF_SENDER.test(name) ? [name.replace(LABEL_OF_SENDER, '')] : [])];
      const found = await Promise.all([
        ...NAME_OF_TENANT.map((statement) => engine.rows(statement, [name])),
        ...bySender.map((identity) => engine.rows(NAME_OF_SENDER, [identity])),
      ]);
      return found.flat().map((row) => ({ subTenantId: row['sub_tenant_id'] as string | null }));
    },

    /** Null for what is not a domain, too. */
    async sender(id: string): Promise<Selectable<SenderTable> | null> {
      const row = await db
        .selectFrom('senders')
        .selectAll()
        .where('id', '=', id)
        .where('kind', '=', 'domain')
        .where('deleted_at', 'is', null)
        .executeTakeFirst();
      return row ?? null;
    },
  };
}
