// Reads sequences and their enrollments, for the API and for the loop.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Selectable, Kysely } from 'kysely';
import type { EnrollmentStatus, SequenceStatus } from '../contract/names.js';
import type { Happened } from './sequence.rules.js';
import type { Engine, Value } from '../database/engine/engine.js';
import { inList, rowsAs } from '../database/sql.js';
import { holding, paged } from '../database/paged.js';
import { type Page, type PageRequest, type Scope, cutPage } from '../database/scope.js';
import type { ContactTable, contacts } from '../contacts/contacts.tables.js';
import type { Enrollment, Sequence, enrollments, sequences } from './sequences.tables.js';
import type { SourceStatTable, sourceStats } from '../analytics/analytics.tables.js';
import type { Template, TemplateUse } from '../templates/templates.tables.js';
import type { contactLists } from '../contacts/lists/lists.tables.js';
import type { environments } from '../accounts/accounts.tables.js';
import type { TablesOf } from '../database/columns.js';

type Known = TablesOf<
  | typeof contactLists
  | typeof contacts
  | typeof enrollments
  | typeof environments
  | typeof sequences
  | typeof sourceStats
>;

export type EnrolledContact = Selectable<ContactTable>;
export type SequenceStats = Selectable<SourceStatTable>;
/** With who it is of. */
export type ShownEnrollment = Enrollment & { contactId: string; email: string };
/** A sequence and the scope that it works in. */
export type PlacedSequence = Sequence & { scope: Scope };

/** Number of rows in one step of a search without an index. Other work gets a turn after each step. */
const STEP = 5000;
/** Number of rows searched for one page. The next page continues from there. */
const SEARCH_LIMIT = 200_000;

export interface EnrollmentCount {
  status: EnrollmentStatus;
  exitReason: string | null;
  /** Active enrollments by step; `null` for other statuses. */
  step: string | null;
  n: number;
}

const DUE_SEQUENCES = `SELECT s.*, v.mode, w.id AS workspace_id, w.number AS workspace_number, w.organization_id
  FROM sequences s JOIN environments v ON v.id = s.environment_id JOIN workspaces w ON w.id = v.workspace_id
  WHERE s.status = 'active' AND s.deleted_at IS NULL AND EXISTS (SELECT 1 FROM enrollments e
    WHERE e.sequence_number = s.number AND e.status = 'active' AND e.due_at <= ?) ORDER BY s.number`;
const DUE = `SELECT * FROM enrollments WHERE sequence_number = ? AND status = 'active' AND due_at <= ?
  ORDER BY due_at, number LIMIT ?`;
const RETRYABLE = `SELECT number FROM enrollments e WHERE sequence_number = ? AND number > ? AND status = 'failed'
  AND exit_reason NOT IN ('too_many_steps', 'step_missing') AND NOT EXISTS (SELECT 1 FROM enrollments later
    WHERE later.sequence_number = e.sequence_number AND later.contact_number = e.contact_number AND later.number > e.number)
  ORDER BY number LIMIT ?`;
const COUNT_SLICE = `SELECT status, exit_reason, CASE WHEN status = 'active' THEN step END AS at_step, COUNT(*) AS n,
    MAX(number) AS last
  FROM (SELECT number, status, exit_reason, step FROM enrollments WHERE sequence_number = ? AND number > ?
    ORDER BY number LIMIT ?) AS slice
  GROUP BY status, exit_reason, at_step`;
const OF_ADDRESSES = `SELECT e.number FROM contacts c
  JOIN enrollments e ON e.contact_number = c.number AND e.status = 'active'
  WHERE c.environment_id = ? AND c.email_key IN`;

/** Excludes opens and clicks by machines. Quotes within JSON strings are escaped, so the pattern matches no text. */
const BY_PEOPLE = `(v.detail IS NULL OR v.detail NOT LIKE '%"machine":true%')`;

export function createSequenceStore(engine: Engine): SequenceStore {
  return new SequenceStore(engine);
}

