// Tests the conclusions of the preflight checks of Mailkeel's own zone.
import { describe, expect, it } from 'vitest';
import type { DnsAnswer } from '../../src/lib/dns-answers/index.js';
import type { CheckResult } from '../../src/operations/preflight/preflight.rules.js';
import {
  judgeDelegation,
  judgeNameServer,
  type NameServerFact,
} from '../../src/operations/preflight/preflight-zone.rules.js';

const ZONE = { name: 'mail.x.test', nameServers: ['ns1.mail.x.test', 'ns2.x.test'] };

/** Passed checks have no advice, and all others do. */
function statusOf(result: CheckResult): string {
  expect(result.remedy === null).toBe(result.status === 'pass');
  return result.status;
}

describe('the delegation', () => {
  const found = (...records: string[]): DnsAnswer<string> => ({ kind: 'found', records });
  it.each<[string, DnsAnswer<string>, string]>([
    ['is to our name servers', found('NS2.x.test.', 'ns1.mail.x.test'), 'pass'],
    ['lacks one', found('ns1.mail.x.test'), 'warn'],
    ['has another one', found('ns1.mail.x.test', 'ns2.x.test', 'ns3.x.test'), 'warn'],
    ['is none', { kind: 'no_data' }, 'fail'],
    ['is none of a name that is not', { kind: 'no_name' }, 'fail'],
    ['cannot be looked up', { kind: 'failed', reason: 'servfail' }, 'unknown'],
  ])('%s: %s', (_what, answer, status) => {
    expect(statusOf(judgeDelegation(ZONE, answer))).toBe(status);
  });

  it('names the records to publish, with addresses for names below the zone', () => {
    expect(judgeDelegation(ZONE, { kind: 'no_name' }).remedy).toBe(
      'Publish NS records for mail.x.test in the parent zone, pointing to ns1.mail.x.test, ns2.x.test. Add glue addresses for the names inside the zone.',
    );
  });
});

describe('a name server', () => {
  const reached = { kind: 'reached', greeting: null } as const;
  const refused = { kind: 'failed', why: 'refused', error: 'connection refused' } as const;
  const fact = (udp: NameServerFact['udp'], tcp: NameServerFact['tcp'] = reached): NameServerFact => ({
    address: '192.0.2.1',
    udp,
    tcp,
  });
  const ours = fact({ kind: 'soa', primary: 'NS1.mail.x.test' });

  it.each<[string, NameServerFact[], string]>([
    ['is ours', [ours, ours], 'pass'],
    ['is ours, but not by TCP', [fact(ours.udp, refused)], 'warn'],
    ['is silent', [fact({ kind: 'failed', reason: 'timeout' })], 'warn'],
    ['is silent at one of two', [ours, fact({ kind: 'failed', reason: 'unreachable' })], 'warn'],
    ['has the zone from elsewhere', [ours, fact({ kind: 'soa', primary: 'ns.other.test' })], 'fail'],
    ['does not have the zone', [fact({ kind: 'none' })], 'fail'],
    ['refuses', [fact({ kind: 'failed', reason: 'refused' })], 'fail'],
    ['has no address', [], 'fail'],
  ])('%s: %s', (_what, tries, status) => {
    expect(statusOf(judgeNameServer('ns1.mail.x.test', ZONE, tries))).toBe(status);
  });
});
