// Measures statistics at ten million events: the speed of counting, the correctness of the counts, the duration of responses, and
// the effect of counting on simultaneous sends. Prints figures; STATISTICS_EVENTS makes it smaller.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Database } from '../../src/database/engine/sqlite-driver.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCursors } from '../../src/http/lists/cursors.js';
import { createApiServer } from '../../src/app/http-server.js';
import { analyticsRoutes } from '../../src/analytics/analytics.routes.js';
import { createLog, newId, systemClock } from '../../src/lib/runtime/index.js';
import { POSITIONS_PER_WORKSPACE } from '../../src/events/chains.store.js';
import { openSqlite } from '../../src/database/engine/sqlite.js';
import { createConsumer } from '../../src/events/consumers.store.js';
import { migrate } from '../../src/database/migrations/migrate.js';
import { createStore, type Store } from '../../src/app/store.js';
import { bootstrap } from '../../src/accounts/bootstrap.js';
import { createCredentialCache } from '../../src/accounts/api-keys/credential-cache.js';
import { campaignAnalyticsRoute, campaignStatistics } from '../../src/campaigns/analytics.routes.js';
import { createCountEvents } from '../../src/analytics/count-events.js';
import { newMessage } from '../database/contract/builders.js';
import { temporaryFolder } from '../support/open-engines.js';
import { acceptMessage } from '../../src/messages/accept/accept.store.js';
import { createAnalytics } from '../../src/analytics/index.js';

const EVENTS = Number(process.env['STATISTICS_EVENTS'] ?? 10_000_000);
const SMALL = 10_000;
const MIDDLE = Math.min(EVENTS, 500_000);
const EVENTS_PER_MESSAGE = 4;
const DAY = 86_400_000;
const log = createLog('silent');

interface World {
  events: number;
  store: Store;
  liveKey: string;
  file: string;
  environmentId: number;
  workspaceNumber: number;
  campaignId: string;
  ask: (path: string) => Promise<{ status: number; json: Record<string, never> }>;
  close(): Promise<void>;
}

async function build(events: number): Promise<World> {
  const folder = temporaryFolder();
  const file = join(folder.path, 'mail.db');
  const engine = openSqlite({ file, busyTimeoutMs: 60_000 });
  await migrate(engine);
  const store = createStore(engine, { maxGroup: 200 });
  const { workspaceId, liveKey } = await bootstrap(store, { clock: systemClock });
  const scope = { ...(await store.accounts.environmentOf(workspaceId, 'live')), subTenantId: null };
  const campaignId = newId('cmp', Date.now());
  fill(file, { ...scope, campaignId, events });
  const app = await createApiServer({
    store,
    credentials: createCredentialCache(store, { ttlMs: 60_000 }),
    clock: systemClock,
    log,
    settings: {
      publicUrl: 'https://mail.example.test',
      securityContact: null,
      bodyLimitBytes: 1024 * 1024,
      importSizeLimitBytes: 1024 * 1024,
      rateLimitLivePerMinute: 0,
      rateLimitTestPerMinute: 0,
      rateLimitAuthFailuresPerMinute: 0,
      rateLimitNewKeysPerMinute: 0,
      sessionLifetimeMs: 86_400_000,
      sessionIdleMs: 3_600_000,
      keyOverlapMs: 86_400_000,
      workspaceLimit: 1000,
      requestLogKeepMs: 0,
      accessLogShare: 0,
      otlpUrl: null,
      otlpShare: 0,
      bodiesInFlightBytes: 128 * 1024 * 1024,
      httpConnections: 5000,
    },
    masterKey: Buffer.alloc(32, 3),
    cursors: createCursors(Buffer.alloc(32, 5)),
    tokenKeys: [{ id: 1, secret: Buffer.alloc(32, 7) }],
    wakeUps: { events: () => undefined },
    routes: [
      (api) => analyticsRoutes(api, { store, clock: systemClock }, campaignStatistics(store)),
      (api) =>
        campaignAnalyticsRoute(api, {
          store,
          clock: systemClock,
        }),
    ],
  });
  await app.ready();
  return {
    events,
    store,
    liveKey: liveKey ?? '',
    file,
    environmentId: scope.environmentId,
    workspaceNumber: scope.workspaceNumber,
    campaignId,
    async ask(url) {
      const answer = await app.inject({
        method: 'GET',
        url,
        headers: { authorization: `Bearer ${liveKey ?? ''}` },
      });
      return { status: answer.statusCode, json: answer.json() };
    },
    async close() {
      await app.close();
      await store.close();
      rmSync(folder.path, { recursive: true, force: true });
    },
  };
}

