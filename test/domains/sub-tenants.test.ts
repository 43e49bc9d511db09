import { afterEach, describe, expect, test } from 'vitest';
import { CHAIN_START } from '../../src/events/chain.rules.js';
import type { CheckedRecord } from '../../src/domains/check-records.js';
import { POSITIONS_PER_WORKSPACE } from '../../src/events/chains.store.js';
import { createStore } from '../../src/app/store.js';
import { PLATFORM_OWNER } from '../../src/domains/domains.store.js';
import { environmentRowId } from '../../src/accounts/workspace-plan.js';
import { computeFindings, keyLookups } from '../../src/domains/check-domain.js';
import { adviceFor } from '../../src/domains/dns-advice.js';
import { readSendingDomain } from '../../src/domains/domain-name.js';
import {
  describeDrift,
  expectedRecords,
  recordKey,
  withResults,
  type DomainResults,
} from '../../src/domains/domain-records.js';
import { ensurePlatformKey, platformRecords } from '../../src/domains/platform.js';
import { systemEnvironment } from '../../src/messages/system-mail/system-workspace.js';
import { engineKinds } from '../support/open-engines.js';
import { MASTER_KEY, startTenantRig, type TenantRig } from '../support/tenant-rig.js';
import type { DkimKey } from '../../src/domains/domains.tables.js';

const NOW = 1_000_000;
const SETTINGS = { hostname: 'ph.example' };
const OWNER = { id: 'tnt_1', domain: 'a.example' };

function key(algorithm: DkimKey['algorithm'], state: DkimKey['state'] = 'pending'): DkimKey {
  const selector = algorithm === 'rsa-sha256' ? 'rsa-1' : 'ed-1';
  return {
    id: selector,
    owner_id: 'tnt_1',
    domain: 'a.example',
    selector,
    algorithm,
    private_key_sealed: '',
    record_value: `v=DKIM1; p=${selector}`,
    state,
    slot: null,
    published_at: null,
    activated_at: null,
    retiring_at: null,
    revoke_at: null,
    revoked_at: null,
    created_at: 0,
  };
}

const KEYS = [key('ed25519-sha256'), key('rsa-sha256')];

/** The records as a check finds them, all valid except those named by purpose and type. */
function checked(keys: readonly DkimKey[], others: Record<string, CheckedRecord['status']>): CheckedRecord[] {
  return expectedRecords(OWNER, keys, SETTINGS).map((record) => {
    const status = others[record.host.split('.')[0] ?? ''] ?? others[record.purpose] ?? 'ok';
    return { ...record, status, found: status === 'ok' ? [record.value] : [] };
  });
}

describe('the records of a domain', () => {
  test('require the RSA key and nothing else', () => {
    const required = expectedRecords(OWNER, KEYS, SETTINGS).filter((record) => record.required);
    expect(required.map((record) => record.host)).toEqual(['rsa-1._domainkey.a.example']);
  });

  test('leave retired keys out', () => {
    const records = expectedRecords(OWNER, [key('rsa-sha256', 'retired')], SETTINGS);
    expect(records.some((record) => record.purpose === 'dkim')).toBe(false);
  });
});

const seen = (
  keys: readonly DkimKey[],
  others: Record<string, CheckedRecord['status']>,
  previous: DomainResults = {},
  now = NOW,
) => computeFindings({ keys, checked: checked(keys, others), behindAliases: [], previous }, now);

