// Reputation of sub-tenants: their counts in the trailing window, and their recorded scores.
import type { Kysely } from 'kysely';
import { inMillion } from '../contract/rates.js';
import { reputationRates, type ReputationSums } from '../tenants/reputation-rates.rules.js';
import type { Committer } from '../database/committer.js';
import type { Engine } from '../database/engine/engine.js';
import { rowsAs } from '../database/sql.js';
import type { TablesOf } from '../database/columns.js';
import type { TenantReputation, subTenants, tenantReputations } from '../tenants/tenants.tables.js';

type Known = TablesOf<typeof subTenants | typeof tenantReputations>;

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
  const db = engine.read.$extendTables<Known>();
  return {
    /** Returns `null` if none was recorded. */
    async reputation(environmentId: number, subTenantId: string): Promise<TenantReputation | null> {
      const row = await db
        .selectFrom('tenant_reputations')
        .selectAll()
        .where('environment_id', '=', environmentId)
        .where('sub_tenant_id', '=', subTenantId)
        .executeTakeFirst();
      return row ?? null;
    },

    /** Counts of one sub-tenant from an hour (since the epoch) on. */
    async sums(environmentId: number, subTenantId: string, fromHour: number): Promise<ReputationSums> {
      return sumsOfOne(engine, environmentId, subTenantId, fromHour);
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
      const sumRows = await rowsAs<SumsRow & { sub_tenant_id: string }>(
        engine.rows(SUMS_OF_SLICE, [environmentId, first, last, fromHour]),
      );
      const sums = new Map(sumRows.map((row) => [row.sub_tenant_id, sumsOf(row)]));
      const rows = await db
        .selectFrom('tenant_reputations')
        .selectAll()
        .where('environment_id', '=', environmentId)
        .where('sub_tenant_id', '>=', first)
        .where('sub_tenant_id', '<=', last)
        .execute();
      const reputations = new Map(rows.map((row) => [row.sub_tenant_id, row]));
      const deleted = await deletedAmong(db, ids);
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
  const values = [environmentId, after, environmentId, SLICE];
  const rows = await rowsAs<{ id: string }>(engine.rows(statement, values));
  return rows.map(({ id }) => id);
}

async function deletedAmong(db: Kysely<Known>, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('sub_tenants')
    .select('id')
    .where('deleted_at', 'is not', null)
    .where('id', 'in', ids)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

async function sumsOfOne(
  engine: Engine,
  environmentId: number,
  subTenantId: string,
  fromHour: number,
): Promise<ReputationSums> {
  const values = [environmentId, subTenantId, fromHour];
  const [row] = await rowsAs<SumsRow>(engine.rows(SUMS_OF_ONE, values));
  return sumsOf(row);
}

/** Counts since the last pause ended, if it ended within the window. */
async function sinceResumed(
  engine: Engine,
  reputation: TenantReputation,
  fromHour: number,
): Promise<ReputationSums | null> {
  const { environment_id, sub_tenant_id, resumed_hour: hour, resumed_sums } = reputation;
  if (hour === null || hour < fromHour) return null;
  const before = resumed_sums === null ? NOTHING : (JSON.parse(resumed_sums) as ReputationSums);
  const sums = await sumsOfOne(engine, environment_id, sub_tenant_id, hour);
  return {
    sent: sums.sent - before.sent,
    delivered: sums.delivered - before.delivered,
    bounced: sums.bounced - before.bounced,
    complained: sums.complained - before.complained,
  };
}

const NOTHING: ReputationSums = { sent: 0, delivered: 0, bounced: 0, complained: 0 };

/** Sums of no rows are `null`. PostgreSQL returns sums as text. */
type SumsRow = Record<keyof ReputationSums, number | string | null>;

function sumsOf(row: SumsRow | undefined): ReputationSums {
  return {
    sent: Number(row?.sent ?? 0),
    delivered: Number(row?.delivered ?? 0),
    bounced: Number(row?.bounced ?? 0),
    complained: Number(row?.complained ?? 0),
  };
}
