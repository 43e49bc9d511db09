// Tests the preflight checks over a real resolver and real listeners on loopback.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CheckName } from '../../src/operations/preflight/health-check.schema.js';
import { createResolver, type DnsResolver } from '../../src/lib/dns/index.js';
import { createProbe } from '../../src/lib/smtp/index.js';
import type { CheckResult } from '../../src/operations/preflight/preflight.rules.js';
import { createLog, systemClock } from '../../src/lib/runtime/index.js';
import { runPreflight, type PreflightContext } from '../../src/operations/preflight/preflight.js';
import { PreflightRunner } from '../../src/operations/preflight/runner.js';
import { preflightSettings, type PreflightSettings } from '../../src/operations/preflight/settings.js';
import { startDnsServer, type TestDnsServer } from '../support/dns-server.js';
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.js';

const IP = '127.0.0.1';
let dns: TestDnsServer;
let sink: SmtpSink;
let resolver: DnsResolver;
let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'mailkeel-preflight-'));
  sink = await startSmtpSink({ keep: false, name: 'mta.x.test' });
  dns = await startDnsServer({
    zones: {
      org: { NS: ['a.ns.test'] },
      '1.0.0.127.in-addr.arpa': { PTR: ['mta.x.test'] },
      'mta.x.test': { A: [IP], TXT: ['v=spf1 a -all'] },
      'big.test': { MX: [{ preference: 10, exchange: 'mx.big.test' }] },
      'mx.big.test': { A: [IP] },
      'in.x.test': { MX: [{ preference: 10, exchange: 'mta.x.test' }] },
      's1._domainkey.x.test': { TXT: ['v=DKIM1; k=rsa; p=AAAA'] },
      '_dmarc.x.test': { TXT: ['v=DMARC1; p=none'] },
    },
  });
  resolver = createResolver({ servers: [dns.address], timeoutMs: 200, tries: 1, clock: systemClock });
});

afterEach(async () => {
  resolver.close();
  await dns.close();
  await sink.close();
  await rm(dataDir, { recursive: true, force: true });
});

const SOURCE = { name: 'default', address4: IP, address6: null, ehloName: 'mta.x.test' };

function preflight(change: Partial<PreflightSettings> = {}, deps: Partial<PreflightContext> = {}) {
  const settings: PreflightSettings = {
    ...preflightSettings(
      {
        hostname: 'mta.x.test',
        bounceDomain: 'mta.x.test',
        inboundDomain: 'in.x.test',
        platformDomain: 'x.test',
        mxPort: sink.port,
        allowPrivateMx: true,
        publicUrl: 'https://mail.x.test',
        dataDir,
        preflightDomains: ['big.test'],
        preflightClockUrl: null,
        preflightTimeLimitMs: 5_000,
        dnsbls: null,
        inbound: true,
        mtaStsMode: 'testing',
      },
      { sources: [SOURCE], smarthosts: [] },
    ),
    ...change,
  };
  const record = { purpose: 'dkim', type: 'TXT', host: 's1._domainkey.x.test', required: true } as const;
  return runPreflight({
    resolver,
    probe: createProbe({ resolver, clock: systemClock }),
    settings,
    clock: systemClock,
    platformRecords: () =>
      Promise.resolve([
        { ...record, value: 'v=DKIM1; k=rsa; p=AAAA' },
        { ...record, purpose: 'dmarc', host: '_dmarc.x.test', value: 'v=DMARC1; p=none', required: false },
      ]),
    storeFacts: () =>
      Promise.resolve({
        file: { bytes: 5e9, freeBytes: 1e6, logBytes: 1e6, canShrink: false },
        waitingMails: 0,
        parkedMails: 0,
        backups: { tried: null, good: null },
      }),
    growthFacts: () => Promise.resolve({ forecast: { kind: 'too_few_days', days: 0 }, largest: [] }),
    integrityFacts: () => Promise.resolve({ damage: null, checkedAt: null }),
    reportFacts: () => Promise.resolve({ tls: [], dmarc: [], domainOutside: null }),
    suspendedSources: () => Promise.resolve([]),
    missingRoles: () => null,
    replica: () => null,
    databaseServer: () => null,
    certificate: () =>
      Promise.resolve({
        origin: 'acme' as const,
        names: ['mta.x.test'],
        coversHost: true,
        notBefore: Date.now(),
        notAfter: Date.now() + 90 * 86_400_000,
      }),
    ...deps,
  });
}

const statuses = (results: readonly CheckResult[]) =>
  Object.fromEntries(results.map(({ name, status }) => [name, status])) as Partial<Record<CheckName, string>>;

