// Contract of plans: they are atomic, and refusals name the caller's values.
import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../src/contract/refusal.js';
import { groupEnded } from '../../../src/database/committed.js';
import { IdempotencyRace, acceptMessage } from '../../../src/messages/accept/accept.store.js';
import { newId } from '../../../src/lib/runtime/index.js';
import { type Bench, NOW, accept, eventOf, newMessage, newWorld, tenantPlan } from './builders.js';
import type { Plan } from '../../../src/database/change.js';
import { organizations } from '../../../src/accounts/accounts.tables.js';
import { insert, insertedRow, update, upsert, remove } from '../../../src/database/rows.js';
import { messages, messageTags } from '../../../src/messages/messages.tables.js';
import {
  recordAttempt,
  dequeueMessage,
  intendDots,
  requeueMessage,
  advanceMessage,
  amendMessage,
} from '../../../src/messages/message-changes.store.js';
import { appendEvent } from '../../../src/events/append.store.js';
import { subTenants } from '../../../src/tenants/tenants.tables.js';
import { suppressions } from '../../../src/suppressions/suppressions.tables.js';

export function planContract(given: () => Bench): void {
  describe('plans', () => {
    it('lets one of several updates through that are tied to the same version of a row', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const id = live.organizationId;
      const writers = Array.from({ length: 8 }, (_, i) =>
        store.commit([
          update(organizations, {
            set: { name: `Writer ${i}`, updated_at: NOW + 1 },
            where: { id, updated_at: NOW },
            otherwise: { code: 'precondition_failed' },
          }),
        ]),
      );
      const results = await Promise.allSettled(writers);
      const winners = results.flatMap(({ status }, i) => (status === 'fulfilled' ? [`Writer ${i}`] : []));
      expect(winners).toHaveLength(1);
      expect((await store.accounts.organization({ organizationId: id })).name).toBe(winners[0]);
      for (const result of results) {
        if (result.status === 'rejected')
          expect(result.reason).toMatchObject({ code: 'precondition_failed' });
      }
    });

    it('leave nothing when they are refused, and do not disturb those that share their transaction', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const head = () => store.events.chainHead(live.workspaceNumber);
      const before = await head();
      const plans = Array.from({ length: 40 }, (_, i) => {
        const message = newMessage(live, { to: `n${i}@example.com`, tags: ['group'] });
        const refuse = update(messages, {
          set: { subject: 'x' },
          where: { id: -1 },
          otherwise: { code: 'not_found', message: `no ${i}` },
        });
        return i % 4 === 3 ? [acceptMessage({ message }), refuse] : [acceptMessage({ message })];
      });
      const results = await Promise.allSettled(plans.map((plan) => store.commit(plan)));
      results.forEach((result, i) => {
        expect(result.status).toBe(i % 4 === 3 ? 'rejected' : 'fulfilled');
        if (result.status === 'rejected') {
          expect(result.reason).toBeInstanceOf(Refusal);
          expect(result.reason).toMatchObject({ code: 'not_found', message: `no ${i}` });
        }
      });
      const { rows } = await store.messages.messages(live, { limit: 100, after: null }, { tags: ['group'] });
      expect(rows).toHaveLength(30);
      expect((await head()).seq - before.seq).toBe(30);
    });

    it('of one idempotency key refuse the later one, and the others are stored together all the same', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const plan = (key: string) =>
        [
          acceptMessage({
            message: {
              ...newMessage(live, { tags: ['keyed'] }),
              idempotency: { subTenantKey: '', key, fingerprint: Buffer.alloc(32, 1) },
            },
          }),
        ] as const;
      await store.commit(plan('taken'));
      const keys = Array.from({ length: 40 }, (_, i) => (i === 10 ? 'k9' : i === 20 ? 'taken' : `k${i}`));
      const groups: number[] = [];
      const end = groupEnded.subscribe(({ size }) => groups.push(size));
      const results = await Promise.allSettled(keys.map((key) => store.commit(plan(key))));
      end();
      const refused = results.flatMap((result, i) => (result.status === 'rejected' ? [i] : []));
      expect(refused).toEqual([10, 20]);
      for (const i of refused) expect(results[i]).toMatchObject({ reason: expect.any(IdempotencyRace) });
      // One flush for many, even if they race for a key.
      expect(groups.length).toBeLessThanOrEqual(3);
      const { rows } = await store.messages.messages(live, { limit: 100, after: null }, { tags: ['keyed'] });
      expect(rows).toHaveLength(39);
    });

    it('with a condition of no values change nothing', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      await accept(store, live, [{ tags: ['bare'] }]);
      const where = { environment_id: live.environmentId, tag: [] };
      await store.commit([remove(messageTags, { where })]);
      const { rows } = await store.messages.messages(live, { limit: 100, after: null }, { tags: ['bare'] });
      expect(rows).toHaveLength(1);
    });

    it('that share a transaction are applied in their order, also where rows are written together', async () => {
      const { store, opened } = given();
      const { live } = await newWorld(store);
      const message = newMessage(live, { to: 'one@gathered.example' });
      const { messageIds, queueIds } = await store.commit([acceptMessage({ message })]);
      const [messageId = 0] = messageIds;
      const request = { now: NOW, leaseUntil: NOW + 60_000, owner: 'w1' };
      await store.queue.claim({ ...request, picks: [{ queueId: queueIds[0] ?? 0, limit: 1 }] });
      const attempt = { messageId, number: 1, sessionId: null, conversation: null };
      const [, , intent, claimed, requeued] = await Promise.all([
        store.commit([
          recordAttempt({ ...attempt, at: NOW, detail: '{"outcome":"first"}' }),
          dequeueMessage({ messageId }),
        ]),
        store.commit([recordAttempt({ ...attempt, at: NOW + 1, detail: '{"outcome":"second"}' })]),
        store.commit([intendDots({ messageIds: [messageId], owner: 'w1', at: NOW })]),
        store.queue.claimWaiting({ ...request, messageIds }),
        store.commit([
          requeueMessage({
            ...{ messageId, dueAt: NOW, attempts: 1, ambiguousAttempts: 0, blockedAttempts: 0 },
            ...{ retryStep: 0, source: null, holdReason: null },
          }),
        ]),
      ]);
      expect(intent.intended).toEqual([]);
      expect(claimed).toEqual([]);
      expect(requeued.queueIds).toEqual([]);
      expect(await opened.raw(`SELECT 1 FROM queue WHERE message_id = ${messageId}`)).toEqual([]);
      const rows = await opened.raw(`SELECT detail FROM attempts WHERE message_id = ${messageId}`);
      expect(rows.map((row) => row['detail'])).toEqual(['{"outcome":"second"}']);
    });

    it('that break the chain writing fail alone', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const event = { ...eventOf(live, 'tnt_x', 'tenant_warned', {}), messageId: null };
      const results = await Promise.allSettled([
        store.commit([appendEvent({ event })]),
        store.commit([appendEvent({ event: { ...event, workspaceNumber: 99_999 } })]),
        store.commit([appendEvent({ event })]),
      ]);
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(await store.events.chainHead(live.workspaceNumber)).toMatchObject({ seq: 2 });
    });

    it('turn a unique violation into the refusal that the insert names', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const id = newId('tnt', NOW);
      const plan = tenantPlan(live, id);
      const [row] = plan.flatMap((change) => insertedRow(change, subTenants) ?? []);
      if (!row) throw new Error('not the plan meant');
      await store.commit(plan);
      const twice = { row: { ...row, id: newId('tnt', NOW) } };
      const conflict = { code: 'domain_taken', message: 'taken', param: 'sending_domain' } as const;
      await expect(store.commit([insert(subTenants, { ...twice, conflict })])).rejects.toMatchObject(
        conflict,
      );
      await expect(store.commit([insert(subTenants, twice)])).rejects.not.toBeInstanceOf(Refusal);
      await store.commit([insert(subTenants, { ...twice, conflict: 'ignore' })]);
      expect((await store.tenants.subTenants(live, { limit: 9, after: null }, {})).rows).toHaveLength(1);
    });

    it('upsert, update by lists and nulls, and delete', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const suppress = (email: string, reason: 'bounce' | 'manual') =>
        upsert(suppressions, {
          row: {
            id: newId('sup', NOW),
            environment_id: live.environmentId,
            sub_tenant_key: '',
            email,
            email_key: email,
            reason,
            message_public_id: null,
            reply: null,
            created_at: NOW,
          },
          key: ['environment_id', 'email_key', 'sub_tenant_key'],
          set: { reason },
        });
      await store.commit([
        suppress('a@x.example', 'bounce'),
        suppress('b@x.example', 'bounce'),
        suppress('a@x.example', 'manual'),
      ]);
      const reasons = async () =>
        (await store.suppressions.suppressionsOf(live, ['a@x.example', 'b@x.example'])).map((row) => [
          row.email,
          row.reason,
        ]);
      expect((await reasons()).sort()).toEqual([
        ['a@x.example', 'manual'],
        ['b@x.example', 'bounce'],
      ]);
      const where = { environment_id: live.environmentId, email_key: ['a@x.example', 'b@x.example'] };
      await store.commit([
        update(suppressions, {
          set: { message_public_id: 'msg_1' },
          where: { ...where, message_public_id: null },
          otherwise: { code: 'not_found' },
        }),
        remove(suppressions, { where: { ...where, reason: 'bounce' }, otherwise: { code: 'not_found' } }),
      ]);
      expect(await reasons()).toEqual([['a@x.example', 'manual']]);
      await expect(
        store.commit([
          remove(suppressions, { where: { ...where, reason: 'bounce' }, otherwise: { code: 'not_found' } }),
        ]),
      ).rejects.toMatchObject({ code: 'not_found' });
    });

    it('advance a status only from those named', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const [id = 0] = await accept(store, live, [{}]);
      const status = async () => (await store.messages.messagesByRowId(live, [id]))[0]?.status;
      await store.commit([advanceMessage({ messageId: id, to: 'sending', from: ['queued'] })]);
      expect(await status()).toBe('sending');
      await store.commit([
        advanceMessage({ messageId: id, to: 'sent', from: ['queued', 'scheduled' as never] }),
      ]);
      expect(await status()).toBe('sending');
      const otherwise = { code: 'message_not_cancelable' } as const;
      const cancel = advanceMessage({ messageId: id, to: 'canceled', from: ['queued'], otherwise });
      const event = { ...eventOf(live, 'msg_x', 'canceled'), messageId: id };
      await expect(store.commit([appendEvent({ event }), cancel])).rejects.toMatchObject(otherwise);
      expect((await store.events.auditTrailOfMessage(id)).map((entry) => entry.event)).toEqual(['queued']);
      await store.commit([
        advanceMessage({ messageId: id, to: 'sent', from: ['queued', 'sending'], otherwise }),
      ]);
      expect(await status()).toBe('sent');
    });

    it('advance many messages together, each in the order of its changes', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const ids = await accept(
        store,
        live,
        Array.from({ length: 300 }, () => ({})),
      );
      const otherwise = { code: 'message_not_cancelable' } as const;
      const plans = ids.map((messageId, i): Plan => {
        const sending = advanceMessage({ messageId, to: 'sending', from: ['queued'] });
        if (i % 3 === 0) return [sending];
        const set = { updated_at: NOW + i };
        if (i % 3 === 1) return [sending, advanceMessage({ messageId, to: 'sent', from: ['sending'], set })];
        return [sending, advanceMessage({ messageId, to: 'canceled', from: ['queued'], otherwise })];
      });
      const results = await Promise.allSettled(plans.map((plan) => store.commit(plan)));
      const refused = results.map(({ status }) => status === 'rejected');
      expect(refused).toEqual(ids.map((_, i) => i % 3 === 2));
      const rows = await store.messages.messagesByRowId(live, ids);
      const found = new Map(rows.map(({ id, status, updated_at }) => [id, { status, updated_at }]));
      const moved = ids.filter((_, i) => i % 3 === 1);
      expect(moved.map((id) => found.get(id)?.status)).toEqual(moved.map(() => 'sent'));
      expect(found.get(ids[4] ?? 0)?.updated_at).toBe(NOW + 4);
      expect(ids.filter((_, i) => i % 3 === 0).map((id) => found.get(id)?.status)).toEqual(
        moved.map(() => 'sending'),
      );
      expect(new Set(ids.filter((_, i) => i % 3 === 2).map((id) => found.get(id)?.status))).toEqual(
        new Set(['queued']),
      );
      // From one status to the next, in the same group as the previous move.
      await Promise.all([
        store.commit([advanceMessage({ messageId: ids[0] ?? 0, to: 'sent', from: ['sending'] })]),
        store.commit([advanceMessage({ messageId: ids[0] ?? 0, to: 'delivered', from: ['sent'] })]),
      ]);
      expect((await store.messages.messagesByRowId(live, [ids[0] ?? 0]))[0]?.status).toBe('delivered');
    });

    it('amend columns of a message and leave the others', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const [id = 0] = await accept(store, live, [{}]);
      await store.commit([
        amendMessage({
          messageId: id,
          set: { provider: 'mta', signed_at: 2 ** 33, error: null, updated_at: NOW + 1 },
        }),
      ]);
      expect((await store.messages.messagesByRowId(live, [id]))[0]).toMatchObject({
        provider: 'mta',
        signed_at: 2 ** 33,
        updated_at: NOW + 1,
        subject: 'Hello',
        status: 'queued',
      });
    });
  });
}
