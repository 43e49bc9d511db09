import { afterEach, expect, test } from 'vitest';
import { createDomainChecks, isCheckDue, type CheckedRow } from '../../src/work/sweeps/domain-checks.js';
import { startTenantRig, type TenantRig } from '../support/tenant-rig.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW = 100 * DAY;

let rig: TenantRig | null = null;

afterEach(async () => {
  await rig?.close();
  rig = null;
});

const row = (fields: Partial<CheckedRow>): CheckedRow => ({
  id: 'tnt_1',
  status: 'verified',
  created_at: 0,
  updated_at: 0,
  last_checked_at: NOW - 2 * HOUR,
  ...fields,
});

test.each<[string, Partial<CheckedRow>, boolean]>([
  ['verified, an hour ago', { last_checked_at: NOW - HOUR }, true],
  ['verified, half an hour ago', { last_checked_at: NOW - HOUR / 2 }, false],
  ['paused, an hour ago', { status: 'paused', last_checked_at: NOW - HOUR }, true],
  ['never looked at', { last_checked_at: null }, true],
  [
    'new and pending, a minute ago',
    { status: 'pending_verification', created_at: NOW - 5 * MINUTE, last_checked_at: NOW - MINUTE },
    true,
  ],
  [
    'asked for again and pending, a minute ago',
    { status: 'pending_verification', updated_at: NOW - 5 * MINUTE, last_checked_at: NOW - MINUTE },
    true,
  ],
  ['old and pending, a minute ago', { status: 'pending_verification', last_checked_at: NOW - MINUTE }, false],
  ['old and pending, an hour ago', { status: 'pending_verification', last_checked_at: NOW - HOUR }, true],
  ['failed', { status: 'failed', last_checked_at: NOW - DAY }, false],
])('%s: due is %s', (_name, fields, isDue) => {
  expect(isCheckDue(row(fields), NOW, HOUR)).toBe(isDue);
});

test('domains that were checked together come due over some minutes', () => {
  const dueAt = (id: string) => {
    for (let minute = 0; ; minute++) {
      if (isCheckDue(row({ id, last_checked_at: NOW }), NOW + minute * MINUTE, HOUR)) return minute;
    }
  };
  const minutes = Array.from({ length: 200 }, (_, i) => dueAt(`tnt_${i}`));
  expect(Math.max(...minutes)).toBeLessThanOrEqual(60);
  expect(Math.min(...minutes)).toBeGreaterThanOrEqual(54);
  expect(new Set(minutes).size).toBeGreaterThan(4);
});

test('tenants, domain senders and the platform are verified by themselves once DNS is right', async () => {
  rig = await startTenantRig({ platformDomain: 'ph.example' });
  const sweep = createDomainChecks({
    store: rig.store,
    checks: rig.checks,
    clock: rig.clock.now,
    intervalMs: HOUR,
  });
  const scope = await rig.scopeOf('live');
  const tenant = await rig.subTenants.create(scope, {
    name: 'A',
    sendingDomain: 'a.example',
    externalId: null,
  });
  const sender = await rig.senders.create(scope, { kind: 'domain', domain: 'b.example' });
  await sweep.run();
  expect((await rig.subTenants.read(scope, tenant.id)).status).toBe('pending_verification');
  for (const key of await rig.store.tenants.dkimKeys([tenant.id, sender.id, 'platform'])) {
    rig.dns.set(`${key.selector}._domainkey.${key.domain}`, 'TXT', [key.record_value]);
  }
  const asked = rig.dns.queries.length;
  await sweep.run();
  expect(rig.dns.queries.length).toBe(asked);
  rig.clock.advance(MINUTE);
  await sweep.run();
  expect((await rig.subTenants.read(scope, tenant.id)).status).toBe('verified');
  expect((await rig.senders.read(scope, sender.id)).status).toBe('verified');
  const keys = await rig.store.tenants.dkimKeys([tenant.id, sender.id, 'platform']);
  expect(keys.map((key) => key.state)).toEqual(Array.from({ length: 6 }, () => 'active'));
});

test('a domain that nobody verified for two weeks has failed until verify is asked for', async () => {
  rig = await startTenantRig();
  const { store, checks, clock } = rig;
  const sweep = createDomainChecks({ store, checks, clock: clock.now, intervalMs: HOUR });
  const scope = await rig.scopeOf('live');
  const { id } = await rig.subTenants.create(scope, {
    name: 'A',
    sendingDomain: 'a.example',
    externalId: null,
  });
  clock.advance(14 * DAY + 1);
  await sweep.run();
  expect((await rig.subTenants.read(scope, id)).status).toBe('failed');
  expect((await rig.subTenants.verify(scope, id)).status).toBe('pending_verification');
});

test('a check that cannot be kept does not stop the others, and is reported', async () => {
  rig = await startTenantRig();
  const { store, subTenants, clock } = rig;
  const scope = await rig.scopeOf('live');
  for (const domain of ['a.example', 'b.example', 'c.example']) {
    await subTenants.create(scope, { name: domain, sendingDomain: domain, externalId: null });
  }
  const seen: string[] = [];
  const checks = {
    checkSubTenant: ({ sending_domain }: { sending_domain: string }) => {
      seen.push(sending_domain);
      return sending_domain === 'b.example' ? Promise.reject(new Error('no disk')) : Promise.resolve();
    },
    checkSender: () => Promise.resolve(),
    checkPlatform: () => Promise.resolve(),
  };
  const sweep = createDomainChecks({ store, checks, clock: clock.now, intervalMs: HOUR });
  await expect(sweep.run()).rejects.toThrow('1 domain checks failed');
  expect(seen.sort()).toEqual(['a.example', 'b.example', 'c.example']);
});
