// Contract: accepting a message into the store.
import { describe, expect, it } from 'vitest';
import { IdempotencyRace, acceptMessage } from '../../../src/messages/accept/accept.store.js';
import { type Bench, DAY, NOW, accept, newMessage, newWorld, onlyId } from './builders.js';
import { countUse } from '../../../src/accounts/usage.store.js';
import type { usage } from '../../../src/accounts/accounts.tables.js';
import type { TablesOf } from '../../../src/database/columns.js';

type Known = TablesOf<typeof usage>;

export function acceptContract(given: () => Bench): void {
  describe('accepting', () => {
    it('keeps message, content, attachments, tags, queue, queue row, count and event together', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const bytes = Buffer.from([0, 1, 2, 253, 254, 255]);
      const message = newMessage(live, {
        tags: ['receipt', 'vip', 'receipt'],
        attachments: [{ filename: 'a.bin', bytes }],
        domain: 'accept.example',
      });
      const committed = await store.commit([acceptMessage({ message })]);
      const id = onlyId(committed);

      const stored = await store.messages.message(live, message.row.public_id);
      expect(stored).toMatchObject({ ...message.row, id, provider: null, error: null, opened_at: null });
      const deliverable = (await store.messages.deliverables([id])).get(id);
      expect(deliverable?.content).toMatchObject({ text: 'Hello', html: null });
      expect(deliverable?.attachments.map((a) => [a.filename, Buffer.from(a.content)])).toEqual([
        ['a.bin', bytes],
      ]);
      expect(deliverable).toMatchObject({ workspaceId: live.workspaceId, tenant: null });
      const queues = await store.queue.queues(committed.queueIds);
      expect(queues).toMatchObject([
        { domain: 'accept.example', environmentId: live.environmentId, rank: 1, dueAt: NOW, mode: 'live' },
      ]);
      const trail = await store.events.auditTrailOfMessage(id);
      expect(trail.map((entry) => [entry.event, entry.subject_id])).toEqual([
        ['queued', message.row.public_id],
      ]);
      expect(await store.usage.ofEnvironment(live.environmentId, { today: DAY, monthStart: DAY })).toEqual({
        day: { transactional: 1, marketing: 0, sales: 0 },
        month: { transactional: 1, marketing: 0, sales: 0 },
      });
      expect(
        (await store.messages.messages(live, { limit: 5, after: null }, { tags: ['vip'] })).rows,
      ).toHaveLength(1);
    });

    it('keeps the same attachment of one workspace once, and never shares it with another', async () => {
      const { store } = given();
      const [one, other] = [await newWorld(store), await newWorld(store)];
      const wish = { attachments: [{ filename: 'logo.png', bytes: Buffer.from('the same bytes') }] };
      const ids = [
        ...(await accept(store, one.live, [wish, wish])),
        ...(await accept(store, other.live, [wish])),
      ];
      const found = await store.messages.deliverables(ids);
      const blobs = ids.map((id) => found.get(id)?.attachments[0]?.blobId);
      expect(blobs[0]).toBe(blobs[1]);
      expect(blobs[2]).not.toBe(blobs[0]);
    });

    it('lets the copies of one request share their content', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const { messageIds } = await store.commit([
        acceptMessage({ message: newMessage(live, { to: 'a@example.com' }) }),
        acceptMessage({ message: newMessage(live, { to: 'b@example.com', sameContent: true }) }),
        acceptMessage({ message: newMessage(live, { to: 'c@example.com', sameContent: true }) }),
      ]);
      const messages = await store.messages.messagesByRowId(live, messageIds);
      expect(new Set(messages.map((message) => message.content_id)).size).toBe(1);
      const [first] = messages;
      const copies = await store.messages.copies(live, first?.content_id ?? 0, first?.id ?? 0);
      expect(copies.map((copy) => copy.to_email)).toEqual([
        'a@example.com',
        'b@example.com',
        'c@example.com',
      ]);
    });

    it('finds all copies of a request, however many rows others insert meanwhile', async () => {
      const { store, opened } = given();
      const { live } = await newWorld(store);
      const drawn = `SELECT nextval(pg_get_serial_sequence('messages', 'id')) FROM generate_series(1, 2000)`;
      for (let request = 0; request < 9; request += 1) {
        if (opened.engine.name === 'postgres') await opened.raw(drawn);
        const { messageIds } = await store.commit(
          Array.from({ length: 10 }, (_, i) =>
            acceptMessage({
              message: newMessage(live, {
                to: `copy${i}@example.com`,
                sameContent: i > 0,
                ...(i === 0 ? { copies: 9 } : {}),
              }),
            }),
          ),
        );
        const [first] = await store.messages.messagesByRowId(live, messageIds);
        const copies = await store.messages.copies(live, first?.content_id ?? 0, first?.id ?? 0);
        expect(copies).toHaveLength(10);
      }
    });

    it('uses one queue for one environment, tenant, domain and rank', async () => {
      const { store } = given();
      const { live, test } = await newWorld(store);
      const queueOf = async (scope: typeof live, domain: string) =>
        (await store.commit([acceptMessage({ message: newMessage(scope, { domain }) })])).queueIds[0];
      const first = await queueOf(live, 'one.example');
      expect(await queueOf(live, 'one.example')).toBe(first);
      expect(await queueOf(live, 'two.example')).not.toBe(first);
      expect(await queueOf(test, 'one.example')).not.toBe(first);
      expect(await queueOf({ ...live, subTenantId: 'tnt_x' }, 'one.example')).not.toBe(first);
    });

    it('makes one message of 200 simultaneous requests with one idempotency key', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const results = await Promise.allSettled(
        Array.from({ length: 200 }, () =>
          store.commit([acceptMessage({ message: newMessage(live, { idempotencyKey: 'order-1' }) })]),
        ),
      );
      const refused = results.filter((result) => result.status === 'rejected');
      expect(refused).toHaveLength(199);
      expect(refused.every(({ reason }) => reason instanceof IdempotencyRace)).toBe(true);
      const page = await store.messages.messages(live, { limit: 10, after: null }, {});
      expect(page.rows).toHaveLength(1);
      const known = await store.messages.byIdempotencyKey(live, 'order-1');
      expect(known?.message.public_id).toBe(page.rows[0]?.public_id);
      expect(Buffer.from(known?.fingerprint ?? [])).toEqual(Buffer.alloc(32, 7));
      const used = await store.usage.ofEnvironment(live.environmentId, { today: DAY, monthStart: DAY });
      expect(used.day.transactional).toBe(1);
    });

    it('keeps idempotency keys of environments and tenants apart', async () => {
      const { store } = given();
      const { live, test } = await newWorld(store);
      const scopes = [live, test, { ...live, subTenantId: 'tnt_a' }, { ...live, subTenantId: 'tnt_b' }];
      for (const scope of scopes) await accept(store, scope, [{ idempotencyKey: 'k' }]);
      const found = await Promise.all(scopes.map((scope) => store.messages.byIdempotencyKey(scope, 'k')));
      expect(new Set(found.map((known) => known?.message.id)).size).toBe(4);
    });

    it('counts sends per type and leaves the sandbox uncounted', async () => {
      const { store } = given();
      const { live, test } = await newWorld(store);
      const marketing = { row: { type: 'marketing' as const } };
      await accept(store, live, [{}, {}, marketing, marketing, marketing]);
      await accept(store, test, [{}, {}]);
      await store.commit([
        countUse({ environmentId: live.environmentId, day: DAY - 1, type: 'sales', sends: 4 }),
      ]);
      const days = { today: DAY, monthStart: DAY - 1 };
      const used = {
        day: { transactional: 2, marketing: 3, sales: 0 },
        month: { transactional: 2, marketing: 3, sales: 4 },
      };
      expect(await store.usage.ofEnvironment(live.environmentId, days)).toEqual(used);
      expect(await store.usage.ofOrganization(live.organizationId, days)).toEqual(used);
      expect(await store.usage.ofEnvironment(test.environmentId, days)).toEqual({
        day: { transactional: 0, marketing: 0, sales: 0 },
        month: { transactional: 0, marketing: 0, sales: 0 },
      });
      const rows = await given()
        .opened.engine.read.$extendTables<Known>()
        .selectFrom('usage')
        .select(['day', 'type', 'sends'])
        .where('environment_id', '=', live.environmentId)
        .orderBy('sends')
        .execute();
      expect(rows).toEqual([
        { day: DAY, type: 'transactional', sends: 2 },
        { day: DAY, type: 'marketing', sends: 3 },
        { day: DAY - 1, type: 'sales', sends: 4 },
      ]);
    });
  });
}