/** Four events for each message over 90 days; four of ten messages are one campaign's, with 200 links. */
function fill(
  file: string,
  world: { environmentId: number; workspaceNumber: number; campaignId: string; events: number },
): void {
  const db = new Database(file);
  db.pragma('synchronous = OFF');
  db.pragma('cache_size = -400000');
  const messages = Math.floor(world.events / EVENTS_PER_MESSAGE);
  const start = Date.now() - 90 * DAY;
  const numbers = (n: number) =>
    `WITH RECURSIVE s(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM s WHERE i < ${n - 1})`;
  const at = `${start} + CAST(i * ${(90 * DAY) / messages} AS INTEGER)`;
  db.exec(`INSERT INTO messages (id, public_id, environment_id, sub_tenant_id, content_id, type, status, recipient_role,
      to_email, to_key, from_email, subject, priority, tags, metadata, content_hash, track_opens, track_clicks,
      require_tls, null_sender, campaign_id, variant, created_at, updated_at)
    ${numbers(messages)}
    SELECT i + 1, printf('msg_%026d', i), ${world.environmentId}, CASE WHEN i % 3 = 0 THEN 'tnt_' || (i % 50) END, 1,
      CASE WHEN i % 10 < 4 THEN 'marketing' WHEN i % 10 = 9 THEN 'sales' ELSE 'transactional' END,
      CASE WHEN i % 5 = 0 THEN 'clicked' ELSE 'opened' END, 'to', 'p' || i || '@example.com', 'p' || i || '@example.com',
      'shop@example.org', 'Hello', 'normal', '[]', '{}', 'sha256:00', 1, 1, 0, 0,
      CASE WHEN i % 10 < 4 THEN '${world.campaignId}' END, CASE WHEN i % 10 = 1 THEN 'vip' END, ${at}, ${at} FROM s`);
  const base = world.workspaceNumber * POSITIONS_PER_WORKSPACE + 1;
  db.exec(`INSERT INTO events (position, environment_id, message_id, subject_id, event, actor, occurred_at, detail, hash)
    ${numbers(messages)}, k(k) AS (VALUES (0), (1), (2), (3))
    SELECT ${base} + i * 4 + k, ${world.environmentId}, i + 1, printf('msg_%026d', i),
      CASE k WHEN 0 THEN 'queued' WHEN 1 THEN 'sent' WHEN 2 THEN 'delivered'
        ELSE CASE WHEN i % 5 = 0 THEN 'clicked' ELSE 'opened' END END, 'system', ${at} + k * 60000,
      CASE WHEN k = 3 AND i % 5 = 0 THEN '{"metadata":{"url":"https://shop.example/' || (i % 200) || '"}}'
        WHEN k = 3 AND i % 7 = 0 THEN '{"metadata":{"machine":true}}' END, zeroblob(32) FROM s, k`);
  db.exec(
    `UPDATE chains SET head_seq = ${messages * EVENTS_PER_MESSAGE} WHERE workspace_number = ${world.workspaceNumber}`,
  );
  const copies = db
    .prepare('SELECT COUNT(*) AS n FROM messages WHERE campaign_id = ?')
    .get(world.campaignId) as {
    n: number;
  };
  db.prepare(
    `INSERT INTO campaigns (id, environment_id, name, type, list_number, template_id, variants, status, frozen_up_to, total,
      created, skipped, failed, created_at, updated_at)
     VALUES (?, ?, 'Large', 'marketing', 1, 'tpl_1', '[{"tag":"vip"}]', 'sent', 0, ?, ?, 0, 0, ?, ?)`,
  ).run(world.campaignId, world.environmentId, copies.n, copies.n, start, start);
  db.close();
}

