import { expect, it } from 'vitest';
import type { DnsAnswer } from '../../src/lib/dns-answers/index.js';
import { dnsblName, judgeDnsbl } from '../../src/operations/preflight/dnsbl.rules.js';

const found = (...records: string[]): DnsAnswer<string> => ({ kind: 'found', records });
const none: DnsAnswer<string> = { kind: 'no_name' };

it('reverses the address in the query', () => {
  expect(dnsblName('4.3.2.1.in-addr.arpa', 'list.test')).toBe('4.3.2.1.list.test');
  expect(dnsblName('1.0.8.b.d.0.1.0.0.2.ip6.arpa', 'list.test')).toBe('1.0.8.b.d.0.1.0.0.2.list.test');
});

it.each<[string, DnsAnswer<string>, DnsAnswer<string>, string]>([
  ['nothing there', none, none, 'not_listed'],
  ['a code', found('127.0.0.2'), none, 'listed'],
  ['no answer', { kind: 'failed', reason: 'timeout' }, none, 'unusable'],
  ['a list that refuses public resolvers', found('127.255.255.254'), none, 'unusable'],
  ['a parked domain', found('198.51.100.7'), none, 'unusable'],
  ['a list that lists everything', found('127.0.0.2'), found('127.0.0.2'), 'unusable'],
])('%s: %s', (_name, answer, control, kind) => {
  expect(judgeDnsbl(answer, control).kind).toBe(kind);
});
