// Tests Mailkeel's name server with third-party programs: dig queries it directly, and unbound finds it by the delegation of a
// signed root, as public resolvers would.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { text as readText } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createNameServer,
  createResolver,
  type DnsResolver,
  type NameServer,
} from '../../src/lib/dns/index.js';
import { zoneFacts } from '../../src/domains/zone/zone-facts.rules.js';
import { createLog } from '../../src/lib/runtime/index.js';
import { SubTenants } from '../../src/domains/sub-tenants/sub-tenants.js';
import { Zone } from '../../src/domains/zone/zone.js';
import { ensurePackages } from '../support/apt.js';
import { startApi, type StartedApi } from '../support/start-api.js';
import { MASTER_KEY } from '../support/tenant-rig.js';
import { ensureUnbound, startUnbound, type Unbound } from '../support/unbound.js';

const DIG = '/usr/bin/dig';
const skipReason =
  process.getuid?.() === 0
    ? (ensureUnbound() ?? ensurePackages({ packages: ['bind9-dnsutils'], isThere: () => existsSync(DIG) }))
    : 'needs root for port 53';
if (skipReason !== null) console.warn(`skipped: the name server: ${skipReason}`);

/** Resolvers only query port 53, which is free on this address. */
const HOST = '127.53.0.1';
const ZONE = 'mail.platform';
const facts = zoneFacts(
  {
    dnsZone: ZONE,
    dnsNameServers: null,
    dnsAddresses: [HOST],
    dnsTtlMs: 300_000,
    dnsDmarc: 'v=DMARC1; p=quarantine',
    spfMechanisms: null,
    hostname: `mx.${ZONE}`,
    publicUrl: `https://go.${ZONE}`,
    bounceDomain: `mx.${ZONE}`,
    inboundDomain: `mx.${ZONE}`,
    platformDomain: null,
    tlsReportAddress: 'tls@platform',
  },
  [],
);

