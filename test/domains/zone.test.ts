// Tests sub-tenants below Mailkeel's own zone, with the name server for them and the checks that query it.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createRecordCheck } from '../../src/domains/check-records.js';
import {
  createNameServer,
  createResolver,
  type DnsResolver,
  type NameServer,
} from '../../src/lib/dns/index.js';
import { presentAuthentication } from '../../src/domains/sub-tenants/sub-tenant.view.js';
import { namesOfZone, zoneFacts } from '../../src/domains/zone/zone-facts.rules.js';
import { createLog } from '../../src/lib/runtime/index.js';
import type { Scope } from '../../src/database/scope.js';
import { TenantChecks } from '../../src/domains/checks.js';
import { makeDkimKeys } from '../../src/domains/keys/dkim-keys.js';
import {
  expectedRecords,
  ownerOfTenant,
  readResults,
  withResults,
} from '../../src/domains/domain-records.js';
import { SubTenants } from '../../src/domains/sub-tenants/sub-tenants.js';
import { Zone } from '../../src/domains/zone/zone.js';
import { createProbe } from '../../src/lib/smtp/index.js';
import { freePort } from '../support/free-port.js';
import { fixedClock } from '../support/fixed-clock.js';
import { startApi, type StartedApi } from '../support/start-api.js';
import { CHECK_TERMS, MASTER_KEY } from '../support/tenant-rig.js';
import { type DkimKey, dkimKeys } from '../../src/domains/domains.tables.js';
import type { Plan } from '../../src/database/change.js';
import { update } from '../../src/database/rows.js';
import { zoneChecks } from '../../src/operations/preflight/preflight.js';

const ZONE = 'mail.platform.example';
const clock = fixedClock();
const log = createLog('silent');
const facts = zoneFacts(
  {
    dnsZone: ZONE,
    dnsNameServers: null,
    dnsAddresses: ['127.0.0.1'],
    dnsTtlMs: 300_000,
    dnsDmarc: 'v=DMARC1; p=reject',
    spfMechanisms: null,
    hostname: `mx.${ZONE}`,
    publicUrl: `https://go.${ZONE}`,
    bounceDomain: `mx.${ZONE}`,
    inboundDomain: `mx.${ZONE}`,
    platformDomain: ZONE,
    tlsReportAddress: null,
  },
  [],
);
if (facts === null) throw new Error('There is no zone.');
const SETTINGS = {
  hostname: facts.hostname,
  trackingHost: `go.${ZONE}`,
  spfMechanisms: () => facts.spfMechanisms,
  dnsZone: ZONE,
  dnsDmarc: facts.dmarc,
};

let api: StartedApi;
let scope: Scope;
let server: NameServer;
let port: number;
let resolver: DnsResolver;
let subTenants: SubTenants;

beforeAll(async () => {
  api = await startApi({ clock: clock.now });
  const { store } = api;
  scope = await api.scopeOf('live');
  const zone = new Zone({ store, clock: clock.now }, () => facts, null);
  server = createNameServer({
    host: '127.0.0.1',
    port: 0,
    limits: { perNetworkPerMinute: 0, totalPerMinute: 0, connections: 10, idleMs: 1_000 },
    answer: (question) => zone.answer(question),
    clock: clock.now,
    log,
  });
  const listening = await server.start();
  if (!listening.ok) throw new Error(listening.reason);
  port = listening.address.port;
  const servers = [`127.0.0.1:${port}`];
  resolver = createResolver({ servers, timeoutMs: 100, tries: 1, clock: clock.now });
  subTenants = subTenantsWith(checksBy(resolver));
});

afterAll(async () => {
  resolver.close();
  await server.stop();
  await api.close();
});

function checksBy(asked: DnsResolver) {
  return new TenantChecks({
    store: api.store,
    recordCheck: createRecordCheck({ resolver: asked, askAuthority: false, clock: clock.now }),
    settings: SETTINGS,
    trackingProblem: () => Promise.resolve(null),
    ...CHECK_TERMS,
    clock: clock.now,
    tenants: { stop: () => undefined },
    wakeUps: { queue: () => undefined, events: () => undefined },
    forgetKeys: () => undefined,
  });
}

function subTenantsWith(checks: ConstructorParameters<typeof SubTenants>[1], zone: string | null = ZONE) {
  const context = {
    store: api.store,
    masterKey: MASTER_KEY,
    serverNames: facts ? namesOfZone(facts) : [],
    zone,
    clock: clock.now,
    log,
    tenants: { limit: () => undefined, forget: () => undefined },
    nameTenant: () => undefined,
    alsoRemoved: () => [],
  };
  return new SubTenants(context, checks);
}

const wish = (sendingDomain: string, dkim: 'txt' | 'cname' | null = null) => ({
  name: 'Acme',
  sendingDomain,
  externalId: null,
  dkim,
});
const txt = (name: string) => resolver.txt(name, { fresh: true });

