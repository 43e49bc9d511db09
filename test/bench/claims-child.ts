// Helper process that fills a queue by SQL, or claims from one as dispatch does, including scheduler and durable commits.
import { queue as queueTable } from '../../src/messages/queue.tables.js';
import { openSqlite } from '../../src/database/engine/sqlite.js';
import { migrate } from '../../src/database/migrations/migrate.js';
import { createStore, type Store } from '../../src/app/store.js';
import { bootstrap } from '../../src/accounts/bootstrap.js';
import type { Admission } from '../../src/outbound/schedule/admission.js';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { waitingPages } from '../../src/outbound/schedule/queue.store.js';
import { Scheduler } from '../../src/outbound/schedule/scheduler.js';
import { Reservation } from '../../src/outbound/shape/limit.js';
import { fillQueue } from '../support/fill-queue.js';
import { serveQuestions } from './child.js';
import { memoryOf } from './proc.js';
import type { Change } from '../../src/database/change.js';
import { update } from '../../src/database/rows.js';

/** As in dispatch and in the default settings. */
const BATCH = 200;
const MAX_PER_TURN = 20;
const LEASE_MS = 1_800_000;

const QUEUES = 50;
/** Fills the page cache, so that memory is compared in a steady state. */
const WARM_UP = 150;
const BATCHES = 300;
const BUSY_MS = 5_000;

export interface ClaimCost {
  meanMs: number;
  p50Ms: number;
  p95Ms: number;
  cpuMs: number;
  lookMs: number;
  residentBeforeMb: number;
  residentAfterMb: number;
}

const open = (file: string) => openSqlite({ file, busyTimeoutMs: BUSY_MS });

async function fill({ file, depth }: { file: string; depth: number }): Promise<void> {
  const engine = open(file);
  await migrate(engine);
  const store = createStore(engine, { maxGroup: BATCH });
  const { workspaceId } = await bootstrap(store, { clock: () => Date.now() });
  const { environmentId } = await store.accounts.environmentOf(workspaceId, 'live');
  await store.close();
  fillQueue(file, { depth, queues: QUEUES, environmentId, now: Date.now() });
}

/** No limits, because the queue is measured. */
const UNLIMITED: Admission = {
  check: ({ domain: group }) => ({ kind: 'open', capacity: MAX_PER_TURN, group }),
  reserve: (_queue, group, count) => new Reservation(group, [], count),
};

async function measure({ file }: { file: string }): Promise<ClaimCost> {
  const store = createStore(open(file), { maxGroup: BATCH });
  const scheduler = new Scheduler({ admission: UNLIMITED, maxPerTurn: MAX_PER_TURN });
  const lookedAt = performance.now();
  for await (const page of waitingPages(store.queue, nextTurn)) {
    for (const queue of page) scheduler.put(queue, queue.dueAt, Date.now());
  }
  const lookMs = performance.now() - lookedAt;
  for (let batch = 0; batch < WARM_UP; batch += 1) await claimBatch(store, scheduler);
  const residentBeforeMb = memoryOf(process.pid).residentMb;
  const times: number[] = [];
  let cpuMs = 0;
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const cost = await claimBatch(store, scheduler);
    times.push(cost.ms);
    cpuMs += cost.cpuMs;
  }
  const sorted = times.toSorted((a, b) => a - b);
  const residentAfterMb = memoryOf(process.pid).residentMb;
  await store.close();
  return {
    meanMs: times.reduce((sum, ms) => sum + ms, 0) / BATCHES,
    p50Ms: sorted[Math.floor(BATCHES * 0.5)] ?? NaN,
    p95Ms: sorted[Math.floor(BATCHES * 0.95)] ?? NaN,
    cpuMs: cpuMs / BATCHES,
    ...{ lookMs, residentBeforeMb, residentAfterMb },
  };
}

/** Picks, claims and informs the scheduler, timed; then puts the messages back at the end, so that the depth is constant. */
async function claimBatch(store: Store, scheduler: Scheduler): Promise<{ ms: number; cpuMs: number }> {
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  const now = Date.now();
  const picks = scheduler.pick({ all: BATCH, bulk: BATCH }, now);
  const { claims, queues } = await store.queue.claim({
    picks,
    now,
    leaseUntil: now + LEASE_MS,
    owner: 'bench',
  });
  const dueAts = new Map(queues.map(({ queueId, dueAt }) => [queueId, dueAt]));
  const byQueue = new Map(picks.map((pick) => [pick.queueId, pick]));
  const taken = claims.flatMap(({ queueId }) => byQueue.get(queueId)?.reservation.split() ?? []);
  for (const pick of picks) scheduler.claimed(pick, dueAts.get(pick.queueId) ?? null, now);
  const ms = performance.now() - startedAt;
  const cpu = process.cpuUsage(cpuBefore);
  if (claims.length < BATCH) throw new Error(`a batch of only ${claims.length}`);
  await store.commit(
    claims.map(({ messageId }): Change =>
      update(queueTable, {
        set: { lease_until: null, lease_owner: null, due_at: now },
        where: { message_id: messageId },
      }),
    ),
  );
  for (const reservation of taken) {
    reservation.release(true);
    scheduler.slotFreed(reservation.group);
  }
  for (const queueId of byQueue.keys()) scheduler.notify(queueId);
  return { ms, cpuMs: (cpu.user + cpu.system) / 1_000 };
}

serveQuestions({ fill, measure });
