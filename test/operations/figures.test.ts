// Tests metrics that are read from rows: failed or due backups, and webhooks that wait for Mailkeel rather than for a person.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createLog } from '../../src/lib/runtime/index.js';
import { createFigures, type LiveFigures } from '../../src/operations/telemetry/figures.js';
import { Meters } from '../../src/operations/telemetry/meters.js';
import type { ReplicaFacts } from '../../src/replica/replica-health.rules.js';
import { createStore, type Store } from '../../src/app/store.js';
import { fixedClock } from '../support/fixed-clock.js';
import { openMigratedFile, temporaryFolder, type OpenEngine } from '../support/open-engines.js';
import { backups } from '../../src/backups/backups.tables.js';
import { insert } from '../../src/database/rows.js';

const DAY = 86_400_000;
const clock = fixedClock();
const midnight = Math.floor(clock.now() / DAY) * DAY;
let replica: ReplicaFacts | null = null;
const live: LiveFigures = {
  sessions: () => [],
  overrides: () => [],
  certificateEndsAt: () => 0,
  statements: () => 0,
  missedConnections: () => 0,
  isDamaged: () => false,
  growth: () => Promise.resolve(null),
  node: () => null,
  replica: () => replica,
  checks: () => null,
};

let folder: ReturnType<typeof temporaryFolder>;
let opened: OpenEngine;
let store: Store;

beforeEach(async () => {
  folder = temporaryFolder();
  opened = await openMigratedFile(`${folder.path}/mail.db`);
  store = createStore(opened.engine, { maxGroup: 50 });
});
afterEach(async () => {
  await store.drain();
  await opened.close();
  folder.remove();
});

async function gauges(backupSchedule: string | null): Promise<Record<string, number>> {
  const meters = new Meters();
  const log = createLog('silent');
  const config = { backupSchedule, metricsReadMs: 0 };
  await createFigures({ store, config, clock: clock.now, log }, live, 'breaker')(meters);
  const found: Record<string, number> = {};
  for (const [name, values] of meters.drain().gauges) {
    for (const [labels, value] of values) if (labels.length === 0) found[name] = value;
  }
  return found;
}

async function backup(name: string, endedAt: number, error: string | null): Promise<void> {
  const row = {
    name,
    place: 'p',
    started_at: endedAt,
    ended_at: endedAt,
    size_bytes: 1,
    with_keys: 0 as const,
    error,
  };
  await store.commit([insert(backups, { row })]);
}

it('the next backup is due by the schedule after the last success, or after the start without one', async () => {
  const first = await gauges('0 3 * * *');
  const dueAt = first['mailkeel_backup_due_timestamp_seconds'] ?? 0;
  expect(dueAt * 1000).toBeGreaterThan(clock.now());
  expect([dueAt % 86_400, first['mailkeel_backup_failed']]).toEqual([3 * 3600, 0]);
  expect(first['mailkeel_backup_last_success_timestamp_seconds']).toBeUndefined();

  await backup('good', midnight - 5 * DAY, null);
  await backup('failed', midnight - 4 * DAY, 'no room');
  expect(await gauges('0 3 * * *')).toMatchObject({
    mailkeel_backup_last_success_timestamp_seconds: (midnight - 5 * DAY) / 1000,
    mailkeel_backup_due_timestamp_seconds: (midnight - 5 * DAY) / 1000 + 3 * 3600,
    mailkeel_backup_failed: 1,
  });
  expect((await gauges(null))['mailkeel_backup_due_timestamp_seconds']).toBeUndefined();
  await backup('good again', midnight - DAY, null);
  expect((await gauges(null))['mailkeel_backup_failed']).toBe(0);
});

it('a replica shows its lag and its state, and a server without one shows nothing of it', async () => {
  expect(Object.keys(await gauges(null)).filter((name) => name.includes('replica'))).toEqual([]);
  const now = clock.now();
  replica = {
    ...({
      storage: 's3://mail/replica',
      isOnSameDisk: false,
      waits: true,
      phase: 'replicating',
      generation: 3,
    } as const),
    ...{ storedAt: now - 9_000, waitingSince: now - 2_500, waitingBytes: 70, storedBytes: 900 },
    ...{ away: { since: now - 1_000, reason: 'no route to host' }, base: { at: now - DAY, bytes: 1 } },
  };
  expect(await gauges(null)).toMatchObject({
    mailkeel_replica_lag_seconds: 2.5,
    mailkeel_replica_waiting_bytes: 70,
    mailkeel_replica_stored_bytes: 900,
    mailkeel_replica_last_stored_timestamp_seconds: (now - 9_000) / 1000,
    mailkeel_replica_generation: 3,
    mailkeel_replica_away: 1,
    mailkeel_replica_restorable: 1,
    mailkeel_replica_copy_timestamp_seconds: (now - DAY) / 1000,
  });
  replica = { ...replica, phase: 'copying', away: null, base: null, waitingSince: null };
  expect(await gauges(null)).toMatchObject({
    ...{ mailkeel_replica_lag_seconds: 0, mailkeel_replica_away: 0, mailkeel_replica_restorable: 0 },
  });
  replica = null;
});