describe('the preflight checks', () => {
  it('pass on a correctly configured machine', async () => {
    const results = await preflight();
    expect(statuses(results)).toEqual({
      ehlo_name: 'pass',
      backup: 'warn',
      integrity: 'pass',
      port_25: 'pass',
      ptr: 'pass',
      forward_confirmed: 'pass',
      ptr_is_ehlo_name: 'pass',
      spf: 'pass',
      tenant_spf: 'pass',
      resolver: 'pass',
      clock: 'unknown',
      // The disk of the test machine may have any state.
      disk_space: expect.any(String) as string,
      disk_forecast: 'pass',
      data_folder: 'pass',
      database: 'pass',
      spool: 'pass',
      public_url: 'pass',
      bounce_mx: 'pass',
      inbound_mx: 'pass',
      inbound_port: 'pass',
      certificate: 'pass',
      dkim: 'pass',
      dmarc: 'pass',
      report_authorization: 'pass',
      tls_reports: 'pass',
      dmarc_reports: 'pass',
    });
    expect(new Set(results.map(({ name, subject }) => `${name} ${subject ?? ''}`)).size).toBe(results.length);
  });

  it('report the problems of a misconfigured one', async () => {
    dns.remove('1.0.0.127.in-addr.arpa');
    dns.remove('_dmarc.x.test');
    dns.set('s1._domainkey.x.test', 'TXT', ['v=DKIM1; k=rsa; p=BBBB']);
    dns.set('mta.x.test', 'TXT', ['v=spf1 ip4:192.0.2.7 -all']);
    dns.set('1.0.0.127.list.test', 'A', []);
    dns.remove('in.x.test');
    await sink.close();
    const file = join(dataDir, 'file');
    await writeFile(file, '');
    const certificate = () => Promise.resolve('the certificate in tls.pem expired');
    const run = preflight({ dataDir: file, dnsbls: ['list.test'] }, { certificate });
    expect(statuses(await run)).toMatchObject({
      ptr: 'fail',
      spf: 'fail',
      port_25: 'fail',
      dkim: 'fail',
      dmarc: 'warn',
      dnsbl: 'pass',
      data_folder: 'fail',
      inbound_mx: 'fail',
      inbound_port: 'warn',
      certificate: 'fail',
    });
  });

  it('handle a data folder that the first start will create', async () => {
    const results = statuses(await preflight({ dataDir: join(dataDir, 'new') }));
    expect(results).toMatchObject({ data_folder: 'unknown', disk_space: 'unknown' });
  });

  it('look up the address of the EHLO name if the machine has a private one', async () => {
    dns.set('mta.x.test', 'A', ['198.45.1.5']);
    const source = { ...SOURCE, address4: null };
    // Hides the addresses that this machine would send from.
    const probe = {
      ...createProbe({ resolver, clock: systemClock }),
      localAddress: () => Promise.resolve('10.0.0.5'),
    };
    const results = await preflight({ sources: [source] }, { probe });
    expect(results.find(({ name }) => name === 'ptr')).toMatchObject({
      subject: '198.45.1.5',
      status: 'fail',
    });
    dns.remove('mta.x.test', 'A');
    const blind = await preflight({ sources: [source] }, { probe });
    expect(blind.find(({ name }) => name === 'ptr')).toMatchObject({ subject: 'default', status: 'unknown' });
  });

  it('check the smarthosts if all mail uses them', async () => {
    const smarthosts = [
      { name: 'relay', host: 'mta.x.test', port: sink.port, greets: true },
      { name: 'other', host: '127.0.0.1', port: 1, greets: true },
    ];
    const results = await preflight({ sources: [], smarthosts });
    const observed = results.filter(({ name }) => name === 'smarthost');
    expect(observed.map(({ subject, status }) => [subject, status])).toEqual([
      ['relay', 'pass'],
      ['other', 'fail'],
    ]);
    expect(results.map(({ name }) => name)).not.toContain('port_25');
  });

  it('require DNSSEC validation if DANE is on', async () => {
    const run = preflight({}, { provesValidation: () => Promise.resolve('the resolver does not validate') });
    expect(statuses(await run).dnssec).toBe('fail');
  });

  it('end in time and report unknown if something does not respond', async () => {
    dns.fault('1.0.0.127.in-addr.arpa', 'drop');
    dns.fault('mta.x.test', { delayMs: 3_000 }, 'TXT');
    resolver.close();
    resolver = createResolver({ servers: [dns.address], timeoutMs: 30_000, tries: 1, clock: systemClock });
    const broken = () => Promise.reject(new Error('no database'));
    const results = statuses(await preflight({ timeLimitMs: 300 }, { platformRecords: broken }));
    expect(results).toMatchObject({ ptr: 'unknown', spf: 'unknown', dkim: 'unknown', bounce_mx: 'pass' });
  });
});

describe('the hourly round', () => {
  it('stores the last report and logs new problems', async () => {
    const lines: Record<string, unknown>[] = [];
    const stream = new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
        done();
      },
    });
    const of = (status: CheckResult['status'], name: CheckName = 'spf'): CheckResult => ({
      ...{ name, subject: 'b.test', status, observed: 'x', expected: 'y' },
      remedy: status === 'pass' ? null : 'Do this.',
    });
    const rounds = [
      [of('fail'), of('unknown', 'clock'), of('pass', 'ptr')],
      [of('fail'), of('warn', 'ptr')],
      [of('pass'), of('warn', 'ptr')],
    ];
    const run = () => Promise.resolve(rounds.shift() ?? []);
    const round = new PreflightRunner({ clock: () => 7, log: createLog('info', stream) }, run);
    expect(round.latest).toBeNull();
    await round.run();
    expect(round.latest).toMatchObject({ status: 'fail', checkedAt: 7 });
    await round.run();
    await round.run();
    expect(round.latest).toMatchObject({ status: 'warn' });
    expect(lines[0]).toMatchObject({ level: 'warn', failing: ['spf'] });
    expect(lines.slice(1).map(({ level, check, status }) => [level, check, status])).toEqual([
      ['warn', 'ptr', 'warn'],
      ['info', 'spf', 'pass'],
    ]);
  });
});
