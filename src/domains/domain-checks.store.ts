// Claims sending domains that are due for a check, and reads their rows regardless of environment.
import type { Selectable } from 'kysely';
import type { Committer } from '../database/committer.js';
import type { Engine } from '../database/engine/engine.js';
import { rowsAs } from '../database/sql.js';
import type { Scope } from '../database/scope.js';
import type { SenderTable, senders } from './domains.tables.js';
import type { SubTenantTable, subTenants } from '../tenants/tenants.tables.js';
import type { environments, workspaces } from '../accounts/accounts.tables.js';
import type { TablesOf } from '../database/columns.js';

type Known = TablesOf<typeof environments | typeof senders | typeof subTenants | typeof workspaces>;

export type DomainTable = 'sub_tenants' | 'senders';

/** Columns that decide when a domain is checked. */
export type ScheduledRow = Pick<
  Selectable<SubTenantTable>,
  'id' | 'status' | 'created_at' | 'updated_at' | 'drifting_since'
>;

export interface CheckedTenant {
  row: Selectable<SubTenantTable>;
  /** Scope of its audit trail, which is in the live environment. */
  live: Pick<Scope, 'environmentId' | 'workspaceNumber'>;
}

// On PostgreSQL, the outer condition is checked again if another node has just claimed the row.
const claim = (table: DomainTable): string => `UPDATE ${table} SET next_check_at = ?
  WHERE next_check_at <= ? AND deleted_at IS NULL AND id IN (SELECT id FROM ${table}
    WHERE next_check_at <= ? AND deleted_at IS NULL ORDER BY next_check_at LIMIT ?) RETURNING id`;
const CLAIM: Record<DomainTable, string> = { sub_tenants: claim('sub_tenants'), senders: claim('senders') };

const unscheduled = (table: DomainTable, and: string): string =>
  `SELECT id, status, created_at, updated_at, drifting_since FROM ${table}
  WHERE next_check_at IS NULL AND deleted_at IS NULL AND status <> 'failed' ${and} ORDER BY id LIMIT ?`;
const UNSCHEDULED: Record<DomainTable, string> = {
  sub_tenants: unscheduled('sub_tenants', ''),
  senders: unscheduled('senders', `AND kind = 'domain'`),
};

/** Owner of a sending domain, or of a name that points to Mailkeel. */
interface NameOwner {
  workspaceId: string;
  /** `null` for the workspace's own sender. */
  subTenantId: string | null;
  sendingDomain: string;
  /** True if DNS proved the domain, and no other workspace has a newer proof. */
  isProved: boolean;
}

/** A row whose domain DNS has proved. */
export interface DomainHolder {
  table: DomainTable;
  id: string;
  workspaceId: string;
  /** The sub-tenant, or the one that owns the sender. */
  subTenantId: string | null;
  status: 'verified' | 'suspended';
  live: Pick<Scope, 'environmentId' | 'workspaceNumber'>;
}

type NameRow = Omit<NameOwner, 'isProved'> & Pick<Selectable<SubTenantTable>, 'status' | 'taken_over_at'>;
type HolderRow = Omit<DomainHolder, 'table' | 'live'> & DomainHolder['live'];

const NAME_COLUMNS = `workspace_id AS "workspaceId", status, taken_over_at`;
const NAME_OF_TENANT = [
  'sending_domain',
  `COALESCE(return_path_domain, 'bounce.' || sending_domain)`,
  `COALESCE(inbound_domain, 'reply.' || sending_domain)`,
  `COALESCE(tracking_domain, 'click.' || sending_domain)`,
].map(
  (name) => `SELECT ${NAME_COLUMNS}, id AS "subTenantId", sending_domain AS "sendingDomain" FROM sub_tenants
    WHERE ${name} = ? AND deleted_at IS NULL`,
);
const NAME_OF_SENDER = `SELECT ${NAME_COLUMNS}, sub_tenant_id AS "subTenantId", identity AS "sendingDomain" FROM senders
  WHERE identity = ? AND kind = 'domain' AND deleted_at IS NULL`;
