// Contract of webhooks: the cursor over the chains, due deliveries, and the result of an attempt.
import { describe, expect, it } from 'vitest';
import { newId } from '../../../src/lib/runtime/index.js';
import type { Scope } from '../../../src/database/scope.js';
import type { FinishedAttempt } from '../../../src/webhooks/deliveries/queue.store.js';
import { type Bench, NOW, accept, allPages, newWorld } from './builders.js';
import { webhookEndpoints } from '../../../src/webhooks/webhooks.tables.js';
import { insert } from '../../../src/database/rows.js';

const MINUTE = 60_000;

export function webhookContract(given: () => Bench): void {
  async function newEndpoint(scope: Scope): Promise<string> {
    const id = newId('whe', NOW);
    await given().store.commit([
      insert(webhookEndpoints, {
        row: {
          id,
          environment_id: scope.environmentId,
          sub_tenant_id: null,
          url: 'https://x.example',
          description: null,
          events: null,
          status: 'enabled',
          disabled_reason: null,
          consecutive_failures: 0,
          secret_sealed: '',
          created_at: NOW,
          updated_at: NOW,
        },
      }),
    ]);
    return id;
  }

  const delivery = (scope: Scope, endpointId: string, subject: string, dueAt = NOW) => ({
    public_id: newId('whd', NOW),
    endpoint_id: endpointId,
    environment_id: scope.environmentId,
    event_position: null,
    event: 'message.sent' as const,
    subject_id: subject,
    payload: '{}',
    status: 'pending' as const,
    attempts: 0,
    due_at: dueAt,
    lease_until: null,
    created_at: NOW,
  });

  /** An endpoint with deliveries about these subjects, in this order. */
  async function endpointWith(subjects: readonly string[]) {
    const { store } = given();
    const { live } = await newWorld(store);
    await accept(store, live, [{}]);
    const endpointId = await newEndpoint(live);
    const rows = subjects.map((subject) => delivery(live, endpointId, subject));
    await store.webhooks.fanOut({ workspaceNumber: live.workspaceNumber, from: 0, to: 1 }, rows);
    return { live, endpointId, publicIds: rows.map((row) => row.public_id) };
  }

  const attempt = (number: number): FinishedAttempt['attempt'] => ({
    number,
    at: NOW,
    duration_ms: 5,
    response_status: 500,
    response_body: 'no',
    error: null,
    url: 'https://x.example',
    request_headers: '{"Service-Attempt":"1"}',
    request_body: null,
    response_headers: '{}',
  });

  describe('webhooks', () => {
    it('move the cursor once, regardless of the number of attempts, and keep the deliveries of the winner', async () => {
      const { store } = given();
      const { live, test } = await newWorld(store);
      await accept(store, live, [{}, {}]);
      await accept(store, { ...test, subTenantId: 'tnt_a' }, [{}]);
      const endpointId = await newEndpoint(live);
      const lagOf = async () =>
        (await store.webhooks.lagging()).find((lag) => lag.workspaceNumber === live.workspaceNumber);
      expect(await lagOf()).toEqual({
        workspaceNumber: live.workspaceNumber,
        workspaceId: live.workspaceId,
        headSeq: 3,
        fannedOutSeq: 0,
      });
      const events = await store.webhooks.eventsToFanOut(live.workspaceNumber, 0, 10);
      expect(events.map((event) => [event.event, event.subTenantId])).toEqual([
        ['queued', null],
        ['queued', null],
        ['queued', 'tnt_a'],
      ]);
      const cursor = { workspaceNumber: live.workspaceNumber, from: 0, to: 3 };
      const moved = await Promise.all(
        Array.from({ length: 5 }, () => store.webhooks.fanOut(cursor, [delivery(live, endpointId, 'msg_1')])),
      );
      expect(moved.filter(Boolean)).toHaveLength(1);
      expect(await lagOf()).toBeUndefined();
      const page = await store.webhooks.deliveries(live, endpointId, { limit: 9, after: null }, {});
      expect(page.rows).toHaveLength(1);
    });

    it('keep the order of one subject until its first attempt is made, and let other subjects pass', async () => {
      const { store } = given();
      const { endpointId, publicIds } = await endpointWith(['a', 'a', 'b']);
      const [a1, a2, b1] = publicIds;
      const due = async (now: number, limit = 10) =>
        store.webhooks.claimDeliveries(endpointId, now, now + MINUTE, limit);
      const first = await due(NOW);
      expect(first.map((row) => row.public_id)).toEqual([a1, b1]);
      expect(await due(NOW)).toEqual([]);
      const [row] = first;
      if (!row) throw new Error('nothing was due');
      await store.webhooks.finishAttempts(
        [
          {
            deliveryId: row.id,
            endpointId,
            attempt: attempt(1),
            result: { kind: 'retry', dueAt: NOW + 10 },
            now: NOW,
          },
        ],
        10,
      );
      expect((await due(NOW)).map((one) => one.public_id)).toEqual([a2]);
      expect((await due(NOW + 10)).map((one) => one.public_id)).toEqual([a1]);
    });

    it('give out a delivery again when its lease has run out', async () => {
      const { store } = given();
      const { endpointId } = await endpointWith(['a']);
      const due = (now: number) => store.webhooks.claimDeliveries(endpointId, now, now + MINUTE, 10);
      expect(await due(NOW)).toHaveLength(1);
      expect(await due(NOW + MINUTE)).toHaveLength(0);
      expect(await due(NOW + MINUTE + 1)).toHaveLength(1);
    });

    it('return the endpoints with due deliveries, and when the next is due', async () => {
      const { store } = given();
      const { live, endpointId } = await endpointWith(['a']);
      const later = await newEndpoint(live);
      await accept(store, live, [{}]);
      const cursor = { workspaceNumber: live.workspaceNumber, from: 1, to: 2 };
      await store.webhooks.fanOut(cursor, [delivery(live, later, 'b', NOW + 1)]);
      const found = await store.webhooks.dueEndpoints(NOW);
      const ids = found.endpoints.map((endpoint) => endpoint.id);
      expect(ids).toContain(endpointId);
      expect(ids).not.toContain(later);
      expect(found.nextDueAt).toBe(NOW + 1);
    });

    it('record attempts, disable after failures in a row, and reset the count after a success', async () => {
      const { store } = given();
      const { live, endpointId } = await endpointWith(['a', 'b', 'c', 'd', 'e']);
      const rows = await store.webhooks.claimDeliveries(endpointId, NOW, NOW + MINUTE, 10);
      const finish = (index: number, kind: 'failed' | 'succeeded') =>
        store.webhooks.finishAttempts(
          [
            {
              deliveryId: rows[index]?.id ?? 0,
              endpointId,
              attempt: attempt(1),
              result: { kind },
              now: NOW,
            },
          ],
          2,
        );
      expect(await finish(0, 'failed')).toEqual([]);
      expect(await finish(1, 'succeeded')).toEqual([]);
      expect(await finish(2, 'failed')).toEqual([]);
      expect(await finish(3, 'failed')).toEqual([endpointId]);
      const endpoint = await store.webhooks.endpoint(live, endpointId);
      expect(endpoint).toMatchObject({ status: 'disabled', consecutive_failures: 2 });
      expect(endpoint?.disabled_reason).toContain('2');
      const due = await store.webhooks.dueEndpoints(NOW + MINUTE);
      expect(due.endpoints.map((one) => one.id)).not.toContain(endpointId);

      const list = await allPages((page) => store.webhooks.deliveries(live, endpointId, page, {}), 2);
      expect(list.map((one) => one.status)).toEqual(['pending', 'failed', 'failed', 'succeeded', 'failed']);
      const failed = await store.webhooks.deliveries(
        live,
        endpointId,
        { limit: 9, after: null },
        { status: ['failed'], event: ['message.sent'] },
      );
      expect(failed.rows).toHaveLength(3);
      const attempts = await store.webhooks.attemptsOf(list.map((one) => one.id));
      expect(attempts).toHaveLength(4);
      expect(attempts[0]).toMatchObject({
        number: 1,
        response_status: 500,
        response_body: 'no',
        error: null,
      });
    });
  });
}
