// The spool of inbound mail: rows that are due, their octets and their outcome.
import { sql, type RawBuilder } from 'kysely';
import type { Committer } from '../database/committer.js';
import type { Engine } from '../database/engine/engine.js';
import { readRaws } from '../messages/rows.store.js';
import type { Mode } from '../contract/names.js';
import type { Scope } from '../database/scope.js';
import type { InboundMail, inboundMessages } from './inbound.tables.js';
import type { NewInboundMail } from './spool.store.js';
import type { environments, workspaces } from '../accounts/accounts.tables.js';
import type { raws } from '../messages/messages.tables.js';
import type { senders } from '../domains/domains.tables.js';
import type { subTenants } from '../tenants/tenants.tables.js';
import type { TablesOf } from '../database/columns.js';

type Known = TablesOf<
  | typeof environments
  | typeof inboundMessages
  | typeof raws
  | typeof senders
  | typeof subTenants
  | typeof workspaces
>;

export type WaitingMail = InboundMail & { size_bytes: number };

/** The client that sent a mail, as the listener saw it. */
export interface InboundClient {
  address: string;
  helo: string;
  /** The TLS version; null in clear. */
  tls: string | null;
  /** The sandbox wrote it. */
  simulated?: true;
}

export function clientOf({ client }: Pick<InboundMail, 'client'>): InboundClient {
  return JSON.parse(client) as InboundClient;
}

/** A recipient of a mail that comes in now, to be worked on at once. */
export function waitingMail({
  client,
  ...mail
}: Pick<NewInboundMail, 'received_at' | 'mail_from' | 'rcpt_to' | 'kind' | 'target'> & {
  client: InboundClient;
}): NewInboundMail {
  return {
    ...mail,
    client: JSON.stringify(client),
    state: 'waiting',
    attempts: 0,
    due_at: mail.received_at,
    outcome: null,
    detail: null,
  };
}

/** Where mail to an inbound domain of a customer belongs. */
export interface InboundOwner {
  /** `tnt_…` or `snd_…` */
  id: string;
  /** The MX of its inbound domain leads to us, so that every local part there is known. */
  takesMail: boolean;
  scope: Scope;
}

const DUE = `SELECT id, raw_id, received_at, client, mail_from, rcpt_to, kind, target, state, attempts, due_at, outcome, detail,
    (SELECT size_bytes FROM raws WHERE raws.id = raw_id) AS size_bytes
  FROM inbound_messages WHERE state = 'waiting' AND due_at <= ? ORDER BY due_at, id LIMIT ? + 0`;

/** Parked mail stays: nobody has read it. The first condition is that of the index. */
const PURGE = `DELETE FROM inbound_messages WHERE id IN (SELECT id FROM inbound_messages
  WHERE state <> 'waiting' AND state = 'done' AND received_at < ? ORDER BY received_at LIMIT ? + 0) RETURNING raw_id`;
/** Deletes large mail that nobody asked for and no rule recognises. */
const PURGE_UNRECOGNIZED = `DELETE FROM inbound_messages WHERE id IN (SELECT i.id FROM inbound_messages i JOIN raws r ON r.id = i.raw_id
  WHERE i.outcome = 'unrecognized' AND i.state = 'done' AND i.received_at < ? AND r.size_bytes > ?
  ORDER BY i.received_at LIMIT ? + 0) RETURNING raw_id`;
const OPEN_MAILBOX_BYTES = `SELECT COALESCE(SUM(size_bytes), 0) AS bytes FROM raws
  WHERE id IN (SELECT raw_id FROM inbound_messages WHERE kind IN ('feedback', 'report'))`;
const DELETE_PARKED = `DELETE FROM inbound_messages WHERE id = ? AND state = 'failed' RETURNING raw_id`;
const RETRY = `UPDATE inbound_messages SET state = 'waiting', attempts = 0, due_at = ?, outcome = NULL, detail = NULL
  WHERE id = ? AND state <> 'done' RETURNING id`;
/** Unless a mail that came in, or a message, has them. */
export const DROP_FREE_RAW = `DELETE FROM raws WHERE id = ?
  AND NOT EXISTS (SELECT 1 FROM inbound_messages i WHERE i.raw_id = raws.id)
  AND NOT EXISTS (SELECT 1 FROM contents c WHERE c.raw_id = raws.id)`;

const SCOPE_COLUMNS = [
  'e.id as environmentId',
  'e.mode',
  'w.id as workspaceId',
  'w.number as workspaceNumber',
  'w.organization_id as organizationId',
] as const;

/** A name that a sub-tenant may choose, else a label below its sending domain, as domains/own-names.rules.ts has it. */
interface OwnName {
  /** As the table's unique index spells it. */
  ofTenant: RawBuilder<string>;
  /** The name that the sub-tenant chose; null: the one below its domain. */
  chosen: RawBuilder<string | null>;
  label: string;
}
const INBOUND: OwnName = {
  ofTenant: sql<string>`COALESCE(t.inbound_domain, 'reply.' || t.sending_domain)`,
  chosen: sql<string | null>`t.inbound_domain`,
  label: 'reply.',
};
const RETURN_PATH: OwnName = {
  ofTenant: sql<string>`COALESCE(t.return_path_domain, 'bounce.' || t.sending_domain)`,
  chosen: sql<string | null>`t.return_path_domain`,
  label: 'bounce.',
};

