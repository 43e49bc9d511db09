// Tests a sub-tenant whose DKIM record disappears, with a DNS server whose zones the test writes.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readDetail } from '../../src/events/events.store.js';
import type { Scope } from '../../src/database/scope.js';
import { TenantChecks } from '../../src/domains/checks.js';
import { makeDkimKeys, retireKeys } from '../../src/domains/keys/dkim-keys.js';
import { checksThatWait } from '../support/slow-checks.js';
import {
  CHECK_TERMS,
  MASTER_KEY,
  startTenantRig,
  type PublishedRecord,
  type TenantRig,
} from '../support/tenant-rig.js';
import { insert, update } from '../../src/database/rows.js';
import { subTenants, tenantReputations } from '../../src/tenants/tenants.tables.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

interface Wire {
  id: string;
  status: string;
  dns: { drifting: boolean; failing_since: string | null; detail: string | null };
  dns_records: (PublishedRecord & { purpose: string; required: boolean })[];
}

let rig: TenantRig;
let scope: Scope;
let tenant: Wire;
let dkim: PublishedRecord;

let shared: TenantRig;
beforeAll(async () => {
  shared = await startTenantRig();
});
afterAll(() => shared.close());
beforeEach(async () => {
  rig = await startTenantRig({ beside: shared });
  scope = await rig.scopeOf('live');
  const created = await rig.ask('POST', '/v1/sub-tenants', {
    body: { name: 'Acme', sending_domain: 'acme.example' },
  });
  tenant = created.json as Wire;
  const record = tenant.dns_records.find(({ required }) => required);
  if (!record) throw new Error('no required record');
  dkim = record;
  rig.publish(tenant.dns_records);
  await rig.checks.checkSubTenant(tenant);
  expect(await rowOf()).toMatchObject({ status: 'verified', drifting_since: null });
});

afterEach(() => rig.close());

const rowOf = async () => (await rig.store.domainChecks.tenant(tenant.id))?.row;
const shown = async () => (await rig.ask('GET', `/v1/sub-tenants/${tenant.id}`)).json as Wire;
const check = () => rig.checks.checkSubTenant(tenant);
const goneFromDns = () => rig.dns.remove(dkim.host);

async function trail() {
  const entries = await rig.store.events.auditTrailOfSubject(await rig.scopeOf('live'), tenant.id, 100);
  return entries
    .filter(({ event }) => event.startsWith('tenant_dns'))
    .toReversed()
    .map((entry) => ({
      event: entry.event,
      actor: entry.actor,
      environmentId: entry.environment_id,
      metadata: readDetail(entry).metadata,
    }));
}

const events = async () => (await trail()).map(({ event }) => event);

