// Counters of mail by hour, tag, provider and sub-tenant, and of bounces: added to by the consumer, read for a
// span of time.
import { noSums, type Measure, type Sums } from './analytics.schema.js';
import type { BounceCategory, MessageType } from '../contract/names.js';
import type { Engine, Tx } from '../database/engine/engine.js';
import { rowsAs } from '../database/sql.js';
import type { EventCounters } from './counters.store.js';
import type { TablesOf } from '../database/columns.js';
import type { subTenants } from '../tenants/tenants.tables.js';

type Known = TablesOf<typeof subTenants>;

/** Tags of an environment that are counted separately. Other tags are counted as OTHER_TAGS. */
const MAX_TAGS = 1_000;
const OTHER_TAGS = '';
/** Hours that are kept. */
export const HOURS_KEPT = 32 * 24;

const ADD_HOUR = `INSERT INTO stat_hours (environment_id, sub_tenant_key, hour, type, measure, n) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (environment_id, sub_tenant_key, hour, type, measure) DO UPDATE SET n = stat_hours.n + excluded.n`;
const DROP_HOURS = 'DELETE FROM stat_hours WHERE environment_id = ? AND sub_tenant_key = ? AND hour < ?';
const ADD_GROUP = `INSERT INTO stat_groups (environment_id, sub_tenant_key, dimension, day, value, type, measure, n)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (environment_id, sub_tenant_key, dimension, day, value, type, measure)
  DO UPDATE SET n = stat_groups.n + excluded.n`;
const ADD_BOUNCE = `INSERT INTO stat_bounces (environment_id, sub_tenant_key, day, category, bounce_type, provider, n)
  VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (environment_id, sub_tenant_key, day, category, bounce_type, provider)
  DO UPDATE SET n = stat_bounces.n + excluded.n`;
const TAG_IS_KNOWN = 'SELECT 1 AS one FROM counted_tags WHERE environment_id = ? AND tag = ?';
const COUNT_TAGS = 'SELECT COUNT(*) AS n FROM counted_tags WHERE environment_id = ?';
const KNOW_TAG = 'INSERT INTO counted_tags (environment_id, tag) VALUES (?, ?) ON CONFLICT DO NOTHING';

export async function addGroupCounters(
  tx: Tx,
  { allHours, groups, bounces }: Pick<EventCounters, 'allHours' | 'groups' | 'bounces'>,
): Promise<void> {
  const newest = new Map<string, { key: [number, string]; hour: number }>();
  for (const { environmentId, subTenantKey, hour, type, measure, n } of allHours) {
    await tx.run(ADD_HOUR, [environmentId, subTenantKey, hour, type, measure, n]);
    const name = `${environmentId} ${subTenantKey}`;
    const known = newest.get(name);
    if (!known || known.hour < hour) newest.set(name, { key: [environmentId, subTenantKey], hour });
  }
  for (const { key, hour } of newest.values()) await tx.run(DROP_HOURS, [...key, hour - HOURS_KEPT]);
  const tagOf = createCountedTags(tx);
  for (const { environmentId, subTenantKey, dimension, day, value, type, measure, n } of groups) {
    const kept = dimension === 'tag' ? await tagOf(environmentId, value) : value;
    await tx.run(ADD_GROUP, [environmentId, subTenantKey, dimension, day, kept, type, measure, n]);
  }
  for (const { environmentId, subTenantKey, day, category, bounceType, provider, n } of bounces) {
    await tx.run(ADD_BOUNCE, [environmentId, subTenantKey, day, category, bounceType, provider, n]);
  }
}

/** Returns the tag under which a tag is counted. Looks up each tag once per transaction. */
function createCountedTags(tx: Tx): (environmentId: number, tag: string) => Promise<string> {
  const kept = new Map<string, string>();
  const counts = new Map<number, number>();
  return async (environmentId, tag) => {
    const name = `${environmentId} ${tag}`;
    const before = kept.get(name);
    if (before !== undefined) return before;
    let value = tag;
    if ((await tx.run(TAG_IS_KNOWN, [environmentId, tag])).length === 0) {
      const count = counts.get(environmentId) ?? (await countTags(tx, environmentId));
      if (count >= MAX_TAGS) value = OTHER_TAGS;
      else await tx.run(KNOW_TAG, [environmentId, tag]);
      counts.set(environmentId, value === OTHER_TAGS ? count : count + 1);
    }
    kept.set(name, value);
    return value;
  };
}

async function countTags(tx: Tx, environmentId: number): Promise<number> {
  const [row] = await rowsAs<{ n: number }>(tx.run(COUNT_TAGS, [environmentId]));
  return row?.n ?? 0;
}

/** A query of the counters. Days since the epoch (UTC), both inclusive. */
export interface CountedSpan {
  environmentId: number;
  /** As in stat_days. */
  subTenantKey: string;
  from: number;
  to: number;
  type: MessageType | null;
}

type Dimension = 'tag' | 'provider' | 'sub_tenant' | 'type';

/** Sums by value of the dimension: `unit` is that of the time, 0 where all time is summed. */
export interface CountedRow {
  value: string;
  unit: number;
  sums: Sums;
}

const OF_SPAN = `environment_id = ? AND sub_tenant_key = ?`;
const OF_TYPE = `(type = ? OR ? = '')`;
const BY_HOUR = `SELECT '' AS value, hour AS unit, measure, SUM(n) AS n FROM stat_hours
  WHERE ${OF_SPAN} AND hour >= ? AND hour <= ? AND ${OF_TYPE} GROUP BY hour, measure`;
