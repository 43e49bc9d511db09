// Tests the queue as its owners see it, and the record of attempts, on every engine.
import { queue as queueTable } from '../../src/messages/queue.tables.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AttemptDetail } from '../../src/messages/attempt.schema.js';
import { createAttemptStore, type AttemptStore } from '../../src/messages/attempts.store.js';
import { createCommitter } from '../../src/database/committer.js';
import {
  createQueueViewStore,
  type QueueSnapshot,
  type QueueViewStore,
} from '../../src/outbound/schedule/queue-view.store.js';
import type { Scope } from '../../src/database/scope.js';
import { createStore, type Store } from '../../src/app/store.js';
import { type OpenEngine, engineKinds } from '../support/open-engines.js';
import { accept, newMessage, newWorld, NOW, onlyId } from '../database/contract/builders.js';
import { destinationPauses } from '../../src/outbound/outbound.tables.js';
import { update, insert } from '../../src/database/rows.js';
import { recordAttempt } from '../../src/messages/message-changes.store.js';
import { acceptMessage } from '../../src/messages/accept/accept.store.js';
import { smtpSessions } from '../../src/messages/messages.tables.js';

const HOUR = 3_600_000;

describe.each(engineKinds())('the view of the queue on $name', (kind) => {
  let opened: OpenEngine;
  let store: Store;
  let view: QueueViewStore;
  let attempts: AttemptStore;

  beforeAll(async () => {
    opened = await kind.openMigrated();
    store = createStore(opened.engine, { maxGroup: 50 });
    view = createQueueViewStore(opened.engine, createCommitter(opened.engine, { maxGroup: 50 }));
    attempts = createAttemptStore(opened.engine);
  }, 120_000);

  afterAll(async () => {
    await store.drain();
    await opened.close();
  });

  const tenantScope = (scope: Scope, subTenantId: string): Scope => ({ ...scope, subTenantId });
  const byDomain = (queues: QueueSnapshot[]) => [...queues].sort((a, b) => (a.domain < b.domain ? -1 : 1));
  /** Sets columns of a queue row. */
  const set = (messageId: number, columns: object) =>
    store.commit([update(queueTable, { set: columns, where: { message_id: messageId } })]);

  it('counts waiting, due, held and in-flight mail by queue', async () => {
    const { live, test } = await newWorld(store);
    const [a, b, , d] = await accept(store, live, [
      { domain: 'one.example', dueAt: NOW - 5 },
      { domain: 'one.example', dueAt: NOW + HOUR },
      { domain: 'one.example', dueAt: NOW + 2 * HOUR },
      { domain: 'two.example', dueAt: NOW },
    ]);
    await accept(store, test, [{ domain: 'three.example' }]);
    await set(b ?? 0, { hold_reason: 'signing: no key' });
    await set(d ?? 0, { lease_until: NOW + HOUR, lease_owner: 'w1' });
    expect(byDomain(await view.queues(live, NOW))).toMatchObject([
      {
        domain: 'one.example',
        rank: 1,
        subTenantKey: '',
        waiting: 3,
        due: 1,
        held: 1,
        leased: 0,
        oldestId: a,
        nextDueAt: NOW - 5,
      },
      { domain: 'two.example', waiting: 0, due: 0, leased: 1, oldestId: d, nextDueAt: null },
    ]);
    expect(await view.queues(live, NOW, 'one.example')).toHaveLength(1);
    expect(await view.queues(live, NOW, 'three.example')).toEqual([]);
    expect(await view.acceptedAt([a ?? 0])).toEqual(new Map([[a, NOW]]));
  });

  it('shows a sub-tenant its own queues and pauses, and workspace-wide pauses', async () => {
    const { live } = await newWorld(store);
    const [one, two] = [tenantScope(live, 'tnt_one'), tenantScope(live, 'tnt_two')];
    await accept(store, one, [{ domain: 'a.example' }]);
    await accept(store, two, [{ domain: 'a.example' }, { domain: 'b.example' }]);
    for (const key of ['', 'tnt_one', 'tnt_two']) {
      const row = {
        environment_id: live.environmentId,
        sub_tenant_key: key,
        domain: 'a.example',
        reason: key,
        created_at: NOW,
      };
      await store.commit([insert(destinationPauses, { row })]);
    }
    expect((await view.queues(live, NOW)).map((queue) => queue.subTenantKey).sort()).toEqual([
      'tnt_one',
      'tnt_two',
      'tnt_two',
    ]);
    expect((await view.queues(one, NOW)).map((queue) => queue.domain)).toEqual(['a.example']);
    expect((await view.pauses(one)).map((pause) => pause.sub_tenant_key)).toEqual(['', 'tnt_one']);
    expect(await view.pauses(live, 'a.example')).toHaveLength(3);
    expect(await view.pauses(live, 'b.example')).toEqual([]);
    expect(await view.queueIds(one, 'b.example')).toEqual([]);
  });

  it('counts the same in slices as in one pass, at any time', async () => {
    const { live } = await newWorld(store);
    await accept(store, live, [{ domain: 'sliced.example', dueAt: NOW + 500 }]);
    const [queueId = 0] = await view.queueIds(live, 'sliced.example');
    for (const sliceRows of [1, 2, 7, 40, 1000]) {
      const sliced = createQueueViewStore(opened.engine, createCommitter(opened.engine, { maxGroup: 50 }), {
        sliceRows,
      });
      const times = Array.from({ length: 60 }, (_, n) => (n < 25 ? NOW : NOW - 10 + ((n * 7) % 13)));
      const rows = times
        .map((time, n) => `(${4_000_000 + 60 - n}, ${queueId}, ${time}, ${NOW + HOUR}, 0, 0)`)
        .join(', ');
      await opened.raw(
        `INSERT INTO queue (message_id, queue_id, due_at, expires_at, attempts, ambiguous_attempts) VALUES ${rows}`,
      );
      const [queue] = await sliced.queues(live, NOW, 'sliced.example');
      const due = times.filter((time) => time <= NOW).length;
      expect(queue, String(sliceRows)).toMatchObject({ waiting: 61, due, nextDueAt: Math.min(...times) });
      await opened.raw(`DELETE FROM queue WHERE message_id >= 4000000`);
    }
  });

  it('makes only deferred and held mail due', async () => {
    const { live } = await newWorld(store);
    const later = { domain: 'late.example', dueAt: NOW + HOUR };
    const ids = await accept(store, live, [
      later,
      later,
      later,
      later,
      { ...later, domain: 'other.example' },
      later,
    ]);
    const [deferred = 0, held = 0, scheduled = 0, doubtful = 0, elsewhere = 0, leased = 0] = ids;
    await set(deferred, { attempts: 3 });
    await set(held, { hold_reason: 'signing: no key' });
    await set(doubtful, { attempts: 1, ambiguous_attempts: 1 });
    await set(elsewhere, { attempts: 1 });
    await set(leased, { attempts: 1, lease_until: NOW + HOUR, lease_owner: 'w1' });
    const queueIds = await view.queueIds(live, 'late.example');
    expect(await view.retryNow(queueIds, NOW, () => 0)).toEqual({ retried: 2, waiting: 0 });
    const due = await Promise.all(ids.map(async (id) => (await view.entry({ id }))?.dueAt));
    expect(due).toEqual([NOW, NOW, NOW + HOUR, NOW + HOUR, NOW + HOUR, NOW + HOUR]);
    expect(await view.entry({ id: deferred })).toMatchObject({
      attempts: 3,
      domain: 'late.example',
      rank: 1,
    });
    expect(await view.retryNow(queueIds, NOW, () => 0)).toEqual({ retried: 0, waiting: 0 });
    expect(await view.entry({ id: scheduled })).toMatchObject({ attempts: 0, leaseUntil: null });
  });

  it('makes more mail due than one commit can hold, at any times', async () => {
    const { live } = await newWorld(store);
    await accept(store, live, [{ domain: 'many.example', dueAt: NOW + HOUR }]);
    const [queueId = 0] = await view.queueIds(live, 'many.example');
    // Every second row is scheduled and stays; a third of all share one time.
    const rowOf = (n: number) =>
      `(${5_000_000 + n}, ${queueId}, ${n % 3 === 0 ? NOW + HOUR : NOW + 1 + (n % 700)}, ${NOW + 48 * HOUR}, ${n % 2}, 0)`;
    const rows = Array.from({ length: 4_000 }, (_, n) => rowOf(n)).join(', ');
    await opened.raw(
      `INSERT INTO queue (message_id, queue_id, due_at, expires_at, attempts, ambiguous_attempts) VALUES ${rows}`,
    );
    expect(await view.retryNow([queueId], NOW, () => 0)).toEqual({ retried: 2_000, waiting: 0 });
    const [queue] = await view.queues(live, NOW, 'many.example');
    expect(queue).toMatchObject({ waiting: 4_001, due: 2_000, nextDueAt: NOW });
    await opened.raw(`DELETE FROM queue WHERE message_id >= 5000000`);
  });

  it('finds some attempted messages at either end of a queue', async () => {
    const { live } = await newWorld(store);
    const ids = await accept(
      store,
      live,
      Array.from({ length: 30 }, (_, i) => ({ domain: 'tried.example', dueAt: NOW + i })),
    );
    for (const place of [2, 15, 29]) await set(ids[place] ?? 0, { attempts: 1 });
    const queueIds = await view.queueIds(live, 'tried.example');
    expect((await view.triedIn(queueIds)).sort((a, b) => a - b)).toEqual([ids[2], ids[29]]);
    expect(await view.triedIn([])).toEqual([]);
  });

  describe('attempts', () => {
    const detail: AttemptDetail = {
      outcome: 'deferred',
      phase: 'rcpt',
      code: 451,
      enhanced_code: '4.7.1',
      category: 'greylist',
      reply: 'later',
      source: 'default',
      via: 'mta',
      host: 'mx.example.com',
      address: '192.0.2.1',
      local_address: null,
      tls: null,
      times: { rcpt: 3 },
      duration_ms: 20,
      next_attempt_at: null,
    };
    const record = (messageId: number, number: number, at: number, sessionId: string | null = null) =>
      store.commit([
        recordAttempt({
          messageId,
          number,
          at,
          sessionId,
          detail: JSON.stringify(detail),
          conversation: '> MAIL\n< 250 ok',
        }),
      ]);

    it('are returned oldest first, with their conversation and session opening', async () => {
      const { live } = await newWorld(store);
      const id = onlyId(await store.commit([acceptMessage({ message: newMessage(live) })]));
      const session = {
        id: `ssn_${id}`,
        at: NOW,
        detail: JSON.stringify({ host: 'mx', opening: ['< 220 hi'] }),
      };
      await store.commit([insert(smtpSessions, { row: session })]);
      await record(id, 2, NOW + 2);
      await record(id, 1, NOW + 1, session.id);
      const found = await attempts.attemptsOf({ id });
      expect(found.hasMore).toBe(false);
      expect(found.attempts.map(({ number, sessionId }) => [number, sessionId])).toEqual([
        [1, session.id],
        [2, null],
      ]);
      expect(found.attempts[0]).toEqual({
        messageId: id,
        number: 1,
        at: NOW + 1,
        sessionId: session.id,
        detail,
        conversation: ['> MAIL', '< 250 ok'],
      });
      expect(await attempts.openingsOf([session.id, 'ssn_none'])).toEqual(
        new Map([[session.id, ['< 220 hi']]]),
      );
      expect(await attempts.openingsOf([])).toEqual(new Map());
    });

    it('are the last 200 of a message that has more', async () => {
      const id = 900_001;
      for (let number = 1; number <= 203; number++) await record(id, number, NOW + number);
      const found = await attempts.attemptsOf({ id });
      expect([found.hasMore, found.attempts.length, found.attempts[0]?.number]).toEqual([true, 200, 4]);
    });

    it('show which of several messages was attempted last', async () => {
      await record(900_011, 5, NOW + 10);
      await record(900_012, 1, NOW + 20);
      expect(await attempts.newestAmong([900_011, 900_012])).toMatchObject({ messageId: 900_012, number: 1 });
      expect(await attempts.newestAmong([900_013])).toBeNull();
      expect(await attempts.newestAmong([])).toBeNull();
    });
  });
});
