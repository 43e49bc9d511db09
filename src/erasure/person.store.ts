// Reads the data about a person that an export shows in addition to the rows that an erasure finds. All reads are limited to the
// rows of `Erased`.
import type { Kysely } from 'kysely';
import type { ReportLine } from '../account-imports/account-imports.tables.js';
import type { EngagementTable, engagement } from '../analytics/analytics.tables.js';
import type { CampaignOverride, CampaignRecipient } from '../campaigns/campaigns.tables.js';
import type { TablesOf } from '../database/columns.js';
import type { Engine, Value } from '../database/engine/engine.js';
import { inList, rowsAs } from '../database/sql.js';
import type { InboundMail, inboundMessages } from '../inbound/inbound.tables.js';
import type { Thread, threads } from '../messages/threads/threads.tables.js';
import type { ShownEnrollment } from '../sequences/sequences.store.js';
import type { Suppression, suppressions } from '../suppressions/suppressions.tables.js';
import type { Erased } from './erasure.store.js';

type Known = TablesOf<typeof engagement | typeof inboundMessages | typeof suppressions | typeof threads>;

/** A contact's place on a list that is not deleted. */
export interface PersonMembership {
  contact_number: number;
  list_id: string;
  name: string;
  state: 'subscribed' | 'pending';
  joined_at: number;
}

export interface PersonUnsubscribe {
  list_id: string;
  name: string;
  unsubscribed_at: number;
}

export function createPersonStore(engine: Engine) {
  const db: Kysely<Known> = engine.read.$extendTables<Known>();
  return {
    ...mailingReads(engine),

    async memberships(contactNumbers: readonly number[]): Promise<PersonMembership[]> {
      if (contactNumbers.length === 0) return [];
      const { marks, values } = inList(contactNumbers);
      return rowsAs(
        engine.rows(
          `SELECT p.contact_number, l.id AS list_id, l.name, p.state, p.joined_at
            FROM list_members p JOIN contact_lists l ON l.number = p.list_number
            WHERE p.contact_number IN (${marks}) AND l.deleted_at IS NULL ORDER BY p.list_number`,
          values,
        ),
      );
    },

    async listsLeft(erased: Erased): Promise<PersonUnsubscribe[]> {
      const { condition, values } = ownedBy(erased, 'l');
      return rowsAs(
        engine.rows(
          `SELECT l.id AS list_id, l.name, d.unsubscribed_at FROM contact_lists l CROSS JOIN list_unsubscribes d
            WHERE d.list_number = l.number AND d.email_key = ? AND ${condition} ORDER BY l.number`,
          [erased.emailKey, ...values],
        ),
      );
    },

    async suppressions(erased: Erased): Promise<Suppression[]> {
      const { subTenantId, environmentIds, emailKey } = erased;
      const query = db
        .selectFrom('suppressions')
        .selectAll()
        .where('environment_id', 'in', environmentIds)
        .where('email_key', '=', emailKey);
      return (subTenantId === null ? query : query.where('sub_tenant_key', '=', subTenantId)).execute();
    },

    /** Threads by the ids that `ErasureStore.threadsWith` found. */
    async threads(ids: readonly string[]): Promise<Thread[]> {
      if (ids.length === 0) return [];
      return db.selectFrom('threads').selectAll().where('id', 'in', ids).orderBy('id').execute();
    },

    async engagement(messageIds: readonly number[]): Promise<Map<number, EngagementTable>> {
      if (messageIds.length === 0) return new Map();
      const rows = await db
        .selectFrom('engagement')
        .selectAll()
        .where('message_id', 'in', messageIds)
        .execute();
      return new Map(rows.map((row) => [row.message_id, row]));
    },

    /** Lines of the reports of account imports. */
    async importReports(erased: Erased): Promise<ReportLine[]> {
      const { condition, values } = ownedBy(erased, 'i');
      return rowsAs(
        engine.rows(
          `SELECT r.* FROM account_imports i CROSS JOIN account_import_reports r
            WHERE r.import_id = i.id AND r.email_key = ? AND ${condition} ORDER BY r.import_id, r.number`,
          [erased.emailKey, ...values],
        ),
      );
    },

    /** Spooled mail by the ids that `ErasureStore.inboundMessages` found. */
    async inbound(ids: readonly number[]): Promise<InboundMail[]> {
      if (ids.length === 0) return [];
      return db.selectFrom('inbound_messages').selectAll().where('id', 'in', ids).orderBy('id').execute();
    },
  };
}

function mailingReads(engine: Engine) {
  return {
    async enrollments(
      contactNumbers: readonly number[],
    ): Promise<(ShownEnrollment & { sequence_id: string })[]> {
      if (contactNumbers.length === 0) return [];
      const { marks, values } = inList(contactNumbers);
      return rowsAs(
        engine.rows(
          `SELECT e.*, c.id AS "contactId", c.email, s.id AS sequence_id FROM enrollments e
            JOIN contacts c ON c.number = e.contact_number JOIN sequences s ON s.number = e.sequence_number
            WHERE e.contact_number IN (${marks}) ORDER BY e.number`,
          values,
        ),
      );
    },

    async campaignRecipients(erased: Erased): Promise<CampaignRecipient[]> {
      const { condition, values } = ownedBy(erased, 'c');
      return rowsAs(
        engine.rows(
          `SELECT r.* FROM campaigns c CROSS JOIN campaign_recipients r
            WHERE r.campaign_id = c.id AND r.email_key = ? AND ${condition} ORDER BY c.id`,
          [erased.emailKey, ...values],
        ),
      );
    },

    async campaignOverrides(erased: Erased): Promise<CampaignOverride[]> {
      const { condition, values } = ownedBy(erased, 'c');
      return rowsAs(
        engine.rows(
          `SELECT r.* FROM campaigns c CROSS JOIN campaign_overrides r
            WHERE r.campaign_id = c.id AND r.email_key = ? AND ${condition} ORDER BY c.id`,
          [erased.emailKey, ...values],
        ),
      );
    },
  };
}

/** The condition that a row belongs to the workspace, or to its sub-tenant. */
function ownedBy(
  { environmentIds, subTenantId }: Erased,
  alias: string,
): { condition: string; values: Value[] } {
  const { marks, values } = inList(environmentIds);
  const condition = `${alias}.environment_id IN (${marks})`;
  return subTenantId === null
    ? { condition, values: [...values] }
    : { condition: `${condition} AND ${alias}.sub_tenant_id = ?`, values: [...values, subTenantId] };
}
