import { describe, expect, it } from 'vitest';
import type { DnsAnswer, MxRecord } from '../../src/lib/dns-answers/index.js';
import type { ExpectedRecord } from '../../src/domains/dns-records.rules.js';
import {
  judgeOwnMx,
  judgeEhloName,
  judgeListing,
  judgePort25,
  judgeReverse,
  judgeSmarthost,
  judgeSpf,
  judgeTenantSpf,
  type CheckResult,
} from '../../src/operations/preflight/preflight.rules.js';
import { worstStatus } from '../../src/contract/check-status.js';
import type { ReachFact } from '../../src/lib/smtp-replies/index.js';
import {
  judgeClock,
  judgeDataFolder,
  judgeDisk,
  judgeDnssec,
  judgePlatformRecord,
  judgePublicUrl,
  judgeResolver,
} from '../../src/operations/preflight/preflight-machine.rules.js';
import type { SpfFinding } from '../../src/lib/sender-policy/index.js';

const IP = '192.0.2.1';
const found = <T>(...records: T[]): DnsAnswer<T> => ({ kind: 'found', records });
const lost = { kind: 'failed', reason: 'timeout' } as const;
const noName = { kind: 'no_name' } as const;
const noData = { kind: 'no_data' } as const;

/** Every result except a pass has advice. */
function statusOf(result: CheckResult): string {
  expect(result.remedy === null).toBe(result.status === 'pass');
  expect(result.observed).not.toBe('');
  return result.status;
}

describe('the reverse name of a source', () => {
  const forward = (records: Record<string, DnsAnswer<string>>) => new Map(Object.entries(records));
  it.each<[string, DnsAnswer<string>, Record<string, DnsAnswer<string>>, string[]]>([
    ['right', found('mta.x.test'), { 'mta.x.test': found(IP) }, ['pass', 'pass', 'pass']],
    ['written large', found('MTA.x.test'), { 'MTA.x.test': found(IP) }, ['pass', 'pass', 'pass']],
    ['missing', noName, {}, ['fail']],
    ['empty', noData, {}, ['fail']],
    ['not to be had now', lost, {}, ['unknown', 'unknown', 'unknown']],
    ['of the provider', found('h1.isp.test'), { 'h1.isp.test': found(IP) }, ['pass', 'pass', 'warn']],
    [
      'leading elsewhere',
      found('mta.x.test'),
      { 'mta.x.test': found('192.0.2.9') },
      ['pass', 'fail', 'pass'],
    ],
    ['leading nowhere', found('mta.x.test'), { 'mta.x.test': noName }, ['pass', 'fail', 'pass']],
    ['with a silent way back', found('mta.x.test'), { 'mta.x.test': lost }, ['pass', 'unknown', 'pass']],
    [
      'one of two',
      found('old.x.test', 'mta.x.test'),
      { 'old.x.test': noName, 'mta.x.test': found(IP) },
      ['pass', 'pass', 'pass'],
    ],
  ])('%s', (_name, ptr, names, statuses) => {
    const results = judgeReverse({ address: IP, ehloName: 'mta.x.test', ptr, forward: forward(names) });
    expect(results.map(statusOf)).toEqual(statuses);
  });

  it('in IPv6 is compared as an address, not as text', () => {
    const ptr = found('mta.x.test');
    const results = judgeReverse({
      address: '2001:db8::1',
      ehloName: 'mta.x.test',
      ptr,
      forward: forward({ 'mta.x.test': found('2001:0db8:0:0:0:0:0:1') }),
    });
    expect(results.map(statusOf)).toEqual(['pass', 'pass', 'pass']);
  });
});

it.each<[string, DnsAnswer<string>, string]>([
  ['mta.x.test', found(IP), 'pass'],
  ['mta.x.test', noName, 'fail'],
  ['mta.x.test', lost, 'unknown'],
  ['laptop', found(IP), 'fail'],
  ['localhost.localdomain', found(IP), 'fail'],
  ['box.local', found(IP), 'fail'],
])('the EHLO name %s with %j: %s', (name, addresses, status) => {
  expect(statusOf(judgeEhloName(name, addresses))).toBe(status);
});

