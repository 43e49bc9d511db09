// Contract of retention: the next step, what remains, and deletion as one step in every engine.
import { describe, expect, it } from 'vitest';
import type { Scope } from '../../../src/database/scope.js';
import { CONSUMER_NAMES } from '../../../src/events/consumers.store.js';
import type { Retention } from '../../../src/operations/retention/retention.rules.js';
import { type Bench, accept, eventOf, newMessage, newWorld, NOW, onlyId } from './builders.js';
import { chains, consumers } from '../../../src/events/events.tables.js';
import { update, upsert, remove, insert } from '../../../src/database/rows.js';
import { appendEvent } from '../../../src/events/append.store.js';
import { acceptMessage, makeReportDue } from '../../../src/messages/accept/accept.store.js';
import { messages, smtpSessions } from '../../../src/messages/messages.tables.js';
import { recordAttempt } from '../../../src/messages/message-changes.store.js';
import { deliveryReports } from '../../../src/messages/relayed/delivery-reports.tables.js';
import { trafficState } from '../../../src/outbound/outbound.tables.js';
import { campaignRecipients } from '../../../src/campaigns/campaigns.tables.js';

export function retentionContract(given: () => Bench): void {
  describe('retention', () => {
    /** Advances all followers of the chain to its end. */
    async function follow({ workspaceNumber }: Scope): Promise<void> {
      const { store } = given();
      const { seq } = await store.events.chainHead(workspaceNumber);
      const where = { workspace_number: workspaceNumber };
      await store.commit([
        ...CONSUMER_NAMES.map((name) =>
          upsert(consumers, {
            row: { name, workspace_number: workspaceNumber, seq },
            key: ['name', 'workspace_number'],
            set: { seq },
          }),
        ),
        update(chains, { set: { fanned_out_seq: seq }, where }),
      ]);
    }

    const forget = (scope: Scope, ids: readonly number[], retention: Retention): Promise<number> =>
      given().store.retention.forget({
        place: scope,
        decisions: ids.map((id) => ({ id, retention })),
        cursor: { doneUpTo: ids.at(-1) ?? 0, doneMode: 'delete' },
        now: NOW,
        againAt: NOW + 5,
      });

    const placeOf = async ({ environmentId }: Scope) =>
      (await given().store.retention.places()).find((place) => place.environmentId === environmentId);

    it('redacts and deletes with everything that belongs to a message, and remembers where it is', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const attachments = [{ filename: 'a.txt', bytes: Buffer.from(live.workspaceId) }];
      const wish = { attachments, tags: ['a', 'b'], queued: false };
      const ids = await accept(store, live, [
        { ...wish, idempotencyKey: 'one' },
        { ...wish, row: { error: '{"type":"soft","message":"no"}' } },
      ]);
      const [first = 0, second = 0] = ids;
      const detail = { metadata: { reply: 'no' } };
      await store.commit([
        appendEvent({ event: { ...eventOf(live, 'msg_x', 'bounced', detail), messageId: first } }),
      ]);
      const [newest = 0] = await accept(store, live, [{ queued: false }]);
      await follow(live);
      expect((await placeOf(live))?.doneUpTo).toBe(0);
      expect((await store.retention.nextMessages(live.environmentId, 0, 2)).map(({ id }) => id)).toEqual(ids);
      expect(await forget(live, [first, second], { kind: 'redact' })).toBe(2);
      expect(await placeOf(live)).toMatchObject({
        doneUpTo: second,
        doneMode: 'delete',
        days: null,
        mode: null,
      });
      const [shown] = await store.messages.messagesByRowId(live, [second]);
      expect(shown).toMatchObject({ to_email: 'erased@erased.invalid', tags: '[]', redacted_at: NOW });
      expect(JSON.parse(shown?.error ?? '')).toEqual({ type: 'soft', message: '', remote_host: null });
      expect(await store.messages.attachmentsOf([shown?.content_id ?? 0])).toEqual([]);
      expect((await store.events.auditTrailOfMessage(first)).map((event) => event.detail)).toEqual([
        null,
        null,
      ]);
      expect(await forget(live, [first, second, newest], { kind: 'delete' })).toBe(3);
      const [blob] = await given().opened.raw(
        `SELECT COUNT(*) AS n FROM blobs WHERE workspace_id = '${live.workspaceId}'`,
      );
      expect(Number(blob?.['n'])).toBe(0);
      expect(await store.messages.byIdempotencyKey(live, 'one')).toBeNull();
      // The newest message remains, without its content.
      const left = await store.messages.messagesByRowId(live, [first, second, newest]);
      expect(left.map(({ id, subject }) => [id, subject])).toEqual([[newest, '']]);
      expect(await store.retention.leftMessages(live.environmentId, NOW + 4, 10)).toEqual([]);
      expect(
        (await store.retention.leftMessages(live.environmentId, NOW + 5, 10)).map(({ id }) => id),
      ).toEqual([newest]);
    });

    it('keeps messages in progress and events that are not read yet', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const [queued = 0, sent = 0] = await accept(store, live, [{}, { queued: false }]);
      await accept(store, live, [{ queued: false }]);
      expect(await forget(live, [queued, sent], { kind: 'delete' })).toBe(0);
      await follow(live);
      expect(await forget(live, [queued, sent], { kind: 'delete' })).toBe(1);
      const left = await store.retention.leftMessages(live.environmentId, NOW + 5, 10);
      expect(left.map(({ id, message }) => [id, message?.createdAt])).toEqual([[queued, NOW]]);
    });

    it('keeps a content for as long as one of its copies needs it', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const { messageIds: ids } = await store.commit([
        acceptMessage({ message: newMessage(live, { queued: false, text: 'for all' }) }),
        acceptMessage({
          message: newMessage(live, { queued: false, sameContent: true, to: 'b@example.com' }),
        }),
      ]);
      await accept(store, live, [{ queued: false }]);
      await follow(live);
      const [first = 0, second = 0] = ids;
      const [copy] = await store.messages.messagesByRowId(live, [second]);
      await forget(live, [first], { kind: 'delete' });
      expect((await store.messages.content(copy ?? { content_id: 0 })).text).toBe('for all');
      await forget(live, [second], { kind: 'strip', until: NOW + 9 });
      expect((await store.messages.content(copy ?? { content_id: 0 })).text).toBeNull();
      const [stripped] = await store.messages.messagesByRowId(live, [second]);
      expect(stripped).toMatchObject({ to_email: 'b@example.com', subject: '' });
      await forget(live, [second], { kind: 'delete' });
      await expect(store.messages.content(copy ?? { content_id: 0 })).rejects.toThrow();
    });

    it('reuses an idempotency key after its message was deleted', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const once = () => newMessage(live, { idempotencyKey: 'once', queued: false });
      const id = onlyId(await store.commit([acceptMessage({ message: once() })]));
      await expect(store.commit([acceptMessage({ message: once() })])).rejects.toThrow('idempotency key');
      await accept(store, live, [{ queued: false }]);
      await store.commit([remove(messages, { where: { id } })]);
      expect(await store.messages.byIdempotencyKey(live, 'once')).toBeNull();
      const next = onlyId(await store.commit([acceptMessage({ message: once() })]));
      expect((await store.messages.byIdempotencyKey(live, 'once'))?.message.id).toBe(next);
    });

    it('takes the addresses off the recipients of a campaign, a few at a time', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const recipient = (number: number) =>
        insert(campaignRecipients, {
          row: {
            ...{ campaign_id: live.workspaceId, contact_number: number, email: `${number}@example.com` },
            ...{ email_key: `${number}@example.com`, state: 'created' },
            ...{ variant: null, reason: null, message_id: null },
          },
        });
      await store.commit([recipient(3), recipient(5), recipient(7)]);
      const step = (after: number) =>
        store.retention.forgetRecipients(live.workspaceId, { after, limit: 2, now: NOW });
      expect(await step(0)).toBe(5);
      expect(await step(5)).toBeNull();
      const rows = await given().opened.raw(
        `SELECT email, email_key FROM campaign_recipients WHERE campaign_id = '${live.workspaceId}' ORDER BY contact_number`,
      );
      const email = 'erased@erased.invalid';
      expect(rows).toEqual([3, 5, 7].map((n) => ({ email, email_key: `erased.${n}@erased.invalid` })));
      expect(await store.retention.oldCampaigns(live.environmentId, NOW, 10)).toEqual([]);
    });

    it('forgets by age in every engine', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const [messageId = 0] = await accept(store, live, [{ queued: false }]);
      const at = NOW - 1;
      await store.commit([
        recordAttempt({ messageId, number: 1, at, sessionId: null, detail: '{}', conversation: null }),
        makeReportDue({ messageId, action: 'failed', at, detail: '{}' }),
        update(deliveryReports, { set: { due_at: null }, where: { message_id: messageId } }),
        insert(smtpSessions, { row: { id: live.workspaceId, at, detail: '{}' } }),
        insert(trafficState, { row: { key: live.workspaceId, state: '{}', updated_at: at } }),
      ]);
      const { forgetAttempts, forgetSessions, forgetReports } = store.oldRecords;
      for (const forgetOld of [forgetAttempts, forgetSessions, forgetReports]) {
        expect(await forgetOld(NOW, 500)).toBeGreaterThan(0);
        expect(await forgetOld(NOW, 500)).toBe(0);
      }
      expect(await store.oldRecords.forgetTrafficStates(NOW, '', 500)).toEqual({ deleted: 0, next: null });
      expect(await store.attempts.attemptsOf({ id: messageId })).toEqual({ attempts: [], hasMore: false });
      const states = await store.traffic.states(0);
      expect(states.has(live.workspaceId)).toBe(false);
      expect((await store.size()).waitingMails).toBeGreaterThanOrEqual(0);
    });
  });
}
