// Reads and changes the spool of inbound mail.
import type { Committer } from '../database/committer.js';
import type { Engine } from '../database/engine/engine.js';
import { rowsAs } from '../database/sql.js';
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

/** The SMTP client that sent a message. */
export interface InboundClient {
  address: string;
  helo: string;
  /** The TLS version; `null` without TLS. */
  tls: string | null;
  /** The message is a reply from the sandbox. */
  simulated?: true;
}

export function readClient({ client }: Pick<InboundMail, 'client'>): InboundClient {
  return JSON.parse(client) as InboundClient;
}

/** Returns the row of a new message for one recipient, due now. */
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
  FROM inbound_messages WHERE state = 'waiting' AND due_at <= ? ORDER BY due_at, id LIMIT ?`;

/** Keeps parked mail, which no one has read. The first condition matches the index. */
const PURGE = `DELETE FROM inbound_messages WHERE id IN (SELECT id FROM inbound_messages
  WHERE state <> 'waiting' AND state = 'done' AND received_at < ? ORDER BY received_at LIMIT ?) RETURNING raw_id`;
/** Deletes large mail that no rule recognized. */
const PURGE_UNRECOGNIZED = `DELETE FROM inbound_messages WHERE id IN (SELECT i.id FROM inbound_messages i JOIN raws r ON r.id = i.raw_id
  WHERE i.outcome = 'unrecognized' AND i.state = 'done' AND i.received_at < ? AND r.size_bytes > ?
  ORDER BY i.received_at LIMIT ?) RETURNING raw_id`;
const OPEN_MAILBOX_BYTES = `SELECT COALESCE(SUM(size_bytes), 0) AS bytes FROM raws
  WHERE id IN (SELECT raw_id FROM inbound_messages WHERE kind IN ('feedback', 'report'))`;
const DELETE_PARKED = `DELETE FROM inbound_messages WHERE id = ? AND state = 'failed' RETURNING raw_id`;
const RETRY = `UPDATE inbound_messages SET state = 'waiting', attempts = 0, due_at = ?, outcome = NULL, detail = NULL
  WHERE id = ? AND state <> 'done' RETURNING id`;
/** Deletes a raw message that neither an inbound row nor a message uses. */
export const DROP_FREE_RAW = `DELETE FROM raws WHERE id = ?
  AND NOT EXISTS (SELECT 1 FROM inbound_messages i WHERE i.raw_id = raws.id)
  AND NOT EXISTS (SELECT 1 FROM contents c WHERE c.raw_id = raws.id)`;

/** Reads of the spool, for threads that do not write. */
export function createInboundReads(engine: Engine) {
  const db = engine.read.$extendTables<Known>();

  return {
    ...inboundOwnerReads(db),

    /** Reads due messages, oldest first. */
    async due(now: number, limit: number): Promise<WaitingMail[]> {
      return rowsAs<WaitingMail>(engine.rows(DUE, [now, limit]));
    },

    raws: (ids: readonly number[]): Promise<Map<number, Uint8Array>> => readRaws(engine, ids),

    /** Reads the latest messages of all workspaces, newest first, for the operator. */
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
      const rows = await rowsAs<Pick<InboundMail, 'raw_id'>>(tx.run(statement, values));
      for (const rawId of new Set(rows.map(({ raw_id }) => raw_id))) {
        await tx.run(DROP_FREE_RAW, [rawId]);
      }
      return rows.length;
    });

  return {
    ...createInboundReads(engine),

    /** Deletes up to `limit` processed messages from before a time, and raw messages that are no longer used. */
    purge: (before: number, limit: number): Promise<number> => drop(PURGE, [before, limit]),

    /** Deletes unrecognized messages larger than `bytes` from before a time. */
    purgeUnrecognized: (before: number, bytes: number, limit: number): Promise<number> =>
      drop(PURGE_UNRECOGNIZED, [before, bytes, limit]),

    /** Returns the total size of stored mail to postmaster, abuse and addresses for reports. */
    async openMailboxBytes(): Promise<number> {
      const [row] = await rowsAs<{ bytes: number | string | null }>(engine.rows(OPEN_MAILBOX_BYTES, []));
      return Number(row?.bytes ?? 0);
    },

    /** Deletes a parked message. Returns false if there is none with this number. */
    deleteParked: async (id: number): Promise<boolean> => (await drop(DELETE_PARKED, [id])) > 0,

    /** Retries a parked or waiting message now, with all attempts. Returns false if there is none with this number. */
    retry: (id: number, now: number): Promise<boolean> =>
      committer.commit(async ({ tx }) => (await tx.run(RETRY, [now, id])).length > 0),
  };
}