describe('a domain without its DKIM record', () => {
  it('drifts, is suspended after six hours, and is restored with its record', async () => {
    goneFromDns();
    const since = rig.clock.advance(MINUTE);
    await check();
    expect(await rowOf()).toMatchObject({ status: 'verified', drifting_since: since });
    expect(await shown()).toMatchObject({
      status: 'verified',
      dns: {
        drifting: true,
        failing_since: iso(since),
        detail: `The DKIM record at ${dkim.host} is missing.`,
      },
    });
    rig.clock.advance(6 * HOUR - 1);
    await check();
    expect(await rowOf()).toMatchObject({ status: 'verified' });
    expect(rig.stops).toEqual([]);
    rig.clock.advance(1);
    await check();
    expect(await rowOf()).toMatchObject({ status: 'suspended', drifting_since: since });
    const stop = { environmentId: scope.environmentId, tenantId: tenant.id, cause: 'suspended' };
    expect(rig.stops).toEqual([{ ...stop, isStopped: true }]);
    rig.publish([dkim]);
    rig.clock.advance(HOUR);
    await check();
    expect(await rowOf()).toMatchObject({ status: 'verified', drifting_since: null });
    expect(rig.stops.at(-1)).toEqual({ ...stop, isStopped: false });
    expect((await shown()).dns).toEqual({ drifting: false, failing_since: null, detail: null });
    const entry = { actor: 'worker', environmentId: scope.environmentId };
    const selector = dkim.host.split('.')[0];
    expect(await trail()).toEqual([
      {
        ...{ event: 'tenant_dns_drifted', ...entry },
        metadata: {
          ...{ host: dkim.host, selector, status: 'missing', found: [] },
          grace_ends_at: iso(since + 6 * HOUR),
        },
      },
      {
        ...{ event: 'tenant_dns_suspended', ...entry },
        metadata: { host: dkim.host, selector, status: 'missing', found: [], drifting_since: iso(since) },
      },
      {
        ...{ event: 'tenant_dns_recovered', ...entry },
        metadata: { host: dkim.host, selector, from: 'suspended', drifting_since: iso(since) },
      },
    ]);
  });

  it('recovers within the grace period, and starts a new one if the record disappears again', async () => {
    goneFromDns();
    await check();
    rig.clock.advance(5 * HOUR);
    rig.publish([dkim]);
    await check();
    expect((await trail()).at(-1)?.metadata).toMatchObject({ from: 'drifting' });
    goneFromDns();
    rig.clock.advance(2 * HOUR);
    await check();
    expect(await rowOf()).toMatchObject({ status: 'verified', drifting_since: rig.clock.now() });
    expect(await events()).toEqual(['tenant_dns_drifted', 'tenant_dns_recovered', 'tenant_dns_drifted']);
    expect(rig.stops).toEqual([{ ...rig.stops[0], isStopped: false }]);
  });

  it('also drifts because of another key, whose value is shown shortened and without control characters', async () => {
    rig.dns.set(dkim.host, 'TXT', ['v=DKIM1; p=other', `p=\u0007${'x'.repeat(3_000)}`]);
    await check();
    const [entry] = await trail();
    expect(entry?.metadata).toMatchObject({
      status: 'wrong',
      found: ['v=DKIM1; p=other', expect.anything()],
    });
    const found = (entry?.metadata as { found: string[] } | undefined)?.found.join('') ?? '';
    expect(found.length).toBeLessThan(2_000);
    expect(found).not.toContain('\u0007');
    expect((await shown()).dns.detail).toBe(
      `The DKIM record at ${dkim.host} does not match the signing key.`,
    );
  });

  it('is reported immediately by a verify request', async () => {
    goneFromDns();
    const answer = await rig.ask('POST', `/v1/sub-tenants/${tenant.id}/verify`);
    expect(answer.json).toMatchObject({ status: 'verified', dns: { drifting: true } });
    rig.clock.advance(6 * HOUR);
    await check();
    expect((await shown()).status).toBe('suspended');
    rig.publish([dkim]);
    const again = await rig.ask('POST', `/v1/sub-tenants/${tenant.id}/verify`);
    expect(again.json).toMatchObject({ status: 'verified', dns: { drifting: false } });
    expect((await trail()).map(({ event, actor }) => `${actor} ${event}`)).toEqual([
      'api tenant_dns_drifted',
      'worker tenant_dns_suspended',
      'api tenant_dns_recovered',
    ]);
  });

  it('remains paused by its owner', async () => {
    await rig.store.commit([
      insert(tenantReputations, {
        row: {
          ...{ environment_id: scope.environmentId, sub_tenant_id: tenant.id, state: 'ok', changed_at: 1 },
          ...{ paused_at: 1, pause_cause: 'requested', sent: 0, delivered: 0, bounced: 0, complained: 0 },
          scored_at: null,
        },
      }),
    ]);
    goneFromDns();
    await check();
    rig.clock.advance(6 * HOUR);
    await check();
    expect(await rowOf()).toMatchObject({ status: 'suspended' });
    rig.publish([dkim]);
    await check();
    expect(await rowOf()).toMatchObject({ status: 'verified' });
    expect(await events()).toHaveLength(3);
  });
});

