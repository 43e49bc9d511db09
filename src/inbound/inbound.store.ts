// The spool of inbound mail: rows that are due, their octets and their outcome.
import type { Committer } from '../database/committer.js';
import type { Engine } from '../database/engine/engine.js';
import { readRaws } from '../messages/rows.store.js';
import type { InboundMail, inboundMessages } from './inbound.tables.js';
import type { NewInboundMail } from './spool.store.js';
import type { environments, workspaces } from '../accounts/accounts.tables.js';
import type { raws } from '../messages/messages.tables.js';
import type { senders } from '../domains/domains.tables.js';
import type { subTenants } from '../tenants/tenants.tables.js';
import type { TablesOf } from '../database/columns.js';
import { inboundOwnerReads } from './inbound-owners.store.js';

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

/** Changes that need no write. */
export function createInboundReads(engine: Engine) {
  const db = engine.read.$extendTables<Known>();

  return {
    ...inboundOwnerReads(db),

    /** Waiting mail that is due, the oldest first. */
    async due(now: number, limit: number): Promise<WaitingMail[]> {
      return (await engine.rows(DUE, [now, limit])) as unknown as WaitingMail[];
    },

    raws: (ids: readonly number[]): Promise<Map<number, Uint8Array>> => readRaws(engine, ids),

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
