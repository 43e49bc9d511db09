// Adds webhooks to the program: endpoints and events inserted by plans, and rooms that deliver over real sockets.
import type { TrailEvent, WebhookEvent } from '../../src/contract/names.js';
import { createLog, newId } from '../../src/lib/runtime/index.js';
import type { DividedRoom } from '../../src/lib/concurrency/index.js';
import type { Page, Scope } from '../../src/database/scope.js';
import { newEndpointSecret, urlColumns } from '../../src/webhooks/endpoint-secret.js';
import { Webhooks, type WebhookConfig } from '../../src/webhooks/webhooks.js';
import { assembleProgram, MASTER_KEY, type ProgramOptions } from './program.js';
import { waitFor } from './wait.js';
import {
  type WebhookAttempt,
  type WebhookDelivery,
  webhookEndpoints,
} from '../../src/webhooks/webhooks.tables.js';
import { insert } from '../../src/database/rows.js';
import { appendEvent } from '../../src/events/append.store.js';

export interface EndpointWish {
  /** Live unless given. */
  scope?: Scope;
  events?: WebhookEvent[];
  subTenantId?: string;
  status?: 'enabled' | 'disabled';
  createdAt?: number;
  /** User name and password, `user:password`. */
  credentials?: string;
  /** Sealed with another master key. */
  unreadable?: boolean;
}

/** For endpoints with thin payloads. */
export const noRecords = (): Promise<ReadonlyMap<string, object>> => Promise.resolve(new Map());

/** Quick retries to private addresses. */
const QUICK: WebhookConfig = {
  webhookScheduleMs: [30, 30],
  webhookTimeoutMs: 2_000,
  webhookParallelism: 32,
  webhookDisableAfter: 10,
  webhookAllowPrivate: true,
  extraCaFile: null,
};

export type WebhooksProgram = Awaited<ReturnType<typeof startWebhooks>>;

export async function startWebhooks({ settings, ...options }: ProgramOptions = {}) {
  const program = await assembleProgram({ ...options, settings: { ...QUICK, ...settings } });
  const { clock, config, store } = program;
  const live = await program.scopeOf('live');
  const test = await program.scopeOf('test');
  const rooms = new Set<Webhooks>();

  /** Any number of them; to the store, each is a separate process. */
  function room(changes: Partial<WebhookConfig> = {}, shared?: DividedRoom): Webhooks {
    const made = new Webhooks({
      store,
      room: shared,
      config: { ...config, ...changes },
      masterKey: MASTER_KEY,
      readRecords: noRecords,
      formats: {},
      resolver: program.parts.resolver,
      clock,
      log: createLog('silent'),
    });
    rooms.add(made);
    return made;
  }

  async function addEndpoint(url: string, wish: EndpointWish = {}): Promise<{ id: string; secret: string }> {
    const id = newId('whe', clock());
    const { secret, sealed } = newEndpointSecret(wish.unreadable ? Buffer.alloc(32, 1) : MASTER_KEY, id);
    const address = new URL(url);
    [address.username = '', address.password = ''] = wish.credentials?.split(':') ?? [];
    const endpoint = { id, url, credentials_sealed: null };
    await store.commit([
      insert(webhookEndpoints, {
        row: {
          id,
          environment_id: (wish.scope ?? live).environmentId,
          sub_tenant_id: wish.subTenantId ?? null,
          ...urlColumns(MASTER_KEY, endpoint, wish.credentials === undefined ? url : address.href),
          description: null,
          events: wish.events ? JSON.stringify(wish.events) : null,
          status: wish.status ?? 'enabled',
          disabled_reason: null,
          consecutive_failures: 0,
          secret_sealed: sealed,
          created_at: wish.createdAt ?? 0,
          updated_at: 0,
        },
      }),
    ]);
    return { id, secret };
  }

  const appended = (subjectId: string, event: TrailEvent, scope: Scope, occurredAt: number) =>
    appendEvent({
      event: {
        environmentId: scope.environmentId,
        workspaceNumber: scope.workspaceNumber,
        messageId: null,
        subjectId,
        event,
        actor: 'system',
        occurredAt,
      },
    });

  /** Appends events about one subject, each in its own transaction unless the list is one. */
  async function happen(
    subjectId: string,
    events: readonly TrailEvent[],
    scope: Scope = live,
    occurredAt = clock(),
  ): Promise<void> {
    await store.commit(events.map((event) => appended(subjectId, event, scope, occurredAt)));
    for (const one of rooms) one.wakeUp.notify();
  }

  /** Appends the same event about each of these, in one transaction. */
  async function happenToAll(subjectIds: readonly string[], event: TrailEvent): Promise<void> {
    const at = clock();
    await store.commit(subjectIds.map((subjectId) => appended(subjectId, event, live, at)));
    for (const one of rooms) one.wakeUp.notify();
  }

  async function deliveries(endpointId: string): Promise<WebhookDelivery[]> {
    return (
      await store.webhooks.deliveries(live, endpointId, { limit: 100, after: null }, {})
    ).rows.reverse();
  }

  /** The same, however many there are. */
  async function allDeliveries(endpointId: string): Promise<WebhookDelivery[]> {
    const all: WebhookDelivery[] = [];
    for (let after: string | null = null; ;) {
      const page: Page<WebhookDelivery> = await store.webhooks.deliveries(
        live,
        endpointId,
        { limit: 1_000, after },
        {},
      );
      all.push(...page.rows);
      if (page.next === null) return all.reverse();
      after = page.next;
    }
  }

  async function attempts(endpointId: string): Promise<WebhookAttempt[]> {
    return store.webhooks.attemptsOf((await deliveries(endpointId)).map(({ id }) => id));
  }

  async function settled(endpointId: string, count: number): Promise<WebhookDelivery[]> {
    await waitFor(`${count} deliveries have ended`, async () => {
      const ended = (await deliveries(endpointId)).filter(({ status }) => status !== 'pending');
      return ended.length >= count;
    });
    return deliveries(endpointId);
  }

  return {
    ...program,
    ...{ live, test, room, addEndpoint, happen, happenToAll, deliveries, allDeliveries, attempts, settled },
    async close(): Promise<void> {
      for (const one of rooms) await one.stop();
      await program.close();
    },
  };
}
