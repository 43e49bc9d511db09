// Measures a sweep over ten thousand sub-tenants, each with mail in every hour of a week, ten of them bad: its duration, how long
// it delays others, and that it finds these ten. Prints figures; REPUTATION_TENANTS changes the number.
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Database } from '../../src/database/engine/sqlite-driver.js';
import { expect, it } from 'vitest';
import { createLog } from '../../src/lib/runtime/index.js';
import { openSqlite } from '../../src/database/engine/sqlite.js';
import { migrate } from '../../src/database/migrations/migrate.js';
import type { Scope } from '../../src/database/scope.js';
import { createStore } from '../../src/app/store.js';
import { ReputationSweep } from '../../src/reputation/sweep.js';
import { newWorld } from '../database/contract/builders.js';
import { temporaryFolder } from '../support/open-engines.js';

const TENANTS = Number(process.env['REPUTATION_TENANTS'] ?? 10_000);
const BAD = 10;
const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 0, 8, 12, 15);
const HOURS = 168;

/** In order of time, hour by hour. */
function fill(file: string, live: Scope): void {
  const db = new Database(file);
  db.exec('PRAGMA synchronous = OFF');
  const numbers = `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${TENANTS} - 1)`;
  const id = `'tnt_01jnk2x' || printf('%05d', (i * 7919) % 100003) || 'abcdefghijklmn'`;
  db.exec(`${numbers} INSERT INTO sub_tenants (id, workspace_id, name, sending_domain, status, verified_at, return_path_ok,
      inbound_ok, tracking_ok, dkim_mode, created_at, updated_at)
    SELECT ${id}, '${live.workspaceId}', 'T', 't' || i || '.example', 'verified', 1, 0, 0, 0, 'txt', 1, 1 FROM n`);
  const hour = db.prepare(`${numbers} INSERT INTO tenant_hours
    SELECT ${live.environmentId}, ${id}, ?, 100, 98, 2, CASE WHEN i < ${BAD} THEN 1 ELSE 0 END FROM n`);
  const last = Math.floor(NOW / HOUR);
  for (let at = last - HOURS + 1; at <= last; at++) hour.run(at);
  db.close();
}

it('takes seconds, and delays no one', async () => {
  const folder = temporaryFolder();
  const file = join(folder.path, 'mail.db');
  const engine = openSqlite({ file, busyTimeoutMs: 60_000 });
  await migrate(engine);
  const store = createStore(engine, { maxGroup: 200 });
  const { live } = await newWorld(store);
  fill(file, live);
  const limited: string[] = [];
  const sweep = new ReputationSweep({
    store,
    config: {
      reputationWindowMs: HOURS * HOUR,
      reputationMinDelivered: 20,
      reputationWarnComplaint: 0.001,
      reputationThrottleComplaint: 0.003,
      reputationThrottlePerHour: 60,
      reputationClear: 0.8,
      reputationPauseComplaint: null,
      reputationPauseBounce: null,
    },
    tenants: {
      limit: (_environmentId, tenantId) => void limited.push(tenantId),
      stop: () => undefined,
      async align() {
        await store.tenants.restrictions();
      },
    },
    clock: () => NOW,
    log: createLog('silent'),
    wakeUps: { events: () => undefined },
  });
  for (const what of ['first, all rows to write', 'second, nothing changed']) {
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const from = performance.now();
    await sweep.run();
    const seconds = (performance.now() - from) / 1000;
    delay.disable();
    console.log(
      `${TENANTS} sub-tenants x ${HOURS} hours, ${what}: ${seconds.toFixed(2)} s; the longest wait of others ` +
        `${(delay.max / 1e6).toFixed(0)} ms, 99 % within ${(delay.percentile(99) / 1e6).toFixed(0)} ms`,
    );
    expect(seconds).toBeLessThan(30);
  }
  expect(limited).toHaveLength(BAD);
  const states = await engine.rows('SELECT state, COUNT(*) AS n FROM tenant_reputations GROUP BY state', []);
  expect(states).toEqual([
    { state: 'ok', n: TENANTS - BAD },
    { state: 'throttled', n: BAD },
  ]);
  await store.close();
  folder.remove();
});
