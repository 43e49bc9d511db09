import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Refusal } from '../../src/contract/refusal.js';
import { KeyRotation } from '../../src/domains/keys/key-rotation-sweep.js';
import { SigningKeys } from '../../src/outbound/deliver/signing-keys.js';
import type { Deliverable } from '../../src/messages/deliverables.store.js';
import { ensurePlatformKey } from '../../src/domains/platform.js';
import { createDice } from '../support/dice.js';
import { DAY, HOUR, LIFECYCLE, MINUTE } from '../support/dkim-keys.js';
import { startDkimWorld, WORLD_MASTER_KEY, type DkimWorld, type WorldTenant } from '../support/dkim-world.js';
import { engineKinds, SQLITE } from '../support/open-engines.js';
import { type DkimKey, dkimKeys } from '../../src/domains/domains.tables.js';
import { subTenants } from '../../src/tenants/tenants.tables.js';
import { update } from '../../src/database/rows.js';

const SETTINGS = { lifecycle: LIFECYCLE, rotationMs: 180 * DAY, failing: 0 };

let world: DkimWorld;

afterEach(() => world.close());

/** A sub-tenant that is verified, its keys signing. */
async function verified(name: string, mode: 'txt' | 'cname' | 'zone' = 'txt'): Promise<WorldTenant> {
  const tenant = await world.addTenant(name, mode, 0);
  await world.publish(tenant);
  await world.checks.checkSubTenant(tenant);
  return tenant;
}
const statesOf = async (tenant: WorldTenant): Promise<string[]> =>
  (await world.keysOf(tenant)).map(({ algorithm, state }) => `${algorithm.slice(0, 3)} ${state}`).sort();
const rsaOf = async (tenant: WorldTenant): Promise<DkimKey[]> =>
  (await world.keysOf(tenant)).filter(({ algorithm }) => algorithm === 'rsa-sha256');

