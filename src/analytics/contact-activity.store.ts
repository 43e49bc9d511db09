// Activity of a contact: the events of mail to and from the address, and the lists it joined and left.
import type { TrailEvent } from '../contract/names.js';
import type { Engine, Value } from '../database/engine/engine.js';
import { inList, rowsAs } from '../database/sql.js';
import { type Page, type PageRequest, type Scope, cutPage } from '../database/scope.js';
import type { Consent } from '../contacts/consents.store.js';
import type { StoredEvent } from '../events/events.tables.js';
import type { MessageTable } from '../messages/messages.tables.js';

/** Messages that are read in each direction. */
const ACTIVITY_MESSAGES = 2_000;
/** Conversations whose received messages are read. */
const THREADS = 500;

const SENT = 'SELECT id FROM messages WHERE environment_id = ? AND to_key = ?';
const THREADS_WITH = 'SELECT id FROM threads WHERE environment_id = ? AND correspondent_key = ?';

type MessagePart = Pick<
  MessageTable,
  'public_id' | 'subject' | 'type' | 'status' | 'campaign_id' | 'sequence_id' | 'sub_tenant_id'
>;
type MessageActivity = Pick<StoredEvent, 'position' | 'actor' | 'occurred_at' | 'detail'> & {
  event: TrailEvent;
} & MessagePart;

export type ListConsent = Pick<Consent, 'event' | 'actor' | 'actor_id' | 'source' | 'ip' | 'user_agent'>;

interface ListActivity {
  kind: 'list_joined' | 'list_requested' | 'list_left';
  occurred_at: number;
  list_id: string;
  list_name: string;
  /** `null` if none was recorded. */
  consent: ListConsent | null;
  /** Distinguishes entries with the same time. */
  position: number;
}

interface MembershipRow {
  number: number;
  list_id: string;
  list_name: string;
  state: 'subscribed' | 'pending' | 'left';
  at: number;
}

type ConsentRow = Consent & Pick<MembershipRow, 'list_name'>;

export type Activity = MessageActivity | ListActivity;

export function createContactActivityStore(engine: Engine) {
  return {
    /**
     * Returns the activity in the scope's environment, newest first. The key of an entry is its time and position. In each
     * direction, only the newest ACTIVITY_MESSAGES messages are read.
     */
    async contactActivity(
      scope: Scope,
      contact: { number: number; emailKey: string },
      page: PageRequest,
    ): Promise<Page<Activity>> {
      const [at = Number.MAX_SAFE_INTEGER, position = 0] =
        page.after === null ? [] : page.after.split(' ').map(Number);
      const limit = page.limit + 1;
      const [lists, ids] = await Promise.all([
        listActivity(engine, scope, contact),
        messageIds(engine, scope, contact.emailKey),
      ]);
      const rows: Activity[] = await messageActivity(engine, ids, { at, position }, limit);
      rows.push(...lists.filter((one) => isBefore(one, { occurred_at: at, position })));
      rows.sort((one, other) => (isBefore(one, other) ? 1 : -1));
      return cutPage(rows.slice(0, limit), page.limit, (row) => `${row.occurred_at} ${row.position}`);
    },
  };
}

async function readIds<T extends string | number>(
  engine: Engine,
  statement: string,
  values: readonly Value[],
): Promise<T[]> {
  return (await rowsAs<{ id: T }>(engine.rows(statement, values))).map(({ id }) => id);
}

async function messageIds(engine: Engine, scope: Scope, emailKey: string): Promise<number[]> {
  const owner = scope.subTenantId === null ? '' : ' AND sub_tenant_id = ?';
  const key = [scope.environmentId, emailKey, ...(scope.subTenantId === null ? [] : [scope.subTenantId])];
  const [sent, threads] = await Promise.all([
    readIds<number>(engine, `${SENT}${owner} ORDER BY id DESC LIMIT ?`, [...key, ACTIVITY_MESSAGES]),
    readIds<string>(engine, `${THREADS_WITH}${owner} LIMIT ?`, [...key, THREADS]),
  ]);
  if (threads.length === 0) return sent;
  const { marks, values } = inList(threads);
  const received = await readIds<number>(
    engine,
    `SELECT id FROM messages WHERE thread_id IN (${marks}) AND status = 'received' ORDER BY id DESC LIMIT ?`,
    [...values, ACTIVITY_MESSAGES],
  );
  return [...sent, ...received];
}

