// Reads the evidence for the bulk sender rules: newest messages with their attempts, counters by provider, unsubscribes. Each read has a
// limit that does not grow with the mail.
import type { MessageStatus, MessageType } from '../../contract/names.js';
import type { AttemptDetail } from '../../messages/attempt.schema.js';
import type { attempts, messages } from '../../messages/messages.tables.js';
import type { RowOf } from '../../database/columns.js';
import type { Engine, Value } from '../../database/engine/engine.js';
import { inList, rowsAs } from '../../database/sql.js';

/** Number of newest messages that are read, of a sender and of its workspace, which has no separate index. */
const RECENT = 1_000;
const RECENT_OF_ALL = 5_000;
/** Newest refused messages, of a sender and of its workspace. */
const REFUSED = 200;
const REFUSED_OF_ALL = 2_000;
const IDS_A_READ = 512;
/** Attempts that are read for the messages of one read. */
const ATTEMPTS_A_READ = 1_500;
/** Newest suppressions that are read. */
const SUPPRESSIONS = 500;

type MessageRow = Pick<
  RowOf<typeof messages>,
  'id' | 'public_id' | 'type' | 'status' | 'from_email' | 'signed_at' | 'created_at'
>;
const COLUMNS = 'id, public_id, sub_tenant_id, type, status, from_email, signed_at, created_at';
const OF_TENANT = `SELECT ${COLUMNS} FROM messages WHERE environment_id = ? AND sub_tenant_id = ?
  ORDER BY id DESC LIMIT ${RECENT}`;
const OF_WORKSPACE = `SELECT ${COLUMNS} FROM (SELECT ${COLUMNS} FROM messages WHERE environment_id = ?
    ORDER BY id DESC LIMIT ${RECENT_OF_ALL}) AS newest
  WHERE sub_tenant_id IS NULL ORDER BY id DESC LIMIT ${RECENT}`;
const REFUSED_ONES = `SELECT ${COLUMNS} FROM (SELECT ${COLUMNS} FROM messages
    WHERE environment_id = ? AND status = ? ORDER BY id DESC LIMIT ${REFUSED_OF_ALL}) AS newest
  WHERE COALESCE(sub_tenant_id, '') = ? ORDER BY id DESC LIMIT ${REFUSED}`;
/** Larger messages are not composed again. Forwarded ones are written by others. */
const MOST_OCTETS = 1_048_576;
const SMALL_ONES = `SELECT m.id FROM messages m JOIN contents c ON c.id = m.content_id LEFT JOIN raws r ON r.id = c.raw_id
  WHERE m.redacted_at IS NULL AND m.forward IS NULL AND COALESCE(r.size_bytes, 0) <= ${MOST_OCTETS}
    AND LENGTH(COALESCE(c.html, '')) + LENGTH(COALESCE(c.text, '')) <= ${MOST_OCTETS}
    AND NOT EXISTS (SELECT 1 FROM attachments a WHERE a.content_id = c.id) AND m.id IN`;
type AttemptRow = Pick<RowOf<typeof attempts>, 'message_id' | 'at' | 'detail'>;
const ATTEMPTS = `SELECT message_id, at, detail FROM attempts WHERE message_id IN`;
/** PostgreSQL returns sums as text. */
interface DayRow {
  provider: string;
  day: number;
  n: number | string;
}
const DAYS = `SELECT value AS provider, day, SUM(n) AS n FROM stat_groups WHERE environment_id = ? AND sub_tenant_key = ?
  AND dimension = 'provider' AND day >= ? AND day <= ? AND measure = 'sent' AND value IN`;
type SumsRow = Pick<DayRow, 'provider' | 'n'> & { measure: keyof ProviderSums };
const SUMS = `SELECT value AS provider, measure, SUM(n) AS n FROM stat_groups WHERE environment_id = ? AND sub_tenant_key = ?
  AND dimension = 'provider' AND day >= ? AND day <= ? AND measure IN ('sent', 'delivered', 'complained')
  GROUP BY value, measure`;
interface UnsubscribeRow {
  at: number;
  last_id: number | null;
}
const UNSUBSCRIBES = `SELECT s.created_at AS at, (SELECT m.id FROM messages m
      WHERE m.environment_id = s.environment_id AND m.to_key = s.email_key AND COALESCE(m.sub_tenant_id, '') = s.sub_tenant_key
        AND m.type <> 'transactional' AND m.status IN ('sent', 'delivered', 'opened', 'clicked', 'bounced', 'complained')
      ORDER BY m.id DESC LIMIT 1) AS last_id
  FROM (SELECT environment_id, sub_tenant_key, email_key, reason, created_at FROM suppressions
    WHERE environment_id = ? AND sub_tenant_key = ? ORDER BY id DESC LIMIT ${SUPPRESSIONS}) AS s
  WHERE s.reason = 'unsubscribe' AND s.created_at >= ?`;
interface LastSentRow {
  id: number;
  publicId: string;
  at: number;
}
const LAST_SENT = `SELECT m.id, m.public_id AS "publicId", MAX(a.at) AS at FROM messages m JOIN attempts a ON a.message_id = m.id WHERE m.id IN`;

/** A sub-tenant, or `null` for the workspace's own mail. */
export interface SenderOfMail {
  environmentId: number;
  subTenantId: string | null;
}

