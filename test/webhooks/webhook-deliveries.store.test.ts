// Tests the store's operations for the webhooks room and the event feed on every engine.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/runtime/index.js';
import type { FinishedAttempt } from '../../src/webhooks/deliveries/queue.store.js';
import type { Scope } from '../../src/database/scope.js';
import { createStore, type Store } from '../../src/app/store.js';
import { newDelivery } from '../../src/webhooks/deliveries/delivery-content.js';
import { engineKinds, type OpenEngine } from '../support/open-engines.js';
import { accept, allPages, eventOf, newWorld, NOW } from '../database/contract/builders.js';
import { webhookEndpoints, webhookDeliveries } from '../../src/webhooks/webhooks.tables.js';
import { insert, update } from '../../src/database/rows.js';
import { appendEvent } from '../../src/events/append.store.js';

describe.each(engineKinds())('webhooks in the store on $name', (kind) => {
  let opened: OpenEngine | undefined;
  let store: Store;

  beforeAll(async () => {
    opened = await kind.openMigrated();
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
      environment_id: live.environmentId,
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
    await store.commit([insert(webhookEndpoints, { row })]);
    await store.commit(
      subjects.map((subjectId) =>
        insert(webhookDeliveries, {
          row: newDelivery({
            endpointId: id,
            environmentId: live.environmentId,
            position: null,
            event: 'message.sent',
            subjectId,
            payload: '{}',
            now: NOW,
          }),
        }),
      ),
    );
    return { live, id };
  }

  const listOf = (scope: Scope, id: string) =>
    store.webhooks.deliveries(scope, id, { limit: 50, after: null }, {}).then((page) => page.rows);

  it('a returned claim is due again, unless it was claimed meanwhile', async () => {
    const { id } = await endpointWith(['a', 'b']);
    const claimed = await store.webhooks.claimDeliveries(id, NOW, NOW + 10, 5);
    const [a, b] = claimed;
    if (!a || !b) throw new Error('two were due');
    await store.webhooks.releaseDeliveries([a]);
    expect((await store.webhooks.claimDeliveries(id, NOW, NOW + 99, 5)).map((one) => one.id)).toEqual([a.id]);
    await store.webhooks.releaseDeliveries([a]);
    expect(await store.webhooks.claimDeliveries(id, NOW, NOW + 10, 5)).toEqual([]);
  });

  it('an attempt that is recorded twice counts once, and one of a deleted delivery is ignored', async () => {
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
        url: null,
        request_headers: null,
        request_body: null,
        response_headers: null,
      },
      result: { kind: 'failed' as const },
      now: NOW,
    };
    expect(await store.webhooks.finishAttempts([finished, finished], 2)).toEqual([]);
    expect(await store.webhooks.endpoint(live, id)).toMatchObject({ consecutive_failures: 1 });
    await store.webhooks.finishAttempts([{ ...finished, deliveryId: 999_999 }], 2);
    expect(await store.webhooks.attemptsOf([claimed?.id ?? 0, 999_999])).toHaveLength(1);
  });

  it('a failure counts if no later attempt succeeded since its first attempt', async () => {
    const { live, id } = await endpointWith(['a', 'b', 'c', 'd']);
    const claimed = await store.webhooks.claimDeliveries(id, NOW, NOW + 10, 5);
    const finished = (index: number, number: number, at: number, result: FinishedAttempt['result']) => ({
      deliveryId: claimed[index]?.id ?? 0,
      endpointId: id,
      attempt: {
        number,
        at,
        duration_ms: 1,
        response_status: 500,
        response_body: null,
        error: null,
        url: null,
        request_headers: null,
        request_body: null,
        response_headers: null,
      },
      result,
      now: at,
    });
    const record = async (...made: FinishedAttempt[]): Promise<number | undefined> => {
      expect(await store.webhooks.finishAttempts(made, 2)).toEqual([]);
      return (await store.webhooks.endpoint(live, id))?.consecutive_failures;
    };
    await record(finished(0, 1, NOW, { kind: 'retry', dueAt: NOW }));
    await record(finished(1, 1, NOW + 5, { kind: 'succeeded' }));
    expect(await record(finished(0, 2, NOW + 100, { kind: 'failed' }))).toBe(0);
    expect(await record(finished(2, 1, NOW + 101, { kind: 'failed' }))).toBe(1);
    expect(await store.webhooks.finishAttempts([finished(3, 1, NOW + 102, { kind: 'failed' })], 2)).toEqual([
      id,
    ]);
  });

  it('an endpoint is deleted in batches, and itself with the last one', async () => {
    const { live, id } = await endpointWith(['a', 'b', 'c']);
    expect(await store.webhooks.deleteEndpoint(id, 2)).toBe(false);
    expect(await store.webhooks.endpoint(live, id)).not.toBeNull();
    expect(await listOf(live, id)).toHaveLength(1);
    expect(await store.webhooks.deleteEndpoint(id, 2)).toBe(true);
    expect(await store.webhooks.endpoint(live, id)).toBeNull();
    expect(await listOf(live, id)).toEqual([]);
  });

  it('finished deliveries are deleted in batches with their attempts, but not waiting or recent ones', async () => {
    const { live, id } = await endpointWith(Array.from({ length: 12 }, (_, i) => `msg_${i}`));
    const young = newDelivery({
      endpointId: id,
      environmentId: live.environmentId,
      position: null,
      event: 'message.sent',
      subjectId: 'msg_young',
      payload: '{}',
      now: NOW + 5_000,
    });
    const row = { ...young, status: 'succeeded' as const, due_at: null };
    await store.commit([insert(webhookDeliveries, { row })]);
    const claimed = await store.webhooks.claimDeliveries(id, NOW, NOW + 10, 9);
    await store.webhooks.finishAttempts(
      claimed.map((one) => ({
        deliveryId: one.id,
        endpointId: id,
        attempt: {
          number: 1,
          at: NOW,
          duration_ms: 1,
          response_status: 200,
          response_body: null,
          error: null,
          url: 'https://x.example',
          request_headers: '{}',
          request_body: null,
          response_headers: '{}',
        },
        result: { kind: 'succeeded' as const },
        now: NOW,
      })),
      10,
    );
    let gone = 0;
    for (let after: number | null = 0; after !== null;) {
      const purged = await store.webhooks.purgeDeliveries(NOW + 5_000, after, 4);
      expect(purged.deleted).toBeLessThanOrEqual(4);
      gone += purged.deleted;
      after = purged.next;
    }
    expect(gone).toBeGreaterThanOrEqual(9);
    const left = await listOf(live, id);
    expect(left.map((one) => one.status).sort()).toEqual(['pending', 'pending', 'pending', 'succeeded']);
    expect(left[0]?.subject_id).toBe('msg_young');
    expect(await store.webhooks.attemptsOf(claimed.map((one) => one.id))).toEqual([]);
  });

  it('deliveries that wait for a disabled endpoint expire and do not block others', async () => {
    const [off, on] = [await endpointWith(['a', 'b', 'c']), await endpointWith(['d'])];
    await store.commit([update(webhookEndpoints, { set: { status: 'disabled' }, where: { id: off.id } })]);
    for (let after: number | null = 0; after !== null;) {
      after = (await store.webhooks.purgeDeliveries(NOW, after, 50)).next;
    }
    expect(await listOf(off.live, off.id)).toHaveLength(3);
    for (let after: number | null = 0; after !== null;) {
      after = (await store.webhooks.purgeDeliveries(NOW + 60_000, after, 50)).next;
    }
    expect(await listOf(off.live, off.id)).toEqual([]);
    expect(await listOf(on.live, on.id)).toHaveLength(1);
  });

  it('a batch of attempts with successes, failures and repetitions counts each delivery once, in order', async () => {
    const { live, id } = await endpointWith(Array.from({ length: 70 }, (_, i) => `msg_${i}`));
    const claimed = await store.webhooks.claimDeliveries(id, NOW, NOW + 10, 100);
    const finished = claimed.map((one, i) => ({
      deliveryId: one.id,
      endpointId: id,
      attempt: {
        number: 1,
        at: NOW,
        duration_ms: i,
        response_status: 200,
        response_body: null,
        error: null,
        url: null,
        request_headers: null,
        request_body: null,
        response_headers: null,
      },
      result:
        i % 10 === 9
          ? { kind: 'failed' as const }
          : i % 10 === 8
            ? { kind: 'retry' as const, dueAt: NOW + 5 }
            : { kind: 'succeeded' as const },
      now: NOW,
    }));
    expect(await store.webhooks.finishAttempts([...finished, ...finished.slice(0, 7)], 2)).toEqual([]);
    expect(await store.webhooks.endpoint(live, id)).toMatchObject({ consecutive_failures: 1 });
    const rows = await store.webhooks.deliveries(live, id, { limit: 100, after: null }, {});
    const count = (status: string) => rows.rows.filter((row) => row.status === status).length;
    expect([count('succeeded'), count('failed'), count('pending')]).toEqual([56, 7, 7]);
    const attempts = await store.webhooks.attemptsOf(claimed.map((one) => one.id));
    expect(attempts.map((one) => one.duration_ms)).toEqual(claimed.map((_, i) => i));
    // Recorded again after a crash, which changes nothing.
    expect(await store.webhooks.finishAttempts(finished, 2)).toEqual([]);
    expect(await store.webhooks.attemptsOf(claimed.map((one) => one.id))).toHaveLength(70);
  });

  it('fan-out ignores a deleted endpoint', async () => {
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

  it('a time range is the part of the chain that contains all its events, including late ones', async () => {
    const { live } = await newWorld(store);
    const minute = 60_000;
    const times = Array.from({ length: 300 }, (_, i) => NOW + i * minute - (i % 17 === 0 ? 40 * minute : 0));
    await store.commit(
      times.map((occurredAt, i) =>
        appendEvent({
          event: { ...eventOf(live, `tnt_${i}`, 'tenant_warned'), messageId: null, occurredAt },
        }),
      ),
    );
    for (const [from, to] of [
      [0, 300],
      [20, 25],
      [120, 240],
      [290, 400],
      [-50, 3],
    ] as const) {
      const range = { since: NOW + from * minute, until: NOW + to * minute };
      const { above, upTo } = await store.webhooks.rangeOfTime(live.workspaceNumber, range);
      const found = await store.webhooks.eventsToReplay({ position: above, end_position: upTo }, 1_000);
      const inRange = (at: number): boolean => at >= range.since && at < range.until;
      const subjects = found.filter((event) => inRange(event.occurred_at)).map((event) => event.subject_id);
      const wanted = times.flatMap((at, i) => (inRange(at) ? [`tnt_${i}`] : []));
      expect(subjects).toEqual(wanted);
      if (to - from < 10) expect(found.length).toBeLessThan(200);
    }
  });

  it('a replay advances once, regardless of the node that tries, and knows earlier deliveries', async () => {
    const { live, id } = await endpointWith([]);
    await accept(store, live, [{}, {}]);
    const [first, second] = await store.webhooks.eventsToFanOut(live.workspaceNumber, 0, 5);
    if (!first || !second) throw new Error('two events happened');
    const made = (event: typeof first) =>
      newDelivery({
        endpointId: id,
        environmentId: live.environmentId,
        position: event.position,
        event: 'message.sent',
        subjectId: event.subject_id,
        payload: '{}',
        now: NOW,
      });
    const wish = {
      id: newId('whr', NOW),
      endpoint_id: id,
      environment_id: live.environmentId,
      since: NOW,
      until: null,
      status: null,
      position: first.position - 1,
      end_position: second.position,
      created_at: NOW,
    };
    const begun = await Promise.all([
      store.webhooks.beginReplay(wish),
      store.webhooks.beginReplay({ ...wish, id: newId('whr', NOW) }),
    ]);
    expect(begun.map((replay) => replay.id)).toEqual([wish.id, wish.id]);
    const other = { ...wish, id: newId('whr', NOW), since: 1 };
    await expect(store.webhooks.beginReplay(other)).rejects.toMatchObject({ code: 'conflict' });
    const rows = [made(first), made(second)];
    const move = { to: second.position, deliveries: rows, finishedAt: NOW };
    const moved = await Promise.all([1, 2, 3].map(() => store.webhooks.moveReplay(wish, move)));
    expect(moved.filter(Boolean)).toHaveLength(1);
    expect(await store.webhooks.replay(wish.id)).toMatchObject({ deliveries: 2, finished_at: NOW });
    expect(await store.webhooks.countDue(id, NOW, 1)).toBe(1);
    const before = await store.webhooks.lastDeliveries(id, [first, second]);
    expect([...before.keys()].sort()).toEqual([first.position, second.position].sort());
    expect(before.get(first.position)).toEqual({ public_id: rows[0]?.public_id, status: 'pending' });
    const repeated = { ...made(first), replay_of: rows[0]?.public_id ?? '' };
    const again = await Promise.all([1, 2].map(() => store.webhooks.repeatDelivery(repeated)));
    expect(again.map((row) => row.public_id)).toEqual([repeated.public_id, repeated.public_id]);
    expect(await listOf(live, id)).toHaveLength(3);
    await store.webhooks.purgeEndpoints(NOW, NOW + 1);
    expect(await store.webhooks.replay(wish.id)).toBeNull();
  });

  it('the feed pages through one environment in both directions', async () => {
    const { live, test } = await newWorld(store);
    for (const [i, scope] of [live, test, live, live, test].entries()) {
      const event = { ...eventOf(scope, `tnt_${i}`, 'tenant_warned'), messageId: null };
      await store.commit([appendEvent({ event })]);
    }
    const subjects = async (scope: Scope, order: 'asc' | 'desc') =>
      (await allPages((page) => store.feed.page(scope, { ...page, order }), 2)).map((row) => row.subject_id);
    expect(await subjects(live, 'desc')).toEqual(['tnt_3', 'tnt_2', 'tnt_0']);
    expect(await subjects(live, 'asc')).toEqual(['tnt_0', 'tnt_2', 'tnt_3']);
    expect(await subjects({ ...test, subTenantId: 'tnt_4' }, 'desc')).toEqual(['tnt_4']);
  });
});
