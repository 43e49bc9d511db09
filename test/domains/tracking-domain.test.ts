// Tests a sub-tenant's own click domain: what the DNS check stores, and the links in composed mail.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRecordCheck } from '../../src/domains/check-records.js';
import { createResolver, type DnsResolver } from '../../src/lib/dns/index.js';
import { systemClock } from '../../src/lib/runtime/index.js';
import { TenantChecks } from '../../src/domains/checks.js';
import { adviceFor } from '../../src/domains/dns-advice.js';
import { expectedRecords, readResults, withResults } from '../../src/domains/domain-records.js';
import { trackedHtml } from '../../src/outbound/deliver/compose.js';
import { startDnsServer, type TestDnsServer } from '../support/dns-server.js';
import { startApi, type StartedApi } from '../support/start-api.js';
import { CHECK_TERMS } from '../support/tenant-rig.js';

const SETTINGS = { hostname: 'mx.platform.example', trackingHost: 'mail.platform.example' };
const HOST = 'click.acme.example';

let api: StartedApi;
let dns: TestDnsServer;
let resolver: DnsResolver;
let tenantId: string;
beforeEach(async () => {
  api = await startApi();
  dns = await startDnsServer();
  resolver = createResolver({ servers: [dns.address], timeoutMs: 100, tries: 1, clock: systemClock });
  tenantId = await api.addTenant('acme');
});
afterEach(async () => {
  resolver.close();
  await Promise.all([api.close(), dns.close()]);
});

async function checked(trackingProblem?: (host: string) => Promise<string | null>) {
  // The DNS cache must not hide changes of the test.
  const recordCheck = createRecordCheck({ resolver, askAuthority: false, clock: systemClock });
  const checks = new TenantChecks({
    store: api.store,
    recordCheck,
    settings: SETTINGS,
    ...CHECK_TERMS,
    clock: systemClock,
    tenants: { stop: () => undefined },
    wakeUps: { queue: () => undefined, events: () => undefined },
    forgetKeys: () => undefined,
    ...(trackingProblem ? { trackingProblem } : {}),
  });
  const scope = await api.scopeOf('live');
  const before = await api.store.tenants.subTenant(scope, tenantId);
  if (!before) throw new Error('no tenant');
  await checks.checkSubTenant(before);
  const after = await api.store.tenants.subTenant(scope, tenantId);
  const results = readResults(after?.dns_results ?? null);
  const records = withResults(
    expectedRecords({ id: tenantId, domain: 'acme.example' }, [], SETTINGS),
    results,
  );
  const tracking = records.find(({ purpose }) => purpose === 'tracking');
  return { ok: after?.tracking_ok, status: tracking?.status, advice: tracking ? adviceFor(tracking) : null };
}

const works = () => Promise.resolve(null);

describe('a click domain', () => {
  it('is used once its CNAME is correct and its links work', async () => {
    expect(await checked(works)).toMatchObject({ ok: 0, status: 'missing' });
    dns.set(HOST, 'CNAME', ['mail.platform.example']);
    const asked: string[] = [];
    const found = await checked((host) => {
      asked.push(host);
      return works();
    });
    expect(found).toEqual({ ok: 1, status: 'ok', advice: null });
    expect(asked).toEqual([HOST]);
  });

  it('is not used without a certificate, as the advice explains', async () => {
    dns.set(HOST, 'CNAME', ['mail.platform.example']);
    const found = await checked(() => Promise.resolve('certificate has expired'));
    expect(found).toMatchObject({ ok: 0, status: 'ok' });
    expect(found.advice).toContain(HOST);
    expect(found.advice).toContain('certificate has expired');
  });

  it('is not used if it cannot be checked', async () => {
    dns.set(HOST, 'CNAME', ['mail.platform.example']);
    expect(await checked()).toMatchObject({ ok: 0, status: 'ok' });
  });

  it('is disabled when it leads elsewhere, but not if no server responds', async () => {
    dns.set(HOST, 'CNAME', ['mail.platform.example']);
    expect((await checked(works)).ok).toBe(1);
    dns.fault(HOST, 'servfail');
    expect((await checked(works)).ok).toBe(1);
    dns.fault(HOST, null);
    dns.set(HOST, 'CNAME', ['elsewhere.example']);
    expect(await checked(works)).toMatchObject({ ok: 0, status: 'mismatch' });
  });
});

describe('composed HTML', () => {
  const tokenKey = { id: 1, secret: Buffer.alloc(32, 7) };
  const message = { public_id: 'msg_0123456789abcdefghjkmnpqrs', track_opens: 1, track_clicks: 1 } as const;
  const HTML = '<a href="https://shop.example">x</a>';
  const bases = (html: string) => [...html.matchAll(/"(https?:\/\/[^/"]+)\/[co]\//g)].map(([, base]) => base);

  it.each([
    ['click.acme.example', true, 'http://click.acme.example:8080'],
    ['click.acme.example', false, 'http://mail.platform.example:8080'],
    [null, true, 'http://mail.platform.example:8080'],
  ] as const)(
    'with the click domain %j and own domains %s has links below %s',
    (host, tenantTrackingDomains, base) => {
      const settings = { publicUrl: 'http://mail.platform.example:8080', tenantTrackingDomains, tokenKey };
      expect(bases(trackedHtml(HTML, { message, host }, settings))).toEqual([base, base]);
    },
  );

  it.each([
    [1, 0, 'https://shop.example', true],
    [0, 1, '/c/', false],
    [0, 0, 'https://shop.example', false],
  ] as const)(
    'with opens %i and clicks %i has only the requested tracking',
    (track_opens, track_clicks, link, hasPixel) => {
      const mail = { message: { ...message, track_opens, track_clicks }, host: null };
      const tracked = trackedHtml(HTML, mail, { publicUrl: 'https://m.example', tokenKey });
      expect(tracked).toContain(link);
      expect(tracked.includes('/o/')).toBe(hasPixel);
    },
  );
});