describe('findings', () => {
  test('with correct records meet all requirements for each key and the return path', () => {
    const findings = seen(KEYS, {});
    expect(findings).toMatchObject({ hasRequired: true, isReturnPathOk: true });
    expect(keyLookups(findings.keys)).toEqual(
      new Map([
        ['ed-1', true],
        ['rsa-1', true],
      ]),
    );
  });

  test('of a failed look-up are unknown and change nothing', () => {
    const before = seen(KEYS, {}).results;
    const failed = { 'rsa-1': 'pending', 'ed-1': 'pending', bounce: 'pending', dmarc: 'pending' } as const;
    const findings = seen(KEYS, failed, before, NOW + 1);
    expect(findings).toMatchObject({ hasRequired: false, isReturnPathOk: null, results: before });
    expect([...keyLookups(findings.keys).values()]).toEqual([null, null]);
  });

  test('of a domain without keys meet no requirement', () => {
    expect(seen([], {}).hasRequired).toBe(false);
  });

  test('of a key behind an alias depend on the text and not the alias', () => {
    const aliased = { ...key('rsa-sha256', 'active'), selector: 'svc1', slot: 0 };
    const settings = { ...SETTINGS, dnsZone: 'z.example' };
    const owner = { ...OWNER, dkimMode: 'cname' as const };
    const records = expectedRecords(owner, [aliased], settings).map((record) => ({
      ...{ ...record, status: 'ok' as const, found: [record.value] },
    }));
    const host = 'svc1._domainkey.a.example';
    expect(records.find((record) => record.host === host)).toMatchObject({
      type: 'CNAME',
      value: 'svc1.1.dkim.z.example',
      required: true,
    });
    const text = {
      purpose: 'dkim',
      type: 'TXT',
      host,
      value: aliased.record_value,
      required: false,
    } as const;
    const behindAliases: CheckedRecord[] = [{ ...text, status: 'missing', found: [] }];
    const findings = computeFindings({ keys: [aliased], checked: records, behindAliases, previous: {} }, NOW);
    expect(findings.hasRequired).toBe(true);
    expect(findings.keys.get(aliased.id)).toEqual({ recordState: 'missing', found: [] });
  });

  test('of a record that disappeared fail since the first check without it', () => {
    const active = [key('rsa-sha256', 'active'), key('ed25519-sha256', 'active')];
    const right = seen(active, {}).results;
    const gone = seen(active, { 'rsa-1': 'missing' }, right, NOW + 5).results;
    const still = seen(active, { 'rsa-1': 'mismatch' }, gone, NOW + 9).results;
    const records = withResults(expectedRecords(OWNER, active, SETTINGS), still);
    expect(records.find(({ required }) => required)?.failing_since).toBe(NOW + 5);
    expect(describeDrift({ drifting_since: NOW + 5, taken_over_at: null }, active, records)).toEqual({
      drifting: true,
      failing_since: NOW + 5,
      detail: 'The DKIM record at rsa-1._domainkey.a.example does not match the signing key.',
    });
    expect(describeDrift({ drifting_since: null, taken_over_at: null }, active, records).drifting).toBe(
      false,
    );
  });

  test('keep a limited amount of published text', () => {
    const flood = Array.from({ length: 50 }, () => 'x'.repeat(5_000));
    const all = checked(KEYS, {}).map((record) => ({ ...record, status: 'mismatch' as const, found: flood }));
    const { results } = computeFindings({ keys: KEYS, checked: all, behindAliases: [], previous: {} }, NOW);
    for (const { found } of Object.values(results)) expect(found.join('').length).toBeLessThanOrEqual(10_000);
  });
});

test('every incorrect record has advice with its host', () => {
  for (const record of expectedRecords(OWNER, KEYS, SETTINGS)) {
    const known = { ...record, found: [], failing_since: null };
    expect(adviceFor({ ...known, status: 'ok' })).toBeNull();
    for (const status of ['pending', 'missing', 'mismatch'] as const) {
      const advice = adviceFor({ ...known, status });
      expect(advice, `${recordKey(record)} ${status}`).toContain(record.host);
      expect(advice).toMatch(/\.$/);
    }
  }
});

test.each([
  ['Acme.Example.', 'acme.example'],
  [' acme.example ', 'acme.example'],
  ['ümlaut.example', 'xn--mlaut-jva.example'],
  ['mail.shop.co.uk', 'mail.shop.co.uk'],
])('stores the sending domain %j as %s', (input, expected) => {
  expect(readSendingDomain(input, 'domain')).toBe(expected);
});

