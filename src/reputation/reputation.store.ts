// Reputation of sub-tenants: their counts in the trailing window, and their recorded scores.
import { inMillion } from '../contract/rates.js';
import { reputationRates, type ReputationSums } from '../tenants/reputation-rates.rules.js';
import type { Committer } from '../database/committer.js';
import type { Engine } from '../database/engine/engine.js';
import { inList } from '../database/sql.js';
import type { TenantReputation } from '../tenants/tenants.tables.js';

/** Sub-tenants whose hours one statement sums (8 ms with a full week of each). */
const SLICE = 100;

export interface TenantScore extends ReputationSums {
  subTenantId: string;
  /** `null` if none was recorded. */
  reputation: TenantReputation | null;
  /** Counts since the last pause ended; `null` if none ended within the window. */
  sinceResumed: ReputationSums | null;
  isDeleted: boolean;
}

const SUMS =
  'SUM(sent) AS sent, SUM(delivered) AS delivered, SUM(bounced) AS bounced, SUM(complained) AS complained';
/** Steps from sub-tenant to sub-tenant in the index. */
const NEXT_IDS = (table: 'tenant_hours' | 'tenant_reputations'): string => `WITH RECURSIVE step (id) AS (
    SELECT MIN(sub_tenant_id) FROM ${table} WHERE environment_id = ? AND sub_tenant_id > ?
    UNION ALL
    SELECT (SELECT MIN(n.sub_tenant_id) FROM ${table} n WHERE n.environment_id = ? AND n.sub_tenant_id > step.id)
    FROM step WHERE step.id IS NOT NULL)
  SELECT id FROM step WHERE id IS NOT NULL LIMIT ?`;
const IDS_WITH_HOURS = NEXT_IDS('tenant_hours');
const IDS_WITH_REPUTATION = NEXT_IDS('tenant_reputations');
const SUMS_OF_SLICE = `SELECT sub_tenant_id, ${SUMS} FROM tenant_hours
  WHERE environment_id = ? AND sub_tenant_id >= ? AND sub_tenant_id <= ? AND hour >= ? GROUP BY sub_tenant_id`;
const SUMS_OF_ONE = `SELECT ${SUMS} FROM tenant_hours WHERE environment_id = ? AND sub_tenant_id = ? AND hour >= ?`;
const REPUTATIONS_OF_SLICE = `SELECT * FROM tenant_reputations
  WHERE environment_id = ? AND sub_tenant_id >= ? AND sub_tenant_id <= ?`;
const DELETED = 'SELECT id FROM sub_tenants WHERE deleted_at IS NOT NULL AND id IN';
const PRUNE = `DELETE FROM tenant_hours
  WHERE environment_id = ? AND sub_tenant_id >= ? AND sub_tenant_id <= ? AND hour < ?`;
const RECORD = `INSERT INTO tenant_reputations
    (environment_id, sub_tenant_id, state, sent, delivered, bounced, complained, complaint_ppm, bounce_ppm, scored_at)
  VALUES (?, ?, 'ok', ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (environment_id, sub_tenant_id) DO UPDATE SET sent = excluded.sent, delivered = excluded.delivered,
  bounced = excluded.bounced, complained = excluded.complained, complaint_ppm = excluded.complaint_ppm,
  bounce_ppm = excluded.bounce_ppm, scored_at = excluded.scored_at`;

export function createReputationStore(engine: Engine, committer: Committer) {
  return { ...reputationReads(engine), ...reputationWrites(engine, committer) };
}