interface ScopeRow {
  environmentId: number;
  mode: Mode;
  workspaceId: string;
  workspaceNumber: number;
  organizationId: string;
}

/** Changes that need no write. */
export function createInboundReads(engine: Engine) {
  const db = engine.read.$extendTables<Known>();

  /** Mail to a domain of a customer is live mail. */
  const liveScopes = () =>
    db
      .selectFrom('workspaces as w')
      .innerJoin('environments as e', 'e.workspace_id', 'w.id')
      .where('e.mode', '=', 'live')
      .select(SCOPE_COLUMNS);

  /**
   * Owner of a domain whose key is in DNS now, or was the last to be there; never a mere claim, nor an owner who lost
   * the domain to a newer proof. Names that follow from the domain go before chosen ones.
   */
  async function ownerAt(domain: string, { ofTenant, chosen, label }: OwnName): Promise<InboundOwner | null> {
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
    // The newest proof of a domain; of a chosen name, which follows from no proof, the one that was there first.
    const age = ({ row, rank }: (typeof owners)[number]): number =>
      (row.verified_at ?? 0) * (rank % 2 === 1 ? 1 : -1);
    const [first] = [...owners].sort((a, b) => a.rank - b.rank || age(a) - age(b));
    // Within a workspace its sub-tenant has the mail.
    const owner = owners.find(
      ({ row, rank }) => row.workspaceId === first?.row.workspaceId && rank === first.rank,
    );
    return owner ? ownerFrom(owner.row) : null;
  }

  return {
    /** Waiting mail that is due, the oldest first. */
    async due(now: number, limit: number): Promise<WaitingMail[]> {
      return (await engine.rows(DUE, [now, limit])) as unknown as WaitingMail[];
    },

    raws: (ids: readonly number[]): Promise<Map<number, Uint8Array>> => readRaws(engine, ids),

    /** The verified sub-tenant or domain sender whose replies come in at a domain; null when it is nobody's. */
    inboundOwner: (domain: string): Promise<InboundOwner | null> => ownerAt(domain, INBOUND),

    /** The same of its bounces. */
    returnPathOwner: (domain: string): Promise<InboundOwner | null> => ownerAt(domain, RETURN_PATH),

    /** The live scope of a sub-tenant or domain sender that mail was addressed to; null when it is gone. */
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

    /** The latest inbound mails, newest first, for the operator. */
    async latest(limit: number, state?: InboundMail['state']): Promise<WaitingMail[]> {
      const query = db
        .selectFrom('inbound_messages as i')
        .innerJoin('raws as r', 'r.id', 'i.raw_id')
        .selectAll('i')
        .select('r.size_bytes')
        .orderBy('i.id', 'desc')
        .limit(limit);
      return (state === undefined ? query : query.where('i.state', '=', state)).execute();
    },

    async byId(id: number): Promise<InboundMail | null> {
      const query = db.selectFrom('inbound_messages').selectAll().where('id', '=', id);
      return (await query.executeTakeFirst()) ?? null;
    },
  };
}

export function createInboundStore(engine: Engine, committer: Committer) {
  const drop = (statement: string, values: number[]): Promise<number> =>
    committer.commit(async ({ tx }) => {
      const rows = await tx.run(statement, values);
      for (const rawId of new Set(rows.map((row) => row['raw_id'] as number))) {
        await tx.run(DROP_FREE_RAW, [rawId]);
      }
      return rows.length;
    });

  return {
    ...createInboundReads(engine),

    /** Forgets up to `limit` mails that are through and came before a time, and the octets that no message needs. */
    purge: (before: number, limit: number): Promise<number> => drop(PURGE, [before, limit]),

    /** The same of mail larger than `bytes` that was not recognized. */
    purgeUnrecognized: (before: number, bytes: number, limit: number): Promise<number> =>
      drop(PURGE_UNRECOGNIZED, [before, bytes, limit]),

    /** Octets of all mail kept for postmaster, abuse, reports and the like. */
    async openMailboxBytes(): Promise<number> {
      const [row] = await engine.rows(OPEN_MAILBOX_BYTES, []);
      return Number(row?.['bytes'] ?? 0);
    },

    /** Forgets a parked mail and its octets. False when there is none of that number. */
    deleteParked: async (id: number): Promise<boolean> => (await drop(DELETE_PARKED, [id])) > 0,

    /** Gives a mail that was given up, or that waits, all its tries again, from now on. False when there is none. */
    retry: (id: number, now: number): Promise<boolean> =>
      committer.commit(async ({ tx }) => (await tx.run(RETRY, [now, id])).length > 0),
  };
}

interface OwnerRow extends ScopeRow {
  id: string;
  subTenantId: string | null;
  inbound_ok: 0 | 1;
}

function ownerFrom(row: OwnerRow): InboundOwner {
  const { id, inbound_ok, subTenantId, environmentId, mode, workspaceId, workspaceNumber, organizationId } =
    row;
  const scope = { environmentId, mode, workspaceId, workspaceNumber, organizationId, subTenantId };
  return { id, takesMail: inbound_ok === 1, scope };
}