export interface LookedMessage {
  id: number;
  publicId: string;
  type: MessageType;
  status: MessageStatus;
  fromEmail: string;
  isSigned: boolean;
  createdAt: number;
}

export interface LookedAttempt {
  messageId: number;
  at: number;
  detail: AttemptDetail;
}

/** An unsubscribe, and the last marketing or sales message to the person. */
export interface Unsubscribed {
  at: number;
  last: { publicId: string; at: number } | null;
}

export interface ProviderSums {
  sent: number;
  delivered: number;
  complained: number;
}

export function createBulkRuleStore(engine: Engine) {
  return { ...messageReads(engine), ...counterReads(engine) };
}

const tenantKey = ({ subTenantId }: SenderOfMail): string => subTenantId ?? '';

function messageReads(engine: Engine) {
  async function looked(statement: string, values: Value[]): Promise<LookedMessage[]> {
    return (await rowsAs<MessageRow>(engine.rows(statement, values))).map(readMessage);
  }

  return {
    /** The sender's newest messages. For a workspace, those among its newest messages of all senders. */
    recent: ({ environmentId, subTenantId }: SenderOfMail): Promise<LookedMessage[]> =>
      subTenantId === null
        ? looked(OF_WORKSPACE, [environmentId])
        : looked(OF_TENANT, [environmentId, subTenantId]),

    /** The sender's newest messages that bounced or failed. */
    async refused(sender: SenderOfMail): Promise<LookedMessage[]> {
      const found = await Promise.all(
        ['bounced', 'failed'].map((status) =>
          looked(REFUSED_ONES, [sender.environmentId, status, tenantKey(sender)]),
        ),
      );
      return found.flat();
    },

    /** IDs of messages that are cheap to compose again, because they are small and have no attachments. */
    async smallAmong(messageIds: readonly number[]): Promise<Set<number>> {
      if (messageIds.length === 0) return new Set();
      const { marks, values } = inList(messageIds);
      const rows = await rowsAs<{ id: number }>(engine.rows(`${SMALL_ONES} (${marks})`, values));
      return new Set(rows.map(({ id }) => id));
    },

    /** Attempts of these messages, limited to those of the newest messages. */
    async attemptsAmong(messageIds: readonly number[]): Promise<LookedAttempt[]> {
      const found: LookedAttempt[] = [];
      for (let i = 0; i < messageIds.length; i += IDS_A_READ) {
        const { marks, values } = inList(messageIds.slice(i, i + IDS_A_READ));
        const order = `ORDER BY message_id DESC, number DESC LIMIT ${ATTEMPTS_A_READ}`;
        const rows = await rowsAs<AttemptRow>(engine.rows(`${ATTEMPTS} (${marks}) ${order}`, values));
        for (const { message_id, at, detail } of rows) {
          found.push({ messageId: message_id, at, detail: JSON.parse(detail) as AttemptDetail });
        }
      }
      return found;
    },
  };
}

function counterReads(engine: Engine) {
  return {
    /** Messages sent to each of the providers, by day since the epoch, both inclusive. */
    async sentByDay(
      sender: SenderOfMail,
      { providers, from, to }: { providers: readonly string[]; from: number; to: number },
    ): Promise<{ provider: string; day: number; n: number }[]> {
      const { marks, values } = inList(providers);
      const asked = [sender.environmentId, tenantKey(sender), from, to, ...values];
      const rows = await rowsAs<DayRow>(engine.rows(`${DAYS} (${marks}) GROUP BY value, day`, asked));
      return rows.map(({ provider, day, n }) => ({ provider, day, n: Number(n) }));
    },

    /** Sums by provider of the days, both inclusive. */
    async sums(
      sender: SenderOfMail,
      { from, to }: { from: number; to: number },
    ): Promise<Map<string, ProviderSums>> {
      const found = new Map<string, ProviderSums>();
      const values = [sender.environmentId, tenantKey(sender), from, to];
      for (const { provider, measure, n } of await rowsAs<SumsRow>(engine.rows(SUMS, values))) {
        const sums = found.get(provider) ?? { sent: 0, delivered: 0, complained: 0 };
        sums[measure] += Number(n);
        found.set(provider, sums);
      }
      return found;
    },

    /** Newest unsubscribes since a time (epoch ms). */
    async unsubscribes(sender: SenderOfMail, since: number): Promise<Unsubscribed[]> {
      const asked = [sender.environmentId, tenantKey(sender), since];
      const rows = await rowsAs<UnsubscribeRow>(engine.rows(UNSUBSCRIBES, asked));
      const ids = rows.flatMap(({ last_id }) => last_id ?? []);
      const sent = new Map<number, { publicId: string; at: number }>();
      if (ids.length > 0) {
        const { marks, values } = inList(ids);
        const statement = `${LAST_SENT} (${marks}) GROUP BY m.id, m.public_id`;
        const found = await rowsAs<LastSentRow>(engine.rows(statement, values));
        for (const { id, ...last } of found) sent.set(id, last);
      }
      return rows.map(({ at, last_id }) => ({
        at,
        last: last_id === null ? null : (sent.get(last_id) ?? null),
      }));
    },
  };
}

function readMessage(row: MessageRow): LookedMessage {
  return {
    id: row.id,
    publicId: row.public_id,
    type: row.type,
    status: row.status,
    fromEmail: row.from_email,
    isSigned: row.signed_at !== null,
    createdAt: row.created_at,
  };
}