async function messageActivity(
  engine: Engine,
  ids: readonly number[],
  before: { at: number; position: number },
  limit: number,
): Promise<MessageActivity[]> {
  if (ids.length === 0) return [];
  const { marks, values } = inList(ids);
  const statement = `SELECT v.position, v.event, v.actor, v.occurred_at, v.detail, m.public_id, m.subject, m.type,
      m.status, m.campaign_id, m.sequence_id, m.sub_tenant_id
    FROM events v JOIN messages m ON m.id = v.message_id WHERE v.message_id IN (${marks})
    AND (v.occurred_at < ? OR (v.occurred_at = ? AND v.position < ?))
    ORDER BY v.occurred_at DESC, v.position DESC LIMIT ?`;
  const asked = [...values, before.at, before.at, before.position, limit];
  return rowsAs<MessageActivity>(engine.rows(statement, asked));
}

async function listActivity(
  engine: Engine,
  scope: Scope,
  contact: { number: number; emailKey: string },
): Promise<ListActivity[]> {
  const owner = scope.subTenantId === null ? '' : ' AND l.sub_tenant_id = ?';
  const values = scope.subTenantId === null ? [] : [scope.subTenantId];
  const [places, unsubscribes, consents] = await Promise.all([
    rowsAs<MembershipRow>(
      engine.rows(
        `SELECT l.number, l.id AS list_id, l.name AS list_name, p.state, p.joined_at AS at
        FROM list_members p JOIN contact_lists l ON l.number = p.list_number
        WHERE p.contact_number = ? AND l.deleted_at IS NULL${owner} AND NOT EXISTS
          (SELECT 1 FROM consents s WHERE s.contact_number = p.contact_number AND s.list_number = p.list_number)`,
        [contact.number, ...values],
      ),
    ),
    // From the lists, so that each unsubscribe is found by its key.
    rowsAs<MembershipRow>(
      engine.rows(
        `SELECT l.number, l.id AS list_id, l.name AS list_name, 'left' AS state, p.unsubscribed_at AS at
        FROM contact_lists l CROSS JOIN list_unsubscribes p
        WHERE p.list_number = l.number AND p.email_key = ? AND l.environment_id = ? AND l.deleted_at IS NULL${owner}`,
        [contact.emailKey, scope.environmentId, ...values],
      ),
    ),
    rowsAs<ConsentRow>(
      engine.rows(
        `SELECT s.*, l.id AS list_id, l.name AS list_name FROM consents s JOIN contact_lists l ON l.number = s.list_number
        WHERE s.contact_number = ? AND l.deleted_at IS NULL${owner}`,
        [contact.number, ...values],
      ),
    ),
  ]);
  return [...consents.map(consentActivity), ...[...places, ...unsubscribes].map(membershipActivity)];
}

function consentActivity(row: ConsentRow): ListActivity {
  const { event, occurred_at, list_id, list_name, number } = row;
  return {
    kind: event === 'requested' ? 'list_requested' : 'list_joined',
    occurred_at,
    list_id,
    list_name,
    consent: row,
    position: number * 3 + 2,
  };
}

function membershipActivity({ state, at, list_id, list_name, number }: MembershipRow): ListActivity {
  return {
    kind: state === 'left' ? 'list_left' : state === 'pending' ? 'list_requested' : 'list_joined',
    occurred_at: at,
    list_id,
    list_name,
    consent: null,
    position: number * 3 + (state === 'left' ? 1 : 0),
  };
}

type ActivityKey = Pick<Activity, 'occurred_at' | 'position'>;

function isBefore(one: ActivityKey, other: ActivityKey): boolean {
  if (one.occurred_at !== other.occurred_at) return one.occurred_at < other.occurred_at;
  return one.position < other.position;
}
