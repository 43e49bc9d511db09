// Tests who owns a domain that several workspaces claim, and what depends on it.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Scope } from '../../src/database/scope.js';
import { planWorkspace } from '../../src/accounts/workspace-plan.js';
import { startTenantRig, type PublishedRecord, type TenantRig } from '../support/tenant-rig.js';
import { senders } from '../../src/domains/domains.tables.js';
import { update } from '../../src/database/rows.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let rig: TenantRig;
let first: Scope;
let second: Scope;

beforeEach(async () => {
  rig = await startTenantRig();
  first = await rig.scopeOf('live');
  second = await otherWorkspace();
});
afterEach(() => rig.close());

async function otherWorkspace(): Promise<Scope> {
  const row = { id: 'ws_other', number: 77, organizationId: first.organizationId, name: 'Other' };
  await rig.store.commit(planWorkspace(row, 1));
  return { ...(await rig.store.accounts.environmentOf(row.id, 'live')), subTenantId: null };
}

async function recordsOf(ownerId: string): Promise<PublishedRecord[]> {
  const keys = await rig.store.domains.dkimKeys([ownerId]);
  return keys
    .filter(({ state }) => state !== 'retired')
    .map((key) => ({
      type: 'TXT',
      host: `${key.selector}._domainkey.${key.domain}`,
      value: key.record_value,
    }));
}

const claim = (scope: Scope, domain = 'shop.example') =>
  rig.senders.create(scope, { kind: 'domain', domain });

async function prove(scope: Scope, id: string) {
  rig.publish(await recordsOf(id));
  rig.clock.advance(MINUTE);
  return rig.senders.verify(scope, id);
}

async function proved(scope: Scope) {
  const { id } = await claim(scope);
  return prove(scope, id);
}

const inboundOwner = async () => {
  await rig.store.commit([
    update(senders, { set: { inbound_ok: 1 }, where: { kind: 'domain', status: 'verified' } }),
  ]);
  return (await rig.store.inbound.inboundOwner('reply.shop.example'))?.id;
};

describe('a domain', () => {
  it('belongs to the newest proof, and the sender that had it before is suspended with its addresses and a reason', async () => {
    const before = await proved(first);
    const address = await rig.senders.create(first, {
      kind: 'address',
      email: 'ann@shop.example',
      name: null,
    });
    expect([before.status, address.status]).toEqual(['verified', 'verified']);
    expect(await inboundOwner()).toBe(before.id);
    const { id } = await claim(second);
    await rig.senders.verify(second, id);
    expect((await rig.senders.read(first, before.id)).status).toBe('verified'); // a claim is no proof
    const after = await prove(second, id);
    expect(after.status).toBe('verified');
    expect(await rig.senders.read(first, before.id)).toMatchObject({
      status: 'suspended',
      taken_over_at: rig.clock.now(),
    });
    expect((await rig.senders.read(first, address.id)).status).toBe('suspended');
    const shown = (await rig.ask('GET', `/v1/senders/${before.id}`)).json;
    expect(shown.dns.detail).toContain('Another workspace verified');
    expect(await inboundOwner()).toBe(after.id);
    expect(await rig.store.domains.verifiedSenders(first)).toEqual([]);
    // Its old record in DNS does not restore it, but a new one does.
    await rig.checks.checkSender(before);
    expect((await rig.senders.read(first, before.id)).status).toBe('suspended');
    expect((await rig.senders.verify(first, before.id)).status).toBe('pending_verification');
    await rig.senders.verify(first, before.id);
    expect((await rig.senders.read(first, before.id)).status).toBe('pending_verification');
    expect((await prove(first, before.id)).status).toBe('verified');
    expect((await rig.senders.read(first, address.id)).status).toBe('verified');
    expect((await rig.senders.read(second, after.id)).status).toBe('suspended');
  });

  it('can be claimed by several workspaces, and also by a sub-tenant', async () => {
    const made = { name: 'Shop', sendingDomain: 'shop.example', externalId: null, dkim: null };
    const squatter = await rig.subTenants.create(second, made);
    const owner = await rig.subTenants.create(first, made);
    await expect(rig.subTenants.create(first, made)).rejects.toMatchObject({ code: 'domain_taken' });
    rig.publish(await recordsOf(owner.id));
    expect((await rig.subTenants.verify(first, owner.id)).status).toBe('verified');
    expect((await rig.subTenants.verify(second, squatter.id)).status).toBe('pending_verification');
    const sender = await proved(second);
    expect(sender.status).toBe('verified');
    expect((await rig.subTenants.read(first, owner.id)).status).toBe('suspended');
    expect(rig.stops).toContainEqual({
      environmentId: first.environmentId,
      tenantId: owner.id,
      cause: 'suspended',
      isStopped: true,
    });
    await rig.subTenants.verify(first, owner.id);
    rig.publish(await recordsOf(owner.id));
    rig.clock.advance(MINUTE);
    expect((await rig.subTenants.verify(first, owner.id)).status).toBe('verified');
    expect(rig.stops.at(-1)?.isStopped).toBe(false);
    expect((await rig.senders.read(second, sender.id)).status).toBe('suspended');
  });

  it('of a sender drifts, is suspended with its addresses after six hours, and recovers', async () => {
    const sender = await proved(first);
    const address = await rig.senders.create(first, {
      kind: 'address',
      email: 'ann@shop.example',
      name: null,
    });
    const records = await recordsOf(sender.id);
    for (const { host } of records) rig.dns.remove(host);
    await rig.checks.checkSender(sender);
    expect((await rig.senders.read(first, sender.id)).status).toBe('verified');
    rig.clock.advance(6 * HOUR);
    await rig.checks.checkSender(sender);
    const statuses = async () => [
      (await rig.senders.read(first, sender.id)).status,
      (await rig.senders.read(first, address.id)).status,
    ];
    expect(await statuses()).toEqual(['suspended', 'suspended']);
    rig.publish(records);
    rig.clock.advance(MINUTE);
    await rig.checks.checkSender(sender);
    expect(await statuses()).toEqual(['verified', 'verified']);
  });

  it('takes the addresses that only it verified with it when it is deleted', async () => {
    const sender = await proved(first);
    const covered = await rig.senders.create(first, {
      kind: 'address',
      email: 'ann@shop.example',
      name: null,
    });
    const confirmed = await rig.senders.create(first, {
      kind: 'address',
      email: 'bob@shop.example',
      name: null,
    });
    await rig.store.commit([update(senders, { set: { confirmed_at: 5 }, where: { id: confirmed.id } })]);
    await rig.senders.remove(first, sender.id);
    expect((await rig.senders.read(first, covered.id)).status).toBe('pending_verification');
    expect((await rig.senders.read(first, confirmed.id)).status).toBe('verified');
  });
});
