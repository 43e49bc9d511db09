// Tests a clock that was ahead and was corrected: mail that waits longer than any schedule allows is due immediately, and all
// other mail is unchanged.
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createLog } from '../../src/lib/runtime/index.js';
import { createClockJumps, longestWaits, type WaitSettings } from '../../src/operations/clock-jumps.js';
import { type Connection, Database } from '../../src/database/engine/sqlite-driver.js';
import { openSqlite } from '../../src/database/engine/sqlite.js';
import { createStore, type Store } from '../../src/app/store.js';
import { fixedClock } from '../support/fixed-clock.js';
import { layMigratedFile } from '../support/migrated-file.js';
import { temporaryFolder } from '../support/open-engines.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const SETTINGS: WaitSettings = {
  ...{ retryScheduleMs: [MINUTE, 4 * HOUR], webhookScheduleMs: [MINUTE, 12 * HOUR] },
  ...{ ambiguousHoldMs: 15 * MINUTE, blockedRetryMs: 2 * HOUR, greylistRetryMs: 5 * MINUTE, holdMs: MINUTE },
  ...{ queueLeaseMs: 30 * MINUTE, webhookTimeoutMs: 10_000, signInLockMs: 15 * MINUTE },
};

let folder: ReturnType<typeof temporaryFolder>;
let store: Store;
let raw: Connection;
let lines: { msg: string; messages?: number; webhooks?: number; inbound?: number }[] = [];
const log = createLog('info', { write: (line: string) => void lines.push(JSON.parse(line)) });
const time = fixedClock();

beforeEach(async () => {
  folder = temporaryFolder();
  const file = join(folder.path, 'mail.db');
  await layMigratedFile(file);
  store = createStore(openSqlite({ file, busyTimeoutMs: 1000 }), { maxGroup: 10 });
  raw = new Database(file);
  raw.pragma('foreign_keys = OFF');
  lines = [];
});
afterEach(async () => {
  raw.close();
  await store.close();
  folder.remove();
});

const columnsOf = new Map<string, { name: string; type: string; notnull: number }[]>();

/** A row of every column that must have a value, with these set. */
function insert(table: string, values: Record<string, string | number | null>): void {
  const columns =
    columnsOf.get(table) ??
    (raw.pragma(`table_info(${table})`) as { name: string; type: string; notnull: number }[]);
  columnsOf.set(table, columns);
  const needed = columns.filter(({ name, notnull }) => notnull === 1 || name in values);
  const row = needed.map(
    ({ name, type }) => values[name] ?? (name in values ? null : type === 'INTEGER' ? 0 : ''),
  );
  raw
    .prepare(
      `INSERT INTO ${table} (${needed.map(({ name }) => name).join()}) VALUES (${needed.map(() => '?').join()})`,
    )
    .run(row);
}

function queued(
  id: number,
  row: Record<string, string | number | null>,
  scheduledAt: number | null = null,
): void {
  insert('messages', { id, public_id: `msg_${id}`, scheduled_at: scheduledAt });
  insert('queue', { message_id: id, queue_id: 1, attempts: 0, ...row });
}

const dueOf = (id: number): unknown =>
  raw.prepare('SELECT due_at FROM queue WHERE message_id = ?').pluck().get(id);

it('waits that are too long are due at the start and counted', async () => {
  const now = time.now();
  queued(1, { due_at: now + 3 * DAY });
  queued(2, { due_at: now + 3 * DAY, attempts: 2 });
  queued(3, { due_at: now + 5 * HOUR, attempts: 2 });
  queued(4, { due_at: now + 3 * DAY }, now + 3 * DAY);
  queued(5, { due_at: now + 3 * DAY + 5 * HOUR, attempts: 1 }, now + 3 * DAY);
  queued(6, { due_at: now + 3650 * DAY, hold_reason: 'campaign: The campaign is paused.' });
  queued(7, { due_at: now + 3 * DAY, lease_until: now + HOUR, lease_owner: 'w' });
  insert('webhook_deliveries', { id: 1, public_id: 'a', status: 'pending', due_at: now + 2 * DAY });
  insert('webhook_deliveries', { id: 2, public_id: 'b', status: 'pending', due_at: now + 13 * HOUR });
  insert('inbound_messages', { id: 1, state: 'waiting', due_at: now + 2 * DAY });
  await createClockJumps({ store, config: SETTINGS, clock: time.now, log }).capAtStart();
  expect([1, 2, 3, 4, 5, 6, 7].map((id) => Number(dueOf(id)) - now)).toEqual([
    ...[0, 0, 5 * HOUR, 3 * DAY, 3 * DAY + 5 * HOUR, 3650 * DAY, 3 * DAY],
  ]);
  expect(lines).toMatchObject([
    { messages: 2, webhooks: 1, inbound: 1, msg: expect.stringContaining('clock was ahead') },
  ]);
  await createClockJumps({ store, config: SETTINGS, clock: time.now, log }).capAtStart();
  expect(lines).toHaveLength(1);
});