/**
 * Writes the counters of ten million events in a minute. test/analytics/analytics shows that the follower gets the same result.
 */
function countByStatements({ file, workspaceNumber, events }: World): void {
  const db = new Database(file);
  db.pragma('synchronous = OFF');
  db.exec(`CREATE TEMP TABLE counted AS
    SELECT v.environment_id AS environment_id, COALESCE(m.sub_tenant_id, '') AS tenant, m.type AS type,
      v.occurred_at / 3600000 AS hour, m.campaign_id AS source, COALESCE(m.variant, '') AS variant,
      CASE WHEN v.event = 'opened' AND v.detail IS NOT NULL THEN 'machine_opened' ELSE v.event END AS measure, COUNT(*) AS n
    FROM events v JOIN messages m ON m.id = v.message_id GROUP BY 1, 2, 3, 4, 5, 6, 7`);
  db.exec(`INSERT INTO counted SELECT environment_id, tenant, type, hour, source, variant,
    CASE measure WHEN 'opened' THEN 'opens' WHEN 'clicked' THEN 'clicks' ELSE 'machine_opens' END, n FROM counted
    WHERE measure IN ('opened', 'clicked', 'machine_opened')`);
  for (const tenant of ['tenant', "'*'"]) {
    db.exec(`INSERT INTO stat_days (environment_id, sub_tenant_key, type, day, measure, n)
      SELECT environment_id, ${tenant}, type, hour / 24, measure, SUM(n) FROM counted GROUP BY 1, 2, 3, 4, 5`);
  }
  db.exec(`INSERT INTO source_stats SELECT source, variant, measure, SUM(n) FROM counted WHERE source IS NOT NULL
    GROUP BY 1, 2, 3`);
  db.exec(`INSERT INTO source_hours SELECT source, hour, measure, SUM(n) FROM counted WHERE source IS NOT NULL
    GROUP BY 1, 2, 3`);
  db.exec(`INSERT INTO source_links SELECT m.campaign_id, json_extract(v.detail, '$.metadata.url'), COUNT(*), COUNT(*), 0
    FROM messages m JOIN events v ON v.message_id = m.id AND v.event = 'clicked'
    WHERE m.campaign_id IS NOT NULL GROUP BY 1, 2`);
  db.prepare(`INSERT INTO consumers VALUES ('statistics', ?, ?)`).run(workspaceNumber, events);
  db.close();
}