/** Selects rows of other workspaces with an older proof. The id decides between simultaneous ones. */
const OLDER_PROOF = `d.workspace_id <> ? AND d.deleted_at IS NULL AND d.taken_over_at IS NULL
  AND d.status IN ('verified', 'suspended') AND (d.verified_at < ? OR (d.verified_at = ? AND d.id < ?))`;
const holders = (table: DomainTable, tenant: string, where: string): string =>
  `SELECT d.id, d.workspace_id AS "workspaceId", ${tenant} AS "subTenantId", d.status, e.id AS "environmentId",
    w.number AS "workspaceNumber"
  FROM ${table} d JOIN workspaces w ON w.id = d.workspace_id
  JOIN environments e ON e.workspace_id = w.id AND e.mode = 'live' WHERE ${where} AND ${OLDER_PROOF}`;
const HOLDERS: Record<DomainTable, string> = {
  sub_tenants: holders('sub_tenants', 'd.id', 'd.sending_domain = ?'),
  senders: holders('senders', 'd.sub_tenant_id', `d.identity = ? AND d.kind = 'domain'`),
};
const LABEL_OF_SENDER = /^(?:bounce|reply|click)\./;

export function createDomainCheckStore(engine: Engine, committer: Committer) {
  return { ...scheduling(engine, committer), ...rowReads(engine), ...nameReads(engine) };
}

function scheduling(engine: Engine, committer: Committer) {
  return {
    /** Claims up to `limit` due domains until `until`, earliest due first. */
    claimDue: (table: DomainTable, due: { now: number; until: number; limit: number }): Promise<string[]> =>
      committer.commit(async ({ tx }) => {
        const { now, until, limit } = due;
        const rows = await rowsAs<Pick<ScheduledRow, 'id'>>(tx.run(CLAIM[table], [until, now, now, limit]));
        return rows.map(({ id }) => id);
      }),

    /** Reads domains from earlier releases, which have no check time yet. Failed domains are not checked. */
    async unscheduled(table: DomainTable, limit: number): Promise<ScheduledRow[]> {
      return rowsAs<ScheduledRow>(engine.rows(UNSCHEDULED[table], [limit]));
    },
  };
}

function rowReads(engine: Engine) {
  const db = engine.read.$extendTables<Known>();
  return {
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

    /** Returns null for a sender that is not a domain. */
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

function nameReads(engine: Engine) {
  return {
    /** Reads the live sub-tenants and domain senders of the whole server that use a name. */
    async ownersOfName(name: string): Promise<NameOwner[]> {
      const bySender = [name, ...(LABEL_OF_SENDER.test(name) ? [name.replace(LABEL_OF_SENDER, '')] : [])];
      const found = await Promise.all([
        ...NAME_OF_TENANT.map((statement) => rowsAs<NameRow>(engine.rows(statement, [name]))),
        ...bySender.map((identity) => rowsAs<NameRow>(engine.rows(NAME_OF_SENDER, [identity]))),
      ]);
      return found.flat().map(({ status, taken_over_at, ...owner }) => ({
        ...owner,
        isProved: taken_over_at === null && (status === 'verified' || status === 'suspended'),
      }));
    },

    /** Reads rows of other workspaces for the same domain with an older proof. */
    async holdersBefore(proof: {
      id: string;
      domain: string;
      workspaceId: string;
      verifiedAt: number;
    }): Promise<DomainHolder[]> {
      const { id, domain, workspaceId, verifiedAt } = proof;
      const values = [domain, workspaceId, verifiedAt, verifiedAt, id];
      const found: DomainHolder[] = [];
      for (const table of ['sub_tenants', 'senders'] as const) {
        const rows = await rowsAs<HolderRow>(engine.rows(HOLDERS[table], values));
        for (const { environmentId, workspaceNumber, ...holder } of rows) {
          found.push({ table, ...holder, live: { environmentId, workspaceNumber } });
        }
      }
      return found;
    },
  };
}