it.each<[SpfFinding['result'], string]>([
  ['pass', 'pass'],
  ['none', 'fail'],
  ['fail', 'fail'],
  ['softfail', 'fail'],
  ['neutral', 'warn'],
  ['permerror', 'fail'],
  ['temperror', 'unknown'],
])('SPF %s: %s', (result, status) => {
  const finding = { result, record: 'v=spf1 -all', detail: 'by all' };
  expect(statusOf(judgeSpf('b.test', IP, finding))).toBe(status);
});

it('names the missing mechanism', () => {
  const none = { result: 'none', record: '', detail: '' } as const;
  expect(judgeSpf('b.test', '2001:db8::1', none).remedy).toContain('"v=spf1 ip6:2001:db8::1 -all" at b.test');
});

it.each<[DnsAnswer<string>, string]>([
  [found('192.0.2.9', IP), 'pass'],
  [found('192.0.2.9'), 'warn'],
  [noName, 'warn'],
  [lost, 'unknown'],
])('tenants cover a source if the host name is at %j: %s', (addresses, status) => {
  expect(statusOf(judgeTenantSpf('mta.x.test', IP, addresses))).toBe(status);
});

it.each<[Parameters<typeof judgeListing>[2], string]>([
  [{ kind: 'not_listed' }, 'pass'],
  [{ kind: 'listed', codes: ['127.0.0.2'] }, 'fail'],
  [{ kind: 'unusable', why: 'it refuses' }, 'unknown'],
])('a block list that returns %j: %s', (decision, status) => {
  expect(statusOf(judgeListing(IP, 'list.test', decision))).toBe(status);
});

describe('outbound connections', () => {
  const reached = (greeting: string | null): ReachFact => ({
    host: 'mx.y.test',
    address: '192.0.2.7',
    outcome: { kind: 'reached', greeting },
  });
  type Why = Extract<ReachFact['outcome'], { kind: 'failed' }>['why'];
  const failed = (why: Why): ReachFact => ({
    host: 'mx.z.test',
    address: '192.0.2.8',
    outcome: { kind: 'failed', why, error: why },
  });
  it.each<[string, ReachFact[], string, string]>([
    ['one host greets', [reached('220 hello')], 'pass', 'pass'],
    ['a host that greets late', [reached(null)], 'pass', 'pass'],
    ['one of two', [failed('timeout'), reached('220 hello')], 'pass', 'pass'],
    ['nobody in time', [failed('timeout'), failed('timeout')], 'fail', 'fail'],
    ['refused everywhere', [failed('refused')], 'fail', 'fail'],
    ['no network', [failed('no_network')], 'unknown', 'fail'],
    ['only private addresses', [failed('forbidden')], 'unknown', 'fail'],
    ['a source that is not ours', [failed('not_ours'), failed('timeout')], 'fail', 'fail'],
    ['nobody to ask', [], 'unknown', 'unknown'],
    ['turned away', [reached('554 5.7.1 listed')], 'warn', 'pass'],
    ['turned away by one of two', [reached('554 5.7.1 listed'), reached('220 hello')], 'pass', 'pass'],
  ])('%s', (_name, tries, port25, smarthost) => {
    expect(statusOf(judgePort25('default', 25, tries))).toBe(port25);
    expect(judgeSmarthost('relay', tries).status).toBe(smarthost);
  });
});

describe('the MX of the bounce domain', () => {
  const mx = (...hosts: [number, string][]): DnsAnswer<MxRecord> =>
    found(...hosts.map(([preference, exchange]) => ({ preference, exchange })));
  const host = found(IP);
  it.each<[string, string, DnsAnswer<MxRecord>, DnsAnswer<string>, DnsAnswer<string>, string]>([
    ['leads to us', 'b.test', mx([10, 'mta.x.test']), noData, host, 'pass'],
    [
      'leads to a better host first',
      'b.test',
      mx([5, 'other.test'], [10, 'mta.x.test']),
      noData,
      host,
      'warn',
    ],
    ['leads to us, who have no address', 'b.test', mx([10, 'mta.x.test']), noData, noName, 'fail'],
    ['is a null MX', 'b.test', mx([0, '']), noData, host, 'fail'],
    ['is missing, without an address', 'b.test', noName, noName, host, 'fail'],
    ['is missing, at another address', 'b.test', noData, found('192.0.2.5'), host, 'warn'],
    ['is implied: the domain is the host', 'mta.x.test', noData, host, host, 'pass'],
    ['cannot be looked up', 'b.test', lost, noData, host, 'unknown'],
  ])('%s', (_name, domain, records, domainAddresses, hostAddresses, status) => {
    const facts = { domain, hostname: 'mta.x.test', mx: records, domainAddresses, hostAddresses };
    expect(statusOf(judgeOwnMx('bounce_mx', facts))).toBe(status);
  });
});

