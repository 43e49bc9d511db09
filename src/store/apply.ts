// Applies a plan inside a transaction: one function per kind of change.
import type { ExpressionBuilder } from 'kysely';
import type { MessageStatus, MessageType } from '../contract/names.js';
import { usageDays } from '../accounts/quota.rules.js';
import { acceptMessage, gatherReport, insertRaw } from '../messages/accept/accept.store.js';
import { applyAudienceChange, followSuppression } from '../contacts/apply-audience.store.js';
import { resendInDoubt } from '../messages/accept/apply-resend.store.js';
import { applyCampaignChange } from '../campaigns/apply-campaign.store.js';
import { settleAddresses } from '../domains/apply-domains.store.js';
import { countUnsolicitedMail } from '../accounts/unsolicited-mail.store.js';
import { takeReport } from '../inbound/reports/apply-report.store.js';
import { applySequenceChange } from '../sequences/apply-sequence.store.js';
import {
  mayBeEvent,
  RETURNED_COLUMNS,
  appendInsertEvent,
  appendDeletedEvents,
  appendUpdateEvents,
} from '../events/apply-record-events.store.js';
import type { Writing } from './committer.js';
import type {
  Advance,
  Amend,
  Change,
  Committed,
  Delete,
  Dequeue,
  Insert,
  IntendDot,
  LimitApiKeys,
  Plan,
  RecordAttempt,
  Requeue,
  Spool,
  Update,
  Upsert,
} from './plan.js';
import { columnNames } from './columns.js';
import type { Value } from './engine/engine.js';
import { inboundMessages } from '../inbound/inbound.tables.js';
import { inList, insertRow } from './sql.js';
import { refuse } from './refuse.js';
import type { Tables } from './tables.js';

const REQUEUE = `UPDATE queue SET lease_until = NULL, lease_owner = NULL, dot_intent_at = NULL, due_at = ?, attempts = ?,
  ambiguous_attempts = ?, blocked_attempts = ?, retry_step = ?, source = ?, hold_reason = ? WHERE message_id = ?
  RETURNING queue_id`;

const INTEND_DOT = 'UPDATE queue SET dot_intent_at = ? WHERE lease_owner = ? AND message_id IN';

/** Ends of a message that was queued; from `queued`, which the first attempt leaves, nothing was sent. */
const UNSENT_ENDS: readonly MessageStatus[] = ['canceled', 'suppressed', 'failed', 'bounced'];
/** By the same terms as the one who makes messages counts them. */
const COUNTED = `SELECT environment_id, type, created_at FROM messages WHERE id = ? AND status = 'queued' AND null_sender = 0
  AND environment_id IN (SELECT id FROM environments WHERE mode = 'live')`;

const INBOUND_MAIL_COLUMNS = columnNames(inboundMessages, 'id');
const INSERT_INBOUND_MAIL = insertRow(inboundMessages, INBOUND_MAIL_COLUMNS);

/** The workspace's row is held, so that two who count at once do so one after the other. */
const HOLD_WORKSPACE = 'UPDATE workspaces SET id = id WHERE id = ?';
const COUNT_API_KEYS = `SELECT COUNT(*) AS n FROM api_keys k JOIN environments e ON e.id = k.environment_id
  WHERE e.workspace_id = ? AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > ?)`;

/** Changes that read none of the rows that are gathered. Those that do see them written. */
const READ_NOTHING_GATHERED: ReadonlySet<Change['kind']> = new Set([
  ...([
    'accept',
    'append',
    'advance',
    'amend',
    'dequeue',
    'requeue',
    'record-attempt',
    'intend-dot',
  ] as const),
  ...(['spool', 'report-due', 'count-use', 'count-key-use', 'check-quota'] as const),
]);