function reputationReads(engine: Engine) {
  return {
    /** Returns `null` if none was recorded. */
    async reputation(environmentId: number, subTenantId: string): Promise<TenantReputation | null> {
      const rows = await engine.rows(REPUTATIONS_OF_SLICE, [environmentId, subTenantId, subTenantId]);
      return (rows[0] as TenantReputation | undefined) ?? null; // the columns of that table
    },

    /** Counts of one sub-tenant from an hour (since the epoch) on. */
    async sums(environmentId: number, subTenantId: string, fromHour: number): Promise<ReputationSums> {
      return sumsOf((await engine.rows(SUMS_OF_ONE, [environmentId, subTenantId, fromHour]))[0]);
    },

    /**
     * The next sub-tenants of an environment, in the order of their ids, that have hours or a reputation, with their sums
     * from `fromHour` on. `after` is '' at first. Returns `null` if there are no more.
     */
    async scores(
      environmentId: number,
      fromHour: number,
      after: string,
    ): Promise<{ scores: TenantScore[]; last: string } | null> {
      const withHours = await idsAfter(engine, IDS_WITH_HOURS, environmentId, after);
      const withReputation = await idsAfter(engine, IDS_WITH_REPUTATION, environmentId, after);
      const ids = [...new Set([...withHours, ...withReputation])].sort().slice(0, SLICE);
      const [first, last] = [ids[0], ids.at(-1)];
      if (first === undefined || last === undefined) return null;
      const sums = new Map(
        (await engine.rows(SUMS_OF_SLICE, [environmentId, first, last, fromHour])).map((row) => [
          row['sub_tenant_id'] as string,
          sumsOf(row),
        ]),
      );
      const rows = await engine.rows(REPUTATIONS_OF_SLICE, [environmentId, first, last]);
      const reputations = new Map(
        (rows as unknown as TenantReputation[]).map((row) => [row.sub_tenant_id, row]),
      );
      const deleted = await deletedAmong(engine, ids);
      const scores: TenantScore[] = [];
      for (const subTenantId of ids) {
        const reputation = reputations.get(subTenantId) ?? null;
        scores.push({
          subTenantId,
          ...(sums.get(subTenantId) ?? NOTHING),
          reputation,
          sinceResumed: reputation === null ? null : await sinceResumed(engine, reputation, fromHour),
          isDeleted: deleted.has(subTenantId),
        });
      }
      return { scores, last };
    },
  };
}

function reputationWrites(engine: Engine, committer: Committer) {
  return {
    /** Records the counts of a sweep. Does not change states and pauses. */
    record: (
      environmentId: number,
      scores: readonly (ReputationSums & { subTenantId: string })[],
      now: number,
    ): Promise<void> =>
      committer.commit(async ({ tx }) => {
        for (const { subTenantId, ...sums } of scores) {
          const { sent, delivered, bounced, complained } = sums;
          const { complaint, bounce } = reputationRates(sums);
          const counted = [sent, delivered, bounced, complained, inMillion(complaint), inMillion(bounce)];
          await tx.run(RECORD, [environmentId, subTenantId, ...counted, now]);
        }
      }),

    /** Deletes the hours before `beforeHour`, for a slice of sub-tenants at a time. */
    async prune(environmentId: number, beforeHour: number): Promise<void> {
      for (let after = ''; ;) {
        const ids = await idsAfter(engine, IDS_WITH_HOURS, environmentId, after);
        const [first, last] = [ids[0], ids.at(-1)];
        if (first === undefined || last === undefined) return;
        await committer.commit(async ({ tx }) => {
          await tx.run(PRUNE, [environmentId, first, last, beforeHour]);
        });
        after = last;
      }
    },
  };
}

async function idsAfter(
  engine: Engine,
  statement: string,
  environmentId: number,
  after: string,
): Promise<string[]> {
  const rows = await engine.rows(statement, [environmentId, after, environmentId, SLICE]);
  return rows.map((row) => row['id'] as string);
}

async function deletedAmong(engine: Engine, ids: readonly string[]): Promise<Set<string>> {
  const { marks, values } = inList(ids);
  const rows = await engine.rows(`${DELETED} (${marks})`, values);
  return new Set(rows.map((row) => row['id'] as string));
}

/** Counts since the last pause ended, if it ended within the window. */
async function sinceResumed(
  engine: Engine,
  reputation: TenantReputation,
  fromHour: number,
): Promise<ReputationSums | null> {
  const { environment_id, sub_tenant_id, resumed_hour: hour, resumed_sums } = reputation;
  if (hour === null || hour < fromHour) return null;
  const rows = await engine.rows(SUMS_OF_ONE, [environment_id, sub_tenant_id, hour]);
  const before = resumed_sums === null ? NOTHING : (JSON.parse(resumed_sums) as ReputationSums);
  const sums = sumsOf(rows[0]);
  return {
    sent: sums.sent - before.sent,
    delivered: sums.delivered - before.delivered,
    bounced: sums.bounced - before.bounced,
    complained: sums.complained - before.complained,
  };
}

const NOTHING: ReputationSums = { sent: 0, delivered: 0, bounced: 0, complained: 0 };

/** Sums of no rows are null. */
function sumsOf(row: Record<string, unknown> | undefined): ReputationSums {
  return {
    sent: Number(row?.['sent'] ?? 0),
    delivered: Number(row?.['delivered'] ?? 0),
    bounced: Number(row?.['bounced'] ?? 0),
    complained: Number(row?.['complained'] ?? 0),
  };
}