async function keysOf(id: string): Promise<DkimKey[]> {
  return api.store.domains.dkimKeys([id]);
}

async function moveKey(key: DkimKey, state: DkimKey['state']): Promise<void> {
  const plan: Plan = [update(dkimKeys, { set: { state }, where: { id: key.id } })];
  await api.store.commit(plan);
}

describe('a sub-tenant below the zone', () => {
  it('is verified on creation, with all records correct', async () => {
    const tenant = await subTenants.create(scope, wish(`Acme.${ZONE}`));
    expect(tenant).toMatchObject({
      sending_domain: `acme.${ZONE}`,
      dkim_mode: 'zone',
      status: 'verified',
      return_path_ok: 1,
      inbound_ok: 1,
      tracking_ok: 1,
    });
    const keys = await keysOf(tenant.id);
    expect(keys.map(({ selector, state }) => [selector, state]).sort()).toEqual([
      ['svc-ed1', 'active'],
      ['svc1', 'active'],
    ]);
    const records = withResults(
      expectedRecords(ownerOfTenant(tenant), keys, SETTINGS),
      readResults(tenant.dns_results),
    );
    expect(records.map(({ purpose, status }) => `${purpose} ${status}`)).toEqual([
      'dkim ok',
      'dkim ok',
      'return_path ok',
      'return_path ok',
      'spf ok',
      'dmarc ok',
      'inbound ok',
      'tracking ok',
    ]);
    expect(records.find(({ purpose }) => purpose === 'dmarc')?.found).toEqual(['v=DMARC1; p=reject']);
  });

  it('waits for the sweep while public DNS does not show it', async () => {
    const dead = createResolver({ servers: ['127.0.0.1:1'], timeoutMs: 100, tries: 1, clock: clock.now });
    const tenant = await subTenantsWith(checksBy(dead)).create(scope, wish(`lost.${ZONE}`));
    expect(tenant).toMatchObject({ dkim_mode: 'zone', status: 'pending_verification' });
    const { records } = presentAuthentication(tenant, await keysOf(tenant.id), SETTINGS);
    expect(records.map(({ advice }) => advice)).toEqual(
      records.map(() => expect.stringContaining(`Delegate the zone ${ZONE} to the service`) as string),
    );
    dead.close();
  });

  it('exists after a moment even if its check is slow or fails', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const endless = subTenantsWith({ checkSubTenant: () => new Promise(() => undefined) });
    let made: unknown = null;
    void endless.create(scope, wish(`slow.${ZONE}`)).then((tenant) => (made = tenant));
    const patience = { timeout: 20_000, interval: 10 };
    await vi.waitFor(async () => {
      await vi.advanceTimersByTimeAsync(500);
      expect(made).toMatchObject({ status: 'pending_verification' });
    }, patience);
    vi.useRealTimers();
    const failing = subTenantsWith({ checkSubTenant: () => Promise.reject(new Error('no')) });
    await expect(failing.create(scope, wish(`broken.${ZONE}`))).resolves.toMatchObject({
      status: 'pending_verification',
    });
  });

  it('is answered according to the current store', async () => {
    const name = `svc1._domainkey.moment.${ZONE}`;
    expect(await txt(name)).toEqual({ kind: 'no_name' });
    const tenant = await subTenants.create(scope, wish(`moment.${ZONE}`));
    const [key] = (await keysOf(tenant.id)).filter(({ selector }) => selector === 'svc1');
    if (!key) throw new Error('There is no key.');
    expect(await txt(name)).toEqual({ kind: 'found', records: [key.record_value] });

    await moveKey(key, 'retiring');
    const next = await makeDkimKeys({
      ownerId: tenant.id,
      domain: tenant.sending_domain,
      masterKey: MASTER_KEY,
      now: clock.advance(1_000),
      slot: 1,
    });
    const [newRsa] = next.changes;
    if (!newRsa) throw new Error('There is no change.');
    await api.store.commit([newRsa]);
    expect(await txt(`svc2._domainkey.moment.${ZONE}`)).toEqual({
      kind: 'found',
      records: [next.rows[0]?.record_value],
    });
    await moveKey(key, 'revoked');
    expect(await txt(name)).toEqual({ kind: 'found', records: ['v=DKIM1; p='] });
    await moveKey(key, 'retired');
    expect(await txt(name)).toEqual({ kind: 'no_name' });

    await subTenants.remove(scope, tenant.id);
    expect(await txt(`_dmarc.moment.${ZONE}`)).toEqual({ kind: 'no_name' });
    expect(await resolver.mx(`bounce.moment.${ZONE}`, { fresh: true })).toEqual({ kind: 'no_name' });
  });

  it('has a name that no other workspace ever gets', async () => {
    const other = { ...scope, workspaceId: 'ws_other' };
    const taken = { code: 'domain_taken', param: 'sending_domain' };
    const tenant = await subTenants.create(scope, wish(`once.${ZONE}`));
    await expect(subTenants.create(other, wish(`once.${ZONE}`))).rejects.toMatchObject(taken);
    await expect(subTenants.create(scope, wish(`once.${ZONE}`))).rejects.toMatchObject(taken);
    await subTenants.remove(scope, tenant.id);
    await expect(subTenants.create(other, wish(`once.${ZONE}`))).rejects.toMatchObject(taken);
    const again = await subTenants.create(scope, wish(`once.${ZONE}`));
    expect(again.status).toBe('verified');
    const names = (await keysOf(again.id)).map(({ selector }) => selector);
    expect(names.sort()).toEqual(['svc-ed2', 'svc2']);
  });

  it.each([[ZONE], [`a.b.${ZONE}`], [`www.${ZONE}`], [`mx.${ZONE}`], [`go.${ZONE}`]])(
    'cannot be %s',
    async (domain) => {
      await expect(subTenants.create(scope, wish(domain))).rejects.toMatchObject({
        code: 'validation_error',
        param: 'sending_domain',
      });
    },
  );

  it('cannot choose how its keys are published', async () => {
    await expect(subTenants.create(scope, wish(`acme.${ZONE}`, 'cname'))).rejects.toMatchObject({
      code: 'validation_error',
      param: 'dkim',
    });
  });
});