describe('the machine', () => {
  it.each<[DnsAnswer<string>, string]>([
    [found('a.ns.test'), 'pass'],
    [noName, 'warn'],
    [lost, 'fail'],
  ])('a resolver that returns %j: %s', (answer, status) => {
    expect(statusOf(judgeResolver('org', answer))).toBe(status);
  });

  it('DNSSEC', () => {
    expect(statusOf(judgeDnssec(null))).toBe('pass');
    expect(statusOf(judgeDnssec('the resolver is not on this machine'))).toBe('fail');
  });

  const NOW = Date.UTC(2026, 5, 1);
  it.each<[number, number | null, string]>([
    [NOW, null, 'unknown'],
    [NOW, NOW - 900, 'pass'],
    [NOW, NOW + 29_000, 'pass'],
    [NOW, NOW - 60_000, 'warn'],
    [NOW, NOW + 600_000, 'fail'],
    [Date.UTC(1970, 0, 1), null, 'fail'],
  ])('a clock at %i compared with one at %s: %s', (now, at, status) => {
    expect(statusOf(judgeClock(now, at === null ? null : { at, host: 'x.test' }))).toBe(status);
  });

  const GIB = 1024 ** 3;
  it.each<[number, number, string]>([
    [50, 100, 'pass'],
    [4, 100, 'warn'],
    [1, 4, 'warn'],
    [0.1, 100, 'fail'],
  ])('%d of %d GiB free: %s', (free, total, status) => {
    expect(statusOf(judgeDisk({ freeBytes: free * GIB, totalBytes: total * GIB }))).toBe(status);
  });

  it('a data folder', () => {
    expect(statusOf(judgeDataFolder(null))).toBe('pass');
    expect(statusOf(judgeDataFolder('EROFS'))).toBe('fail');
  });

  it.each([
    ['https://mail.x.test', 'pass'],
    ['http://mail.x.test', 'warn'],
    ['http://localhost:8080', 'warn'],
    ['https://192.0.2.1/', 'warn'],
    ['https://[2001:db8::1]/', 'warn'],
  ])('the public URL %s: %s', (url, status) => {
    expect(statusOf(judgePublicUrl(url))).toBe(status);
  });

  const dkim: ExpectedRecord = {
    purpose: 'dkim',
    type: 'TXT',
    host: 's1._domainkey.x.test',
    value: 'v=DKIM1; p=AAAA',
    required: true,
  };
  const dmarc: ExpectedRecord = { ...dkim, purpose: 'dmarc', host: '_dmarc.x.test', required: false };
  it.each<[ExpectedRecord, 'ok' | 'missing' | 'mismatch' | 'pending', string]>([
    [dkim, 'ok', 'pass'],
    [dkim, 'missing', 'fail'],
    [dkim, 'mismatch', 'fail'],
    [dkim, 'pending', 'unknown'],
    [{ ...dkim, required: false }, 'missing', 'pass'],
    [{ ...dkim, required: false }, 'mismatch', 'warn'],
    [dmarc, 'ok', 'pass'],
    [dmarc, 'missing', 'warn'],
  ])('the platform record %j that is %s: %s', (record, status, expected) => {
    const result = judgePlatformRecord({ ...record, status, found: status === 'missing' ? [] : ['text'] });
    expect(result.name).toBe(record.purpose);
    expect(statusOf(result)).toBe(expected);
  });
});

it('the overall result is the worst one', () => {
  const of = (...statuses: CheckResult['status'][]) => worstStatus(statuses.map((status) => ({ status })));
  expect([of(), of('pass'), of('pass', 'unknown'), of('unknown', 'warn'), of('warn', 'fail')]).toEqual([
    'unknown',
    'pass',
    'unknown',
    'warn',
    'fail',
  ]);
});
