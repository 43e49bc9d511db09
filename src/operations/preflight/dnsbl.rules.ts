// DNS block lists (RFC 5782): the name to ask for, and what an answer means.
import type { DnsAnswer } from '../../lib/dns-answers/index.js';

export type DnsblResult =
  | { kind: 'listed'; codes: string[] }
  | { kind: 'not_listed' }
  /** The list refuses us, does not answer, or answers yes to everything. */
  | { kind: 'unusable'; why: string };

/** RFC 5782 section 5: never listed; a list that lists it is gone and answers yes to all. */
export const NEVER_LISTED = '127.0.0.1';

/** `4.3.2.1.list.example`, from the reverse name of an address (`4.3.2.1.in-addr.arpa`). */
export function dnsblName(reverseName: string, zone: string): string {
  return `${reverseName.replace(/\.(?:in-addr|ip6)\.arpa$/, '')}.${zone}`;
}

/** `control` is the list's answer about an address that no living list has. */
export function judgeDnsbl(answer: DnsAnswer<string>, control: DnsAnswer<string>): DnsblResult {
  if (answer.kind === 'failed')
    return { kind: 'unusable', why: `the blocklist did not respond (${answer.reason})` };
  if (answer.kind !== 'found') return { kind: 'not_listed' };
  const codes = answer.records.filter((record) => record.startsWith('127.'));
  // The large lists say so, in 127.255.255.0/24, to who asks through a public resolver or too often.
  if (codes.length === 0 || codes.every((code) => code.startsWith('127.255.255.'))) {
    return {
      kind: 'unusable',
      why: `the blocklist rejects queries from this resolver (${answer.records.join(', ')})`,
    };
  }
  if (control.kind === 'found') return { kind: 'unusable', why: 'the blocklist lists every address' };
  return { kind: 'listed', codes };
}