/** Applies every change in order; a refusal undoes the plan. */
export async function applyPlan(writing: Writing, plan: Plan): Promise<Committed> {
  const committed: Committed = { messageIds: [], queueIds: [], intended: [] };
  for (const [place, change] of plan.entries()) {
    if (!READ_NOTHING_GATHERED.has(change.kind)) await writing.gathered.flush();
    const copies = copiesBehind(plan, place);
    if (copies > 0) await writing.ids.together('messages', 1 + copies);
    await apply(writing, change, committed);
  }
  // Other work may read them next.
  if (!writing.isPlan) await writing.gathered.flush();
  writing.plans?.push(plan);
  return committed;
}

/** Messages to the other recipients of the request whose first message is made at this place of the plan. */
function copiesBehind(plan: Plan, place: number): number {
  const isCopy = (change: Change | undefined): boolean =>
    change?.kind === 'accept' && change.message.content.kind === 'same';
  if (isCopy(plan[place])) return 0;
  let end = place + 1;
  while (isCopy(plan[end])) end += 1;
  return end - place - 1;
}

async function limitApiKeys({ tx }: Writing, change: LimitApiKeys): Promise<void> {
  const { workspaceId, most, now, otherwise } = change;
  await tx.run(HOLD_WORKSPACE, [workspaceId]);
  const [row] = await tx.run(COUNT_API_KEYS, [workspaceId, now]);
  if (Number(row?.['n'] ?? 0) > most) refuse(otherwise);
}

async function apply(writing: Writing, change: Change, committed: Committed): Promise<void> {
  switch (change.kind) {
    case 'accept':
      return acceptMessage(writing, change.message, committed);
    case 'append': {
      writing.chain.append(change.event);
      return;
    }
    case 'advance':
      return advance(writing, change);
    case 'amend': {
      amend(writing, change);
      return;
    }
    case 'dequeue':
      return dequeue(writing, change);
    case 'requeue':
      return requeue(writing, change, committed);
    case 'resend-in-doubt':
      return resendInDoubt(writing, change, committed);
    case 'record-attempt': {
      recordAttempt(writing, change);
      return;
    }
    case 'intend-dot':
      return intendDot(writing, change, committed);
    case 'spool':
      return spool(writing, change);
    case 'report-due': {
      gatherReport(writing.gathered, change);
      return;
    }
    case 'count-use': {
      writing.usage.add(change);
      return;
    }
    case 'count-key-use': {
      writing.usage.addOfKey(change);
      return;
    }
    case 'check-quota':
      return writing.usage.hold(change);
    case 'limit-api-keys':
      return limitApiKeys(writing, change);
    case 'insert':
      return insert(writing, change);
    case 'upsert':
      return upsert(writing, change);
    case 'update':
      return update(writing, change);
    case 'delete':
      return remove(writing, change);
    case 'put-contact':
    case 'change-contact':
    case 'remove-contact':
    case 'join-list':
    case 'leave-list':
    case 'forget-unsubscribe':
      return applyAudienceChange(writing, change);
    case 'take-report':
      return takeReport(writing, change);
    case 'count-unsolicited-mail':
      return countUnsolicitedMail(writing, change);
    case 'settle-addresses':
      return settleAddresses(writing, change);
    case 'record-recipient':
    case 'count-recipients':
      return applyCampaignChange(writing, change, committed);
    case 'enroll':
    case 'take-step':
    case 'retry-enrollments':
      return applySequenceChange(writing, change, committed);
  }
}

/** Statement texts by their columns, so that each is prepared once. */
const messageUpdates = new Map<string, string>();

function messageUpdate(columns: readonly string[], statuses: number, isGuarded: boolean): string {
  const key = `${columns.join()}/${statuses}/${isGuarded}`;
  let statement = messageUpdates.get(key);
  if (statement === undefined) {
    const marks = Array.from({ length: statuses }, () => '?').join(', ');
    const status = isGuarded
      ? 'status = ?'
      : `status = CASE WHEN status IN (${marks}) THEN ? ELSE status END`;
    const assignments = [...(statuses > 0 ? [status] : []), ...columns.map((column) => `${column} = ?`)];
    const guard = isGuarded ? ` AND status IN (${marks}) RETURNING id` : '';
    statement = `UPDATE messages SET ${assignments.join(', ')} WHERE id = ?${guard}`;
    messageUpdates.set(key, statement);
  }
  return statement;
}