const BY_TYPE = `SELECT type AS value, 0 AS unit, measure, SUM(n) AS n FROM stat_days
  WHERE ${OF_SPAN} AND day >= ? AND day <= ? AND ${OF_TYPE} GROUP BY type, measure`;
const BY_GROUP = `SELECT value, 0 AS unit, measure, SUM(n) AS n FROM stat_groups
  WHERE ${OF_SPAN} AND dimension = ? AND day >= ? AND day <= ? AND ${OF_TYPE} GROUP BY value, measure`;
const OF_VALUE = `SELECT value, day AS unit, measure, SUM(n) AS n FROM stat_groups
  WHERE ${OF_SPAN} AND dimension = ? AND value = ? AND day >= ? AND day <= ? AND ${OF_TYPE} GROUP BY value, day, measure`;
const BY_SUB_TENANT = `SELECT d.sub_tenant_key AS value, 0 AS unit, d.measure, SUM(d.n) AS n
  FROM (SELECT id FROM sub_tenants WHERE workspace_id = ? UNION ALL SELECT '') AS t CROSS JOIN stat_days d
  WHERE (t.id = ? OR ? = '*') AND d.environment_id = ? AND d.sub_tenant_key = t.id AND d.day >= ? AND d.day <= ? AND (d.type = ? OR ? = '')
  GROUP BY d.sub_tenant_key, d.measure`;

/** Counted bounces: by category, kind and provider, most first, and by day and category. */
export interface CountedBounces {
  byGroup: { category: BounceCategory; type: 'hard' | 'soft'; provider: string; n: number }[];
  byDay: { day: number; category: BounceCategory; n: number }[];
}

/** PostgreSQL returns sums as text. */
type BounceGroupRow = Omit<CountedBounces['byGroup'][number], 'n'> & { n: number | string };
type BounceDayRow = Omit<CountedBounces['byDay'][number], 'n'> & { n: number | string };

const BOUNCES = `FROM stat_bounces WHERE ${OF_SPAN} AND day >= ? AND day <= ?`;
const BOUNCE_GROUPS = `SELECT category, bounce_type AS type, provider, SUM(n) AS n ${BOUNCES}
  GROUP BY category, bounce_type, provider ORDER BY SUM(n) DESC, category, provider`;
const BOUNCE_DAYS = `SELECT day, category, SUM(n) AS n ${BOUNCES} GROUP BY day, category`;

interface SumRow {
  value: string;
  unit: number;
  measure: Measure;
  /** A text on PostgreSQL. */
  n: number | string;
}

/** Sums the rows of a statement, which have the columns of `SumRow`. */
export async function countedRows(
  engine: Engine,
  statement: string,
  values: (string | number)[],
): Promise<CountedRow[]> {
  const found = new Map<string, CountedRow>();
  for (const { value, unit, measure, n } of await rowsAs<SumRow>(engine.rows(statement, values))) {
    const key = `${unit} ${value}`;
    let known = found.get(key);
    if (!known) found.set(key, (known = { value, unit, sums: noSums() }));
    known.sums[measure] += Number(n);
  }
  return [...found.values()];
}

export type GroupStatistics = ReturnType<typeof createGroupStatistics>;

export function createGroupStatistics(engine: Engine) {
  const counted = (statement: string, values: (string | number)[]) => countedRows(engine, statement, values);
  const typeOf = ({ type }: CountedSpan): [string, string] => [type ?? '', type ?? ''];

  return {
    /** Names of sub-tenants by id, in any workspace. */
    async tenantNames(ids: readonly string[]): Promise<Map<string, string>> {
      if (ids.length === 0) return new Map();
      const query = engine.read.$extendTables<Known>().selectFrom('sub_tenants').select(['id', 'name']);
      return new Map((await query.where('id', 'in', ids).execute()).map(({ id, name }) => [id, name]));
    },

    /** All mail by hours since the epoch, both inclusive; of hours that are kept. */
    hours: (span: CountedSpan): Promise<CountedRow[]> =>
      counted(BY_HOUR, [span.environmentId, span.subTenantKey, span.from, span.to, ...typeOf(span)]),

    /** The mail of a tag or a provider, by day. */
    daysOf: (span: CountedSpan, dimension: 'tag' | 'provider', value: string): Promise<CountedRow[]> =>
      counted(OF_VALUE, [
        ...[span.environmentId, span.subTenantKey, dimension, value, span.from, span.to],
        ...typeOf(span),
      ]),

    async bounces(span: Omit<CountedSpan, 'type'>): Promise<CountedBounces> {
      const values = [span.environmentId, span.subTenantKey, span.from, span.to];
      const groups = await rowsAs<BounceGroupRow>(engine.rows(BOUNCE_GROUPS, values));
      const days = await rowsAs<BounceDayRow>(engine.rows(BOUNCE_DAYS, values));
      return {
        byGroup: groups.map((row) => ({ ...row, n: Number(row.n) })),
        byDay: days.map((row) => ({ ...row, n: Number(row.n) })),
      };
    },

    /** Sums of the whole span by value. `workspaceId` is whose sub-tenants are asked. */
    groups(span: CountedSpan, dimension: Dimension, workspaceId: string): Promise<CountedRow[]> {
      const { environmentId, subTenantKey, from, to } = span;
      const time = [from, to, ...typeOf(span)];
      if (dimension === 'sub_tenant') {
        return counted(BY_SUB_TENANT, [workspaceId, subTenantKey, subTenantKey, environmentId, ...time]);
      }
      if (dimension === 'type') return counted(BY_TYPE, [environmentId, subTenantKey, ...time]);
      return counted(BY_GROUP, [environmentId, subTenantKey, dimension, ...time]);
    },
  };
}
