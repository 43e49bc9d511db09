// Counters of mail by environment and day, by campaign or sequence, and by link; and the rows that counting reads.
import type { Kysely } from 'kysely';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { noSums, type Measure, type Sums } from './analytics.schema.js';
import type { MessageType } from '../contract/names.js';
import type { Writing } from '../database/committer.js';
import type { Engine } from '../database/engine/engine.js';
import { addGroupCounters } from './statistics-groups.store.js';
import { inList, rowsAs } from '../database/sql.js';
import type { EventCounters } from './counters.store.js';
import type { RowOf, TablesOf } from '../database/columns.js';
import type { StoredEvent } from '../events/events.tables.js';
import type { MessageTable, messages } from '../messages/messages.tables.js';
import type {
  EngagementTable,
  SourceLinkTable,
  domainProviders,
  sourceHours,
  sourceLinks,
  sourceStats,
} from './analytics.tables.js';

type Known = TablesOf<typeof sourceHours | typeof sourceLinks | typeof sourceStats>;

/** A version of a template. */
interface TemplatePin {
  templateId: string;
  version: number;
}

/** Different links of one campaign or sequence that are counted; clicks on the rest are `other`. */
const MAX_LINKS = 1_000;
const OTHER_LINKS = 'other';
/** The key of all mail of an environment among those of its sub-tenants. */
export const ALL_TENANTS = '*';
/** Messages whose trails are read in one turn: one may have a thousand clicks. */
const TRAILS_A_TURN = 20;
const IDS_A_READ = 512;
const HOURS_A_DAY = 24;

/** The message that a received one answers. */
export type AnsweredMessage = Pick<
  MessageTable,
  | 'environment_id'
  | 'sub_tenant_id'
  | 'type'
  | 'null_sender'
  | 'forward'
  | 'campaign_id'
  | 'sequence_id'
  | 'variant'
  | 'to_key'
  | 'route'
  | 'provider'
  | 'tags'
> & {
  messageId: number;
  /** No person has answered it before. */
  isFirst: boolean;
};

/** Hours or days since the epoch, UTC. */
export interface SourceSeries {
  unit: 'hour' | 'day';
  sums: ReadonlyMap<number, Sums>;
}
export type SourceLink = Pick<SourceLinkTable, 'url' | 'clicks' | 'people' | 'machine_clicks'>;
const ENGAGEMENTS =
  'SELECT message_id, opens, machine_opens, clicks, machine_clicks FROM engagement WHERE message_id IN';
interface HappenedEvent {
  messageId: number;
  event: 'bounced' | 'complained' | 'unsubscribed';
}
const EARLIER = `SELECT DISTINCT message_id AS "messageId", event FROM events
  WHERE event IN ('bounced', 'complained', 'unsubscribed') AND position <= ? AND message_id IN`;
const CLICKS = `SELECT detail FROM events WHERE message_id = ? AND position <= ? AND event = 'clicked'`;
type AnsweredRow = Omit<AnsweredMessage, 'isFirst'> & { receivedId: number; firstId: number | null };
const ANSWERED = `SELECT r.message_id AS "receivedId", m.id AS "messageId", m.environment_id, m.sub_tenant_id, m.type, m.null_sender, m.forward,
    m.campaign_id, m.sequence_id, m.variant, m.to_key, m.tags, m.route, m.provider,
    (SELECT MIN(e.message_id) FROM received_messages e WHERE e.in_reply_to_id = r.in_reply_to_id
      AND e.auto_reply IS NULL) AS "firstId"
  FROM received_messages r JOIN messages m ON m.id = r.in_reply_to_id WHERE r.message_id IN`;

type TemplateRow = Pick<RowOf<typeof messages>, 'id' | 'template_id' | 'template_version'>;
const TEMPLATES_OF = 'SELECT id, template_id, template_version FROM messages WHERE id IN';
const TEMPLATE_HTML = 'SELECT html FROM template_versions WHERE template_id = ? AND version = ?';