function columnsOf(set: Amend['set']): { names: string[]; values: Value[] } {
  const entries = Object.entries(set).flatMap(([name, value]): [string, Value][] =>
    value === undefined ? [] : [[name, value]],
  );
  return { names: entries.map(([name]) => name), values: entries.map(([, value]) => value) };
}

async function advance(writing: Writing, change: Advance): Promise<void> {
  const { messageId, to, from, otherwise } = change;
  const { tx, gathered } = writing;
  const { names, values } = columnsOf(change.set ?? {});
  if (names.length === 0 && !otherwise && !UNSENT_ENDS.includes(to)) {
    gathered.moveStatus(messageId, to, from);
    return;
  }
  gathered.settleStatus(messageId);
  if (UNSENT_ENDS.includes(to) && from.includes('queued')) await releaseQueued(writing, messageId);
  if (names.length > 0 && !otherwise) {
    tx.post(messageUpdate(names, from.length, false), [...from, to, ...values, messageId]);
    return;
  }
  const rows = await tx.run(messageUpdate(names, from.length, true), [to, ...values, messageId, ...from]);
  if (rows.length === 0 && otherwise) refuse(otherwise);
}

/** A message that ends without an attempt never left: it was counted on the day that it was made, and is not any more. */
async function releaseQueued({ tx, engine, usage }: Writing, messageId: number): Promise<void> {
  const rows = await tx.run(`${COUNTED} ${engine.forUpdate}`, [messageId]);
  const row = rows[0];
  if (!row) return;
  usage.add({
    environmentId: Number(row['environment_id']),
    day: usageDays(Number(row['created_at'])).today,
    type: row['type'] as MessageType, // as it was inserted
    sends: -1,
  });
}

function amend({ tx, gathered }: Writing, change: Amend): void {
  gathered.settleStatus(change.messageId);
  const { names, values } = columnsOf(change.set);
  tx.post(messageUpdate(names, 0, false), [...values, change.messageId]);
}

async function dequeue({ tx, gathered }: Writing, change: Dequeue): Promise<void> {
  if (!change.unleased) {
    gathered.dequeue(change.messageId);
    return;
  }
  const rows = await tx.run(
    'DELETE FROM queue WHERE message_id = ? AND lease_until IS NULL RETURNING message_id',
    [change.messageId],
  );
  if (rows.length === 0) refuse(change.unleased);
}

async function requeue({ tx, gathered }: Writing, change: Requeue, committed: Committed): Promise<void> {
  if (gathered.hasDequeued(change.messageId)) return;
  const rows = await tx.run(REQUEUE, [
    change.dueAt,
    change.attempts,
    change.ambiguousAttempts,
    change.blockedAttempts,
    change.retryStep,
    change.source,
    change.holdReason,
    change.messageId,
  ]);
  const queueId = rows[0]?.['queue_id'];
  if (typeof queueId === 'number') committed.queueIds.push(queueId);
}

function recordAttempt({ gathered }: Writing, change: RecordAttempt): void {
  const { messageId, number, at, sessionId, detail, conversation } = change;
  gathered.insertAttempt({ message_id: messageId, number, at, session_id: sessionId, detail, conversation });
}

async function spool({ tx }: Writing, { raw, mails }: Spool): Promise<void> {
  const rawId = await insertRaw(tx, raw);
  for (const mail of mails) {
    const values: Record<string, Value | undefined> = { ...mail, raw_id: rawId };
    await tx.run(
      INSERT_INBOUND_MAIL,
      INBOUND_MAIL_COLUMNS.map((column) => values[column] ?? null),
    );
  }
}

async function intendDot({ tx, gathered }: Writing, change: IntendDot, committed: Committed): Promise<void> {
  const messageIds = change.messageIds.filter((messageId) => !gathered.hasDequeued(messageId));
  if (messageIds.length === 0) return;
  const { marks, values } = inList(messageIds);
  const rows = await tx.run(`${INTEND_DOT} (${marks}) RETURNING message_id`, [
    change.at,
    change.owner,
    ...values,
  ]);
  committed.intended.push(...rows.map((row) => Number(row['message_id'])));
}