function quantiles(times: readonly number[]): string {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(2);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, worst ${at(1)} ms`;
}

async function timed(times: number, run: () => Promise<unknown>): Promise<number[]> {
  const found: number[] = [];
  for (let i = 0; i < times; i++) {
    const startedAt = performance.now();
    await run();
    found.push(performance.now() - startedAt);
  }
  return found;
}

async function countAll(world: World): Promise<void> {
  const { consumers, statistics } = world.store;
  const run = createConsumer({
    name: 'statistics',
    consumers,
    batch: 1_000,
    take: createCountEvents(statistics),
  });
  const startedAt = performance.now();
  while (await run());
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(
    `${world.events} events counted in ${seconds.toFixed(1)} s: ${Math.round(world.events / seconds)} a second`,
  );
}

async function answers(world: World): Promise<void> {
  const paths = [
    '/v1/analytics',
    '/v1/analytics?window_days=366',
    '/v1/analytics?type=marketing&window_days=7',
    `/v1/campaigns/${world.campaignId}/analytics`,
  ];
  for (const path of paths) {
    const first = await timed(1, async () => expect((await world.ask(path)).status).toBe(200));
    const times = await timed(300, () => world.ask(path));
    console.log(
      `${world.events} events, ${path}: first ${first[0]?.toFixed(1)} ms, then ${quantiles(times)}`,
    );
  }
}

describe('statistics of many events', () => {
  let large: World;
  let middle: World;
  let small: World;

  beforeAll(async () => {
    const startedAt = performance.now();
    [small, middle, large] = [await build(SMALL), await build(MIDDLE), await build(EVENTS)];
    countByStatements(large);
    console.log(`built in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  }, 3_000_000);

  afterAll(async () => {
    await small.close();
    await middle.close();
    await large.close();
  });

  it('cost senders almost nothing', async () => {
    const scope = await scopeOf(middle);
    /** Messages that 32 simultaneous senders get accepted in `ms`, and the longest stall of the event loop. */
    async function accepted(ms: number): Promise<{ rate: number; longestMs: number }> {
      const end = performance.now() + ms;
      let n = 0;
      let longestMs = 0;
      let last = performance.now();
      const ticks = setInterval(() => {
        longestMs = Math.max(longestMs, performance.now() - last - 5);
        last = performance.now();
      }, 5);
      const sender = async (): Promise<void> => {
        while (performance.now() < end) {
          await middle.store.commit([acceptMessage({ message: newMessage(scope, { queued: false }) })]);
          n += 1;
        }
      };
      await Promise.all(Array.from({ length: 32 }, sender));
      clearInterval(ticks);
      return { rate: Math.round((n * 1000) / ms), longestMs: Math.round(longestMs) };
    }
    const loop = () =>
      createAnalytics({
        store: middle.store,
        clock: systemClock,
        log,
        config: { rollupIntervalMs: 1_000 },
        providerOf: () => null,
      });
    for (let round = 0; round < 3; round++) {
      const without = await accepted(4_000);
      const analytics = loop();
      analytics.start();
      const withIt = await accepted(4_000);
      await analytics.stop();
      console.log(
        `accepted with a backlog to count: ${withIt.rate}/s (loop held ${withIt.longestMs} ms), ` +
          `without: ${without.rate}/s (${without.longestMs} ms)`,
      );
    }
    await countAll(middle);
    for (let round = 0; round < 3; round++) {
      const without = await accepted(4_000);
      const { consumers, statistics } = middle.store;
      const run = createConsumer({
        name: 'statistics',
        consumers,
        batch: 1_000,
        take: createCountEvents(statistics),
      });
      while (await run());
      const analytics = loop();
      analytics.start();
      const withIt = await accepted(4_000);
      await analytics.stop();
      console.log(
        `accepted while its own events are counted: ${withIt.rate}/s (loop held ${withIt.longestMs} ms), ` +
          `without: ${without.rate}/s (${without.longestMs} ms)`,
      );
    }
  });

  it('respond as fast as with few events, and correctly', async () => {
    await countAll(small);
    await answers(small);
    await answers(large);
    const messages = EVENTS / EVENTS_PER_MESSAGE;
    const { json } = await large.ask(`/v1/campaigns/${large.campaignId}/analytics`);
    const clicked = Math.round(messages / 10);
    expect(json).toMatchObject({
      total: messages * 0.4,
      by_status: { clicked, opened: messages * 0.4 - clicked },
      funnel: { queued: messages * 0.4, sent: messages * 0.4, delivered: messages * 0.4, clicked },
      totals: { clicks: clicked },
    });
    console.log(`resident: ${Math.round(process.memoryUsage().rss / 1024 / 1024)} MiB`);
  });
});

async function scopeOf(world: World) {
  const db = new Database(world.file, { readonly: true });
  const row = db
    .prepare('SELECT workspace_id AS id FROM environments WHERE id = ?')
    .get(world.environmentId) as {
    id: string;
  };
  db.close();
  return { ...(await world.store.accounts.environmentOf(row.id, 'live')), subTenantId: null };
}
