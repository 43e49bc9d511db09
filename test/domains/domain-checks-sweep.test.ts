import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { nextCheckAt } from '../../src/domains/check-time.rules.js';
import type { Scope } from '../../src/database/scope.js';
import { DomainChecks } from '../../src/domains/domain-checks-sweep.js';
import { Rotations } from '../../src/domains/keys/rotation.js';
import { CHECK_TERMS, MASTER_KEY, startTenantRig, type TenantRig } from '../support/tenant-rig.js';
import { sized } from '../support/run-size.js';
import type { Change } from '../../src/database/change.js';
import { subTenants } from '../../src/tenants/tenants.tables.js';
import { insert, update } from '../../src/database/rows.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let shared: TenantRig;
beforeAll(async () => {
  shared = await startTenantRig();
});
afterAll(() => shared.close());

let rig: TenantRig | null = null;

afterEach(async () => {
  await rig?.close();
  rig = null;
});

const INTERVALS = { usualMs: HOUR, driftMs: 5 * MINUTE, keyMs: 5 * MINUTE };

const sweepOf = (
  { store, checks, clock }: TenantRig,
  wish: { checks?: ConstructorParameters<typeof DomainChecks>[1]; checksPerRun?: number } = {},
) =>
  new DomainChecks(
    { store, clock: clock.now, intervals: INTERVALS, checksPerRun: wish.checksPerRun ?? 1_000 },
    wish.checks ?? checks,
  );

const newTenant = (from: TenantRig, scope: Scope, domain: string) =>
  from.subTenants.create(scope, { name: domain, sendingDomain: domain, externalId: null, dkim: null });

/** Checks that only record the sub-tenants and times. */
function watcher(from: TenantRig) {
  const seen: { id: string; at: number }[] = [];
  const note = ({ id }: { id: string }) => {
    seen.push({ id, at: from.clock.now() });
    return Promise.resolve();
  };
  return {
    seen,
    checks: { checkSubTenant: note, checkSender: note, checkPlatform: () => Promise.resolve() },
  };
}

test('tenants, domain senders and the platform are verified automatically once DNS is correct', async () => {
  rig = await startTenantRig({ platformDomain: 'ph.example' });
  const sweep = sweepOf(rig);
  const scope = await rig.scopeOf('live');
  const tenant = await newTenant(rig, scope, 'a.example');
  const sender = await rig.senders.create(scope, { kind: 'domain', domain: 'b.example' });
  await sweep.run();
  expect((await rig.subTenants.read(scope, tenant.id)).status).toBe('pending_verification');
  for (const key of await rig.store.domains.dkimKeys([tenant.id, sender.id, 'platform'])) {
    rig.dns.set(`${key.selector}._domainkey.${key.domain}`, 'TXT', [key.record_value]);
  }
  const asked = rig.dns.queries.length;
  await sweep.run();
  expect(rig.dns.queries.length).toBe(asked);
  rig.clock.advance(MINUTE);
  await sweep.run();
  expect((await rig.subTenants.read(scope, tenant.id)).status).toBe('verified');
  expect((await rig.senders.read(scope, sender.id)).status).toBe('verified');
  const keys = await rig.store.domains.dkimKeys([tenant.id, sender.id, 'platform']);
  expect(keys.map((key) => key.state)).toEqual(Array.from({ length: 6 }, () => 'active'));
});

test('a domain without verification for two weeks fails until it is verified on request', async () => {
  rig = await startTenantRig({ beside: shared });
  const { clock } = rig;
  const sweep = sweepOf(rig);
  const scope = await rig.scopeOf('live');
  const { id } = await newTenant(rig, scope, 'a.example');
  clock.advance(14 * DAY + 1);
  await sweep.run();
  expect((await rig.subTenants.read(scope, id)).status).toBe('failed');
  expect((await rig.subTenants.verify(scope, id)).status).toBe('pending_verification');
});

