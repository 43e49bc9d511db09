// Contract of inbound mail: spooled with its bytes, processed in order, and deleted; and which sub-tenant receives the mail of a
// domain.
import { describe, expect, it } from 'vitest';
import { newId } from '../../../src/lib/runtime/index.js';
import { type Bench, NOW, newMessage, newWorld, onlyId, tenantPlan } from './builders.js';
import type { Change } from '../../../src/database/change.js';
import { type NewInboundMail, spoolMail } from '../../../src/inbound/spool.store.js';
import { acceptMessage } from '../../../src/messages/accept/accept.store.js';
import { subTenants } from '../../../src/tenants/tenants.tables.js';
import { update, insert } from '../../../src/database/rows.js';
import { senders } from '../../../src/domains/domains.tables.js';
import { inboundMessages } from '../../../src/inbound/inbound.tables.js';
import { senderRow } from '../../support/domain-rows.js';

const HOUR = 3_600_000;

function mail(wish: Partial<NewInboundMail> = {}): NewInboundMail {
  return {
    received_at: NOW,
    client: '{}',
    mail_from: '',
    rcpt_to: 'b-1@bounce.example',
    kind: 'return_path',
    target: 'msg_1',
    state: 'waiting',
    attempts: 0,
    due_at: NOW,
    outcome: null,
    detail: null,
    ...wish,
  };
}