test.each(['', 'com', 'co.uk', '127.0.0.1', 'a..example', 'a_b.example', '[::1]', 'own.example'])(
  'refuses the sending domain %j',
  (input) => {
    expect(() => readSendingDomain(input, 'domain', ['own.example'])).toThrow(
      expect.objectContaining({ code: 'validation_error', param: 'domain' }),
    );
  },
);

describe('the platform domain', () => {
  let rig: TenantRig;

  afterEach(async () => {
    await rig.close();
  });

  const statesOf = async () => (await rig.store.domains.dkimKeys([PLATFORM_OWNER])).map((each) => each.state);

  test('gets its keys once, and they sign when DNS shows them', async () => {
    rig = await startTenantRig({ platformDomain: 'ph.example' });
    const deps = { store: rig.store, masterKey: MASTER_KEY, clock: rig.clock.now };
    const again = await ensurePlatformKey({ ...deps, platformDomain: 'ph.example' });
    expect(await statesOf()).toEqual(['pending', 'pending']);
    const settings = {
      ...SETTINGS,
      platformDomain: 'ph.example',
      bounceDomain: 'bounce.ph.example',
      inboundDomain: 'in.ph.example',
    };
    const records = await platformRecords(rig.store, settings);
    expect(records.map(({ purpose, type, host }) => `${purpose} ${type} ${host}`)).toEqual([
      `dkim TXT ${again.find((each) => each.algorithm === 'rsa-sha256')?.selector ?? ''}._domainkey.ph.example`,
      `dkim TXT ${again.find((each) => each.algorithm !== 'rsa-sha256')?.selector ?? ''}._domainkey.ph.example`,
      'return_path MX bounce.ph.example',
      'return_path TXT bounce.ph.example',
      'spf TXT ph.example',
      'dmarc TXT _dmarc.ph.example',
      'inbound MX in.ph.example',
    ]);
    await rig.checks.checkPlatform();
    expect(await statesOf()).toEqual(['pending', 'pending']);
    rig.publish(records);
    await rig.checks.checkPlatform();
    expect(await statesOf()).toEqual(['active', 'active']);
  });

  test('retires its keys when the server gets another domain or none', async () => {
    rig = await startTenantRig({ platformDomain: 'ph.example' });
    const deps = { store: rig.store, masterKey: MASTER_KEY, clock: rig.clock.now };
    await ensurePlatformKey({ ...deps, platformDomain: 'new.example' });
    expect((await statesOf()).sort()).toEqual(['pending', 'pending', 'retired', 'retired']);
    expect(await ensurePlatformKey({ ...deps, platformDomain: null })).toEqual([]);
    expect(await statesOf()).toEqual(['retired', 'retired', 'retired', 'retired']);
  });
});

describe.each(engineKinds())('the system workspace on $name', (kind) => {
  test('is created once, even in simultaneous starts', async () => {
    const opened = await kind.openMigrated();
    const store = createStore(opened.engine, { maxGroup: 10 });
    const [one, two] = await Promise.all([systemEnvironment(store, NOW), systemEnvironment(store, NOW)]);
    expect(one).toEqual(two);
    expect(await systemEnvironment(store, NOW)).toEqual(one);
    expect(one.mode).toBe('live');
    expect(one.environmentId).toBe(environmentRowId(one.workspaceNumber, 'live'));
    expect(Number.isSafeInteger((one.workspaceNumber + 1) * POSITIONS_PER_WORKSPACE - 1)).toBe(true);
    const head = await store.events.chainHead(one.workspaceNumber);
    expect(head.seq).toBe(0);
    expect(Buffer.from(head.hash)).toEqual(Buffer.from(CHAIN_START));
    await opened.close();
  });
});
