// Reads the owners of domains that receive mail: verified sub-tenants and domain senders.
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { environments, workspaces } from '../accounts/accounts.tables.js';
import type { Mode } from '../contract/names.js';
import type { TablesOf } from '../database/columns.js';
import type { Scope } from '../database/scope.js';
import type { senders } from '../domains/domains.tables.js';
import type { subTenants } from '../tenants/tenants.tables.js';

type Known = TablesOf<typeof environments | typeof senders | typeof subTenants | typeof workspaces>;

/** The owner of a customer's inbound domain. */
export interface InboundOwner {
  /** `tnt_…` or `snd_…` */
  id: string;
  /** The MX of the inbound domain points to this server, which accepts every local part. */
  takesMail: boolean;
  scope: Scope;
}

const SCOPE_COLUMNS = [
  'e.id as environmentId',
  'e.mode',
  'w.id as workspaceId',
  'w.number as workspaceNumber',
  'w.organization_id as organizationId',
] as const;

/** A kind of name: one that a sub-tenant chose, or a label below its sending domain. See domains/effective-names.rules.ts. */
interface NameKind {
  /** Spelled like the unique index of the table. */
  ofTenant: RawBuilder<string>;
  /** The name that the sub-tenant chose; `null` for the one below its domain. */
  chosen: RawBuilder<string | null>;
  label: string;
}
const INBOUND: NameKind = {
  ofTenant: sql<string>`COALESCE(t.inbound_domain, 'reply.' || t.sending_domain)`,
  chosen: sql<string | null>`t.inbound_domain`,
  label: 'reply.',
};
const RETURN_PATH: NameKind = {
  ofTenant: sql<string>`COALESCE(t.return_path_domain, 'bounce.' || t.sending_domain)`,
  chosen: sql<string | null>`t.return_path_domain`,
  label: 'bounce.',
};

export function inboundOwnerReads(db: Kysely<Known>) {
  /** Mail to a customer's domain belongs to the live environment. */
  const liveScopes = () =>
    db
      .selectFrom('workspaces as w')
      .innerJoin('environments as e', 'e.workspace_id', 'w.id')
      .where('e.mode', '=', 'live')
      .select(SCOPE_COLUMNS);

  /** Returns the owner whose key is or was last in DNS, unless a newer proof replaced it. Default names precede chosen ones. */
  async function ownerAt(
    domain: string,
    { ofTenant, chosen, label }: NameKind,
  ): Promise<InboundOwner | null> {
    const tenants = await liveScopes()
      .innerJoin('sub_tenants as t', 't.workspace_id', 'w.id')
      .select(['t.id', 't.id as subTenantId', 't.inbound_ok', 't.status', 't.verified_at'])
      .select(sql<number>`CASE WHEN ${chosen} IS NULL THEN 0 ELSE 1 END`.as('isChosen'))
      .where(ofTenant, '=', domain)
      .where('t.deleted_at', 'is', null)
      .where('t.taken_over_at', 'is', null)
      .where('t.verified_at', 'is not', null)
      .where('t.status', 'in', ['verified', 'suspended'])
      .execute();
    const senders = domain.startsWith(label)
      ? await liveScopes()
          .innerJoin('senders as s', 's.workspace_id', 'w.id')
          .select(['s.id', 's.sub_tenant_id as subTenantId', 's.inbound_ok', 's.status', 's.verified_at'])
          .select(sql<number>`0`.as('isChosen'))
          .where('s.identity', '=', domain.slice(label.length))
          .where('s.kind', '=', 'domain')
          .where('s.deleted_at', 'is', null)
          .where('s.taken_over_at', 'is', null)
          .where('s.verified_at', 'is not', null)
          .where('s.status', 'in', ['verified', 'suspended'])
          .orderBy('s.inbound_ok', 'desc')
          .orderBy('s.id')
          .execute()
      : [];
    const owners = [...tenants, ...senders].map((row) => ({
      row,
      rank: Number(row.status !== 'verified') * 2 + row.isChosen,
    }));
    // The newest proof of a domain wins. A chosen name needs no proof, so the oldest wins.
    const age = ({ row, rank }: (typeof owners)[number]): number =>
      (row.verified_at ?? 0) * (rank % 2 === 1 ? 1 : -1);
    const [first] = [...owners].sort((a, b) => a.rank - b.rank || age(a) - age(b));
    // Within a workspace, the sub-tenant comes first.
    const owner = owners.find(
      ({ row, rank }) => row.workspaceId === first?.row.workspaceId && rank === first.rank,
    );
    return owner ? ownerFrom(owner.row) : null;
  }

  return {
    /** Reads the verified sub-tenant or domain sender that receives replies at a domain. */
    inboundOwner: (domain: string): Promise<InboundOwner | null> => ownerAt(domain, INBOUND),

    /** Reads the verified sub-tenant or domain sender that receives bounces at a domain. */
    returnPathOwner: (domain: string): Promise<InboundOwner | null> => ownerAt(domain, RETURN_PATH),

    /** Reads the live scope of a sub-tenant or domain sender. */
    async scopeOfOwner(ownerId: string): Promise<Scope | null> {
      const row = ownerId.startsWith('tnt_')
        ? await liveScopes()
            .innerJoin('sub_tenants as t', 't.workspace_id', 'w.id')
            .select(['t.id', 't.id as subTenantId', 't.inbound_ok'])
            .where('t.id', '=', ownerId)
            .executeTakeFirst()
        : await liveScopes()
            .innerJoin('senders as s', 's.workspace_id', 'w.id')
            .select(['s.id', 's.sub_tenant_id as subTenantId', 's.inbound_ok'])
            .where('s.id', '=', ownerId)
            .executeTakeFirst();
      return row ? ownerFrom(row).scope : null;
    },
  };
}

interface OwnerRow {
  id: string;
  subTenantId: string | null;
  inbound_ok: 0 | 1;
  environmentId: number;
  mode: Mode;
  workspaceId: string;
  workspaceNumber: number;
  organizationId: string;
}

function ownerFrom(row: OwnerRow): InboundOwner {
  const { id, inbound_ok, subTenantId, environmentId, mode, workspaceId, workspaceNumber, organizationId } =
    row;
  const scope = { environmentId, mode, workspaceId, workspaceNumber, organizationId, subTenantId };
  return { id, takesMail: inbound_ok === 1, scope };
}