const SUPPRESSION_KEY = ['environment_id', 'sub_tenant_key', 'email_key'] as const;

// The generic changes below are typed per table in plan.ts; Kysely cannot follow a union of tables, so the
// column and value types are dropped here, at this one place.
type Loose = Record<string, unknown>;

async function insert(writing: Writing, change: Insert): Promise<void> {
  const { tx, engine } = writing;
  const query = tx.db.insertInto(change.into).values(change.row);
  if (change.conflict === 'ignore') {
    const added = await query.onConflict((conflict) => conflict.doNothing()).executeTakeFirst();
    if (Number(added.numInsertedOrUpdatedRows ?? 0) > 0) await appendInsertEvent(writing, change);
    if (change.into === 'suppressions') await followInsert(writing, change);
    return;
  }
  try {
    await query.execute();
  } catch (error) {
    if (change.conflict && engine.isUniqueViolation(error)) refuse(change.conflict);
    throw error;
  }
  await appendInsertEvent(writing, change);
  if (change.into === 'suppressions') await followInsert(writing, change);
}

async function followInsert(
  writing: Writing,
  { row, isBulk }: Extract<Insert, { into: 'suppressions' }>,
): Promise<void> {
  await followSuppression(writing, row, { at: row.created_at, isBulk: isBulk === true });
}

async function upsert({ tx }: Writing, change: Upsert): Promise<void> {
  await tx.db
    .insertInto(change.into)
    .values(change.row)
    .onConflict((conflict) => conflict.columns(change.key).doUpdateSet(change.set))
    .execute();
}

function matches(where: object) {
  return (eb: ExpressionBuilder<Tables, keyof Tables>) => {
    const parts = Object.entries(where as Loose).map(([column, value]) => {
      const name = column as never;
      if (value === null) return eb(name, 'is', null as never);
      // PostgreSQL knows no empty list.
      if (Array.isArray(value) && value.length === 0) return eb.lit(false);
      if (Array.isArray(value)) return eb(name, 'in', value as never);
      return eb(name, '=', value as never);
    });
    return eb.and(parts);
  };
}

async function update(writing: Writing, change: Update): Promise<void> {
  const { tx, engine } = writing;
  const query = tx.db
    .updateTable(change.table)
    .set(change.set as never)
    .where(matches(change.where) as never);
  try {
    if (mayBeEvent(change)) {
      const rows = await query.returning(RETURNED_COLUMNS[change.table] as never).execute();
      if (rows.length === 0 && change.otherwise) refuse(change.otherwise);
      await appendUpdateEvents(writing, change, rows);
      return;
    }
    if (change.table === 'suppressions') {
      const rows = await query.returning(SUPPRESSION_KEY as never).execute();
      if (rows.length === 0 && change.otherwise) refuse(change.otherwise);
      for (const row of rows) await followSuppression(writing, row, { at: change.at, isBulk: false });
      return;
    }
    const result = await query.executeTakeFirst();
    if (change.otherwise && Number(result.numUpdatedRows) === 0) refuse(change.otherwise);
  } catch (error) {
    if (change.conflict && engine.isUniqueViolation(error)) refuse(change.conflict);
    throw error;
  }
}

async function remove(writing: Writing, change: Delete): Promise<void> {
  const query = writing.tx.db.deleteFrom(change.from).where(matches(change.where) as never);
  if (change.from === 'suppressions') {
    const rows = await query.returning(['id', ...SUPPRESSION_KEY] as never).execute();
    if (change.otherwise && rows.length === 0) refuse(change.otherwise);
    await appendDeletedEvents(writing, rows, change.at);
    for (const row of rows) await followSuppression(writing, row, { at: change.at, isBulk: false });
    return;
  }
  const result = await query.executeTakeFirst();
  if (change.otherwise && Number(result.numDeletedRows) === 0) refuse(change.otherwise);
}