describe('a domain with aliases', () => {
  const ZONE = 'keys.example';

  /** The same sub-tenant with keys behind aliases. */
  async function aliased() {
    const now = rig.clock.now();
    const made = await makeDkimKeys({
      ...{ ownerId: tenant.id, domain: 'acme.example', masterKey: MASTER_KEY, now, slot: 0 },
    });
    await rig.store.commit([
      retireKeys(tenant.id),
      ...made.changes,
      update(subTenants, {
        set: { dkim_mode: 'cname', status: 'pending_verification' },
        where: { id: tenant.id },
      }),
    ]);
    const checks = new TenantChecks({
      ...{ store: rig.store, recordCheck: rig.recordCheck, ...CHECK_TERMS, clock: rig.clock.now },
      ...{
        settings: { ...rig.settings, dnsZone: ZONE },
        tenants: { stop: () => undefined },
        wakeUps: { queue: () => undefined, events: () => undefined },
        forgetKeys: () => undefined,
      },
    });
    const target = (selector: string) => `${selector}.${tenant.id.slice('tnt_'.length)}.dkim.${ZONE}`;
    const publishAliases = () => {
      for (const selector of ['svc1', 'svc2', 'svc-ed1', 'svc-ed2']) {
        rig.dns.set(`${selector}._domainkey.acme.example`, 'CNAME', [target(selector)]);
      }
    };
    const [rsa] = made.rows;
    if (!rsa) throw new Error('no key');
    const publishKey = () => rig.dns.set(target('svc1'), 'TXT', [rsa.record_value]);
    return { look: () => checks.checkSubTenant(tenant), target, publishAliases, publishKey };
  }

  it('is verified when the alias exists and leads to the key', async () => {
    const { look, publishAliases, publishKey } = await aliased();
    publishKey();
    await look();
    expect(await rowOf()).toMatchObject({ status: 'pending_verification' });
    publishAliases();
    await look();
    expect(await rowOf()).toMatchObject({ status: 'verified' });
  });

  it('is not verified by an alias that leads to nothing', async () => {
    const { look, publishAliases } = await aliased();
    publishAliases();
    await look();
    expect(await rowOf()).toMatchObject({ status: 'pending_verification' });
  });

  it('drifts because of the text behind the alias, but not because a name server does not respond', async () => {
    const { look, publishAliases, publishKey, target } = await aliased();
    publishAliases();
    publishKey();
    await look();
    for (const name of ['svc1._domainkey.acme.example', target('svc1')]) {
      rig.dns.fault(name, 'servfail');
    }
    await look();
    expect(await rowOf()).toMatchObject({ status: 'verified', drifting_since: null });
    rig.dns.fault('svc1._domainkey.acme.example', null);
    rig.dns.remove(target('svc1'));
    await look();
    expect(await rowOf()).toMatchObject({ status: 'verified', drifting_since: rig.clock.now() });
    publishKey();
    await look();
    expect(await rowOf()).toMatchObject({ status: 'verified', drifting_since: null });
  });
});

describe('failed look-ups', () => {
  it.each(['servfail', 'refused', 'drop'] as const)('of %s neither start, end nor suspend', async (fault) => {
    rig.dns.fault(dkim.host, fault);
    rig.clock.advance(HOUR);
    await check();
    expect(await rowOf()).toMatchObject({ status: 'verified', drifting_since: null });
    rig.dns.fault(dkim.host, null);
    goneFromDns();
    const since = rig.clock.advance(HOUR);
    await check();
    rig.dns.fault(dkim.host, fault);
    rig.clock.advance(7 * HOUR);
    await check();
    expect(await rowOf()).toMatchObject({ status: 'verified', drifting_since: since });
    rig.dns.fault(dkim.host, null);
    await check();
    expect(await rowOf()).toMatchObject({ status: 'suspended' });
    rig.dns.fault(dkim.host, fault);
    rig.publish([dkim]);
    await check();
    expect(await rowOf()).toMatchObject({ status: 'suspended', drifting_since: since });
    expect(await events()).toEqual(['tenant_dns_drifted', 'tenant_dns_suspended']);
  });

  it('an answer with another record counts as none', async () => {
    rig.dns.fault(dkim.host, 'servfail');
    for (const { host } of tenant.dns_records) if (host !== dkim.host) rig.dns.remove(host);
    await check();
    expect(await rowOf()).toMatchObject({ status: 'verified', drifting_since: null, return_path_ok: 0 });
  });
});

describe('simultaneous checks', () => {
  it('create one event of each kind', async () => {
    const all = () => Promise.all(Array.from({ length: 6 }, (_, i) => (i % 2 === 0 ? check() : verify())));
    goneFromDns();
    await all();
    rig.clock.advance(6 * HOUR);
    await all();
    rig.publish([dkim]);
    await all();
    expect(await events()).toEqual(['tenant_dns_drifted', 'tenant_dns_suspended', 'tenant_dns_recovered']);
  });

  it('an earlier check does not undo the result of a later one', async () => {
    const slow = checksThatWait(rig);
    const old = slow.checks.checkSubTenant(tenant);
    await slow.hasLooked;
    goneFromDns();
    rig.clock.advance(MINUTE);
    await check();
    expect(await events()).toEqual(['tenant_dns_drifted']);
    slow.release();
    await old;
    expect(await rowOf()).toMatchObject({ drifting_since: rig.clock.now() });
    expect(await events()).toEqual(['tenant_dns_drifted']);
  });

  it('a sub-tenant that is deleted during a check has no events and causes no errors', async () => {
    const slow = checksThatWait(rig);
    goneFromDns();
    const late = slow.checks.checkSubTenant(tenant);
    await slow.hasLooked;
    await rig.subTenants.remove(scope, tenant.id);
    slow.release();
    await late;
    expect(await events()).toEqual([]);
    await check();
    expect(await events()).toEqual([]);
  });
});

const verify = () => rig.ask('POST', `/v1/sub-tenants/${tenant.id}/verify`).then(() => undefined);

function iso(at: number): string {
  return new Date(at).toISOString();
}
