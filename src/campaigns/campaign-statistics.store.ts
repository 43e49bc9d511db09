// Counts of a campaign's rows, and the counters of mail by campaign.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { countedRows, type CountedRow, type CountedSpan } from '../analytics/statistics-groups.store.js';
import { MESSAGE_STATUSES, type MessageStatus } from '../contract/names.js';
import type { Engine } from '../database/engine/engine.js';
import { inList, rowsAs } from '../database/sql.js';
import type { Campaign } from './campaigns.tables.js';

/** Index rows per step of counting, which takes 5 ms. */
const STEP = 50_000;
const HOURS_A_DAY = 24;

const STATUS_STEP = `SELECT COUNT(*) AS n, MAX(id) AS last FROM (SELECT id FROM messages
  WHERE campaign_id = ? AND status = ? AND id > ? ORDER BY id LIMIT ${STEP}) AS step`;
const SKIPPED_STEP = `SELECT reason, COUNT(*) AS n, MAX(contact_number) AS last FROM (
  SELECT reason, contact_number FROM campaign_recipients WHERE campaign_id = ? AND state = 'skipped'
  AND contact_number > ? ORDER BY contact_number LIMIT ${STEP / 10}) AS step GROUP BY reason`;

const DELETED_STATUSES = 'SELECT status, messages AS n FROM deleted_messages WHERE campaign_id = ?';

const CAMPAIGN_HOURS = `FROM campaigns c CROSS JOIN source_hours h
  WHERE c.environment_id = ? AND h.source_id = c.id AND h.hour >= ? AND h.hour <= ?
    AND (c.sub_tenant_id = ? OR ? = '*') AND (c.type = ? OR ? = '')`;
const BY_CAMPAIGN = `SELECT c.id AS value, 0 AS unit, h.measure, SUM(h.n) AS n ${CAMPAIGN_HOURS} GROUP BY c.id, h.measure`;
const OF_CAMPAIGN = `SELECT c.id AS value, h.hour AS unit, h.measure, SUM(h.n) AS n ${CAMPAIGN_HOURS} AND c.id = ?
  GROUP BY c.id, h.hour, h.measure`;

/** `last` is null if nothing was counted. */
type StatusStep = { n: number; last: number | null };
type DeletedRow = { status: MessageStatus; n: number };
type SkippedRow = { reason: string | null; n: number; last: number };

export function createCampaignStatistics(engine: Engine) {
  const valuesOf = (span: CountedSpan): (string | number)[] => [
    span.environmentId,
    span.from,
    span.to,
    ...[span.subTenantKey, span.subTenantKey],
    ...[span.type ?? '', span.type ?? ''],
  ];

  return {
    /** Counts a campaign's messages by status, in steps. If a message changes meanwhile, it may count twice or not at all. */
    async statuses(campaignId: string): Promise<Map<MessageStatus, number>> {
      const counts = new Map<MessageStatus, number>();
      for (const status of MESSAGE_STATUSES) {
        let after = 0;
        for (;;) {
          const [step] = await rowsAs<StatusStep>(engine.rows(STATUS_STEP, [campaignId, status, after]));
          if (!step?.last) break;
          counts.set(status, (counts.get(status) ?? 0) + step.n);
          if (step.n < STEP) break;
          after = step.last;
          await nextTurn();
        }
      }
      for (const { status, n } of await rowsAs<DeletedRow>(engine.rows(DELETED_STATUSES, [campaignId]))) {
        counts.set(status, (counts.get(status) ?? 0) + n);
      }
      return counts;
    },

    /** Counts skipped recipients of a campaign by reason, in steps. */
    async skippedReasons(campaignId: string): Promise<Map<string, number>> {
      const counts = new Map<string, number>();
      let after = 0;
      for (;;) {
        const rows = await rowsAs<SkippedRow>(engine.rows(SKIPPED_STEP, [campaignId, after]));
        let found = 0;
        for (const { reason, n, last } of rows) {
          counts.set(reason ?? 'unknown', (counts.get(reason ?? 'unknown') ?? 0) + n);
          found += n;
          after = Math.max(after, last);
        }
        if (found < STEP / 10) return counts;
        await nextTurn();
      }
    },

    /** Reads names of campaigns by ID, in all workspaces. */
    async names(ids: readonly string[]): Promise<Map<string, string>> {
      const { marks, values } = inList(ids);
      const rows = await rowsAs<Pick<Campaign, 'id' | 'name'>>(
        engine.rows(`SELECT id, name FROM campaigns WHERE id IN (${marks})`, values),
      );
      return new Map(rows.map(({ id, name }) => [id, name]));
    },

    /** Reads a campaign's counters by hours since the epoch, both inclusive. */
    hours: (span: CountedSpan, campaignId: string): Promise<CountedRow[]> =>
      countedRows(engine, OF_CAMPAIGN, [...valuesOf(span), campaignId]),

    /** Reads the sums of the whole span by campaign. */
    groups(span: CountedSpan): Promise<CountedRow[]> {
      const hours = {
        ...span,
        from: span.from * HOURS_A_DAY,
        to: span.to * HOURS_A_DAY + HOURS_A_DAY - 1,
      };
      return countedRows(engine, BY_CAMPAIGN, valuesOf(hours));
    },
  };
}