describe.each(engineKinds())('on $name', { timeout: 120_000 }, (kind) => {
  beforeEach(async () => {
    world = await startDkimWorld(kind, createDice(1), SETTINGS);
  }, 60_000);

  test('moves a key once if it is moved twice at the same time, with one event', async () => {
    const tenant = await verified('a', 'zone');
    const both = await Promise.allSettled([world.rotate(tenant), world.rotate(tenant)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(both.find((each) => each.status === 'rejected')?.reason).toMatchObject({ code: 'conflict' });
    await world.checks.checkSubTenant(tenant);
    world.clock.advance(HOUR);
    await Promise.all([1, 2, 3].map(() => world.checks.checkSubTenant(tenant)));
    expect(await statesOf(tenant)).toEqual(['ed2 active', 'ed2 retiring', 'rsa active', 'rsa retiring']);
    expect(await world.trailOf(tenant)).toEqual(['dkim_rotation_started', 'dkim_rotation_completed']);
    world.clock.advance(14 * DAY);
    await Promise.all([world.keyRotation.run(), world.keyRotation.run()]);
    expect(await statesOf(tenant)).toEqual(['ed2 active', 'ed2 revoked', 'rsa active', 'rsa revoked']);
  });

  test('rotates keys by age, a few per tick, once each, and not for unverified or drifting domains', async () => {
    const young = await world.addTenant('unverified', 'txt', 0);
    const drifting = await verified('drifting');
    const due: WorldTenant[] = [];
    for (const name of ['a', 'b', 'c']) due.push(await verified(name, 'txt'));
    await world.store.commit([
      update(subTenants, { set: { drifting_since: 1 }, where: { id: drifting.id } }),
    ]);
    const rotating = async (): Promise<number> => {
      const keys = await Promise.all([young, drifting, ...due].map((tenant) => rsaOf(tenant)));
      return keys.filter((each) => each.length === 2).length;
    };
    await world.keyRotation.run();
    expect(await rotating()).toBe(0);
    world.clock.advance(181 * DAY);
    await world.keyRotation.run();
    expect(await rotating()).toBe(2);
    await world.keyRotation.run();
    await world.keyRotation.run();
    expect(await rotating()).toBe(3);
    expect(await rsaOf(drifting)).toHaveLength(1);
    expect(await rsaOf(young)).toHaveLength(1);
  });
});

describe('rotation', { timeout: 60_000 }, () => {
  beforeEach(async () => {
    world = await startDkimWorld(SQLITE, createDice(1), SETTINGS);
  });

  test('keeps the old key on request until the new one has settled, and destroys it when it is revoked', async () => {
    const tenant = await verified('a');
    await world.rotate(tenant);
    expect(await statesOf(tenant)).toEqual(['ed2 active', 'ed2 pending', 'rsa active', 'rsa pending']);
    await world.publish(tenant);
    await world.checks.checkSubTenant(tenant);
    expect(await statesOf(tenant)).toEqual(['ed2 active', 'ed2 published', 'rsa active', 'rsa published']);
    world.clock.advance(HOUR);
    await world.checks.checkSubTenant(tenant);
    expect(await statesOf(tenant)).toEqual(['ed2 active', 'ed2 retiring', 'rsa active', 'rsa retiring']);
    expect(await world.trailOf(tenant)).toEqual(['dkim_rotation_started', 'dkim_rotation_completed']);
    world.clock.advance(14 * DAY);
    await world.keyRotation.run();
    expect(await statesOf(tenant)).toEqual(['ed2 active', 'ed2 revoked', 'rsa active', 'rsa revoked']);
    const sealed = (await rsaOf(tenant)).map((key) => [key.state, key.private_key_sealed !== '']);
    expect(sealed).toEqual([
      ['revoked', false],
      ['active', true],
    ]);
    world.clock.advance(30 * DAY);
    await world.keyRotation.run();
    expect(await statesOf(tenant)).toEqual(['ed2 active', 'ed2 retired', 'rsa active', 'rsa retired']);
  });

  test('retries in the next tick after a failed commit, which leaves no changes', async () => {
    const tenant = await verified('a');
    world.clock.advance(181 * DAY);
    const before = await statesOf(tenant);
    world.failCommits(true);
    await expect(world.keyRotation.run()).rejects.toThrow('keys were not moved');
    expect(await statesOf(tenant)).toEqual(before);
    expect(await world.trailOf(tenant)).toEqual([]);
    world.failCommits(false);
    world.restart();
    await world.keyRotation.run();
    expect(await statesOf(tenant)).toEqual(['ed2 active', 'ed2 pending', 'rsa active', 'rsa pending']);
    expect(await world.trailOf(tenant)).toEqual(['dkim_rotation_started']);
  });

  test('spreads keys that were created together, and rotates none too late', async () => {
    const tenants: WorldTenant[] = [];
    for (const name of ['a', 'b', 'c']) tenants.push(await verified(name, 'txt'));
    const days = new Set<number>();
    for (let day = 160; day <= 180; day++) {
      world.clock.advance((day === 160 ? 160 : 1) * DAY);
      const before = (await Promise.all(tenants.map(rsaOf))).flat().length;
      await world.keyRotation.run();
      if ((await Promise.all(tenants.map(rsaOf))).flat().length > before) days.add(day);
    }
    expect((await Promise.all(tenants.map(rsaOf))).flat()).toHaveLength(6);
    expect(days.size).toBeGreaterThan(1);
    expect(Math.min(...days)).toBeGreaterThanOrEqual(162);
  });

  test('replaces a rotation that a customer never completes when aliases are chosen', async () => {
    const tenant = await verified('a');
    world.clock.advance(181 * DAY);
    await world.keyRotation.run();
    world.clock.advance(20 * DAY);
    await world.checks.checkSubTenant(tenant);
    expect(await world.send(tenant)).toBe('signed');
    await expect(world.rotate(tenant)).rejects.toThrow('New DKIM keys are already waiting');
    await world.rotate(tenant, { mode: 'cname' });
    await world.publish(tenant);
    await world.checks.checkSubTenant(tenant);
    world.clock.advance(HOUR);
    await world.checks.checkSubTenant(tenant);
    expect((await rsaOf(tenant)).map(({ state, selector }) => [state, selector.replace(/-.*/, '')])).toEqual([
      ['retiring', 'rsa'],
      ['retired', 'rsa'],
      ['active', 'svc1'],
    ]);
    expect(world.told.unseen).toEqual([]);
  });

  test('reports until when both names are taken', async () => {
    const tenant = await verified('a', 'cname');
    await world.rotate(tenant);
    await world.checks.checkSubTenant(tenant);
    world.clock.advance(HOUR);
    await world.checks.checkSubTenant(tenant);
    const until = new Date(world.clock.now() + 44 * DAY).toISOString();
    const refusal: unknown = await world.rotate(tenant).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(Refusal);
    expect(refusal).toMatchObject({ code: 'conflict', details: { until } });
    world.clock.advance(14 * DAY);
    await world.keyRotation.run();
    world.clock.advance(30 * DAY);
    await world.keyRotation.run();
    await world.rotate(tenant);
    expect((await rsaOf(tenant)).map(({ slot, state }) => [slot, state])).toEqual([
      [0, 'retired'],
      [1, 'active'],
      [0, 'pending'],
    ]);
  });

  test('in an emergency stops signing with the old key, holds mail, and empties its record a minute later', async () => {
    const tenant = await verified('a', 'zone');
    expect(await world.send(tenant)).toBe('signed');
    await world.rotate(tenant, { emergency: true });
    // The signers' caches of a few seconds are cleared immediately.
    expect(await world.send(tenant)).toBe('held');
    const host = `svc1._domainkey.${tenant.domain}`;
    expect((await world.dns.authority(host, 'TXT')).texts[0]).toMatch(/p=.+/);
    world.clock.advance(MINUTE);
    await world.keyRotation.run();
    expect((await world.dns.authority(host, 'TXT')).texts).toEqual(['v=DKIM1; p=']);
    expect(
      (await rsaOf(tenant)).map(({ state, private_key_sealed }) => [state, private_key_sealed === '']),
    ).toEqual([
      ['revoked', true],
      ['pending', false],
    ]);
    await world.checks.checkSubTenant(tenant);
    expect(await world.send(tenant)).toBe('signed');
    expect(await world.trailOf(tenant)).toEqual(['dkim_rotation_started', 'dkim_rotation_completed']);
    // The name of the revoked key is free immediately.
    await world.rotate(tenant, { emergency: true });
    expect(await world.send(tenant)).toBe('held');
    await world.checks.checkSubTenant(tenant);
    expect(await world.send(tenant)).toBe('held');
    world.clock.advance(5 * MINUTE);
    await world.checks.checkSubTenant(tenant);
    expect(await world.send(tenant)).toBe('signed');
    await expect(world.rotate(tenant)).resolves.toBeUndefined();
  });

  test('in an emergency uses pending new keys as soon as they are seen', async () => {
    const tenant = await verified('a');
    await world.rotate(tenant);
    await world.rotate(tenant, { emergency: true });
    expect(await statesOf(tenant)).toEqual(['ed2 pending', 'ed2 retiring', 'rsa pending', 'rsa retiring']);
    await expect(world.rotate(tenant, { emergency: true })).rejects.toThrow(
      'New DKIM keys are already waiting',
    );
    expect(await world.send(tenant)).toBe('held');
    await world.publish(tenant);
    await world.checks.checkSubTenant(tenant);
    expect(await world.send(tenant)).toBe('signed');
  });

  test('shows a message with its original signature as long as the key exists', async () => {
    const tenant = await verified('a', 'zone');
    const [first] = await rsaOf(tenant);
    const signedAt = Math.floor(world.clock.now() / 1000);
    await world.rotate(tenant);
    await world.checks.checkSubTenant(tenant);
    world.clock.advance(HOUR);
    await world.checks.checkSubTenant(tenant);
    const signing = new SigningKeys(world.store, WORLD_MASTER_KEY, world.clock.now);
    const deliverable = {
      message: { from_email: `a@${tenant.domain}`, sub_tenant_id: tenant.id, forward: null },
      tenant: { sending_domain: tenant.domain },
      workspaceId: 'ws_1',
      // the columns that signing reads
    } as unknown as Deliverable;
    const selectorsAt = async (at: number): Promise<string[]> => {
      const found = await signing.signersOf(deliverable, at);
      return found.kind === 'signers' ? found.signers.map(({ selector }) => selector) : [];
    };
    expect(await selectorsAt(signedAt)).toContain(first?.selector);
    expect(await selectorsAt(Math.floor(world.clock.now() / 1000))).toEqual(
      expect.not.arrayContaining([first?.selector]),
    );
    world.clock.advance(14 * DAY);
    await world.keyRotation.run();
    expect(await selectorsAt(signedAt)).toEqual([]);
  });

  test('rotates keys of senders and of the platform by age too, without trail entries', async () => {
    const store = world.store;
    const now = world.clock.now();
    const context = {
      store,
      clock: world.clock.now,
      zone: null,
      lifecycle: LIFECYCLE,
      rotationMs: 180 * DAY,
      forgetKeys: () => undefined,
    };
    const rotations = new KeyRotation(context, world.rotations);
    const platform = { store, masterKey: WORLD_MASTER_KEY, clock: world.clock.now };
    await ensurePlatformKey({ ...platform, platformDomain: 'ph.example' });
    const where = { owner_id: 'platform', state: 'pending' as const };
    const set = { state: 'active' as const, activated_at: now };
    await store.commit([update(dkimKeys, { set, where })]);
    world.clock.advance(181 * DAY);
    await rotations.run();
    await rotations.run();
    const keys = await store.domains.dkimKeys(['platform']);
    expect(keys.map(({ state }) => state).sort()).toEqual(['active', 'active', 'pending', 'pending']);
    // A different platform domain: the records of the former one remain in DNS for a while.
    await ensurePlatformKey({ ...platform, platformDomain: 'new.example' });
    const after = await store.domains.dkimKeys(['platform']);
    expect(after.map(({ domain, state }) => `${domain} ${state}`).sort()).toEqual([
      'new.example pending',
      'new.example pending',
      'ph.example retired',
      'ph.example retired',
      'ph.example retiring',
      'ph.example retiring',
    ]);
  });
});
