// Creates the counters of earlier weeks for charts. Written into the database, because no interface accepts mail of the past.
import { join } from 'node:path';
import { Database, type Connection } from '../../../src/database/engine/sqlite-driver.js';
import type { Measure } from '../../../src/analytics/analytics.schema.js';
import { ALL_TENANTS } from '../../../src/analytics/statistics.store.js';
import type { Ground } from './ground.js';
import type { TenantIds } from './tenants.js';

const HOUR_MS = 3_600_000;
const DAYS = 60;
/** Whole days with hourly counts. */
const DAYS_WITH_HOURS = 3;
/** Shares of the hours of a day, from 00:00 UTC, low at night. */
const HOUR_WEIGHTS = Array.from({ length: 24 }, (_, hour) => (hour < 6 ? 1 : 5 + ((hour * 31) % 3)));
const DAY_WEIGHT = HOUR_WEIGHTS.reduce((sum, weight) => sum + weight, 0);

type Sums = Partial<Record<Measure, number>>;

/** Mail of one type that one tenant sent on one day. */
interface Booking {
  tenant: string;
  type: 'transactional' | 'marketing';
  day: number;
  sums: Sums;
}

/** A day's sums in the shares of a careful sender, with `unwanted` complaints per thousand delivered. */
function sumsOf(queued: number, { unwanted = 0, isRead = false } = {}): Sums {
  const share = (part: number): number => Math.round(queued * part);
  const delivered = share(0.983);
  const bounced = queued - delivered;
  return {
    ...{ queued, sent: queued, delivered, deferred: share(0.031), bounced },
    ...{
      hard_bounced: Math.min(share(0.011), bounced),
      complained: Math.round((delivered * unwanted) / 1000),
    },
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

function bookingsOfDay(day: number, ago: number, { good, warned, throttled }: TenantIds): Booking[] {
  const letter = sumsOf(1_900 - ago * 9, { unwanted: 0.4, isRead: true });
  const ofWarned = sumsOf(880 + (day % 40), { unwanted: ago < 9 ? 1.4 : 0.2, isRead: true });
  const ofThrottled = sumsOf(600 + (day % 50), { unwanted: ago < 6 ? 4.1 : 0.7 });
  return [
    { tenant: '', type: 'transactional', day, sums: sumsOf(bookingsOf(day, ago)) },
    ...(day % 7 === 5 ? [{ tenant: '', type: 'marketing', day, sums: letter } as const] : []),
    { tenant: good, type: 'transactional', day, sums: sumsOf(60 + (day % 17)) },
    { tenant: warned, type: 'marketing', day, sums: ofWarned },
    { tenant: throttled, type: 'marketing', day, sums: ofThrottled },
  ];
}

/** The part of a day's sums in the hours from `from` until before `until`. The parts of all hours add up to the day. */
function partOf(sums: Sums, from: number, until: number): Sums {
  const before = (n: number, hour: number): number =>
    Math.round((n * HOUR_WEIGHTS.slice(0, hour).reduce((sum, weight) => sum + weight, 0)) / DAY_WEIGHT);
  return Object.fromEntries(
    Object.entries(sums).map(([measure, n]) => [measure, before(n, until) - before(n, from)]),
  );
}

/** Days, hours and bounces agree, because they are counted from the same bookings. */
export function addHistory({ program }: Ground, tenants: TenantIds): void {
  const { dataDir, keys } = program.appliance;
  const database = new Database(join(dataDir, 'mail.db'), { timeout: 10_000 });
  const environments = database
    .prepare('SELECT id, mode FROM environments WHERE workspace_id = ?')
    .all(keys.workspace_id) as { id: number; mode: 'live' | 'test' }[];
  const live = environments.find(({ mode }) => mode === 'live')?.id ?? 0;
  const now = Math.floor(Date.now() / HOUR_MS);
  const today = Math.floor(now / 24);
  const hourOfDay = now % 24;
  database.transaction(() => {
    const write = writer(database, live);
    for (let ago = 0; ago <= DAYS; ago += 1) {
      const hours = ago === 0 ? hourOfDay : 24;
      for (const booking of bookingsOfDay(today - ago, ago, tenants)) {
        write.day({ ...booking, sums: partOf(booking.sums, 0, hours) });
        if (booking.type === 'marketing' && booking.tenant === '') write.sides(booking);
        if (ago > DAYS_WITH_HOURS) continue;
        for (let hour = 0; hour < hours; hour += 1) {
          write.hour({ ...booking, sums: partOf(booking.sums, hour, hour + 1) }, hour);
        }
      }
    }
  })();
  database.close();
}

function writer(database: Connection, environment: number) {
  const addDay = database.prepare(
    `INSERT INTO stat_days (environment_id, sub_tenant_key, type, day, measure, n) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET n = n + excluded.n`,
  );
  const addHour = database.prepare(
    `INSERT INTO stat_hours (environment_id, sub_tenant_key, hour, type, measure, n) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET n = n + excluded.n`,
  );
  const addBounces = database.prepare(
    `INSERT INTO stat_bounces (environment_id, sub_tenant_key, day, category, bounce_type, provider, n)
     VALUES (?, ?, ?, ?, ?, 'unknown', ?) ON CONFLICT DO UPDATE SET n = n + excluded.n`,
  );
  const addSide = database.prepare(
    `INSERT INTO stat_groups (environment_id, sub_tenant_key, dimension, day, value, type, measure, n)
     VALUES (?, ?, 'route', ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n`,
  );
  return {
    /** A fifth of the newsletter is delivered directly. A smarthost reports no deliveries. */
    sides({ type, day, sums }: Booking): void {
      for (const [measure, n] of Object.entries(sums)) {
        const direct = Math.round(n * 0.2);
        for (const [value, part] of [
          ['leaving direct', direct],
          ['leaving smarthost', measure === 'delivered' ? 0 : n - direct],
        ] as const) {
          if (part > 0) addSide.run(environment, ALL_TENANTS, day, value, type, measure, part);
        }
      }
    },
    day({ tenant, type, day, sums }: Booking): void {
      const { bounced = 0, hard_bounced: hard = 0 } = sums;
      const full = Math.round((bounced - hard) * 0.6);
      for (const key of [tenant, ALL_TENANTS]) {
        for (const [measure, n] of Object.entries(sums)) {
          if (n > 0) addDay.run(environment, key, type, day, measure, n);
        }
        for (const [category, bounceType, n] of [
          ['invalid_recipient', 'hard', hard],
          ['quota', 'soft', full],
          ['spam_block', 'soft', bounced - hard - full],
        ] as const) {
          if (n > 0) addBounces.run(environment, key, day, category, bounceType, n);
        }
      }
    },
    hour({ tenant, type, day, sums }: Booking, hour: number): void {
      for (const [measure, n] of Object.entries(sums)) {
        for (const key of [tenant, ALL_TENANTS]) {
          if (n > 0) addHour.run(environment, key, day * 24 + hour, type, measure, n);
        }
      }
    },
  };
}