it('leases and locks from before the clock was set back end as if they were taken now', async () => {
  const now = time.now();
  queued(1, { due_at: now, lease_until: now + 9 * DAY, lease_owner: 'w' });
  queued(2, { due_at: now, lease_until: now + MINUTE, lease_owner: 'w' });
  // Another node has created it since `now`.
  queued(3, { due_at: now, lease_until: now + 30 * MINUTE + 2_000, lease_owner: 'v' });
  const delivery = { endpoint_id: 'e', status: 'pending', due_at: now, attempts: 1 };
  insert('webhook_deliveries', {
    id: 1,
    public_id: 'a',
    subject_id: 's1',
    ...delivery,
    lease_until: now + 9 * DAY,
  });
  insert('webhook_deliveries', {
    id: 2,
    public_id: 'b',
    subject_id: 's2',
    ...delivery,
    lease_until: now + 5_000,
  });
  insert('users', { id: 'usr_1', email_key: 'a', locked_until: now + 9 * DAY });
  insert('users', { id: 'usr_2', email_key: 'b', locked_until: now + MINUTE });
  insert('known_places', { user_id: 'usr_1', place: 'p', locked_until: now + 9 * DAY });
  const today = Math.floor(now / DAY);
  const report = { status: 'pending', due_at: now + 9 * DAY };
  insert('tls_reports', { day: today - 1, domain: 'a', ...report });
  insert('tls_reports', { day: today + 8, domain: 'a', ...report });
  await createClockJumps({ store, config: SETTINGS, clock: time.now, log }).capAtStart();
  const times = (query: string): number[] =>
    (raw.prepare(query).pluck().all() as number[]).map((at) => at - now);
  expect(times('SELECT lease_until FROM queue ORDER BY message_id')).toEqual([
    31 * MINUTE,
    MINUTE,
    30 * MINUTE + 2_000,
  ]);
  expect(times('SELECT lease_until FROM webhook_deliveries ORDER BY id')).toEqual([90_000, 5_000]);
  expect(times('SELECT locked_until FROM users ORDER BY id')).toEqual([16 * MINUTE, MINUTE]);
  expect(times('SELECT locked_until FROM known_places')).toEqual([16 * MINUTE]);
  expect(times('SELECT due_at FROM tls_reports ORDER BY day')).toEqual([0, 9 * DAY]);
  expect(lines).toMatchObject([{ messages: 0, webhooks: 0, leases: 2, locks: 2, tls_reports: 1 }]);
  // The next claim gets it once the shortened lease has ended.
  expect(await store.webhooks.claimDeliveries('e', now + 89_000, now + HOUR, 10)).toHaveLength(1);
  expect(await store.webhooks.claimDeliveries('e', now + 91_000, now + HOUR, 10)).toMatchObject([{ id: 1 }]);
});

it('more rows than fit in one transaction are all capped', async () => {
  const now = time.now();
  raw.transaction(() => {
    for (let id = 1; id <= 1_200; id += 1) queued(id, { due_at: now + 9 * DAY });
  })();
  expect(await store.dueTimes.cap(now, longestWaits(SETTINGS))).toMatchObject({ messages: 1_200 });
});

it('a clock that is set back at runtime caps waits, but a small step does not', async () => {
  let steadyMs = 0;
  const jumps = createClockJumps({ store, config: SETTINGS, clock: time.now, log }, () => steadyMs);
  queued(1, { due_at: time.now() });
  const later = (ms: number): void => {
    steadyMs += ms;
    time.advance(ms);
  };
  later(MINUTE);
  time.advance(-5_000);
  await jumps.job.run();
  expect(lines).toEqual([]);
  later(MINUTE);
  time.advance(-3 * DAY);
  await jumps.job.run();
  expect(Number(dueOf(1))).toBe(time.now());
  expect(lines.map(({ msg }) => msg)).toEqual(['clock was set back', expect.stringContaining('was ahead')]);
});

function jumping() {
  let steadyMs = 0;
  const jumps = createClockJumps({ store, config: SETTINGS, clock: time.now, log }, () => steadyMs);
  const later = (ms: number): void => {
    steadyMs += ms;
    time.advance(ms);
  };
  return { jumps, later };
}

it('a clock that jumps ahead and back between two runs caps waits too', async () => {
  const { jumps, later } = jumping();
  later(10_000);
  time.advance(3 * DAY);
  jumps.look();
  queued(1, { due_at: time.now() + MINUTE, attempts: 1 });
  later(1_000);
  time.advance(-3 * DAY);
  await jumps.job.run();
  expect(dueOf(1)).toBe(time.now());
});

it('an attempt from before the clock was set back, deferred after it, does not hold its message', async () => {
  const { jumps, later } = jumping();
  time.advance(2 * HOUR);
  jumps.look();
  const outcomeAt = time.now();
  queued(1, { due_at: outcomeAt - MINUTE, attempts: 0, lease_until: outcomeAt + MINUTE, lease_owner: 'w' });
  later(1_000);
  time.advance(-2 * HOUR);
  await jumps.job.run();
  // Its outcome has the time of the clock that was ahead, and a wait that the schedule allows.
  raw
    .prepare(
      'UPDATE queue SET due_at = ?, attempts = 1, lease_until = NULL, lease_owner = NULL WHERE message_id = 1',
    )
    .run(outcomeAt + MINUTE);
  raw.prepare('UPDATE messages SET updated_at = ? WHERE id = 1').run(outcomeAt);
  later(MINUTE);
  await jumps.job.run();
  expect(dueOf(1)).toBe(time.now());
  lines = [];
  later(MINUTE);
  await jumps.job.run();
  expect(lines).toEqual([]);
});

it('the longest waits are those of the settings with their jitter', () => {
  expect(longestWaits(SETTINGS)).toEqual({
    ...{ firstAttemptMs: 90_000, retryMs: 6 * HOUR, webhookMs: 18 * HOUR, inboundMs: DAY },
    ...{ queueLeaseMs: 31 * MINUTE, webhookLeaseMs: 90_000, signInLockMs: 16 * MINUTE, tlsReportMs: 2 * DAY },
  });
});
