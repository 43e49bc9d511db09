// Helper process that runs the webhooks room on its own database, with endpoints to post to and events at a given rate.
import { createResolver } from '../../src/lib/dns/index.js';
import { createLog, newId, systemClock } from '../../src/lib/runtime/index.js';
import { openSqlite } from '../../src/database/engine/sqlite.js';
import { migrate } from '../../src/database/migrations/migrate.js';
import type { Scope } from '../../src/database/scope.js';
import { createStore, type Store } from '../../src/app/store.js';
import { bootstrap } from '../../src/accounts/bootstrap.js';
import { newEndpointSecret } from '../../src/webhooks/endpoint-secret.js';
import { Webhooks } from '../../src/webhooks/webhooks.js';
import { serveQuestions } from './child.js';
import { memoryOf } from './proc.js';
import { webhookEndpoints } from '../../src/webhooks/webhooks.tables.js';
import { insert } from '../../src/database/rows.js';
import { appendEvent } from '../../src/events/append.store.js';

const MASTER_KEY = Buffer.alloc(32, 9);
const BUSY_MS = 5_000;
const TICK_MS = 10;
/** As `MAILKEEL_COMMIT_GROUP` by default. */
const MAX_GROUP = 200;
/** As in the default settings, except for the addresses. */
const SETTINGS = {
  webhookScheduleMs: [10_000, 60_000],
  webhookTimeoutMs: 10_000,
  webhookParallelism: 128,
  webhookDisableAfter: 10,
  webhookAllowPrivate: true,
  extraCaFile: null,
};

export interface FanOutJob {
  file: string;
  urls: string[];
}

export interface EventJob {
  events: number;
  /** 0 writes as fast as possible. */
  perSecond: number;
}

export interface EventsWritten {
  startedAt: number;
  endedAt: number;
  /** CPU-seconds of this process so far. */
  cpuSeconds: number;
}

let opened: { store: Store; live: Scope; room: Webhooks } | null = null;

async function open({ file, urls }: FanOutJob): Promise<void> {
  const engine = openSqlite({ file, busyTimeoutMs: BUSY_MS });
  await migrate(engine);
  const store = createStore(engine, { maxGroup: MAX_GROUP });
  const { workspaceId } = await bootstrap(store, { clock: systemClock });
  const live: Scope = { ...(await store.accounts.environmentOf(workspaceId, 'live')), subTenantId: null };
  for (const url of urls) {
    const id = newId('whe', systemClock());
    await store.commit([
      insert(webhookEndpoints, {
        row: {
          id,
          environment_id: live.environmentId,
          sub_tenant_id: null,
          url,
          description: null,
          events: null,
          status: 'enabled',
          disabled_reason: null,
          consecutive_failures: 0,
          secret_sealed: newEndpointSecret(MASTER_KEY, id).sealed,
          created_at: 0,
          updated_at: 0,
        },
      }),
    ]);
  }
  const resolver = createResolver({ servers: ['127.0.0.1:9'], clock: systemClock });
  const room = new Webhooks({
    readRecords: () => Promise.resolve(new Map()),
    formats: {},
    store,
    config: SETTINGS,
    masterKey: MASTER_KEY,
    resolver,
    clock: systemClock,
    log: createLog('warn'),
  });
  room.start();
  opened = { store, live, room };
}

/** Appends events, each in its own plan as the rooms do, each about another message. */
async function write({ events, perSecond }: EventJob): Promise<EventsWritten> {
  if (!opened) throw new Error('nothing is open');
  const { store, live, room } = opened;
  const startedAt = Date.now();
  const perTick = perSecond === 0 ? MAX_GROUP : (perSecond * TICK_MS) / 1_000;
  let done = 0;
  for (let tick = 1; done < events; tick += 1) {
    const upTo = Math.min(Math.round(tick * perTick), events);
    const commits: Promise<unknown>[] = [];
    for (; done < upTo; done += 1) commits.push(append(store, live, done));
    await Promise.all(commits);
    room.wakeUp.notify();
    const waitMs = perSecond === 0 ? 0 : startedAt + tick * TICK_MS - Date.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
  return { startedAt, endedAt: Date.now(), cpuSeconds: cpu() };
}

function append(store: Store, scope: Scope, index: number): Promise<unknown> {
  return store.commit([
    appendEvent({
      event: {
        environmentId: scope.environmentId,
        workspaceNumber: scope.workspaceNumber,
        messageId: null,
        subjectId: `msg_bench${index}`,
        event: 'delivered',
        actor: 'provider',
        occurredAt: Date.now(),
        detail: { metadata: { code: 250, reply: '2.0.0 Ok: queued as 4XyzAb1234' } },
      },
    }),
  ]);
}

function cpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
}

serveQuestions({
  open,
  write,
  cpu,
  memory: () => memoryOf(process.pid),
  stop: async () => {
    await opened?.room.stop();
    await opened?.store.close();
  },
});