test('a stopped sweep ends after the checks in progress, and the others are due again', async () => {
  rig = await startTenantRig({ beside: shared });
  const scope = await rig.scopeOf('live');
  const rows = Array.from({ length: 40 }, (_, i) => `d${i}.example`);
  for (const domain of rows) await newTenant(rig, scope, domain);
  const { seen, checks } = watcher(rig);
  const sweep = sweepOf(rig, {
    checks: {
      ...checks,
      checkSubTenant: (tenant) => {
        sweep.stop();
        return checks.checkSubTenant(tenant);
      },
    },
  });
  rig.clock.advance(HOUR);
  await sweep.run();
  const begun = seen.length;
  expect(begun).toBeLessThan(rows.length);
  await sweepOf(rig, { checks }).run();
  expect(new Set(seen.map(({ id }) => id)).size).toBe(rows.length);
  expect(seen).toHaveLength(rows.length);
});

test('the sweep continues a requested verification of a failed domain whose check was interrupted', async () => {
  rig = await startTenantRig({ beside: shared });
  const { clock, recordCheck } = rig;
  const sweep = sweepOf(rig);
  const scope = await rig.scopeOf('live');
  const tenant = await newTenant(rig, scope, 'a.example');
  const sender = await rig.senders.create(scope, { kind: 'domain', domain: 'b.example' });
  clock.advance(14 * DAY + 1);
  await sweep.run();
  const lookUp = vi.spyOn(recordCheck, 'lookUpRecords').mockRejectedValue(new Error('the process ends'));
  await expect(rig.subTenants.verify(scope, tenant.id)).rejects.toThrow('the process ends');
  await expect(rig.senders.verify(scope, sender.id)).rejects.toThrow('the process ends');
  lookUp.mockRestore();
  for (const key of await rig.store.domains.dkimKeys([tenant.id, sender.id])) {
    rig.dns.set(`${key.selector}._domainkey.${key.domain}`, 'TXT', [key.record_value]);
  }
  clock.advance(MINUTE);
  await sweep.run();
  expect((await rig.subTenants.read(scope, tenant.id)).status).toBe('verified');
  expect((await rig.senders.read(scope, sender.id)).status).toBe('verified');
});

test('keys that are created during a check are checked in the next tick', async () => {
  rig = await startTenantRig({ beside: shared });
  const { store, clock, recordCheck, checks } = rig;
  const scope = await rig.scopeOf('live');
  const tenant = await newTenant(rig, scope, 'a.example');
  const sender = await rig.senders.create(scope, { kind: 'domain', domain: 'b.example' });
  for (const key of await store.domains.dkimKeys([tenant.id, sender.id])) {
    rig.dns.set(`${key.selector}._domainkey.${key.domain}`, 'TXT', [key.record_value]);
  }
  await checks.checkSubTenant(tenant);
  await checks.checkSender(sender);
  clock.advance(HOUR);
  const rotations = new Rotations({
    store,
    masterKey: MASTER_KEY,
    lifecycle: CHECK_TERMS.lifecycle,
    zone: null,
    clock: clock.now,
    wakeUps: { events: () => undefined },
    forgetKeys: () => undefined,
  });
  const live = { environmentId: scope.environmentId, workspaceNumber: scope.workspaceNumber };
  const owners = [
    { id: tenant.id, domain: 'a.example', mode: 'txt', trail: live },
    { id: sender.id, domain: 'b.example', mode: 'txt', trail: null },
  ] as const;
  for (const owner of owners) {
    const look = recordCheck.lookUpRecords.bind(recordCheck);
    const spy = vi.spyOn(recordCheck, 'lookUpRecords').mockImplementationOnce(async (...asked) => {
      const found = await look(...asked);
      expect(await rotations.begin(owner)).toEqual({ kind: 'started' });
      return found;
    });
    await (owner.trail ? checks.checkSubTenant(owner) : checks.checkSender(owner));
    spy.mockRestore();
  }
  const soon = clock.now() + CHECK_TERMS.intervals.keyMs;
  expect((await store.domainChecks.tenant(tenant.id))?.row.next_check_at).toBeLessThanOrEqual(soon);
  expect((await store.domainChecks.sender(sender.id))?.next_check_at).toBeLessThanOrEqual(soon);
});

