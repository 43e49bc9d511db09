// What was counted of the weeks before, so that charts have something to draw. Written into the database: no door takes mail
// of the past.
import { join } from 'node:path';
import { Database, type Connection } from '../../../src/store/engine/sqlite-driver.js';
import type { Measure } from '../../../src/analytics/analytics.schema.js';
import { ALL_TENANTS } from '../../../src/analytics/statistics.store.js';
import type { Ground } from './ground.js';
import type { TenantIds } from './tenants.js';

const HOUR_MS = 3_600_000;
const DAYS = 60;
const HOURS = 72;

type Sums = Partial<Record<Measure, number>>;

/** Of a day or an hour, in shares that a careful sender has; `unwanted` complaints of a thousand delivered. */
function sumsOf(queued: number, { unwanted = 0, isRead = false } = {}): Sums {
  const share = (part: number): number => Math.round(queued * part);
  const delivered = share(0.983);
  return {
    ...{ queued, sent: queued, delivered, deferred: share(0.031), bounced: queued - delivered },
    ...{ hard_bounced: share(0.011), complained: Math.round((delivered * unwanted) / 1000) },
    ...(isRead ? { opened: share(0.41), opens: share(0.58), clicked: share(0.11), clicks: share(0.14) } : {}),
    ...(isRead
      ? { machine_opened: share(0.09), machine_opens: share(0.12), unsubscribed: share(0.002) }
      : {}),
  };
}

/** Fewer at weekends, more with time, and never the same twice. */
function bookingsOf(day: number, ago: number): number {
  const isWeekend = [1, 2].includes(day % 7);
  return Math.round((isWeekend ? 190 : 420) * (1 - ago / 150) + ((day * 7919) % 61));
}

export function addHistory({ program }: Ground, tenants: TenantIds): void {
  const { dataDir, keys } = program.appliance;
  const database = new Database(join(dataDir, 'posthorn.db'), { timeout: 10_000 });
  const environments = database
    .prepare('SELECT id, mode FROM environments WHERE workspace_id = ?')
    .all(keys.workspace_id) as { id: number; mode: 'live' | 'test' }[];
  const live = environments.find(({ mode }) => mode === 'live')?.id ?? 0;
  const hour = Math.floor(Date.now() / HOUR_MS);
  database.transaction(() => {
    addDays(database, live, Math.floor(hour / 24), tenants);
    addHours(database, live, hour);
  })();
  database.close();
}

function addDays(database: Connection, environment: number, today: number, tenants: TenantIds): void {
  const add = database.prepare(
    `INSERT INTO stat_days (environment_id, sub_tenant_key, type, day, measure, n) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET n = n + excluded.n`,
  );
  const put = (tenant: string, type: string, day: number, sums: Sums): void => {
    for (const [measure, n] of Object.entries(sums)) {
      for (const key of [tenant, ALL_TENANTS]) if (n > 0) add.run(environment, key, type, day, measure, n);
    }
  };
  const bounced = database.prepare(
    `INSERT INTO stat_bounces (environment_id, sub_tenant_key, day, category, bounce_type, provider, n)
     VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n`,
  );
  for (let ago = 1; ago <= DAYS; ago += 1) {
    const day = today - ago;
    put('', 'transactional', day, sumsOf(bookingsOf(day, ago)));
    if (day % 7 === 5) put('', 'marketing', day, sumsOf(1_900 - ago * 9, { unwanted: 0.4, isRead: true }));
    put(tenants.good, 'transactional', day, sumsOf(60 + (day % 17)));
    put(
      tenants.warned,
      'marketing',
      day,
      sumsOf(880 + (day % 40), { unwanted: ago < 9 ? 1.4 : 0.2, isRead: true }),
    );
    put(tenants.throttled, 'marketing', day, sumsOf(600 + (day % 50), { unwanted: ago < 6 ? 4.1 : 0.7 }));
    for (const [category, type, n] of [
      ['invalid_recipient', 'hard', 9 + (day % 5)],
      ['quota', 'soft', 3 + (day % 3)],
      ['spam_block', 'soft', day % 4],
    ] as const) {
      if (n === 0) continue;
      for (const key of ['', ALL_TENANTS]) bounced.run(environment, key, day, category, type, 'unknown', n);
    }
  }
}

function addHours(database: Connection, environment: number, now: number): void {
  const add = database.prepare(
    `INSERT INTO stat_hours (environment_id, sub_tenant_key, hour, type, measure, n) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET n = n + excluded.n`,
  );
  for (let ago = 1; ago <= HOURS; ago += 1) {
    const hour = now - ago;
    const isNight = hour % 24 < 6;
    const sums = sumsOf((isNight ? 4 : 24) + ((hour * 31) % 13));
    for (const [measure, n] of Object.entries(sums)) {
      for (const key of ['', ALL_TENANTS])
        if (n > 0) add.run(environment, key, hour, 'transactional', measure, n);
    }
  }
}
