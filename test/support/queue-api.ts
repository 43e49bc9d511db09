// The API with the routes of the queue and of a message's insight. The traffic rules are a stub that the test sets, and the clock
// stands still until it is moved.
import { queue as queueTable } from '../../src/messages/queue.tables.js';
import { messageInsightRoutes } from '../../src/outbound/explain/insight.routes.js';
import { queueRoutes } from '../../src/outbound/schedule/queue.routes.js';
import type { TrafficView } from '../../src/outbound/traffic-view.js';
import type { DestinationKey } from '../../src/outbound/schedule/queue.store.js';
import type { KeyPermission } from '../../src/contract/names.js';
import type { LimitReason } from '../../src/outbound/explain/explain-facts.rules.js';
import { loadConfig } from '../../src/settings/load.js';
import { QueueSnapshots } from '../../src/outbound/schedule/queue-snapshots.js';
import type { Scope } from '../../src/database/scope.js';
import { planApiKey } from '../../src/accounts/api-keys/api-key-plan.js';
import { newMessage, tenantPlan } from '../database/contract/builders.js';
import { fixedClock } from './fixed-clock.js';
import { startApi } from './start-api.js';
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

export type QueueApi = Awaited<ReturnType<typeof startQueueApi>>;

export async function startQueueApi() {
  const clock = fixedClock();
  const traffic = {
    reasons: new Map<string, LimitReason>(),
    limits: [] as LimitOverride[],
    /** Domains that were to be probed. */
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
  const own = {
    traffic: trafficView,
    wakeUps: { events: () => undefined },
    clock: clock.now,
    config: { ...loadConfig({ env: {} }).config, greylistRetryMs: 300_000, blockedRetryMs: 7_200_000 },
  };
  const api = await startApi({
    clock: clock.now,
    settings: { requestLogKeepMs: 0 },
    routes: (store) => [
      (routes) => queueRoutes(routes, { store, ...own }, new QueueSnapshots({ store, ...own }, 0)),
      (routes) => messageInsightRoutes(routes, { store, ...own }),
    ],
  });
  const { store, scopeOf } = api;

  return {
    ...api,
    clock,
    traffic,
    commit: (...plan: Change[]) => store.commit(plan),

    /** Queues a message to ann@ the domain; returns its public and row id, and its queue. */
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

    async addTenant(id: string): Promise<void> {
      await store.commit(tenantPlan(await scopeOf('live'), id));
    },

    /** Of any workspace. */
    async addKey({ environmentId, mode, subTenantId }: Scope, permission: KeyPermission = 'full') {
      const key = { environmentId, mode, name: 'k', permission, subTenantId };
      const { secret, change } = planApiKey(key, clock.now());
      await store.commit([change]);
      return secret;
    },
  };
}
