// The routes of the queue and of a message's insight on a real database file. The traffic rules are a stub that the
// test sets; the clock stands still until it is moved.
import { queue as queueTable } from '../../src/messages/queue.tables.js';
import { join } from 'node:path';
import { createCredentialCache } from '../../src/accounts/api-keys/credential-cache.js';
import { messageInsightRoutes } from '../../src/outbound/explain/insight.routes.js';
import { queueRoutes } from '../../src/outbound/schedule/queue.routes.js';
import type { TrafficView } from '../../src/outbound/traffic-view.js';
import type { DestinationKey } from '../../src/outbound/schedule/queue.store.js';
import { createCursors } from '../../src/http/lists/cursors.js';
import { createApiServer } from '../../src/app/http-server.js';
import type { KeyPermission, Mode } from '../../src/contract/names.js';
import type { LimitReason } from '../../src/outbound/explain/explain-facts.rules.js';
import { createLog } from '../../src/lib/runtime/index.js';
import { loadConfig } from '../../src/settings/load.js';
import { QueueSnapshots } from '../../src/outbound/schedule/queue-snapshots.js';
import type { Scope } from '../../src/database/scope.js';
import { createStore } from '../../src/app/store.js';
import { planApiKey } from '../../src/accounts/api-keys/api-key-plan.js';
import { bootstrap } from '../../src/accounts/bootstrap.js';
import { newMessage, tenantPlan } from '../database/contract/builders.js';
import { fixedClock } from './fixed-clock.js';
import { openMigratedFile, temporaryFolder } from './open-engines.js';
import type { ApiAnswer, ApiRequest } from './start-api.js';
import { type DestinationPause, type LimitOverride } from '../../src/outbound/outbound.tables.js';
import type { Change } from '../../src/database/change.js';
import { acceptMessage } from '../../src/messages/accept/accept.store.js';
import { update } from '../../src/database/rows.js';

export interface QueuedWish {
  domain?: string;
  /** Default: live. */
  scope?: Scope;
  tags?: string[];
  /** Columns of the queue row. */
  queue?: Record<string, number | string | null>;
  /** Columns of the message. */
  row?: object;
}

export type QueueRig = Awaited<ReturnType<typeof startQueueRig>>;

export async function startQueueRig() {
  const folder = temporaryFolder();
  const opened = await openMigratedFile(join(folder.path, 'mail.db'));
  const { engine } = opened;
  const store = createStore(engine, { maxGroup: 200 });
  const clock = fixedClock();
  const { workspaceId, liveKey, testKey } = await bootstrap(store, { clock: clock.now });
  const traffic = {
    reasons: new Map<string, LimitReason>(),
    limits: [] as LimitOverride[],
    /** Domains that were to be asked again. */
    probed: [] as string[],
    calls: [] as [what: string, about: DestinationKey | DestinationPause | readonly number[]][],
  };
  const trafficView: TrafficView = {
    reasonFor: ({ domain }) => traffic.reasons.get(domain) ?? null,
    overrides: () => traffic.limits,
    sessions: () => [],
    sources: () => [],
    removeOverride(id) {
      const isKnown = traffic.limits.some((row) => row.id === id);
      traffic.limits = traffic.limits.filter((row) => row.id !== id);
      return Promise.resolve(isKnown);
    },
    pause: (key) => void traffic.calls.push(['pause', key]),
    resume: (key) => void traffic.calls.push(['resume', key]),
    notify: (queueIds) => void traffic.calls.push(['notify', queueIds]),
    probe: (domain) => void traffic.probed.push(domain),
    providerOf: (domain) => (domain === 'gmail.com' ? 'google' : null),
  };
  const context = {
    store,
    traffic: trafficView,
    wakeUps: { events: () => undefined },
    clock: clock.now,
    config: { ...loadConfig({ env: {} }).config, greylistRetryMs: 300_000, blockedRetryMs: 7_200_000 },
  };
  const app = await createApiServer({
    store,
    clock: clock.now,
    log: createLog('silent'),
    credentials: createCredentialCache(store, { ttlMs: 5000 }),
    settings: {
      publicUrl: 'https://mail.example.test',
      securityContact: null,
      bodyLimitBytes: 1024 * 1024,

      importSizeLimitBytes: 50 * 1024 * 1024,
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
    wakeUps: context.wakeUps,
    routes: [
      (api) => queueRoutes(api, context, new QueueSnapshots(context, 0)),
      (api) => messageInsightRoutes(api, context),
    ],
  });
  await app.ready();

  async function scopeOf(mode: Mode, subTenantId: string | null = null): Promise<Scope> {
    return { ...(await store.accounts.environmentOf(workspaceId, mode)), subTenantId };
  }

  return {
    app,
    clock,
    store,
    traffic,
    liveKey: liveKey ?? '',
    testKey: testKey ?? '',
    scopeOf,
    commit: (...plan: Change[]) => store.commit(plan),

    /** A queued message to ann@ the domain; its public and row id, and its queue. */
    async enqueue(wish: QueuedWish = {}) {
      const { domain = 'example.com', tags = [], queue = {}, row = {} } = wish;
      const scope = wish.scope ?? (await scopeOf('live'));
      const message = { ...newMessage(scope, { domain, to: `ann@${domain}`, row }), tags };
      const { messageIds, queueIds } = await store.commit([acceptMessage({ message })]);
      const rowId = messageIds[0] ?? 0;
      if (Object.keys(queue).length > 0) {
        await store.commit([update(queueTable, { set: queue, where: { message_id: rowId } })]);
      }
      return { id: message.row.public_id, rowId, queueId: queueIds[0] ?? 0 };
    },

    async ask(method: string, url: string, request: ApiRequest = {}): Promise<ApiAnswer> {
      const response = await app.inject({
        method: method as 'GET',
        url,
        headers: { authorization: `Bearer ${request.key ?? liveKey ?? ''}`, ...request.headers },
        ...(request.body === undefined ? {} : { payload: request.body as object }),
      });
      const json = response.body === '' ? null : (JSON.parse(response.body) as unknown);
      return { status: response.statusCode, headers: response.headers, text: response.body, json };
    },

    async addTenant(id: string): Promise<void> {
      await store.commit(tenantPlan(await scopeOf('live'), id));
    },

    async addKey(scope: Scope, permission: KeyPermission = 'full'): Promise<string> {
      const { environmentId, mode, subTenantId } = scope;
      const { secret, change } = planApiKey(
        { environmentId, mode, name: 'k', permission, subTenantId },
        clock.now(),
      );
      await store.commit([change]);
      return secret;
    },

    async close(): Promise<void> {
      await app.close();
      await store.drain();
      await opened.close();
      folder.remove();
    },
  };
}