describe.skipIf(skipReason !== null)('the name server', () => {
  let api: StartedApi;
  let server: NameServer;
  let unbound: Unbound;
  let resolver: DnsResolver;
  let subTenants: SubTenants;

  beforeAll(async () => {
    if (facts === null) throw new Error('There is no zone.');
    api = await startApi();
    const clock = Date.now;
    const log = createLog('silent');
    const zone = new Zone({ store: api.store, clock }, () => facts, null);
    server = createNameServer({
      host: HOST,
      port: 53,
      limits: { perNetworkPerMinute: 6_000, totalPerMinute: 0, connections: 20, idleMs: 2_000 },
      answer: (question) => zone.answer(question),
      clock,
      log,
    });
    const listening = await server.start();
    if (!listening.ok) throw new Error(listening.reason);
    unbound = await startUnbound({
      records: [`${ZONE}. IN NS mx.${ZONE}.`, `mx.${ZONE}. IN A ${HOST}`],
      settings: ['do-not-query-localhost: no'],
    });
    resolver = createResolver({ servers: [unbound.server], timeoutMs: 2_000, tries: 2, clock });
    const context = {
      store: api.store,
      masterKey: MASTER_KEY,
      serverNames: [],
      zone: ZONE,
      clock,
      log,
      tenants: { limit: () => undefined, forget: () => undefined },
      nameTenant: () => undefined,
      alsoRemoved: () => [],
    };
    subTenants = new SubTenants(context, { checkSubTenant: () => Promise.resolve() });
  });

  afterAll(async () => {
    resolver.close();
    await unbound.close();
    await server.stop();
    await api.close();
  });

  /** The output of dig, including its warnings. It must not block this thread, which responds to it. */
  async function dig(...args: string[]): Promise<string> {
    const child = spawn(DIG, [`@${HOST}`, '+norecurse', '+timeout=5', '+tries=1', ...args]);
    const [stdout, stderr] = await Promise.all([readText(child.stdout), readText(child.stderr)]);
    return stdout + stderr;
  }

  async function make(label: string): Promise<{ domain: string; key: string }> {
    const wish = { name: label, sendingDomain: `${label}.${ZONE}`, externalId: null, dkim: null };
    const tenant = await subTenants.create(await api.scopeOf('live'), wish);
    const keys = await api.store.domains.dkimKeys([tenant.id]);
    const key = keys.find(({ selector }) => selector === 'svc1');
    return { domain: tenant.sending_domain, key: key?.record_value ?? '' };
  }

  it('is found by a real resolver, including a new sub-tenant immediately', async () => {
    const { domain, key } = await make('fresh');
    expect(await resolver.txt(`svc1._domainkey.${domain}`)).toEqual({ kind: 'found', records: [key] });
    expect(await resolver.txt(domain)).toEqual({ kind: 'found', records: [`v=spf1 ip4:${HOST} ~all`] });
    expect(await resolver.txt(`_dmarc.${domain}`)).toMatchObject({ kind: 'found' });
    expect(await resolver.txt(`_smtp._tls.reply.${domain}`)).toMatchObject({ kind: 'found' });
    expect(await resolver.mx(`bounce.${domain}`)).toEqual({
      kind: 'found',
      records: [{ exchange: `mx.${ZONE}`, preference: 10 }],
    });
    expect(await resolver.addresses(`click.${domain}`, [4])).toEqual({ kind: 'found', records: [HOST] });
    expect(await resolver.addresses(`mx.${ZONE}`, [4])).toEqual({ kind: 'found', records: [HOST] });
    expect(await resolver.txt(`nobody.${ZONE}`)).toEqual({ kind: 'no_name' });
    expect(await resolver.txt(`_domainkey.${domain}`)).toEqual({ kind: 'no_data' });
    expect(await resolver.ns(ZONE)).toEqual({ kind: 'found', records: [`mx.${ZONE}`] });
  });

  it('works with a resolver that randomizes case and minimizes names', async () => {
    const strict = await startUnbound({
      records: [`${ZONE}. IN NS mx.${ZONE}.`, `mx.${ZONE}. IN A ${HOST}`],
      settings: ['do-not-query-localhost: no', 'use-caps-for-id: yes', 'qname-minimisation-strict: yes'],
    });
    const asked = createResolver({ servers: [strict.server], timeoutMs: 2_000, tries: 2, clock: Date.now });
    const { domain, key } = await make('strict');
    expect(await asked.txt(`svc1._domainkey.${domain}`)).toEqual({ kind: 'found', records: [key] });
    asked.close();
    await strict.close();
  });

  it('is well-formed for dig', async () => {
    const { domain, key } = await make('dug');
    const shown = (await dig(`svc1._domainkey.${domain}`, 'TXT', '+short')).trim();
    expect(shown.replaceAll('" "', '').replaceAll('"', '').replaceAll('\\;', ';')).toBe(key);
    const whole = await dig(`svc1._domainkey.${domain}`, 'TXT');
    expect(whole).toMatch(/status: NOERROR/);
    expect(whole).toMatch(/flags: qr aa;/);
    expect(whole).toMatch(/EDNS: version: 0, flags:; udp: 1232/);
    expect(whole).not.toMatch(/WARNING|malformed|extra bytes|Truncated/i);
  });

  it.each<[string, string[], RegExp]>([
    [
      'NXDOMAIN with the SOA record',
      [`nobody.${ZONE}`, 'A'],
      /status: NXDOMAIN[^]*AUTHORITY: 1[^]*60\s+IN\s+SOA/,
    ],
    [
      'no recursion',
      ['example.com', 'A', '+recurse'],
      /status: REFUSED[^]*recursion requested but not available/,
    ],
    ['no transfer', [ZONE, 'AXFR'], /Transfer failed/],
    ['one record to ANY', [ZONE, 'ANY', '+notcp'], /ANSWER: 1,[^]*HINFO\s+"RFC8482" ""/],
    ['nothing of class CHAOS', ['version.bind', 'CH', 'TXT'], /status: REFUSED/],
    ['an older EDNS only', [ZONE, 'SOA', '+edns=9', '+noednsnegotiation'], /status: BADVERS/],
    ['an unknown EDNS option', [ZONE, 'SOA', '+ednsopt=100:abcd'], /status: NOERROR[^]*ANSWER: 1/],
    ['a cookie', [ZONE, 'SOA', '+cookie=0123456789abcdef'], /status: NOERROR[^]*ANSWER: 1/],
    ['a client subnet', [ZONE, 'SOA', '+subnet=192.0.2.0/24'], /status: NOERROR[^]*ANSWER: 1/],
    ['DNSSEC that is not there', [ZONE, 'SOA', '+dnssec'], /flags: do[^]*ANSWER SECTION/],
    ['another type', [ZONE, 'TYPE65'], /status: NOERROR[^]*ANSWER: 0[^]*SOA/],
    ['no opcode but QUERY', [ZONE, 'SOA', '+opcode=UPDATE'], /status: NOTIMP/],
  ])('answers dig: %s', async (_what, args, expected) => {
    const said = await dig(...args);
    expect(said).toMatch(expected);
    expect(said).not.toMatch(/malformed|extra bytes|mismatch/i);
  });

  it('uses TCP when needed, keeps a connection, and supports plain DNS', async () => {
    const { domain } = await make('large-enough-to-fill-more-than-512-octets');
    const plain = await dig(`svc1._domainkey.${domain}`, 'TXT', '+noedns');
    expect(plain).toMatch(/Truncated, retrying in TCP mode/);
    expect(plain).toMatch(/ANSWER: 1/);
    const both = await dig('+tcp', '+keepopen', domain, 'MX', `bounce.${domain}`, 'TXT');
    expect(both.match(/status: NOERROR/g)).toHaveLength(2);
    expect(both.match(/\(TCP\)/g)).toHaveLength(2);
  });
});
