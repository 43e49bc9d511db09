import { afterEach, describe, expect, test } from 'vitest';
import { CHAIN_START } from '../../src/mail/event-chain.js';
import type { CheckedRecord } from '../../src/net/dns/check-records.js';
import { POSITIONS_PER_WORKSPACE } from '../../src/store/chains.js';
import { migrate } from '../../src/store/migrations/migrate.js';
import { createStore } from '../../src/store/store.js';
import { PLATFORM_OWNER, type DkimKey } from '../../src/store/tenants.js';
import { environmentRowId } from '../../src/work/accounts/bootstrap.js';
import { findingsOf } from '../../src/work/tenants/check-domain.js';
import { adviceFor } from '../../src/work/tenants/dns-advice.js';
import { readSendingDomain } from '../../src/work/tenants/domain-name.js';
import { driftOf, expectedRecords, keyOf, withResults } from '../../src/work/tenants/domain-records.js';
import { ensurePlatformKey, platformRecords } from '../../src/work/tenants/platform.js';
import { systemEnvironment } from '../../src/work/tenants/system-workspace.js';
import { engineKinds } from '../support/open-engines.js';
import { MASTER_KEY, startTenantRig, type TenantRig } from '../support/tenant-rig.js';

const NOW = 1_000_000;
const SETTINGS = { hostname: 'ph.example' };

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
    revoked_at: null,
    created_at: 0,
  };
}

const KEYS = [key('ed25519-sha256'), key('rsa-sha256')];

/** The records as a check answers, all right but for those named by purpose and type. */
function checked(keys: readonly DkimKey[], others: Record<string, CheckedRecord['status']>): CheckedRecord[] {
  return expectedRecords('a.example', keys, SETTINGS).map((record) => {
    const status = others[record.host.split('.')[0] ?? ''] ?? others[record.purpose] ?? 'ok';
    return { ...record, status, found: status === 'ok' ? [record.value] : [] };
  });
}

describe('the records of a domain', () => {
  test('require the RSA key and nothing else', () => {
    const required = expectedRecords('a.example', KEYS, SETTINGS).filter((record) => record.required);
    expect(required.map((record) => record.host)).toEqual(['rsa-1._domainkey.a.example']);
  });

  test('leave retired keys out', () => {
    const records = expectedRecords('a.example', [key('rsa-sha256', 'retired')], SETTINGS);
    expect(records.some((record) => record.purpose === 'dkim')).toBe(false);
  });
});

describe('findings', () => {
  test('of all records right: complete, both keys switched on, the return path ours', () => {
    const findings = findingsOf(KEYS, checked(KEYS, {}), {}, NOW);
    expect(findings).toMatchObject({ isComplete: true, isReturnPathOk: true });
    expect(findings.keyChanges.map((change) => change.set)).toEqual([
      { state: 'active' },
      { state: 'active' },
    ]);
  });

  test('of a failed look-up: nothing is known, nothing changes', () => {
    const before = findingsOf(KEYS, checked(KEYS, {}), {}, NOW).results;
    const failed = checked(KEYS, {
      'rsa-1': 'pending',
      'ed-1': 'pending',
      bounce: 'pending',
      dmarc: 'pending',
    });
    const findings = findingsOf(KEYS, failed, before, NOW + 1);
    expect(findings).toMatchObject({
      isComplete: false,
      isReturnPathOk: null,
      keyChanges: [],
      results: before,
    });
  });

  test('of a domain without keys: never complete', () => {
    expect(findingsOf([], checked([], {}), {}, NOW).isComplete).toBe(false);
  });

  test('of a record that was right and is gone: failing since the check that saw it first', () => {
    const active = [key('rsa-sha256', 'active'), key('ed25519-sha256', 'active')];
    const right = findingsOf(active, checked(active, {}), {}, NOW).results;
    const gone = findingsOf(active, checked(active, { 'rsa-1': 'missing' }), right, NOW + 5);
    expect(gone.keyChanges).toEqual([]);
    const still = findingsOf(active, checked(active, { 'rsa-1': 'mismatch' }), gone.results, NOW + 9);
    const records = withResults(expectedRecords('a.example', active, SETTINGS), still.results);
    expect(driftOf(records)).toMatchObject({ drifting: true, failing_since: NOW + 5 });
  });

  test('of a record that was never right: no drift', () => {
    const { results } = findingsOf(KEYS, checked(KEYS, { 'rsa-1': 'missing' }), {}, NOW);
    const again = findingsOf(KEYS, checked(KEYS, { 'rsa-1': 'missing' }), results, NOW + 5);
    expect(driftOf(withResults(expectedRecords('a.example', KEYS, SETTINGS), again.results)).drifting).toBe(
      false,
    );
  });

  test('switch an optional key off when its record goes', () => {
    const active = [key('ed25519-sha256', 'active'), key('rsa-sha256', 'active')];
    const { keyChanges } = findingsOf(active, checked(active, { 'ed-1': 'missing' }), {}, NOW);
    expect(keyChanges).toMatchObject([{ set: { state: 'pending' }, where: { id: 'ed-1', state: 'active' } }]);
  });
});

test('every record that is not right has advice naming its host', () => {
  for (const record of expectedRecords('a.example', KEYS, SETTINGS)) {
    const known = { ...record, found: [], failing_since: null };
    expect(adviceFor({ ...known, status: 'ok' })).toBeNull();
    for (const status of ['pending', 'missing', 'mismatch'] as const) {
      const advice = adviceFor({ ...known, status });
      expect(advice, `${keyOf(record)} ${status}`).toContain(record.host);
      expect(advice).toMatch(/\.$/);
    }
  }
});

test.each([
  ['Acme.Example.', 'acme.example'],
  [' acme.example ', 'acme.example'],
  ['ümlaut.example', 'xn--mlaut-jva.example'],
  ['mail.shop.co.uk', 'mail.shop.co.uk'],
])('the sending domain %j is kept as %s', (input, expected) => {
  expect(readSendingDomain(input, 'domain')).toBe(expected);
});

test.each(['', 'com', 'co.uk', '127.0.0.1', 'a..example', 'a_b.example', '[::1]', 'own.example'])(
  'the sending domain %j is refused',
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

  const statesOf = async () => (await rig.store.tenants.dkimKeys([PLATFORM_OWNER])).map((each) => each.state);

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

  test('retires its keys when the appliance gets another domain, or none', async () => {
    rig = await startTenantRig({ platformDomain: 'ph.example' });
    const deps = { store: rig.store, masterKey: MASTER_KEY, clock: rig.clock.now };
    await ensurePlatformKey({ ...deps, platformDomain: 'new.example' });
    expect((await statesOf()).sort()).toEqual(['pending', 'pending', 'retired', 'retired']);
    expect(await ensurePlatformKey({ ...deps, platformDomain: null })).toEqual([]);
    expect(await statesOf()).toEqual(['retired', 'retired', 'retired', 'retired']);
  });
});

describe.each(await engineKinds())('the appliance’s own workspace on $name', (kind) => {
  test('is made once, also by two at the same time', async () => {
    const opened = await kind.open();
    await migrate(opened.engine);
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
