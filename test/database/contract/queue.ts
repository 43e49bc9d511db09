// Contract of the queue: claims, leases, and the dot intent.
import { queue as queueTable } from '../../../src/messages/queue.tables.js';
import { describe, expect, it } from 'vitest';
import type { Claim } from '../../../src/outbound/schedule/queue.store.js';
import { createStore } from '../../../src/app/store.js';
import { type Bench, NOW, accept, newMessage, newWorld } from './builders.js';
import { queueDepth } from '../../support/queue-depth.js';
import { acceptMessage } from '../../../src/messages/accept/accept.store.js';
import { dequeueMessage, requeueMessage, intendDots } from '../../../src/messages/message-changes.store.js';
import { update } from '../../../src/database/rows.js';

const LEASE = 60_000;

export function queueContract(given: () => Bench): void {
  const claim = (queueId: number, options: { limit?: number; owner?: string; now?: number } = {}) => {
    const now = options.now ?? NOW;
    return given().store.queue.claim({
      picks: [{ queueId, limit: options.limit ?? 100 }],
      now,
      leaseUntil: now + LEASE,
      owner: options.owner ?? 'w1',
    });
  };
  const ids = ({ claims }: { claims: Claim[] }) => claims.map((one) => one.messageId);

  /** Adds messages to one queue of a new workspace; returns row ids in the order of the given due times. */
  async function queueOf(dueTimes: readonly number[]) {
    const { store } = given();
    const { live } = await newWorld(store);
    const messageIds: number[] = [];
    let queueId = 0;
    for (const dueAt of dueTimes) {
      const committed = await store.commit([acceptMessage({ message: newMessage(live, { dueAt }) })]);
      messageIds.push(...committed.messageIds);
      queueId = committed.queueIds[0] ?? 0;
    }
    return { live, queueId, messageIds };
  }

  describe('the queue', () => {
    it('returns due messages in order of due time and then of arrival', async () => {
      const { queueId, messageIds, live } = await queueOf([NOW, NOW - 5, NOW, NOW + 1, NOW - 5]);
      const [a, b, c, d, e] = messageIds;
      const claimed = await claim(queueId);
      expect(ids(claimed)).toEqual([b, e, a, c]);
      expect(claimed.queues).toEqual([{ queueId, dueAt: NOW + 1 }]);
      expect(claimed.claims[0]).toMatchObject({
        queueId,
        domain: 'example.com',
        environmentId: live.environmentId,
        workspaceNumber: live.workspaceNumber,
        mode: 'live',
        type: 'transactional',
        attempts: 0,
        ambiguousAttempts: 0,
        status: 'queued',
        provider: null,
        createdAt: NOW,
      });
      expect(ids(await claim(queueId, { now: NOW + 1 }))).toEqual([d]);
      expect((await claim(queueId, { now: NOW + 1 })).queues).toEqual([{ queueId, dueAt: null }]);
    });

    it('returns the latest attempt of each message, and the next one while it is queued', async () => {
      const { store, opened } = given();
      const { messageIds } = await queueOf([NOW, NOW + 9_000, NOW]);
      const [accepted = 0, deferred = 0, untried = 0] = messageIds;
      const rows = [
        [accepted, 1, 'deferred'],
        [accepted, 2, 'delivered'],
        [deferred, 1, 'deferred'],
      ].map(
        ([id, number, outcome]) => `(${id}, ${number}, ${NOW + Number(number)}, '{"outcome":"${outcome}"}')`,
      );
      await opened.raw(`INSERT INTO attempts (message_id, number, at, detail) VALUES ${rows.join()}`);
      await store.commit([dequeueMessage({ messageId: accepted })]);
      const last = await store.messages.lastAttempts([accepted, deferred, untried]);
      expect([...last.keys()].toSorted((a, b) => a - b)).toEqual([accepted, deferred]);
      expect(last.get(accepted)).toEqual({
        ...{ number: 2, outcome: 'delivered', at: NOW + 2, nextAttemptAt: null },
      });
      expect(last.get(deferred)).toEqual({
        ...{ number: 1, outcome: 'deferred', at: NOW + 1, nextAttemptAt: NOW + 9_000 },
      });
    });

    it('keeps the reason of an overdue message for recovery after a crash', async () => {
      const { store } = given();
      const { queueId, messageIds } = await queueOf([NOW]);
      const [messageId = 0] = messageIds;
      await claim(queueId);
      const counters = { attempts: 0, ambiguousAttempts: 0, blockedAttempts: 0, retryStep: 0, source: null };
      await store.commit([
        requeueMessage({ messageId, dueAt: NOW, ...counters, holdReason: 'signing: no key' }),
        update(queueTable, { set: { expires_at: NOW - 2 }, where: { message_id: messageId } }),
      ]);
      const request = { before: NOW - 1, leaseUntil: NOW - 1, owner: 'gone', limit: 1_000, skip: 0 };
      const overdue = (await store.queue.claimOverdue(request)).find(
        (found) => found.messageId === messageId,
      );
      expect(overdue?.heldFor).toBe('signing: no key');
      const stale = (await store.queue.staleLeases({ before: NOW, limit: 1_000, owner: null })).find(
        (found) => found.messageId === messageId,
      );
      expect(stale?.heldFor).toBe('signing: no key');
    });

    it('never gives a message to two claimants', async () => {
      const { queueId, messageIds } = await queueOf(Array.from({ length: 30 }, () => NOW));
      const claims = await Promise.all(
        Array.from({ length: 12 }, (_, i) => claim(queueId, { limit: 4, owner: `w${i}` })),
      );
      const given = claims.flatMap(ids);
      expect(given).toHaveLength(30);
      expect(new Set(given)).toEqual(new Set(messageIds));
    });

    it('never gives a message to two nodes, which share nothing but the database', async () => {
      const { opened } = given();
      const { queueId, messageIds } = await queueOf(Array.from({ length: 40 }, () => NOW));
      const nodes = [1, 2, 3].map(() => createStore(opened.engine, { maxGroup: 5 }));
      const picks = [{ queueId, limit: 3 }];
      const claims = await Promise.all(
        nodes.flatMap(({ queue }, n) =>
          Array.from({ length: 10 }, () =>
            queue.claim({ picks, now: NOW, leaseUntil: NOW + LEASE, owner: `node${n}` }),
          ),
        ),
      );
      const first = claims.flatMap(ids);
      const rest = ids(await claim(queueId));
      expect([...first, ...rest].sort((a, b) => a - b)).toEqual([...messageIds].sort((a, b) => a - b));
    });

    it('returns the queues that wait, and until when', async () => {
      const { store } = given();
      const { queueId } = await queueOf([NOW + 9, NOW + 3]);
      const empty = await queueOf([NOW]);
      await claim(empty.queueId);
      const all = await store.queue.waitingQueues({ after: 0, limit: 1_000 });
      expect(all.find((one) => one.queueId === queueId)?.dueAt).toBe(NOW + 3);
      expect(all.map((one) => one.queueId)).not.toContain(empty.queueId);
      expect(await store.queue.queues([empty.queueId])).toMatchObject([{ dueAt: null }]);
      expect(await store.queue.queues([])).toEqual([]);
    });

    it('gives the queues that wait in pages, in the order of their ids', async () => {
      const { store } = given();
      for (let i = 0; i < 3; i++) await queueOf([NOW]);
      const all = await store.queue.waitingQueues({ after: 0, limit: 1_000 });
      const ids = all.map((one) => one.queueId);
      expect(ids).toEqual(ids.toSorted((a, b) => a - b));
      const paged: number[] = [];
      for (let after = 0; ;) {
        const page = await store.queue.waitingQueues({ after, limit: 2 });
        expect(page.length).toBeLessThanOrEqual(2);
        const last = page.at(-1);
        if (!last) break;
        paged.push(...page.map((one) => one.queueId));
        after = last.queueId;
      }
      expect(paged).toEqual(ids);
    });

    it('returns leases that ran out, with their dot intent, and not those that were extended', async () => {
      const { store } = given();
      const { queueId, messageIds } = await queueOf([NOW, NOW]);
      const [withDot = 0, without = 0] = messageIds;
      await claim(queueId, { limit: 1, owner: 'gone' });
      await claim(queueId, { limit: 1, owner: 'alive' });
      const intent = { messageIds: [withDot], at: NOW + 7 };
      expect((await store.commit([intendDots({ ...intent, owner: 'gone' })])).intended).toEqual([withDot]);
      expect((await store.commit([intendDots({ ...intent, owner: 'alive' })])).intended).toEqual([]);
      await store.queue.moveLeases(messageIds, 'alive', NOW + 3 * LEASE);
      const mine = async (now: number) =>
        (await store.queue.staleLeases({ before: now, limit: 10_000, owner: null }))
          .filter((one) => messageIds.includes(one.messageId))
          .map((one) => [one.messageId, one.dotIntentAt]);
      expect(await mine(NOW + LEASE)).toEqual([]);
      expect(await mine(NOW + LEASE + 1)).toEqual([[withDot, NOW + 7]]);
      expect(await mine(NOW + 3 * LEASE + 1)).toEqual([
        [withDot, NOW + 7],
        [without, null],
      ]);
    });

    it('ends the leases of one claim, and of no other', async () => {
      const { store } = given();
      const { queueId, messageIds } = await queueOf([NOW, NOW, NOW]);
      await claim(queueId, { limit: 1, owner: 'unsure' });
      await claim(queueId, { limit: 1, owner: 'other' });
      await claim(queueId, { limit: 1, owner: 'unsure', now: NOW + 1 });
      await store.queue.endClaim({ leaseUntil: NOW + LEASE, owner: 'unsure' });
      const stale = await store.queue.staleLeases({ before: 1, limit: 10_000, owner: null });
      expect(ids({ claims: stale }).filter((id) => messageIds.includes(id))).toEqual([messageIds[0]]);
    });

    it('takes a message back with its attempts, its hold and no dot intent', async () => {
      const { store, opened } = given();
      const { queueId, messageIds } = await queueOf([NOW]);
      const [messageId = 0] = messageIds;
      await claim(queueId);
      await store.commit([intendDots({ messageIds: [messageId], owner: 'w1', at: NOW })]);
      const back = {
        dueAt: NOW + 60,
        attempts: 2,
        ambiguousAttempts: 1,
        blockedAttempts: 1,
        retryStep: 2,
        source: 'mx1',
        holdReason: 'signing',
      };
      const committed = await store.commit([requeueMessage({ messageId, ...back })]);
      expect(committed.queueIds).toEqual([queueId]);
      const [row] = await opened.raw(`SELECT * FROM queue WHERE message_id = ${messageId}`);
      expect(row).toMatchObject({
        due_at: NOW + 60,
        lease_until: null,
        lease_owner: null,
        dot_intent_at: null,
        hold_reason: 'signing',
      });
      expect(ids(await claim(queueId))).toEqual([]);
      const [again] = (await claim(queueId, { now: NOW + 60 })).claims;
      expect(again).toMatchObject({
        messageId,
        attempts: 2,
        ambiguousAttempts: 1,
        blockedAttempts: 1,
        retryStep: 2,
        source: 'mx1',
      });
    });

    it('lets a message leave, and refuses when it must not be in a worker’s hands', async () => {
      const { store } = given();
      const { queueId, messageIds } = await queueOf([NOW, NOW + 1]);
      const [leased = 0, waiting = 0] = messageIds;
      await claim(queueId);
      const unleased = { code: 'message_not_cancelable' } as const;
      await expect(store.commit([dequeueMessage({ messageId: leased, unleased })])).rejects.toMatchObject(
        unleased,
      );
      await store.commit([dequeueMessage({ messageId: waiting, unleased })]);
      await expect(store.commit([dequeueMessage({ messageId: waiting, unleased })])).rejects.toMatchObject(
        unleased,
      );
      await store.commit([dequeueMessage({ messageId: leased })]);
      expect(ids(await claim(queueId, { now: NOW + 10 * LEASE }))).toEqual([]);
    });

    it('counts waiting and leased messages', async () => {
      const { store } = given();
      const before = await queueDepth(store);
      const { queueId } = await queueOf([NOW, NOW, NOW]);
      await claim(queueId, { limit: 1 });
      expect(await queueDepth(store)).toEqual({ waiting: before.waiting + 2, leased: before.leased + 1 });
      const { live } = await newWorld(store);
      await accept(store, live, [{ queued: false }]);
      expect((await queueDepth(store)).waiting).toBe(before.waiting + 2);
    });
  });
}