const ADD_DAY = `INSERT INTO stat_days (environment_id, sub_tenant_key, type, day, measure, n) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (environment_id, sub_tenant_key, day, type, measure) DO UPDATE SET n = stat_days.n + excluded.n`;
const ADD_TENANT_HOUR = `INSERT INTO tenant_hours
    (environment_id, sub_tenant_id, hour, sent, delivered, bounced, complained) VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (environment_id, sub_tenant_id, hour) DO UPDATE SET sent = tenant_hours.sent + excluded.sent,
  delivered = tenant_hours.delivered + excluded.delivered, bounced = tenant_hours.bounced + excluded.bounced,
  complained = tenant_hours.complained + excluded.complained`;
const ADD_SOURCE = `INSERT INTO source_stats (source_id, variant, measure, n) VALUES (?, ?, ?, ?)
  ON CONFLICT (source_id, variant, measure) DO UPDATE SET n = source_stats.n + excluded.n`;
const ADD_HOUR = `INSERT INTO source_hours (source_id, hour, measure, n) VALUES (?, ?, ?, ?)
  ON CONFLICT (source_id, hour, measure) DO UPDATE SET n = source_hours.n + excluded.n`;
const ADD_ENGAGEMENT = `INSERT INTO engagement (message_id, opens, machine_opens, clicks, machine_clicks)
  VALUES (?, ?, ?, ?, ?) ON CONFLICT (message_id) DO UPDATE SET opens = engagement.opens + excluded.opens,
  machine_opens = engagement.machine_opens + excluded.machine_opens, clicks = engagement.clicks + excluded.clicks,
  machine_clicks = engagement.machine_clicks + excluded.machine_clicks`;
const LEARN_PROVIDER = `INSERT INTO domain_providers (domain, provider) VALUES (?, ?)
  ON CONFLICT (domain) DO UPDATE SET provider = excluded.provider`;
const LINK_IS_KNOWN = 'SELECT 1 AS one FROM source_links WHERE source_id = ? AND url = ?';
const COUNT_LINKS = 'SELECT COUNT(*) AS n FROM source_links WHERE source_id = ?';
const ADD_LINK = `INSERT INTO source_links (source_id, url, clicks, people, machine_clicks) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (source_id, url) DO UPDATE SET clicks = source_links.clicks + excluded.clicks,
  people = source_links.people + excluded.people,
  machine_clicks = source_links.machine_clicks + excluded.machine_clicks`;

/** PostgreSQL returns sums as text. */
interface CountRow {
  measure: Measure;
  n: number | string;
}

/** Summed in the statement: making an object of each row takes longer than that. */
const DAYS = `SELECT day, measure, SUM(n) AS n FROM stat_days
  WHERE environment_id = ? AND sub_tenant_key = ? AND day >= ? AND day <= ? AND (type = ? OR ? = '') GROUP BY day, measure`;
const HOURS = 'SELECT hour AS unit, measure, n FROM source_hours WHERE source_id = ?';
const HOURS_BY_DAY = `SELECT hour / ${HOURS_A_DAY} AS unit, measure, SUM(n) AS n FROM source_hours WHERE source_id = ?
  GROUP BY hour / ${HOURS_A_DAY}, measure`;

/** Adds to the counters, inside the transaction that moves the consumer's cursor. */
export async function addCounters(
  { tx }: Writing,
  counters: EventCounters & { providers: readonly { domain: string; provider: string }[] },
): Promise<void> {
  for (const row of counters.days) {
    await tx.run(ADD_DAY, [row.environmentId, row.subTenantKey, row.type, row.day, row.measure, row.n]);
  }
  await addGroupCounters(tx, counters);
  for (const { domain, provider } of counters.providers) await tx.run(LEARN_PROVIDER, [domain, provider]);
  for (const {
    environmentId,
    subTenantId,
    hour,
    sent,
    delivered,
    bounced,
    complained,
  } of counters.tenantHours) {
    const sums = [sent, delivered, bounced, complained];
    await tx.run(ADD_TENANT_HOUR, [environmentId, subTenantId, hour, ...sums]);
  }
  for (const row of counters.sources) {
    await tx.run(ADD_SOURCE, [row.sourceId, row.variant, row.measure, row.n]);
  }
  for (const row of counters.hours) await tx.run(ADD_HOUR, [row.sourceId, row.hour, row.measure, row.n]);
  for (const { messageId, opens, machineOpens, clicks, machineClicks } of counters.engagements) {
    await tx.run(ADD_ENGAGEMENT, [messageId, opens, machineOpens, clicks, machineClicks]);
  }
  await addLinks(tx, counters.links);
}