export class SequenceStore {
  readonly #engine: Engine;
  readonly #db: Kysely<Known>;

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#db = this.#engine.read.$extendTables<Known>();
  }

  async sequence(scope: Scope, id: string): Promise<Sequence | null> {
    return (await this.#sequences(scope).where('id', '=', id).executeTakeFirst()) ?? null;
  }

  async sequences(
    scope: Scope,
    page: PageRequest,
    filter: { status?: readonly SequenceStatus[]; q?: string },
  ): Promise<Page<Sequence>> {
    let query = paged(this.#sequences(scope), page, { key: 'number', isNumber: true });
    if (filter.status) query = query.where('status', 'in', filter.status);
    if (filter.q !== undefined) query = query.where(holding(['name'], filter.q));
    return cutPage(await query.execute(), page.limit, (row) => String(row.number));
  }

  /**
   * Returns the sequences of both environments whose steps name a template by its id, or by a slug that means it there.
   * `templateBySlug` reads the template that a slug means in a scope.
   */
  async usingTemplate(
    scope: Scope,
    { id, slug }: Pick<Template, 'id' | 'slug'>,
    templateBySlug: (owner: Scope, slug: string) => Promise<{ id: string } | null>,
  ): Promise<TemplateUse[]> {
    const found = await this.#db
      .selectFrom('environments as e')
      .innerJoin('sequences as s', 's.environment_id', 'e.id')
      .select(['s.id', 's.name', 's.sub_tenant_id', 's.environment_id', 's.steps', 'e.mode'])
      .where('e.workspace_id', '=', scope.workspaceId)
      .where('s.deleted_at', 'is', null)
      .where((eb) =>
        eb.or([id, slug].map((name) => eb('s.steps', 'like', `%"template":${JSON.stringify(name)}%`))),
      )
      .orderBy('s.number')
      .execute();
    const uses: TemplateUse[] = [];
    /** The slug means the same template in all sequences of an owner. */
    const meant = new Map<string, string | undefined>();
    for (const { id: sequenceId, name, sub_tenant_id, environment_id, steps, mode } of found) {
      const owner = { ...scope, environmentId: environment_id, mode, subTenantId: sub_tenant_id };
      const key = `${environment_id} ${sub_tenant_id}`;
      if (!meant.has(key)) meant.set(key, (await templateBySlug(owner, slug))?.id);
      const names = templatesIn(steps);
      if (names.includes(id) || (names.includes(slug) && meant.get(key) === id)) {
        uses.push({ id: sequenceId, name, sub_tenant_id });
      }
    }
    return uses;
  }

  /** Reads a list of exactly this scope. A segment is not a list that contacts join. */
  async joinableList(scope: Scope, id: string): Promise<{ id: string } | null> {
    const row = await this.#db
      .selectFrom('contact_lists')
      .select('id')
      .where('environment_id', '=', scope.environmentId)
      .where('id', '=', id)
      .where('sub_tenant_id', scope.subTenantId === null ? 'is' : '=', scope.subTenantId)
      .where('filter', 'is', null)
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
    return row ?? null;
  }

  async enrollment(sequenceNumber: number, id: string): Promise<ShownEnrollment | null> {
    return (await this.#shown(sequenceNumber).where('e.id', '=', id).executeTakeFirst()) ?? null;
  }

  /** Newest first. With `status`, a page may be short although more pages follow. */
  async enrollments(
    sequenceNumber: number,
    page: PageRequest,
    { status }: { status?: readonly EnrollmentStatus[] },
  ): Promise<Page<ShownEnrollment>> {
    const rows: ShownEnrollment[] = [];
    let after = page.after === null ? null : Number(page.after);
    for (let looked = 0; looked < SEARCH_LIMIT; looked += STEP) {
      const before = after;
      let slice = this.#enrollments(sequenceNumber)
        .select('e.number')
        .orderBy('e.number', 'desc')
        .offset(STEP - 1)
        .limit(1);
      if (before !== null) slice = slice.where('e.number', '<', before);
      const end = await slice.executeTakeFirst();
      let query = this.#shown(sequenceNumber)
        .orderBy('e.number', 'desc')
        .limit(page.limit + 1 - rows.length);
      if (before !== null) query = query.where('e.number', '<', before);
      if (end) query = query.where('e.number', '>=', end.number);
      if (status) query = query.where('e.status', 'in', status);
      const { createdAfter, createdBefore } = page;
      if (createdAfter !== undefined) query = query.where('e.created_at', '>=', createdAfter);
      if (createdBefore !== undefined) query = query.where('e.created_at', '<', createdBefore);
      rows.push(...(await query.execute()));
      if (!end || rows.length > page.limit) return cutPage(rows, page.limit, (row) => String(row.number));
      after = end.number;
      await nextTurn();
    }
    return { rows, next: after === null ? null : String(after) };
  }

  /**
   * Counts enrollments in each status, by reason and step. Counts in slices, so that a million enrollments do not block other work.
   */
  async countEnrollments(sequenceNumber: number): Promise<EnrollmentCount[]> {
    const counts = new Map<string, EnrollmentCount>();
    let after = 0;
    for (;;) {
      const values = [sequenceNumber, after, STEP];
      let taken = 0;
      for (const row of await rowsAs<CountedEnrollments>(this.#engine.rows(COUNT_SLICE, values))) {
        const key = JSON.stringify([row.status, row.exit_reason, row.at_step]);
        const count = counts.get(key) ?? {
          status: row.status,
          exitReason: row.exit_reason,
          step: row.at_step,
          n: 0,
        };
        counts.set(key, { ...count, n: count.n + row.n });
        taken += row.n;
        after = Math.max(after, row.last);
      }
      if (taken < STEP) return [...counts.values()];
      await nextTurn();
    }
  }

  /** Message counters by step, which is named in `variant`. */
  async statsOf(sequenceId: string): Promise<SequenceStats[]> {
    return this.#db.selectFrom('source_stats').selectAll().where('source_id', '=', sequenceId).execute();
  }

  /** Reads active sequences with due enrollments in all scopes. For the loop only. */
  async dueSequences(now: number): Promise<PlacedSequence[]> {
    return placed(await rowsAs<PlacedRow>(this.#engine.rows(DUE_SEQUENCES, [now])));
  }

  /** Reads due enrollments, longest due first. */
  async dueEnrollments(sequenceNumber: number, now: number, limit: number): Promise<Enrollment[]> {
    return rowsAs<Enrollment>(this.#engine.rows(DUE, [sequenceNumber, now, limit]));
  }

  /**
   * Returns failed enrollments that can be retried, by number after `after`. Leaves out contacts who were enrolled again since, and
   * sequences whose steps form a loop.
   */
  async retryableEnrollments(sequenceNumber: number, after: number, limit: number): Promise<number[]> {
    const values = [sequenceNumber, after, limit];
    const rows = await rowsAs<Pick<Enrollment, 'number'>>(this.#engine.rows(RETRYABLE, values));
    return rows.map(({ number }) => number);
  }

  contactsOf(numbers: readonly number[]): Promise<EnrolledContact[]> {
    return this.#among<EnrolledContact>('SELECT * FROM contacts WHERE number IN', numbers);
  }

  /** Reads the first event of each kind of these enrollments' messages, without those of machines. */
  async happenedTo(numbers: readonly number[]): Promise<Map<number, Happened[]>> {
    const found = new Map<number, Happened[]>();
    if (numbers.length === 0) return found;
    const { marks, values } = inList(numbers);
    const rows = await rowsAs<HappenedRow>(
      this.#engine.rows(
        `SELECT m.enrollment_number, m.message_id, v.event, MIN(v.occurred_at) AS at
          FROM enrollment_messages m JOIN events v ON v.message_id = m.message_id
          WHERE m.enrollment_number IN (${marks}) AND v.event IN
            ('delivered', 'opened', 'clicked', 'bounced', 'complained', 'unsubscribed') AND ${BY_PEOPLE}
          GROUP BY m.enrollment_number, m.message_id, v.event
        UNION ALL SELECT m.enrollment_number, m.message_id, 'replied', MIN(r.created_at)
          FROM enrollment_messages m JOIN received_messages a ON a.in_reply_to_id = m.message_id
          JOIN messages r ON r.id = a.message_id
          WHERE m.enrollment_number IN (${marks}) AND a.auto_reply IS NULL
          GROUP BY m.enrollment_number, m.message_id`,
        [...values, ...values],
      ),
    );
    for (const { enrollment_number: number, message_id: messageId, event, at } of rows) {
      const list = found.get(number) ?? [];
      found.set(number, list);
      list.push({ messageId, event, at: at });
    }
    return found;
  }

  /** Reads the time of the last message of the sequence to each address, if after `since`. */
  async lastMailTo(
    sequenceId: string,
    emailKeys: readonly string[],
    since: number,
  ): Promise<Map<string, number>> {
    if (emailKeys.length === 0) return new Map();
    const { marks, values } = inList(emailKeys);
    const rows = await rowsAs<{ to_key: string; at: number }>(
      this.#engine.rows(
        `SELECT to_key, MAX(created_at) AS at FROM messages WHERE sequence_id = ? AND to_key IN (${marks})
          AND created_at > ? AND status NOT IN ('suppressed', 'canceled', 'failed') GROUP BY to_key`,
        [sequenceId, ...values, since],
      ),
    );
    return new Map(rows.map(({ to_key, at }) => [to_key, at]));
  }

  /** Returns the addresses whose contacts left the list themselves. */
  async unsubscribed(listId: string, emailKeys: readonly string[]): Promise<Set<string>> {
    if (emailKeys.length === 0) return new Set();
    const { marks, values } = inList(emailKeys);
    const rows = await rowsAs<{ email_key: string }>(
      this.#engine.rows(
        `SELECT d.email_key FROM list_unsubscribes d JOIN contact_lists l ON l.number = d.list_number
          WHERE l.id = ? AND d.email_key IN (${marks})`,
        [listId, ...values],
      ),
    );
    return new Set(rows.map(({ email_key }) => email_key));
  }

  /** Returns the sent messages that these received ones reply to, without automatic replies. */
  async answeredBy(receivedIds: readonly number[]): Promise<number[]> {
    const rows = await this.#among<{ id: number | null }>(
      'SELECT in_reply_to_id AS id FROM received_messages WHERE auto_reply IS NULL AND message_id IN',
      receivedIds,
    );
    return rows.flatMap(({ id }) => (id === null ? [] : [id]));
  }

  /** Returns whether any workspace has active enrollments. */
  async hasActiveEnrollments(): Promise<boolean> {
    const rows = await this.#engine.rows(
      `SELECT 1 AS one FROM enrollments WHERE status = 'active' LIMIT 1`,
      [],
    );
    return rows.length > 0;
  }

  /** Returns the enrollment numbers of these messages. */
  async enrolledBy(messageIds: readonly number[]): Promise<number[]> {
    const rows = await this.#among<{ number: number }>(
      'SELECT enrollment_number AS number FROM enrollment_messages WHERE message_id IN',
      messageIds,
    );
    return rows.map(({ number }) => number);
  }

  /** Returns the numbers of active enrollments of these addresses in both environments of the workspace. */
  async enrolledWith(environmentId: number, emailKeys: readonly string[]): Promise<number[]> {
    if (emailKeys.length === 0) return [];
    const { marks, values } = inList(emailKeys);
    const rows = await rowsAs<Pick<Enrollment, 'number'>>(
      this.#engine.rows(`${OF_ADDRESSES} (${marks})`, [environmentId, ...values]),
    );
    return rows.map(({ number }) => number);
  }

  /** Reads active enrollments with their sequences, including paused sequences. */
  async activeOf(
    numbers: readonly number[],
  ): Promise<{ sequence: PlacedSequence; enrollments: Enrollment[] }[]> {
    const active = await this.#among<Enrollment>(
      `SELECT * FROM enrollments WHERE status = 'active' AND number IN`,
      numbers,
    );
    const found = await this.#among<PlacedRow>(
      `SELECT s.*, v.mode, w.id AS workspace_id, w.number AS workspace_number, w.organization_id
          FROM sequences s JOIN environments v ON v.id = s.environment_id JOIN workspaces w ON w.id = v.workspace_id
          WHERE s.deleted_at IS NULL AND s.number IN`,
      [...new Set(active.map((enrollment) => enrollment.sequence_number))],
    );
    return placed(found).map((sequence) => ({
      sequence,
      enrollments: active.filter((enrollment) => enrollment.sequence_number === sequence.number),
    }));
  }

  async #among<T>(statement: string, values: readonly Value[]): Promise<T[]> {
    if (values.length === 0) return [];
    const list = inList(values);
    return rowsAs<T>(this.#engine.rows(`${statement} (${list.marks})`, list.values));
  }

  #sequences(scope: Scope) {
    const query = this.#db
      .selectFrom('sequences')
      .selectAll()
      .where('environment_id', '=', scope.environmentId)
      .where('deleted_at', 'is', null);
    return scope.subTenantId === null ? query : query.where('sub_tenant_id', '=', scope.subTenantId);
  }

  #enrollments(sequenceNumber: number) {
    return this.#db.selectFrom('enrollments as e').where('e.sequence_number', '=', sequenceNumber);
  }

  #shown(sequenceNumber: number) {
    return this.#enrollments(sequenceNumber)
      .innerJoin('contacts as c', 'c.number', 'e.contact_number')
      .selectAll('e')
      .select(['c.id as contactId', 'c.email']);
  }
}

type CountedEnrollments = {
  status: EnrollmentStatus;
  exit_reason: string | null;
  at_step: string | null;
  n: number;
  last: number;
};
type HappenedRow = { enrollment_number: number; message_id: number; event: Happened['event']; at: number };

type PlacedRow = Sequence & {
  mode: Scope['mode'];
  workspace_id: string;
  workspace_number: number;
  organization_id: string;
};

function placed(rows: readonly PlacedRow[]): PlacedSequence[] {
  return rows.map(({ mode, workspace_id, workspace_number, organization_id, ...sequence }) => ({
    ...sequence,
    scope: {
      organizationId: organization_id,
      workspaceId: workspace_id,
      workspaceNumber: workspace_number,
      environmentId: sequence.environment_id,
      mode,
      subTenantId: sequence.sub_tenant_id,
    },
  }));
}

/** Returns the templates that the steps of a sequence send, as the steps name them. */
function templatesIn(steps: string): string[] {
  const parsed = JSON.parse(steps) as { type: string; template?: string }[];
  return parsed.flatMap(({ type, template }) =>
    type === 'send' && template !== undefined ? [template] : [],
  );
}
