// What the webhooks room and the event feed ask of the store, on every engine.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/runtime/ids.js';
import { migrate } from '../../src/store/migrations/migrate.js';
import type { Scope } from '../../src/store/scope.js';
import { createStore } from '../../src/store/store.js';
import type { Store } from '../../src/store/store.js';
import { newDelivery } from '../../src/work/webhooks/fan-out.js';
import { engineKinds } from '../support/open-engines.js';
import type { OpenEngine } from '../support/open-engines.js';
import { accept, allPages, eventOf, newWorld, NOW } from './contract/builders.js';

describe.each(await engineKinds())('webhooks in the store on $name', (kind) => {
  let opened: OpenEngine | undefined;
  let store: Store;

  beforeAll(async () => {
    opened = await kind.open();
    await migrate(opened.engine);
    store = createStore(opened.engine, { maxGroup: 50 });
  }, 120_000);

  afterAll(async () => {
    await store.drain();
    await opened?.close();
  });

  async function endpointWith(subjects: readonly string[]): Promise<{ live: Scope; id: string }> {
    const { live } = await newWorld(store);
    const id = newId('whe', NOW);
    const row = {
      id,
      workspace_id: live.workspaceId,
      sub_tenant_id: null,
      url: 'https://x.example',
      description: null,
      events: null,
      status: 'enabled' as const,
      disabled_reason: null,
      consecutive_failures: 0,
      secret_sealed: '',
      created_at: NOW,
      updated_at: NOW,
    };
    await store.commit([{ kind: 'insert', into: 'webhook_endpoints', row }]);
    await store.commit(
      subjects.map((subjectId) => ({
        kind: 'insert',
        into: 'webhook_deliveries',
        row: newDelivery({
          endpointId: id,
          environmentId: live.environmentId,
          position: null,
          event: 'message.sent',
          subjectId,
          payload: '{}',
          now: NOW,
        }),
      })),
    );
    return { live, id };
  }

  const listOf = (scope: Scope, id: string) =>
    store.webhooks.deliveries(scope, id, { limit: 50, after: null }, {}).then((page) => page.rows);

  it('a claim that was given back is due again, unless another has it by then', async () => {
    const { id } = await endpointWith(['a', 'b']);
    const claimed = await store.webhooks.claimDeliveries(id, NOW, NOW + 10, 5);
    const [a, b] = claimed;
    if (!a || !b) throw new Error('two were due');
    await store.webhooks.releaseDeliveries([a]);
    expect((await store.webhooks.claimDeliveries(id, NOW, NOW + 99, 5)).map((one) => one.id)).toEqual([a.id]);
    await store.webhooks.releaseDeliveries([a]);
    expect(await store.webhooks.claimDeliveries(id, NOW, NOW + 10, 5)).toEqual([]);
  });

  it('an attempt that is recorded twice counts once, and one of a deleted delivery not at all', async () => {
    const { live, id } = await endpointWith(['a']);
    const [claimed] = await store.webhooks.claimDeliveries(id, NOW, NOW + 10, 5);
    const finished = {
      deliveryId: claimed?.id ?? 0,
      endpointId: id,
      attempt: {
        number: 1,
        at: NOW,
        duration_ms: 1,
        response_status: 500,
        response_body: null,
        error: null,
      },
      result: { kind: 'failed' as const },
      now: NOW,
    };
    expect(await store.webhooks.finishAttempts([finished, finished], 2)).toEqual([]);
    expect(await store.webhooks.endpoint(live, id)).toMatchObject({ consecutive_failures: 1 });
    await store.webhooks.finishAttempts([{ ...finished, deliveryId: 999_999 }], 2);
    expect(await store.webhooks.attemptsOf([claimed?.id ?? 0, 999_999])).toHaveLength(1);
  });

  it('an endpoint is deleted batch by batch, itself with the last', async () => {
    const { live, id } = await endpointWith(['a', 'b', 'c']);
    expect(await store.webhooks.deleteEndpoint(id, 2)).toBe(false);
    expect(await store.webhooks.endpoint(live, id)).not.toBeNull();
    expect(await listOf(live, id)).toHaveLength(1);
    expect(await store.webhooks.deleteEndpoint(id, 2)).toBe(true);
    expect(await store.webhooks.endpoint(live, id)).toBeNull();
    expect(await listOf(live, id)).toEqual([]);
  });

  it('fan-out leaves out an endpoint that is gone', async () => {
    const { live, id } = await endpointWith([]);
    await accept(store, live, [{}]);
    await store.webhooks.deleteEndpoint(id, 10);
    const row = newDelivery({
      endpointId: id,
      environmentId: live.environmentId,
      position: null,
      event: 'message.sent',
      subjectId: 'a',
      payload: '{}',
      now: NOW,
    });
    const cursor = { workspaceNumber: live.workspaceNumber, from: 0, to: 1 };
    expect(await store.webhooks.fanOut(cursor, [row])).toBe(true);
    expect(await listOf(live, id)).toEqual([]);
  });

  it('the feed pages both ways through one environment', async () => {
    const { live, test } = await newWorld(store);
    for (const [i, scope] of [live, test, live, live, test].entries()) {
      const event = { ...eventOf(scope, `tnt_${i}`, 'tenant_warned'), messageId: null };
      await store.commit([{ kind: 'append', event }]);
    }
    const subjects = async (scope: Scope, order: 'asc' | 'desc') =>
      (await allPages((page) => store.events.feed(scope, { ...page, order }), 2)).map(
        (row) => row.subject_id,
      );
    expect(await subjects(live, 'desc')).toEqual(['tnt_3', 'tnt_2', 'tnt_0']);
    expect(await subjects(live, 'asc')).toEqual(['tnt_0', 'tnt_2', 'tnt_3']);
    expect(await subjects({ ...test, subTenantId: 'tnt_4' }, 'desc')).toEqual(['tnt_4']);
  });
});