async function addLinks(tx: Writing['tx'], links: EventCounters['links']): Promise<void> {
  const known = new Map<string, number>();
  for (const { sourceId, url, clicks, people, machineClicks } of links) {
    let kept = url;
    if ((await tx.run(LINK_IS_KNOWN, [sourceId, url])).length === 0) {
      const count = known.get(sourceId) ?? (await countLinks(tx, sourceId));
      if (count >= MAX_LINKS) kept = OTHER_LINKS;
      known.set(sourceId, count >= MAX_LINKS ? count : count + 1);
    }
    await tx.run(ADD_LINK, [sourceId, kept, clicks, people, machineClicks]);
  }
}

async function countLinks(tx: Writing['tx'], sourceId: string): Promise<number> {
  const [row] = await rowsAs<{ n: number }>(tx.run(COUNT_LINKS, [sourceId]));
  return row?.n ?? 0;
}

export function createStatisticsStore(engine: Engine): StatisticsStore {
  return new StatisticsStore(engine);
}

export class StatisticsStore {
  readonly #engine: Engine;
  readonly #db: Kysely<Known>;

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#db = engine.read.$extendTables<Known>();
  }

  /** Counts of these messages' opens and clicks; messages without any are left out. */
  async engagements(messageIds: readonly number[]): Promise<Map<number, EngagementTable>> {
    const rows = await this.#rowsIn<EngagementTable>(ENGAGEMENTS, [], messageIds);
    return new Map(rows.map((row) => [row.message_id, row]));
  }

  /** Which of these messages' trails have a bounce, a complaint, an unsubscribe, up to a position. */
  async happened(messageIds: readonly number[], upTo: number): Promise<HappenedEvent[]> {
    return this.#rowsIn<HappenedEvent>(EARLIER, [upTo], messageIds);
  }

  /** The details (JSON) of the clicks in each of these messages' trails, up to a position. */
  async clickDetails(messageIds: readonly number[], upTo: number): Promise<Map<number, string[]>> {
    const found = new Map<number, string[]>();
    for (const [i, messageId] of messageIds.entries()) {
      if (i % TRAILS_A_TURN === TRAILS_A_TURN - 1) await nextTurn();
      const rows = await rowsAs<Pick<StoredEvent, 'detail'>>(this.#engine.rows(CLICKS, [messageId, upTo]));
      found.set(
        messageId,
        rows.flatMap(({ detail }) => detail ?? []),
      );
    }
    return found;
  }

  /** Returns the template version of each message. Messages without a template are left out. */
  async templatesOf(messageIds: readonly number[]): Promise<Map<number, TemplatePin>> {
    const rows = await this.#rowsIn<TemplateRow>(TEMPLATES_OF, [], messageIds);
    return new Map(
      rows.flatMap(({ id, template_id: templateId, template_version: version }) =>
        templateId !== null && version !== null ? [[id, { templateId, version }] as const] : [],
      ),
    );
  }

  async templateHtml({ templateId, version }: TemplatePin): Promise<string | null> {
    const [row] = await rowsAs<{ html: string | null }>(
      this.#engine.rows(TEMPLATE_HTML, [templateId, version]),
    );
    return row?.html ?? null;
  }

  /** Returns the message that each received message answers, by row id. Messages that answer none are left out. */
  async answered(receivedIds: readonly number[]): Promise<Map<number, AnsweredMessage>> {
    const rows = await this.#rowsIn<AnsweredRow>(ANSWERED, [], receivedIds);
    return new Map(
      rows.map(({ receivedId, firstId, ...message }) => [
        receivedId,
        { ...message, isFirst: firstId === null || receivedId === firstId },
      ]),
    );
  }

  /** Providers of the mail servers of these domains; domains with an unknown provider are left out. */
  async providers(domains: readonly string[]): Promise<Map<string, string>> {
    const known = new Map<string, string>();
    for (let start = 0; start < domains.length; start += IDS_A_READ) {
      const { marks, values } = inList(domains.slice(start, start + IDS_A_READ));
      const statement = `SELECT domain, provider FROM domain_providers WHERE domain IN (${marks})`;
      const rows = await rowsAs<RowOf<typeof domainProviders>>(this.#engine.rows(statement, values));
      for (const { domain, provider } of rows) known.set(domain, provider);
    }
    return known;
  }

  /** Days `from` to `to`, both inclusive, that had any; `subTenantKey` as in the table. */
  async days(asked: {
    environmentId: number;
    subTenantKey: string;
    from: number;
    to: number;
    type: MessageType | null;
  }): Promise<Map<number, Sums>> {
    const { environmentId, subTenantKey, from, to } = asked;
    const type = asked.type ?? '';
    const rows = await rowsAs<CountRow & { day: number }>(
      this.#engine.rows(DAYS, [environmentId, subTenantKey, from, to, type, type]),
    );
    const days = new Map<number, Sums>();
    for (const row of rows) addTo(days, row.day, row);
    return days;
  }

  /** Sums of a campaign or a sequence by its copies: '' is the base, else a variant's tag, a split's key, a step's id. */
  async sourceStats(sourceId: string): Promise<Map<string, Sums>> {
    return (await this.sourcesStats([sourceId])).get(sourceId) ?? new Map();
  }

  /** The same of several campaigns or sequences, by their ids; those without any are left out. */
  async sourcesStats(sourceIds: readonly string[]): Promise<Map<string, Map<string, Sums>>> {
    if (sourceIds.length === 0) return new Map();
    const rows = await this.#db
      .selectFrom('source_stats')
      .select(['source_id', 'variant', 'measure', 'n'])
      .where('source_id', 'in', sourceIds)
      .execute();
    const sources = new Map<string, Map<string, Sums>>();
    for (const row of rows) {
      const variants = sources.get(row.source_id) ?? new Map<string, Sums>();
      addTo(variants, row.variant, row);
      sources.set(row.source_id, variants);
    }
    return sources;
  }

  /**
   * Events of a campaign's or a sequence's mail, in the order of time: by hours since the epoch (UTC), or by days
   * when the first and the last event are more than `mostHours` apart. Periods without events are left out.
   */
  async sourceSeries(sourceId: string, mostHours: number): Promise<SourceSeries> {
    const span = await this.#db
      .selectFrom('source_hours')
      .select((eb) => [
        eb.fn.min<number | null>('hour').as('first'),
        eb.fn.max<number | null>('hour').as('last'),
      ])
      .where('source_id', '=', sourceId)
      .executeTakeFirstOrThrow();
    const isLong = (span.last ?? 0) - (span.first ?? 0) >= mostHours;
    const sums = new Map<number, Sums>();
    const rows = await rowsAs<CountRow & { unit: number }>(
      this.#engine.rows(isLong ? HOURS_BY_DAY : HOURS, [sourceId]),
    );
    for (const row of rows) addTo(sums, row.unit, row);
    return { unit: isLong ? 'day' : 'hour', sums };
  }

  /** Returns the clicked links, most clicks first. The url `other` has the sum of the links beyond MAX_LINKS. */
  async sourceLinks(sourceId: string): Promise<SourceLink[]> {
    return this.#db
      .selectFrom('source_links')
      .select(['url', 'clicks', 'people', 'machine_clicks'])
      .where('source_id', '=', sourceId)
      .orderBy('clicks', 'desc')
      .orderBy('machine_clicks', 'desc')
      .orderBy('url')
      .execute();
  }

  /** Runs a statement that ends in `IN` for lists of any length. */
  async #rowsIn<T>(statement: string, before: readonly number[], ids: readonly number[]): Promise<T[]> {
    const rows: T[] = [];
    for (let start = 0; start < ids.length; start += IDS_A_READ) {
      const { marks, values } = inList(ids.slice(start, start + IDS_A_READ));
      const found = this.#engine.rows(`${statement} (${marks})`, [...before, ...values]);
      rows.push(...(await rowsAs<T>(found)));
    }
    return rows;
  }
}

function addTo<K>(sums: Map<K, Sums>, key: K, { measure, n }: CountRow): void {
  let known = sums.get(key);
  if (!known) sums.set(key, (known = noSums()));
  known[measure] += Number(n);
}