test('a check that cannot be stored is reported and does not stop the others', async () => {
  rig = await startTenantRig({ beside: shared });
  const scope = await rig.scopeOf('live');
  const ids: string[] = [];
  for (const domain of ['a.example', 'b.example', 'c.example']) {
    ids.push((await newTenant(rig, scope, domain)).id);
  }
  const { seen, checks } = watcher(rig);
  const checkSubTenant = async (tenant: { id: string }) => {
    await checks.checkSubTenant(tenant);
    if (tenant.id === ids[1]) throw new Error('no disk');
  };
  const sweep = sweepOf(rig, { checks: { ...checks, checkSubTenant } });
  await expect(sweep.run()).rejects.toThrow('1 domain checks failed');
  expect(seen.map(({ id }) => id).sort()).toEqual(ids.sort());
});

test('a tick checks the longest overdue domains up to its limit', async () => {
  rig = await startTenantRig({ beside: shared });
  const scope = await rig.scopeOf('live');
  const first = await newTenant(rig, scope, 'a.example');
  rig.clock.advance(1);
  const second = await newTenant(rig, scope, 'b.example');
  rig.clock.advance(1);
  await rig.senders.create(scope, { kind: 'domain', domain: 'c.example' });
  const { seen, checks } = watcher(rig);
  const sweep = sweepOf(rig, { checks, checksPerRun: 1 });
  await sweep.run();
  expect(seen.map(({ id }) => id)).toEqual([first.id, expect.stringMatching(/^snd_/)]);
  await sweep.run();
  expect(seen.at(-1)?.id).toBe(second.id);
  await sweep.run();
  expect(seen).toHaveLength(3);
});

test('one of two sweeps checks a domain, and domains that it did not reach are checked later', async () => {
  rig = await startTenantRig({ beside: shared });
  const scope = await rig.scopeOf('live');
  const { id } = await newTenant(rig, scope, 'a.example');
  const [one, other] = [watcher(rig), watcher(rig)];
  const sweeps = [one, other].map(({ checks }) => sweepOf(rig as TenantRig, { checks }));
  await Promise.all(sweeps.map((sweep) => sweep.run()));
  expect([...one.seen, ...other.seen]).toHaveLength(1);
  rig.clock.advance(10 * MINUTE);
  await Promise.all(sweeps.map((sweep) => sweep.run()));
  expect([...one.seen, ...other.seen].map((each) => each.id)).toEqual([id, id]);
});

test('thousands of verified domains of an earlier release are spread over an hour, with one check each', async () => {
  const count = sized({ small: 1_200, full: 10_000 });
  rig = await startTenantRig({ beside: shared });
  const { store, clock } = rig;
  const scope = await rig.scopeOf('live');
  const { id: patternId } = await newTenant(rig, scope, 'pattern.example');
  const pattern = (await store.domainChecks.tenant(patternId))?.row;
  if (!pattern) throw new Error('no pattern');
  const rows = Array.from({ length: count }, (_, i) => ({
    ...pattern,
    ...{ id: `tnt_${i}`, sending_domain: `t${i}.example`, status: 'verified' as const, verified_at: 1 },
    next_check_at: null,
  }));
  for (let at = 0; at < rows.length; at += 500) {
    await store.commit(rows.slice(at, at + 500).map((row) => insert(subTenants, { row })));
  }
  await rig.subTenants.remove(scope, patternId);
  const { seen, checks } = watcher(rig);
  const sweep = sweepOf(rig, { checks });
  const verified = { status: 'verified', created_at: 0, updated_at: 0, drifting_since: null } as const;
  const perMinute: number[] = [];
  for (let minute = 0; minute < 70; minute++) {
    await sweep.run();
    const looked = seen.splice(0);
    perMinute.push(looked.length);
    await store.commit(
      looked.map(({ id, at }): Change => {
        const set = { next_check_at: nextCheckAt({ id, ...verified }, [], at, INTERVALS) };
        return update(subTenants, { set, where: { id } });
      }),
    );
    clock.advance(MINUTE);
  }
  const hour = perMinute.slice(1, 61);
  expect(hour.reduce((sum, count) => sum + count)).toBe(count);
  expect(Math.max(...hour)).toBeLessThan(sized({ small: 40, full: 230 }));
  expect(Math.min(...hour)).toBeGreaterThan(sized({ small: 6, full: 100 }));
  expect(perMinute.slice(61)).toEqual(perMinute.slice(1, 10));
}, 60_000);