describe('a sub-tenant with its own domain', () => {
  it('publishes aliases once, which lead to the keys', async () => {
    const tenant = await subTenants.create(scope, wish('customer.example'));
    expect(tenant).toMatchObject({ dkim_mode: 'cname', status: 'pending_verification' });
    const keys = await keysOf(tenant.id);
    const aliases = expectedRecords(ownerOfTenant(tenant), keys, SETTINGS).filter(
      ({ type }) => type === 'CNAME',
    );
    const target = aliases.find(({ host }) => host === 'svc1._domainkey.customer.example')?.value ?? '';
    const key = keys.find(({ selector }) => selector === 'svc1');
    expect(await txt(target)).toEqual({ kind: 'found', records: [key?.record_value] });
    expect(await txt(target.replace('svc1', 'svc2'))).toEqual({ kind: 'no_name' });
    expect(await txt('svc1._domainkey.customer.example')).toMatchObject({ kind: 'failed' });
    await subTenants.remove(scope, tenant.id);
    expect(await txt(target)).toEqual({ kind: 'no_name' });
  });

  it('can publish each key instead, and must without a zone', async () => {
    expect(await subTenants.create(scope, wish('one.example', 'txt'))).toMatchObject({ dkim_mode: 'txt' });
    const without = subTenantsWith({ checkSubTenant: () => Promise.resolve() }, null);
    expect(await without.create(scope, wish('two.example'))).toMatchObject({ dkim_mode: 'txt' });
    expect(await without.create(scope, wish(`plain.${ZONE}`))).toMatchObject({ dkim_mode: 'txt' });
    await expect(without.create(scope, wish('three.example', 'cname'))).rejects.toMatchObject({
      code: 'validation_error',
      param: 'dkim',
    });
  });
});

it("answers for the server's own names and the keys of its platform domain", async () => {
  const made = await makeDkimKeys({
    ownerId: 'platform',
    domain: ZONE,
    masterKey: MASTER_KEY,
    now: clock.now(),
  });
  await api.store.commit(made.changes);
  const [key] = made.rows;
  expect(await txt(`${key?.selector ?? ''}._domainkey.${ZONE}`)).toEqual({
    kind: 'found',
    records: [key?.record_value],
  });
  expect(await resolver.ns(ZONE)).toEqual({ kind: 'found', records: [`mx.${ZONE}`] });
  expect(await resolver.addresses(`mx.${ZONE}`, [4])).toEqual({ kind: 'found', records: ['127.0.0.1'] });
  expect(await resolver.mx('platform.example')).toEqual({ kind: 'failed', reason: 'refused' });
});

describe('the preflight checks of the zone', () => {
  const results = async (name: string, nameServers: string[], at = port) => {
    const probe = createProbe({ resolver, clock: clock.now });
    const checks = zoneChecks({ resolver, probe, settings: { zone: { name, nameServers, port: at } } });
    const ran = await Promise.all(checks.map((check) => check.run(new AbortController().signal)));
    return ran.flat().map(({ name: check, status }) => `${check} ${status}`);
  };

  it('pass for a server that responds over UDP and TCP', async () => {
    expect(await results(ZONE, [`mx.${ZONE}`])).toEqual(['zone_delegation pass', 'name_server pass']);
  });

  it('report missing records', async () => {
    expect(await results(ZONE, [`mx.${ZONE}`, `ns9.${ZONE}`])).toEqual([
      'zone_delegation warn',
      'name_server pass',
      'name_server fail',
    ]);
    expect(await results(ZONE, [`mx.${ZONE}`], await freePort())).toContain('name_server warn');
    expect(await results('other.example', [`mx.${ZONE}`])).toEqual([
      'zone_delegation unknown',
      'name_server fail',
    ]);
  });
});