export function inboundContract(given: () => Bench): void {
  describe('mail that came in', () => {
    it('has its octets once for all of its recipients, and is due in order', async () => {
      const { store } = given();
      const at = NOW - 100 * HOUR;
      const octets = Buffer.from([0, 13, 10, 255, 128]);
      await store.commit([
        spoolMail({ raw: octets, mails: [mail({ due_at: at + 2 }), mail({ due_at: at, rcpt_to: 'x@y' })] }),
        spoolMail({ raw: Buffer.from('other'), mails: [mail({ due_at: at + 1 })] }),
      ]);
      const due = await store.inbound.due(at + 2, 50);
      expect(due.map((one) => one.due_at - at)).toEqual([0, 1, 2]);
      expect((await store.inbound.due(at + 2, 2)).map((one) => one.due_at - at)).toEqual([0, 1]);
      expect((await store.inbound.due(at + 1, 50)).map((one) => one.due_at - at)).toEqual([0, 1]);
      expect(await store.inbound.due(at - 1, 50)).toEqual([]);
      const [first, second, third] = due;
      expect(first).toMatchObject({ rcpt_to: 'x@y', kind: 'return_path', target: 'msg_1', attempts: 0 });
      expect(first?.raw_id).toBe(third?.raw_id);
      const raws = await store.inbound.raws(due.map((one) => one.raw_id));
      expect(raws.size).toBe(2);
      expect(Buffer.from(raws.get(first?.raw_id ?? 0) ?? [])).toEqual(octets);
      expect(Buffer.from(raws.get(second?.raw_id ?? 0) ?? []).toString()).toBe('other');
      expect(await store.inbound.raws([])).toEqual(new Map());
      await finish(
        given(),
        due.map((one) => one.id),
      );
      expect(await store.inbound.due(at + 2, 50)).toEqual([]);
    });

    it('is listed, the newest first, with its size', async () => {
      const { store } = given();
      await store.commit([
        spoolMail({ raw: Buffer.from('first'), mails: [mail({ state: 'done', rcpt_to: 'one@y' })] }),
        spoolMail({ raw: Buffer.from('latest'), mails: [mail({ state: 'failed', rcpt_to: 'two@y' })] }),
      ]);
      const latest = await store.inbound.latest(2);
      expect(latest.map((one) => [one.rcpt_to, one.size_bytes, one.state])).toEqual([
        ['two@y', 6, 'failed'],
        ['one@y', 5, 'done'],
      ]);
      expect(await store.inbound.latest(1)).toHaveLength(1);
    });

    it('is forgotten when it is through and old, with octets that nothing else needs', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const old = { received_at: 1000, due_at: NOW - 50 * HOUR };
      await store.commit([
        spoolMail({ raw: Buffer.from('both'), mails: [mail(old), mail(old)] }),
        spoolMail({ raw: Buffer.from('half'), mails: [mail(old), mail({ ...old, received_at: NOW })] }),
        spoolMail({ raw: Buffer.from('kept'), mails: [mail(old)] }),
      ]);
      const due = await store.inbound.due(NOW - 50 * HOUR, 50);
      expect(due).toHaveLength(5);
      const rawIds = [...new Set(due.map((one) => one.raw_id))].sort((a, b) => a - b);
      const [both = 0, half = 0, kept = 0] = rawIds;
      expect(await store.inbound.purge(NOW, 50)).toBe(0);
      const accepted = newMessage(live, { queued: false });
      if (accepted.content.kind !== 'new') throw new Error('The builder makes content of its own.');
      accepted.content.row.raw_id = kept;
      await store.commit([acceptMessage({ message: accepted })]);
      await finish(
        given(),
        due.map((one) => one.id),
      );
      expect(await store.inbound.purge(1000, 50)).toBe(0);
      expect(await store.inbound.purge(1001, 1)).toBe(1);
      expect(await store.inbound.purge(1001, 50)).toBe(3);
      const left = await store.inbound.raws([both, half, kept]);
      expect([...left.keys()].sort((a, b) => a - b)).toEqual([half, kept]);
    });

    it('belongs to the verified sub-tenant or domain sender of the domain, which may take it here or not', async () => {
      const { store } = given();
      const world = await newWorld(store);
      const [tenantId, senderId] = [newId('tnt', NOW), newId('snd', NOW)];
      const domain = `${tenantId.slice(-8)}.example`;
      await store.commit([
        ...tenantPlan(world.live, tenantId),
        update(subTenants, { set: { sending_domain: domain }, where: { id: tenantId } }),
        senderDomain(world.live.workspaceId, senderId, `s.${domain}`),
      ]);
      const owner = (name: string) => store.inbound.inboundOwner(`reply.${name}`);
      const tenants = { ...world.live, subTenantId: tenantId };
      expect(await owner(domain)).toEqual({ id: tenantId, takesMail: false, scope: tenants });
      expect(await owner(`s.${domain}`)).toEqual({ id: senderId, takesMail: false, scope: world.live });
      await store.commit([
        update(subTenants, { set: { inbound_ok: 1 }, where: { id: tenantId } }),
        update(senders, { set: { inbound_ok: 1 }, where: { id: senderId } }),
      ]);
      expect(await owner(domain)).toEqual({ id: tenantId, takesMail: true, scope: tenants });
      expect(await owner(`s.${domain}`)).toEqual({ id: senderId, takesMail: true, scope: world.live });
      const own = { return_path_domain: `rp.${domain}`, inbound_domain: `in.${domain}` };
      await store.commit([update(subTenants, { set: own, where: { id: tenantId } })]);
      expect(await owner(domain)).toBeNull();
      expect((await store.inbound.inboundOwner(`in.${domain}`))?.id).toBe(tenantId);
      expect((await store.inbound.returnPathOwner(`rp.${domain}`))?.id).toBe(tenantId);
      expect((await store.inbound.returnPathOwner(`bounce.s.${domain}`))?.id).toBe(senderId);
      expect(await store.inbound.returnPathOwner(`bounce.${domain}`)).toBeNull();
      expect(await store.inbound.scopeOfOwner(tenantId)).toEqual(tenants);
      expect(await store.inbound.scopeOfOwner(senderId)).toEqual(world.live);
      expect(await store.inbound.scopeOfOwner('tnt_nobody')).toBeNull();
      await store.commit([
        update(subTenants, { set: { verified_at: null }, where: { id: tenantId } }),
        update(senders, { set: { deleted_at: NOW }, where: { id: senderId } }),
      ]);
      expect(await store.inbound.inboundOwner(`in.${domain}`)).toBeNull();
      expect(await owner(`s.${domain}`)).toBeNull();
    });
  });

  describe('a message’s octets', () => {
    it('are kept as they were submitted, and its content names them', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const message = newMessage(live, { queued: false });
      if (message.content.kind !== 'new') throw new Error('The builder makes content of its own.');
      message.content.raw = Buffer.from('From: a\r\n\r\n\0');
      const id = onlyId(await store.commit([acceptMessage({ message })]));
      const [row] = await store.messages.messagesByRowId(live, [id]);
      const { opened } = given();
      const [{ raw_id: rawId } = {}] = await opened.raw(
        `SELECT raw_id FROM contents WHERE id = ${String(row?.content_id)}`,
      );
      const kept = await store.inbound.raws([Number(rawId)]);
      expect(Buffer.from(kept.get(Number(rawId)) ?? []).toString('latin1')).toBe('From: a\r\n\r\n\0');
    });
  });
}

async function finish({ store }: Bench, ids: readonly number[]): Promise<void> {
  await store.commit([update(inboundMessages, { set: { state: 'done' }, where: { id: ids } })]);
}

function senderDomain(workspaceId: string, id: string, identity: string): Change {
  return insert(senders, { row: senderRow(workspaceId, NOW, { id, kind: 'domain', identity }) });
}
